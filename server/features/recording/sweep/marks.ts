import type { Mark, Progress } from "./queries.ts";

/** Some minutes of busy passes. Beyond it every second mark is dropped, so that their distances double. */
const MARKS_MAX = 512;

/**
 * The points of the history up to which passes of the feed have put everything into the inbox. The watermark moves to the
 * newest one whose lines are all processed, whatever has come behind them. In memory only: after a restart
 * the next passes set new ones.
 */
export class Marks {
  #marks: Mark[] = [];

  add(mark: Mark): void {
    this.#marks.push(mark);
    if (this.#marks.length > MARKS_MAX) this.#marks = this.#marks.filter((_, at) => at % 2 === 0);
  }

  /** Takes the newest mark below the oldest open slot, and forgets those that it replaces. Null: there is none yet. */
  take(openSlot: number | null): Progress | null {
    const passed = this.#marks.filter(({ listedSlot }) => openSlot === null || listedSlot < openSlot);
    if (passed.length === 0) return null;
    const newest = passed.reduce((one, other) => (other.slot > one.slot ? other : one));
    // A node that lags may have set a lower one later.
    this.#marks = this.#marks.filter(({ slot }) => slot > newest.slot);
    return newest;
  }
}
