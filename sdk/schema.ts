// Written by `npm run openapi` from the routes of the merchant API. Change those, never this file.

/** A price in a currency. */
export type Price = {
  /** ISO 4217. */
  readonly currency: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
  /** A decimal number above 0, with no more places than the currency has. */
  readonly amount: string;
};

/** The rate at which a price became an amount: price times rate, rounded up to the token's unit. */
export type Quote = {
  /** The number of whole tokens for one unit of the currency, with the spread in it. */
  readonly rate: string;
  /** `par`: the token stands for the currency. `ecb`: reference rates of the European Central Bank. `file`: rates of the operator. */
  readonly source: "par" | "ecb" | "file";
  /** The time to which the rate belongs; for a par the operator's date. */
  readonly at: string;
  /** The intent never expires later. */
  readonly until: string;
  /** The part that was added to the rate. */
  readonly spread: string;
};

/** A request to a buyer to pay an amount of a token. */
export type PaymentIntent = {
  readonly object: "payment_intent";
  /** The intent's id. */
  readonly id: string;
  /** `requires_payment` at first. Past `expiresAt` it reads `expired` at once. An `expired` or `canceled` intent still becomes `paid` when a payment of it is found. */
  readonly status: "requires_payment" | "paid" | "expired" | "canceled";
  /** The wallet to be paid. Not a token account, a mint or a program. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly recipient: string;
  /** Digits, in the asset's smallest unit, from 1 to 18446744073709551615. */
  readonly amount: string;
  /** The mint of an SPL Token or Token-2022 token on this environment's chain. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly asset: string;
  /** The time within which the buyer may dispute once it is paid. */
  readonly protectionPeriod: "oneHour" | "oneDay" | "threeDays" | "sevenDays" | "fourteenDays" | "thirtyDays";
  /** Your own reference: unique among your open intents, compared exactly. No control characters, no white space at either end. */
  readonly merchantReference: string;
  /** Anything of yours, returned unchanged: order of members, nesting and the spelling of numbers. No NUL and no lone surrogate in its strings. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** A line for the buyer, shown on the checkout page; null if there is none. Plain text without control characters. */
  readonly description: string | null;
  /** The address to which the checkout page's button leads, in its normal form, in place of the business's own; null if there is none. It may have the placeholders `{intentId}` and `{merchantReference}` after the host, which is your proven domain, a name below it, or the host of your return address. */
  readonly returnUrl: string | null;
  /** The language of the buyer's pages, as a BCP 47 tag in its canonical form; null: the buyer's own. Of a language that this service does not have, too, the buyer's own. */
  readonly locale: string | null;
  /** The price in a currency, from which `amount` was made; null if you gave the amount. */
  readonly price: Price | null;
  /** The rate at which the price became `amount`; null without a price. It never changes. */
  readonly quote: Quote | null;
  /** The number that the payment on chain must carry, 1 to 2^63−1. Keep it a string. */
  readonly paymentId: string;
  /** The primary payment; set exactly when `paid`. */
  readonly payment: Payment | null;
  /** The environment of the API key, which every id carries too. */
  readonly environment: "test" | "live";
  /** The time of its creation. */
  readonly createdAt: string;
  /** After this time it is expired. A whole second. */
  readonly expiresAt: string;
  /** The time of its cancellation; null if it was not canceled. Stays set if it is paid later. */
  readonly canceledAt: string | null;
  /** The hosted checkout's address; set only while `requires_payment`. */
  readonly checkoutUrl: string | null;
  /** The address at which an agent pays by x402; set only while `requires_payment`. */
  readonly x402Url: string | null;
  /** True if a `buyerEmail` was given. */
  readonly hasBuyerEmail: boolean;
  /** The buyer's email address, to which news of this payment go once the buyer has confirmed it; null if you gave none, and once it was erased. Only your keys see it: events and staff see `hasBuyerEmail`. */
  readonly buyerEmail?: string | null;
};

/** The first wrong field in this order is the one reported. */
export type NewPaymentIntent = {
  /** The wallet to be paid. Not a token account, a mint or a program. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly recipient: string;
  /** Digits, in the asset's smallest unit, from 1 to 18446744073709551615. */
  readonly amount?: string;
  /** The mint of an SPL Token or Token-2022 token on this environment's chain. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly asset: string;
  /** The time within which the buyer may dispute once it is paid. */
  readonly protectionPeriod: "oneHour" | "oneDay" | "threeDays" | "sevenDays" | "fourteenDays" | "thirtyDays";
  /** Your own reference: unique among your open intents, compared exactly. No control characters, no white space at either end. */
  readonly merchantReference: string;
  /** Anything of yours, returned unchanged: order of members, nesting and the spelling of numbers. No NUL and no lone surrogate in its strings. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** A line for the buyer, shown on the checkout page; null if there is none. Plain text without control characters. */
  readonly description?: string | null;
  /** The address to which the checkout page's button leads, in its normal form, in place of the business's own; null if there is none. It may have the placeholders `{intentId}` and `{merchantReference}` after the host, which is your proven domain, a name below it, or the host of your return address. */
  readonly returnUrl?: string | null;
  /** The language of the buyer's pages, as a BCP 47 tag in its canonical form; null: the buyer's own. Of a language that this service does not have, too, the buyer's own. */
  readonly locale?: string | null;
  /** The price in a currency, from which `amount` was made; null if you gave the amount. */
  readonly price?: Price | null;
  /** The buyer's email address, to which news of this payment go once the buyer has confirmed it; null if you gave none, and once it was erased. Only your keys see it: events and staff see `hasBuyerEmail`. */
  readonly buyerEmail?: string | null;
};

