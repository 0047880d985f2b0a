/**
 * A bounded map that forgets entries not used for a while; it always keeps the half of its size used last.
 *
 * It has two generations instead of one order of use: an order takes a deletion and an insertion for each hit, and these
 * make V8 allocate a small map's table again each time, in the old space where the map lives.
 */
export class Lru<Key, Value> {
  #recent = new Map<Key, Value>();
  #before = new Map<Key, Value>();
  readonly #recentMax: number;

  constructor(sizeMax: number) {
    this.#recentMax = Math.ceil(sizeMax / 2);
  }

  get(key: Key): Value | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const before = this.#before.get(key);
    if (before !== undefined) this.set(key, before);
    return before;
  }

  set(key: Key, value: Value): void {
    if (this.#recent.size >= this.#recentMax && !this.#recent.has(key)) {
      this.#before = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }
}
