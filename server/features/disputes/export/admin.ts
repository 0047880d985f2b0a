import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SignedReceipt } from "@holdfast/receipt";
import type { Environment } from "../../../domain/terms.ts";
import { checked } from "../../../domain/values.ts";
import { type AdminAnswer, type AdminContext, AdminError, adminVerb, option } from "../../../edge/admin.ts";
import type { Database, Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { recordAudit } from "../../audit/fragments.ts";
import { PAYMENT, requireDisputeOf } from "../admin.ts";
import { findDeskDispute } from "../desk/queries.ts";
import type { Dispute } from "../dispute.ts";
import { PART_BYTES } from "../files/file.ts";
import { findPart } from "../files/queries.ts";
import { countDifferences, draftExport, pathOfFile, README, type ReadFile } from "./disputeExport.ts";
import { type ExportedFile, readParts } from "./queries.ts";

/** Makes the receipt of a payment with all that its key opens. */
export type IssueReceipt = (database: Database, environment: Environment, payment: string) => Promise<SignedReceipt>;

const NEW_FOLDER = checked({}, "the path of a new folder", (path) => path !== "");

/** §17.7: a dispute for an outside body. */
export const exportVerbs = (issueReceipt: IssueReceipt) => [
  adminVerb({
    words: "dispute export",
    takes: { payment: PAYMENT, to: option(NEW_FOLDER, "folder") },
    does: "Writes a dispute with the texts and files of both sides, the decision and the receipt into a new folder, for a court or another outside body.",
    more: `The folder has personal data of both sides. Only you can read it; give it to nobody who may not have it. Each export is in
the audit log of the business. Exits with 1 if a hash differs or the receipt could not be made, and says so.`,
    run: (call) => exportDispute(call, issueReceipt),
  }),
];

async function exportDispute(
  { database, actor, payment: address, to }: AdminContext & { readonly payment: string; readonly to: string },
  issueReceipt: IssueReceipt,
): Promise<AdminAnswer> {
  const found = await requireDisputeOf(database, address);
  const { businessId, environment, id, payment } = found;
  await makeFolder(to);
  const entry = { businessId, environment, action: "dispute.exported", target: id } as const;
  await database.rows(recordAudit(actor, entry));
  const written = await database.transaction((db) => writeDispute(db, found, to));
  const receipt = await issueReceipt(database, environment, payment).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  if (typeof receipt !== "string") await write(to, "receipt.json", `${JSON.stringify(receipt, null, 2)}\n`);
  const { differences } = written;
  const result = { object: "dispute_export", dispute: id, payment, folder: to, ...written };
  const lines = [
    `Wrote ${written.statements} statements and ${written.files} files of the dispute ${id} to ${to}.`,
    differences === 0
      ? "Every hash matches, or its texts are erased."
      : `${differences} hashes differ: see dispute.json.`,
    ...(typeof receipt === "string" ? [`The receipt could not be made: ${receipt}`] : []),
  ];
  return {
    result: { ...result, receipt: typeof receipt === "string" ? null : "receipt.json" },
    text: lines.join("\n"),
    failed: differences > 0 || typeof receipt === "string",
  };
}

/** A new folder of this user alone, so that nothing is written over. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new AdminError(error.code === "EEXIST" ? `${path} exists. Name a new folder.` : error.message);
  });
  await mkdir(join(path, "files"), { mode: 0o700 });
}

const write = (folder: string, name: string, content: string | Buffer): Promise<void> =>
  writeFile(join(folder, name), content, { mode: 0o600, flag: "wx" });

async function writeDispute(db: Db, dispute: Dispute, folder: string) {
  const [desk, parts] = [
    await findDeskDispute(db, { userId: "", policyHashOfP: sql`null` }, dispute.id),
    await readParts(db, dispute),
  ];
  if (desk === null) throw new Error(`The dispute ${dispute.id} is gone.`);
  const files: ReadFile[] = [];
  for (const file of parts.files) {
    const bytes = await readBytes(db, dispute, file);
    if (bytes !== null) await write(folder, pathOfFile(file), bytes);
    files.push({ file, bytes });
  }
  const made = draftExport(desk, parts, files, new Date());
  await write(folder, "dispute.json", `${JSON.stringify(made, null, 2)}\n`);
  await write(folder, "README.txt", README);
  const record = parts.decision?.record ?? null;
  if (record !== null) await write(folder, "record.json", record);
  const kept = files.filter(({ bytes }) => bytes !== null);
  return { statements: made.statements.length, files: kept.length, differences: countDifferences(made) };
}

async function readBytes(db: Db, dispute: Dispute, { id, size, erasedAt }: ExportedFile): Promise<Buffer | null> {
  if (erasedAt !== null) return null;
  const parts: Buffer[] = [];
  for (let number = 1; (number - 1) * PART_BYTES < size; number++) {
    const part = await findPart(db, dispute, dispute.id, id, number);
    if (part === null) throw new Error(`Part ${number} of the file ${id} is missing.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
