const OF_TODAY = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const OF_THIS_YEAR = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});
const DATED = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/** A time in the reader's zone, in a sentence or a fact: "Nov 22, 2026, 10:47 PM". */
export const datedText = (date: Date): string => DATED.format(date);

/** The same in a row of a list: today with seconds and without the day, this year without the year. */
export function rowText(date: Date, now: Date): string {
  if (date.toDateString() === now.toDateString()) return OF_TODAY.format(date);
  return date.getFullYear() === now.getFullYear() ? OF_THIS_YEAR.format(date) : DATED.format(date);
}

/** The exact time, with its zone and in the API's form. */
export const exactText = (date: Date): string => `${EXACT.format(date)} (${date.toISOString()})`;
