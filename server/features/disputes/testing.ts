import { newDisputeId, newSessionId } from "../../domain/ids.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Database } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { draftEvent } from "../events/event.ts";
import { insertIntent, insertPayment } from "../staff/testing/objects.ts";
import { type Act, actIn, makeOffer } from "./actions.ts";
import { advance, draftDispute } from "./advance.ts";
import { draftDecision, hashOf } from "./decision/decision.ts";
import { insertDecision } from "./decision/queries.ts";
import { type Dispute, draftDisputeEvent } from "./dispute.ts";
import { sha256Of } from "./files/file.ts";
import { findUploadByToken } from "./files/queries.ts";
import { saveChange } from "./queries.ts";
import { draftRuling, type Ruling, type RulingMemoKind } from "./ruling.ts";
import { announceFile, keepFile, tokenHashOf } from "./uploads/actions.ts";

interface Opened {
  readonly businessId: string;
  readonly environment: Environment;
}

/** A disputed payment with its dispute, opened so many ms ago, as recording makes it. */
export async function insertDispute(database: Database, tenant: Opened, agoMs = 1_000): Promise<Dispute> {
  const { intent } = await insertIntent(database, tenant);
  const address = await insertPayment(database, intent);
  const now = new Date();
  const openedAt = new Date(Math.floor((now.getTime() - agoMs) / 1_000) * 1_000);
  await database.rows(sql`
    update payments set status = 'disputed', disputed_at = ${openedAt} where business_id = ${tenant.businessId} and address = ${address}`);
  const { merchantReference, amount } = intent;
  const dispute = draftDispute(
    { ...tenant, payment: address, intentId: intent.id, merchantReference, amount },
    { id: newDisputeId(tenant, now), openedAt, refundTotal: "0" },
    openedAt,
  );
  const event = draftDisputeEvent(null, dispute, now, now);
  await saveChange(database, tenant, { before: null, after: dispute }, draftEvent(tenant, event, now));
  return dispute;
}

/** An act in a dispute, as a route makes it. */
export async function actNow(
  database: Database,
  dispute: Dispute,
  draft: (dispute: Dispute, now: Date) => Act,
): Promise<Dispute> {
  const acted = await database.transaction((db) => actIn(db, dispute, dispute.id, draft));
  if (acted === null) throw new Error("There is no such dispute or offer.");
  return acted.dispute;
}

/** A text that the buyer sent. Returns the file's id. */
export async function insertFile(database: Database, dispute: Dispute, bytes = Buffer.from("An empty parcel.")) {
  const sessionId = newSessionId(new Date());
  await database.rows(sql`
    insert into dispute_sessions (business_id, id, payment_address, token_hash, wallet, way, created_at, expires_at, user_agent)
    values (${dispute.businessId}, ${sessionId}, ${dispute.payment}, ${sha256Of(Buffer.from(sessionId))}, 'wallet-of-buyer',
      'message', now(), now() + interval '1 day', '')`);
  const by = { side: "buyer", author: "wallet-of-buyer", authorKind: "wallet", sessionId } as const;
  const wanted = { name: "parcel.txt", size: bytes.length, sha256: sha256Of(bytes).toString("hex") };
  const announced = await database.transaction((db) => announceFile(db, dispute, dispute.id, by, wanted));
  const upload = await findUploadByToken(database, tokenHashOf(announced!.token));
  const file = await keepFile(database, upload!, { type: "text/plain", bytes });
  return file!.id;
}

interface Ruled {
  readonly total: string;
  readonly memo: RulingMemoKind;
  /** The texts of the record; null: as both sides agreed. */
  readonly reasons: string | null;
}

/** The ruling of a dispute as its transaction and the payment's account show it. */
export async function ruleNow(database: Database, before: Dispute, { total, memo, reasons }: Ruled): Promise<Ruling> {
  const now = new Date();
  const arbiter = "3FQJcFhM3cWFK1gV2bQqTqkAkYhSTJ5vTn3v4bWv8MbR";
  const place = { genesisHash: "genesis", operator: "operator", arbiter, statements: [], files: [] };
  const verdict = reasons === null ? { total, reasons, offerId: before.agreement!.offerId } : { total, reasons };
  const frozen = draftDecision(before, place, verdict, { userId: "usr_1", number: 1, now });
  if (memo === "record") await insertDecision(database, frozen);
  const isText = memo === "record" || memo === "unknown";
  const seen = isText ? ({ kind: "one", text: hashOf(frozen) } as const) : ({ kind: memo, text: null } as const);
  const landed = { payment: before.payment, arbiter, total, memo: seen };
  const transaction = { signature: `ruling-${before.id}`, slot: 7, ruledAt: now };
  const ruling = draftRuling(before, landed, memo === "record" ? frozen : null, transaction);
  let dispute = before;
  for (const happening of [
    { kind: "refund_bound", refundTotal: total },
    { kind: "ruled", ruling },
    { kind: "outcome_bound", outcome: "resolved", at: now },
  ] as const) {
    const advanced = advance(dispute, happening, now);
    if (!advanced.ok) throw new Error(`The dispute refused it: ${advanced.reason}.`);
    dispute = advanced.dispute;
  }
  await database.rows(sql`
    update payments set outcome = 'resolved', refund_total = ${total}
    where business_id = ${before.businessId} and address = ${before.payment}`);
  const after = { ...dispute, version: before.version + 1 };
  const event = draftDisputeEvent(before, after, now, now);
  await saveChange(database, before, { before, after }, draftEvent(before, event, now));
  return ruling;
}

/** The buyer's signed offer of this total. Returns the offer's id. */
export async function offerOfBuyer(database: Database, dispute: Dispute, total: string): Promise<string> {
  const by = { author: "wallet-of-buyer", authorKind: "wallet" } as const;
  const wanted = { total, text: "Let us end this.", until: null };
  const signed = { signedText: "Holdfast", signature: "signed" };
  const after = await actNow(database, dispute, makeOffer("buyer", by, wanted, signed));
  return after.offers.at(-1)!.id;
}
