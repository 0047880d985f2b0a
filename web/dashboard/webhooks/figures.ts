import type { WebhookHour } from "../api/schema.ts";

/** The spans of the charts, in days. */
export const SPANS = ["1", "7", "30"] as const;
export type SpanDays = (typeof SPANS)[number];

const HOUR_MS = 3_600_000;
const HOUR_SECONDS = 3_600;

/** Returns the span that the URL names; a week for any other text. */
export const spanOf = (days: string | undefined): SpanDays => SPANS.find((span) => span === days) ?? "7";

/** Hours in the form of charts: an entry for each hour from the first with an attempt on, also for hours without one. */
export interface Series {
  /** Seconds since 1970. */
  readonly at: readonly number[];
  /** Per cent; null: no attempt ended. */
  readonly successRate: readonly (number | null)[];
  /** Milliseconds, on average. */
  readonly answered: readonly (number | null)[];
  /** Milliseconds from the event to its first attempt, on average; null: no first attempt ended. */
  readonly waited: readonly (number | null)[];
}

export function seriesOf(hours: readonly WebhookHour[], fromMs: number, nowMs: number): Series {
  const begin = Math.max(fromMs, Math.min(nowMs, ...hours.map(({ hour }) => Date.parse(hour))));
  const firstMs = Math.floor(begin / HOUR_MS) * HOUR_MS;
  const byHour = new Map(hours.map((hour) => [Date.parse(hour.hour) / 1_000, hour]));
  const count = Math.max(0, Math.floor((nowMs - firstMs) / HOUR_MS) + 1);
  const at = Array.from({ length: count }, (_, place) => firstMs / 1_000 + place * HOUR_SECONDS);
  const each = (value: (hour: WebhookHour) => number | null) =>
    at.map((seconds) => {
      const hour = byHour.get(seconds);
      return hour === undefined ? null : value(hour);
    });
  return { at, successRate: each(successRate), answered: each(answeredMs), waited: each(waitedMs) };
}

type Sums = Pick<WebhookHour, "attempts" | "succeeded" | "tookMs" | "tookMsMax" | "firstAttempts" | "waitedMs">;

export const successRate = ({ attempts, succeeded }: Sums): number | null =>
  attempts === 0 ? null : (100 * succeeded) / attempts;
export const answeredMs = ({ attempts, tookMs }: Sums): number | null => (attempts === 0 ? null : tookMs / attempts);
export const waitedMs = ({ firstAttempts, waitedMs: total }: Sums): number | null =>
  firstAttempts === 0 ? null : total / firstAttempts;

/** Returns the sum of all hours. */
export const sumOf = (hours: readonly WebhookHour[]): Sums =>
  hours.reduce<Sums>(
    (sum, hour) => ({
      attempts: sum.attempts + hour.attempts,
      succeeded: sum.succeeded + hour.succeeded,
      tookMs: sum.tookMs + hour.tookMs,
      tookMsMax: Math.max(sum.tookMsMax, hour.tookMsMax),
      firstAttempts: sum.firstAttempts + hour.firstAttempts,
      waitedMs: sum.waitedMs + hour.waitedMs,
    }),
    { attempts: 0, succeeded: 0, tookMs: 0, tookMsMax: 0, firstAttempts: 0, waitedMs: 0 },
  );

const RATE = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Rounds down: 100 % appears only if no attempt failed. */
export const showRate = (percent: number | null): string =>
  percent === null ? "–" : `${RATE.format(Math.floor(percent * 10) / 10)} %`;

const UNITS = [
  ["h", HOUR_MS],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** Shows a time in the largest unit that it fills, with a decimal below ten. */
export function showDuration(ms: number | null): string {
  if (ms === null) return "–";
  const [unit, size] = UNITS.find((one) => ms >= one[1]) ?? (["ms", 1] as const);
  const value = ms / size;
  return `${RATE.format(unit === "ms" || value >= 10 ? Math.round(value) : value)} ${unit}`;
}
