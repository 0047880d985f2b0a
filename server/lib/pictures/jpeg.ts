import type { CleanPicture } from "./picture.ts";

/** Tables, frames of the usual kinds (baseline, extended, progressive), scans and restart intervals. */
const KEPT = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xda, 0xdb, 0xdd]);
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** Frames of other kinds, with which few programs can do anything. */
const OTHER_FRAMES = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xdc, 0xde, 0xdf]);
const [SCAN, END, JFIF, EXIF, ADOBE] = [0xda, 0xd9, 0xe0, 0xe1, 0xee] as const;
const SEGMENTS_MAX = 20_000;

/**
 * A JPEG without comments, without what applications add (EXIF, XMP, profiles, thumbnails, further pictures) and without
 * bytes behind its end. The two segments that colours need are written anew, and so is the direction in which it is shown.
 * Null if it is broken.
 */
export function cleanJpeg(bytes: Buffer): CleanPicture | null {
  const kept: Buffer[] = [];
  const head = { jfif: false, adobe: null as number | null, orientation: 1 };
  let pixels = 0;
  let hasScan = false;
  let at = 2;
  for (let count = 0; count < SEGMENTS_MAX; count++) {
    // Any number of bytes FF may fill the gap before a marker.
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++;
    if (bytes[at] !== 0xff || at + 2 > bytes.length) return null;
    const marker = bytes[at + 1]!;
    if (marker === END)
      return pixels > 0 && hasScan ? { bytes: Buffer.concat([...headOf(head), ...kept, MARKER_END]), pixels } : null;
    if (at + 4 > bytes.length) return null;
    const length = bytes.readUInt16BE(at + 2);
    const data = bytes.subarray(at + 4, at + 2 + length);
    if (length < 2 || at + 2 + length > bytes.length || OTHER_FRAMES.has(marker)) return null;
    if (FRAMES.has(marker)) {
      if (pixels > 0 || data.length < 6) return null;
      pixels = data.readUInt16BE(1) * data.readUInt16BE(3);
      if (pixels === 0) return null;
    }
    if (marker === JFIF) head.jfif ||= data.toString("latin1", 0, 5) === "JFIF\0";
    if (marker === ADOBE && data.length >= 12 && data.toString("latin1", 0, 5) === "Adobe") head.adobe = data[11]!;
    if (marker === EXIF) head.orientation = orientationOf(data) ?? head.orientation;
    let end = at + 2 + length;
    if (marker === SCAN) {
      hasScan = true;
      end = endOfScan(bytes, end);
    }
    if (KEPT.has(marker)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return null;
}

/** The next marker behind the data of a scan: there a byte FF is data before 00, and a restart before D0 to D7. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
    at = bytes.indexOf(0xff, at + 1);
  }
  return bytes.length;
}

const MARKER_END = Buffer.from([0xff, END]);

function headOf({ jfif, adobe, orientation }: { jfif: boolean; adobe: number | null; orientation: number }): Buffer[] {
  const parts: Buffer[] = [Buffer.from([0xff, 0xd8])];
  // Version 1.1, no unit, square pixels, no thumbnail.
  if (jfif) parts.push(segment(JFIF, Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1")));
  if (orientation !== 1) parts.push(segment(EXIF, exifOf(orientation)));
  if (adobe !== null) parts.push(segment(ADOBE, Buffer.from([...Buffer.from("Adobe\0d\0\0\0\0", "latin1"), adobe])));
  return parts;
}

function segment(marker: number, data: Buffer): Buffer {
  const frame = Buffer.from([0xff, marker, 0, 0]);
  frame.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([frame, data]);
}

const EXIF_START = "Exif\0\0";
const ORIENTATION_TAG = 0x0112;
const SHORT = 3;

/** The direction in EXIF's first list, 1 to 8; null if it names none. */
function orientationOf(data: Buffer): number | null {
  const tiff = data.subarray(EXIF_START.length);
  if (data.toString("latin1", 0, EXIF_START.length) !== EXIF_START || tiff.length < 8) return null;
  const order = tiff.toString("latin1", 0, 2);
  if (order !== "II" && order !== "MM") return null;
  const short = (at: number) => (order === "II" ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const list = order === "II" ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const count = list + 2 <= tiff.length ? short(list) : 0;
  for (let entry = 0; entry < count; entry++) {
    const at = list + 2 + entry * 12;
    if (at + 12 > tiff.length) return null;
    if (short(at) !== ORIENTATION_TAG || short(at + 2) !== SHORT) continue;
    const value = short(at + 8);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

/** EXIF with the direction alone: one list of one entry. */
const exifOf = (orientation: number): Buffer =>
  Buffer.from([
    ...Buffer.from(`${EXIF_START}MM\0*\0\0\0\x08\0\x01`, "latin1"),
    ...[ORIENTATION_TAG >> 8, ORIENTATION_TAG & 0xff, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0],
  ]);
