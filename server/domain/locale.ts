/** The longest tag that RFC 5646 asks everyone to take. */
export const LOCALE_CHARACTERS_MAX = 35;

/** A BCP 47 language tag in its canonical form; null if it is none. */
export function parseLocale(text: string): string | null {
  if (text.length > LOCALE_CHARACTERS_MAX) return null;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null; // not well-formed
  }
}
