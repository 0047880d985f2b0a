import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import {
  aJpeg,
  aPng,
  aWebp,
  jpegSegment,
  PLACE,
  pngChunk,
  webpChunk,
} from "../../../../lib/pictures/testing/pictures.ts";
import { isFileName, nameWithEnding } from "../../files/file.ts";
import { readContent } from "./content.ts";

const keptOf = (bytes: Buffer) => {
  const content = readContent(bytes);
  assert.ok(typeof content !== "string", `refused: ${String(content)}`);
  assert.ok(!content.bytes.includes(PLACE), "the place is gone");
  return content;
};
const SCRIPT = "<script>alert(1)</script>";

test("§4.20.3 a JPEG keeps its picture and its direction, and loses the place, comments, profile and what stands behind its end", () => {
  const plain = aJpeg();
  const exif = (orientation: number) => {
    const list = Buffer.alloc(26);
    list.write("II*\0", "latin1");
    list.writeUInt32LE(8, 4);
    list.writeUInt16LE(1, 8);
    list.writeUInt16LE(0x0112, 10);
    list.writeUInt16LE(3, 12);
    list.writeUInt32LE(1, 14);
    list.writeUInt16LE(orientation, 18);
    return jpegSegment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), list, Buffer.from(PLACE)]));
  };
  const xmp = jpegSegment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${PLACE}`));
  const profile = jpegSegment(0xe2, Buffer.from(`ICC_PROFILE\0\x01\x01${PLACE}`));
  const hidden = [exif(1), xmp, profile, jpegSegment(0xfe, Buffer.from(PLACE)), jpegSegment(0xed, Buffer.from(PLACE))];
  const kept = keptOf(Buffer.concat([plain.subarray(0, 2), ...hidden, plain.subarray(2), Buffer.from(PLACE)]));
  assert.equal(kept.type, "image/jpeg");
  assert.deepEqual(kept.bytes, plain);
  const turned = keptOf(Buffer.concat([plain.subarray(0, 2), exif(6), plain.subarray(2)])).bytes;
  assert.equal(turned.length, plain.length + 36);
  assert.deepEqual(keptOf(turned).bytes, turned, "what is kept stays as it is");
});

test("§4.20.3 a JFIF thumbnail is dropped, and the colours of an Adobe JPEG stay", () => {
  const jfif = jpegSegment(
    0xe0,
    Buffer.concat([Buffer.from("JFIF\0\x01\x02\x01\0H\0H\x01\x01", "latin1"), Buffer.from(PLACE)]),
  );
  const adobe = jpegSegment(0xee, Buffer.concat([Buffer.from("Adobe\0d\0\0\0\0\x02", "latin1"), Buffer.from(PLACE)]));
  const plain = aJpeg();
  const { bytes } = keptOf(Buffer.concat([plain.subarray(0, 2), jfif, adobe, plain.subarray(2)]));
  assert.equal(bytes.length, plain.length + 18 + 16);
  assert.ok(bytes.includes("Adobe\0d\0\0\0\0\x02", 0, "latin1"));
});

test("§4.20.3 a PNG loses its texts, time, EXIF, unknown chunks and what stands behind its end", () => {
  const plain = aPng(3, 2);
  const texts = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "iCCP", "sPLT", "prVt"].map((type) =>
    pngChunk(type, Buffer.from(PLACE)),
  );
  const long = pngChunk("gAMA", Buffer.from(`0000${PLACE}`));
  const kept = keptOf(Buffer.concat([plain.subarray(0, 33), ...texts, long, plain.subarray(33), Buffer.from(PLACE)]));
  assert.deepEqual([kept.type, kept.bytes], ["image/png", plain]);
  const gamma = pngChunk("gAMA", Buffer.from([0, 0, 0xb1, 0x8f]));
  assert.ok(keptOf(Buffer.concat([plain.subarray(0, 33), gamma, plain.subarray(33)])).bytes.includes("gAMA"));
});

test("§4.20.3 a WebP loses EXIF, XMP, profile, unknown chunks and what stands behind its end", () => {
  const hidden = ["EXIF", "XMP ", "ICCP", "HIDE"].map((type) => webpChunk(type, Buffer.from(PLACE)));
  const kept = keptOf(Buffer.concat([aWebp(hidden, 0x2c | 0x10), Buffer.from(PLACE)]));
  assert.deepEqual([kept.type, kept.bytes], ["image/webp", aWebp([], 0x10)]);
  assert.equal(readContent(aWebp([], 0x02)), "broken", "a moving one");
});

test("§4.20.3 more than 40 megapixels by any header are refused, and nothing is decoded", () => {
  assert.equal(readContent(aPng(50_000, 50_000)), "pixels");
  assert.equal(readContent(aJpeg(50_000, 50_000)), "pixels");
  assert.equal(readContent(aWebp([], 0, 50_000)), "pixels");
  assert.equal(readContent(aPng(0, 5)), "broken");
  assert.equal(readContent(aJpeg(0, 5)), "broken");
  assert.equal(keptOf(aPng(8_000, 5_000)).type, "image/png");
  assert.equal(readContent(aPng(8_001, 5_000)), "pixels");
});

test("§4.20.3 broken pictures are refused: cut at any byte, or with a second frame", () => {
  for (const [name, whole] of [
    ["png", aPng(3, 2)],
    ["jpeg", aJpeg()],
    ["webp", aWebp()],
  ] as const)
    for (let end = 12; end < whole.length; end++)
      assert.equal(typeof readContent(whole.subarray(0, end)), "string", `${name} of ${end} bytes`);
  const frame = jpegSegment(0xc0, Buffer.from([8, 0, 1, 0, 1, 1, 1, 0x11, 0]));
  const jpeg = aJpeg();
  assert.equal(readContent(Buffer.concat([jpeg.subarray(0, 2), frame, jpeg.subarray(2)])), "broken");
});

test("§4.20.2 HTML, SVG and other XML are refused, whatever stands in front of them, and so are bytes of no known type", () => {
  for (const text of [
    `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`,
    `\ufeff \n\t<?xml version="1.0"?><svg/>`,
    `<!DOCTYPE html>${SCRIPT}`,
    `<!-- -->${SCRIPT}`,
    SCRIPT,
    `<\tHTML>`,
    "a\0b",
    "a\u0007b",
    "a\u0085b",
  ])
    assert.equal(readContent(Buffer.from(text)), "type", text);
  const other = ["MZ\x90\0", "PK\x03\x04", "GIF89a\x01\0", "\x7fELF", "BM\x01\0", "\xff\xfe<\0s\0v\0g\0", "caf\xe9"];
  for (const start of other) assert.equal(readContent(Buffer.from(start, "latin1")), "type", start);
});

test("§4.20.2 a polyglot is what it begins with: a script behind a picture is gone, and a PDF is kept as it is", () => {
  for (const picture of [aPng(3, 2), aJpeg(), aWebp()])
    assert.deepEqual(keptOf(Buffer.concat([picture, Buffer.from(SCRIPT)])).bytes, keptOf(picture).bytes);
  const inComment = jpegSegment(0xfe, Buffer.from(`*/=1;alert(1)/*${SCRIPT}`));
  const jpeg = aJpeg();
  assert.ok(!keptOf(Buffer.concat([jpeg.subarray(0, 2), inComment, jpeg.subarray(2)])).bytes.includes("alert"));
  const pdf = Buffer.from(`%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n${SCRIPT}\n%%EOF`);
  assert.deepEqual(readContent(pdf), { type: "application/pdf", bytes: pdf });
  assert.equal(readContent(Buffer.concat([deflateSync(pdf), pdf])), "type");
  const text = Buffer.from(`Tracking 123\r\n\t${SCRIPT} é 漢\n`);
  assert.deepEqual(readContent(text), { type: "text/plain", bytes: text });
});

test("§4.20.2 a name is no path, hides nothing, and ends as its type does", () => {
  for (const name of ["a.png", "Mein Foto (2).jpg", "写真.webp", "a".repeat(100)]) assert.ok(isFileName(name), name);
  const refused = [
    "",
    " ",
    "..",
    "../a.png",
    "a\\b.png",
    "/etc/passwd",
    "a\nb",
    "a\0b",
    "a\u202egnp.exe",
    "a\u200fb",
    "a\u2028b",
  ];
  for (const name of [...refused, "a".repeat(101), "a\ud800"]) assert.ok(!isFileName(name), JSON.stringify(name));
  assert.equal(nameWithEnding("Photo.JPEG", "image/jpeg"), "Photo.JPEG");
  assert.equal(nameWithEnding("a.html", "text/plain"), "a.html.txt");
  assert.equal(nameWithEnding("a.pdf.exe", "application/pdf"), "a.pdf.exe.pdf");
  assert.equal([...nameWithEnding("é".repeat(100), "image/webp")].length, 100);
});