/** A page of payment intents. */
export type PaymentIntentList = {
  readonly object: "list";
  /** Payment intents, newest first. */
  readonly data: readonly (PaymentIntent)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** The outcome of a confirmation. `payment` is the one that decided it. */
export type Confirmation = {
  readonly object: "confirmation";
  /** `bound`: it paid the intent. `duplicate`: the intent was paid already, this payment is recorded as a further one. `already_recorded`: the sweep or an earlier call was first. */
  readonly outcome: "bound" | "duplicate" | "already_recorded";
  readonly intent: PaymentIntent;
  readonly payment: Payment;
};

export type NewConfirmation = {
  /** The signature of the buyer's transaction. Base58 of exactly 64 bytes, which the pattern alone does not say. */
  readonly signature: string;
};

/** The answer that confirm would give, and the reasons. */
export type Verification = {
  readonly object: "verification";
  /** The outcome that confirm would have now. */
  readonly outcome: "bound" | "duplicate" | "already_recorded" | "signature_unverified";
  /** Why it is unverified, as `error.reason` of confirm; null otherwise. */
  readonly reason: "not_found" | "not_confirmed" | "failed" | "no_payment_for_intent" | "mismatch" | null;
  /** The rules of a binding, in the order in which they are checked. */
  readonly rules: readonly ({
    readonly rule: "found" | "confirmed" | "succeeded" | "payment_id" | "recipient" | "amount" | "asset" | "protection_period";
    /** `unknown`: it could not be read. */
    readonly verdict: "pass" | "fail" | "unknown";
    /** The value that binds. */
    readonly expected: string;
    /** The value on chain; null while it is unknown. Nothing of another intent is shown. */
    readonly found: string | null;
  })[];
};

export type NewVerification = {
  /** The signature of the buyer's transaction. Base58 of exactly 64 bytes, which the pattern alone does not say. */
  readonly signature: string;
};

/** A payment on chain, bound to an intent. Times from the chain are whole seconds. */
export type Payment = {
  readonly object: "payment";
  /** The payment's address on chain. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly id: string;
  /** Id of the intent it is bound to. */
  readonly intent: string;
  /** `primary`, or `duplicate` for a further payment of an intent that is already paid. */
  readonly role: "primary" | "duplicate";
  /** Its status on chain at `checkedAt`. It stays as it was between a decision, which sets `outcome`, and the leaving of the last part. */
  readonly status: "protected" | "disputed" | "released" | "refunded";
  /** The buyer's wallet. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly sender: string;
  /** The wallet that is paid. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly recipient: string;
  /** Digits, in the asset's smallest unit. */
  readonly amount: string;
  /** The token's mint. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly asset: string;
  /** The time within which the buyer may dispute. */
  readonly protectionPeriod: "oneHour" | "oneDay" | "threeDays" | "sevenDays" | "fourteenDays" | "thirtyDays";
  /** Your reference, copied from the intent. */
  readonly merchantReference: string;
  /** Paid or found after the intent had expired or been canceled. */
  readonly late: boolean;
  /** The reason why it counts as late; null if it does not. */
  readonly lateReason: "paid_after_expiry" | "found_after_expiry" | "paid_after_cancel" | "found_after_cancel" | null;
  /** The transaction that created it; null only while unknown. Base58 of exactly 64 bytes, which the pattern alone does not say. */
  readonly signature: string | null;
  /** The time of its creation, by the chain's clock. */
  readonly createdAt: string;
  /** Disputes can be opened until this time; after it the payment can be settled to the recipient. */
  readonly protectionDeadline: string;
  /** The time of its dispute; null if it was never disputed. */
  readonly disputedAt: string | null;
  /** The time when the funds, or the recipient's part of them, went to the recipient; null until then. */
  readonly settledAt: string | null;
  /** The time when the funds, or the latest part that went back, went back to the buyer; null until then. */
  readonly refundedAt: string | null;
  /** The deadline has passed, no dispute is open and nothing is decided: anyone may settle it to the recipient. */
  readonly settleable: boolean;
  /** The time from which an unresolved dispute can be refunded by anyone; null if no dispute is open. */
  readonly resolveBy: string | null;
  /** The time of the last check of the chain. */
  readonly checkedAt: string;
  /** The amount that has left to the recipient; "0" until then. */
  readonly amountReleased: string;
  /** The amount that has gone back to the buyer; "0" until then. */
  readonly amountRefunded: string;
  /** The amount that the buyer is bound to get back in all, as decided so far. The part above `amountRefunded` is on its way. */
  readonly refundTotal: string;
  /** The way in which it was decided, which binds both parts; null until then. The parts may leave later. */
  readonly outcome: "released_by_sender" | "settled" | "resolved" | "refunded_by_recipient" | "refunded_unresolved" | null;
  /** Decides a dispute of this payment; fixed when it was made. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly arbiter: string;
  /** SHA-256 of the terms that the buyer's transaction names; null if it names none. */
  readonly termsHash: string | null;
  /** True if the text behind `termsHash` is one that this service showed for the intent. */
  readonly termsKnown: boolean;
  /** True if it was paid by a payment link whose seats were all taken, and without a seat of its own. Refund it if you cannot deliver. */
  readonly overLimit: boolean;
  /** The address of its receipt, with the key that shows your order to the buyer. Whoever has it can read the receipt. */
  readonly receiptUrl: string;
};

/** A payment asked for by itself, with the actions that it allows. */
export type PaymentWithActions = {
  readonly object: "payment";
  /** The payment's address on chain. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly id: string;
  /** Id of the intent it is bound to. */
  readonly intent: string;
  /** `primary`, or `duplicate` for a further payment of an intent that is already paid. */
  readonly role: "primary" | "duplicate";
  /** Its status on chain at `checkedAt`. It stays as it was between a decision, which sets `outcome`, and the leaving of the last part. */
  readonly status: "protected" | "disputed" | "released" | "refunded";
  /** The buyer's wallet. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly sender: string;
  /** The wallet that is paid. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly recipient: string;
  /** Digits, in the asset's smallest unit. */
  readonly amount: string;
  /** The token's mint. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly asset: string;
  /** The time within which the buyer may dispute. */
  readonly protectionPeriod: "oneHour" | "oneDay" | "threeDays" | "sevenDays" | "fourteenDays" | "thirtyDays";
  /** Your reference, copied from the intent. */
  readonly merchantReference: string;
  /** Paid or found after the intent had expired or been canceled. */
  readonly late: boolean;
  /** The reason why it counts as late; null if it does not. */
  readonly lateReason: "paid_after_expiry" | "found_after_expiry" | "paid_after_cancel" | "found_after_cancel" | null;
  /** The transaction that created it; null only while unknown. Base58 of exactly 64 bytes, which the pattern alone does not say. */
  readonly signature: string | null;
  /** The time of its creation, by the chain's clock. */
  readonly createdAt: string;
  /** Disputes can be opened until this time; after it the payment can be settled to the recipient. */
  readonly protectionDeadline: string;
  /** The time of its dispute; null if it was never disputed. */
  readonly disputedAt: string | null;
  /** The time when the funds, or the recipient's part of them, went to the recipient; null until then. */
  readonly settledAt: string | null;
  /** The time when the funds, or the latest part that went back, went back to the buyer; null until then. */
  readonly refundedAt: string | null;
  /** The deadline has passed, no dispute is open and nothing is decided: anyone may settle it to the recipient. */
  readonly settleable: boolean;
  /** The time from which an unresolved dispute can be refunded by anyone; null if no dispute is open. */
  readonly resolveBy: string | null;
  /** The time of the last check of the chain. */
  readonly checkedAt: string;
  /** The amount that has left to the recipient; "0" until then. */
  readonly amountReleased: string;
  /** The amount that has gone back to the buyer; "0" until then. */
  readonly amountRefunded: string;
  /** The amount that the buyer is bound to get back in all, as decided so far. The part above `amountRefunded` is on its way. */
  readonly refundTotal: string;
  /** The way in which it was decided, which binds both parts; null until then. The parts may leave later. */
  readonly outcome: "released_by_sender" | "settled" | "resolved" | "refunded_by_recipient" | "refunded_unresolved" | null;
  /** Decides a dispute of this payment; fixed when it was made. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly arbiter: string;
  /** SHA-256 of the terms that the buyer's transaction names; null if it names none. */
  readonly termsHash: string | null;
  /** True if the text behind `termsHash` is one that this service showed for the intent. */
  readonly termsKnown: boolean;
  /** True if it was paid by a payment link whose seats were all taken, and without a seat of its own. Refund it if you cannot deliver. */
  readonly overLimit: boolean;
  /** The address of its receipt, with the key that shows your order to the buyer. Whoever has it can read the receipt. */
  readonly receiptUrl: string;
  /** The actions that the escrow program allows now, as of `checkedAt`; empty once everything has left. */
  readonly nextActions: readonly (NextAction)[];
};

/** Something the escrow program allows with a payment's funds. */
export type NextAction = {
  /** `dispute`, `release` and `resolve` decide, so does `refund` of the whole amount; `settle`, `refund_unresolved`, `pay_out_sender` and `pay_out_recipient` move funds, as far as the token accounts allow it. */
  readonly action: "dispute" | "release" | "refund" | "resolve" | "settle" | "refund_unresolved" | "pay_out_sender" | "pay_out_recipient";
  /** The party that has to sign it. */
  readonly by: "sender" | "recipient" | "arbiter" | "anyone";
  /** The time at which it ends; null if no time ends it. */
  readonly until: string | null;
  /** Why the last try to pay this part out sent nothing. `memo_required`: the token account of who is paid asks for a memo with each transfer; its owner turns that off, then anyone settles. `account_frozen`: the token's issuer froze it. `account_missing`: the wallet has no account for the token; anyone can open one. `other`: the operator's log says why. Null if nothing is known to block it. */
  readonly blockedBy: "memo_required" | "account_frozen" | "account_missing" | "other" | null;
};

/** A page of payments. */
export type PaymentList = {
  readonly object: "list";
  /** Payments, newest first. */
  readonly data: readonly (Payment)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** A transaction to sign. It changes nothing until its signer has signed it and it lands. */
export type ActionTransaction = {
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
  /** The recipient's wallet, whose signature it needs. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly signer: string;
};

export type NewRefund = {
  /** The amount that the buyer has in the end, earlier refunds included, in smallest units. */
  readonly total: string;
};

/** The arbiter's ruling of a dispute. */
export type DisputeDecision = {
  /** The total that the ruling names: what the buyer has in the end, unless more was bound before. */
  readonly total: string;
  /** The memo of the ruling that the arbiter signed: the hash of a frozen `record`; another text, which this service does not know (`unknown`); no memo at all (`none`); memos of others alone (`other_signer`); or `several`. All but `record`: decided outside this service, without reasons. */
  readonly memo: "record" | "unknown" | "none" | "other_signer" | "several";
  /** SHA-256 of the record, as the memo names it; null if the memo is no hash. */
  readonly sha256: string | null;
  /** The accepted offer that the ruling carries out, in place of reasons; null for another one. */
  readonly agreement: string | null;
  /** The wallet that signed the ruling. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly arbiter: string;
  /** The signature of the ruling's transaction. */
  readonly transaction: string;
  /** The time of the ruling, by the chain's clock. */
  readonly ruledAt: string;
  /** The reasons; null without any. Only on a dispute asked for by itself. */
  readonly reasons?: string | null;
  /** The frozen record as the memo's hash is of it, in canonical JSON (RFC 8785); null without one. Only on a dispute asked for by itself. */
  readonly record?: string | null;
  /** The time at which reasons and record were erased; null if they were not. Only on a dispute asked for by itself. */
  readonly erasedAt?: string | null;
};

/** The dispute of a payment. The chain decides about the money; the dispute adds texts, offers, clocks and reasons. */
export type Dispute = {
  readonly object: "dispute";
  readonly id: string;
  /** Its environment. */
  readonly environment: "test" | "live";
  /** The address of the disputed payment. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly payment: string;
  /** Id of the payment's intent. */
  readonly intent: string;
  /** Your reference, copied from the intent. */
  readonly merchantReference: string;
  /** Its status. The chain decides about the money, so it may change to `decided`, `paused` or `closed` at any time. */
  readonly status: "talking" | "deciding" | "agreed" | "decided" | "paused" | "closed";
  /** The buyer's reason; `not_given` until the buyer says. */
  readonly reason: "not_received" | "not_as_described" | "paid_twice" | "returned_or_canceled" | "other" | "not_given";
  /** The amount that the buyer wants back in all, in the asset's smallest unit; null until the buyer says. */
  readonly requestedTotal: string | null;
  /** The time of its opening, by the chain's clock. */
  readonly openedAt: string;
  /** The party that is expected to act: the one that has not had the last word, the arbiter, or the one whose step of an agreement is next. */
  readonly turn: "buyer" | "merchant" | "arbiter" | "nobody";
  /** While talking: the time from which the arbiter decides. */
  readonly answerBy: string;
  /** The time at which deciding first began; null before. */
  readonly decidingAt: string | null;
  /** The time by which the arbiter means to decide; null until deciding begins. A question moves it by three days, also if it is past. */
  readonly decideBy: string | null;
  /** While deciding: the time until which both sides can write about the arbiter's question; null without one. */
  readonly questionUntil: string | null;
  /** The time from which anyone can have the payment refunded to the buyer, if nothing was decided. */
  readonly resolveBy: string;
  /** The newest ten offers, oldest first. */
  readonly offers: readonly (DisputeOffer)[];
  /** The number of statements of each side. */
  readonly statements: DisputeStatementCounts;
  /** The agreement of both sides; null if there is none, or it failed. */
  readonly agreement: DisputeAgreement | null;
  /** The number of files of each side. */
  readonly files: DisputeFileCounts;
  /** The arbiter's ruling, once its transaction was read; null without one. */
  readonly decision: DisputeDecision | null;
  /** The time at which the last part left or, if it was closed before, of the check that showed nothing open; null until then. The chain does not tell the time of a release or a refund itself. */
  readonly closedAt: string | null;
  /** The time at which the service recorded it. */
  readonly createdAt: string;
  /** The time at which its texts and files were erased; null before. */
  readonly erasedAt: string | null;
};

/** A dispute asked for by itself, with the texts of both sides and what each can do. */
export type DisputeWithTexts = {
  readonly object: "dispute";
  readonly id: string;
  /** Its environment. */
  readonly environment: "test" | "live";
  /** The address of the disputed payment. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly payment: string;
  /** Id of the payment's intent. */
  readonly intent: string;
  /** Your reference, copied from the intent. */
  readonly merchantReference: string;
  /** Its status. The chain decides about the money, so it may change to `decided`, `paused` or `closed` at any time. */
  readonly status: "talking" | "deciding" | "agreed" | "decided" | "paused" | "closed";
  /** The buyer's reason; `not_given` until the buyer says. */
  readonly reason: "not_received" | "not_as_described" | "paid_twice" | "returned_or_canceled" | "other" | "not_given";
  /** The amount that the buyer wants back in all, in the asset's smallest unit; null until the buyer says. */
  readonly requestedTotal: string | null;
  /** The time of its opening, by the chain's clock. */
  readonly openedAt: string;
  /** The party that is expected to act: the one that has not had the last word, the arbiter, or the one whose step of an agreement is next. */
  readonly turn: "buyer" | "merchant" | "arbiter" | "nobody";
  /** While talking: the time from which the arbiter decides. */
  readonly answerBy: string;
  /** The time at which deciding first began; null before. */
  readonly decidingAt: string | null;
  /** The time by which the arbiter means to decide; null until deciding begins. A question moves it by three days, also if it is past. */
  readonly decideBy: string | null;
  /** While deciding: the time until which both sides can write about the arbiter's question; null without one. */
  readonly questionUntil: string | null;
  /** The time from which anyone can have the payment refunded to the buyer, if nothing was decided. */
  readonly resolveBy: string;
  /** The newest ten offers, oldest first. */
  readonly offers: readonly (DisputeOffer)[];
  /** The statements of both sides, oldest first. */
  readonly statements: readonly (DisputeStatement)[];
  /** The agreement of both sides; null if there is none, or it failed. */
  readonly agreement: DisputeAgreement | null;
  /** The files of both sides, oldest first. */
  readonly files: readonly (DisputeFile)[];
  /** The arbiter's ruling, once its transaction was read; null without one. */
  readonly decision: DisputeDecision | null;
  /** The time at which the last part left or, if it was closed before, of the check that showed nothing open; null until then. The chain does not tell the time of a release or a refund itself. */
  readonly closedAt: string | null;
  /** The time at which the service recorded it. */
  readonly createdAt: string;
  /** The time at which its texts and files were erased; null before. */
  readonly erasedAt: string | null;
  /** The arbiter's questions to one side or both, oldest first. */
  readonly questions: readonly (DisputeQuestion)[];
  /** The agreement that the chain did not show in time; null if there is none. */
  readonly failedAgreement: DisputeFailedAgreement | null;
  /** The usual outcome of a dispute with this reason, in the operator's words; null if none is set. */
  readonly usualOutcome: string | null;
  /** True if the shop itself decides disputes of this payment. */
  readonly ownArbiter: boolean;
  /** The actions that each party can take now, the expected action first; empty once the chain has decided. `write` is listed if it is possible before its time: after five statements, from the next day of UTC. */
  readonly nextActions: readonly (DisputeAction)[];
};

export type DisputeStatementInput = {
  readonly text: string;
};

/** A page of disputes. */
export type DisputeList = {
  readonly object: "list";
  /** Disputes, newest first. */
  readonly data: readonly (Dispute)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** A statement of a side. Neither side edits or deletes it. */
export type DisputeStatement = {
  /** Its number in the dispute. */
  readonly number: number;
  /** The side. */
  readonly by: "buyer" | "merchant";
  /** Plain text, empty once it is erased. Links in it are not links. */
  readonly text: string;
  /** The time at which it was sent. */
  readonly createdAt: string;
  /** The time at which the text was erased; null if it was not. */
  readonly erasedAt: string | null;
};

/** A file of one side. Neither side edits or deletes it. */
export type DisputeFile = {
  /** Its id. */
  readonly id: string;
  /** The side that sent it. */
  readonly side: "buyer" | "merchant";
  /** Its name, with an ending of its type; empty once it is erased. */
  readonly name: string;
  /** Its type, by its content. */
  readonly type: "image/png" | "image/jpeg" | "image/webp" | "application/pdf" | "text/plain";
  /** Its size in bytes, as it is kept. */
  readonly size: number;
  /** The SHA-256 of the bytes that are kept. Pictures are kept without metadata. Empty once it is erased. */
  readonly sha256: string;
  /** The time at which it was sent. */
  readonly createdAt: string;
  /** The time at which it was erased; null if it was not. */
  readonly erasedAt: string | null;
  /** Its address, for this reader. It is only ever sent as an attachment; 404 once it is erased. */
  readonly url: string;
};

/** The number of files of each side. */
export type DisputeFileCounts = {
  readonly buyer: number;
  readonly merchant: number;
};

/** A question of the arbiter, which both sides read. */
export type DisputeQuestion = {
  /** Its number in the dispute. */
  readonly number: number;
  /** Plain text, empty once it is erased. */
  readonly text: string;
  readonly askedSide: "buyer" | "merchant" | null;
  /** The time at which it was asked. */
  readonly askedAt: string;
  /** Both sides can write before this time. */
  readonly until: string;
  /** The time at which the text was erased; null if it was not. */
  readonly erasedAt: string | null;
};

/** Something that a party can do in a dispute. */
export type DisputeAction = {
  /** The action. */
  readonly action: "answer" | "write" | "send_file" | "offer" | "accept_offer" | "refund" | "release" | "ask_arbiter" | "resolve";
  /** The party that can do it. */
  readonly by: "buyer" | "merchant" | "arbiter";
  /** Null if no time ends it. */
  readonly until: string | null;
  /** The result of silence: the arbiter decides, the offer ends, the agreement fails, or anyone can have the payment refunded to the buyer. */
  readonly otherwise: "goes_to_arbiter" | "offer_expires" | "agreement_fails" | "refunded_to_buyer" | "nothing";
};

/** An offer of one side: what the buyer has in the end. */
export type DisputeOffer = {
  /** The offer's id. */
  readonly id: string;
  /** The side. */
  readonly by: "buyer" | "merchant";
  /** The amount that the buyer has in the end. */
  readonly total: string;
  /** A sentence; null if there is none. Absent in events. */
  readonly text?: string | null;
  /** It can be accepted before this time. */
  readonly until: string;
  /** Its status. */
  readonly status: "open" | "accepted" | "declined" | "withdrawn" | "replaced" | "expired";
  /** The time at which it was made. */
  readonly createdAt: string;
};

/** The number of statements of each side. */
export type DisputeStatementCounts = {
  readonly buyer: number;
  readonly merchant: number;
};

/** An agreement of both sides. */
export type DisputeAgreement = {
  /** The offer's id. */
  readonly offer: string;
  /** The amount that the buyer has in the end. */
  readonly total: string;
  /** The amount that is bound to the buyer on chain. */
  readonly refundTotal: string;
  /** It fails if the chain does not show it by then. */
  readonly until: string;
  /** The time at which the buyer's wallet signed it. */
  readonly buyer: string;
  /** The time at which the business gave its word. */
  readonly merchant: string;
  /** The steps that the chain still lacks: the recipient's refund of the total, then the buyer's release. */
  readonly executes: readonly ("refund" | "release")[];
};

/** An agreement of both sides that failed. */
export type DisputeFailedAgreement = {
  /** The amount that the buyer would have had in the end. */
  readonly total: string;
  /** The time at which the second side agreed. */
  readonly agreedAt: string;
  /** The time by which the chain did not show it. */
  readonly until: string;
  /** The time at which it failed. */
  readonly failedAt: string;
};

export type DisputeFileInput = {
  readonly name: string;
  /** The bytes that will be sent. */
  readonly size: number;
  /** The SHA-256 of the bytes that will be sent. */
  readonly sha256: string;
};

/** An announced file. */
export type DisputeUpload = {
  readonly object: "dispute_upload";
  /** The address for a `PUT` of exactly the announced bytes, without a key. Keep it secret. Its answer, 201, has the file's `id`, `type`, `size` and `sha256` as they are kept, and `sentSha256`. */
  readonly uploadUrl: string;
  /** The address holds until this time. */
  readonly expiresAt: string;
};

/** Facts about a delivery, as the merchant recorded them. Nobody edits or deletes them. */
export type Fulfillment = {
  readonly object: "fulfillment";
  readonly id: string;
  /** Id of its intent. */
  readonly intent: string;
  /** The carrier's name; null if none was given. */
  readonly carrier: string | null;
  /** The carrier's number; null if none was given. */
  readonly trackingNumber: string | null;
  /** An https link for following the delivery; null if none was given. */
  readonly link: string | null;
  /** The time of dispatch, by your word; null if none was given. */
  readonly sentAt: string | null;
  /** The time of delivery, by your word; null if none was given. */
  readonly deliveredAt: string | null;
  /** The signed delivery of x402 (a compact JWS), which holds the signed offer; null if none was given. */
  readonly delivery: string | null;
  /** The time at which it was recorded here. */
  readonly recordedAt: string;
};

/** A page of fulfillments. */
export type FulfillmentList = {
  readonly object: "list";
  /** Fulfillments, newest first. */
  readonly data: readonly (Fulfillment)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

export type NewFulfillment = {
  readonly carrier?: string | null;
  readonly trackingNumber?: string | null;
  readonly link?: string | null;
  readonly sentAt?: string | null;
  readonly deliveredAt?: string | null;
  readonly delivery?: string | null;
};

/** Something that happened. The same bytes in every delivery attempt and in this API. New types may be added. */
export type Event = PaymentIntentEvent | PaymentEvent | PaymentMismatchEvent | DisputeEvent | WebhookEndpointEvent | SequenceGapEvent;

/** An event of an intent; the object is the intent. */
export type PaymentIntentEvent = {
  readonly object: "event";
  /** The event's id: deduplicate by it. */
  readonly id: string;
  /** Type of the event. */
  readonly type: "payment_intent.created" | "payment_intent.paid" | "payment_intent.paid_late" | "payment_intent.expired" | "payment_intent.canceled";
  /** API version of this body. Events that were recorded earlier keep theirs. */
  readonly apiVersion: string;
  /** The environment of the API key, which every id carries too. */
  readonly environment: "test" | "live";
  /** Number among the business's events of this environment, in commit order: 1, 2, 3 … without gaps but that of `events.restored`. */
  readonly sequence: string;
  /** Time of the event, strictly increasing within one intent and its payments. Order by it. */
  readonly occurredAt: string;
  /** Time at which it was recorded. */
  readonly createdAt: string;
  /** It happened before the service was restored from a copy, so it may have been announced before. */
  readonly restored?: true;
  /** The object as it was then, frozen. */
  readonly data: {
    readonly object: PaymentIntent;
    /** Values of the changed fields in the last event of this object; absent if the object is new or nothing changed. */
    readonly previousAttributes?: Readonly<Record<string, unknown>>;
  };
};

/** An event of a payment; the object is the payment. */
export type PaymentEvent = {
  readonly object: "event";
  /** The event's id: deduplicate by it. */
  readonly id: string;
  /** Type of the event. */
  readonly type: "payment_intent.duplicate_payment" | "payment.protected" | "payment.disputed" | "payment.released" | "payment.refunded" | "payment.partially_refunded" | "payment.decided" | "payment.settleable" | "payment.reverted";
  /** API version of this body. Events that were recorded earlier keep theirs. */
  readonly apiVersion: string;
  /** The environment of the API key, which every id carries too. */
  readonly environment: "test" | "live";
  /** Number among the business's events of this environment, in commit order: 1, 2, 3 … without gaps but that of `events.restored`. */
  readonly sequence: string;
  /** Time of the event, strictly increasing within one intent and its payments. Order by it. */
  readonly occurredAt: string;
  /** Time at which it was recorded. */
  readonly createdAt: string;
  /** It happened before the service was restored from a copy, so it may have been announced before. */
  readonly restored?: true;
  /** The object as it was then, frozen. */
  readonly data: {
    readonly object: Payment;
    /** Values of the changed fields in the last event of this object; absent if the object is new or nothing changed. */
    readonly previousAttributes?: Readonly<Record<string, unknown>>;
  };
};

/** An event of a payment on the wrong terms; the object is the intent. */
export type PaymentMismatchEvent = {
  readonly object: "event";
  /** The event's id: deduplicate by it. */
  readonly id: string;
  /** Type of the event. */
  readonly type: "payment_intent.payment_mismatch";
  /** API version of this body. Events that were recorded earlier keep theirs. */
  readonly apiVersion: string;
  /** The environment of the API key, which every id carries too. */
  readonly environment: "test" | "live";
  /** Number among the business's events of this environment, in commit order: 1, 2, 3 … without gaps but that of `events.restored`. */
  readonly sequence: string;
  /** Time of the event, strictly increasing within one intent and its payments. Order by it. */
  readonly occurredAt: string;
  /** Time at which it was recorded. */
  readonly createdAt: string;
  /** It happened before the service was restored from a copy, so it may have been announced before. */
  readonly restored?: true;
  readonly data: {
    readonly object: PaymentIntent;
    /** Values of the changed fields in the last event of this object; absent if the object is new or nothing changed. */
    readonly previousAttributes?: Readonly<Record<string, unknown>>;
    /** The terms that differ. */
    readonly mismatch: readonly ("recipient" | "amount" | "asset" | "protectionPeriod")[];
    /** The payment as it stands on chain. */
    readonly observed: {
      /** The payment's address on chain. Base58 of exactly 32 bytes, which the pattern alone does not say. */
      readonly payment: string;
      /** The buyer's wallet. Base58 of exactly 32 bytes, which the pattern alone does not say. */
      readonly sender: string;
      /** The wallet that is paid. Base58 of exactly 32 bytes, which the pattern alone does not say. */
      readonly recipient: string;
      /** Digits, in the asset's smallest unit. */
      readonly amount: string;
      /** The token's mint. Base58 of exactly 32 bytes, which the pattern alone does not say. */
      readonly asset: string;
      /** The time within which the buyer may dispute. */
      readonly protectionPeriod: "oneHour" | "oneDay" | "threeDays" | "sevenDays" | "fourteenDays" | "thirtyDays";
      /** The transaction that created it; null only while unknown. Base58 of exactly 64 bytes, which the pattern alone does not say. */
      readonly signature: string | null;
    };
  };
};

/** An event of a dispute; the object is the dispute without the texts of either side. */
export type DisputeEvent = {
  readonly object: "event";
  /** The event's id: deduplicate by it. */
  readonly id: string;
  /** Type of the event. */
  readonly type: "dispute.opened" | "dispute.updated" | "dispute.decided" | "dispute.closed";
  /** API version of this body. Events that were recorded earlier keep theirs. */
  readonly apiVersion: string;
  /** The environment of the API key, which every id carries too. */
  readonly environment: "test" | "live";
  /** Number among the business's events of this environment, in commit order: 1, 2, 3 … without gaps but that of `events.restored`. */
  readonly sequence: string;
  /** Time of the event, strictly increasing within one intent and its payments. Order by it. */
  readonly occurredAt: string;
  /** Time at which it was recorded. */
  readonly createdAt: string;
  /** It happened before the service was restored from a copy, so it may have been announced before. */
  readonly restored?: true;
  /** The object as it was then, frozen. */
  readonly data: {
    readonly object: Dispute;
    /** Values of the changed fields in the last event of this object; absent if the object is new or nothing changed. */
    readonly previousAttributes?: Readonly<Record<string, unknown>>;
  };
};

/** An event of a webhook endpoint, for the business's other endpoints. */
export type WebhookEndpointEvent = {
  readonly object: "event";
  /** The event's id: deduplicate by it. */
  readonly id: string;
  /** Type of the event. */
  readonly type: "webhook_endpoint.disabled";
  /** API version of this body. Events that were recorded earlier keep theirs. */
  readonly apiVersion: string;
  /** The environment of the API key, which every id carries too. */
  readonly environment: "test" | "live";
  /** Number among the business's events of this environment, in commit order: 1, 2, 3 … without gaps but that of `events.restored`. */
  readonly sequence: string;
  /** Time of the event, strictly increasing within one intent and its payments. Order by it. */
  readonly occurredAt: string;
  /** Time at which it was recorded. */
  readonly createdAt: string;
  /** It happened before the service was restored from a copy, so it may have been announced before. */
  readonly restored?: true;
  readonly data: {
    readonly object: {
      readonly object: "webhook_endpoint";
      readonly id: string;
      readonly url: string;
      readonly status: "failing";
      /** `["*"]` stands for all types, including future ones. */
      readonly eventTypes: readonly ("*" | "payment_intent.created" | "payment_intent.paid" | "payment_intent.paid_late" | "payment_intent.duplicate_payment" | "payment_intent.payment_mismatch" | "payment_intent.expired" | "payment_intent.canceled" | "payment.protected" | "payment.disputed" | "payment.released" | "payment.refunded" | "payment.partially_refunded" | "payment.decided" | "payment.settleable" | "payment.reverted" | "dispute.opened" | "dispute.updated" | "dispute.decided" | "dispute.closed" | "webhook_endpoint.disabled" | "events.restored")[];
      /** The environment of the API key, which every id carries too. */
      readonly environment: "test" | "live";
      /** Time at which it was added. */
      readonly createdAt: string;
      /** Time at which it was disabled. */
      readonly disabledAt: string;
    };
    /** Values of the changed fields in the last event of this object; absent if the object is new or nothing changed. */
    readonly previousAttributes?: Readonly<Record<string, unknown>>;
  };
};

/** The gap that a restore left in the sequence, for every endpoint. */
export type SequenceGapEvent = {
  readonly object: "event";
  /** The event's id: deduplicate by it. */
  readonly id: string;
  /** Type of the event. */
  readonly type: "events.restored";
  /** API version of this body. Events that were recorded earlier keep theirs. */
  readonly apiVersion: string;
  /** The environment of the API key, which every id carries too. */
  readonly environment: "test" | "live";
  /** Number among the business's events of this environment, in commit order: 1, 2, 3 … without gaps but that of `events.restored`. */
  readonly sequence: string;
  /** Time of the event, strictly increasing within one intent and its payments. Order by it. */
  readonly occurredAt: string;
  /** Time at which it was recorded. */
  readonly createdAt: string;
  /** It happened before the service was restored from a copy, so it may have been announced before. */
  readonly restored?: true;
  readonly data: {
    /** No event has a sequence between the two; what had one is lost. */
    readonly object: {
      readonly object: "sequence_gap";
      /** The last sequence before the gap. */
      readonly after: string;
      /** The first above it: this event's own. */
      readonly before: string;
    };
  };
};

/** Sent by hand to test an endpoint. Signed like any other, and never recorded in the events API. */
export type TestEvent = {
  readonly object: "event";
  /** The event's id: deduplicate by it. */
  readonly id: string;
  /** Type of the event. */
  readonly type: "webhook.test";
  /** API version of this body. Events that were recorded earlier keep theirs. */
  readonly apiVersion: string;
  /** The environment of the API key, which every id carries too. */
  readonly environment: "test" | "live";
  /** Null, since it is never recorded. */
  readonly sequence: null;
  /** Time of the event, strictly increasing within one intent and its payments. Order by it. */
  readonly occurredAt: string;
  /** Time at which it was recorded. */
  readonly createdAt: string;
  /** It happened before the service was restored from a copy, so it may have been announced before. */
  readonly restored?: true;
  readonly data: {
    readonly object: {
      readonly object: "webhook_test";
      readonly endpoint: string;
    };
  };
};

/** A page of events. */
export type EventList = {
  readonly object: "list";
  /** Events, newest first. */
  readonly data: readonly (Event)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
  /** With `after_sequence`: the oldest sequence that is still stored; null if there is none. Events between yours and this one are deleted. */
  readonly oldestSequence?: string | null;
  /** With `after_sequence`: the newest sequence of this environment, whatever the filter; null if there is none. If `hasMore` is false, go on from here. */
  readonly lastSequence?: string | null;
};

/** The body of a delivery: an event, or that of a test. */
export type WebhookEvent = Event | TestEvent;

/** The business a key belongs to. */
export type Business = {
  readonly object: "business";
  /** The business's id. */
  readonly id: string;
  /** The business's name. */
  readonly name: string;
  /** The environment of the API key, which every id carries too. */
  readonly environment: "test" | "live";
  /** The key that asked. The key itself is shown once, when it is made. */
  readonly apiKey: {
    /** The id of the key that asked. */
    readonly id: string;
    /** `read`: it may make GET requests and verify, and nothing else. `disputes`: it may also write in disputes and record fulfillments. */
    readonly scope: "full" | "read" | "disputes";
  };
};

/** The progress of the service in reading the chain. */
export type Chain = {
  readonly object: "chain";
  /** The environment of the API key, which every id carries too. */
  readonly environment: "test" | "live";
  /** The newest confirmed slot that is known. */
  readonly slot: number | null;
  /** The newest finalized slot that is known. */
  readonly finalizedSlot: number | null;
  /** The block time up to which everything is worked through at `finalized`; null until the first pass is through. */
  readonly watermark: string | null;
  /** The slot of the watermark. */
  readonly watermarkSlot: number | null;
  /** The seconds by which the watermark is behind. */
  readonly behindSeconds: number | null;
  /** The RPC nodes that the service asks. */
  readonly nodes: {
    /** RPC nodes that answered at the last poll. */
    readonly healthy: number;
    /** RPC nodes that are configured. */
    readonly total: number;
  };
  readonly heldBy: {
    /** `paused`: the sweep is paused. `history`: a long history is read page by page. `no_list`: no node has given a whole list of the history for half a minute. `transaction`: a listed transaction is not processed. `second_node`: only one of several nodes lists the history. */
    readonly reason: "paused" | "history" | "no_list" | "transaction" | "second_node";
    /** The oldest transaction that is not processed; null for other reasons. */
    readonly signature: string | null;
    /** The seconds since it was listed, or since the last whole list; null for other reasons. */
    readonly seconds: number | null;
  } | null;
};

/** A token, as a create judges it. */
export type Asset = {
  readonly object: "asset";
  /** The address of its mint. */
  readonly mint: string;
  /** Its symbol by the service's own list, never by the mint's text, which anybody can write; null for any other token. */
  readonly symbol: string | null;
  /** Its name by the same list. */
  readonly name: string | null;
  /** The number of decimals of its amounts. */
  readonly decimals: number;
  /** The address of its token program. */
  readonly tokenProgram: string;
  /** True if an intent may ask for it. */
  readonly accepted: boolean;
  /** Why it is not accepted; null if it is. */
  readonly reason: string | null;
};

/** The kinds of payment that are settled here. */
export type X402Supported = {
  readonly kinds: readonly ({
    readonly x402Version: 2;
    readonly scheme: "protected";
    /** CAIP-2. */
    readonly network: string;
    readonly extra: {
      readonly program: string;
      readonly operator: string;
      readonly arbiter: string;
    };
  })[];
  readonly extensions: readonly (string)[];
  /** Empty: the payer signs alone. */
  readonly signers: Readonly<Record<string, unknown>>;
};

/** The verdict on a payment: if it would be settled now. */
export type X402Verification = {
  readonly isValid: boolean;
  /** The first rule that it breaks. */
  readonly invalidReason?: string;
  /** The payer's wallet. */
  readonly payer?: string;
};

/** The settled payment. It is final, and bound to the intent that was made for it. */
export type X402Settlement = {
  readonly success: boolean;
  /** Why it is not settled; `settlement_pending`: send the same request again. */
  readonly errorReason?: string;
  /** The transaction's signature; empty if nothing was sent. */
  readonly transaction: string;
  readonly network: string;
  /** The payer's wallet. */
  readonly payer?: string;
  /** Digits, in the token's smallest unit. */
  readonly amount?: string;
  readonly extra?: {
    readonly intent: string;
    readonly payment: string;
    readonly late: boolean;
    readonly protectionDeadline: string;
    readonly receiptUrl: string;
  };
};

export type X402Request = {
  readonly x402Version: 2;
  /** The payer's payment: `accepted`, the offer, and `payload` with its `transaction`. */
  readonly paymentPayload: Readonly<Record<string, unknown>>;
  /** The terms that the server asks for. */
  readonly paymentRequirements: Readonly<Record<string, unknown>>;
};

/** Parameters of `listPaymentIntents`. */
export interface ListPaymentIntentsQuery {
  /** Only intents with exactly this `merchantReference`. One that matches nothing gives an empty list. */
  readonly merchantReference?: string | undefined;
  /** Only intents that show this status. */
  readonly status?: "requires_payment" | "paid" | "expired" | "canceled" | undefined;
  /** Only intents created after this time. */
  readonly createdAfter?: string | Date | undefined;
  /** Only intents created before this time. */
  readonly createdBefore?: string | Date | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
  /** Id of the last intent of the page before: the answer goes on with older ones. Not together with `ending_before`. */
  readonly startingAfter?: string | undefined;
  /** Id of the first intent of a page: the answer holds the ones just newer, still newest first. Not together with `starting_after`. */
  readonly endingBefore?: string | undefined;
}

/** Parameters of `listPayments`. */
export interface ListPaymentsQuery {
  /** Only payments with this status. */
  readonly status?: "protected" | "disputed" | "released" | "refunded" | undefined;
  /** Only payments of this intent. An id that matches nothing gives an empty list. */
  readonly intent?: string | undefined;
  /** Only payments with this role. */
  readonly role?: "primary" | "duplicate" | undefined;
  /** Only payments that are late, or only those that are not. */
  readonly late?: boolean | undefined;
  /** Only payments that can be settled now, or only the others. */
  readonly settleable?: boolean | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
  /** Id of the last payment of the page before: the answer goes on with older ones. Not together with `ending_before`. */
  readonly startingAfter?: string | undefined;
  /** Id of the first payment of a page: the answer holds the ones just newer, still newest first. Not together with `starting_after`. */
  readonly endingBefore?: string | undefined;
}

/** Parameters of `listDisputes`. */
export interface ListDisputesQuery {
  /** Only disputes with this status. */
  readonly status?: "talking" | "deciding" | "agreed" | "decided" | "paused" | "closed" | undefined;
  /** Only disputes in which it is this party's turn. */
  readonly turn?: "buyer" | "merchant" | "arbiter" | "nobody" | undefined;
  /** Only disputes that are due before this time: by `answerBy`, the end of an agreement, or `decideBy`. */
  readonly dueBefore?: string | Date | undefined;
  /** Only disputes of this intent's payments. */
  readonly intent?: string | undefined;
  /** Only the dispute of this payment. */
  readonly payment?: string | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
  /** Id of the last dispute of the page before: the answer goes on with older ones. Not together with `ending_before`. */
  readonly startingAfter?: string | undefined;
  /** Id of the first dispute of a page: the answer holds the ones just newer, still newest first. Not together with `starting_after`. */
  readonly endingBefore?: string | undefined;
}

/** Parameters of `listFulfillments`. */
export interface ListFulfillmentsQuery {
  /** Page size. */
  readonly limit?: number | undefined;
  /** Id of the last fulfillment of the page before: the answer goes on with older ones. Not together with `ending_before`. */
  readonly startingAfter?: string | undefined;
  /** Id of the first fulfillment of a page: the answer holds the ones just newer, still newest first. Not together with `starting_after`. */
  readonly endingBefore?: string | undefined;
}

/** Parameters of `listEvents`. */
export interface ListEventsQuery {
  /** Only events of these types, or of these groups such as `payment.*`. May be given several times. */
  readonly type?: "payment_intent.created" | "payment_intent.paid" | "payment_intent.paid_late" | "payment_intent.duplicate_payment" | "payment_intent.payment_mismatch" | "payment_intent.expired" | "payment_intent.canceled" | "payment.protected" | "payment.disputed" | "payment.released" | "payment.refunded" | "payment.partially_refunded" | "payment.decided" | "payment.settleable" | "payment.reverted" | "dispute.opened" | "dispute.updated" | "dispute.decided" | "dispute.closed" | "webhook_endpoint.disabled" | "events.restored" | "payment_intent.*" | "payment.*" | "dispute.*" | "webhook_endpoint.*" | "events.*" | readonly ("payment_intent.created" | "payment_intent.paid" | "payment_intent.paid_late" | "payment_intent.duplicate_payment" | "payment_intent.payment_mismatch" | "payment_intent.expired" | "payment_intent.canceled" | "payment.protected" | "payment.disputed" | "payment.released" | "payment.refunded" | "payment.partially_refunded" | "payment.decided" | "payment.settleable" | "payment.reverted" | "dispute.opened" | "dispute.updated" | "dispute.decided" | "dispute.closed" | "webhook_endpoint.disabled" | "events.restored" | "payment_intent.*" | "payment.*" | "dispute.*" | "webhook_endpoint.*" | "events.*")[] | undefined;
  /** Only events of this intent and its payments. */
  readonly intent?: string | undefined;
  /** Only events of this payment. */
  readonly payment?: string | undefined;
  /** Only events that occurred after this time. */
  readonly occurredAfter?: string | Date | undefined;
  /** Only events that occurred before this time. */
  readonly occurredBefore?: string | Date | undefined;
  /** The `limit` events just above this sequence, newest first within the page; 0 to begin. Not together with `starting_after` or `ending_before`. */
  readonly afterSequence?: string | undefined;
  /** Seconds to wait for newer events. Needs `after_sequence` or `ending_before`. */
  readonly wait?: number | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
  /** Id of the last event of the page before: the answer goes on with older ones. Not together with `ending_before`. */
  readonly startingAfter?: string | undefined;
  /** Id of the first event of a page: the answer holds the ones just newer, still newest first. Not together with `starting_after`. */
  readonly endingBefore?: string | undefined;
}

/** The codes of errors that this version knows. */
export type ErrorCode = "bad_request" | "invalid_request" | "unauthorized" | "browser_request" | "forbidden" | "not_found" | "reference_in_use" | "intent_not_cancelable" | "signature_unverified" | "dispute_changed" | "idempotency_conflict" | "idempotency_in_progress" | "rate_limited" | "internal_error" | "unavailable" | "chain_unavailable";
