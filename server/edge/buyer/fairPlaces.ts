/** Something under way that takes a place. */
interface Holder {
  /** The parties that it counts for, each kind at the same index: its networks, the side of a dispute. */
  readonly parties: readonly string[];
  /** Its part of the room. */
  readonly size: number;
  /** Ends it, since others need the room. */
  readonly end: () => void;
}

/**
 * Room for what is under way in this process. Who asks while it is full gets the room of the party that holds the most, if
 * that one still holds as much afterwards as the one who asks: so nobody keeps others out by holding all of it.
 */
export class FairPlaces {
  readonly #holders = new Set<Holder>();
  readonly #held = new Map<string, number>();
  readonly #sizeMax: number;
  #size = 0;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  /** The room that a party holds; `kind` is the index of its kind. */
  heldBy(kind: number, party: string | undefined): number {
    return this.#held.get(`${kind} ${party}`) ?? 0;
  }

  /** Takes room. Returns the function that gives it back; null if there is none, and nobody has to make room. */
  take(holder: Holder): (() => void) | null {
    while (this.#size + holder.size > this.#sizeMax) {
      const other = this.#findGreedier(holder);
      if (other === null) return null;
      this.#remove(other);
      other.end();
    }
    this.#holders.add(holder);
    this.#count(holder, holder.size);
    return () => this.#remove(holder);
  }

  #findGreedier({ parties, size }: Holder): Holder | null {
    let [found, most]: [Holder | null, number] = [null, size];
    for (const one of this.#holders)
      for (const [kind, party] of one.parties.entries()) {
        if (party === parties[kind]) continue;
        const more = this.heldBy(kind, party) - one.size - this.heldBy(kind, parties[kind]);
        if (more >= most) [found, most] = [one, more + 1];
      }
    return found;
  }

  #remove(holder: Holder): void {
    if (this.#holders.delete(holder)) this.#count(holder, -holder.size);
  }

  #count({ parties }: Holder, by: number): void {
    this.#size += by;
    for (const [kind, party] of parties.entries()) {
      const held = this.heldBy(kind, party) + by;
      if (held > 0) this.#held.set(`${kind} ${party}`, held);
      else this.#held.delete(`${kind} ${party}`);
    }
  }
}
