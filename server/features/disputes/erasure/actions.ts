import type { Actor, Tenant } from "../../../domain/callers.ts";
import { replaceAnswers } from "../../../edge/http/idempotency.ts";
import type { Database, Db } from "../../../store/database.ts";
import { recordAudit } from "../../audit/fragments.ts";
import { lockIntent } from "../../intents/fragments.ts";
import { readWithTexts } from "../actions.ts";
import type { Dispute } from "../dispute.ts";
import { findDispute } from "../queries.ts";
import type { WantedErasure } from "./erasure.ts";
import { deleteNotes, eraseFile, eraseRecord, eraseStatement, eraseTexts, insertErasure } from "./queries.ts";

/** `open`: the dispute has not ended, and its texts are the evidence. `gone`: there is nothing of it to erase. */
export type ErasureAnswer = "erased" | "open" | "gone";

/** Erases a part of a dispute, and all notes on it, under the lock of its intent, and lists it. */
export async function erase(
  db: Db,
  tenant: Tenant,
  { id, intentId }: Pick<Dispute, "id" | "intentId">,
  wanted: WantedErasure,
): Promise<ErasureAnswer> {
  const locked = await lockIntent(db, tenant, intentId);
  const dispute = await findDispute(db, tenant, id);
  if (locked === null || dispute === null) return "gone";
  const hasEnded = dispute.status === "decided" || dispute.status === "closed";
  if (wanted.part === "dispute" && !hasEnded) return "open";
  if (!(await erasePart(db, dispute, wanted, locked.now))) return "gone";
  await deleteNotes(db, dispute);
  const { businessId } = tenant;
  await insertErasure(db, { businessId, disputeId: id, ...wanted, erasedAt: locked.now });
  return "erased";
}

async function erasePart(db: Db, dispute: Dispute, { part, target }: WantedErasure, at: Date): Promise<boolean> {
  switch (part) {
    case "dispute":
      if (dispute.erasedAt !== null) return false;
      await eraseTexts(db, dispute, at);
      return true;
    case "statement":
      return eraseStatement(db, dispute, Number(target), at);
    case "file":
      return eraseFile(db, dispute, target!, at);
    case "reasons":
      return eraseRecord(db, dispute, at);
  }
}

/**
 * Erases on request, in one transaction with its entry of the audit log. Answers that are stored for the merchant API show
 * the dispute as it is then: their keys stay used, so no request is carried out twice.
 */
export const eraseOnRequest = (
  database: Database,
  actor: Actor,
  found: Dispute,
  wanted: WantedErasure,
  apiUrl: string,
): Promise<ErasureAnswer> =>
  database.transaction(async (db) => {
    const answer = await erase(db, found, found, wanted);
    if (answer !== "erased") return answer;
    const { businessId, environment, id } = found;
    const { part, target, note } = wanted;
    const entry = { businessId, environment, action: "dispute.erased", target: id } as const;
    await db.rows(recordAudit(actor, { ...entry, details: { part, target, note } }));
    const dispute = await findDispute(db, found, id);
    const body = await readWithTexts(db, dispute!, new Date(), apiUrl);
    await replaceAnswers(db, found, `{"object":"dispute","id":"${id}"`, body);
    return answer;
  });
