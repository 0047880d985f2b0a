import { createHash, randomBytes } from "node:crypto";
import { idPattern } from "../../../domain/ids.ts";
import { isReadable } from "../../../domain/names.ts";
import { showText, showTime } from "../../../domain/show.ts";
import {
  type FieldsOf,
  integer,
  nullable,
  other,
  pick,
  smallint,
  table,
  text,
  time,
  word,
} from "../../../lib/columns.ts";
import type { AuthorKind, Dispute, Side } from "../dispute.ts";

export const FILE_TYPES = ["image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain"] as const;
export type FileType = (typeof FILE_TYPES)[number];

export const FILE_ID = new RegExp(idPattern("df"));

export const FILE_BYTES_MAX = 5_000_000;
export const FILE_NAME_CHARACTERS_MAX = 100;
/** Bytes of a stored part of a file. */
export const PART_BYTES = 262_144;
/** An announced file may be sent for this long. */
export const UPLOAD_MS = 600_000;

/** A file of a dispute. It is never changed; name, hash and salt are null once it is erased (§17.6). */
export const FILES = table("dispute_files", {
  businessId: word(),
  disputeId: word(),
  id: word(),
  number: smallint(),
  side: word<Side>(),
  ofSide: smallint(),
  author: word(),
  authorKind: word<AuthorKind>(),
  name: nullable(text()),
  type: word<FileType>(),
  size: integer(),
  sha256: nullable(other<Buffer>("bytea")),
  salt: nullable(other<Buffer>("bytea")),
  saltedSha256: other<Buffer>("bytea"),
  createdAt: time(),
  erasedAt: nullable(time()),
});
export type DisputeFile = FieldsOf<typeof FILES.columns>;
/** A file that was just sent. */
export type NewFile = DisputeFile & { readonly name: string; readonly sha256: Buffer };

/** What both sides see of a file. */
export const SHOWN_FILE = pick(FILES.columns, "id", "side", "name", "type", "size", "sha256", "createdAt", "erasedAt");
export type ShownFile = FieldsOf<typeof SHOWN_FILE>;

/** A file that was announced and is not yet sent; its hash and size are those of the bytes to come. */
export const UPLOADS = table("dispute_uploads", {
  businessId: word(),
  disputeId: word(),
  environment: word<Dispute["environment"]>(),
  side: word<Side>(),
  slot: smallint(),
  tokenHash: other<Buffer>("bytea"),
  author: word(),
  authorKind: word<AuthorKind>(),
  name: text(),
  size: integer(),
  sha256: other<Buffer>("bytea"),
  expiresAt: time(),
  sessionId: nullable(word()),
});
export type Upload = FieldsOf<typeof UPLOADS.columns>;

/** Separators of paths, control characters, ends of lines, lone surrogates, and blanks that push the ending out of sight. */
const UNSAFE_IN_NAME = /[/\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|\p{Z}{3}/u;
const VISIBLE = /[\p{L}\p{N}]/u;

/** Returns true for a name that is no path and hides nothing. */
export const isFileName = (name: string): boolean =>
  [...name].length <= FILE_NAME_CHARACTERS_MAX && VISIBLE.test(name) && !UNSAFE_IN_NAME.test(name) && isReadable(name);

/** The endings of a name for each type, the usual one first. */
const ENDINGS: Readonly<Record<FileType, readonly string[]>> = {
  "image/png": [".png"],
  "image/jpeg": [".jpg", ".jpeg"],
  "image/webp": [".webp"],
  "application/pdf": [".pdf"],
  "text/plain": [".txt"],
};

/** The name with an ending of its type: a text named `.html` would run as a page once it is saved and opened. */
export function nameWithEnding(name: string, type: FileType): string {
  const endings = ENDINGS[type];
  if (endings.some((ending) => name.toLowerCase().endsWith(ending))) return name;
  return `${[...name].slice(0, FILE_NAME_CHARACTERS_MAX - endings[0]!.length).join("")}${endings[0]}`;
}

/** The bytes of a file as they are kept, with their type. */
export interface KeptBytes {
  readonly type: FileType;
  readonly bytes: Buffer;
}

export const sha256Of = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The file that was counted last of its side in this dispute. */
export function draftFile(
  dispute: Dispute,
  { side, author, authorKind, name }: Upload,
  { id, type, bytes }: KeptBytes & { readonly id: string },
  now: Date,
): NewFile {
  const [salt, sha256] = [randomBytes(16), sha256Of(bytes)];
  return {
    businessId: dispute.businessId,
    disputeId: dispute.id,
    id,
    number: dispute.buyerFiles + dispute.merchantFiles,
    side,
    ofSide: dispute[`${side}Files`],
    author,
    authorKind,
    name: nameWithEnding(name, type),
    type,
    size: bytes.length,
    sha256,
    salt,
    saltedSha256: sha256Of(salt, sha256),
    createdAt: now,
    erasedAt: null,
  };
}

/** A file in a dispute. `path` is what its address has before `/disputes`. */
export const showFile = (file: ShownFile, path: string, disputeId: string): string =>
  `{"id":"${file.id}","side":"${file.side}","name":${showText(file.name ?? "")},"type":"${file.type}","size":${file.size},"sha256":"${file.sha256?.toString("hex") ?? ""}","createdAt":${showTime(file.createdAt)},"erasedAt":${showTime(file.erasedAt)},"url":${JSON.stringify(`${path}/disputes/${disputeId}/files/${file.id}`)}}`;
