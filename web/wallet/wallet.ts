// The part of a wallet of the Wallet Standard that a page uses: https://github.com/wallet-standard/wallet-standard
export interface WalletAccount {
  readonly address: string;
  readonly chains: readonly string[];
}

interface SolanaInput {
  readonly account: WalletAccount;
  readonly chain: string;
  readonly transaction: Uint8Array;
}

interface Features {
  readonly "standard:connect"?: {
    connect(input?: { silent?: boolean }): Promise<{ readonly accounts: readonly WalletAccount[] }>;
  };
  readonly "solana:signTransaction"?: {
    signTransaction(...inputs: SolanaInput[]): Promise<readonly { readonly signedTransaction: Uint8Array }[]>;
  };
  readonly "solana:signMessage"?: {
    signMessage(
      ...inputs: { readonly account: WalletAccount; readonly message: Uint8Array }[]
    ): Promise<readonly { readonly signedMessage: Uint8Array; readonly signature: Uint8Array }[]>;
  };
  readonly "solana:signAndSendTransaction"?: {
    /** A wallet of our own may learn only here that it cannot send, and returns the signed bytes. */
    signAndSendTransaction(
      ...inputs: SolanaInput[]
    ): Promise<readonly ({ readonly signature: Uint8Array } | { readonly signedTransaction: Uint8Array })[]>;
  };
}

export interface Wallet {
  readonly name: string;
  /** A data: address of an image. */
  readonly icon: string;
  readonly chains: readonly string[];
  readonly accounts: readonly WalletAccount[];
  readonly features: Features;
  /** Represents the apps of this phone. It comes last among several wallets, since it may find no app. */
  readonly isApp?: true;
  /** The name in a list; default: its name. */
  readonly label?: string;
  /** Ends the connections of one payment. */
  readonly close?: () => void;
}

/** The transaction was not sent, and cannot land: thrown by wallets of our own, which know. */
export class NothingSentError extends Error {
  override readonly name = "NothingSentError";
  /** The name of the text with the reason; null: only the message has it. */
  readonly text: string | null;
  constructor(text: string | null, message = text ?? "") {
    super(message);
    this.text = text;
  }
}
