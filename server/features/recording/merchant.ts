import type { Merchant, Tenant } from "../../domain/callers.ts";
import { isIntentId } from "../../domain/ids.ts";
import type { JsonText } from "../../domain/show.ts";
import type { Committed } from "../../edge/http/idempotency.ts";
import { ok, type Reply, type WriteCall, type WriteRoute, writeRoute } from "../../edge/http/route.ts";
import { failpoint } from "../../lib/failpoint.ts";
import type { Db } from "../../store/database.ts";
import type { Context } from "../context.ts";
import { missingIntent, showForKeys, showIntentText } from "../intents/intent.ts";
import { showPaymentText } from "../payments/payment.ts";
import type { Outcome } from "./decide/decision.ts";
import { type Confirmation, findConfirmation, findIntentTerms, type IntentTerms } from "./decide/queries.ts";
import { recordClosingForIntent, recordForIntent } from "./decide/record.ts";
import { examineTransaction } from "./examination.ts";
import { type MadePayments, outcomeOf, requireMatching } from "./outcome.ts";
import { CONFIRM_PAYMENT, VERIFY_SIGNATURE } from "./schema.ts";
import { showVerification } from "./verification.ts";
import { verifyExamined } from "./verifyExamined.ts";

/** §4.5, §4.11. */
export const confirmRoutes = (ctx: Context): WriteRoute<Merchant>[] => [
  writeRoute("POST", "/payment-intents/:id/confirm", CONFIRM_PAYMENT, (call) => confirmPayment(ctx, call)),
  writeRoute("POST", "/payment-intents/:id/verify", VERIFY_SIGNATURE, (call) => verifySignature(ctx, call)),
];

type SignatureCall = WriteCall<Merchant, { readonly signature: string }>;

/** Links the payments of a transaction to their intent at once, instead of waiting for the sweep. Repeats are safe. */
async function confirmPayment(
  ctx: Context,
  { caller, params, input: { signature }, write }: SignatureCall,
): Promise<Committed> {
  const locked = await write.lockKey();
  const intent = await findOrThrow(ctx, caller, params.id!);
  const before = await findConfirmation(ctx.database, caller, intent.id, { signature });
  if (before !== null) return locked.commit({ reply: showConfirmation(ctx, "already_recorded", before) });

  const made = requireMatching(intent, await examineTransaction(ctx, caller.environment, signature, intent));
  return locked.commit({
    transaction: (db) => recordConfirmed(ctx, db, { ...caller, intentId: intent.id }, signature, made),
  });
}

async function findOrThrow(ctx: Context, caller: Tenant, id: string): Promise<IntentTerms> {
  const intent = isIntentId(id) ? await findIntentTerms(ctx.database, caller, id) : null;
  if (intent === null) throw missingIntent();
  return intent;
}

/**
 * §4.11: the answer that confirm would return now, with the reasons. Writes nothing but its own answer under an
 * Idempotency-Key, and not that either where confirm would not (§4.5.12).
 */
async function verifySignature(
  ctx: Context,
  { caller, params, input: { signature }, write }: SignatureCall,
): Promise<Committed> {
  const locked = await write.lockKey();
  const intent = await findOrThrow(ctx, caller, params.id!);
  const examined = await examineTransaction(ctx, caller.environment, signature, intent);
  const verification = await verifyExamined(ctx, caller, intent, signature, examined);
  const reply = ok(showVerification(verification));
  return locked.commit(verification.outcome === "signature_unverified" ? { unstored: reply } : { reply });
}

async function recordConfirmed(
  ctx: Context,
  db: Db,
  tenant: Tenant & { readonly intentId: string },
  signature: string,
  { matching, closings }: MadePayments,
): Promise<Reply> {
  const recorded = await recordForIntent(db, tenant, matching, ctx.checkoutUrl);
  for (const closing of closings) {
    const decision = await recordClosingForIntent(db, tenant, closing, ctx.checkoutUrl);
    if (decision !== null) recorded.push(decision);
  }
  const outcome = outcomeOf(recorded);
  const deciding = recorded.find((decision) => decision.outcome === outcome);
  if (!deciding?.payment)
    throw new Error(`The payments of ${signature} matched ${tenant.intentId} and none was recorded.`);
  const after = await findConfirmation(db, tenant, tenant.intentId, { address: deciding.payment.id });
  if (after === null) throw new Error(`The payment ${deciding.payment.id} was recorded and is gone.`);
  failpoint("confirm.before_commit");
  return showConfirmation(ctx, outcome, after);
}

function showConfirmation(ctx: Context, outcome: Outcome, { intent, primary, payment, now }: Confirmation): Reply {
  const embedded = primary === null ? null : showPaymentText(primary, now, ctx.checkoutUrl);
  const shown = showForKeys(showIntentText(intent, embedded, now, ctx.checkoutUrl), intent, ctx.addresses);
  const deciding = showPaymentText(payment, now, ctx.checkoutUrl);
  const text = `{"object":"confirmation","outcome":"${outcome}","intent":${shown},"payment":${deciding}}` as JsonText;
  return { ...ok(text), isPrivate: intent.sealedEmail !== null };
}
