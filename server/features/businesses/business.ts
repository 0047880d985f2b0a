import { createHash } from "node:crypto";
import { idColumn } from "../../domain/ids.ts";
import { INTENT_LIFETIME_MINUTES_MAX, INTENT_LIFETIME_MINUTES_MIN } from "../../domain/limits.ts";
import { LOCALE_CHARACTERS_MAX } from "../../domain/locale.ts";
import { findAddress, findNameProblem, isLine } from "../../domain/names.ts";
import { whole } from "../../domain/values.ts";
import { type FieldsOf, integer, nullable, omit, pick, table, text, time, word } from "../../lib/columns.ts";
import { isLoopback } from "../../lib/loopback.ts";
import { type Picture, readPicture } from "../../lib/pictures/readPicture.ts";

export const BUSINESSES = table("businesses", {
  id: idColumn("biz", { says: "The business's id." }),
  name: text({ says: "The business's name.", example: "Demo shop" }),
  domain: nullable(text({ says: "The domain that the business has proven; null if it has proven none." })),
  supportContact: nullable(
    text({ says: "An e-mail address or an https address; null if there is none.", example: "help@shop.example" }),
  ),
  refundPolicyHash: nullable(
    word({
      says: "SHA-256 of the policy's UTF-8, in hex, as the terms of a payment name it; null if there is no policy.",
      example: "0ad0c6405da0e59ba1aa54be780ff302e5388e30df43f5ea70544969e95b69fc",
      schema: { pattern: "^[0-9a-f]{64}$" },
    }),
  ),
  returnUrl: nullable(
    text({
      says: "The template of the address to which buyers go back, as the specification has it in §2.3.3; null if there is none.",
      example: "https://shop.example/orders/{merchantReference}",
    }),
  ),
  intentLifetimeMinutes: nullable(
    integer({ says: "Minutes for which its intents can be paid; null: as long as the deployment says." }),
  ),
  reportingCurrency: nullable(
    word({
      says: "The currency in which its books show values (§13.23); null: they show none.",
      example: "EUR",
      schema: { pattern: "^[A-Z]{3}$" },
    }),
  ),
  timeZone: nullable(word({ says: "The time zone of its exports, by its name; null: UTC.", example: "Europe/Berlin" })),
  locale: nullable(
    word({
      says: "The language of its buyers' pages where neither intent nor buyer names one, as a BCP 47 tag; null: English.",
      example: "de",
      schema: { minLength: 2, maxLength: LOCALE_CHARACTERS_MAX },
    }),
  ),
  color: nullable(
    word({
      says: "The colour of its buttons on buyers' pages, in hex; null: the pages' own.",
      example: "#5b3a8c",
      schema: { pattern: "^#[0-9a-f]{6}$" },
    }),
  ),
  emailName: nullable(text({ says: "Its name in emails to buyers; null: its name.", example: "Fernweh Coffee" })),
  emailLine: nullable(
    text({ says: "A line of its own in emails to buyers; null: none.", example: "Thank you. We roast on Tuesdays." }),
  ),
  emailReplyTo: nullable(
    text({
      says: "The address to which answers to these emails go; null: to the sender.",
      example: "help@shop.example",
    }),
  ),
  createdAt: time({ says: "The time at which it was added.", example: "2026-11-20T08:30:00.000Z" }),
});

/** The part of a profile that the business's own row holds. */
export const OWN_PROFILE = omit(BUSINESSES.columns, "createdAt");
/** A business's profile as buyers see it (§2.3.1). {@link supportLink} makes the link of a contact. */
export const PROFILE = {
  ...OWN_PROFILE,
  refundPolicy: nullable(text({ says: "Plain text; null if there is none.", example: "30 days." })),
  logo: nullable(
    word({
      says: "SHA-256 of its logo, in hex, by which `/pay/logos/{sha256}` has the picture; null if there is none.",
      schema: { pattern: "^[0-9a-f]{64}$" },
    }),
  ),
};
export type BusinessProfile = FieldsOf<typeof PROFILE>;

/** Undefined leaves a field as it is; null clears it. */
export type ProfileChanges = {
  readonly [Field in Exclude<keyof BusinessProfile, "id" | "domain" | "refundPolicyHash" | "logo">]?:
    | BusinessProfile[Field]
    | undefined;
} & { readonly logo?: Logo | null | undefined };

