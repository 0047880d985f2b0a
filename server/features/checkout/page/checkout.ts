import type { CostEstimate } from "../../../chain/builder.ts";
import type { BusinessProfile } from "../../businesses/business.ts";
import type { UsualOutcomes } from "../../disputes/dispute.ts";
import { type Intent, statusAt } from "../../intents/intent.ts";
import { type Payment, type PaymentState, stateOfPayment } from "../../payments/payment.ts";

/** The states of a buyer's page (§12). */
export type CheckoutState = "waiting" | "held" | "in_flight" | Exclude<PaymentState, "lapsed"> | "expired" | "canceled";

export type Tone = "good" | "wait" | "bad" | "info";
/** The tone in which a buyer reads each state of a payment. */
export const PAYMENT_TONES: Readonly<Record<PaymentState, Tone>> = {
  protected: "good",
  settling: "good",
  disputed: "wait",
  lapsed: "info",
  decided: "info",
  settled: "good",
  partly_refunded: "info",
  refunded: "info",
};

const FINAL: ReadonlySet<CheckoutState> = new Set(["settled", "partly_refunded", "refunded", "expired", "canceled"]);
/** True if the page may stop asking for changes. A reported payment may still prove to be one. */
export const isFinal = (facts: CheckoutFacts): boolean => FINAL.has(stateOf(facts)) && !isReported(facts);

/** True if the payment is only reported. */
export const isReported = ({ payment, inFlight }: Pick<CheckoutFacts, "payment" | "inFlight">): boolean =>
  payment === null && inFlight?.kind === "reported";

/**
 * A payment that may be on its way. `sent`: the service has the signed transaction, and it can land. `reported`: a
 * page named a signature, which anyone with the link can do. `built`: a wallet got a transaction to sign. `ended`: the
 * signature can no longer land, and paid nothing.
 */
export interface InFlight {
  readonly kind: "built" | "reported" | "sent" | "ended";
  readonly signature: string | null;
  /** After this time, it can no longer land. */
  readonly until: Date;
}

/** The facts that decide the state. */
export interface CheckoutFacts {
  readonly intent: Pick<Intent, "id" | "status" | "expiresAt">;
  readonly payment: Payment | null;
  /** The most certain attempt: a sent one before a built one. */
  readonly inFlight: InFlight | null;
  /** True while new checkouts are held until the operator confirms a change on chain. */
  readonly isHeld: boolean;
  readonly now: Date;
}

/** Everything that the holder of a checkout link may see. */
export interface CheckoutView extends CheckoutFacts {
  readonly intent: Intent;
  readonly business: BusinessProfile;
  /** True once no fork can change what is recorded of the payment. */
  readonly isFinalized: boolean;
  /** Payments of an intent that was already paid, oldest first. */
  readonly duplicates: readonly Payment[];
  /** True if a payment with the intent's id has other terms. Anyone can send one. */
  readonly hasMismatch: boolean;
  /** The decimals of the asset; null until the chain has shown them. */
  readonly decimals: number | null;
  readonly tokenProgram: string | null;
  /** True if the buyer has an address for emails. */
  readonly hasAddress: boolean;
  readonly arbiter: Arbiter;
  /** The network's cost, if it is known before the wallet is; null if it is shown later. */
  readonly cost: (CostEstimate & { readonly maySponsor: boolean }) | null;
  readonly usualOutcomes: UsualOutcomes;
  /** The worth of one SOL in the business's reporting currency; null if nobody knows. */
  readonly solRate: string | null;
  readonly programId: string;
  readonly operator: string;
  readonly genesisHash: string;
  /** The time of the last event of the intent and its payments, in milliseconds: each event is later than those before it. */
  readonly version: number;
  /** Real time, even if the clock of a local chain runs ahead. */
  readonly at: Date;
}

/** The arbiter of a payment that was made, or is about to be. */
export interface Arbiter {
  /** The arbiter's address; null until the chain has shown it. */
  readonly address: string | null;
  readonly name: string | null;
  readonly domain: string | null;
  /** True if the arbiter's address is the recipient, so that the business would judge its own case. */
  readonly isRecipient: boolean;
  /** True if the deployment lets the business decide its own disputes. */
  readonly isOwn: boolean;
}

export function stateOf({ intent, payment, inFlight, isHeld, now }: CheckoutFacts): CheckoutState {
  if (payment !== null) {
    const state = stateOfPayment(payment, now);
    return state === "lapsed" ? "disputed" : state;
  }
  if (inFlight?.kind === "sent") return "in_flight";
  const status = statusAt(intent, now);
  if (status === "paid") throw new Error(`The paid intent ${intent.id} has no payment.`);
  if (status !== "requires_payment") return status;
  return isHeld ? "held" : "waiting";
}

/**
 * The amounts of a payment that left, and the refund that is due. Parts leave one by one within a state, some without
 * an event, and the page shows them.
 */
export const partsOf = (payment: Payment | null): string | null =>
  payment && `${payment.amountReleased}/${payment.amountRefunded}/${payment.refundTotal}`;

/** The state as JSON for the page's script. */
function showState(facts: CheckoutFacts & { readonly version: number }, at: Date): string {
  const state = stateOf(facts);
  const { intent, inFlight, payment } = facts;
  return JSON.stringify({
    object: "checkout_state",
    intent: intent.id,
    state,
    final: isFinal(facts),
    // Versions only grow: a page drops an answer that is older than the state it shows, in whatever order answers arrive.
    version: facts.version,
    at: at.getTime(),
    expiresAt: intent.expiresAt.toISOString(),
    // A payment that was only built is a hint for other tabs: it may never be signed.
    inFlight: inFlight === null ? null : { ...inFlight, until: inFlight.until.toISOString() },
    parts: partsOf(payment),
  });
}

/** The state as its stream has it. */
export function showLive(facts: CheckoutFacts & { readonly version: number; readonly at: Date }) {
  const { inFlight, payment, version } = facts;
  return {
    text: showState(facts, facts.at),
    isFinal: isFinal(facts),
    mark: [
      stateOf(facts),
      version,
      inFlight?.kind,
      inFlight?.signature,
      payment?.amountRefunded,
      payment?.refundTotal,
    ].join(),
  };
}
