import type { Tenant } from "../../../domain/callers.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { insertion, selected } from "../../../store/table.ts";
import { isKeyActive } from "../../keys/fragments.ts";
import { hasSession } from "../../staff/fragments.ts";
import { FILES_MAX } from "../dispute.ts";
import { PART_BYTES, SHOWN_FILE, type ShownFile, UPLOADS, type Upload } from "./file.ts";

/** Whether the session or the key that announced a file has not ended. */
const isAuthorActive = sql`
      case u.author_kind
        when 'wallet' then exists (select from dispute_sessions s
          where s.business_id = u.business_id and s.id = u.session_id and s.ended_at is null)
        when 'user' then ${hasSession(sql`u.business_id`, sql`u.author`, sql`u.session_id`)}
        else ${isKeyActive(sql`u.business_id`, sql`u.author`)} end`;

/** The places of a side that announced files have taken, without those whose time was over at `endedAt` or whose author ended. */
export async function listSlots(db: Db, { businessId, disputeId, side }: Upload, endedAt: Date): Promise<number[]> {
  const rows = await db.rows<{ slot: number }>(sql`
    select slot from dispute_uploads u
    where u.business_id = ${businessId} and u.dispute_id = ${disputeId} and u.side = ${side} and u.expires_at > ${endedAt}
      and ${isAuthorActive}
    limit ${FILES_MAX}::integer`);
  return rows.map(({ slot }) => slot);
}

const insertUploads = insertion(UPLOADS);
/** Keeps an announced file, in the place of one that ended if there is one. */
export const saveUpload = (db: Db, upload: Upload, endedAt: Date): Promise<unknown> =>
  db.rows(sql`
    with ended as (
      delete from dispute_uploads where business_id = ${upload.businessId} and dispute_id = ${upload.disputeId}
        and side = ${upload.side} and slot <> ${upload.slot}::smallint and expires_at <= ${endedAt})
    ${insertUploads([upload])}
    on conflict (business_id, dispute_id, side, slot) do update set token_hash = excluded.token_hash,
      environment = excluded.environment, author = excluded.author, author_kind = excluded.author_kind,
      session_id = excluded.session_id, name = excluded.name, size = excluded.size, sha256 = excluded.sha256, expires_at = excluded.expires_at`);

/**
 * The announced file of a token, which establishes the business; null for an unknown token, one whose time is over, or one
 * whose session or key has ended.
 */
export const findUploadByToken = (db: Db, tokenHash: Buffer): Promise<Upload | null> =>
  db.row<Upload>(sql`
    select ${selected(UPLOADS.columns, "u")} from dispute_uploads u join clocks k on k.environment = u.environment
    where u.token_hash = ${tokenHash} and u.expires_at > now() + k.ahead
      and ${isAuthorActive}`);

/** Uses up a token: false if another request did. */
export async function takeUpload(db: Db, { businessId, tokenHash }: Upload): Promise<boolean> {
  const row = await db.row(sql`
    delete from dispute_uploads where business_id = ${businessId} and token_hash = ${tokenHash} returning slot`);
  return row !== null;
}

/** Stores the bytes of a file part by part. */
export async function saveParts(
  db: Db,
  { businessId, disputeId }: Upload,
  fileId: string,
  bytes: Buffer,
): Promise<void> {
  for (let at = 0, number = 1; at < bytes.length; at += PART_BYTES, number++)
    await db.rows(sql`
      insert into dispute_file_parts (business_id, dispute_id, file_id, number, bytes)
      values (${businessId}, ${disputeId}, ${fileId}, ${number}::smallint, ${bytes.subarray(at, at + PART_BYTES)}::bytea)`);
}

/** A file of a dispute of this tenant. */
export const findFile = (db: Db, { businessId, environment }: Tenant, disputeId: string, id: string) =>
  db.row<ShownFile>(sql`
    select ${selected(SHOWN_FILE, "f")} from dispute_files f
      join disputes d on d.business_id = f.business_id and d.id = f.dispute_id
    where f.business_id = ${businessId} and f.dispute_id = ${disputeId} and f.id = ${id}
      and d.environment = ${environment}`);

/** One part of a file's bytes; null behind the last. */
export async function findPart(db: Db, { businessId }: Tenant, disputeId: string, fileId: string, number: number) {
  const row = await db.row<{ bytes: Buffer }>(sql`
    select bytes from dispute_file_parts
    where business_id = ${businessId} and dispute_id = ${disputeId} and file_id = ${fileId}
      and number = ${number}::smallint`);
  return row?.bytes ?? null;
}
