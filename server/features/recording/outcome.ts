import { ApiError, type ErrorDetails } from "../../domain/errors.ts";
import { mismatches } from "../../domain/terms.ts";
import { type Decision, OUTCOMES, type Outcome } from "./decide/decision.ts";
import type { IntentTerms } from "./decide/queries.ts";
import type { ObservedClosing, ObservedPayment } from "./decide/state.ts";
import type { Examination } from "./examination.ts";

/** The payments of a transaction for one intent, in instruction order. */
export interface MadePayments {
  /** Payments on the intent's terms. */
  readonly matching: readonly ObservedPayment[];
  /** Payments that are closed by now. They are ours only if they are recorded, since a tombstone has no terms. */
  readonly closings: readonly ObservedClosing[];
}

/** The payments that may be recorded. Throws the reason if there is none. */
export function requireMatching(intent: IntentTerms, examined: Examination): MadePayments {
  if (examined.kind !== "landed") throw unverified(examined.kind);
  const { payments, closings } = examined;
  const matching = payments.filter(({ payment }) => mismatches(intent, payment).length === 0);
  if (matching.length + closings.length > 0) return { matching, closings };
  const [first] = payments;
  throw first === undefined
    ? unverified("no_payment_for_intent")
    : unverified("mismatch", { mismatch: mismatches(intent, first.payment) });
}

/** The outcome of a transaction, from the decisions on its payments (§4.5.4). Throws the reason if none is recorded. */
export function outcomeOf(decisions: readonly Decision[]): Outcome {
  if (decisions.length === 0) throw unverified("no_payment_for_intent");
  const outcome = OUTCOMES.find((one) => decisions.some((decision) => decision.outcome === one));
  // After a fork, another transaction's payment may hold this address until one of the two is final.
  if (outcome === undefined && decisions.some((decision) => decision.outcome === "undecided"))
    throw unverified("not_confirmed");
  if (outcome === undefined) throw new Error("Payments matched their intent, and yet none of them would be recorded.");
  return outcome;
}

const UNVERIFIED = {
  not_found:
    "No transaction with this signature is known to the chain yet. Send the request again once it is confirmed.",
  not_confirmed: "The transaction is not confirmed yet. Send the request again in a few seconds.",
  failed: "The transaction failed on chain: nothing was paid. Let the buyer send another and confirm that one.",
  no_payment_for_intent:
    "The transaction created no payment that carries this intent's paymentId. Check that it is the one the buyer sent for this intent.",
  mismatch: "The transaction's payment is not on the intent's terms; error.mismatch names those that differ.",
} as const;

function unverified(reason: keyof typeof UNVERIFIED, details: ErrorDetails = {}): ApiError {
  const retryable = reason === "not_found" || reason === "not_confirmed";
  return new ApiError("signature_unverified", UNVERIFIED[reason], { reason, ...details, retryable });
}
