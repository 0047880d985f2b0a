import { createHash } from "node:crypto";
import type { Merchant } from "../../domain/callers.ts";
import { INTENT_LIFETIME_MINUTES_MAX, INTENT_LIFETIME_MINUTES_MIN } from "../../domain/limits.ts";
import { type JsonText, showFields, showText } from "../../domain/show.ts";

/** §2.3: the business a key belongs to, as that key sees it. */
export const showBusiness = (caller: Merchant, name: string): JsonText =>
  showFields({
    object: '"business"',
    id: `"${caller.businessId}"`,
    name: showText(name),
    environment: `"${caller.environment}"`,
    apiKey: `{"id":"${caller.keyId}","scope":"${caller.scope}"}`,
  });

/** A business as its buyers are shown it (§2.3.1). */
export interface BusinessProfile {
  readonly id: string;
  readonly name: string;
  /** Null until the business has proven that it is theirs. */
  readonly domain: string | null;
  /** An e-mail address or an https address; {@link supportLink} makes the link. */
  readonly supportContact: string | null;
  readonly refundPolicy: string | null;
  /** SHA-256 of the policy's UTF-8, in 64 hex digits, as the terms text names it. */
  readonly refundPolicyHash: string | null;
  /** To be filled by {@link fillReturnUrl}. */
  readonly returnUrl: string | null;
  /** How long its intents can be paid; null: as long as the deployment says. */
  readonly intentLifetimeMinutes: number | null;
}

export const hashRefundPolicy = (policy: string): string => createHash("sha256").update(policy, "utf8").digest("hex");

/** The bounds of the deployment's own setting. */
export const isIntentLifetime = (minutes: number): boolean =>
  Number.isInteger(minutes) && minutes >= INTENT_LIFETIME_MINUTES_MIN && minutes <= INTENT_LIFETIME_MINUTES_MAX;

const REFUND_POLICY_CHARACTERS_MAX = 20_000;

/** 1 to 20,000 characters; tabs and line breaks are the only control characters. */
export const isRefundPolicy = (text: string): boolean =>
  text.trim() !== "" &&
  text.length <= 2 * REFUND_POLICY_CHARACTERS_MAX &&
  text.isWellFormed() &&
  !/[^\P{Cc}\t\r\n]/u.test(text) &&
  [...text].length <= REFUND_POLICY_CHARACTERS_MAX;

const SUPPORT_CONTACT_CHARACTERS_MAX = 500;
/** Only characters that mean the same in an address and in a `mailto:` link. */
const EMAIL = /^[A-Za-z0-9._+-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** An e-mail address as given, or an https address in its normal form; null when it is neither. */
export function parseSupportContact(text: string): string | null {
  const contact = EMAIL.test(text) ? text : parseHttpsUrl(text);
  return contact === null || contact.length > SUPPORT_CONTACT_CHARACTERS_MAX ? null : contact;
}

/** Where a buyer's click on the contact leads. */
export const supportLink = (contact: string): string => (EMAIL.test(contact) ? `mailto:${contact}` : contact);

/** The same for the buyer's eyes: a mailbox, or the host of a page. */
export const contactPlace = (contact: string): string => (EMAIL.test(contact) ? contact : new URL(contact).host);

/** True if a host is the domain that the business has proven, or below it. */
export const isOwnHost = ({ domain }: Pick<BusinessProfile, "domain">, host: string): boolean =>
  domain !== null && (host === domain || host.endsWith(`.${domain}`));

const RETURN_URL_CHARACTERS_MAX = 2_048;
/** Stand for the placeholders while the template is read as a URL: words that no normal form changes. */
const STAND_INS = { intentId: "0-intent-id-0", merchantReference: "0-merchant-reference-0" } as const;
type Placeholder = keyof typeof STAND_INS;
const PLACEHOLDERS = Object.keys(STAND_INS) as Placeholder[];

/**
 * The template of the address to which a buyer goes back, in its normal form; null unless it is an https address without
 * credentials, whose only braces are `{intentId}` and `{merchantReference}` behind the host.
 */
export function parseReturnUrl(text: string): string | null {
  const url = parseHttpsUrl(fill(text, STAND_INS));
  if (
    url === null ||
    PLACEHOLDERS.some((name) => text.includes(STAND_INS[name]) || new URL(url).host.includes(STAND_INS[name]))
  )
    return null;
  const template = PLACEHOLDERS.reduce((url, name) => url.replaceAll(STAND_INS[name], `{${name}}`), url);
  return template.length > RETURN_URL_CHARACTERS_MAX ? null : template;
}

/**
 * The template with the intent's values, percent-encoded. Null where a value would lead out of the template's folder: a path
 * has no spelling for the reference "..".
 */
export function fillReturnUrl(
  template: string,
  intent: { readonly id: string; readonly merchantReference: string },
): string | null {
  const url = fill(template, { intentId: encode(intent.id), merchantReference: encode(intent.merchantReference) });
  return parseHttpsUrl(url) === url ? url : null;
}

const fill = (template: string, values: Readonly<Record<Placeholder, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
    PLACEHOLDERS.includes(name as Placeholder) ? values[name as Placeholder] : placeholder,
  );

/** Also what `encodeURIComponent` leaves, but a query would encode again. */
const encode = (value: string): string => encodeURIComponent(value).replaceAll("'", "%27");

/** An https address in its normal form; null unless it names a host, and neither credentials nor what a URL would silently change. */
function parseHttpsUrl(text: string): string | null {
  if (!/^https:\/\/[^/?#\s]/i.test(text) || /[\s\p{Cc}\\{}"<>^`|]/u.test(text) || !text.isWellFormed()) return null;
  const url = URL.parse(text);
  return url === null || url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?#]*@/.test(text)
    ? null
    : url.href;
}
