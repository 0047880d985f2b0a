import { idColumn } from "../../domain/ids.ts";
import { findAddress, isLine } from "../../domain/names.ts";
import { type FieldsOf, nullable, smallint, table, text, time, word } from "../../lib/columns.ts";

/** Fulfillments of one intent. */
export const FULFILLMENTS_MAX = 20;

/** Facts about a delivery that the merchant recorded. They are never changed. */
export const FULFILLMENTS = table("fulfillments", {
  businessId: word(),
  id: idColumn("ff", { example: "ff_test_5szw01a1fc0b3f5d6aa1dfb6bc9487e1991e" }),
  intentId: word({ as: "intent", says: "Id of its intent.", example: "pi_test_5szw01a1fc0a61ca6aa1dc5681f996bdf948" }),
  number: smallint(),
  carrier: nullable(text({ says: "The carrier's name; null if none was given.", example: "DHL" })),
  trackingNumber: nullable(
    text({ says: "The carrier's number; null if none was given.", example: "00340434161094042557" }),
  ),
  link: nullable(
    text({
      says: "An https link for following the delivery; null if none was given.",
      example: "https://tracking.example/00340434161094042557",
    }),
  ),
  sentAt: nullable(
    time({ says: "The time of dispatch, by your word; null if none was given.", example: "2026-11-21T09:00:00.000Z" }),
  ),
  deliveredAt: nullable(time({ says: "The time of delivery, by your word; null if none was given." })),
  delivery: nullable(
    word({
      says: "The signed delivery of x402 (a compact JWS), which holds the signed offer; null if none was given.",
    }),
  ),
  recordedAt: time({ says: "The time at which it was recorded here.", example: "2026-11-21T09:05:11.204Z" }),
  /** The id of a user or of a key. */
  recordedBy: word(),
});
export type Fulfillment = FieldsOf<typeof FULFILLMENTS.columns>;

export type NewFulfillment = Pick<
  Fulfillment,
  "carrier" | "trackingNumber" | "link" | "sentAt" | "deliveredAt" | "delivery"
>;

/** A carrier or number that reads as an address would name another place than the link beside it leads to. */
export const isShopsWord = (text: string): boolean =>
  isLine(text) && !text.includes("://") && findAddress(text) === undefined;

const LINK_CHARACTERS_MAX = 2_048;
/** Returns true for an https address that may be shown: buyers see it as the shop's word. */
export function isTrackingLink(text: string): boolean {
  if (text.length > LINK_CHARACTERS_MAX || !text.startsWith("https://") || /[\s\p{C}]/u.test(text)) return false;
  const url = URL.parse(text);
  return (
    url !== null && url.username === "" && url.password === "" && !text.includes("#") && url.hostname.includes(".")
  );
}

const JWS = /^[\w-]+\.[\w-]+\.[\w-]{86}$/;
export const isJws = (text: string): boolean => text.length <= 8_192 && JWS.test(text);

/** SHA-256 of the answer, as a recorded delivery has it. */
export const answerOf = (delivery: string): string =>
  String(JSON.parse(Buffer.from(delivery.split(".")[1]!, "base64url").toString()).answer);

/** A label may be printed before the parcel is handed over. */
const AHEAD_MS_MAX = 86_400_000;

/** The field at which these facts cannot be, with the reason; null if they can. */
export function problemOf(facts: NewFulfillment, now: Date): readonly [param: string, message: string] | null {
  if (Object.values(facts).every((value) => value === null))
    return ["carrier", "Expected at least one of carrier, trackingNumber, link, sentAt, deliveredAt, delivery."];
  for (const name of ["sentAt", "deliveredAt"] as const)
    if (Number(facts[name]) > now.getTime() + AHEAD_MS_MAX) return [name, "Expected a time at most a day ahead."];
  const { sentAt, deliveredAt } = facts;
  return sentAt !== null && deliveredAt !== null && deliveredAt < sentAt
    ? ["deliveredAt", "Expected a time that is not before sentAt."]
    : null;
}
