// What a page needs of a wallet of the Wallet Standard: https://github.com/wallet-standard/wallet-standard
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
  readonly "solana:signAndSendTransaction"?: {
    /** A wallet of our own may find only then that it cannot send, and gives what it signed. */
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
  /** Stands for the apps of this phone: of several wallets it comes last, since it may find no app. */
  readonly isApp?: true;
  /** How it is called in a list; default: its name. */
  readonly label?: string;
  /** Ends what was opened for one payment. */
  readonly close?: () => void;
}

/** Nothing was sent, and nothing signed can land: thrown by wallets of our own, which know. */
export class NothingSentError extends Error {
  override readonly name = "NothingSentError";
  /** The name of the text that says why; null: only the message does. */
  readonly text: string | null;
  constructor(text: string | null, message = text ?? "") {
    super(message);
    this.text = text;
  }
}
