import { type ActionCommand, type BuiltAction, PAYMENT_ACTIONS, type PaymentAction } from "../../../chain/actions.ts";
import type { ChainBuilder } from "../../../chain/builder.ts";
import { isAddress } from "../../../domain/addresses.ts";
import { CHAIN_READ_MS } from "../../../domain/limits.ts";
import type { Environment } from "../../../domain/terms.ts";
import { tooMany } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import type { Database } from "../../../store/database.ts";
import { type ActedPayment, parseTotal } from "../../paymentActions/paymentAction.ts";
import { countUse, mayPresign, ratesOfBuild } from "../paying/rates.ts";
import { buildByOne, offer, type SponsoringDeps, type SponsorTurn } from "../sponsoring/offer.ts";
import type { SponsoredIntent } from "../sponsoring/queries.ts";
import { maySponsor, SPONSORED_ACTIONS, type SponsoredAction } from "../sponsoring/sponsorship.ts";
import { findPaymentByAddress } from "./queries.ts";
import { explainRefusal, noPayment } from "./refusals.ts";

export interface ActionBuildDeps extends SponsoringDeps {
  /** Throws `ChainUnavailableError` if no chain is configured any more. */
  readonly builderOf: (environment: Environment) => ChainBuilder;
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
export const sponsoredIntentOf = (
  { businessId, intentId, environment }: ActedPayment,
  address: string,
): SponsoredIntent | null =>
  businessId === null || intentId === null ? null : { businessId, id: intentId, environment, actedOn: address };

/** Returns the action of a request's path or body. Throws `invalid_request`. */
export function parseAction(text: unknown): PaymentAction {
  const action = PAYMENT_ACTIONS.find((one) => one === text);
  if (action === undefined) throw new BuyerError("invalid_request", "There is no such action on a payment.");
  return action;
}

function parseAsked({ action: named, account, total: given }: AskedAction) {
  const action = parseAction(named);
  if (typeof account !== "string" || !isAddress(account))
    throw new BuyerError("invalid_account", "This is not the address of a wallet.");
  const total = typeof given === "string" ? parseTotal(given) : null;
  const isNeeded = action === "refund" || (given !== undefined && given !== null);
  if (isNeeded && total === null)
    throw new BuyerError("invalid_request", "This is not an amount in the token's smallest unit.");
  return { action, account, total };
}

/**
 * Builds an action on a payment, for the wallet that signs it. `turn` says when a sponsor signs if the wallet lacks the
 * SOL; null for no sponsor.
 */
export async function buildAction(
  deps: ActionBuildDeps,
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
  const command = { ...wanted, payment: address, now: payment.now, minSlot: payment.observedSlot };
  const signal = AbortSignal.timeout(CHAIN_READ_MS);
  const builder = builderOf(payment.environment);
  const own = await builder.buildAction(command, { signal });
  if (own.kind === "built") return { action: command.action, built: own, sponsored: false };
  const sponsored =
    own.kind === "sol_missing" && turn !== null
      ? await buildSponsored(deps, builder, { payment, command, network, turn }, signal)
      : null;
  if (sponsored === null) throw explainRefusal(own, wanted.account);
  return { action: command.action, built: sponsored, sponsored: true };
}

interface Wanted {
  readonly payment: ActedPayment;
  readonly command: ActionCommand;
  readonly network: string;
  readonly turn: SponsorTurn;
}

/** Builds a buyer's decision whose fee a sponsor pays; null if none does. */
async function buildSponsored(
  deps: ActionBuildDeps,
  builder: ChainBuilder,
  { payment, command, network, turn }: Wanted,
  signal: AbortSignal,
): Promise<BuiltAction | null> {
  const { database, sponsorOf } = deps;
  const sponsor = sponsorOf(payment.environment);
  const intent = sponsoredIntentOf(payment, command.payment);
  const action: SponsoredAction | undefined = SPONSORED_ACTIONS.find((one) => one === command.action);
  if (sponsor === null || intent === null || action === undefined) return null;
  const found = await buildByOne(sponsor, (picked) => builder.buildAction({ ...command, sponsor: picked }, { signal }));
  if (found === null || !maySponsor(found.built.payment, command.account, sponsor)) return null;
  if (turn === "first" && !(await mayPresign(database, network))) return null;
  const { built } = found;
  const offered = {
    transaction: built.transaction,
    sponsor: found.sponsor,
    sender: command.account,
    payment: command.payment,
    action,
    outlay: { fee: built.fee.network, record: 0n, vault: 0n, tombstone: 0n },
    turn,
  };
  const transaction = await offer(deps, sponsor, intent, offered, signal);
  return transaction === null ? null : { ...built, transaction };
}
