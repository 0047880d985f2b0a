import type { PlainInstruction } from "./actions.ts";

/** A memo of a transaction that landed: the only one in it (§16.2). */
export interface LandedMemo {
  readonly text: string;
  /**
   * The accounts that signed the memo itself. A signer of the transaction counts only for a memo of the message's own,
   * beside nothing but the opening of a dispute: elsewhere a program that was called for another purpose could have written
   * it. The account of a smart wallet, which its program signs for, counts at any depth.
   */
  readonly signers: readonly string[];
}

/** A signed transaction that is never sent: one memo, and nothing else that could have an effect. */
export interface SignedMemo {
  readonly text: string;
  /** The only signer, which would also pay the network's fee. */
  readonly signer: string;
}

/** A memo for an account to sign. */
export interface MemoOrder {
  readonly account: string;
  readonly text: string;
}

export interface BuiltMemo {
  /** Version 0, unsigned, in base64. */
  readonly transaction: string;
  /** For a wallet whose program signs. */
  readonly instructions: readonly PlainInstruction[];
}
