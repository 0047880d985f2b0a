import { type ChainReader, ChainUnavailableError, type Commitment, isClosed, isPayment } from "../../chain/port.ts";
import type { Merchant, Tenant } from "../../domain/callers.ts";
import { ApiError, type ErrorDetails } from "../../domain/errors.ts";
import { isIntentId } from "../../domain/ids.ts";
import { CHAIN_READ_MS } from "../../domain/limits.ts";
import { type JsonText, showFields } from "../../domain/show.ts";
import { type Environment, mismatches } from "../../domain/terms.ts";
import type { Committed } from "../../edge/http/idempotency.ts";
import { ok, type Reply, type WriteCall, type WriteRoute, writeRoute } from "../../edge/http/route.ts";
import { failpoint } from "../../lib/failpoint.ts";
import type { Db } from "../../store/database.ts";
import { missingIntent, showIntent } from "../intents/intent.ts";
import { showPayment } from "../payments/payment.ts";
import { OUTCOMES, type Outcome } from "./decide/decision.ts";
import { type Confirmation, findConfirmation, findIntentTerms, type IntentTerms } from "./decide/queries.ts";
import { type RecordingDeps, recordClosingForIntent, recordForIntent } from "./decide/record.ts";
import { draftObserved, type ObservedClosing, type ObservedPayment } from "./decide/state.ts";
import { CONFIRM_PAYMENT } from "./schema.ts";

export interface ConfirmDeps extends Omit<RecordingDeps, "log"> {
  /** Throws {@link ChainUnavailableError} where none is configured any more. */
  readonly readerOf: (environment: Environment) => ChainReader;
  /** The commitment that binds; `finalized` for deployments that prefer to wait. */
  readonly commitment: Commitment;
}

/** §4.5. */
export const confirmRoutes = (deps: ConfirmDeps): WriteRoute<Merchant>[] => [
  writeRoute("POST", "/payment-intents/:id/confirm", CONFIRM_PAYMENT, (call) => confirmPayment(deps, call)),
];

/** Links the payments of a transaction to their intent at once, instead of waiting for the sweep. Repeats are safe. */
async function confirmPayment(
  deps: ConfirmDeps,
  { caller, params, input: { signature }, write }: WriteCall<Merchant, { readonly signature: string }>,
): Promise<Committed> {
  const locked = await write.lockKey();
  const intent = isIntentId(params.id!) ? await findIntentTerms(deps.database, caller, params.id!) : null;
  if (intent === null) throw missingIntent();
  const before = await findConfirmation(deps.database, caller, intent.id, { signature });
  if (before !== null) return locked.commit({ reply: showConfirmation(deps, "already_recorded", before) });

  const made = await fetchMatching(deps, caller.environment, signature, intent);
  return locked.commit({
    transaction: (db) => recordConfirmed(deps, db, { ...caller, intentId: intent.id }, signature, made),
  });
}

/** The payments of a transaction for one intent, in instruction order. */
interface MadePayments {
  /** On the intent's terms. */
  readonly matching: readonly ObservedPayment[];
  /** Closed by now: ours only if they are recorded, since a tombstone has no terms. */
  readonly closings: readonly ObservedClosing[];
}

async function recordConfirmed(
  deps: ConfirmDeps,
  db: Db,
  tenant: Tenant & { readonly intentId: string },
  signature: string,
  { matching, closings }: MadePayments,
): Promise<Reply> {
  const recorded = await recordForIntent(db, tenant, matching, deps.checkoutUrl);
  for (const closing of closings) {
    const decision = await recordClosingForIntent(db, tenant, closing, deps.checkoutUrl);
    if (decision !== null) recorded.push(decision);
  }
  if (recorded.length === 0) throw unverified("no_payment_for_intent");
  const outcome = OUTCOMES.find((one) => recorded.some((decision) => decision.outcome === one));
  const deciding = recorded.find((decision) => decision.outcome === outcome);
  // After a fork, another transaction's payment is recorded at this address until one of the two is final.
  if (outcome === undefined && recorded.some((decision) => decision.outcome === "undecided"))
    throw unverified("not_confirmed");
  if (outcome === undefined || !deciding?.payment)
    throw new Error(`The payments of ${signature} matched ${tenant.intentId} and yet none was recorded.`);
  const after = await findConfirmation(db, tenant, tenant.intentId, { address: deciding.payment.id });
  if (after === null) throw new Error(`The payment ${deciding.payment.id} was recorded and is gone.`);
  failpoint("confirm.before_commit");
  return showConfirmation(deps, outcome, after);
}

/** The payments of the transaction that match the intent, in instruction order; where none does, throws why. */
async function fetchMatching(
  deps: ConfirmDeps,
  environment: Environment,
  signature: string,
  intent: IntentTerms,
): Promise<MadePayments> {
  const signal = AbortSignal.timeout(CHAIN_READ_MS);
  const { commitment } = deps;
  try {
    const reader = deps.readerOf(environment);
    const { value: lookup } = await reader.fetchTransaction(signature, { signal, commitment });
    if (lookup.kind !== "landed") throw unverified(lookup.kind);
    if (lookup.transaction.failed) throw unverified("failed");
    const { created, slot } = lookup.transaction;
    if (created.length === 0) throw unverified("no_payment_for_intent");

    const read = await reader.fetchPayments(created, {
      signal,
      commitment,
      minSlot: slot,
      created: new Set(created),
    });
    if (read.value.includes(null))
      throw new ChainUnavailableError("The nodes show the transaction and not the account that it made.");
    const mine = read.value.filter(isPayment).filter((payment) => payment.paymentId === intent.paymentId);
    const closed = read.value.filter(isClosed).filter((closing) => closing.paymentId === intent.paymentId);
    const matching = mine.filter((payment) => mismatches(intent, payment).length === 0);
    if (matching.length + closed.length === 0)
      throw mine.length === 0
        ? unverified("no_payment_for_intent")
        : unverified("mismatch", { mismatch: mismatches(intent, mine[0]!) });
    const observe = <Account>(account: Account) => ({
      ...draftObserved(account, read.slot, commitment),
      signature,
      createdSlot: slot,
    });
    return { matching: matching.map(observe), closings: closed.map(observe) };
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    const message = "The chain could not be read. Retry with backoff; the periodic sweep also finds the payment.";
    throw new ApiError("chain_unavailable", message, {}, { retryAfterSeconds: 2 });
  }
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

function showConfirmation(deps: ConfirmDeps, outcome: Outcome, { intent, primary, payment, now }: Confirmation): Reply {
  const embedded = primary === null ? null : showFields(showPayment(primary, now));
  const shown = showFields(showIntent(intent, embedded, now, deps.checkoutUrl));
  return ok(
    `{"object":"confirmation","outcome":"${outcome}","intent":${shown},"payment":${showFields(showPayment(payment, now))}}` as JsonText,
  );
}