/** A business as operators of the deployment see it, without its payments. */
export const SUMMARY = pick(BUSINESSES.columns, "id", "name", "createdAt");
export type BusinessSummary = FieldsOf<typeof SUMMARY>;

/** SHA-256 in 64 hex digits. The terms text names a policy by it. */
export const hashRefundPolicy = (policy: string): string => createHash("sha256").update(policy, "utf8").digest("hex");

/** The bounds are those of the deployment's own setting. */
export const INTENT_LIFETIME = whole(
  INTENT_LIFETIME_MINUTES_MIN,
  INTENT_LIFETIME_MINUTES_MAX,
  `a whole number of minutes from ${INTENT_LIFETIME_MINUTES_MIN} to ${INTENT_LIFETIME_MINUTES_MAX}`,
);

export const REFUND_POLICY_CHARACTERS_MAX = 20_000;

/** 1 to 20,000 characters; tabs and line breaks are the only control characters. */
export const isRefundPolicy = (text: string): boolean =>
  text.trim() !== "" &&
  text.length <= 2 * REFUND_POLICY_CHARACTERS_MAX &&
  text.isWellFormed() &&
  !/[^\P{Cc}\t\r\n]/u.test(text) &&
  [...text].length <= REFUND_POLICY_CHARACTERS_MAX;

/** A logo as it is kept. */
export interface Logo extends Omit<Picture, "pixels"> {
  readonly sha256: string;
}
/** The path of logos on buyers' pages. */
export const LOGOS = "/pay/logos";
export const LOGO_BYTES_MAX = 100_000;
const LOGO_PIXELS_MAX = 1_000_000;

