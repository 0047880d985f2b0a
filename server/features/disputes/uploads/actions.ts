import type { Tenant } from "../../../domain/callers.ts";
import { newFileId } from "../../../domain/ids.ts";
import { newStaffSecret } from "../../../domain/staffSecrets.ts";
import type { Database, Db } from "../../../store/database.ts";
import { actIn, refuse, requireActable } from "../actions.ts";
import { FILES_MAX, type Side } from "../dispute.ts";
import { draftFile, type KeptBytes, type NewFile, sha256Of, UPLOAD_MS, type Upload } from "../files/file.ts";
import { listSlots, saveParts, saveUpload, takeUpload } from "../files/queries.ts";
import type { Author } from "../statement.ts";

/** An upload that began in time may still be under way for so long: nobody takes its place before. */
const LAST_SECONDS_MS = 60_000;

/** Who announces a file; its session, unless it is a key. The upload ends with them. */
interface Announcer extends Author {
  readonly side: Side;
  readonly sessionId: string | null;
}

/** A file that a side is about to send. */
export interface AnnouncedFile {
  readonly name: string;
  readonly size: number;
  /** Of the bytes that will be sent, in hex. */
  readonly sha256: string;
}

/**
 * Announces a file: returns the token of its upload, or null if there is no such dispute. Throws `dispute_changed` where the
 * side may not send one now, or has announced as many as it may have.
 */
export async function announceFile(
  db: Db,
  tenant: Tenant,
  disputeId: string,
  from: Announcer,
  { name, size, sha256 }: AnnouncedFile,
): Promise<{ readonly token: string; readonly expiresAt: Date } | null> {
  const found = await requireActable(db, tenant, disputeId, { kind: "file", side: from.side });
  if (found === null) return null;
  const token = newStaffSecret();
  const expiresAt = new Date(found.now.getTime() + UPLOAD_MS);
  const upload = {
    ...{ businessId: tenant.businessId, environment: tenant.environment, disputeId, ...from },
    ...{ slot: 1, tokenHash: tokenHashOf(token), name, size, sha256: Buffer.from(sha256, "hex"), expiresAt },
  };
  const endedAt = new Date(found.now.getTime() - LAST_SECONDS_MS);
  const taken = await listSlots(db, upload, endedAt);
  const slot = Array.from({ length: FILES_MAX }, (_, index) => index + 1).find((one) => !taken.includes(one));
  if (slot === undefined) throw refuse("limit_reached");
  await saveUpload(db, { ...upload, slot }, endedAt);
  return { token, expiresAt };
}

export const tokenHashOf = (token: string): Buffer => sha256Of(Buffer.from(token, "utf8"));

/**
 * Keeps a file that was sent as announced, and uses up its token. Returns null if another request did. The bytes are
 * written before the dispute is locked.
 */
export function keepFile(database: Database, upload: Upload, kept: KeptBytes): Promise<NewFile | null> {
  return database.transaction(async (db) => {
    if (!(await takeUpload(db, upload))) return null;
    const id = newFileId(upload, new Date());
    await saveParts(db, upload, id, kept.bytes);
    let file: NewFile | null = null;
    await actIn(db, upload, upload.disputeId, (_, now) => ({
      happening: { kind: "file", side: upload.side },
      adds: (after) => {
        file = draftFile(after, upload, { id, ...kept }, now);
        return { file };
      },
    }));
    return file;
  });
}
