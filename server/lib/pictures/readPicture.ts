import { cleanJpeg } from "./jpeg.ts";
import type { CleanPicture } from "./picture.ts";
import { cleanPng } from "./png.ts";
import { cleanWebp } from "./webp.ts";

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, "latin1"));

const KINDS = [
  { type: "image/png", isOne: (bytes: Buffer) => startsWith(bytes, "\x89PNG\r\n\x1a\n"), clean: cleanPng },
  { type: "image/jpeg", isOne: (bytes: Buffer) => startsWith(bytes, "\xff\xd8\xff"), clean: cleanJpeg },
  {
    type: "image/webp",
    isOne: (bytes: Buffer) => startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8),
    clean: cleanWebp,
  },
] as const;

export interface Picture extends CleanPicture {
  readonly type: (typeof KINDS)[number]["type"];
}

/**
 * The picture as it is kept, with the type of its content: without metadata, and without bytes behind its end. Nothing is
 * decoded. Null: it is no PNG, JPEG or WebP.
 */
export function readPicture(bytes: Buffer): Picture | "broken" | null {
  const kind = KINDS.find(({ isOne }) => isOne(bytes));
  if (kind === undefined) return null;
  const clean = kind.clean(bytes);
  return clean === null ? "broken" : { type: kind.type, ...clean };
}
