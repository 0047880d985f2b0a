import type { Failure } from "./failures.ts";
import type { Place } from "./log.ts";
import { countBefore } from "./numbers.ts";

/** A landed transaction in the index; its wire bytes and meta stay in the log at `place`. */
export interface Entry {
  readonly signature: string;
  readonly slot: number;
  /** Unix seconds of its slot. */
  readonly time: number;
  readonly failure: Failure | null;
  readonly memo: string | null;
  /** Rises by one with every transaction that lands: the order within a slot. */
  readonly order: number;
  readonly place: Place;
}

export interface PageQuery {
  readonly before?: string;
  readonly until?: string;
  readonly limit: number;
  /** The newest slot of the page. */
  readonly newestSlot: number;
}

/** Indexes landed transactions by signature and by address, in order of landing. */
export class History {
  readonly #bySignature = new Map<string, Entry>();
  readonly #byAddress = new Map<string, Entry[]>();
  #order = 0;

  get size(): number {
    return this.#bySignature.size;
  }

  /** Entries arrive in order of slot; `keys` are all the accounts the transaction names, looked-up ones too. */
  add(entry: Omit<Entry, "order">, keys: readonly string[]): Entry {
    const placed = { ...entry, order: ++this.#order };
    this.#bySignature.set(entry.signature, placed);
    for (const key of keys) {
      const list = this.#byAddress.get(key);
      if (list) list.push(placed);
      else this.#byAddress.set(key, [placed]);
    }
    return placed;
  }

  /** Takes out transactions that are among the newest. */
  remove(signatures: readonly string[]): void {
    const gone = new Set<Entry>();
    for (const signature of signatures) {
      const entry = this.#bySignature.get(signature);
      if (entry) gone.add(entry);
      this.#bySignature.delete(signature);
    }
    const oldest = Math.min(...[...gone].map((entry) => entry.order));
    for (const [key, list] of this.#byAddress) {
      if (list.at(-1)!.order < oldest) continue;
      const kept = list.filter((entry) => !gone.has(entry));
      if (kept.length) this.#byAddress.set(key, kept);
      else this.#byAddress.delete(key);
    }
  }

  find = (signature: string): Entry | null => this.#bySignature.get(signature) ?? null;

  /** Returns a page, newest first. A `before` that is newer than the slot makes it empty, and such an `until` bounds nothing. */
  page(address: string, { before, until, limit, newestSlot }: PageQuery): Entry[] {
    const known = (signature: string | undefined) => {
      const entry = signature === undefined ? undefined : this.#bySignature.get(signature);
      return entry && entry.slot <= newestSlot ? entry : undefined;
    };
    const from = known(before);
    if (before !== undefined && !from) return [];
    const stop = known(until)?.order ?? 0;
    const list = this.#byAddress.get(address) ?? [];
    const page: Entry[] = [];
    const end = from?.order ?? this.#order + 1;
    for (let at = countBefore(list, ({ order }) => order < end) - 1; at >= 0 && page.length < limit; at--) {
      const entry = list[at]!;
      if (entry.order <= stop) break;
      if (entry.slot <= newestSlot) page.push(entry);
    }
    return page;
  }
}
