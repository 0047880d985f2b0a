import type { BusinessProfile, BusinessProfileChange } from "../api/schema.ts";

/** A browser returns the text of a form with line feeds only; a text that differs only in that was not edited. */
const withLineFeeds = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

/** The business's words in emails to buyers. */
const EMAIL_WORDS = ["emailName", "emailLine", "emailReplyTo"] as const;
type EmailWord = (typeof EMAIL_WORDS)[number];

/** Returns the fields whose texts differ from the form's first values; an emptied one, other than the name, is removed. */
export function changesOf(shown: BusinessProfile, values: Readonly<Record<string, string>>): BusinessProfileChange {
  const isEdited = (name: "name" | "color" | "supportContact" | "refundPolicy" | "returnUrl" | EmailWord) =>
    withLineFeeds(values[name] ?? "") !== withLineFeeds(shown[name] ?? "");
  const { name = "", supportContact, refundPolicy, returnUrl, color, logo } = values;
  const minutes = values.intentLifetimeMinutes ? Number(values.intentLifetimeMinutes) : null;
  const chosen = (name: "reportingCurrency" | "timeZone" | "locale") => values[name]?.trim() || null;
  const words = EMAIL_WORDS.filter(isEdited).map((name) => [name, values[name]?.trim() || null]);
  return {
    ...(isEdited("name") ? { name: name.trim() } : {}),
    ...(Object.fromEntries(words) as Pick<BusinessProfileChange, EmailWord>),
    ...(isEdited("color") ? { color: color?.trim() || null } : {}),
    // A file that was chosen; without one the logo stays.
    ...(logo ? { logo } : {}),
    ...(isEdited("supportContact") ? { supportContact: supportContact?.trim() || null } : {}),
    ...(isEdited("refundPolicy") ? { refundPolicy: refundPolicy || null } : {}),
    ...(isEdited("returnUrl") ? { returnUrl: returnUrl?.trim() || null } : {}),
    ...(chosen("reportingCurrency") === shown.reportingCurrency
      ? {}
      : { reportingCurrency: chosen("reportingCurrency") }),
    ...(chosen("timeZone") === shown.timeZone ? {} : { timeZone: chosen("timeZone") }),
    ...(chosen("locale") === shown.locale ? {} : { locale: chosen("locale") }),
    ...(minutes === shown.intentLifetimeMinutes ? {} : { intentLifetimeMinutes: minutes }),
  };
}
