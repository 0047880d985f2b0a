import { type ActionCommand, type BuiltAction, type PaymentAction, SPONSORED_ACTIONS } from "../../../chain/acts.ts";
import type { ChainBuilder } from "../../../chain/builder.ts";
import { type ReadOptions, readDeadline } from "../../../chain/port.ts";
import { noPayment, refusalTo } from "../../../edge/acts/refusals.ts";
import { submitAct } from "../../../edge/acts/steps.ts";
import { tooMany } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import type { Database } from "../../../store/database.ts";
import type { Context } from "../../context.ts";
import { findPaymentByAddress } from "../../paymentActions/fragments.ts";
import type { ActedPayment } from "../../paymentActions/paymentAction.ts";
import { countUse, ratesOfBuild } from "../rates.ts";
import { complete } from "../sponsoring/cosign.ts";
import { buildSponsored, offer, type SponsorTurn } from "../sponsoring/offer.ts";
import type { SponsoredIntent } from "../sponsoring/queries.ts";
import { maySponsor } from "../sponsoring/sponsorship.ts";

/** An action as a page or a wallet asks for it. */
interface AskedAction {
  readonly action: PaymentAction;
  readonly account: string;
  /** Digits; null: the total that is bound now. */
  readonly total: string | null;
}

export interface ActionTransaction {
  readonly action: PaymentAction;
  /** Its transaction includes the sponsor's signature if the sponsor signs first. */
  readonly built: BuiltAction;
  readonly sponsored: boolean;
}

/** The payment at an address. Throws `not_found`. */
export async function requirePayment(database: Database, address: string): Promise<ActedPayment> {
  const payment = await findPaymentByAddress(database, address);
  if (payment === null) throw noPayment();
  return payment;
}

/** The intent whose limits a sponsored action on a payment counts against; null if it is bound to none. */
const sponsoredIntentOf = (
  { businessId, intentId, environment }: ActedPayment,
  address: string,
): SponsoredIntent | null =>
  businessId === null || intentId === null ? null : { businessId, id: intentId, environment, actedOn: address };

/**
 * Builds an action on a payment, for the wallet that signs it. `turn` says when a sponsor signs if the wallet lacks the
 * SOL; null for no sponsor.
 */
export async function buildAction(
  ctx: Context,
  address: string,
  asked: AskedAction,
  network: string,
  turn: SponsorTurn | null,
): Promise<ActionTransaction> {
  const { database, chainOf } = ctx;
  const { action, account } = asked;
  const total = asked.total === null ? null : BigInt(asked.total);
  if (action === "refund" && total === null) throw new BuyerError("invalid_request", (texts) => texts.notAnAmount);
  const payment = await requirePayment(database, address);
  const waitSeconds = await countUse(database, network, ratesOfBuild(address));
  if (waitSeconds !== null) throw tooMany(waitSeconds);
  const command = { action, account, total, payment: address, now: payment.now, minSlot: payment.observedSlot };
  const options = readDeadline();
  const { builder } = chainOf(payment.environment);
  const own = await builder.buildAction(command, options);
  if (own.kind === "built") return { action, built: own, sponsored: false };
  const sponsored =
    own.kind === "sol_missing" && turn !== null
      ? await buildForSponsor(ctx, builder, { payment, command, network, turn }, options)
      : null;
  if (sponsored === null) throw refusalTo("buyer", own, account);
  return { action, built: sponsored, sponsored: true };
}

interface Wanted {
  readonly payment: ActedPayment;
  readonly command: ActionCommand;
  readonly network: string;
  readonly turn: SponsorTurn;
}

/** Builds a buyer's decision whose fee a sponsor pays; null if none does. */
async function buildForSponsor(
  ctx: Context,
  builder: ChainBuilder,
  { payment: { environment, ...acted }, command, network, turn }: Wanted,
  options: Pick<ReadOptions, "signal">,
): Promise<BuiltAction | null> {
  const { account: sender, payment } = command;
  const intent = sponsoredIntentOf({ environment, ...acted }, payment);
  const action = SPONSORED_ACTIONS.find((one) => one === command.action);
  if (intent === null || action === undefined) return null;
  const build = (sponsor: string) => builder.buildAction({ ...command, sponsor }, options);
  const sponsored = await buildSponsored(ctx, { environment, turn, sender, terms: null, build });
  if (sponsored === null || !maySponsor(sponsored.built.payment, sender, sponsored.by)) return null;
  const { built } = sponsored;
  const outlay = { fee: built.fee.network, record: 0n, vault: 0n, tombstone: 0n };
  const transaction = await offer(ctx, sponsored, intent, { sender, payment, action, outlay, network }, options);
  return transaction === null ? null : { ...built, transaction };
}

/**
 * Accepts an action that a wallet signed, and sends it until it lands or no longer can. Only the effect counts: the
 * wallet may have added instructions.
 */
export async function submitAction(ctx: Context, address: string, given: string | null): Promise<string> {
  const payment = await requirePayment(ctx.database, address);
  const { environment } = payment;
  const sender = ctx.chainOf(environment).actionSender;
  const intent = sponsoredIntentOf(payment, address);
  const transaction = given === null ? "" : await complete(ctx, ctx.chainOf(environment).builder, intent, given);
  return (await submitAct(sender, transaction, { payment: address }, "buyer")).signature;
}
