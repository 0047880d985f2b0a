import { isAddress, isSignature } from "../../domain/addresses.ts";
import { EVENT_ID, INTENT_ID } from "../../domain/ids.ts";

/** What can be found by what a person pastes. */
export const FOUND_KINDS = [
  "payment_intent",
  "payment",
  "event",
  "webhook_endpoint",
  "webhook_delivery",
  "api_key",
  "request",
  "transaction",
] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** What was pasted, by its form. `reference`: anything else, which may be a merchant's own reference. */
export interface Pasted {
  readonly form: FoundKind | "address" | "payment_id" | "reference" | "secret" | "nothing";
  readonly text: string;
}

/** Longer than any id, signature or reference; a link around an id is shorter too. */
const CHARACTERS_MAX = 1_000;
const SUFFIX = "[0-9a-f]{32}";
const FORMS: readonly (readonly [FoundKind, RegExp])[] = [
  ["payment_intent", INTENT_ID],
  ["event", EVENT_ID],
  ["webhook_endpoint", new RegExp(`^we_${SUFFIX}$`)],
  ["webhook_delivery", /^del_[0-9a-f]{64}$/],
  ["api_key", new RegExp(`^key_${SUFFIX}$`)],
  ["request", new RegExp(`^req_${SUFFIX}$`)],
];
/** API keys and signing secrets: nobody is helped by their being sent once more. */
const SECRET = /(?:sk_(?:test|live)_|whsec_)\S/;
const PAYMENT_ID = /^[1-9][0-9]{0,18}$/;
const PAYMENT_ID_MAX = 2n ** 63n - 1n;

/** Reads what was pasted: an id, alone or in a link, between quotes or with blanks around it. */
export function readPasted(pasted: string): Pasted {
  if (SECRET.test(pasted)) return { form: "secret", text: "" };
  const trimmed = pasted.trim();
  if (trimmed.length > CHARACTERS_MAX) return { form: "nothing", text: "" };
  // Only from the first of its quotes on, or a row of them in the middle would be read once for each of them.
  const text = trimmed.replace(/^["'`]+/, "").replace(/(?<!["'`,;])["'`,;]+$/, "");
  if (text === "") return { form: "nothing", text: "" };
  const whole = readToken(text);
  if (whole !== null) return whole;
  // In a link to the checkout, to these pages or to an explorer of the chain, the last id is what it is about.
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
