// Written by `npm run openapi` from the routes of the buyers' door. Change those, never this file.

export type PaymentWanted = {
  /** The wallet that is to sign. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly account: string;
  /** True if the deployment may pay the network's costs. */
  readonly sponsored?: boolean;
};

export type GivenTransaction = {
  /** The transaction, in base64. */
  readonly transaction?: string;
};

export type PaymentReport = {
  /** Its signature. Base58 of exactly 64 bytes, which the pattern alone does not say. */
  readonly signature: string;
  /** The transaction, in base64. */
  readonly transaction?: string;
};

export type LifeWanted = {
  /** The transaction, in base64. */
  readonly transaction?: string;
  /** The payment's address, as the build named it. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly payment?: string;
};

export type RequestAccount = {
  /** The wallet that is to sign. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly account: string;
};

export type ActionWanted = {
  /** The action. */
  readonly action: "dispute" | "release" | "refund" | "settle" | "refund_unresolved" | "pay_out_sender" | "pay_out_recipient" | "close";
  /** The wallet that is to sign. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly account: string;
  /** The amount that the buyer has in the end; null: what is bound. */
  readonly total?: string;
  /** True if the deployment may pay the network's costs. */
  readonly sponsored?: boolean;
};

export type Search = {
  /** The wallet, in place of a query. */
  readonly account?: string;
  /** The text. */
  readonly query?: string;
};

export type Address = {
  /** The address. */
  readonly email: string;
};

export type AddressCode = {
  /** The code. */
  readonly code: string;
};

export type NoMembers = Readonly<Record<string, unknown>>;

export type FileInput = {
  /** Its name. */
  readonly name: string;
  /** The bytes that will be sent. */
  readonly size: number;
  /** The SHA-256 of these bytes. */
  readonly sha256: string;
};

export type ChallengeWanted = {
  /** The act that the proof allows. */
  readonly act: "open_session" | "offer" | "accept_offer";
  /** The way in which the wallet proves itself. */
  readonly way: "message" | "transaction" | "memo";
  /** The amount that the buyer has in the end. */
  readonly total?: string;
  /** The offer can be accepted until then. */
  readonly until?: string;
  /** The offer to accept. */
  readonly offer?: string;
};

export type Proof = {
  /** That of the challenge. */
  readonly nonce?: string;
  /** The signature of the text, in base64. */
  readonly signature?: string;
  /** The signed transaction with the memo, in base64. */
  readonly transaction?: string;
  /** The signature of the landed transaction with the memo, in base58. */
  readonly landed?: string;
};

export type Opening = {
  /** The amount that the buyer has in the end. */
  readonly requestedTotal: string;
  /** The reason of the dispute. */
  readonly reason: "not_received" | "not_as_described" | "paid_twice" | "returned_or_canceled" | "other";
  /** Plain text. */
  readonly text: string;
};

export type Statement = {
  /** Plain text. */
  readonly text: string;
};

export type NewOffer = {
  /** The amount that the buyer has in the end. */
  readonly total: string;
  /** The offer can be accepted until then. */
  readonly until: string;
  /** A sentence for the shop. */
  readonly text?: string;
  /** That of the challenge. */
  readonly nonce?: string;
  /** The signature of the text, in base64. */
  readonly signature?: string;
  /** The signed transaction with the memo, in base64. */
  readonly transaction?: string;
  /** The signature of the landed transaction with the memo, in base58. */
  readonly landed?: string;
};

export type OfferAcceptance = {
  /** That of the challenge. */
  readonly nonce?: string;
  /** The signature of the text, in base64. */
  readonly signature?: string;
  /** The signed transaction with the memo, in base64. */
  readonly transaction?: string;
  /** The signature of the landed transaction with the memo, in base58. */
  readonly landed?: string;
};

