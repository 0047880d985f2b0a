import * as texts from "../catalogue/index.ts";

const MINUTE_MS = 60_000;

/** A wait in its two largest units, such as "6 d 23 h". It never claims more than is left. */
export function waitText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  if (days > 0) return texts.paymentLists.waits.days(days, hours);
  return hours > 0 ? texts.paymentLists.waits.hours(hours, minutes % 60) : texts.paymentLists.waits.minutes(minutes);
}

/** The part of a period that has passed, in percent. */
export const elapsedPercent = (from: string, to: string, now: number): number => {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return end <= start ? 100 : Math.min(100, Math.max(0, Math.round(((now - start) / (end - start)) * 100)));
};
