import type { BusinessProfile, BusinessProfileChange } from "../api/schema.ts";

/** A browser gives the text of a form with line feeds alone; a text that differs in nothing else was not edited. */
const withLineFeeds = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

/** The fields whose texts differ from what the form showed; an emptied one, other than the name, is taken away. */
export function changesOf(shown: BusinessProfile, values: Readonly<Record<string, string>>): BusinessProfileChange {
  const isEdited = (name: "name" | "supportContact" | "refundPolicy" | "returnUrl") =>
    withLineFeeds(values[name] ?? "") !== withLineFeeds(shown[name] ?? "");
  const { name = "", supportContact, refundPolicy, returnUrl } = values;
  const minutes = values.intentLifetimeMinutes ? Number(values.intentLifetimeMinutes) : null;
  return {
    ...(isEdited("name") ? { name: name.trim() } : {}),
    ...(isEdited("supportContact") ? { supportContact: supportContact?.trim() || null } : {}),
    ...(isEdited("refundPolicy") ? { refundPolicy: refundPolicy || null } : {}),
    ...(isEdited("returnUrl") ? { returnUrl: returnUrl?.trim() || null } : {}),
    ...(minutes === shown.intentLifetimeMinutes ? {} : { intentLifetimeMinutes: minutes }),
  };
}
