import { ActionError } from "../../domain/actionError.ts";
import type { Db } from "../../store/database.ts";
import {
  type BusinessProfile,
  isBusinessName,
  isRefundPolicy,
  parseReturnUrl,
  parseSupportContact,
} from "./business.ts";
import { findBusinessProfile, insertBusiness, type ProfileChanges, updateProfile } from "./queries.ts";

export { listBusinesses } from "./queries.ts";

/** Adds a business and answers with its id. Throws {@link ActionError}: `business_name_invalid`. */
export async function addBusiness(db: Db, name: string): Promise<{ id: string; name: string }> {
  return insertBusiness(db, requireName(name));
}

/**
 * Changes what buyers are shown of a business (§2.3.1). A change that is undefined leaves the field as it is, null takes it
 * away. Throws {@link ActionError}: `business_name_invalid`, `support_contact_invalid`, `refund_policy_invalid`,
 * `return_url_invalid`, `business_not_found`; then nothing has changed.
 */
export async function setProfile(db: Db, businessId: string, changes: ProfileChanges): Promise<BusinessProfile> {
  const { name, supportContact, refundPolicy, returnUrl } = changes;
  const checked = {
    name: name === undefined ? undefined : requireName(name),
    supportContact: supportContact == null ? supportContact : requireContact(supportContact),
    refundPolicy: refundPolicy == null ? refundPolicy : requirePolicy(refundPolicy),
    returnUrl: returnUrl == null ? returnUrl : requireReturnUrl(returnUrl),
  };
  const exists = await updateProfile(db, businessId, checked);
  return requireProfile(exists ? await findBusinessProfile(db, businessId) : null, businessId);
}

function requireName(name: string): string {
  if (isBusinessName(name)) return name;
  throw new ActionError("business_name_invalid", "Give a name of 1 to 100 characters.");
}

function requireContact(text: string): string {
  const contact = parseSupportContact(text);
  if (contact !== null) return contact;
  throw new ActionError("support_contact_invalid", "A support contact is an e-mail address, or a page by https://…");
}

function requirePolicy(text: string): string {
  if (isRefundPolicy(text)) return text;
  throw new ActionError("refund_policy_invalid", "A refund policy is plain text of 1 to 20,000 characters.");
}

function requireReturnUrl(text: string): string {
  const template = parseReturnUrl(text);
  if (template !== null) return template;
  throw new ActionError(
    "return_url_invalid",
    "A return address is https://…, without a user name or password; behind the host it may have {intentId} and {merchantReference}.",
  );
}

/** Throws {@link ActionError}: `business_not_found`. */
export async function showProfile(db: Db, businessId: string): Promise<BusinessProfile> {
  return requireProfile(await findBusinessProfile(db, businessId), businessId);
}

function requireProfile(profile: BusinessProfile | null, businessId: string): BusinessProfile {
  if (profile !== null) return profile;
  throw new ActionError("business_not_found", `There is no business ${businessId}.`);
}
