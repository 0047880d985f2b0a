import type { CleanPicture } from "./picture.ts";

/** Chunks without which a picture cannot be shown, and those that its colours need, with the most bytes of each. */
const KEPT: Readonly<Record<string, number>> = {
  IHDR: 13,
  PLTE: 768,
  IDAT: Number.POSITIVE_INFINITY,
  IEND: 0,
  tRNS: 256,
  gAMA: 4,
  cHRM: 32,
  sRGB: 1,
  sBIT: 4,
};
const SIGNATURE_BYTES = 8;
/** Length, type and checksum of a chunk. */
const FRAME_BYTES = 12;
const CHUNKS_MAX = 20_000;

/** A PNG without its other chunks, and without bytes behind its end; null if it is broken, or needs a chunk that is not known. */
export function cleanPng(bytes: Buffer): CleanPicture | null {
  const kept: Buffer[] = [bytes.subarray(0, SIGNATURE_BYTES)];
  let pixels: number | null = null;
  let hasData = false;
  let at = SIGNATURE_BYTES;
  for (let count = 0; count < CHUNKS_MAX && at + FRAME_BYTES <= bytes.length; count++) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const end = at + FRAME_BYTES + length;
    if (end > bytes.length || (type === "IHDR") !== (count === 0)) return null;
    const max = KEPT[type];
    const isKept = max !== undefined && length <= max;
    // A capital says that the picture needs the chunk.
    if (!isKept && /^[A-Z]/.test(type)) return null;
    if (type === "IHDR") {
      if (length !== KEPT.IHDR) return null;
      pixels = bytes.readUInt32BE(at + 8) * bytes.readUInt32BE(at + 12);
    }
    hasData ||= type === "IDAT" && length > 0;
    if (isKept) kept.push(bytes.subarray(at, end));
    if (type === "IEND") return pixels && hasData ? { bytes: Buffer.concat(kept), pixels } : null;
    at = end;
  }
  return null;
}
