import type { PlainInstruction } from "./acts.ts";
import type { ChainPayment, ChainReader } from "./port.ts";

/** The offices of an operator account. */
export const OFFICES = ["authority", "arbiter"] as const;
export type Office = (typeof OFFICES)[number];

/** A person's command on chain; each is one transaction that one key signs. */
export type ToolAction =
  | { readonly kind: "create_operator"; readonly signer: string; readonly arbiter: string }
  /** `key` null: withdraws the proposal. */
  | { readonly kind: "propose"; readonly signer: string; readonly office: Office; readonly key: string | null }
  | { readonly kind: "accept"; readonly signer: string; readonly office: Office }
  /** `total`: the sender's total in the end, in digits. */
  | { readonly kind: "resolve"; readonly signer: string; readonly payment: ChainPayment; readonly total: string }
  | { readonly kind: "pay_out"; readonly signer: string; readonly payment: ChainPayment; readonly side: PayoutSide };
export type PayoutSide = "sender" | "recipient";

/** The chain as the operator's and the arbiter's commands use it: build, simulate, then print or sign and send. */
export interface ChainTool {
  readonly reader: ChainReader;
  readonly programId: string;
  /** Base58 of the operator account the commands are about. */
  readonly operator: string;
  /** Drafts the transaction, with its signer as fee payer; throws {@link TransactionRefusedError}. */
  draft(action: ToolAction, signal: AbortSignal): Promise<DraftedAction>;
  /**
   * Signs with the key of a Solana key file, sends, and waits until it is confirmed. Returns the signature. Throws {@link
   * TransactionRefusedError} before anything is sent, and {@link TransactionUnknownError} if it may yet land.
   */
  send(action: ToolAction, key: Uint8Array, signal: AbortSignal): Promise<string>;
}

/** An action for the holder of its key. */
export interface DraftedAction {
  /** In base64, without signatures. It ends with its blockhash. */
  readonly transaction: string;
  /** The same for a multisignature, whose tools make a transaction of their own. */
  readonly instructions: readonly PlainInstruction[];
}

/**
 * Opens the tool of an environment, for the configured operator account or that of a first authority, which need not exist
 * yet.
 */
export type OpenChainTool = (options: {
  readonly environment: "test" | "live";
  readonly ofAuthority: string | null;
  /** Micro-lamports a compute unit, on top of the fee every transaction pays. */
  readonly unitPrice: bigint;
}) => Promise<ChainTool>;

/** The transaction would fail, or has failed; the message says why in words. */
export class TransactionRefusedError extends Error {
  override readonly name = "TransactionRefusedError";
}

/** The transaction was sent, and it is not known yet if it lands; the message names the signature. */
export class TransactionUnknownError extends Error {
  override readonly name = "TransactionUnknownError";
}
