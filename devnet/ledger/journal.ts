import type { Entry } from "./history.ts";
import { countBefore } from "./numbers.ts";
import type { Image } from "./vm.ts";
import type { WireTransaction } from "./wire.ts";

/** A transaction that may still be taken back, with the accounts it changed as they were before and after. */
export interface Step {
  readonly entry: Entry;
  readonly wire: WireTransaction;
  readonly keys: readonly string[];
  readonly logs: readonly string[];
  readonly before: ReadonlyMap<string, Image | null>;
  readonly after: ReadonlyMap<string, Image | null>;
}

/** The undo journal: every step newer than the finalized slot, oldest first. It also answers reads at an older commitment. */
export class Journal {
  #steps: Step[] = [];
  readonly #byAddress = new Map<string, Step[]>();

  get size(): number {
    return this.#steps.length;
  }

  push(step: Step): void {
    this.#steps.push(step);
    for (const address of step.before.keys()) {
      const list = this.#byAddress.get(address);
      if (list) list.push(step);
      else this.#byAddress.set(address, [step]);
    }
  }

  /** Drops the steps up to this slot: they are final. */
  settle(finalizedSlot: number): void {
    let count = 0;
    while (count < this.#steps.length && this.#steps[count]!.entry.slot <= finalizedSlot) count++;
    if (count > 0) this.#forget(this.#steps.splice(0, count));
  }

  /** Takes the step of this signature and every later one out, oldest first; null when it is not in the journal. */
  takeFrom(signature: string): Step[] | null {
    const at = this.#steps.findIndex((step) => step.entry.signature === signature);
    if (at < 0) return null;
    const taken = this.#steps.splice(at);
    this.#forget(taken);
    return taken;
  }

  #forget(steps: readonly Step[]): void {
    const gone = new Set(steps);
    const touched = new Set(steps.flatMap((step) => [...step.before.keys()]));
    for (const address of touched) {
      const kept = (this.#byAddress.get(address) ?? []).filter((one) => !gone.has(one));
      if (kept.length) this.#byAddress.set(address, kept);
      else this.#byAddress.delete(address);
    }
  }

  /** The account as it stood at the end of the slot; undefined when nothing changed it since. */
  imageAt(address: string, slot: number): Image | null | undefined {
    const list = this.#byAddress.get(address) ?? [];
    return list[countBefore(list, ({ entry }) => entry.slot <= slot)]?.before.get(address);
  }

  /** The addresses changed after the slot. */
  changedAfter(slot: number): Set<string> {
    const changed = new Set<string>();
    for (const step of this.stepsBetween(slot, Number.MAX_SAFE_INTEGER))
      for (const address of step.before.keys()) changed.add(address);
    return changed;
  }

  /** The steps after one slot and up to another. */
  stepsBetween(after: number, upTo: number): Step[] {
    return this.#steps.filter(({ entry }) => entry.slot > after && entry.slot <= upTo);
  }
}
