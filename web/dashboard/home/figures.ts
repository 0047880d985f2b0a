import type { AssetOverview, DaySum } from "../api/schema.ts";

const DAY_MS = 86_400_000;
/** Today and the next thirty days. */
const RELEASE_DAYS = 31;
/** The weeks of each of the two lines. */
export const LINE_WEEKS = 12;

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The reader's midnight of a day of UTC in seconds, so that a chart shows the same date in every zone. */
export function secondsOf(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date).getTime() / 1_000;
}

/** The days from `first` on, each `step` days after the one before, with what the points have for them. */
function fillDays(points: readonly DaySum[], first: string, count: number, step = 1): DaySum[] {
  const found = new Map(points.map((point) => [point.from, point]));
  return Array.from({ length: count }, (_, place) => {
    const from = addDays(first, place * step);
    return found.get(from) ?? { from, amount: "0", payments: 0 };
  });
}

/** Today and the days after it. */
export const releaseDays = ({ releases }: AssetOverview, today: string): DaySum[] =>
  fillDays(releases, today, RELEASE_DAYS);

/** The weeks of both lines, oldest first. */
export function volumeWeeks(weeks: readonly DaySum[], today: string): DaySum[] {
  const monday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7));
  return fillDays(weeks, addDays(monday, -7 * (2 * LINE_WEEKS - 1)), 2 * LINE_WEEKS, 7);
}

export const sumOf = (points: readonly DaySum[]): string =>
  String(points.reduce((sum, { amount }) => sum + BigInt(amount), 0n));

/** An amount as a number of whole tokens, for a chart alone. */
export const heightOf = ({ amount }: DaySum, decimals: number | null): number => Number(amount) / 10 ** (decimals ?? 0);

export interface TimeLeft {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
}

/** The time from one time to another in whole minutes; null if it has passed. */
export function timeLeft(from: string, until: string): TimeLeft | null {
  const minutes = Math.floor((Date.parse(until) - Date.parse(from)) / 60_000);
  return minutes < 0
    ? null
    : { days: Math.floor(minutes / 1_440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 };
}
