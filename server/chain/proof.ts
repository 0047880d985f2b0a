import type { PlainInstruction } from "./actions.ts";

/** A signed transaction that is never sent: one memo, and nothing else that could have an effect. */
export interface SignedMemo {
  readonly text: string;
  /** The only signer, which would also pay the network's fee. */
  readonly signer: string;
}

/** A memo for an account to sign. */
export interface MemoCommand {
  readonly account: string;
  readonly text: string;
}

export interface BuiltMemo {
  /** Version 0, unsigned, in base64. */
  readonly transaction: string;
  /** For a wallet whose program signs. */
  readonly instructions: readonly PlainInstruction[];
}
