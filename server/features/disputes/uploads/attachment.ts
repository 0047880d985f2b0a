import type { Tenant } from "../../../domain/callers.ts";
import type { JsonText } from "../../../domain/show.ts";
import type { Reply } from "../../../edge/http/route.ts";
import type { Db } from "../../../store/database.ts";
import { DISPUTE_ID } from "../dispute.ts";
import { FILE_ID, PART_BYTES, type ShownFile } from "../files/file.ts";
import { findFile, findPart } from "../files/queries.ts";

/**
 * The answer with a file of a dispute; null if the tenant has no such file, or it is erased. It is an attachment, which nothing in it can leave:
 * the browser gives it no origin, runs nothing of it, and does not guess its type.
 */
export async function attachFile(db: Db, tenant: Tenant, disputeId: string, id: string): Promise<Reply | null> {
  const file = DISPUTE_ID.test(disputeId) && FILE_ID.test(id) ? await findFile(db, tenant, disputeId, id) : null;
  if (file === null || file.name === null) return null;
  return {
    status: 200,
    body: "" as JsonText,
    headers: {
      "content-type": file.type === "text/plain" ? "text/plain; charset=utf-8" : file.type,
      "content-length": String(file.size),
      "content-disposition": dispositionOf(file.id, file.name),
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    },
    rest: readParts(db, tenant, disputeId, file),
  };
}

/** Reads part after part as the client takes them, so that one part is in memory. */
async function* readParts(db: Db, tenant: Tenant, disputeId: string, { id, size }: ShownFile) {
  for (let number = 1; (number - 1) * PART_BYTES < size; number++) {
    const bytes = await findPart(db, tenant, disputeId, id, number);
    if (bytes === null) throw new Error(`Part ${number} of the file ${id} is missing.`);
    yield bytes;
  }
}

/** The id is the name for clients that do not read the other, and says the type by its ending. */
const dispositionOf = (id: string, name: string): string => {
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${id}${name.slice(name.lastIndexOf(".")).toLowerCase()}"; filename*=UTF-8''${encoded}`;
};
