/** True for a name of the time zone database, such as Europe/Berlin. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^[A-Za-z]/.test(name) && name.length <= 64;
  } catch {
    // Intl throws for an unknown name.
    return false;
  }
}
