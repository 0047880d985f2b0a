/** Lifetimes of an intent that are worth offering, in minutes; the command line takes any. */
const OFFERED = [15, 30, 60, 180, 360, 720, 1_440, 2_880, 4_320, 10_080];

const DEPLOYMENT = "As this deployment sets it";

/** Such as "15 minutes", "1 hour", "36 hours" or "3 days". */
export function describeLifetime(minutes: number | null): string {
  if (minutes === null) return DEPLOYMENT;
  const [count, unit] =
    minutes % 1_440 === 0
      ? [minutes / 1_440, "day"]
      : minutes % 60 === 0
        ? [minutes / 60, "hour"]
        : [minutes, "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** What a field offers: the present value is among it. */
export function lifetimeOptions(present: number | null): readonly (readonly [value: string, text: string])[] {
  const all = present === null || OFFERED.includes(present) ? OFFERED : [...OFFERED, present].sort((a, b) => a - b);
  return [["", DEPLOYMENT], ...all.map((minutes) => [String(minutes), describeLifetime(minutes)] as const)];
}
