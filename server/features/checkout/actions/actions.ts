import type { ActionSender } from "../../../chain/actionSender.ts";
import {
  type ActionCommand,
  type BuiltAction,
  PAYMENT_ACTIONS,
  type PaymentAction,
  SPONSORED_ACTIONS,
} from "../../../chain/acts.ts";
import type { ChainBuilder } from "../../../chain/builder.ts";
import { type ReadOptions, readDeadline } from "../../../chain/port.ts";
import { isAddress } from "../../../domain/addresses.ts";
import type { Environment } from "../../../domain/terms.ts";
import { noPayment, refusalTo } from "../../../edge/acts/refusals.ts";
import { submitAct } from "../../../edge/acts/steps.ts";
import { tooMany } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import type { Database } from "../../../store/database.ts";
import { findPaymentByAddress } from "../../paymentActions/fragments.ts";
import { type ActedPayment, parseTotal } from "../../paymentActions/paymentAction.ts";
import { countUse, ratesOfBuild } from "../rates.ts";
import { complete } from "../sponsoring/cosign.ts";
import { buildSponsored, offer, type SponsoringDeps, type SponsorTurn } from "../sponsoring/offer.ts";
import type { SponsoredIntent } from "../sponsoring/queries.ts";
import { maySponsor } from "../sponsoring/sponsorship.ts";

export interface ActionDeps extends SponsoringDeps {
  /** Both throw `ChainUnavailableError` if no chain is configured any more. */
  readonly builderOf: (environment: Environment) => ChainBuilder;
  readonly actionSenderOf: (environment: Environment) => ActionSender;
}

/** An action as a page or a wallet asks for it, not checked yet. */
export interface AskedAction {
  readonly action: unknown;
  readonly account: unknown;
  /** Undefined and null: the total that is bound now. */
  readonly total: unknown;
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

/** Returns the action of a request's path or body. Throws `invalid_request`. */
export function parseAction(text: unknown): PaymentAction {
  const action = PAYMENT_ACTIONS.find((one) => one === text);
  if (action === undefined) throw new BuyerError("invalid_request", (texts) => texts.noAction);
  return action;
}

function parseAsked({ action: named, account, total: given }: AskedAction) {
  const action = parseAction(named);
  if (typeof account !== "string" || !isAddress(account))
    throw new BuyerError("invalid_account", (texts) => texts.notAWallet);
  const total = typeof given === "string" ? parseTotal(given) : null;
  const isNeeded = action === "refund" || (given !== undefined && given !== null);
  if (isNeeded && total === null) throw new BuyerError("invalid_request", (texts) => texts.notAnAmount);
  return { action, account, total };
}

/**
 * Builds an action on a payment, for the wallet that signs it. `turn` says when a sponsor signs if the wallet lacks the
 * SOL; null for no sponsor.
 */
export async function buildAction(
  deps: ActionDeps,
  address: string,
  asked: AskedAction,
  network: string,
  turn: SponsorTurn | null,
): Promise<ActionTransaction> {
  const { database, builderOf } = deps;
  const wanted = parseAsked(asked);
  const payment = await requirePayment(database, address);
  const waitSeconds = await countUse(database, network, ratesOfBuild(address));
  if (waitSeconds !== null) throw tooMany(waitSeconds);
  const { action } = wanted;
  const command = { ...wanted, payment: address, now: payment.now, minSlot: payment.observedSlot };
  const options = readDeadline();
  const builder = builderOf(payment.environment);
  const own = await builder.buildAction(command, options);
  if (own.kind === "built") return { action, built: own, sponsored: false };
  const sponsored =
    own.kind === "sol_missing" && turn !== null
      ? await buildForSponsor(deps, builder, { payment, command, network, turn }, options)
      : null;
  if (sponsored === null) throw refusalTo("buyer", own, wanted.account);
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
  deps: ActionDeps,
  builder: ChainBuilder,
  { payment: { environment, ...acted }, command, network, turn }: Wanted,
  options: Pick<ReadOptions, "signal">,
): Promise<BuiltAction | null> {
  const { account: sender, payment } = command;
  const intent = sponsoredIntentOf({ environment, ...acted }, payment);
  const action = SPONSORED_ACTIONS.find((one) => one === command.action);
  if (intent === null || action === undefined) return null;
  const build = (sponsor: string) => builder.buildAction({ ...command, sponsor }, options);
  const sponsored = await buildSponsored(deps, { environment, turn, sender, terms: null, build });
  if (sponsored === null || !maySponsor(sponsored.built.payment, sender, sponsored.by)) return null;
  const { built } = sponsored;
  const outlay = { fee: built.fee.network, record: 0n, vault: 0n, tombstone: 0n };
  const transaction = await offer(deps, sponsored, intent, { sender, payment, action, outlay, network }, options);
  return transaction === null ? null : { ...built, transaction };
}

/**
 * Accepts an action that a wallet signed, and sends it until it lands or no longer can. Only the effect counts: the
 * wallet may have added instructions.
 */
export async function submitAction(deps: ActionDeps, address: string, given: unknown): Promise<string> {
  const payment = await requirePayment(deps.database, address);
  const { environment } = payment;
  const sender = deps.actionSenderOf(environment);
  const intent = sponsoredIntentOf(payment, address);
  const transaction = typeof given === "string" ? await complete(deps, deps.builderOf(environment), intent, given) : "";
  return (await submitAct(sender, transaction, { payment: address }, "buyer")).signature;
}
