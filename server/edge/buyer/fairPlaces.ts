/** Something under way that takes a place. */
interface Holder {
  /** The parties that it counts for, each kind at the same index: its networks, the side of a dispute. */
  readonly parties: readonly string[];
  /** Its part of the room. */
  readonly size: number;
  /** Ends it, since others need the room. */
  readonly end: () => void;
}

/** The holdings of a party. */
interface Held {
  readonly party: string;
  size: number;
  /** Its holders that can be ended, the oldest first. */
  readonly endable: Set<Holder>;
}

/**
 * Room for what is under way in this process. Who asks while it is full gets the room of the party that holds the most, if
 * that one still holds as much afterwards as the one who asks: so nobody keeps others out by holding all of it.
 */
export class FairPlaces {
  readonly #holders = new Set<Holder>();
  readonly #held = new Map<string, Held>();
  /** The parties of each kind, who holds most first. */
  readonly #ranked: Held[][] = [];
  readonly #sizeMax: number;
  #size = 0;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  /** The room that a party holds; `kind` is the index of its kind. */
  heldBy(kind: number, party: string | undefined): number {
    return this.#held.get(`${kind} ${party}`)?.size ?? 0;
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

  /** From now on the holder makes room for nobody; its room counts until it is given back. */
  keep(holder: Holder): void {
    for (const [kind, party] of holder.parties.entries()) this.#held.get(`${kind} ${party}`)?.endable.delete(holder);
  }

  #findGreedier({ parties, size }: Holder): Holder | null {
    let [found, most]: [Holder | null, number] = [null, size];
    for (const [kind, ranked] of this.#ranked.entries()) {
      const greediest = ranked.find(({ party, endable }) => party !== parties[kind] && endable.size > 0);
      if (greediest === undefined) continue;
      const [one] = greediest.endable;
      const more = greediest.size - one!.size - this.heldBy(kind, parties[kind]);
      if (more >= most) [found, most] = [one!, more + 1];
    }
    return found;
  }

  #remove(holder: Holder): void {
    if (this.#holders.delete(holder)) this.#count(holder, -holder.size);
  }

  #count(holder: Holder, by: number): void {
    this.#size += by;
    for (const [kind, party] of holder.parties.entries()) {
      const name = `${kind} ${party}`;
      const held = this.#held.get(name) ?? { party, size: 0, endable: new Set() };
      this.#ranked[kind] ??= [];
      const ranked = this.#ranked[kind];
      if (held.size > 0) ranked.splice(ranked.indexOf(held, firstBelow(ranked, held.size + 1)), 1);
      held.size += by;
      if (by > 0) held.endable.add(holder);
      else held.endable.delete(holder);
      if (held.size > 0) {
        this.#held.set(name, held);
        ranked.splice(firstBelow(ranked, held.size), 0, held);
      } else this.#held.delete(name);
    }
  }
}

/** The index of the first party that holds less. */
function firstBelow(ranked: readonly Held[], size: number): number {
  let [from, to] = [0, ranked.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ranked[middle]!.size < size) to = middle;
    else from = middle + 1;
  }
  return from;
}
