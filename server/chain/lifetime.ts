import { type JsonText, showObject } from "../domain/show.ts";

/**
 * The last block heights at which the transactions of builds can land, by their blockhashes, for all processes. A build
 * is saved before its transaction leaves the service.
 */
export interface Lifetimes {
  save(blockhash: string, lastValidBlockHeight: bigint): Promise<unknown>;
  /** Returns null if no build of this deployment names the blockhash, or if it was pruned. */
  find(blockhash: string): Promise<bigint | null>;
}

/** For a process that remembers its own builds alone. */
export const NO_LIFETIMES: Lifetimes = { save: async () => undefined, find: async () => null };

/**
 * A judgment tells if a transaction can land, by the heights of the chain's final blocks and never by a clock. `live`: it may
 * still land, and `msLeft` estimates for how long. `landed`, `failed`: the chain has it. `ended`: it can never land.
 */
export type TransactionLife =
  | { readonly kind: "live"; readonly msLeft: number }
  | { readonly kind: "landed" | "failed" }
  /** As of a final slot. */
  | { readonly kind: "ended"; readonly slot: number };

/** True if it has no time left, also where the blocks that show it are not final yet. */
export const isTooLate = (life: TransactionLife): boolean =>
  life.kind === "ended" || (life.kind === "live" && life.msLeft === 0);

/** §4.14.11. */
export const showLife = (life: TransactionLife): JsonText =>
  showObject({
    object: "transaction_life",
    status: life.kind,
    msLeft: life.kind === "live" ? Math.round(life.msLeft) : null,
  });
