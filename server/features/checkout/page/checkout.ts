import type { CostEstimate } from "../../../chain/builder.ts";
import type { BusinessProfile } from "../../businesses/business.ts";
import { type Intent, statusAt } from "../../intents/intent.ts";
import { isSettleable, type Payment } from "../../payments/payment.ts";

/** What a buyer's page may be in (§12). */
export type CheckoutState =
  | "waiting"
  | "held"
  | "in_flight"
  | "protected"
  | "settling"
  | "disputed"
  | "decided"
  | "settled"
  | "partly_refunded"
  | "refunded"
  | "expired"
  | "canceled";

const FINAL: ReadonlySet<CheckoutState> = new Set(["settled", "partly_refunded", "refunded", "expired", "canceled"]);
/** True if nothing is left to wait for: then the page stops asking. A report may still turn out to be a payment. */
export const isFinal = (facts: CheckoutFacts): boolean => FINAL.has(stateOf(facts)) && !isReported(facts);

/** True if all there is of a payment is that somebody reported it. */
export const isReported = ({ payment, inFlight }: Pick<CheckoutFacts, "payment" | "inFlight">): boolean =>
  payment === null && inFlight?.kind === "reported";

/**
 * A payment that may be on its way. `sent`: the service has the signed transaction, and it can land. `reported`: a page named a
 * signature, which anybody with the link can do. `built`: a wallet was given something to sign.
 */
export interface InFlight {
  readonly kind: "built" | "reported" | "sent";
  readonly signature: string | null;
  /** After it, it can no longer land. */
  readonly until: Date;
}

/** What decides the state. */
export interface CheckoutFacts {
  readonly intent: Pick<Intent, "id" | "status" | "expiresAt">;
  readonly payment: Payment | null;
  /** The one that says most: what was sent, else what was only built. */
  readonly inFlight: InFlight | null;
  /** New checkouts are held until the operator confirms what changed on chain. */
  readonly isHeld: boolean;
  readonly now: Date;
}

/** What the holder of a checkout link may see. */
export interface CheckoutView extends CheckoutFacts {
  readonly intent: Intent;
  readonly business: BusinessProfile;
  /** Payments of an intent that was already paid, oldest first. */
  readonly duplicates: readonly Payment[];
  /** A payment with the intent's id came on other terms; anybody can send one. */
  readonly hasMismatch: boolean;
  /** Of the asset; null while the chain has not shown them. */
  readonly decimals: number | null;
  readonly tokenProgram: string | null;
  readonly arbiter: Arbiter;
  /** The network's cost besides, as far as it is known before the wallet is; null if it is said later. */
  readonly cost: (CostEstimate & { readonly maySponsor: boolean }) | null;
  readonly programId: string;
  readonly operator: string;
  readonly genesisHash: string;
  /** The time of the last event of the intent and its payments, in milliseconds: each event is later than those before it. */
  readonly version: number;
  /** Real time, which no clock of a local chain moves. */
  readonly at: Date;
}

interface Arbiter {
  /** Null while the chain has not shown it. */
  readonly address: string | null;
  readonly name: string | null;
  readonly domain: string | null;
  /** The business is paid at this very address, so that it would judge its own case. */
  readonly isRecipient: boolean;
}

export function stateOf({ intent, payment, inFlight, isHeld, now }: CheckoutFacts): CheckoutState {
  if (payment !== null) return stateOfPayment(payment, now);
  if (inFlight?.kind === "sent") return "in_flight";
  const status = statusAt(intent, now);
  if (status === "paid") throw new Error(`The paid intent ${intent.id} has no payment.`);
  if (status !== "requires_payment") return status;
  return isHeld ? "held" : "waiting";
}

function stateOfPayment(payment: Payment, now: Date): CheckoutState {
  if (payment.status === "refunded") return "refunded";
  if (payment.status === "released") return payment.amountRefunded === "0" ? "settled" : "partly_refunded";
  if (payment.outcome !== null) return "decided";
  if (payment.status === "disputed") return "disputed";
  return isSettleable(payment, now) ? "settling" : "protected";
}

/**
 * The amounts of a payment that left, and the refund that is due. Parts leave one by one within a state, some without an event,
 * and the page shows them.
 */
export const partsOf = (payment: Payment | null): string | null =>
  payment && `${payment.amountReleased}/${payment.amountRefunded}/${payment.refundTotal}`;

/** The state as the page's script reads it. */
export function showState(facts: CheckoutFacts & { readonly version: number }, at: Date): string {
  const state = stateOf(facts);
  const { intent, inFlight, payment } = facts;
  return JSON.stringify({
    object: "checkout_state",
    intent: intent.id,
    state,
    final: isFinal(facts),
    // Numbers that only grow: a page drops what is older than what it shows, in whatever order answers arrive.
    version: facts.version,
    at: at.getTime(),
    expiresAt: intent.expiresAt.toISOString(),
    // A payment that was only built is a hint for other tabs: it may never be signed.
    inFlight: inFlight === null ? null : { ...inFlight, until: inFlight.until.toISOString() },
    parts: partsOf(payment),
  });
}
