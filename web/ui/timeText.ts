const OF_TODAY = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const OF_THIS_YEAR = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});
const DATED = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
/** A phone shows no tooltip, so the text itself names the zone. */
const ZONED = new Intl.DateTimeFormat(undefined, {
  ...{ year: "numeric", month: "short", day: "numeric" },
  ...{ hour: "numeric", minute: "2-digit", timeZoneName: "short" },
});
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/** A time in the reader's zone, in a sentence or a fact: "Nov 22, 2026, 10:47 PM GMT+1". */
export const datedText = (date: Date): string => ZONED.format(date);

/** The same in a row of a list: today with seconds and without the day, this year without the year. */
export function rowText(date: Date, now: Date): string {
  if (date.toDateString() === now.toDateString()) return OF_TODAY.format(date);
  return date.getFullYear() === now.getFullYear() ? OF_THIS_YEAR.format(date) : DATED.format(date);
}

/** The exact time, with its zone and in the API's form. */
export const exactText = (date: Date): string => `${EXACT.format(date)} (${date.toISOString()})`;

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;
const inUnits = (count: number, unit: (typeof UNITS)[number][0]): string =>
  new Intl.NumberFormat(undefined, { style: "unit", unit, unitDisplay: "long" }).format(count);

/** A wait in its two largest units, rounded down: "2 days 7 hours"; at least a minute. */
export function waitText(ms: number): string {
  const first = UNITS.findIndex(([, length]) => ms >= length);
  if (first === -1) return inUnits(1, "minute");
  let left = ms;
  const counts = UNITS.slice(first, first + 2).map(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return [count, unit] as const;
  });
  return counts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => inUnits(count, unit))
    .join(" ");
}
