import { ApiError } from "../../domain/errors.ts";

/**
 * Exports under way at once in this process, of a user, of a business and of all: each keeps one connection to the database
 * busy, and no business can take all places from the others.
 */
const OF_USER_MAX = 2;
const OF_BUSINESS_MAX = 3;
const AT_ONCE_MAX = 6;
const RETRY_SECONDS = 10;

/** The exports under way in this process. */
export class UnderWay {
  readonly #counts = new Map<string, number>();
  #all = 0;

  /** Counts an export; returns the function that ends it. Throws if there are too many. */
  begin({ userId, businessId }: { readonly userId: string; readonly businessId: string }): () => void {
    const [ofUser, ofBusiness] = [this.#count(userId), this.#count(businessId)];
    const whose =
      ofUser >= OF_USER_MAX
        ? `You have ${OF_USER_MAX} exports`
        : ofBusiness >= OF_BUSINESS_MAX
          ? `Members of this business have ${OF_BUSINESS_MAX} exports`
          : this.#all >= AT_ONCE_MAX
            ? "Too many exports are"
            : null;
    if (whose !== null)
      throw new ApiError(
        "rate_limited",
        `${whose} under way. Wait until one has ended.`,
        {},
        { retryAfterSeconds: RETRY_SECONDS },
      );
    this.#add(userId, 1);
    this.#add(businessId, 1);
    this.#all += 1;
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      this.#all -= 1;
      this.#add(userId, -1);
      this.#add(businessId, -1);
    };
  }

  #count(of: string): number {
    return this.#counts.get(of) ?? 0;
  }

  #add(of: string, difference: number): void {
    const count = this.#count(of) + difference;
    if (count === 0) this.#counts.delete(of);
    else this.#counts.set(of, count);
  }
}

/** The wait for a reader after which its pace is judged. */
const JUDGED_MS = 60_000;
/** 16 kB a second, a tenth of a slow line: whoever takes less keeps a place from others. */
const CHARACTERS_PER_MS_MIN = 16;

/** The pace at which a reader takes an export. */
export class ReaderPace {
  #characters = 0;
  #waitedMs = 0;

  /** Counts a part that the reader has taken after a wait. Throws if the reader is too slow, which is no failure of the service. */
  add(characters: number, waitedMs: number): void {
    this.#characters += characters;
    this.#waitedMs += waitedMs;
    if (this.#waitedMs > JUDGED_MS && this.#characters < this.#waitedMs * CHARACTERS_PER_MS_MIN)
      throw new DOMException("The reader of an export is too slow.", "AbortError");
  }
}