/** Each POST of a page: its body and its answer. */
export interface Posts {
  /** Builds the transaction by which a wallet pays the intent. */
  "/pay/i/{id}/build": { readonly body: PaymentWanted; readonly answer: {
  readonly object: "checkout_transaction";
  /** The transaction to sign, in base64. */
  readonly transaction: string;
  /** The program accepts the payment until then. */
  readonly notAfter: string;
  /** The arbiter that the payment names. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly arbiter: string;
  /** The hash of the terms text, which the payment names (§4.13). */
  readonly termsHash: string;
  /** The terms text. */
  readonly terms: string;
  /** The address that the payment will have. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly payment: string;
  /** The last height of the chain's blocks at which the transaction can land. */
  readonly lastValidBlockHeight: number;
  /** The cost beside the amount. */
  readonly fee: {
    /** The network's fee. */
    readonly networkLamports: string;
    /** The rent of the payment's record. */
    readonly recordLamports: string;
    /** The rent of its token account. */
    readonly vaultLamports: string;
    /** The rent of the recipient's token account, if it has none yet. */
    readonly tokenAccountLamports: string;
    /** All of these. */
    readonly totalLamports: string;
    /** The part of the record's rent that never comes back. */
    readonly tombstoneLamports: string;
  };
  /** True if the deployment pays all of `fee`. */
  readonly sponsored: boolean;
  /** True if it takes a seat of a payment link, which only a transaction that is handed in by `submit` holds (§13.21.5). */
  readonly seated: boolean;
} };
  /** Takes a transaction that a wallet signed, and sends it until it lands or no longer can. */
  "/pay/i/{id}/submit": { readonly body: GivenTransaction; readonly answer: {
  /** The transaction's signature. Base58 of exactly 64 bytes, which the pattern alone does not say. */
  readonly signature: string;
} };
  /** Follows the transaction. With `transaction`, the built one of this signature, it counts as on its way. */
  "/pay/i/{id}/seen": { readonly body: PaymentReport; readonly answer: {
  /** The transaction's signature. Base58 of exactly 64 bytes, which the pattern alone does not say. */
  readonly signature: string;
} };
  /** Judges the built or the signed transaction by the heights of the chain's final blocks (§4.14.11). */
  "/pay/i/{id}/life": { readonly body: LifeWanted; readonly answer: {
  readonly object: "transaction_life";
  /** `live`: it may still land. `landed`, `failed`: the chain has it. `ended`: final blocks show that it never lands. */
  readonly status: "live" | "landed" | "failed" | "ended";
  /** An estimate of the time in which it may still land, in milliseconds; null once it cannot. */
  readonly msLeft: number | null;
} };
  /** Builds the payment for the wallet. A sponsor signs before it, for a limited number. */
  "/pay/i/{id}/request": { readonly body: RequestAccount; readonly answer: {
  /** The transaction to sign, in base64. */
  readonly transaction: string;
  /** The act in words, for the wallet to show. */
  readonly message: string;
  /** The page that follows; only with https. */
  readonly redirect?: string;
} };
  /** Builds the transaction of an action on a payment, after a trial run. */
  "/pay/p/{payment}/build": { readonly body: ActionWanted; readonly answer: {
  readonly object: "action_transaction";
  /** The action. */
  readonly action: "dispute" | "release" | "refund" | "settle" | "refund_unresolved" | "pay_out_sender" | "pay_out_recipient" | "close";
  /** The payment's address. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly payment: string;
  /** A transaction of version 0 in base64, not signed. It lands within half a minute or never: ask again rather than keep it. */
  readonly transaction: string;
  /** The amount that the buyer has in the end, in smallest units; null for actions that name none. */
  readonly total: string | null;
  /** The cost for the signer. */
  readonly fee: {
    /** The network's fee. */
    readonly networkLamports: string;
    /** The rent of the signer's own token account, where the transaction makes it. */
    readonly tokenAccountLamports: string;
    /** Both together. */
    readonly totalLamports: string;
  };
  /** The rents that this transaction gives back; null if it gives back none. */
  readonly returns: {
    /** The lamports. */
    readonly lamports: string;
    /** The wallet that once paid them. Base58 of exactly 32 bytes, which the pattern alone does not say. */
    readonly to: string;
  } | null;
  /** True if the deployment pays the network's fee. */
  readonly sponsored: boolean;
  /** The last height of the chain's blocks at which the transaction can land; above it, build a new one. */
  readonly lastValidBlockHeight: number;
  /** The same instructions in a plain form, for the tools of a multisignature. */
  readonly instructions: readonly ({
    /** The program. Base58 of exactly 32 bytes, which the pattern alone does not say. */
    readonly programId: string;
    readonly accounts: readonly ({
      /** The account. Base58 of exactly 32 bytes, which the pattern alone does not say. */
      readonly address: string;
      readonly signer: boolean;
      readonly writable: boolean;
    })[];
    /** Base64. */
    readonly data: string;
  })[];
} };
  /** Takes a signed transaction with an action on this payment, and sends it until it lands or has ended. */
  "/pay/p/{payment}/submit": { readonly body: GivenTransaction; readonly answer: {
  /** The transaction's signature. Base58 of exactly 64 bytes, which the pattern alone does not say. */
  readonly signature: string;
} };
  /** Judges the built or the signed transaction by the heights of the chain's final blocks (§4.14.11). */
  "/pay/p/{payment}/life": { readonly body: GivenTransaction; readonly answer: {
  readonly object: "transaction_life";
  /** `live`: it may still land. `landed`, `failed`: the chain has it. `ended`: final blocks show that it never lands. */
  readonly status: "live" | "landed" | "failed" | "ended";
  /** An estimate of the time in which it may still land, in milliseconds; null once it cannot. */
  readonly msLeft: number | null;
} };
  /** Builds the action for the wallet. */
  "/pay/p/{payment}/request/{action}": { readonly body: RequestAccount; readonly answer: {
  /** The transaction to sign, in base64. */
  readonly transaction: string;
  /** The act in words, for the wallet to show. */
  readonly message: string;
  /** The page that follows; only with https. */
  readonly redirect?: string;
} };
  /** Finds payments by a pasted text (an id, an address, a signature, a link), or those of a wallet. A transaction that is not recorded yet is looked up on chain. */
  "/pay/find": { readonly body: Search; readonly answer: {
  readonly object: "found_payments";
  /** The path of the one page that was meant; null if it was none. */
  readonly page: string | null;
  /** The payments, at most 50. */
  readonly payments: readonly ({
    /** Its address. Base58 of exactly 32 bytes, which the pattern alone does not say. */
    readonly payment: string;
    /** The path of its page. */
    readonly page: string;
    /** The environment of the API key, which every id carries too. */
    readonly environment: "test" | "live";
    /** The amount in smallest units. */
    readonly amount: string;
    /** The token; null if it is not known. Base58 of exactly 32 bytes, which the pattern alone does not say. */
    readonly asset: string | null;
    /** The amount as pages show it. */
    readonly amountInWords: string;
    /** Its time; null if it is not known. */
    readonly createdAt: string | null;
    /** The state of its receipt. */
    readonly state: string;
  })[];
  /** True if there are more. */
  readonly hasMore: boolean;
} };
  /** Sends a link that confirms the address. */
  "/pay/p/{payment}/case/address": { readonly body: Address; readonly answer: {
  readonly object: "case_address";
} };
  /** Takes the code of the link. */
  "/pay/p/{payment}/case/address/confirm": { readonly body: AddressCode; readonly answer: {
  readonly object: "case_address";
} };
  /** Ends emails about the dispute. */
  "/pay/p/{payment}/case/address/remove": { readonly body: NoMembers; readonly answer: {
  readonly object: "case_address";
} };
  /** Announces a file; `uploadUrl`, a path, then takes its bytes within ten minutes. */
  "/pay/p/{payment}/case/files": { readonly body: FileInput; readonly answer: {
  readonly object: "dispute_upload";
  /** The address for a `PUT` of exactly the announced bytes, without a key. Keep it secret. Its answer, 201, has the file's `id`, `type`, `size` and `sha256` as they are kept, and `sentSha256`. */
  readonly uploadUrl: string;
  /** The address holds until this time. */
  readonly expiresAt: string;
} };
  /** Makes what a wallet is asked to sign, for the browser that asks. Its cookie is set anew each time. */
  "/pay/p/{payment}/case/challenge": { readonly body: ChallengeWanted; readonly answer: {
  readonly object: "case_challenge";
  /** Names the challenge in the proof. */
  readonly nonce: string;
  /** The proof is taken until then. */
  readonly expiresAt: string;
  /** The text to sign (§16.3). */
  readonly text: string;
  /** The text as a memo, in a transaction that is never sent; null for a message. */
  readonly transaction: string | null;
  /** The same for a multisignature's tools; null for a message. */
  readonly instructions: readonly ({
    /** The program. Base58 of exactly 32 bytes, which the pattern alone does not say. */
    readonly programId: string;
    readonly accounts: readonly ({
      /** The account. Base58 of exactly 32 bytes, which the pattern alone does not say. */
      readonly address: string;
      readonly signer: boolean;
      readonly writable: boolean;
    })[];
    /** Base64. */
    readonly data: string;
  })[] | null;
} };
  /** Sets the cookie by which this browser reads and writes in the dispute for 30 days. */
  "/pay/p/{payment}/case/session": { readonly body: Proof; readonly answer: {
  readonly object: "case_session";
} };
  /** Ends a session of the payment, this one or another. */
  "/pay/p/{payment}/case/sessions/{session}/end": { readonly body: NoMembers; readonly answer: {
  readonly object: "ended_session";
} };
  /** Says what is wrong and what the buyer asks for; once a dispute. */
  "/pay/p/{payment}/case/opening": { readonly body: Opening; readonly answer: {
  readonly object: "case_change";
  /** The version of the dispute with the change. */
  readonly version: number;
  /** Its status. */
  readonly status: "talking" | "deciding" | "agreed" | "decided" | "paused" | "closed";
} };
  /** Sends a text to the shop and the arbiter. It cannot be edited or deleted. */
  "/pay/p/{payment}/case/statements": { readonly body: Statement; readonly answer: {
  readonly object: "case_change";
  /** The version of the dispute with the change. */
  readonly version: number;
  /** Its status. */
  readonly status: "talking" | "deciding" | "agreed" | "decided" | "paused" | "closed";
} };
  /** Offers the shop to end the dispute, by a proof over its terms. */
  "/pay/p/{payment}/case/offers": { readonly body: NewOffer; readonly answer: {
  readonly object: "case_change";
  /** The version of the dispute with the change. */
  readonly version: number;
  /** Its status. */
  readonly status: "talking" | "deciding" | "agreed" | "decided" | "paused" | "closed";
} };
  /** Accepts an offer of the shop, by a proof over the agreement as it is now. */
  "/pay/p/{payment}/case/offers/{offer}/accept": { readonly body: OfferAcceptance; readonly answer: {
  readonly object: "case_change";
  /** The version of the dispute with the change. */
  readonly version: number;
  /** Its status. */
  readonly status: "talking" | "deciding" | "agreed" | "decided" | "paused" | "closed";
} };
  /** Withdraws the buyer's open offer. */
  "/pay/p/{payment}/case/offers/{offer}/withdraw": { readonly body: NoMembers; readonly answer: {
  readonly object: "case_change";
  /** The version of the dispute with the change. */
  readonly version: number;
  /** Its status. */
  readonly status: "talking" | "deciding" | "agreed" | "decided" | "paused" | "closed";
} };
  /** Declines the shop's open offer. */
  "/pay/p/{payment}/case/offers/{offer}/decline": { readonly body: NoMembers; readonly answer: {
  readonly object: "case_change";
  /** The version of the dispute with the change. */
  readonly version: number;
  /** Its status. */
  readonly status: "talking" | "deciding" | "agreed" | "decided" | "paused" | "closed";
} };
  /** Ends talking once both sides have asked. It cannot be undone. */
  "/pay/p/{payment}/case/ask-arbiter": { readonly body: NoMembers; readonly answer: {
  readonly object: "case_change";
  /** The version of the dispute with the change. */
  readonly version: number;
  /** Its status. */
  readonly status: "talking" | "deciding" | "agreed" | "decided" | "paused" | "closed";
} };
  /** Takes exactly the announced bytes, whichever side announced them. */
  "/pay/uploads/{token}": { readonly body: unknown; readonly answer: {
  readonly object: "dispute_file";
  /** The file's id. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** Its type, by its content. */
  readonly type: "image/png" | "image/jpeg" | "image/webp" | "application/pdf" | "text/plain";
  /** The bytes that are kept: pictures lose all metadata. */
  readonly size: number;
  /** The SHA-256 of the bytes as they are kept. */
  readonly sha256: string;
  /** The SHA-256 that was announced. */
  readonly sentSha256: string;
} };
}
