/** Up to this number of values are drawn as bars, since a single one stays visible; more make a line. */
const BARS_MAX = 60;
/** The height of the lowest bar, in parts of the scale: a small value and a 0 are visible, above 0 like all others. */
const BAR_LEAST = 0.03;

type Values = readonly (number | null)[];

/** Values beside those of an earlier time are lines, however few. */
export const hasBars = (values: Values, earlier: Values | undefined): boolean =>
  earlier === undefined && values.length <= BARS_MAX;

/** The end of an axis, somewhat above the highest value. */
export const topOf = (max: number | undefined, most: number): number => max ?? (most > 0 ? most * 1.1 : 1);

/** The times that an axis names: every so many from the first, each with `space` pixels, so that each stands below its value. */
export function ticksOf(at: readonly number[], width: number, space: number): number[] {
  const step = Math.max(1, Math.ceil((at.length * space) / Math.max(1, width)));
  return at.filter((_, place) => place % step === 0);
}

/** The heights of bars on a scale that begins at 0. */
export function barHeights(values: Values, max: number | undefined): (number | null)[] {
  const least = BAR_LEAST * topOf(max, Math.max(0, ...values.map((value) => value ?? 0)));
  return values.map((value) => (value === null ? null : Math.max(value, least)));
}