/** The logo that the bytes of a picture are, or the reason why they are none. */
export function readLogo(sent: Buffer): Logo | string {
  if (sent.length > LOGO_BYTES_MAX) return "The logo has more than 100 kB. Save it smaller.";
  const picture = readPicture(sent);
  if (picture === null) return "The logo must be a PNG, JPEG or WebP picture.";
  if (picture === "broken") return "This picture is broken, or it moves. Save it again.";
  const { type, bytes, pixels } = picture;
  if (pixels > LOGO_PIXELS_MAX)
    return "The logo has more than 1 megapixel. Save it smaller, such as 512 by 512 pixels.";
  return { type, bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** WCAG 2.2 AA (1.4.3). */
const CONTRAST_MIN = 4.5;
const INKS = { light: "#ffffff", dark: "#14211c" } as const;

/** The colour of a text that can be read on this one; or the contrasts of both, if neither can. */
export function inkOn(color: string): string | Readonly<Record<keyof typeof INKS, number>> {
  const [light, dark] = [contrastOf(color, INKS.light), contrastOf(color, INKS.dark)];
  if (Math.max(light, dark) < CONTRAST_MIN) return { light, dark };
  return light >= dark ? INKS.light : INKS.dark;
}

function contrastOf(one: string, other: string): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** The relative luminance of WCAG. */
function luminanceOf(color: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** The reason why a colour cannot be that of a business; null if it can. */
export function findColorProblem(color: string): string | null {
  if (!/^#[0-9a-f]{6}$/.test(color)) return "The colour must be six hex digits, such as #5b3a8c.";
  const ink = inkOn(color);
  if (typeof ink === "string") return null;
  const [light, dark] = [ink.light.toFixed(1), ink.dark.toFixed(1)];
  return `A text on ${color} cannot be read: white has a contrast of ${light}, dark ${dark}, and 4.5 is needed. Choose a darker or a lighter colour.`;
}

/** The name and the line of emails: what reads as an address would be a link in them. */
const EMAIL_NAME_CHARACTERS_MAX = 40;
const EMAIL_LINE_CHARACTERS_MAX = 200;
export const isEmailName = (text: string): boolean =>
  findNameProblem(text, null) === null && [...text].length <= EMAIL_NAME_CHARACTERS_MAX;
export const isEmailLine = (text: string): boolean =>
  isLine(text) && text.length <= EMAIL_LINE_CHARACTERS_MAX && !text.includes("://") && findAddress(text) === undefined;
/** An address for answers to emails. */
export const isMailbox = (text: string): boolean => EMAIL.test(text) && text.length <= 254;

const SUPPORT_CONTACT_CHARACTERS_MAX = 500;
/** Only characters that mean the same in an address and in a `mailto:` link. */
const EMAIL = /^[A-Za-z0-9._+-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** An e-mail address as given, or an https address in its normal form; null when it is neither. */
export function parseSupportContact(text: string): string | null {
  const contact = EMAIL.test(text) ? text : parseHttpsUrl(text);
  return contact === null || contact.length > SUPPORT_CONTACT_CHARACTERS_MAX ? null : contact;
}

/** The link behind the contact that a buyer sees. */
export const supportLink = (contact: string): string => (EMAIL.test(contact) ? `mailto:${contact}` : contact);

/** The text of that link: a mailbox, or the host of a page. */
export const contactPlace = (contact: string): string => (EMAIL.test(contact) ? contact : new URL(contact).host);

/** True if a host is the domain that the business has proven, or below it. */
export const isOwnHost = ({ domain }: Pick<BusinessProfile, "domain">, host: string): boolean =>
  domain !== null && (host === domain || host.endsWith(`.${domain}`));

const RETURN_URL_CHARACTERS_MAX = 2_048;
/** Replace the placeholders while the template is parsed as a URL: no normal form changes these words. */
const STAND_INS = { intentId: "0-intent-id-0", merchantReference: "0-merchant-reference-0" } as const;
type Placeholder = keyof typeof STAND_INS;
const PLACEHOLDERS = Object.keys(STAND_INS) as Placeholder[];

/**
 * The template of the address to which a buyer returns, in its normal form. Null unless it is an https address without
 * credentials whose only braces are `{intentId}` and `{merchantReference}` after the host.
 */
export const parseReturnUrl = (text: string): string | null => parseTemplate(text, parseHttpsUrl);

/**
 * The template of an intent's own return address (§4.1.7), in its normal form; null if it is none. It has no fragment, and
 * may lead to loopback. `RETURN_HOST_ALLOWED` says whose its host must be.
 */
export const parseIntentReturnUrl = (text: string): string | null =>
  text.includes("#") ? null : parseTemplate(text, parseReturnAddress);

/** True if a template, in its normal form, leads to the buyer's own machine. */
export const leadsToLoopback = (template: string): boolean =>
  /^https?:/.test(template) && isLoopback(new URL(template).hostname);

/** The host of a template, in its normal form. */
export const hostOf = (template: string): string => new URL(template).host;

function parseTemplate(text: string, parse: (text: string) => string | null): string | null {
  const url = parse(fill(text, STAND_INS));
  if (
    url === null ||
    PLACEHOLDERS.some((name) => text.includes(STAND_INS[name]) || new URL(url).host.includes(STAND_INS[name]))
  )
    return null;
  const template = PLACEHOLDERS.reduce((url, name) => url.replaceAll(STAND_INS[name], `{${name}}`), url);
  return template.length > RETURN_URL_CHARACTERS_MAX ? null : template;
}

/**
 * The template with the intent's values, percent-encoded. Null if a value would lead out of the template's folder: a
 * path cannot spell the reference "..".
 */
export function fillReturnUrl(
  template: string,
  intent: { readonly id: string; readonly merchantReference: string },
): string | null {
  const url = fill(template, { intentId: encode(intent.id), merchantReference: encode(intent.merchantReference) });
  return parseReturnAddress(url) === url ? url : null;
}

const fill = (template: string, values: Readonly<Record<Placeholder, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
    PLACEHOLDERS.includes(name as Placeholder) ? values[name as Placeholder] : placeholder,
  );

/** Encodes the apostrophe too: `encodeURIComponent` leaves it, but a query would encode it again. */
const encode = (value: string): string => encodeURIComponent(value).replaceAll("'", "%27");

/** An address to which a buyer may go back: https, or http to loopback. */
function parseReturnAddress(text: string): string | null {
  const url = parseUrl(text, /^https?:\/\/[^/?#\s]/i);
  return url === null || url.startsWith("https:") || leadsToLoopback(url) ? url : null;
}

const parseHttpsUrl = (text: string): string | null => parseUrl(text, /^https:\/\/[^/?#\s]/i);

/**
 * An address in its normal form; null unless it names a host, has no credentials and holds no character that URL
 * parsing drops.
 */
function parseUrl(text: string, start: RegExp): string | null {
  if (!start.test(text) || /[\s\p{Cc}\\{}"<>^`|]/u.test(text) || !text.isWellFormed()) return null;
  const url = URL.parse(text);
  return url === null || url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?#]*@/.test(text)
    ? null
    : url.href;
}
