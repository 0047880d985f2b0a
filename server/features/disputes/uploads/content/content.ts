import { readPicture } from "../../../../lib/pictures/readPicture.ts";
import type { KeptBytes } from "../../files/file.ts";

/** Pixels of a picture, by its header: more would fill the memory of whoever opens it. */
const PIXELS_MAX = 40_000_000;

/** The reason why a content is refused: it is of no type that is taken, it is broken, or it has too many pixels. */
export type ContentRefusal = "type" | "broken" | "pixels";

/**
 * The bytes as they are kept, with the type of their content, whatever the name says. Pictures lose all metadata and all
 * bytes behind their end; nothing is decoded.
 */
export function readContent(bytes: Buffer): KeptBytes | ContentRefusal {
  const picture = readPicture(bytes);
  if (picture === "broken") return picture;
  if (picture !== null) return picture.pixels > PIXELS_MAX ? "pixels" : { type: picture.type, bytes: picture.bytes };
  if (/^%PDF-[12]\.\d/.test(bytes.toString("latin1", 0, 8))) return { type: "application/pdf", bytes };
  return isPlainText(bytes) ? { type: "text/plain", bytes } : "type";
}

const decoder = new TextDecoder("utf-8", { fatal: true });
/** Control characters other than a tab and the ends of lines. */
const CONTROL = /[^\P{Cc}\t\n\r]/u;
/** HTML, SVG and other XML. A program that guesses types would run what is in it. */
const MARKUP = /^\s*<\s*[a-z!?]/i;

function isPlainText(bytes: Buffer): boolean {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (error) {
    // It is no UTF-8.
    if (error instanceof TypeError) return false;
    throw error;
  }
  return !CONTROL.test(text) && !MARKUP.test(text);
}
