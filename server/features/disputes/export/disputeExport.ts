import { createHash } from "node:crypto";
import type { DeskDispute } from "../desk/queries.ts";
import { rulingOf } from "../dispute.ts";
import { sha256Of } from "../files/file.ts";
import type { DisputeParts, ExportedDecision, ExportedFile, ExportedStatement } from "./queries.ts";

/** §17.7: a dispute as an outside body reads it. Pure. */

/** The result of comparing a text or bytes with their hash. An erased one has nothing left to compare. */
export type HashCheck = "matches" | "differs" | "erased";

/** A file of the dispute with its bytes; null if it is erased. */
export interface ReadFile {
  readonly file: ExportedFile;
  readonly bytes: Buffer | null;
}

const hex = (bytes: Buffer | null): string | null => bytes?.toString("hex") ?? null;
const compare = (isSame: boolean): HashCheck => (isSame ? "matches" : "differs");

function checkStatement({ salt, text, sha256 }: ExportedStatement): HashCheck {
  if (salt === null || text === null) return "erased";
  return compare(sha256Of(salt, Buffer.from(text, "utf8")).equals(sha256));
}

function checkFile({ file: { salt, sha256, saltedSha256 }, bytes }: ReadFile): HashCheck {
  if (bytes === null || salt === null || sha256 === null) return "erased";
  const found = sha256Of(bytes);
  return compare(found.equals(sha256) && sha256Of(salt, found).equals(saltedSha256));
}

/** The hashes that a record names; null without a record. */
function namedBy(decision: ExportedDecision | null) {
  if (decision?.record == null) return null;
  const { statements, files } = JSON.parse(decision.record) as { statements: string[]; files: string[] };
  return { statements: new Set(statements), files: new Set(files) };
}

const ENDINGS = { "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "application/pdf": "pdf" } as const;
/** The path of a file in the folder: its own name may be anything. */
export const pathOfFile = ({ id, type }: Pick<ExportedFile, "id" | "type">): string =>
  `files/${id}.${type === "text/plain" ? "txt" : ENDINGS[type]}`;

/** The dispute with all texts, dates, signatures, hashes and salts, and each hash compared. */
export function draftExport(
  { dispute, business, intentDescription, facts, chain, genesisHash, asset, decimals }: DeskDispute,
  parts: DisputeParts,
  files: readonly ReadFile[],
  exportedAt: Date,
) {
  const named = namedBy(parts.decision);
  const { record, sha256, ...decision } = parts.decision ?? { record: null, sha256: null };
  const { offers: _, ruling: __, ...row } = dispute;
  return {
    object: "dispute_export",
    v: 1,
    exportedAt,
    business,
    dispute: row,
    intentDescription,
    payment: { address: dispute.payment, ...facts, asset, decimals },
    chain: { ...chain, genesisHash },
    statements: parts.statements.map((one) => ({
      ...one,
      salt: hex(one.salt),
      sha256: hex(one.sha256),
      check: checkStatement(one),
      isNamedByRecord: named?.statements.has(one.sha256.toString("hex")) ?? null,
    })),
    questions: parts.questions,
    offers: parts.offers,
    files: files.map((one) => ({
      ...one.file,
      path: one.bytes === null ? null : pathOfFile(one.file),
      sha256: hex(one.file.sha256),
      salt: hex(one.file.salt),
      saltedSha256: hex(one.file.saltedSha256),
      check: checkFile(one),
      isNamedByRecord: named?.files.has(one.file.saltedSha256.toString("hex")) ?? null,
    })),
    ruling: rulingOf(dispute),
    decision: parts.decision && {
      ...decision,
      sha256: hex(sha256),
      check: checkRecord(record, sha256),
    },
  };
}

function checkRecord(record: string | null, sha256: Buffer | null): HashCheck {
  if (record === null || sha256 === null) return "erased";
  return compare(createHash("sha256").update(record, "utf8").digest().equals(sha256));
}

export type DisputeExport = ReturnType<typeof draftExport>;

/** The number of hashes that differ. */
export const countDifferences = ({ statements, files, decision }: DisputeExport): number =>
  [...statements, ...files, ...(decision === null ? [] : [decision])].filter(({ check }) => check === "differs").length;

/** How to read and check the folder, for a person who has never seen one. */
export const README = `A dispute about a payment in escrow on Solana

dispute.json     the parties, dates, statements, offers and questions, the payment as the chain showed it, and the ruling
files/        the files of both sides, each under its id; their names are in dispute.json
record.json   the record of the arbiter's decision with its reasons, if there is one, byte for byte
receipt.json  the payment's receipt, signed by the deployment, if it could be made

Amounts are in the smallest unit of the token: divide by ten to the power of "decimals".

To check a statement: SHA-256 of its salt (16 bytes, from hex) and its text in UTF-8 is its "sha256".
To check a file: SHA-256 of its bytes is its "sha256"; SHA-256 of its salt and that hash (32 bytes) is its "saltedSha256".
record.json names these hashes in "statements" and "files": the arbiter decided on exactly these.
To check the decision: SHA-256 of record.json is "sha256" of the ruling, and the memo of the ruling's transaction, which any
node of the chain shows. "check" in dispute.json says what came of these comparisons when the folder was written: "matches",
"differs", or "erased" where texts and salts were erased and only the hash is left.
To check receipt.json: npm run receipt -- verify receipt.json, in a copy of Holdfast.
`;
