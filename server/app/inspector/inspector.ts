import { isAddress, isSignature } from "../../domain/addresses.ts";
import { DELIVERY_ID, EVENT_ID, INTENT_ID, idPattern } from "../../domain/ids.ts";

/** Kinds of objects that a pasted text can identify. */
export const FOUND_KINDS = [
  "payment_intent",
  "payment",
  "event",
  "webhook_endpoint",
  "webhook_delivery",
  "api_key",
  "request",
  "transaction",
  // A wallet that has paid.
  "sender",
] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** A pasted text by its form. `reference` is any other text, which may be a merchant's own reference. */
export interface Pasted {
  readonly form: Exclude<FoundKind, "sender"> | "address" | "payment_id" | "reference" | "secret" | "nothing";
  readonly text: string;
}

/** Longer than any id, signature or reference, and than a link that contains an id. */
const CHARACTERS_MAX = 1_000;
const FORMS: readonly (readonly [Exclude<FoundKind, "sender">, RegExp])[] = [
  ["payment_intent", INTENT_ID],
  ["event", EVENT_ID],
  ["webhook_endpoint", new RegExp(idPattern("we"))],
  ["webhook_delivery", DELIVERY_ID],
  ["api_key", new RegExp(idPattern("key"))],
  ["request", new RegExp(idPattern("req"))],
];
/** API keys and signing secrets. They are never sent on. */
const SECRET = /(?:sk_(?:test|live)_|whsec_)\S/;
const PAYMENT_ID = /^[1-9][0-9]{0,18}$/;
const PAYMENT_ID_MAX = 2n ** 63n - 1n;

/** Parses a pasted text: an id, alone or in a link, between quotes or blanks. */
export function readPasted(pasted: string): Pasted {
  if (SECRET.test(pasted)) return { form: "secret", text: "" };
  const trimmed = pasted.trim();
  if (trimmed.length > CHARACTERS_MAX) return { form: "nothing", text: "" };
  // The lookbehind makes a match start at the first quote only; otherwise a row of quotes in the middle is scanned once
  // per quote.
  const text = trimmed.replace(/^["'`]+/, "").replace(/(?<!["'`,;])["'`,;]+$/, "");
  if (text === "") return { form: "nothing", text: "" };
  const whole = readToken(text);
  if (whole !== null) return whole;
  // The last id of a link is its subject, for links to the checkout, to these pages and to explorers of the chain.
  const tokens = /^https?:\/\//.test(text) ? text.split(/[^A-Za-z0-9_]+/) : [];
  return (
    tokens.map(readToken).findLast((one) => one !== null && one.form !== "payment_id") ?? { form: "reference", text }
  );
}

function readToken(text: string): Pasted | null {
  const known = FORMS.find(([, form]) => form.test(text));
  if (known !== undefined) return { form: known[0], text };
  if (PAYMENT_ID.test(text) && BigInt(text) <= PAYMENT_ID_MAX) return { form: "payment_id", text };
  if (isSignature(text)) return { form: "transaction", text };
  return isAddress(text) ? { form: "address", text } : null;
}
