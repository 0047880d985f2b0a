import { crc32, deflateSync } from "node:zlib";

/** A place that no kept picture may hold. */
export const PLACE = "GPS 48.858370, 2.294481";

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A grey PNG; its header is what it says, also where its data is not so large. */
export function aPng(width = 3, height = 2): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const rows = Buffer.alloc(Math.min(height, 100) * (Math.min(width, 100) + 1), 0x80);
  for (let row = 0; row < Math.min(height, 100); row++) rows[row * (Math.min(width, 100) + 1)] = 0;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

export function jpegSegment(marker: number, data: Buffer): Buffer {
  const frame = Buffer.from([0xff, marker, 0, 0]);
  frame.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([frame, data]);
}

/** A JPEG as far as its structure goes: tables, a frame and a scan with a restart and an escaped byte. */
export function aJpeg(width = 8, height = 8): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.alloc(65, 1)),
    jpegSegment(0xc0, frame),
    jpegSegment(0xc4, Buffer.alloc(20, 0)),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xd9]),
  ]);
}

export function webpChunk(type: string, data: Buffer): Buffer {
  const frame = Buffer.alloc(8);
  frame.write(type, "latin1");
  frame.writeUInt32LE(data.length, 4);
  return Buffer.concat([frame, data, Buffer.alloc(data.length % 2)]);
}

/** An extended WebP with these chunks around its picture. */
export function aWebp(around: readonly Buffer[] = [], flags = 0, side = 4): Buffer {
  const extended = Buffer.alloc(10);
  extended[0] = flags;
  extended.writeUIntLE(side - 1, 4, 3);
  extended.writeUIntLE(side - 1, 7, 3);
  const picture = Buffer.from([0x2f, 3, 0xc0, 0, 0, 0x88, 0x88, 8]);
  const body = Buffer.concat([webpChunk("VP8X", extended), ...around, webpChunk("VP8L", picture), ...around]);
  const header = Buffer.from("RIFF____WEBP", "latin1");
  header.writeUInt32LE(4 + body.length, 4);
  return Buffer.concat([header, body]);
}
