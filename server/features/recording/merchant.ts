import type { Merchant, Tenant } from "../../domain/callers.ts";
import { ApiError, type ErrorDetails, type UnverifiedReason } from "../../domain/errors.ts";
import { isIntentId } from "../../domain/ids.ts";
import { type JsonText, showFields } from "../../domain/show.ts";
import { mismatches } from "../../domain/terms.ts";
import type { Committed } from "../../edge/http/idempotency.ts";
import { ok, type Reply, type WriteCall, type WriteRoute, writeRoute } from "../../edge/http/route.ts";
import { failpoint } from "../../lib/failpoint.ts";
import type { Db } from "../../store/database.ts";
import { missingIntent, showIntent } from "../intents/intent.ts";
import { showPayment } from "../payments/payment.ts";
import { type Decision, OUTCOMES, type Outcome } from "./decide/decision.ts";
import { type Confirmation, findConfirmation, findIntentTerms, type IntentTerms } from "./decide/queries.ts";
import { previewForIntent, type RecordingDeps, recordClosingForIntent, recordForIntent } from "./decide/record.ts";
import type { ObservedClosing, ObservedPayment } from "./decide/state.ts";
import { type Examination, type ExaminationDeps, examineTransaction } from "./examination.ts";
import { CONFIRM_PAYMENT, VERIFY_SIGNATURE } from "./schema.ts";
import { draftRules, showVerification } from "./verification.ts";

export interface ConfirmDeps extends Omit<RecordingDeps, "log">, ExaminationDeps {}

/** §4.5, §4.11. */
export const confirmRoutes = (deps: ConfirmDeps): WriteRoute<Merchant>[] => [
  writeRoute("POST", "/payment-intents/:id/confirm", CONFIRM_PAYMENT, (call) => confirmPayment(deps, call)),
  writeRoute("POST", "/payment-intents/:id/verify", VERIFY_SIGNATURE, (call) => verifySignature(deps, call)),
];

type SignatureCall = WriteCall<Merchant, { readonly signature: string }>;

/** Links the payments of a transaction to their intent at once, instead of waiting for the sweep. Repeats are safe. */
async function confirmPayment(
  deps: ConfirmDeps,
  { caller, params, input: { signature }, write }: SignatureCall,
): Promise<Committed> {
  const locked = await write.lockKey();
  const intent = await findOrThrow(deps, caller, params.id!);
  const before = await findConfirmation(deps.database, caller, intent.id, { signature });
  if (before !== null) return locked.commit({ reply: showConfirmation(deps, "already_recorded", before) });

  const made = requireMatching(intent, await examineTransaction(deps, caller.environment, signature, intent));
  return locked.commit({
    transaction: (db) => recordConfirmed(deps, db, { ...caller, intentId: intent.id }, signature, made),
  });
}

async function findOrThrow(deps: ConfirmDeps, caller: Tenant, id: string): Promise<IntentTerms> {
  const intent = isIntentId(id) ? await findIntentTerms(deps.database, caller, id) : null;
  if (intent === null) throw missingIntent();
  return intent;
}

/** §4.11: what confirm would answer now, and why. It writes nothing but its answer under an Idempotency-Key. */
async function verifySignature(
  deps: ConfirmDeps,
  { caller, params, input: { signature }, write }: SignatureCall,
): Promise<Committed> {
  const locked = await write.lockKey();
  const intent = await findOrThrow(deps, caller, params.id!);
  const examined = await examineTransaction(deps, caller.environment, signature, intent);
  const rules = draftRules(intent, examined, deps.commitment);
  const verified = await previewOutcome(deps, { ...caller, intentId: intent.id }, signature, intent, examined).then(
    (outcome) => ({ outcome, reason: null }),
    (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== "signature_unverified") throw error;
      return { outcome: "signature_unverified", reason: error.details.reason as UnverifiedReason } as const;
    },
  );
  return locked.commit({ reply: ok(showVerification({ ...verified, rules })) });
}

async function previewOutcome(
  deps: ConfirmDeps,
  tenant: Tenant & { readonly intentId: string },
  signature: string,
  intent: IntentTerms,
  examined: Examination,
): Promise<Outcome> {
  if ((await findConfirmation(deps.database, tenant, intent.id, { signature })) !== null) return "already_recorded";
  const made = requireMatching(intent, examined);
  return outcomeOf(await previewForIntent(deps, tenant, made.matching, made.closings));
}

/** The payments of a transaction for one intent, in instruction order. */
interface MadePayments {
  /** On the intent's terms. */
  readonly matching: readonly ObservedPayment[];
  /** Closed by now: ours only if they are recorded, since a tombstone has no terms. */
  readonly closings: readonly ObservedClosing[];
}

/** The payments that may be recorded; where there is none, throws why. */
function requireMatching(intent: IntentTerms, examined: Examination): MadePayments {
  if (examined.kind !== "landed") throw unverified(examined.kind);
  const { payments, closings } = examined;
  const matching = payments.filter(({ payment }) => mismatches(intent, payment).length === 0);
  if (matching.length + closings.length > 0) return { matching, closings };
  const [first] = payments;
  throw first === undefined
    ? unverified("no_payment_for_intent")
    : unverified("mismatch", { mismatch: mismatches(intent, first.payment) });
}

/** The outcome of a transaction whose payments were decided so (§4.5.4); where none is recorded, throws why. */
function outcomeOf(decisions: readonly Decision[]): Outcome {
  if (decisions.length === 0) throw unverified("no_payment_for_intent");
  const outcome = OUTCOMES.find((one) => decisions.some((decision) => decision.outcome === one));
  // After a fork, another transaction's payment is recorded at this address until one of the two is final.
  if (outcome === undefined && decisions.some((decision) => decision.outcome === "undecided"))
    throw unverified("not_confirmed");
  if (outcome === undefined) throw new Error("Payments matched their intent, and yet none of them would be recorded.");
  return outcome;
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
  const outcome = outcomeOf(recorded);
  const deciding = recorded.find((decision) => decision.outcome === outcome);
  if (!deciding?.payment)
    throw new Error(`The payments of ${signature} matched ${tenant.intentId} and none was recorded.`);
  const after = await findConfirmation(db, tenant, tenant.intentId, { address: deciding.payment.id });
  if (after === null) throw new Error(`The payment ${deciding.payment.id} was recorded and is gone.`);
  failpoint("confirm.before_commit");
  return showConfirmation(deps, outcome, after);
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
