import type { BuiltAction } from "../../../chain/acts.ts";
import type { Tenant } from "../../../domain/callers.ts";
import { invalid } from "../../../domain/errors.ts";
import { buildAct, submitAct } from "../../../edge/acts/steps.ts";
import type { Db } from "../../../store/database.ts";
import type { Context } from "../../context.ts";
import { lockIntent } from "../../intents/fragments.ts";
import { refuse } from "../actions.ts";
import { agreementOf, type Dispute } from "../dispute.ts";
import { findDispute, findIntentOf } from "../queries.ts";
import { isAwaited } from "../question.ts";
import { DECISIONS_MAX, draftDecision, type FrozenDecision, hashOf, type Verdict } from "./decision.ts";
import { findDecidedPayment, findDecision, findSignedOffer, insertDecision, listHashes } from "./queries.ts";
import { isSignedByBoth } from "./signatures.ts";

/** A frozen decision that can be signed, with its dispute. */
export interface OpenDecision {
  readonly decision: FrozenDecision;
  readonly dispute: Dispute;
}

/** A total with reasons; null: as both sides agreed. */
export type WantedDecision = { readonly total: string; readonly reasons: string } | null;

/**
 * Freezes the record of a decision under the lock of the dispute, before anything is signed (§17.1). `check`: the right of the
 * arbiter, in the same transaction.
 */
export async function freezeDecision(
  ctx: Context,
  tenant: Tenant,
  id: string,
  { userId, wanted, early, check }: FreezeOptions,
): Promise<OpenDecision> {
  const { database } = ctx;
  const checked = wanted === null ? await findCheckedAgreement(ctx, tenant, id) : null;
  const intentId = await findIntentOf(database, tenant, id);
  if (intentId === null) throw new Error(`The dispute ${id} is gone.`);
  return database.transaction(async (db) => {
    // First the holder, then the intent, as a question of the arbiter locks them.
    await check(db);
    const locked = await lockIntent(db, tenant, intentId);
    const dispute = await findDispute(db, tenant, id);
    const found = dispute === null ? null : await findDecidedPayment(db, dispute);
    if (locked === null || dispute === null || found === null) throw new Error(`The dispute ${id} is gone.`);
    const verdict = requireVerdict(dispute, wanted, checked);
    if (isAwaited(dispute, locked.now) && !early) throw refuse("question_open");
    const number = found.count + 1;
    if (number > DECISIONS_MAX) throw refuse("limit_reached");
    const hashes = await listHashes(db, tenant, id);
    const options = { userId, number, now: locked.now, early };
    const decision = draftDecision(dispute, { ...found, ...hashes }, verdict, options);
    await insertDecision(db, decision);
    return { decision, dispute };
  });
}

interface FreezeOptions {
  readonly userId: string;
  readonly wanted: WantedDecision;
  /** The arbiter's word that both sides need not have answered an open question. */
  readonly early: boolean;
  readonly check: (db: Db) => Promise<unknown>;
}

/** The agreement of a dispute, if both signatures still hold: a memo on chain is read before the transaction. */
async function findCheckedAgreement({ database, chainOf }: Context, tenant: Tenant, id: string) {
  const dispute = await findDispute(database, tenant, id);
  const agreement = dispute === null ? null : agreementOf(dispute);
  const found = dispute === null ? null : await findDecidedPayment(database, dispute);
  if (dispute === null || agreement === null || found === null) return null;
  const { offerId, total } = agreement;
  const offer = await findSignedOffer(database, tenant, id, offerId);
  const place = { ...found, payment: dispute.payment, total };
  const isSigned = offer !== null && (await isSignedByBoth(chainOf(tenant.environment), offer, place));
  return isSigned ? offerId : null;
}

/** The order of the checks is the order of the refusals. */
function requireVerdict(dispute: Dispute, wanted: WantedDecision, checked: string | null): Verdict {
  const { status, refundTotal, amount } = dispute;
  if (status !== "deciding" && status !== "agreed") throw refuse(status);
  if (wanted === null) {
    const agreement = agreementOf(dispute);
    // An agreement that failed binds nobody any more.
    if (status !== "agreed" || agreement === null || agreement.offerId !== checked) throw refuse("agreement_failed");
    return { total: agreement.total, reasons: null, offerId: agreement.offerId };
  }
  // Both sides have bound themselves to a total: no other one is ruled while that holds.
  if (status === "agreed") throw refuse("agreed");
  if (BigInt(wanted.total) < BigInt(refundTotal)) throw refuse("refund_exceeds");
  if (BigInt(wanted.total) > BigInt(amount)) throw invalid("total", "Expected at most the payment's amount.");
  return wanted;
}

/**
 * A frozen decision that can still be signed: the dispute stands as it did, and so does the agreement that it carries out. Null
 * for one that another arbiter froze: it has their statement to have no interest, and none of this one.
 */
export async function requireOpenDecision(
  { database }: Context,
  tenant: Tenant,
  disputeId: string,
  { id, userId }: Pick<FrozenDecision, "id" | "userId">,
): Promise<OpenDecision | null> {
  const [dispute, decision] = await Promise.all([
    findDispute(database, tenant, disputeId),
    findDecision(database, tenant, disputeId, id),
  ]);
  if (dispute === null || decision === null || decision.userId !== userId) return null;
  const { status } = dispute;
  if (status !== "deciding" && status !== "agreed") throw refuse(status);
  const agreed = status === "agreed" ? (agreementOf(dispute)?.offerId ?? null) : null;
  // A question that was asked after the decision was frozen.
  if (isAwaited(dispute, decision.createdAt) && !decision.early) throw refuse("question_open");
  if (decision.offerId !== agreed) throw refuse(agreed === null ? "agreement_failed" : "agreed");
  return { decision, dispute };
}

/** Builds the ruling with the memo of a frozen record, by the chain as it is now. */
export async function buildDecision(
  { database, chainOf }: Context,
  tenant: Tenant,
  { dispute, decision }: OpenDecision,
): Promise<BuiltAction> {
  const found = await findDecidedPayment(database, dispute);
  const command = {
    action: "resolve",
    payment: dispute.payment,
    account: decision.arbiter,
    total: BigInt(decision.total),
    memo: hashOf(decision),
    now: found?.now ?? decision.createdAt,
    minSlot: found?.observedSlot ?? 0,
  } as const;
  return buildAct(chainOf(tenant.environment).builder, command, "arbiter");
}

/** Sends the ruling that the arbiter's wallet signed, if it is exactly the one that was built. Returns its signature. */
export async function submitDecision(
  { chainOf }: Context,
  { environment }: Tenant,
  { dispute, decision }: OpenDecision,
  transaction: string,
): Promise<string> {
  const alone = { signer: decision.arbiter, total: decision.total, memo: hashOf(decision) };
  const wanted = { payment: dispute.payment, kind: "resolve", alone } as const;
  return (await submitAct(chainOf(environment).actionSender, transaction, wanted, "arbiter")).signature;
}
