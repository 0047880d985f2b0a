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
    signAndSendTransaction(...inputs: SolanaInput[]): Promise<readonly { readonly signature: Uint8Array }[]>;
  };
}

export interface Wallet {
  readonly name: string;
  /** A data: address of an image. */
  readonly icon: string;
  readonly chains: readonly string[];
  readonly accounts: readonly WalletAccount[];
  readonly features: Features;
}
