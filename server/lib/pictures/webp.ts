import type { CleanPicture } from "./picture.ts";

const HEADER_BYTES = 12;
const FRAME_BYTES = 8;
const CHUNKS_MAX = 100;
/** The flag of transparency: the only one of an extended header that is kept. The others announce what is dropped. */
const ALPHA = 0x10;
const ANIMATION = 0x02;

/**
 * A WebP of one still picture with its transparency alone: without EXIF, XMP, colour profile, unknown chunks and bytes
 * behind its end. Null if it is broken or moves.
 */
export function cleanWebp(bytes: Buffer): CleanPicture | null {
  if (bytes.length < HEADER_BYTES) return null;
  const end = FRAME_BYTES + bytes.readUInt32LE(4);
  if (end > bytes.length) return null;
  const kept = new Map<string, Buffer>();
  let pixels = 0;
  let at = HEADER_BYTES;
  for (let count = 0; at + FRAME_BYTES <= end; count++) {
    const type = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + FRAME_BYTES, at + FRAME_BYTES + length);
    if (count >= CHUNKS_MAX || at + FRAME_BYTES + length > end) return null;
    const size = SIZES[type]?.(data);
    if (size !== undefined || type === "ALPH") {
      if (size === null || kept.has(type)) return null;
      pixels = Math.max(pixels, size ?? 0);
      kept.set(type, data);
    }
    at += FRAME_BYTES + length + (length % 2);
  }
  if (kept.has("VP8 ") === kept.has("VP8L") || pixels === 0) return null;
  return { bytes: write(kept), pixels };
}

/** The pixels that the header of each kind of picture data names; null if it is broken. */
const SIZES: Readonly<Record<string, (data: Buffer) => number | null>> = {
  VP8X: (data) =>
    data.length !== 10 || (data[0]! & ANIMATION) !== 0
      ? null
      : (data.readUIntLE(4, 3) + 1) * (data.readUIntLE(7, 3) + 1),
  "VP8 ": (data) =>
    data.length < 10 || data.readUIntBE(3, 3) !== 0x9d012a
      ? null
      : (data.readUInt16LE(6) & 0x3fff) * (data.readUInt16LE(8) & 0x3fff),
  VP8L: (data) => {
    if (data.length < 5 || data[0] !== 0x2f) return null;
    const bits = data.readUInt32LE(1);
    return ((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1);
  },
};

/** Writes the chunks in the order that the format asks for. */
function write(kept: ReadonlyMap<string, Buffer>): Buffer {
  const parts = ["VP8X", "ALPH", "VP8 ", "VP8L"].flatMap((type) => {
    const data = kept.get(type);
    // Transparency of its own chunk needs the extended header.
    if (data === undefined || (type === "ALPH" && !kept.has("VP8X"))) return [];
    const frame = Buffer.alloc(FRAME_BYTES);
    frame.write(type, "latin1");
    frame.writeUInt32LE(data.length, 4);
    const own = type === "VP8X" ? Buffer.from([data[0]! & ALPHA, 0, 0, 0, ...data.subarray(4)]) : data;
    return [frame, own, Buffer.alloc(data.length % 2)];
  });
  const body = Buffer.concat(parts);
  const header = Buffer.from("RIFF____WEBP", "latin1");
  header.writeUInt32LE(4 + body.length, 4);
  return Buffer.concat([header, body]);
}
