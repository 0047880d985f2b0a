import { type Shown, word } from "../lib/columns.ts";
import { ENVIRONMENTS } from "./terms.ts";

/** Columns of values that the whole API shows in the same way. */

export const BASE58 = "[1-9A-HJ-NP-Za-km-z]";
export const ADDRESS_PATTERN = `^${BASE58}{32,44}$`;
export const SIGNATURE_PATTERN = `^${BASE58}{64,88}$`;

type TextShown = Required<Pick<Shown<string>, "says" | "example">> & Pick<Shown, "schema">;
export const base58 = (says: string, bytes: number): string =>
  `${says} Base58 of exactly ${bytes} bytes, which the pattern alone does not say.`;

/** Base58 of 32 bytes. The pattern checks alphabet and length only; the service decodes the text. */
export const addressWord = ({ says, example, schema = {} }: TextShown) =>
  word({ says: base58(says, 32), example, schema: { pattern: ADDRESS_PATTERN, ...schema } });
/** Base58 of 64 bytes. */
export const signatureWord = ({ says, example }: TextShown) =>
  word({ says: base58(says, 64), example, schema: { pattern: SIGNATURE_PATTERN } });

export const environmentWord = word({
  of: ENVIRONMENTS,
  says: "The environment of the API key, which every id carries too.",
  example: "test",
});
