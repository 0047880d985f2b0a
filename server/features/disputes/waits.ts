import { BEFORE_LAPSE_MS, REPLY_MS } from "@holdfast/ui/disputeStatus.ts";

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** The waits that the operator may set. A dispute keeps those it began with (§4.18.12). */
export interface Waits {
  /** Both sides talk for this long after the opening. */
  readonly answerDays: number;
  /** The arbiter means to decide within this time, and at least {@link BEFORE_LAPSE_MS} before the lapse on chain. */
  readonly decideDays: number;
  /** An agreement fails if the chain does not show it within this time. */
  readonly agreementDays: number;
}
export const DEFAULT_WAITS: Waits = { answerDays: 5, decideDays: 14, agreementDays: 7 };
/** The bounds of each, as in the database. */
export const WAITS_BOUNDS: Readonly<Record<keyof Waits, readonly [min: number, max: number]>> = {
  answerDays: [3, 14],
  decideDays: [7, 30],
  agreementDays: [3, 14],
};
/** The end of talking is never later than this after the opening. */
export const ANSWER_MS_MAX = 14 * DAY_MS;
export { BEFORE_LAPSE_MS, REPLY_MS };
/** A question of the arbiter gives both sides this long to answer; a dispute has two of them. */
export const QUESTION_MS = 3 * DAY_MS;
export const QUESTIONS_MAX = 2;
/** Files that go with the one word of a side while the arbiter decides follow it within this time. */
export const FILE_AFTER_WORD_MS = HOUR_MS;

export const earlier = (one: Date, other: Date): Date => (one < other ? one : other);
export const later = (one: Date, other: Date): Date => (one > other ? one : other);
export const after = (time: Date, ms: number): Date => new Date(time.getTime() + ms);
/** The day of UTC, in days since 1970. */
export const dayOf = (time: Date): number => Math.floor(time.getTime() / DAY_MS);

export const decideByOf = (decidingAt: Date, resolveBy: Date, { decideDays }: Pick<Waits, "decideDays">): Date =>
  earlier(after(decidingAt, decideDays * DAY_MS), after(resolveBy, -BEFORE_LAPSE_MS));
