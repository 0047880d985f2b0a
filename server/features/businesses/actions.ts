import { ActionError } from "../../domain/actionError.ts";
import type { Actor } from "../../domain/callers.ts";
import { parseLocale } from "../../domain/locale.ts";
import { findNameProblem, normalizeName } from "../../domain/names.ts";
import { isTimeZone } from "../../domain/timeZone.ts";
import type { Database, Db } from "../../store/database.ts";
import { recordAudit } from "../audit/fragments.ts";
import { isCurrency } from "../rates/rate.ts";
import { insertFirstOwner } from "../staff/members/fragments.ts";
import {
  type BusinessProfile,
  findColorProblem,
  hashRefundPolicy,
  INTENT_LIFETIME,
  isRefundPolicy,
  type ProfileChanges,
  parseReturnUrl,
  parseSupportContact,
} from "./business.ts";
import { findBusinessProfile, insertBusiness, lockBusinessProfile, updateProfile } from "./queries.ts";

export { listBusinesses, listSavedOnly } from "./queries.ts";

/**
 * Adds a business, with a user as its owner if one is named. Returns its id. Throws {@link ActionError}:
 * `business_name_invalid`, `last_credential`.
 */
export async function addBusiness(
  database: Database,
  actor: Actor,
  name: string,
  ownerId: string | null = null,
): Promise<{ id: string; name: string }> {
  const checked = requireName(normalizeName(name), null);
  return database.transaction(async (db) => {
    const business = await insertBusiness(db, checked);
    const entry = { businessId: business.id, environment: null, target: business.id, details: { name: checked } };
    await db.rows(recordAudit(actor, { ...entry, action: "business.added" }));
    if (ownerId !== null && !(await db.has(insertFirstOwner(business.id, ownerId))))
      throw new ActionError(
        "last_credential",
        "An owner keeps a password or a passkey. Add one to your account first.",
      );
    return business;
  });
}

/**
 * Changes a business's profile (§2.3.1). Undefined leaves a field as it is, null clears it. Equal values are no
 * change, and without a change nothing is written. Throws {@link ActionError}, and then nothing has changed:
 * `business_name_invalid`, `support_contact_invalid`, `refund_policy_invalid`, `return_url_invalid`,
 * `intent_lifetime_invalid`, `reporting_currency_invalid`, `time_zone_invalid`, `locale_invalid`,
 * `color_invalid`, `business_not_found`.
 */
export async function setProfile(
  database: Database,
  actor: Actor,
  businessId: string,
  changes: ProfileChanges,
): Promise<BusinessProfile> {
  const { name, supportContact, refundPolicy, returnUrl, intentLifetimeMinutes, reportingCurrency, timeZone } = changes;
  // Only the form sets the words of emails, and has checked them.
  const { color, logo, locale, emailName, emailLine, emailReplyTo } = changes;
  const checked: { readonly [Field in keyof ProfileChanges]: BusinessProfile[Field] | undefined } = {
    name: name === undefined ? undefined : normalizeName(name),
    supportContact: supportContact == null ? supportContact : requireContact(supportContact),
    refundPolicy: refundPolicy == null ? refundPolicy : requirePolicy(refundPolicy),
    returnUrl: returnUrl == null ? returnUrl : requireReturnUrl(returnUrl),
    intentLifetimeMinutes:
      intentLifetimeMinutes == null ? intentLifetimeMinutes : requireIntentLifetime(intentLifetimeMinutes),
    reportingCurrency: reportingCurrency == null ? reportingCurrency : requireCurrency(reportingCurrency),
    timeZone: timeZone == null ? timeZone : requireTimeZone(timeZone),
    locale: locale == null ? locale : requireLocale(locale),
    color: color == null ? color : requireColor(color.toLowerCase()),
    logo: logo == null ? logo : logo.sha256,
    emailName,
    emailLine,
    emailReplyTo,
  };
  const profile = await database.transaction(async (db) => {
    const before = await lockBusinessProfile(db, businessId);
    if (before === null) return null;
    const names = (Object.keys(checked) as (keyof ProfileChanges)[]).filter(
      (name) => checked[name] !== undefined && checked[name] !== before[name],
    );
    if (names.length === 0) return before;
    // A name that is older than a rule stays valid until it is changed.
    if (names.includes("name")) requireName(checked.name!, before.domain);
    const edited: Partial<BusinessProfile> = Object.fromEntries(names.map((name) => [name, checked[name]]));
    await updateProfile(db, { ...before, ...edited }, names.includes("logo") ? logo : undefined);
    const entry = { businessId, environment: null, target: businessId, details: detailsOf(edited) };
    await db.rows(recordAudit(actor, { ...entry, action: "business.changed" }));
    return findBusinessProfile(db, businessId);
  });
  return requireProfile(profile, businessId);
}

/** The new value of each changed field. A policy is long, so its hash stands for it. */
const detailsOf = ({ refundPolicy, ...rest }: Partial<BusinessProfile>): Record<string, string | number | null> => ({
  ...(rest as Record<string, string | number | null>),
  ...(refundPolicy === undefined
    ? {}
    : { refundPolicyHash: refundPolicy === null ? null : hashRefundPolicy(refundPolicy) }),
});

function requireName(name: string, domain: string | null): string {
  const problem = findNameProblem(name, domain);
  if (problem !== null) throw new ActionError("business_name_invalid", problem);
  return name;
}

function requireContact(text: string): string {
  const contact = parseSupportContact(text);
  if (contact !== null) return contact;
  throw new ActionError("support_contact_invalid", "The support contact must be an email address or an https:// page.");
}

function requirePolicy(text: string): string {
  if (isRefundPolicy(text)) return text;
  throw new ActionError("refund_policy_invalid", "The refund policy must be plain text of 1 to 20,000 characters.");
}

function requireReturnUrl(text: string): string {
  const template = parseReturnUrl(text);
  if (template !== null) return template;
  throw new ActionError(
    "return_url_invalid",
    "The return URL must start with https:// and have no user name or password. It may contain {intentId} and {merchantReference} after the host.",
  );
}

function requireIntentLifetime(minutes: number): number {
  if (INTENT_LIFETIME.parse(minutes) !== null) return minutes;
  throw new ActionError("intent_lifetime_invalid", "The time to pay must be 15 to 10,080 whole minutes.");
}

function requireCurrency(text: string): string {
  if (isCurrency(text)) return text;
  throw new ActionError("reporting_currency_invalid", "The reporting currency must be one such as EUR, USD or GBP.");
}

function requireTimeZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw new ActionError("time_zone_invalid", "The time zone must be the name of one, such as Europe/Berlin.");
}

function requireLocale(text: string): string {
  const locale = parseLocale(text);
  if (locale !== null) return locale;
  throw new ActionError("locale_invalid", "The language must be a BCP 47 tag, such as de or pt-BR.");
}

function requireColor(text: string): string {
  const problem = findColorProblem(text);
  if (problem !== null) throw new ActionError("color_invalid", problem);
  return text;
}

/** Throws {@link ActionError}: `business_not_found`. */
export async function showProfile(db: Db, businessId: string): Promise<BusinessProfile> {
  return requireProfile(await findBusinessProfile(db, businessId), businessId);
}

function requireProfile(profile: BusinessProfile | null, businessId: string): BusinessProfile {
  if (profile !== null) return profile;
  throw new ActionError("business_not_found", `There is no business ${businessId}.`);
}
