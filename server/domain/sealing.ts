/** Encrypts secrets that must be readable again with the deployment's keys, bound to their owner. */
export interface Sealing {
  seal(boundTo: string, text: string): string;
  open(boundTo: string, sealed: string): string;
  /** The start of every text that is sealed now; a text with another one is sealed under an older key. */
  readonly prefix: string;
}

/** Is told of a secret that cannot be opened, while others are sealed again. */
export type OnUnreadable = (what: string, error: unknown) => void;

/** A stored secret. `what` names it for the operator. */
export interface SealedSecret {
  readonly what: string;
  readonly boundTo: string;
  readonly sealed: string;
}

/** The start of no sealed text: versions begin at 1. */
export const NO_PREFIX = "v0.";
