import * as texts from "../catalogue/index.ts";

/** The lifetimes of an intent that the page offers, in minutes; the command line accepts any. */
const OFFERED = [15, 30, 60, 180, 360, 720, 1_440, 2_880, 4_320, 10_080];

/** A lifetime in words, such as "15 minutes", "1 hour", "36 hours" or "3 days". */
export function describeLifetime(minutes: number | null): string {
  if (minutes === null) return texts.profile.lifetimeDefault;
  if (minutes % 1_440 === 0) return texts.profile.duration(minutes / 1_440, "day");
  return minutes % 60 === 0 ? texts.profile.duration(minutes / 60, "hour") : texts.profile.duration(minutes, "minute");
}

/** The options of a field, with the present value among them. */
export function lifetimeOptions(present: number | null): readonly (readonly [value: string, text: string])[] {
  const all = present === null || OFFERED.includes(present) ? OFFERED : [...OFFERED, present].sort((a, b) => a - b);
  return [
    ["", texts.profile.lifetimeDefault],
    ...all.map((minutes) => [String(minutes), describeLifetime(minutes)] as const),
  ];
}
