// Written by `npm run openapi` from the routes of the staff API. Change those, never this file.

export type SignInInput = {
  /** An e-mail address. */
  readonly email: string;
  /** The password. */
  readonly password: string;
};

export type CodeInput = {
  /** The ticket of the first step. */
  readonly ticket: string;
  /** A code of the authenticator app, or a backup code. */
  readonly code: string;
};

export type PasskeySignInInput = {
  /** The answer of a passkey. */
  readonly credential: {
    readonly id: string;
    readonly rawId: string;
    readonly type: "public-key";
    readonly response: {
      readonly clientDataJSON: string;
      readonly authenticatorData: string;
      readonly signature: string;
    } & Readonly<Record<string, unknown>>;
    readonly clientExtensionResults: Readonly<Record<string, unknown>>;
  } & Readonly<Record<string, unknown>>;
};

export type OwnerInput = {
  /** The secret of the link. */
  readonly link: string;
  /** An e-mail address. */
  readonly email: string;
  /** A name of 1 to 100 characters. */
  readonly name: string;
  /** The password. */
  readonly password: string;
};

export type PasswordResetInput = {
  /** An e-mail address. */
  readonly email: string;
};

export type PasswordLinkInput = {
  /** The secret of the link. */
  readonly link: string;
};

export type NewPasswordByLinkInput = {
  /** The secret of the link. */
  readonly link: string;
  /** The password. */
  readonly password: string;
  /** Ids of the passkeys that stay; none unless given. */
  readonly keepPasskeys?: readonly (string)[];
};

export type NewPasswordInput = {
  /** The password. */
  readonly password: string;
  readonly current?: string | null;
};

export type ProofInput = {
  /** The password. */
  readonly password: string;
  readonly code?: string | null;
};

export type PasskeyProofInput = {
  /** The answer of a passkey. */
  readonly credential: {
    readonly id: string;
    readonly rawId: string;
    readonly type: "public-key";
    readonly response: {
      readonly clientDataJSON: string;
      readonly authenticatorData: string;
      readonly signature: string;
    } & Readonly<Record<string, unknown>>;
    readonly clientExtensionResults: Readonly<Record<string, unknown>>;
  } & Readonly<Record<string, unknown>>;
};

export type PasskeyInput = {
  /** A name of 1 to 100 characters. */
  readonly name: string;
  /** A new passkey, as the browser made it. */
  readonly credential: {
    readonly id: string;
    readonly rawId: string;
    readonly type: "public-key";
    readonly response: {
      readonly clientDataJSON: string;
      readonly attestationObject: string;
    } & Readonly<Record<string, unknown>>;
    readonly clientExtensionResults: Readonly<Record<string, unknown>>;
  } & Readonly<Record<string, unknown>>;
};

export type AppCodeInput = {
  /** A code of the authenticator app, or a backup code. */
  readonly code: string;
};

export type CompanyAnswerInput = {
  /** The query string of the page to which the provider returned the browser. */
  readonly answer: string;
};

export type BusinessInput = {
  readonly name: string;
};

export type BusinessProfileChange = {
  readonly name?: string;
  readonly supportContact?: string | null;
  readonly refundPolicy?: string | null;
  readonly returnUrl?: string | null;
  readonly intentLifetimeMinutes?: number | null;
  readonly reportingCurrency?: string | null;
  readonly timeZone?: string | null;
  readonly locale?: string | null;
  readonly emailName?: string | null;
  readonly emailLine?: string | null;
  readonly emailReplyTo?: string | null;
  readonly color?: string | null;
  readonly logo?: string | null;
};

export type BusinessDomainClaim = {
  readonly domain: string;
};

export type RoleInput = {
  readonly role: "owner" | "admin" | "developer" | "disputes" | "read_only";
};

export type InvitationInput = {
  /** An e-mail address. */
  readonly email: string;
  readonly role: "owner" | "admin" | "developer" | "disputes" | "read_only";
};

export type InvitationLinkInput = {
  /** The secret that the invitation's link carries. */
  readonly invitation: string;
};

export type AcceptedInvitationInput = {
  /** The secret that the invitation's link carries. */
  readonly invitation: string;
};

export type InvitedInput = {
  /** The secret that the invitation's link carries. */
  readonly invitation: string;
  /** A name of 1 to 100 characters. */
  readonly name: string;
  /** The password. */
  readonly password: string;
};

export type DisputeEmailsInput = {
  readonly opened: boolean;
  readonly turn: boolean;
  readonly due_soon: boolean;
  readonly offer: boolean;
  readonly closed: boolean;
};

export type ApiKeyInput = {
  readonly name: string;
  readonly scope?: "full" | "read" | "disputes";
};

export type RollInput = {
  readonly grace: "none" | "1h" | "24h" | "7d";
};

export type RecipientCheckInput = {
  /** A wallet's address. */
  readonly address: string;
};

export type RecipientInput = {
  /** A wallet's address. */
  readonly address: string;
  readonly label: string;
  readonly accepted?: readonly ("unread" | "off_curve" | "unused" | "owned_by_program" | "memo_required" | "account_frozen")[];
};

export type RecipientLabel = {
  readonly label: string;
};

export type TestPaymentInput = {
  /** A wallet's address. */
  readonly asset: string;
  readonly amount: string;
};

export type SavedOnlyRuleChange = {
  readonly isOn: boolean;
};

export type EndpointUrlInput = {
  readonly url: string;
};

export type EndpointInput = {
  readonly url: string;
  readonly eventTypes?: readonly (string)[];
};

export type EndpointChangeInput = {
  readonly url?: string;
  readonly eventTypes?: readonly (string)[];
};

export type SecretRollInput = {
  readonly grace: "none" | "1h" | "24h";
};

export type ObjectResendInput = {
  /** Chosen by the caller. The same request with the same id continues it and sends nothing twice. */
  readonly id: string;
  readonly object?: string | null;
};

export type MatchingResendInput = {
  /** Chosen by the caller. The same request with the same id continues it and sends nothing twice. */
  readonly id: string;
  readonly status?: "pending" | "succeeded" | "abandoned" | null;
  readonly statusCode?: number | null;
  readonly errorClass?: "redirect" | "client_error" | "server_error" | "timeout" | "dns" | "address" | "connection" | "tls" | "protocol" | "other" | null;
  readonly type?: "payment_intent.created" | "payment_intent.paid" | "payment_intent.paid_late" | "payment_intent.duplicate_payment" | "payment_intent.payment_mismatch" | "payment_intent.expired" | "payment_intent.canceled" | "payment.protected" | "payment.disputed" | "payment.released" | "payment.refunded" | "payment.partially_refunded" | "payment.decided" | "payment.settleable" | "payment.reverted" | "dispute.opened" | "dispute.updated" | "dispute.decided" | "dispute.closed" | "webhook_endpoint.disabled" | "events.restored" | null;
  readonly object?: string | null;
  readonly createdAfter?: string | null;
  readonly createdBefore?: string | null;
};

export type ReplayInput = {
  /** Chosen by the caller. The same request with the same id continues it and sends nothing twice. */
  readonly id: string;
  readonly since?: string | null;
  readonly afterSequence?: string | null;
};

export type NewStaffPaymentIntent = {
  /** A number of whole tokens. */
  readonly amount?: string;
  /** The price in a currency, from which `amount` was made; null if you gave the amount. */
  readonly price?: Price | null;
  /** The mint of an SPL Token or Token-2022 token on this environment's chain. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly asset: string;
  /** Your own reference: unique among your open intents, compared exactly. No control characters, no white space at either end. */
  readonly merchantReference: string;
  /** A line for the buyer, shown on the checkout page; null if there is none. Plain text without control characters. */
  readonly description?: string | null;
  /** The time within which the buyer may dispute once it is paid. */
  readonly protectionPeriod: "oneHour" | "oneDay" | "threeDays" | "sevenDays" | "fourteenDays" | "thirtyDays";
  /** The wallet to be paid. Not a token account, a mint or a program. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly recipient: string;
};

export type NewPaymentBatch = {
  /** The mint of an SPL Token or Token-2022 token on this environment's chain. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly asset: string;
  /** The time within which the buyer may dispute once it is paid. */
  readonly protectionPeriod: "oneHour" | "oneDay" | "threeDays" | "sevenDays" | "fourteenDays" | "thirtyDays";
  /** The wallet to be paid. Not a token account, a mint or a program. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly recipient: string;
  /** The file: columns amount, or price and currency, and reference; if wanted note, token, period, recipient. A price needs a token at par with its currency. */
  readonly csv: string;
  readonly try: boolean;
};

export type NewPaymentLink = {
  /** Its purpose. */
  readonly title: string;
  readonly amount?: string | null;
  /** The price in a currency, from which `amount` was made; null if you gave the amount. */
  readonly price?: Price | null;
  /** The mint of an SPL Token or Token-2022 token on this environment's chain. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly asset: string;
  /** A line for the buyer, shown on the checkout page; null if there is none. Plain text without control characters. */
  readonly description?: string | null;
  /** The language of the buyer's pages, as a BCP 47 tag in its canonical form; null: the buyer's own. Of a language that this service does not have, too, the buyer's own. */
  readonly locale?: string | null;
  /** The time within which the buyer may dispute once it is paid. */
  readonly protectionPeriod: "oneHour" | "oneDay" | "threeDays" | "sevenDays" | "fourteenDays" | "thirtyDays";
  /** The wallet to be paid. Not a token account, a mint or a program. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly recipient: string;
  readonly seatsMax?: number | null;
  readonly hours?: number | null;
};

export type NewStaffRefund = {
  /** The amount that the buyer has in the end, earlier refunds included, in smallest units. */
  readonly total: string;
  /** The wallet that is to sign: the payment's recipient. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly account: string;
};

export type SignedRefund = {
  /** The signed transaction, in base64. */
  readonly transaction: string;
};

export type DisputeStatementInput = {
  readonly text: string;
};

export type DisputeOfferInput = {
  /** The amount that the buyer has in the end. */
  readonly total: string;
  readonly text?: string | null;
  readonly until?: string | null;
};

export type NewDecision = {
  readonly total?: string | null;
  readonly reasons?: string | null;
  readonly asAgreed?: boolean | null;
  readonly noInterest: boolean;
  readonly early?: boolean | null;
};

export type SignedDecision = {
  /** The transaction with the arbiter's signature, in base64. */
  readonly transaction: string;
};

export type DeskHandOver = {
  readonly to?: string | null;
};

export type DeskNote = {
  readonly text?: string | null;
};

export type DeskQuestion = {
  readonly text: string;
  readonly side?: "buyer" | "merchant" | null;
};

export type DisputeFileInput = {
  readonly name: string;
  /** The bytes that will be sent. */
  readonly size: number;
  /** The SHA-256 of the bytes that will be sent. */
  readonly sha256: string;
};

export type NewFulfillment = {
  readonly carrier?: string | null;
  readonly trackingNumber?: string | null;
  readonly link?: string | null;
  readonly sentAt?: string | null;
  readonly deliveredAt?: string | null;
  readonly delivery?: string | null;
};

export type NewPaymentNote = {
  readonly note?: string | null;
};

export type InspectionInput = {
  /** The pasted text. */
  readonly text: string;
};

/** Someone who signs in to the dashboard. */
export type User = {
  readonly object: "user";
  readonly id: string;
  /** The user's e-mail address. */
  readonly email: string;
  /** The user's name. */
  readonly name: string;
  /** True if the user may see all businesses of the deployment, and add one. */
  readonly isOperator: boolean;
  /** True if the user decides disputes of the deployment. */
  readonly isArbiter: boolean;
};

/** The step that a sign-in has reached. */
export type SignIn = {
  readonly object: "sign_in";
  /** With `signed_in` the answer set the session's cookie; with `second_factor` a code is needed. By a company's provider a user may also be `linked` or `proven`. */
  readonly status: "signed_in" | "second_factor" | "linked" | "proven";
  /** The ticket to send with the code; null if none is needed. */
  readonly ticket: string | null;
  readonly user: User | null;
};

/** The question of a browser to a passkey. */
export type PasskeyChallenge = {
  readonly object: "passkey_challenge";
  /** For `parseRequestOptionsFromJSON` or `parseCreationOptionsFromJSON` of PublicKeyCredential. */
  readonly publicKey: Readonly<Record<string, unknown>>;
};

/** The same for every address. */
export type PasswordReset = {
  readonly object: "password_reset";
  /** True if this deployment sends emails. If it does not, its operator gives out links. */
  readonly byEmail: boolean;
};

/** The ways to sign in to an account whose password is about to be set. */
export type PasswordResetDetails = {
  readonly object: "password_reset_details";
  /** True if there is an authenticator app, which stays. */
  readonly hasApp: boolean;
  /** Removed unless they are kept. */
  readonly passkeys: readonly (Passkey)[];
  /** They all end. */
  readonly sessions: readonly (StaffSession)[];
};

/** The password was set, and all sessions of the user have ended. */
export type PasswordSet = {
  readonly object: "password_set";
};

/** The user who is signed in. */
export type Account = {
  readonly object: "account";
  readonly user: User;
  readonly session: {
    readonly id: string;
    /** True if operations on keys, secrets and members need no further proof now. */
    readonly isFresh: boolean;
  };
  /** The ways in which the user signs in. */
  readonly signIn: {
    /** True if a password is set. */
    readonly hasPassword: boolean;
    /** True if there is an authenticator app. */
    readonly hasTotp: boolean;
    /** Backup codes that are unused. */
    readonly backupCodesLeft: number;
    /** Passkeys of the user. */
    readonly passkeys: number;
    /** True if the user is linked to the company's provider. */
    readonly isLinked: boolean;
  };
  /** The businesses of the user. */
  readonly businesses: readonly ({
    readonly id: string;
    readonly name: string;
    /** The user's role there. */
    readonly role: "owner" | "admin" | "developer" | "disputes" | "read_only";
  })[];
};

/** A session of the user. */
export type StaffSession = {
  readonly object: "session";
  readonly id: string;
  /** The way in which it began. */
  readonly method: string;
  /** The network address of its last request. */
  readonly address: string;
  /** The browser, in its own words. */
  readonly userAgent: string;
  /** The time of its beginning. */
  readonly createdAt: string;
  /** The time of its last use, to the minute. */
  readonly lastUsedAt: string;
  /** The time of its end, unless it is used before. */
  readonly expiresAt: string;
  /** True if it is the session of this request. */
  readonly isCurrent: boolean;
};

/** A page of sessions. */
export type StaffSessionList = {
  readonly object: "list";
  /** Sessions, newest first. */
  readonly data: readonly (StaffSession)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** A passkey of the user. */
export type Passkey = {
  readonly object: "passkey";
  readonly id: string;
  /** The user's name for it. */
  readonly name: string;
  /** The time at which it was added. */
  readonly createdAt: string;
  /** The time of its last use; null if there was none. */
  readonly lastUsedAt: string | null;
};

/** A page of passkeys. */
export type PasskeyList = {
  readonly object: "list";
  /** Passkeys, newest first. */
  readonly data: readonly (Passkey)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** An authenticator app that waits to be confirmed by a code. */
export type AuthenticatorApp = {
  readonly object: "authenticator_app";
  /** The secret to type into the app; shown this once. */
  readonly secret: string;
  /** The same for a QR code. */
  readonly uri: string;
};

/** Codes for the day on which the app is lost. Shown this once; each works once. */
export type BackupCodes = {
  readonly object: "backup_codes";
  readonly codes: readonly (string)[];
};

/** The operation is done. */
export type Done = {
  readonly object: "done";
};

/** The way to the company's provider. The answer set a cookie that goes with it, good once, for ten minutes. */
export type CompanyDeparture = {
  readonly object: "company_departure";
  /** The address at the company's provider to which the browser goes. */
  readonly url: string;
};

/** An action on the user's account. Entries are never changed or removed. */
export type AccountEntry = {
  readonly object: "account_entry";
  readonly id: string;
  /** The action, as a word. */
  readonly action: "added" | "demo_login_made" | "signed_up" | "signed_in" | "signed_out" | "session_ended" | "sessions_ended" | "tries_used_up" | "reset_asked" | "reset_link_made" | "password_changed" | "password_exposed" | "passkey_added" | "passkey_removed" | "second_factor_added" | "second_factor_removed" | "backup_codes_renewed" | "company_linked" | "company_unlinked" | "roles_changed";
  /** The time at which it was recorded. */
  readonly recordedAt: string;
  /** Further facts; never a secret. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly actor: {
    /** The id of a user, `cli` for the command line, `service` for the service itself. */
    readonly id: string;
    /** The user's address then, or the account at the command line. */
    readonly name: string;
    /** The network address; null if there is none. */
    readonly address: string | null;
  };
};

/** A page of entries of an account. */
export type AccountEntryList = {
  readonly object: "list";
  /** Entries of an account, newest first. */
  readonly data: readonly (AccountEntry)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** A business of the user. */
export type StaffBusiness = {
  readonly object: "business";
  /** The business's id. */
  readonly id: string;
  /** The business's name. */
  readonly name: string;
  /** The user's role there. */
  readonly role: "owner" | "admin" | "developer" | "disputes" | "read_only";
  /** The permissions of the role. */
  readonly permissions: readonly ("read" | "manage_keys" | "manage_webhooks" | "manage_members" | "manage_profile" | "restrict_recipients" | "answer_disputes" | "create_payments" | "refund_payments" | "read_audit" | "compare_books")[];
  /** The environments whose chain is configured. */
  readonly environments: readonly ("test" | "live")[];
  /** The public cluster of Solana that each environment is on, by which explorers find its accounts. */
  readonly clusters: {
    /** The public cluster; null if not configured or not public. */
    readonly test: "mainnet-beta" | "devnet" | "testnet" | null;
    /** The public cluster; null if not configured or not public. */
    readonly live: "mainnet-beta" | "devnet" | "testnet" | null;
  };
  /** The values by which a page checks a transaction or a text before a wallet signs it; null for an environment without a chain. */
  readonly programs: {
    readonly test: {
      /** The escrow program. Base58 of exactly 32 bytes, which the pattern alone does not say. */
      readonly programId: string;
      /** The operator account that every payment of the deployment names. Base58 of exactly 32 bytes, which the pattern alone does not say. */
      readonly operator: string;
    } | null;
    readonly live: {
      /** The escrow program. Base58 of exactly 32 bytes, which the pattern alone does not say. */
      readonly programId: string;
      /** The operator account that every payment of the deployment names. Base58 of exactly 32 bytes, which the pattern alone does not say. */
      readonly operator: string;
    } | null;
  };
};

/** The parts of a business that its buyers are shown. */
export type BusinessProfile = {
  readonly object: "business_profile";
  /** The business's id. */
  readonly id: string;
  /** The business's name. */
  readonly name: string;
  /** The domain that the business has proven; null if it has proven none. */
  readonly domain: string | null;
  /** An e-mail address or an https address; null if there is none. */
  readonly supportContact: string | null;
  /** SHA-256 of the policy's UTF-8, in hex, as the terms of a payment name it; null if there is no policy. */
  readonly refundPolicyHash: string | null;
  /** The template of the address to which buyers go back, as the specification has it in §2.3.3; null if there is none. */
  readonly returnUrl: string | null;
  /** Minutes for which its intents can be paid; null: as long as the deployment says. */
  readonly intentLifetimeMinutes: number | null;
  /** The currency in which its books show values (§13.23); null: they show none. */
  readonly reportingCurrency: string | null;
  /** The time zone of its exports, by its name; null: UTC. */
  readonly timeZone: string | null;
  /** The language of its buyers' pages where neither intent nor buyer names one, as a BCP 47 tag; null: English. */
  readonly locale: string | null;
  /** The colour of its buttons on buyers' pages, in hex; null: the pages' own. */
  readonly color: string | null;
  /** Its name in emails to buyers; null: its name. */
  readonly emailName: string | null;
  /** A line of its own in emails to buyers; null: none. */
  readonly emailLine: string | null;
  /** The address to which answers to these emails go; null: to the sender. */
  readonly emailReplyTo: string | null;
  /** Plain text; null if there is none. */
  readonly refundPolicy: string | null;
  /** SHA-256 of its logo, in hex, by which `/pay/logos/{sha256}` has the picture; null if there is none. */
  readonly logo: string | null;
};

/** A business as operators see it. */
export type BusinessSummary = {
  readonly object: "business_summary";
  /** The business's id. */
  readonly id: string;
  /** The business's name. */
  readonly name: string;
  /** The time at which it was added. */
  readonly createdAt: string;
};

/** A page of businesses. */
export type BusinessSummaryList = {
  readonly object: "list";
  /** Businesses, newest first. */
  readonly data: readonly (BusinessSummary)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** Something that needs a person. */
export type Matter = {
  readonly object: "matter";
  /** The kind. `payouts_behind`, `keeper_low` and `sponsor_low` are shown to operators of the deployment alone. */
  readonly kind: "books_differ" | "checkouts_held" | "payouts_behind" | "keeper_low" | "sponsor_low" | "dispute" | "question" | "reply" | "offer" | "agreement" | "duplicate" | "over_limit" | "unmatched" | "endpoint_failing" | "deployment_changed";
  /** The payment, the endpoint or the wallet; null for a matter of the deployment. */
  readonly id: string | null;
  /** The time at which it began; null if unknown. */
  readonly since: string | null;
  /** The time until which something can be done; null if there is none. */
  readonly due: string | null;
  /** The merchantReference of the order, or the URL of the endpoint without its query. */
  readonly reference: string | null;
  /** The amount in question, in the asset's smallest unit. */
  readonly amount: string | null;
  /** The token's mint. */
  readonly asset: string | null;
  /** As buyers read it; null for a token that only its address names. */
  readonly symbol: string | null;
  /** The decimals of the token; null if the chain has not shown it here. */
  readonly decimals: number | null;
  /** The last error of an endpoint, the kind of a difference, the reason why a payment matches no order, the id of a dispute, the changed values of a deployment, or the lamports of a wallet. */
  readonly detail: string | null;
};

/** The sum of some payments of a day or a week. */
export type DaySum = {
  /** The day, or the Monday of the week, in UTC. */
  readonly from: string;
  /** The sum of their amounts. */
  readonly amount: string;
  /** The number of payments. */
  readonly payments: number;
};

/** A token in which the business is paid, with its sums. Days and weeks are those of UTC. */
export type AssetOverview = {
  readonly object: "asset_overview";
  /** The token's mint. */
  readonly asset: string;
  /** As buyers read it; null for a token that only its address names. */
  readonly symbol: string | null;
  /** The decimals of the token; null if the chain has not shown it here. */
  readonly decimals: number | null;
  /** Everything that is in the escrow. */
  readonly inEscrow: string;
  /** The recipient's part of payments that are protected. */
  readonly due: string;
  /** Their number. */
  readonly duePayments: number;
  /** The part of it that became due on an earlier day and has not left yet. */
  readonly overdue: string;
  /** Their number. */
  readonly overduePayments: number;
  /** The recipient's part of payments in dispute, which have no date. */
  readonly disputed: string;
  /** Their number. */
  readonly disputedPayments: number;
  /** The recipient's part of decided payments, which leaves next. */
  readonly decided: string;
  /** The part that buyers are bound to get back and that has not left yet. */
  readonly returning: string;
  /** The days on which protected payments become due, from today on. */
  readonly releases: readonly (DaySum)[];
  /** The sums since Monday. */
  readonly week: {
    /** The amount that left to recipients. */
    readonly released: string;
    /** The number of payments of which a part left. */
    readonly releasedPayments: number;
    /** The amount that went back to buyers. A payment that went back in parts counts whole, on the day of the last. */
    readonly refunded: string;
    /** Their number. */
    readonly refundedPayments: number;
  };
};

/** The matters that need a person, and the places of the money. */
export type Overview = {
  readonly object: "overview";
  /** The environment's time. */
  readonly at: string;
  /** The present day, in UTC. */
  readonly today: string;
  /** The matters that need a person now, the most urgent first. */
  readonly matters: readonly (Matter)[];
  /** True if there are more of a kind than are shown. */
  readonly hasMoreMatters: boolean;
  /** The tokens, those with the most payments in the escrow first. */
  readonly assets: readonly (AssetOverview)[];
  /** True if there are more tokens. */
  readonly hasMoreAssets: boolean;
  /** The amounts paid in one of the tokens; null while there is none. */
  readonly volume: {
    /** The token's mint: the one asked for if it is shown, else the first. */
    readonly asset: string;
    /** The amounts paid, by week: this one and the 23 before it, without those in which nothing was. */
    readonly weeks: readonly (DaySum)[];
  } | null;
};

/** A token in which the business is paid, with its sums. Days are those of UTC. */
export type BooksAsset = {
  readonly object: "books_asset";
  /** The token's mint. */
  readonly asset: string;
  /** As buyers read it; null for a token that only its address names. */
  readonly symbol: string | null;
  /** The decimals of the token; null if the chain has not shown it here. */
  readonly decimals: number | null;
  /** The amount paid in the period. */
  readonly paid: string;
  /** The number of payments. */
  readonly paidPayments: number;
  /** The amount that left to recipients in the period. */
  readonly released: string;
  /** The number of payments of which a part left. */
  readonly releasedPayments: number;
  /** The amount that went back to buyers in the period. A payment that went back in parts counts whole, on the day of the last. */
  readonly refunded: string;
  /** Their number. */
  readonly refundedPayments: number;
  /** The amount in the escrow at the end of the period. */
  readonly inEscrow: string;
  /** The part of it that is bound to leave to recipients next; null for a period that is over. */
  readonly leavingToRecipients: string | null;
  /** The part of it that is bound to go back to buyers next; null for a period that is over. */
  readonly leavingToSenders: string | null;
  /** Values in the reporting currency (§13.23); null if the business has none. */
  readonly values: {
    /** The business's reporting currency. */
    readonly currency: string;
    /** The value of what was paid in the period, each payment on its day. */
    readonly paid: string;
    /** The number of payments that have a value. */
    readonly paidPayments: number;
    /** That of what left to recipients. */
    readonly released: string;
    /** Their number. */
    readonly releasedPayments: number;
    /** That of what went back to buyers, each part on its day. */
    readonly refunded: string;
    /** The number of those parts. */
    readonly refundedParts: number;
    /** The number of payments that went back and whose parts all have a value. */
    readonly refundedPayments: number;
  } | null;
  /** The prices of what was paid in the period, by currency: those of payments whose intents had one. */
  readonly prices: readonly ({
    /** ISO 4217. */
    readonly currency: string;
    /** The sum of the prices. */
    readonly paid: string;
    /** The number of payments. */
    readonly payments: number;
  })[];
  /** The differences that the last comparison found in this token. */
  readonly differences: number;
  /** The last comparison with the chain; null if it found no open payment in this token, or there was none. */
  readonly comparison: {
    /** The open payments that were compared. */
    readonly payments: number;
    /** The amount still to leave by the books. */
    readonly held: string;
    /** The amount that their vaults held. */
    readonly vaults: string;
    /** The part of it that is more than is to leave. */
    readonly gifts: string;
    /** The number of vaults that held more. */
    readonly giftPayments: number;
    /** The lowest slot at which one was read. */
    readonly slotMin: number | null;
    /** The highest. */
    readonly slotMax: number | null;
  } | null;
};

/** A finding of a comparison of the books with the chain. */
export type BooksFinding = {
  readonly object: "books_finding";
  /** `vault_short`: the vault holds less than is to leave. `record_differs`: the payment's record on chain says otherwise than the books. `record_missing`: the chain has none. `sums_differ`: sums by day are not those of the payments. `gift`: the vault holds more than is to leave, which is no difference. */
  readonly kind: "vault_short" | "record_differs" | "record_missing" | "sums_differ" | "gift";
  /** The payment; null for the sums of a token. */
  readonly payment: string | null;
  /** The merchantReference of its order. */
  readonly reference: string | null;
  /** The token's mint. */
  readonly asset: string;
  /** As buyers read it; null for a token that only its address names. */
  readonly symbol: string | null;
  /** The decimals of the token; null if the chain has not shown it here. */
  readonly decimals: number | null;
  /** The amount in question, in the asset's smallest unit. */
  readonly amount: string;
  /** The fields or the sums that differ. */
  readonly detail: string | null;
  /** The slot at which it was read; null for sums. */
  readonly slot: number | null;
  /** The time of the first comparison that found it. */
  readonly foundAt: string;
};

/** The money that came to the business's recipients and is bound to no intent. It is in no other sum. */
export type UnmatchedSum = {
  readonly object: "unmatched_sum";
  /** The token's mint. */
  readonly asset: string;
  /** As buyers read it; null for a token that only its address names. */
  readonly symbol: string | null;
  /** The decimals of the token; null if the chain has not shown it here. */
  readonly decimals: number | null;
  /** The number of payments that came in the period. */
  readonly payments: number;
  /** The amount that they were paid. */
  readonly paid: string;
  /** The amount that left to recipients in the period. */
  readonly released: string;
  /** The amount that went back to buyers in the period. */
  readonly refunded: string;
  /** True if older payments to a recipient were left out of the sums. */
  readonly isPart: boolean;
};

/** The money that came in, its place now, and if the chain agrees. */
export type Books = {
  readonly object: "books";
  /** The environment's time. */
  readonly at: string;
  /** The present day, in UTC. */
  readonly today: string;
  /** The tokens, those with the most payments first. */
  readonly assets: readonly (BooksAsset)[];
  /** True if there are more tokens. */
  readonly hasMoreAssets: boolean;
  /** Money that came without an order, by token: it is in the wallet, and in no sum of `assets`. */
  readonly unmatched: readonly (UnmatchedSum)[];
  /** The cost that the deployment paid in the period for buyers of the business, in lamports. Payouts of the keeper are not counted by business. */
  readonly costs: {
    /** Fees, and rent that never comes back. */
    readonly spent: string;
    /** Rent that comes back once the payments are over. */
    readonly lent: string;
  };
  /** The end of the last comparison with the chain; null if there was none. */
  readonly checkedAt: string | null;
  /** True while one is asked for or under way. */
  readonly isChecking: boolean;
  /** The differences that the last one found. */
  readonly differences: number;
  /** Its findings, differences first. */
  readonly findings: readonly (BooksFinding)[];
  /** True if it found more. */
  readonly hasMoreFindings: boolean;
};

/** A movement of a payment's funds, with its value in the business's reporting currency on that day. */
export type PaymentValue = {
  readonly object: "payment_value";
  /** The ordinal in the payment's entries. */
  readonly number: number;
  /** `payment`: it was paid. `release`: a part left to the recipient. `refund`: a part went back to the buyer. */
  readonly kind: "payment" | "release" | "refund";
  /** Digits, in the asset's smallest unit. */
  readonly amount: string;
  /** The time on chain. */
  readonly occurredAt: string;
  /** The reporting currency of that time. */
  readonly currency: string;
  /** The value in that currency; null if there is none, or none yet. */
  readonly value: string | null;
  /** The worth of one whole token in it. */
  readonly rate: string | null;
  /** `par`: the token stands for this currency. `ecb`: reference rates of the European Central Bank. `file`: rates of the operator. */
  readonly source: "par" | "ecb" | "file" | null;
  /** The day of the rate: that of the movement, or the last one before it with a rate. */
  readonly rateDay: string | null;
  /** Why it has no value: `waits` for a rate of its day or a later one; `no_rates`: the operator has set none for it. Null with a value. */
  readonly missing: "waits" | "no_rates" | null;
};

/** A page of values. */
export type PaymentValueList = {
  readonly object: "list";
  /** Values, newest first. */
  readonly data: readonly (PaymentValue)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** The domain of a business. */
export type BusinessDomain = {
  readonly object: "business_domain";
  /** The business's id. */
  readonly id: string;
  /** The name as DNS has it, in ASCII; null if none was claimed. */
  readonly domain: string | null;
  /** `failing`: buyers are shown it, but the last check did not find the proof. */
  readonly state: "none" | "claimed" | "proven" | "failing";
  /** The text that proves the domain, in either place; null if none was claimed. */
  readonly proof: {
    /** The line of the file, or the text of the record. */
    readonly text: string;
    /** The address of the file. */
    readonly fileUrl: string;
    /** The name of the TXT record. */
    readonly recordName: string;
  } | null;
  /** The time at which it was claimed; null if none was. */
  readonly claimedAt: string | null;
  /** The time since which buyers are shown it; null if they are not. */
  readonly provenAt: string | null;
  /** The time of the last check; null if there was none. */
  readonly checkedAt: string | null;
  /** The time since which the proof was not found; null while it is there, or never was. */
  readonly failingSince: string | null;
  /** The time until which buyers are shown it, unless the proof is found again; null if it is not failing. */
  readonly shownUntil: string | null;
  /** The reason why the last check found no proof, in sentences; null if there is none. */
  readonly problem: string | null;
};

/** A user in a business. */
export type Member = {
  readonly object: "member";
  readonly userId: string;
  /** The user's e-mail address. */
  readonly email: string;
  /** The user's name. */
  readonly name: string;
  /** `owner` does everything; `admin` all but decide about owners; `developer` manages API keys; `disputes` answers disputes and reads; `read_only` reads. */
  readonly role: "owner" | "admin" | "developer" | "disputes" | "read_only";
  /** True if a group of the company's provider gives the role, which counts in sessions by the company alone. */
  readonly byGroup: boolean;
  /** The time since which the user is a member. */
  readonly createdAt: string;
};

/** A page of members. */
export type MemberList = {
  readonly object: "list";
  /** Members, newest first. */
  readonly data: readonly (Member)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** An invitation to a business. */
export type Invitation = {
  readonly object: "invitation";
  readonly id: string;
  /** The address that is invited. */
  readonly email: string;
  /** `owner` does everything; `admin` all but decide about owners; `developer` manages API keys; `disputes` answers disputes and reads; `read_only` reads. */
  readonly role: "owner" | "admin" | "developer" | "disputes" | "read_only";
  /** The time of its creation. */
  readonly createdAt: string;
  /** The time until which it can be accepted. */
  readonly expiresAt: string;
  /** True if this deployment sends emails. If it does not, the member who invites hands out the link. */
  readonly byEmail: boolean;
};

/** An invitation that was just made. */
export type MadeInvitation = {
  readonly object: "invitation";
  readonly id: string;
  /** The address that is invited. */
  readonly email: string;
  /** `owner` does everything; `admin` all but decide about owners; `developer` manages API keys; `disputes` answers disputes and reads; `read_only` reads. */
  readonly role: "owner" | "admin" | "developer" | "disputes" | "read_only";
  /** The time of its creation. */
  readonly createdAt: string;
  /** The time until which it can be accepted. */
  readonly expiresAt: string;
  /** True if this deployment sends emails. If it does not, the member who invites hands out the link. */
  readonly byEmail: boolean;
  /** Its link, where this deployment sends no emails: this is the only time it is shown. Null: it goes by email. */
  readonly link: string | null;
};

/** A page of invitations. */
export type InvitationList = {
  readonly object: "list";
  /** Invitations, newest first. */
  readonly data: readonly (Invitation)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** An invitation, for the holder of its link. */
export type InvitationDetails = {
  readonly object: "invitation_details";
  /** The business's name. */
  readonly business: string;
  /** The address that is invited. */
  readonly email: string;
  /** `owner` does everything; `admin` all but decide about owners; `developer` manages API keys; `disputes` answers disputes and reads; `read_only` reads. */
  readonly role: "owner" | "admin" | "developer" | "disputes" | "read_only";
  /** True if the address has a user, who signs in and accepts. */
  readonly hasUser: boolean;
};

/** The user is a member from now on. */
export type Joined = {
  readonly object: "joined";
  readonly businessId: string;
  /** `owner` does everything; `admin` all but decide about owners; `developer` manages API keys; `disputes` answers disputes and reads; `read_only` reads. */
  readonly role: "owner" | "admin" | "developer" | "disputes" | "read_only";
};

/** The emails about disputes of a business that the user gets. */
export type DisputeEmails = {
  readonly object: "dispute_emails";
  readonly businessId: string;
  /** The business's name. */
  readonly business: string;
  /** The occasions of an email: a dispute was opened, it is the turn of the business, that turn ends within 48 hours, the buyer made an offer, the dispute was decided or closed. */
  readonly kinds: readonly ("opened" | "turn" | "due_soon" | "offer" | "closed")[];
  /** True if this deployment sends emails. */
  readonly byEmail: boolean;
};

/** A page of businesses with their emails. */
export type DisputeEmailsList = {
  readonly object: "list";
  /** Businesses with their emails, newest first. */
  readonly data: readonly (DisputeEmails)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** An action in a business. Entries are never changed or removed. */
export type AuditEntry = {
  readonly object: "audit_entry";
  readonly id: string;
  /** The environment; null if it concerns the business as a whole. */
  readonly environment: "test" | "live" | null;
  /** The action, as a word such as `key.issued`. */
  readonly action: string;
  /** The id of the target; null if there is none. */
  readonly target: string | null;
  /** The time at which it was recorded. */
  readonly recordedAt: string;
  /** Further facts; never a secret. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly actor: {
    /** The id of a user, `cli` for the command line, `service` for the service itself. */
    readonly id: string;
    /** The user's address then, or the account at the command line. */
    readonly name: string;
    /** The network address; null if there is none. */
    readonly address: string | null;
  };
};

/** A page of audit entries. */
export type AuditEntryList = {
  readonly object: "list";
  /** Audit entries, newest first. */
  readonly data: readonly (AuditEntry)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** A key of the merchant API. */
export type ApiKey = {
  readonly object: "api_key";
  readonly id: string;
  /** The business's name for it; null if it has none. */
  readonly name: string | null;
  readonly environment: "test" | "live";
  /** Its last four characters. */
  readonly last4: string;
  /** A key `in_grace` still works, and does not count toward the five active ones. */
  readonly state: "active" | "in_grace" | "expired" | "revoked";
  /** Requests it may make a minute. */
  readonly ratePerMinute: number;
  /** `read`: it may make GET requests and verify, and nothing else. `disputes`: it may also write in disputes and record fulfillments. */
  readonly scope: "full" | "read" | "disputes";
  /** The time of its creation. */
  readonly createdAt: string;
  /** The minute of its last request; null if it was not used since the database last started. */
  readonly lastUsedAt: string | null;
  /** The time at which it was rolled; null if it was not. */
  readonly rolledAt: string | null;
  /** The end of its grace; null if it was not rolled. */
  readonly expiresAt: string | null;
  /** The time at which it was revoked; null if it was not. */
  readonly revokedAt: string | null;
};

/** A new key. */
export type IssuedApiKey = {
  readonly object: "api_key";
  readonly id: string;
  /** The business's name for it; null if it has none. */
  readonly name: string | null;
  readonly environment: "test" | "live";
  /** Its last four characters. */
  readonly last4: string;
  /** A key `in_grace` still works, and does not count toward the five active ones. */
  readonly state: "active" | "in_grace" | "expired" | "revoked";
  /** Requests it may make a minute. */
  readonly ratePerMinute: number;
  /** `read`: it may make GET requests and verify, and nothing else. `disputes`: it may also write in disputes and record fulfillments. */
  readonly scope: "full" | "read" | "disputes";
  /** The time of its creation. */
  readonly createdAt: string;
  /** The minute of its last request; null if it was not used since the database last started. */
  readonly lastUsedAt: string | null;
  /** The time at which it was rolled; null if it was not. */
  readonly rolledAt: string | null;
  /** The end of its grace; null if it was not rolled. */
  readonly expiresAt: string | null;
  /** The time at which it was revoked; null if it was not. */
  readonly revokedAt: string | null;
  /** The key in full: this is the only time it is shown. */
  readonly secret: string;
};

/** A page of keys. */
export type ApiKeyList = {
  readonly object: "list";
  /** Keys, newest first. */
  readonly data: readonly (ApiKey)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** A wallet that the business is paid to. */
export type Recipient = {
  readonly object: "recipient";
  /** The wallet's address. */
  readonly id: string;
  /** The business's name for it. */
  readonly label: string;
  /** `arrived`: a test payment has left the escrow to the wallet. `tried`: somebody of the business has found it there. */
  readonly state: "untried" | "waiting" | "in_escrow" | "arrived" | "failed" | "tried";
  /** The last test payment; null if none was offered. */
  readonly test: {
    /** The intent's id. */
    readonly intent: string;
    /** The mint's address. */
    readonly asset: string;
    /** In the token's smallest unit. */
    readonly amount: string;
    /** The intent's status. */
    readonly status: "requires_payment" | "paid" | "expired" | "canceled";
    /** The page on which it can be paid; null once it cannot. */
    readonly checkoutUrl: string | null;
    /** The payment's status; null if nobody has paid. */
    readonly paymentStatus: "protected" | "disputed" | "released" | "refunded" | null;
    /** The time from which it can be settled to the wallet; null if nobody has paid. */
    readonly protectionDeadline: string | null;
  } | null;
  /** The time at which it was added. */
  readonly addedAt: string;
  /** The time from which intents may name it, while only saved recipients may be named; null if they may now. */
  readonly heldUntil: string | null;
  /** The time at which somebody found the test payment in the wallet; null if nobody has yet. */
  readonly confirmedAt: string | null;
  /** The e-mail address of the user who found it; null if nobody has yet. */
  readonly confirmedBy: string | null;
};

/** A page of recipients. */
export type RecipientList = {
  readonly object: "list";
  /** Recipients, newest first. */
  readonly data: readonly (Recipient)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** The rule that creates may name saved recipients alone, on or off. */
export type SavedOnlyRule = {
  readonly object: "saved_only_rule";
  /** A create to any other recipient is refused. */
  readonly isOn: boolean;
  /** The time since which it is on; null while it is off. */
  readonly since: string | null;
  /** The end that an owner asked for; null if nobody did. */
  readonly endsAt: string | null;
};

/** The result of a check of an address on chain. */
export type RecipientCheck = {
  readonly object: "recipient_check";
  /** The reason why it cannot be kept, in a sentence; null if it can. */
  readonly problem: string | null;
  /** Reasons to check the address again. A recipient is added once each is accepted. */
  readonly warnings: readonly ({
    readonly code: "unread" | "off_curve" | "unused" | "owned_by_program" | "memo_required" | "account_frozen";
    /** The warning, in a sentence. */
    readonly text: string;
  })[];
};

/** A well-known token. */
export type TestAsset = {
  readonly object: "test_asset";
  /** The mint's address. */
  readonly id: string;
  /** The token's short name. */
  readonly symbol: string;
  /** Decimal places of the token. */
  readonly decimals: number;
};

/** A page of tokens. */
export type TestAssetList = {
  readonly object: "list";
  /** Tokens, newest first. */
  readonly data: readonly (TestAsset)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** A webhook endpoint. */
export type WebhookEndpoint = {
  readonly object: "webhook_endpoint";
  readonly id: string;
  readonly url: string;
  /** `["*"]` stands for all types, including future ones. */
  readonly eventTypes: readonly ("*" | "payment_intent.created" | "payment_intent.paid" | "payment_intent.paid_late" | "payment_intent.duplicate_payment" | "payment_intent.payment_mismatch" | "payment_intent.expired" | "payment_intent.canceled" | "payment.protected" | "payment.disputed" | "payment.released" | "payment.refunded" | "payment.partially_refunded" | "payment.decided" | "payment.settleable" | "payment.reverted" | "dispute.opened" | "dispute.updated" | "dispute.decided" | "dispute.closed" | "webhook_endpoint.disabled" | "events.restored")[];
  readonly environment: "test" | "live";
  /** `failing`: five deliveries in a row were abandoned. */
  readonly status: "enabled" | "disabled" | "failing";
  /** The status in sentences: its start, its reason, the deliveries held, and the effect of enabling. */
  readonly state: string;
  /** Null while it is enabled. */
  readonly disabledAt: string | null;
  readonly failingSince: string | null;
  /** Error of the last attempt, in words; null if it did not fail. */
  readonly lastError: string | null;
  readonly abandonedInARow: number;
  /** Pending deliveries, counted up to 1000. */
  readonly pending: number;
  /** Null if there is none. */
  readonly oldestPendingAt: string | null;
  /** API version of the bodies that it receives. */
  readonly apiVersion: string;
  /** A `standard` secret also signs the headers of Standard Webhooks. */
  readonly secretForm: "opaque" | "standard";
  /** Null if there is none. */
  readonly previousSecretUntil: string | null;
  /** Time at which it was added. */
  readonly createdAt: string;
};

/** An endpoint with a new signing secret. */
export type IssuedWebhookEndpoint = {
  readonly object: "webhook_endpoint";
  readonly id: string;
  readonly url: string;
  /** `["*"]` stands for all types, including future ones. */
  readonly eventTypes: readonly ("*" | "payment_intent.created" | "payment_intent.paid" | "payment_intent.paid_late" | "payment_intent.duplicate_payment" | "payment_intent.payment_mismatch" | "payment_intent.expired" | "payment_intent.canceled" | "payment.protected" | "payment.disputed" | "payment.released" | "payment.refunded" | "payment.partially_refunded" | "payment.decided" | "payment.settleable" | "payment.reverted" | "dispute.opened" | "dispute.updated" | "dispute.decided" | "dispute.closed" | "webhook_endpoint.disabled" | "events.restored")[];
  readonly environment: "test" | "live";
  /** `failing`: five deliveries in a row were abandoned. */
  readonly status: "enabled" | "disabled" | "failing";
  /** The status in sentences: its start, its reason, the deliveries held, and the effect of enabling. */
  readonly state: string;
  /** Null while it is enabled. */
  readonly disabledAt: string | null;
  readonly failingSince: string | null;
  /** Error of the last attempt, in words; null if it did not fail. */
  readonly lastError: string | null;
  readonly abandonedInARow: number;
  /** Pending deliveries, counted up to 1000. */
  readonly pending: number;
  /** Null if there is none. */
  readonly oldestPendingAt: string | null;
  /** API version of the bodies that it receives. */
  readonly apiVersion: string;
  /** A `standard` secret also signs the headers of Standard Webhooks. */
  readonly secretForm: "opaque" | "standard";
  /** Null if there is none. */
  readonly previousSecretUntil: string | null;
  /** Time at which it was added. */
  readonly createdAt: string;
  /** The signing secret: this is the only time it is shown. */
  readonly secret: string;
};

/** A page of endpoints. */
export type WebhookEndpointList = {
  readonly object: "list";
  /** Endpoints, oldest first. */
  readonly data: readonly (WebhookEndpoint)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** The check of a URL. */
export type EndpointUrlCheck = {
  readonly object: "endpoint_url_check";
  /** The URL in the form that is stored; null if it breaks a rule. */
  readonly url: string | null;
  /** The rule that it breaks, in a sentence; null if it may be added. */
  readonly problem: string | null;
  /** Reason for which a delivery would fail now although the URL may be added, by its DNS records. */
  readonly warning: string | null;
};

/** The result of a test. */
export type WebhookTest = {
  readonly object: "webhook_test";
  /** The id of the `webhook.test` event. */
  readonly event: string;
  /** Null until a worker has sent it. */
  readonly succeeded: boolean | null;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number | null;
};

/** The delivery of one event to one endpoint. */
export type WebhookDelivery = {
  readonly object: "webhook_delivery";
  readonly id: string;
  /** The endpoint's id. */
  readonly endpoint: string;
  /** The event's id. */
  readonly event: string;
  /** The event's type. */
  readonly type: string;
  readonly status: "pending" | "succeeded" | "abandoned";
  /** Attempts of the schedule so far. Manual resends are not counted. */
  readonly attempts: number;
  /** HTTP status of the last attempt; null if there was none. */
  readonly statusCode: number | null;
  /** Error of the last attempt; null if it did not fail. */
  readonly errorClass: "redirect" | "client_error" | "server_error" | "timeout" | "dns" | "address" | "connection" | "tls" | "protocol" | "other" | null;
  /** Null if no attempt follows. An endpoint that is not enabled gets none, even if one is due. */
  readonly dueAt: string | null;
  /** Time of creation. */
  readonly createdAt: string;
  /** Null while it is pending. */
  readonly finishedAt: string | null;
};

/** A page of deliveries. */
export type WebhookDeliveryList = {
  readonly object: "list";
  /** Deliveries, newest first. */
  readonly data: readonly (WebhookDelivery)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** A delivery with its request and its attempts. */
export type WebhookDeliveryDetails = {
  readonly object: "webhook_delivery";
  readonly id: string;
  /** The endpoint's id. */
  readonly endpoint: string;
  /** The event's id. */
  readonly event: string;
  /** The event's type. */
  readonly type: string;
  readonly status: "pending" | "succeeded" | "abandoned";
  /** Attempts of the schedule so far. Manual resends are not counted. */
  readonly attempts: number;
  /** HTTP status of the last attempt; null if there was none. */
  readonly statusCode: number | null;
  /** Error of the last attempt; null if it did not fail. */
  readonly errorClass: "redirect" | "client_error" | "server_error" | "timeout" | "dns" | "address" | "connection" | "tls" | "protocol" | "other" | null;
  /** Null if no attempt follows. An endpoint that is not enabled gets none, even if one is due. */
  readonly dueAt: string | null;
  /** Time of creation. */
  readonly createdAt: string;
  /** Null while it is pending. */
  readonly finishedAt: string | null;
  /** The request of each attempt. Each has its own signature, which is not kept. */
  readonly sent: {
    /** Current URL of the endpoint. */
    readonly url: string;
    readonly headers: Readonly<Record<string, unknown>>;
    /** Body, byte for byte. */
    readonly body: string;
  };
  /** The attempts, oldest first, at most 100. Bodies of answers are not read. */
  readonly attemptLog: readonly ({
    /** Null for a manual resend. */
    readonly number: number | null;
    /** Start of the attempt. */
    readonly startedAt: string;
    readonly durationMs: number;
    readonly succeeded: boolean;
    /** HTTP status; null if there was no answer. */
    readonly statusCode: number | null;
    /** Error in words; null if it succeeded. */
    readonly error: string | null;
  })[];
};

/** The figures of an endpoint for one hour. */
export type WebhookHour = {
  readonly object: "webhook_hour";
  /** Start of the hour. */
  readonly hour: string;
  /** Attempts that ended in this hour, without tests. */
  readonly attempts: number;
  readonly succeeded: number;
  /** Total duration of the attempts. */
  readonly tookMs: number;
  /** Duration of the longest attempt. */
  readonly tookMsMax: number;
  /** Attempts that were the first of their delivery. */
  readonly firstAttempts: number;
  /** Total time from the creation of those deliveries to their first attempt. */
  readonly waitedMs: number;
};

/** A page of hours. */
export type WebhookHourList = {
  readonly object: "list";
  /** Hours, oldest first. */
  readonly data: readonly (WebhookHour)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
  /** Start of the first hour of the span. */
  readonly from: string;
  /** The time at which they were read, by the service's clock: the end of the span. */
  readonly at: string;
};

/** A resend or replay, and its progress. */
export type WebhookResend = {
  readonly object: "webhook_resend";
  readonly id: string;
  /** Attempts queued so far. */
  readonly resent: number;
  /** Events of a replay that had no delivery and now have one. */
  readonly made: number;
  /** False: repeat the same request to queue the next part. */
  readonly done: boolean;
  /** It is done because it reached its limit, and more events match. */
  readonly limited: boolean;
};

/** The size of a replay. */
export type WebhookReplaySize = {
  readonly object: "webhook_replay_size";
  /** Upper bound of the number of events; types that the endpoint does not subscribe to are counted too. */
  readonly eventsMax: number;
};

/** A request of the merchant API, of the last seven days. */
export type Request = {
  readonly object: "request";
  /** The `Request-Id` of its answer. */
  readonly id: string;
  /** The id of the API key. */
  readonly key: string;
  readonly method: string;
  /** With its query, 500 characters at most; what looks like a secret is left out. */
  readonly path: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** The code of the error; null if there was none. */
  readonly errorCode: string | null;
  readonly durationMs: number;
  /** The id of the object that its path names, or that it created; null if there is none. */
  readonly about: string | null;
  /** The time of its arrival, by the process that answered it. */
  readonly arrivedAt: string;
};

/** A page of requests. */
export type RequestList = {
  readonly object: "list";
  /** Requests, newest first. */
  readonly data: readonly (Request)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** A request with its body, and the reason of its refusal. */
export type RequestDetails = {
  readonly object: "request";
  /** The `Request-Id` of its answer. */
  readonly id: string;
  /** The id of the API key. */
  readonly key: string;
  readonly method: string;
  /** With its query, 500 characters at most; what looks like a secret is left out. */
  readonly path: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** The code of the error; null if there was none. */
  readonly errorCode: string | null;
  readonly durationMs: number;
  /** The id of the object that its path names, or that it created; null if there is none. */
  readonly about: string | null;
  /** The time of its arrival, by the process that answered it. */
  readonly arrivedAt: string;
  /** The body as it was sent, without `metadata`, `description`, `buyerEmail`, `text`, `name` and `sha256`; null if there was none, or more than 2,000 characters. */
  readonly body: string | null;
  /** The error as it was answered; null if there was none, or if it is not kept. */
  readonly answer: string | null;
  /** The meaning of this error, and the next step. */
  readonly meaning: string | null;
};

/** An event without its object. */
export type StaffEvent = {
  readonly object: "event";
  readonly id: string;
  readonly type: "payment_intent.created" | "payment_intent.paid" | "payment_intent.paid_late" | "payment_intent.duplicate_payment" | "payment_intent.payment_mismatch" | "payment_intent.expired" | "payment_intent.canceled" | "payment.protected" | "payment.disputed" | "payment.released" | "payment.refunded" | "payment.partially_refunded" | "payment.decided" | "payment.settleable" | "payment.reverted" | "dispute.opened" | "dispute.updated" | "dispute.decided" | "dispute.closed" | "webhook_endpoint.disabled" | "events.restored";
  /** Number among the business's events of this environment, in commit order: 1, 2, 3 … without gaps but that of `events.restored`. */
  readonly sequence: string;
  /** Time of the event. */
  readonly occurredAt: string;
  /** Time at which it was recorded. */
  readonly createdAt: string;
  /** True if it happened before the service was restored from a copy. */
  readonly restored: boolean;
  /** The object that changed. */
  readonly about: {
    /** Kind of the object. */
    readonly object: string;
    /** Id of the object; null if it has none. */
    readonly id: string | null;
  };
  /** Id of the intent that it belongs to; null if there is none. */
  readonly intent: string | null;
  /** Id of the payment that it belongs to; null if there is none. */
  readonly payment: string | null;
  /** The members of the object that changed. */
  readonly changed: readonly (string)[];
};

/** A page of events. */
export type StaffEventList = {
  readonly object: "list";
  /** Events, newest first. */
  readonly data: readonly (StaffEvent)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** An event with its body and its cause. */
export type EventDetails = {
  readonly object: "event_details";
  readonly event: StaffEvent;
  /** Body, byte for byte as in the API and in deliveries. */
  readonly body: string;
  /** Request-Id of the request that created or canceled the intent; null for other changes, or if it is not kept. */
  readonly request: string | null;
};

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

/** An intent for staff. */
export type PaymentIntentDetails = {
  readonly object: "payment_intent_details";
  readonly intent: PaymentIntent;
  /** The same as a text, in which no number is rounded. */
  readonly json: string;
};

/** A payment intent in a list for staff. */
export type ListedPaymentIntent = {
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
  /** The price in a currency, from which `amount` was made; null if you gave the amount. */
  readonly price: Price | null;
  /** The rate at which the price became `amount`; null without a price. It never changes. */
  readonly quote: Quote | null;
  /** The time within which the buyer may dispute once it is paid. */
  readonly protectionPeriod: "oneHour" | "oneDay" | "threeDays" | "sevenDays" | "fourteenDays" | "thirtyDays";
  /** Your own reference: unique among your open intents, compared exactly. No control characters, no white space at either end. */
  readonly merchantReference: string;
  /** The time of its creation. */
  readonly createdAt: string;
  /** After this time it is expired. A whole second. */
  readonly expiresAt: string;
  /** The time of its cancellation; null if it was not canceled. Stays set if it is paid later. */
  readonly canceledAt: string | null;
  /** True if a `buyerEmail` was given. */
  readonly hasBuyerEmail: boolean;
};

/** A page of payment intents. */
export type ListedPaymentIntentList = {
  readonly object: "list";
  /** Payment intents among those that were read, newest first. */
  readonly data: readonly (ListedPaymentIntent)[];
  /** True if older ones were not read. */
  readonly hasMore: boolean;
  /** The `starting_after` of the next page, which may be one that is not shown; null at the end. */
  readonly next: string | null;
  /** The environment's time at which they were read: the clock that ends their periods. */
  readonly at: string;
};

/** Payments that were created together. */
export type PaymentBatch = {
  readonly object: "payment_batch";
  /** True if the same rows were created before: these are their intents. */
  readonly repeated: boolean;
  /** If there are any, nothing was created. */
  readonly errors: readonly ({
    /** The line of the file. */
    readonly line: number;
    /** The fault, in words. */
    readonly message: string;
  })[];
  /** One for each row, in its order. After a try: those that would be created, by no id that stays. */
  readonly payments: readonly ({
    /** The intent's id. */
    readonly intent: string;
    readonly merchantReference: string;
    /** In the token's smallest unit. */
    readonly amount: string;
    /** The price that it was made of; null without one. */
    readonly price: Price | null;
    /** The token's mint. */
    readonly asset: string;
    /** After this time it cannot be paid any more. */
    readonly expiresAt: string;
    /** The link for the buyer. */
    readonly checkoutUrl: string;
  })[];
};

/** A link that many buyers pay, each by an intent of their own. */
export type PaymentLink = {
  readonly object: "payment_link";
  /** The link's id. */
  readonly id: string;
  /** The environment of the API key, which every id carries too. */
  readonly environment: "test" | "live";
  /** Its purpose. The buyer reads it, and references begin with it. */
  readonly title: string;
  /** A note to the buyer; null if there is none. */
  readonly description: string | null;
  /** The language of the buyer's pages, as an intent's; null: the buyer's own. */
  readonly locale: string | null;
  /** The wallet that is paid. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly recipient: string;
  /** The token's mint. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly asset: string;
  /** In the token's smallest unit; null if it has a price, or the buyer says how much. */
  readonly amount: string | null;
  /** The price in a currency, from which `amount` was made; null if you gave the amount. */
  readonly price: Price | null;
  /** The time within which the buyer may dispute. */
  readonly protectionPeriod: "oneHour" | "oneDay" | "threeDays" | "sevenDays" | "fourteenDays" | "thirtyDays";
  /** The number of buyers who may pay; null for any number. */
  readonly seatsMax: number | null;
  /** The number of intents that it made. */
  readonly intentsMade: number;
  /** The time of its creation. */
  readonly createdAt: string;
  /** After this time it cannot be paid; null if it does not expire. */
  readonly expiresAt: string | null;
  /** The time at which it was closed; null if it is open. */
  readonly closedAt: string | null;
  /** `full` once all its seats are paid. */
  readonly state: "open" | "full" | "expired" | "closed";
  /** The seats that are paid; 0 if it has no limit. */
  readonly paidSeats: number;
  /** The address for buyers. */
  readonly url: string;
};

/** A page of payment links. */
export type PaymentLinkList = {
  readonly object: "list";
  /** Payment links, newest first. */
  readonly data: readonly (PaymentLink)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
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
  /** The name of the arbiter, as buyers read it; null if the deployment names none. */
  readonly arbiterName: string | null;
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

/** A payment in a list for staff. */
export type ListedPayment = {
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
  /** Your reference, copied from the intent. */
  readonly merchantReference: string;
  /** The reason why it counts as late; null if it does not. */
  readonly lateReason: "paid_after_expiry" | "found_after_expiry" | "paid_after_cancel" | "found_after_cancel" | null;
  /** True if it was paid by a payment link whose seats were all taken, and without a seat of its own. Refund it if you cannot deliver. */
  readonly overLimit: boolean;
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
  /** The amount that the buyer is bound to get back in all, as decided so far. The part above `amountRefunded` is on its way. */
  readonly refundTotal: string;
  /** The amount that has gone back to the buyer; "0" until then. */
  readonly amountRefunded: string;
  /** The amount that has left to the recipient; "0" until then. */
  readonly amountReleased: string;
  /** The way in which it was decided, which binds both parts; null until then. The parts may leave later. */
  readonly outcome: "released_by_sender" | "settled" | "resolved" | "refunded_by_recipient" | "refunded_unresolved" | null;
  /** The sequence of its `payment.protected` event. Payments are listed in this order. */
  readonly recordedSequence: string;
};

/** A page of payments. */
export type ListedPaymentList = {
  readonly object: "list";
  /** Payments among those that were read, newest first. */
  readonly data: readonly (ListedPayment)[];
  /** True if older ones were not read. */
  readonly hasMore: boolean;
  /** The `starting_after` of the next page, which may be one that is not shown; null at the end. */
  readonly next: string | null;
  /** The environment's time at which they were read: the clock that ends their periods. */
  readonly at: string;
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

/** A refund on its way. The payment shows it once it has landed. */
export type SubmittedRefund = {
  readonly object: "submitted_refund";
  /** The transaction's signature. Base58 of exactly 64 bytes, which the pattern alone does not say. */
  readonly signature: string;
};

/** The state of a transaction, by the heights of the chain's blocks. */
export type TransactionLife = {
  readonly object: "transaction_life";
  /** `live`: it may still land. `landed`, `failed`: the chain has it. `ended`: final blocks show that it never lands. */
  readonly status: "live" | "landed" | "failed" | "ended";
  /** An estimate of the time in which it may still land, in milliseconds; null once it cannot. */
  readonly msLeft: number | null;
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

/** A dispute in the arbiter's queue. */
export type DeskDisputeRow = {
  readonly object: "desk_dispute_row";
  readonly id: string;
  /** Its environment. */
  readonly environment: "test" | "live";
  /** The address of the disputed payment. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly payment: string;
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
  /** While deciding: the time until which both sides can write about the arbiter's question; null without one. */
  readonly questionUntil: string | null;
  /** The time by which the arbiter means to decide; null until deciding begins. A question moves it by three days, also if it is past. */
  readonly decideBy: string | null;
  /** The time from which anyone can have the payment refunded to the buyer, if nothing was decided. */
  readonly resolveBy: string;
  /** The time at which the last part left or, if it was closed before, of the check that showed nothing open; null until then. The chain does not tell the time of a release or a refund itself. */
  readonly closedAt: string | null;
  /** The time until which both sides can carry out their agreement; null while none holds. */
  readonly agreedUntil: string | null;
  /** The business. */
  readonly business: {
    /** The business's id. */
    readonly id: string;
    /** Its name. */
    readonly name: string;
  };
  /** The amount of the payment, in the token's smallest unit. */
  readonly total: string;
  /** The token's mint. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly asset: string;
  /** The token's symbol, of a well-known token. */
  readonly symbol: string | null;
  /** The token's decimals; null while they are unknown. */
  readonly decimals: number | null;
  /** The gravest date that is near: a decision is due within three days or overdue, or the lapse on chain is 30, 7 or 1 days away or past. In order: `lapsed`, `resolve_1`, `resolve_7`, `overdue`, `resolve_30`, `due_soon`. */
  readonly warning: "none" | "due_soon" | "resolve_30" | "overdue" | "resolve_7" | "resolve_1" | "lapsed";
  /** The arbiter who holds the dispute; null if nobody does. */
  readonly heldBy: {
    /** The user's id. */
    readonly id: string;
    /** The name. */
    readonly name: string;
  } | null;
  /** Why you may not decide the dispute; null if you may. */
  readonly conflict: "member" | "former_member" | "wallet" | null;
};

/** A page of disputes. */
export type DeskDisputeRowList = {
  readonly object: "list";
  /** Disputes, those due first in front. */
  readonly data: readonly (DeskDisputeRow)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** A dispute on the arbiter's desk: what both sides read, facts and counts. */
export type DeskDispute = {
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
  /** The time at which the buyer asked for the arbiter; null if not. */
  readonly buyerAskedAt: string | null;
  /** The time at which the business asked for the arbiter; null if not. */
  readonly merchantAskedAt: string | null;
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
  /** The business. */
  readonly business: {
    /** The business's id. */
    readonly id: string;
    /** Its name. */
    readonly name: string;
  };
  /** The amount of the payment, in the token's smallest unit. */
  readonly total: string;
  /** The token's mint. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly asset: string;
  /** The token's symbol, of a well-known token. */
  readonly symbol: string | null;
  /** The token's decimals; null while they are unknown. */
  readonly decimals: number | null;
  /** The gravest date that is near: a decision is due within three days or overdue, or the lapse on chain is 30, 7 or 1 days away or past. In order: `lapsed`, `resolve_1`, `resolve_7`, `overdue`, `resolve_30`, `due_soon`. */
  readonly warning: "none" | "due_soon" | "resolve_30" | "overdue" | "resolve_7" | "resolve_1" | "lapsed";
  /** The arbiter who holds the dispute; null if nobody does. */
  readonly heldBy: {
    /** The user's id. */
    readonly id: string;
    /** The name. */
    readonly name: string;
  } | null;
  /** Why you may not decide the dispute; null if you may. */
  readonly conflict: "member" | "former_member" | "wallet" | null;
  /** The value of the payment when it was made, in the business's reporting currency; null without one. */
  readonly worth: {
    /** The value. */
    readonly value: string;
    /** The currency. */
    readonly currency: string;
  } | null;
  /** The decisions on comparable disputes of other businesses, without those that decide their own; null below five, and where the arbiter has a conflict of interest. */
  readonly comparable: {
    /** Decisions on disputes with this reason, not those as both sides agreed, among the last 1,000 of the environment that ended; up to 20 of a business. */
    readonly decided: number;
    /** Those by which nothing went back. */
    readonly nothing: number;
    /** Those by which a part went back. */
    readonly part: number;
    /** Those by which all went back. */
    readonly all: number;
  } | null;
  /** Your own note; nobody else reads it. Null if there is none. */
  readonly note: string | null;
  /** The description of the intent, as the buyer saw it; null if it has none. */
  readonly intentDescription: string | null;
  /** The refund policy that the payment names, as the buyer could read it; null if none is kept. */
  readonly refundPolicy: string | null;
  /** Address of the terms text that the payment names; null if it is not kept. */
  readonly termsUrl: string | null;
  /** Address of the payment's receipt, as anyone with it sees the payment. */
  readonly receiptPage: string;
  /** The environment's time at which it was read: the clock that ends its times. */
  readonly at: string;
  /** The payment, as the chain shows it. */
  readonly facts: {
    /** The buyer's wallet. Base58 of exactly 32 bytes, which the pattern alone does not say. */
    readonly sender: string;
    /** The wallet that is paid. Base58 of exactly 32 bytes, which the pattern alone does not say. */
    readonly recipient: string;
    /** Decides a dispute of this payment; fixed when it was made. Base58 of exactly 32 bytes, which the pattern alone does not say. */
    readonly arbiter: string;
    /** Digits, in the asset's smallest unit. */
    readonly amount: string;
    /** The token's mint. Base58 of exactly 32 bytes, which the pattern alone does not say. */
    readonly asset: string;
    /** The amount that the buyer is bound to get back in all, as decided so far. The part above `amountRefunded` is on its way. */
    readonly refundTotal: string;
    /** The amount that has gone back to the buyer; "0" until then. */
    readonly amountRefunded: string;
    /** The amount that has left to the recipient; "0" until then. */
    readonly amountReleased: string;
    /** The time within which the buyer may dispute. */
    readonly protectionPeriod: "oneHour" | "oneDay" | "threeDays" | "sevenDays" | "fourteenDays" | "thirtyDays";
    /** Disputes can be opened until this time; after it the payment can be settled to the recipient. */
    readonly protectionDeadline: string;
    /** The time of its creation, by the chain's clock. */
    readonly createdAt: string;
    /** The time of its dispute; null if it was never disputed. */
    readonly disputedAt: string | null;
    /** The transaction that created it; null only while unknown. Base58 of exactly 64 bytes, which the pattern alone does not say. */
    readonly signature: string | null;
    /** The way in which it was decided, which binds both parts; null until then. The parts may leave later. */
    readonly outcome: "released_by_sender" | "settled" | "resolved" | "refunded_by_recipient" | "refunded_unresolved" | null;
    /** The time when the funds, or the latest part that went back, went back to the buyer; null until then. */
    readonly refundedAt: string | null;
    /** The time when the funds, or the recipient's part of them, went to the recipient; null until then. */
    readonly settledAt: string | null;
    /** SHA-256 of the terms that the buyer's transaction names; null if it names none. */
    readonly termsHash: string | null;
    /** True if the text behind `termsHash` is one that this service showed for the intent. */
    readonly termsKnown: boolean;
  };
  /** The addresses by which a page checks a ruling before a wallet signs it. */
  readonly chain: {
    /** The escrow program. Base58 of exactly 32 bytes, which the pattern alone does not say. */
    readonly programId: string;
    /** The operator account that the payment names. Base58 of exactly 32 bytes, which the pattern alone does not say. */
    readonly operator: string;
    /** The public cluster; null if it is not public. */
    readonly cluster: "mainnet-beta" | "devnet" | "testnet" | null;
  };
  /** Counts of both sides. No side sees those of the other; null where the arbiter has a conflict of interest. */
  readonly history: {
    /** The business. */
    readonly merchant: {
      /** Payments of the business in this environment. */
      readonly payments: number;
      /** Disputes of these payments, up to the last 1,000. */
      readonly disputes: number;
      /** Those that an arbiter decided, not as both sides agreed, and by which something went back to the buyer. */
      readonly decidedAgainst: number;
      /** Payments of which the business gave something back, by itself or by agreement. What a decision or the lapse of one of its last 1,000 disputes moved is no refund. */
      readonly refunds: number;
    };
    /** The buyer's wallet. */
    readonly buyer: {
      /** Payments of the wallet to any business here, up to 1,000. */
      readonly payments: number;
      /** Those of them that have a dispute. */
      readonly disputes: number;
      /** Those that an arbiter decided, not as both sides agreed, and by which nothing went back to the buyer. */
      readonly decidedAgainst: number;
    };
  } | null;
  /** The facts about deliveries that the merchant recorded. */
  readonly fulfillments: readonly (Fulfillment)[];
};

/** A user who decides disputes of the deployment. */
export type DeskArbiter = {
  readonly object: "arbiter";
  /** The user's id. */
  readonly id: string;
  /** The user's name. */
  readonly name: string;
  /** Open disputes that the arbiter holds. */
  readonly holds: number;
};

/** A page of arbiters. */
export type DeskArbiterList = {
  readonly object: "list";
  /** Arbiters, in the order of their names. */
  readonly data: readonly (DeskArbiter)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** A payment disputed on chain alone: no texts, no clocks. */
export type DeskPayment = {
  readonly object: "desk_payment";
  /** Its environment. */
  readonly environment: "test" | "live";
  /** The payment's address. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly payment: string;
  /** The business that its id names; null if there is none. */
  readonly business: string | null;
  /** The wallet that paid; null if it is unknown. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly sender: string | null;
  /** The wallet that is paid; null if it is unknown. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly recipient: string | null;
  /** Its amount, in the token's smallest unit. */
  readonly total: string;
  /** The token's mint; null if it is unknown. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly asset: string | null;
  /** The time of the dispute, by the chain's clock. */
  readonly openedAt: string | null;
  /** The time from which anyone can have it refunded. */
  readonly resolveBy: string | null;
};

/** A page of payments. */
export type DeskPaymentList = {
  readonly object: "list";
  /** Payments, those that lapse first in front. */
  readonly data: readonly (DeskPayment)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
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

/** A decision that is frozen, and not signed yet. */
export type FrozenDecision = {
  readonly object: "frozen_decision";
  /** Its id. */
  readonly id: string;
  /** The amount that the buyer has in the end. */
  readonly total: string;
  /** The accepted offer that it carries out, in place of reasons. */
  readonly agreement: string | null;
  /** The record, in canonical JSON (RFC 8785). It is never changed. */
  readonly record: string;
  /** SHA-256 of the record in hex digits: the ruling's memo. */
  readonly sha256: string;
  /** The wallet that has to sign. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly arbiter: string;
  /** A transaction of version 0 for the arbiter's wallet to sign; null while the chain cannot be read. */
  readonly transaction: string | null;
  /** The network's fee, which the wallet pays. */
  readonly networkLamports: string | null;
  /** The same instructions in the form that a multisignature's tools take. */
  readonly plain: readonly ({
    /** The program. Base58 of exactly 32 bytes, which the pattern alone does not say. */
    readonly programId: string;
    readonly accounts: readonly ({
      /** The account. Base58 of exactly 32 bytes, which the pattern alone does not say. */
      readonly address: string;
      readonly signer: boolean;
      readonly writable: boolean;
    })[];
    /** The data. */
    readonly data: string;
  })[] | null;
  /** The last height of the chain's blocks at which the transaction can land; null without one. */
  readonly lastValidBlockHeight: number | null;
};

/** A ruling that is on its way. The dispute shows it once the chain does. */
export type SubmittedDecision = {
  readonly object: "submitted_decision";
  /** The transaction's signature. */
  readonly signature: string;
};

/** A payment on chain that is bound to no intent. */
export type UnmatchedPayment = {
  readonly object: "unmatched_payment";
  /** The payment's address on chain. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly id: string;
  /** `unknown_payment_id`: its number belongs to no intent. `terms_differ`: it belongs to one on other terms. `closed`: it was closed before the service saw it, so only its end is known. */
  readonly reason: "unknown_payment_id" | "terms_differ" | "closed";
  /** The number that the payment names on chain. */
  readonly paymentId: string;
  /** Its status on chain at `checkedAt`. It stays as it was between a decision, which sets `outcome`, and the leaving of the last part. */
  readonly status: "protected" | "disputed" | "released" | "refunded";
  /** The way in which it was decided, which binds both parts; null until then. The parts may leave later. */
  readonly outcome: "released_by_sender" | "settled" | "resolved" | "refunded_by_recipient" | "refunded_unresolved" | null;
  /** The buyer's wallet. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly sender: string | null;
  /** The wallet that is paid. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly recipient: string | null;
  /** Digits, in the asset's smallest unit. */
  readonly amount: string;
  /** The token's mint. Base58 of exactly 32 bytes, which the pattern alone does not say. */
  readonly asset: string | null;
  /** The time within which the buyer may dispute. */
  readonly protectionPeriod: "oneHour" | "oneDay" | "threeDays" | "sevenDays" | "fourteenDays" | "thirtyDays" | null;
  /** The amount that has left to the recipient; "0" until then. */
  readonly amountReleased: string;
  /** The amount that has gone back to the buyer; "0" until then. */
  readonly amountRefunded: string;
  /** The amount that the buyer is bound to get back in all, as decided so far. The part above `amountRefunded` is on its way. */
  readonly refundTotal: string;
  /** The transaction that created it; null only while unknown. Base58 of exactly 64 bytes, which the pattern alone does not say. */
  readonly signature: string | null;
  /** The time of its creation, by the chain's clock. */
  readonly createdAt: string | null;
  /** Disputes can be opened until this time; after it the payment can be settled to the recipient. */
  readonly protectionDeadline: string | null;
  /** The time of its dispute; null if it was never disputed. */
  readonly disputedAt: string | null;
  /** The time when the funds, or the recipient's part of them, went to the recipient; null until then. */
  readonly settledAt: string | null;
  /** The time when the funds, or the latest part that went back, went back to the buyer; null until then. */
  readonly refundedAt: string | null;
  /** The time of the last check of the chain. */
  readonly checkedAt: string;
  /** The business's intent with this number; null if it is none of its own. */
  readonly intent: string | null;
  /** The terms that differ from those of `intent`. */
  readonly mismatch: readonly ("recipient" | "amount" | "asset" | "protectionPeriod")[];
  /** The order to which it belongs, in a member's words; null if there is no note. It changes nothing. */
  readonly note: string | null;
  /** The member who wrote the note. */
  readonly notedBy: string | null;
  /** The time of the note. */
  readonly notedAt: string | null;
  /** The actions that the escrow program allows now, as of `checkedAt`; empty once everything has left. */
  readonly nextActions: readonly (NextAction)[];
  /** The environment's time at which it was read: the clock that ends its periods. */
  readonly at: string;
};

/** A page of payments that match no order. */
export type UnmatchedPaymentList = {
  readonly object: "list";
  /** Payments that match no order, those that name an intent first. */
  readonly data: readonly (UnmatchedPayment)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
};

/** A token, with the symbol and decimals by which its amounts are shown. */
export type Asset = {
  readonly object: "asset";
  /** The address of its mint. */
  readonly id: string;
  /** As buyers read it. Null: a token that only its address names, since anybody may give one any symbol. */
  readonly symbol: string | null;
  /** The number of decimals of its amounts. */
  readonly decimals: number;
};

/** A page of tokens. */
export type AssetList = {
  readonly object: "list";
  /** Tokens, newest first. */
  readonly data: readonly (Asset)[];
  /** True if there are more in the direction of this walk (with `ending_before`: newer ones). */
  readonly hasMore: boolean;
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

/** A transaction, and which rule of a binding says what of it. */
export type Transaction = {
  readonly object: "transaction";
  /** Its signature. Base58 of exactly 64 bytes, which the pattern alone does not say. */
  readonly id: string;
  /** The state of the transaction on chain; `unavailable` if the chain could not be read. */
  readonly chain: "landed" | "failed" | "not_confirmed" | "not_found" | "unavailable";
  /** The intents of this environment that it paid, or tried to pay. */
  readonly intents: readonly ({
    readonly id: string;
    readonly merchantReference: string;
    readonly payments: readonly ({
      /** The payment's address on chain. */
      readonly address: string;
      /** True if it is recorded as a payment of the intent. */
      readonly isBound: boolean;
    })[];
    /** The result of the rules; null if the chain could not be read. */
    readonly verification: Verification | null;
  })[];
};

/** The object that was found. */
export type Inspection = {
  readonly object: "inspection";
  /** Kind of the object. */
  readonly kind: "payment_intent" | "payment" | "event" | "webhook_endpoint" | "webhook_delivery" | "api_key" | "request" | "transaction" | "sender";
  /** Its id, address or signature. */
  readonly id: string;
};

/** Each operation: what it takes and what it returns. */
export interface Operations {
  /** A wrong password and an unknown address get the same answer. A user with an authenticator app gets a `ticket` for `signInWithCode`. */
  signIn: { input: { readonly body: SignInInput }; result: SignIn };
  /** Completes a sign-in with a code of the authenticator app or a backup code. Each code works once. */
  signInWithCode: { input: { readonly body: CodeInput }; result: SignIn };
  /** The challenge works once, for five minutes, and names no user. */
  challengeSignIn: { input: Readonly<Record<never, never>>; result: PasskeyChallenge };
  /** Signs in with a passkey. The passkey verifies its user, so no code is needed. */
  signInByPasskey: { input: { readonly body: PasskeySignInInput }; result: SignIn };
  /** Creates the first user, by the link of `npm run admin -- user first-link`. The first user is an operator. */
  signUpOwner: { input: { readonly body: OwnerInput }; result: SignIn };
  /** Sends a reset link if the address belongs to a user. The response is the same for every address. */
  requestPasswordReset: { input: { readonly body: PasswordResetInput }; result: PasswordReset };
  /** Lists the ways to sign in to the account, so that the user sees what someone else may have added. The link stays valid. */
  readPasswordReset: { input: { readonly body: PasswordLinkInput }; result: PasswordResetDetails };
  /** Ends all sessions of the user, and removes all passkeys but those of `keepPasskeys`. An authenticator app is still asked for at the next sign-in. */
  resetPassword: { input: { readonly body: NewPasswordByLinkInput }; result: PasswordSet };
  /** The signed-in user, with the ways to sign in and the businesses. */
  getAccount: { input: Readonly<Record<never, never>>; result: Account };
  /** Changes the password and ends all other sessions. This session continues with a new secret. */
  changePassword: { input: { readonly body: NewPasswordInput }; result: Done };
  /** Ends this session. */
  signOut: { input: Readonly<Record<never, never>>; result: Done };
  /** Ends all sessions of the user, including this one. */
  signOutEverywhere: { input: Readonly<Record<never, never>>; result: Done };
  /** Lists the sessions of the user. */
  listSessions: { input: Readonly<Record<never, never>>; result: StaffSessionList };
  /** Ends the session. Its next request is refused. */
  endSession: { input: { readonly path: { readonly id: string } }; result: Done };
  /** Proves the user for operations that need a recent proof. A user with an authenticator app also sends a code. */
  proveByPassword: { input: { readonly body: ProofInput }; result: Done };
  /** The challenge works once, for five minutes, and for this user only. */
  challengeProof: { input: Readonly<Record<never, never>>; result: PasskeyChallenge };
  /** Proves the user for operations that need a recent proof. */
  proveByPasskey: { input: { readonly body: PasskeyProofInput }; result: Done };
  /** Lists the passkeys of the user. */
  listPasskeys: { input: Readonly<Record<never, never>>; result: PasskeyList };
  /** Adds a passkey, which has to verify its user. */
  addPasskey: { input: { readonly body: PasskeyInput }; result: Passkey };
  /** The challenge works once, for five minutes. */
  challengeNewPasskey: { input: Readonly<Record<never, never>>; result: PasskeyChallenge };
  /** Removes the passkey. It can no longer sign in. */
  removePasskey: { input: { readonly path: { readonly id: string } }; result: Done };
  /** Starts the setup of an app. The app counts once one of its codes is confirmed. */
  addAuthenticatorApp: { input: Readonly<Record<never, never>>; result: AuthenticatorApp };
  /** Removes the app and its backup codes. */
  removeAuthenticatorApp: { input: Readonly<Record<never, never>>; result: Done };
  /** Completes the setup. From now on, a sign-in with password needs a code. */
  confirmAuthenticatorApp: { input: { readonly body: AppCodeInput }; result: BackupCodes };
  /** Generates new backup codes. Earlier codes stop working. */
  renewBackupCodes: { input: Readonly<Record<never, never>>; result: BackupCodes };
  /** 409 `company_unavailable` while the provider cannot be reached, or if none is set. */
  beginCompanySignIn: { input: Readonly<Record<never, never>>; result: CompanyDeparture };
  /** Takes the answer that the provider gave the browser, once, in the browser and session that set out. It signs in, links or proves, as the way began. */
  arriveFromCompany: { input: { readonly body: CompanyAnswerInput }; result: SignIn };
  /** The person who signs in at the provider becomes a way to sign in as this user. */
  beginCompanyLink: { input: Readonly<Record<never, never>>; result: CompanyDeparture };
  /** Sessions by the company end, and with them roles by groups. A user without password and passkey keeps it. */
  unlinkCompany: { input: Readonly<Record<never, never>>; result: Done };
  /** The person authenticates anew at the provider. Users with an authenticator app prove by password and code, or passkey. */
  beginCompanyProof: { input: Readonly<Record<never, never>>; result: CompanyDeparture };
  /** Sign-ins, changes of the ways to sign in, and tries that were used up, newest first. */
  listAccountHistory: { input: { readonly query?: { readonly limit?: string | undefined; readonly starting_after?: string | undefined } }; result: AccountEntryList };
  /** For operators. The operator who adds it is its owner, and has a password or a passkey. */
  addBusiness: { input: { readonly body: BusinessInput }; result: StaffBusiness };
  /** For operators: the names of all businesses of the deployment. It gives no way into them. */
  listBusinesses: { input: { readonly query?: { readonly limit?: string | undefined; readonly starting_after?: string | undefined } }; result: BusinessSummaryList };
  /** A business of the user, and the user's role there. */
  getBusiness: { input: { readonly path: { readonly business: string } }; result: StaffBusiness };
  /** The parts of the business that its buyers are shown. */
  getBusinessProfile: { input: { readonly path: { readonly business: string } }; result: BusinessProfile };
  /** A field that is left out stays as it is; null takes it away. Each refund policy is kept under its hash. */
  changeBusinessProfile: { input: { readonly path: { readonly business: string }; readonly body: BusinessProfileChange }; result: BusinessProfile };
  /** Shows the matters that need a person now, and of at most eight tokens the amounts that wait in the escrow, with the days of their release, that left this week, and that were paid by week. The sums are kept with each change of a payment. Members are told of differences between books and chain, disputes on their turn, open offers of buyers while the arbiter decides (of the newest hundred disputes), duplicates and payments over a link's limit (the newest hundred) that are still protected, unmatched payments, endpoints that fail or are disabled for it, held checkouts, and for seven days a confirmed change of arbiter or program; operators also of wallets that are low and of parts due for more than 15 minutes. At most five of a kind are shown, those first that concern all payments, then those with a time to act, the next one on top. */
  getOverview: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly token?: string | undefined } }; result: Overview };
  /** The sums of each token in a period, and what the last comparison with the chain found: each open payment's record and vault, read at one slot. A comparison counts all differences, keeps 500 of them and 500 gifts, and shows 50. The sums are kept with each change of a payment; at most 20 tokens are shown. */
  getBooks: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly from?: string | undefined; readonly until?: string | undefined } }; result: Books };
  /** For owners, admins and developers. Asks for another comparison, which begins within seconds, at the earliest 15 seconds after the last. Does nothing while one is asked for. Every night there is one without being asked for. */
  checkBooks: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" } }; result: Done };
  /** The domain that the business says is its own, with the state of its proof. */
  getBusinessDomain: { input: { readonly path: { readonly business: string } }; result: BusinessDomain };
  /** Says which domain is the business's own. Buyers are shown it once it is proven, and the one before it no more. */
  claimBusinessDomain: { input: { readonly path: { readonly business: string }; readonly body: BusinessDomainClaim }; result: BusinessDomain };
  /** Buyers are shown no domain from then on. */
  removeBusinessDomain: { input: { readonly path: { readonly business: string } }; result: BusinessDomain };
  /** Reads the file and the TXT records now; once in ten seconds at most. */
  checkBusinessDomain: { input: { readonly path: { readonly business: string } }; result: BusinessDomain };
  /** Lists the members of the business. */
  listMembers: { input: { readonly path: { readonly business: string } }; result: MemberList };
  /** Changes the role of a member. Only owners can add, change or remove owners, and a business keeps at least one. */
  changeRole: { input: { readonly path: { readonly business: string; readonly user: string }; readonly body: RoleInput }; result: Member };
  /** Removes a member. Their next request is refused. */
  removeMember: { input: { readonly path: { readonly business: string; readonly user: string } }; result: Done };
  /** Leaves the business. The last owner cannot leave. */
  leaveBusiness: { input: { readonly path: { readonly business: string } }; result: Done };
  /** Lists the invitations that can still be accepted. */
  listInvitations: { input: { readonly path: { readonly business: string } }; result: InvitationList };
  /** Sends an invitation link to the address, good once and for seven days. An address has one open invitation to a business. If this deployment sends no email, the response has the link, only once. */
  invite: { input: { readonly path: { readonly business: string }; readonly body: InvitationInput }; result: MadeInvitation };
  /** Revokes the invitation. Its link stops working. */
  revokeInvitation: { input: { readonly path: { readonly business: string; readonly invitation: string } }; result: Done };
  /** Reads an invitation for the page of its link. */
  readInvitation: { input: { readonly body: InvitationLinkInput }; result: InvitationDetails };
  /** Accepts an invitation for the email address of the signed-in user. */
  acceptInvitation: { input: { readonly body: AcceptedInvitationInput }; result: Joined };
  /** Creates a user for an email address without one. The user is then a member and signed in. */
  signUpInvited: { input: { readonly body: InvitedInput }; result: SignIn };
  /** The emails about disputes that the user gets, by business. Without a choice, owners and members with the role `disputes` get all. */
  listDisputeEmails: { input: Readonly<Record<never, never>>; result: DisputeEmailsList };
  /** Sets the emails about disputes of the business that the user gets. */
  chooseDisputeEmails: { input: { readonly path: { readonly business: string }; readonly body: DisputeEmailsInput }; result: Done };
  /** Actions in the business, including those of the command line and the service, newest first. */
  listAuditEntries: { input: { readonly path: { readonly business: string }; readonly query?: { readonly action?: string | undefined; readonly actor?: string | undefined; readonly target?: string | undefined; readonly recorded_after?: string | undefined; readonly recorded_before?: string | undefined; readonly limit?: string | undefined; readonly starting_after?: string | undefined } }; result: AuditEntryList };
  /** Lists all keys of the environment, including expired and revoked ones. */
  listApiKeys: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" } }; result: ApiKeyList };
  /** Creates a key. At most five are active in an environment. */
  issueApiKey: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly body: ApiKeyInput }; result: IssuedApiKey };
  /** Replaces a key with a new one of the same name and scope. The old key works for the grace period. */
  rollApiKey: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly key: string }; readonly body: RollInput }; result: IssuedApiKey };
  /** Revokes the key and the key that it replaced. Their next requests are refused. */
  revokeApiKey: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly key: string } }; result: ApiKey };
  /** Lists the wallets that receive payments of the business, by label; at most 50. */
  listRecipients: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" } }; result: RecipientList };
  /** The address is looked up on chain. Each warning has to be in `accepted`, or the address is refused with `recipient_doubtful`. */
  addRecipient: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly body: RecipientInput }; result: Recipient };
  /** The well-known tokens that the chain has shown to this deployment. */
  listTestAssets: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" } }; result: TestAssetList };
  /** Checks the address on chain. Nothing is saved. */
  checkRecipient: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly body: RecipientCheckInput }; result: RecipientCheck };
  /** Changes the label. */
  renameRecipient: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly recipient: string }; readonly body: RecipientLabel }; result: Recipient };
  /** Removes the recipient. Existing intents to it do not change. */
  removeRecipient: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly recipient: string } }; result: Done };
  /** Creates an intent to the wallet with a protection of one hour, and a reference that begins with `test-payment-`. It has events as any other intent. */
  testRecipient: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly recipient: string }; readonly body: TestPaymentInput }; result: Recipient };
  /** Confirms that the test payment arrived in the wallet. Refused with `test_not_arrived` before it has left the escrow. */
  confirmRecipient: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly recipient: string } }; result: Recipient };
  /** Reads the rule that limits creates to saved recipients. */
  getSavedOnlyRule: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" } }; result: SavedOnlyRule };
  /** For owners. Turning the rule on takes effect at once and cancels a pending end. Turning it off takes effect after 24 hours, and every owner is notified by email. */
  setSavedOnlyRule: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly body: SavedOnlyRuleChange }; result: SavedOnlyRule };
  /** All endpoints of the environment, oldest first; there are at most five. */
  listWebhookEndpoints: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" } }; result: WebhookEndpointList };
  /** An environment has at most five. Only this answer shows the signing secret. */
  addWebhookEndpoint: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly body: EndpointInput }; result: IssuedWebhookEndpoint };
  /** Its secret is never shown again. */
  getWebhookEndpoint: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly endpoint: string } }; result: WebhookEndpoint };
  /** Changes its URL, its types or both. Its secret and its pending deliveries stay. */
  changeWebhookEndpoint: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly endpoint: string }; readonly body: EndpointChangeInput }; result: WebhookEndpoint };
  /** Deletes it, with its pending deliveries. */
  deleteWebhookEndpoint: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly endpoint: string } }; result: Done };
  /** Checks a URL by the rules of every delivery and by its DNS records. Nothing is sent. */
  checkWebhookUrl: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly body: EndpointUrlInput }; result: EndpointUrlCheck };
  /** Issues a new secret, which only this answer shows. The old one stays valid for the grace period, in which deliveries carry both signatures. */
  rollWebhookSecret: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly endpoint: string }; readonly body: SecretRollInput }; result: IssuedWebhookEndpoint };
  /** Sends a `webhook.test` event once, and waits up to twelve seconds for its answer. */
  testWebhookEndpoint: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly endpoint: string } }; result: WebhookTest };
  /** Enables it, and sends the deliveries that were held. */
  enableWebhookEndpoint: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly endpoint: string } }; result: WebhookEndpoint };
  /** Disables it. Its deliveries are held until it is enabled. */
  disableWebhookEndpoint: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly endpoint: string } }; result: WebhookEndpoint };
  /** The deliveries to one endpoint, newest event first. */
  listWebhookDeliveries: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly endpoint: string }; readonly query?: { readonly status?: string | undefined; readonly status_code?: string | undefined; readonly error_class?: string | undefined; readonly type?: string | undefined; readonly object?: string | undefined; readonly created_after?: string | undefined; readonly created_before?: string | undefined; readonly limit?: string | undefined; readonly starting_after?: string | undefined } }; result: WebhookDeliveryList };
  /** The delivery to each endpoint that receives or received the event. */
  listDeliveriesOfEvent: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly event: string } }; result: WebhookDeliveryList };
  /** A delivery, with its request and each attempt. */
  getWebhookDelivery: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly delivery: string } }; result: WebhookDeliveryDetails };
  /** The same figures for all endpoints of the environment together. Deleted endpoints are not counted. */
  listAllWebhookHours: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly days?: string | undefined } }; result: WebhookHourList };
  /** Hours of the last days in which an attempt ended, oldest first. */
  listWebhookHours: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly endpoint: string }; readonly query?: { readonly days?: string | undefined } }; result: WebhookHourList };
  /** Queues one more attempt now, whatever the status. Does nothing while a manual resend is queued. */
  resendWebhookDelivery: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly delivery: string } }; result: WebhookResend };
  /** Queues the events of an intent or a payment once more, in order: each is sent when the one before has ended. At most the oldest 500. */
  resendWebhooksOfObject: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly endpoint: string }; readonly body: ObjectResendInput }; result: WebhookResend };
  /** Queues one more attempt of each matching delivery, newest event first: at most 500 per call, and 10,000 in all. */
  resendMatchingWebhooks: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly endpoint: string }; readonly body: MatchingResendInput }; result: WebhookResend };
  /** Sends the events since a time, or after a sequence, that the endpoint subscribes to: at most 5,000 events per call, and 100,000 in all. */
  replayWebhooks: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly endpoint: string }; readonly body: ReplayInput }; result: WebhookResend };
  /** Counts by the sequences, as an upper bound. Nothing is sent. */
  getWebhookReplaySize: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly endpoint: string }; readonly query?: { readonly since?: string | undefined } }; result: WebhookReplaySize };
  /** Requests of the last seven days that came with a key of this environment, newest first. */
  listRequests: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly key?: string | undefined; readonly error_code?: string | undefined; readonly failed?: string | undefined; readonly about?: string | undefined; readonly arrived_after?: string | undefined; readonly arrived_before?: string | undefined; readonly limit?: string | undefined; readonly starting_after?: string | undefined } }; result: RequestList };
  /** By its Request-Id, with its body. */
  getRequest: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly request: string } }; result: RequestDetails };
  /** The events of this environment, newest first, by the filters of the merchant API. */
  listEvents: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly type?: string | undefined; readonly intent?: string | undefined; readonly payment?: string | undefined; readonly occurred_after?: string | undefined; readonly occurred_before?: string | undefined; readonly after_sequence?: string | undefined; readonly limit?: string | undefined; readonly starting_after?: string | undefined; readonly ending_before?: string | undefined } }; result: StaffEventList };
  /** An event, with its body, and the request that caused it if one did. */
  getEvent: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly event: string } }; result: EventDetails };
  /** For owners, admins and developers. Creates an intent as the merchant API does (§4.1), which lives for seven days. The amount is a number of whole tokens, or made of a price in a currency (§4.21), whose quote may end sooner. */
  createPaymentIntent: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly body: NewStaffPaymentIntent }; result: PaymentIntentDetails };
  /** The intents of an environment, newest first. A page reads a limited number of rows: it may hold fewer intents than `limit`, or none, and the next one goes on. */
  listPaymentIntents: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly reference_prefix?: string | undefined; readonly reference_part?: string | undefined; readonly asset?: string | undefined; readonly amount_min?: string | undefined; readonly amount_max?: string | undefined; readonly protection_period?: string | undefined; readonly merchant_reference?: string | undefined; readonly status?: string | undefined; readonly created_after?: string | undefined; readonly created_before?: string | undefined; readonly limit?: string | undefined; readonly starting_after?: string | undefined } }; result: ListedPaymentIntentList };
  /** The intent as it stands now, as the merchant API shows it. */
  getPaymentIntent: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly intent: string } }; result: PaymentIntentDetails };
  /** Creates an intent for each row of a CSV file, 500 at most, or for none: each wrong row is named by its line. A file names at most 20 tokens and wallets. All intents are created in one transaction; a try creates none. The same rows within seven days lead to the same intents, also from two uploads at once. */
  createPaymentBatch: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly body: NewPaymentBatch }; result: PaymentBatch };
  /** The payment links of an environment, newest first. */
  listPaymentLinks: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly limit?: string | undefined; readonly starting_after?: string | undefined } }; result: PaymentLinkList };
  /** For owners, admins and developers. Creates a link that many buyers pay; an environment has at most 200 open ones. Without an amount and a price, each buyer says how much. The amount is a number of whole tokens; a price becomes one for each buyer, at the rate of that moment (§4.21). The terms are checked as those of an intent. An intent of the link has the title, `#` and a number as its reference, and `{"paymentLink": id}` as its metadata. */
  createPaymentLink: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly body: NewPaymentLink }; result: PaymentLink };
  /** Ends a link: it makes no intents any more, and its open ones get no transaction. What was paid stays. */
  closePaymentLink: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly link: string } }; result: PaymentLink };
  /** The payments of an environment, newest first. A page reads a limited number of rows: it may hold fewer payments than `limit`, or none, and the next one goes on. */
  listPayments: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly status?: string | undefined; readonly asset?: string | undefined; readonly amount_min?: string | undefined; readonly amount_max?: string | undefined; readonly protection_period?: string | undefined; readonly reference_prefix?: string | undefined; readonly reference_part?: string | undefined; readonly sender?: string | undefined; readonly late?: string | undefined; readonly role?: string | undefined; readonly disputed?: string | undefined; readonly over_limit?: string | undefined; readonly created_after?: string | undefined; readonly created_before?: string | undefined; readonly intent?: string | undefined; readonly limit?: string | undefined; readonly starting_after?: string | undefined } }; result: ListedPaymentList };
  /** The tokens in which the business was paid in this environment, as far as the chain has shown them; 20 at most. */
  listPaidAssets: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" } }; result: AssetList };
  /** Lists the amounts paid, released and refunded of a payment, each with its value in the reporting currency that the business had then. Empty if it had none. */
  listPaymentValues: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly payment: string } }; result: PaymentValueList };
  /** The payment, as the merchant API shows it by itself, with the name of its arbiter. */
  getPayment: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly payment: string } }; result: PaymentWithActions };
  /** Builds the transaction by which the recipient's wallet gives back all or a part of a payment that has not left the escrow; also of one that matches no order, if its recipient is `account`. */
  refundPayment: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly payment: string }; readonly body: NewStaffRefund }; result: ActionTransaction };
  /** Sends a refund that the recipient's wallet signed, and sends it again until it lands or its blockhash has expired. */
  submitRefund: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly payment: string }; readonly body: SignedRefund }; result: SubmittedRefund };
  /** Judges a transaction of a refund, signed or not, by the heights of the chain's final blocks. */
  fetchRefundLife: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly payment: string }; readonly body: SignedRefund }; result: TransactionLife };
  /** The disputes of an environment: with `turn`, the open ones in the order in which they are due; without it, all, newest first. */
  listDisputes: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly status?: string | undefined; readonly turn?: string | undefined; readonly due_before?: string | undefined; readonly intent?: string | undefined; readonly payment?: string | undefined; readonly limit?: string | undefined; readonly starting_after?: string | undefined } }; result: DisputeList };
  /** The dispute, with the texts of both sides and what each party can do now. */
  getDispute: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly dispute: string } }; result: DisputeWithTexts };
  /** Sends a text to the buyer and the arbiter. It cannot be edited or deleted. */
  sendDisputeStatement: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly dispute: string }; readonly body: DisputeStatementInput }; result: DisputeWithTexts };
  /** Makes an offer that binds the business: the buyer can accept it. It replaces the open one. */
  makeDisputeOffer: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly dispute: string }; readonly body: DisputeOfferInput }; result: DisputeWithTexts };
  /** Withdraws the open offer of the business. */
  withdrawDisputeOffer: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly dispute: string; readonly offer: string } }; result: DisputeWithTexts };
  /** Declines the buyer's open offer. */
  declineDisputeOffer: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly dispute: string; readonly offer: string } }; result: DisputeWithTexts };
  /** Accepts the buyer's open offer: both have agreed. What is left is on chain. */
  acceptDisputeOffer: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly dispute: string; readonly offer: string } }; result: DisputeWithTexts };
  /** Ends talking once both sides have asked. It cannot be undone. */
  askArbiter: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly dispute: string } }; result: DisputeWithTexts };
  /** Freezes the record of a decision, and builds the ruling whose memo is its hash. Only the arbiter who holds the dispute can do it. Either `total` and `reasons`, or `asAgreed` for the total that both sides agreed on. `noInterest` states that the arbiter has no interest in the dispute; the record of it is kept. While a side that was asked has not answered and still can, `early` states that the arbiter decides before; without it the answer is `question_open`. */
  freezeDecision: { input: { readonly path: { readonly dispute: string }; readonly body: NewDecision }; result: FrozenDecision };
  /** Builds the ruling of a frozen decision with a new blockhash. */
  buildDecision: { input: { readonly path: { readonly dispute: string; readonly decision: string } }; result: FrozenDecision };
  /** Judges a transaction of a ruling, signed or not, by the heights of the chain's final blocks. */
  fetchDecisionLife: { input: { readonly path: { readonly dispute: string; readonly decision: string }; readonly body: SignedDecision }; result: TransactionLife };
  /** Sends the ruling that the arbiter's wallet signed, until it lands or no longer can. */
  submitDecision: { input: { readonly path: { readonly dispute: string; readonly decision: string }; readonly body: SignedDecision }; result: SubmittedDecision };
  /** Disputes of all businesses: those to be decided and those that wait for an agreement first, then those in which both sides talk; in each, by `decideBy`, or else `resolveBy`. */
  listDeskDisputes: { input: { readonly query?: { readonly environment?: string | undefined; readonly status?: string | undefined; readonly held?: string | undefined; readonly due_before?: string | undefined; readonly limit?: string | undefined; readonly starting_after?: string | undefined } }; result: DeskDisputeRowList };
  /** The dispute as both sides read it, with facts and counts. */
  getDeskDispute: { input: { readonly path: { readonly dispute: string } }; result: DeskDispute };
  /** The bytes of a file of either side, whose object the dispute shows. */
  getDeskFile: { input: { readonly path: { readonly dispute: string; readonly file: string } }; result: unknown };
  /** Makes you the one who decides the dispute. Refused if another arbiter holds it, or for a conflict of interest. */
  claimDeskDispute: { input: { readonly path: { readonly dispute: string } }; result: DeskDispute };
  /** Gives a dispute that you hold to another arbiter, who has no conflict of interest, or back to the queue. */
  handOverDeskDispute: { input: { readonly path: { readonly dispute: string }; readonly body: DeskHandOver }; result: DeskDispute };
  /** Keeps your note on a dispute in place of the one before; without `text` it is deleted. Neither side, no other arbiter and no export has it, and it goes when any text or file of the dispute is erased. */
  noteDeskDispute: { input: { readonly path: { readonly dispute: string }; readonly body: DeskNote }; result: DeskDispute };
  /** Asks the `side` that is named, or both, of a dispute that you hold. Both read it and can write for three days, and `decideBy` moves by three days, both at most until 14 days before `resolveBy`. Two questions a dispute. */
  askDeskDispute: { input: { readonly path: { readonly dispute: string }; readonly body: DeskQuestion }; result: DeskDispute };
  /** The users who decide disputes of the deployment. */
  listArbiters: { input: Readonly<Record<never, never>>; result: DeskArbiterList };
  /** The first 100 disputed payments of the operator that match no order here. */
  listDeskPayments: { input: Readonly<Record<never, never>>; result: DeskPaymentList };
  /** Announces a PNG, JPEG or WebP picture, a PDF or a plain text of at most 5,000,000 bytes; `uploadUrl` then takes its bytes within ten minutes. Pictures lose all metadata. Ten files a side; while the arbiter decides, they follow the side's one word within an hour. Nobody edits or deletes a file. */
  announceDisputeFile: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly dispute: string }; readonly body: DisputeFileInput }; result: DisputeUpload };
  /** The bytes of a file of either side, whose object `GET /disputes/{id}` shows. */
  getDisputeFile: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly dispute: string; readonly file: string } }; result: unknown };
  /** The fulfillments of an intent, newest first; at most 20. */
  listFulfillments: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly intent: string }; readonly query?: { readonly limit?: string | undefined; readonly starting_after?: string | undefined; readonly ending_before?: string | undefined } }; result: FulfillmentList };
  /** Records facts about a delivery, at least one; `deliveredAt` is not before `sentAt`, and neither is more than a day ahead; `delivery` is what a server that sells by x402 signed, of a payment of this intent whose terms name its offer. They are your word for the buyer and the arbiter, with the time at which it was recorded. An intent has at most 20. */
  recordFulfillment: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly intent: string }; readonly body: NewFulfillment }; result: Fulfillment };
  /** Payments that are bound to no intent, those still in the escrow or those that ended, 50 at most: those that one of the newest 100 `payment_intent.payment_mismatch` events names, one of the newest 100 to the recipient of the intent that they name, and those to a saved recipient. Those to the recipient of the intent come first, then those to a saved one, then others; in each, the next deadline first, of ended ones the newest. */
  listUnmatchedPayments: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly state?: string | undefined } }; result: UnmatchedPaymentList };
  /** A payment that is bound to no intent, if its number belongs to an intent of the business, or its recipient is a wallet that the business saved. */
  getUnmatchedPayment: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly payment: string } }; result: UnmatchedPayment };
  /** For owners and admins. Keeps a note of at most 500 characters for all members, or removes it (null). It changes no status, sends no event and moves no funds, and the payment stays in every list. The audit log has it. */
  noteUnmatchedPayment: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly payment: string }; readonly body: NewPaymentNote }; result: Done };
  /** The symbol and the decimals of the token asked for, by which pages name its amounts; nothing where the chain has not shown it here. No node is asked. */
  listAssets: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly mint?: string | undefined } }; result: AssetList };
  /** The well-known tokens that a payment may ask for on this environment's chain. One that nobody has asked for yet is read from the chain, and left out while the chain is away. */
  listPayableAssets: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" } }; result: AssetList };
  /** Reads a transaction on chain now, and says for each intent it is about what confirm would answer. */
  explainTransaction: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly signature: string }; readonly query?: { readonly intent?: string | undefined } }; result: Transaction };
  /** Finds what an id, an address, a signature, a Request-Id, a paymentId or a merchantReference is of, in this business and environment alone. */
  inspect: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly body: InspectionInput }; result: Inspection };
  /** A file with all rows that pass the list's filters, as CSV or JSON Lines, for everyone who may read the list. It is sent while it is read; if that fails, the connection is reset. It is also cut off after 15 minutes, for a reader slower than 16 kB a second for a minute, and when the session or the membership ends, both checked before each hundred rows. At most two exports of a user, three of a business and six in all run in a process. The audit log has each. A cell that a spreadsheet would take for a formula begins with an apostrophe, also behind a semicolon, a tab or a line break in it. */
  exportAuditEntries: { input: { readonly path: { readonly business: string }; readonly query?: { readonly action?: string | undefined; readonly actor?: string | undefined; readonly target?: string | undefined; readonly recorded_after?: string | undefined; readonly recorded_before?: string | undefined; readonly format?: string | undefined; readonly decimal?: string | undefined; readonly time_zone?: string | undefined } }; result: unknown };
  /** A file with all rows that pass the list's filters, as CSV or JSON Lines, for everyone who may read the list. It is sent while it is read; if that fails, the connection is reset. It is also cut off after 15 minutes, for a reader slower than 16 kB a second for a minute, and when the session or the membership ends, both checked before each hundred rows. At most two exports of a user, three of a business and six in all run in a process. The audit log has each. A cell that a spreadsheet would take for a formula begins with an apostrophe, also behind a semicolon, a tab or a line break in it. */
  exportWebhookDeliveries: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly endpoint: string }; readonly query?: { readonly status?: string | undefined; readonly status_code?: string | undefined; readonly error_class?: string | undefined; readonly type?: string | undefined; readonly object?: string | undefined; readonly created_after?: string | undefined; readonly created_before?: string | undefined; readonly format?: string | undefined; readonly decimal?: string | undefined; readonly time_zone?: string | undefined } }; result: unknown };
  /** A file with all rows that pass the list's filters, as CSV or JSON Lines, for everyone who may read the list. It is sent while it is read; if that fails, the connection is reset. It is also cut off after 15 minutes, for a reader slower than 16 kB a second for a minute, and when the session or the membership ends, both checked before each hundred rows. At most two exports of a user, three of a business and six in all run in a process. The audit log has each. A cell that a spreadsheet would take for a formula begins with an apostrophe, also behind a semicolon, a tab or a line break in it. */
  exportRequests: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly key?: string | undefined; readonly error_code?: string | undefined; readonly failed?: string | undefined; readonly about?: string | undefined; readonly arrived_after?: string | undefined; readonly arrived_before?: string | undefined; readonly format?: string | undefined; readonly decimal?: string | undefined; readonly time_zone?: string | undefined } }; result: unknown };
  /** A file with all rows that pass the list's filters, as CSV or JSON Lines, for everyone who may read the list. It is sent while it is read; if that fails, the connection is reset. It is also cut off after 15 minutes, for a reader slower than 16 kB a second for a minute, and when the session or the membership ends, both checked before each hundred rows. At most two exports of a user, three of a business and six in all run in a process. The audit log has each. A cell that a spreadsheet would take for a formula begins with an apostrophe, also behind a semicolon, a tab or a line break in it. */
  exportEvents: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly type?: string | undefined; readonly intent?: string | undefined; readonly payment?: string | undefined; readonly occurred_after?: string | undefined; readonly occurred_before?: string | undefined; readonly after_sequence?: string | undefined; readonly format?: string | undefined; readonly decimal?: string | undefined; readonly time_zone?: string | undefined } }; result: unknown };
  /** A file with all rows that pass the list's filters, as CSV or JSON Lines, for everyone who may read the list. It is sent while it is read; if that fails, the connection is reset. It is also cut off after 15 minutes, for a reader slower than 16 kB a second for a minute, and when the session or the membership ends, both checked before each hundred rows. At most two exports of a user, three of a business and six in all run in a process. The audit log has each. A cell that a spreadsheet would take for a formula begins with an apostrophe, also behind a semicolon, a tab or a line break in it. */
  exportPaymentIntents: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly reference_prefix?: string | undefined; readonly reference_part?: string | undefined; readonly asset?: string | undefined; readonly amount_min?: string | undefined; readonly amount_max?: string | undefined; readonly protection_period?: string | undefined; readonly merchant_reference?: string | undefined; readonly status?: string | undefined; readonly created_after?: string | undefined; readonly created_before?: string | undefined; readonly format?: string | undefined; readonly decimal?: string | undefined; readonly time_zone?: string | undefined; readonly metadata?: string | undefined } }; result: unknown };
  /** A file with all rows that pass the list's filters, as CSV or JSON Lines, for everyone who may read the list. It is sent while it is read; if that fails, the connection is reset. It is also cut off after 15 minutes, for a reader slower than 16 kB a second for a minute, and when the session or the membership ends, both checked before each hundred rows. At most two exports of a user, three of a business and six in all run in a process. The audit log has each. A cell that a spreadsheet would take for a formula begins with an apostrophe, also behind a semicolon, a tab or a line break in it. */
  exportPaymentLinks: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly format?: string | undefined; readonly decimal?: string | undefined; readonly time_zone?: string | undefined } }; result: unknown };
  /** A file with all rows that pass the list's filters, as CSV or JSON Lines, for everyone who may read the list. It is sent while it is read; if that fails, the connection is reset. It is also cut off after 15 minutes, for a reader slower than 16 kB a second for a minute, and when the session or the membership ends, both checked before each hundred rows. At most two exports of a user, three of a business and six in all run in a process. The audit log has each. A cell that a spreadsheet would take for a formula begins with an apostrophe, also behind a semicolon, a tab or a line break in it. */
  exportPayments: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly status?: string | undefined; readonly asset?: string | undefined; readonly amount_min?: string | undefined; readonly amount_max?: string | undefined; readonly protection_period?: string | undefined; readonly reference_prefix?: string | undefined; readonly reference_part?: string | undefined; readonly sender?: string | undefined; readonly late?: string | undefined; readonly role?: string | undefined; readonly disputed?: string | undefined; readonly over_limit?: string | undefined; readonly created_after?: string | undefined; readonly created_before?: string | undefined; readonly intent?: string | undefined; readonly format?: string | undefined; readonly decimal?: string | undefined; readonly time_zone?: string | undefined; readonly metadata?: string | undefined; readonly layout?: string | undefined; readonly amounts?: string | undefined; readonly dates?: string | undefined } }; result: unknown };
  /** A file with all rows that pass the list's filters, as CSV or JSON Lines, for everyone who may read the list. It is sent while it is read; if that fails, the connection is reset. It is also cut off after 15 minutes, for a reader slower than 16 kB a second for a minute, and when the session or the membership ends, both checked before each hundred rows. At most two exports of a user, three of a business and six in all run in a process. The audit log has each. A cell that a spreadsheet would take for a formula begins with an apostrophe, also behind a semicolon, a tab or a line break in it. */
  exportDisputes: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live" }; readonly query?: { readonly status?: string | undefined; readonly turn?: string | undefined; readonly due_before?: string | undefined; readonly intent?: string | undefined; readonly payment?: string | undefined; readonly format?: string | undefined; readonly decimal?: string | undefined; readonly time_zone?: string | undefined } }; result: unknown };
  /** A file with all rows that pass the list's filters, as CSV or JSON Lines, for everyone who may read the list. It is sent while it is read; if that fails, the connection is reset. It is also cut off after 15 minutes, for a reader slower than 16 kB a second for a minute, and when the session or the membership ends, both checked before each hundred rows. At most two exports of a user, three of a business and six in all run in a process. The audit log has each. A cell that a spreadsheet would take for a formula begins with an apostrophe, also behind a semicolon, a tab or a line break in it. */
  exportFulfillments: { input: { readonly path: { readonly business: string; readonly environment: "test" | "live"; readonly intent: string }; readonly query?: { readonly format?: string | undefined; readonly decimal?: string | undefined; readonly time_zone?: string | undefined } }; result: unknown };
}

export const ROUTES: { readonly [Id in keyof Operations]: string } = {
  signIn: "POST /sign-in",
  signInWithCode: "POST /sign-in/code",
  challengeSignIn: "POST /sign-in/passkey/challenge",
  signInByPasskey: "POST /sign-in/passkey",
  signUpOwner: "POST /sign-up/owner",
  requestPasswordReset: "POST /password-resets",
  readPasswordReset: "POST /password-resets/read",
  resetPassword: "POST /password-resets/complete",
  getAccount: "GET /account",
  changePassword: "POST /account/password",
  signOut: "POST /sign-out",
  signOutEverywhere: "POST /sign-out/everywhere",
  listSessions: "GET /sessions",
  endSession: "DELETE /sessions/{id}",
  proveByPassword: "POST /proof",
  challengeProof: "POST /proof/passkey/challenge",
  proveByPasskey: "POST /proof/passkey",
  listPasskeys: "GET /passkeys",
  addPasskey: "POST /passkeys",
  challengeNewPasskey: "POST /passkeys/challenge",
  removePasskey: "DELETE /passkeys/{id}",
  addAuthenticatorApp: "POST /authenticator-app",
  removeAuthenticatorApp: "DELETE /authenticator-app",
  confirmAuthenticatorApp: "POST /authenticator-app/confirm",
  renewBackupCodes: "POST /backup-codes",
  beginCompanySignIn: "POST /sign-in/company",
  arriveFromCompany: "POST /sign-in/company/answer",
  beginCompanyLink: "POST /account/company",
  unlinkCompany: "DELETE /account/company",
  beginCompanyProof: "POST /proof/company",
  listAccountHistory: "GET /account/history",
  addBusiness: "POST /businesses",
  listBusinesses: "GET /operator/businesses",
  getBusiness: "GET /businesses/{business}",
  getBusinessProfile: "GET /businesses/{business}/profile",
  changeBusinessProfile: "PATCH /businesses/{business}/profile",
  getOverview: "GET /businesses/{business}/{environment}/overview",
  getBooks: "GET /businesses/{business}/{environment}/books",
  checkBooks: "POST /businesses/{business}/{environment}/books/check",
  getBusinessDomain: "GET /businesses/{business}/domain",
  claimBusinessDomain: "PUT /businesses/{business}/domain",
  removeBusinessDomain: "DELETE /businesses/{business}/domain",
  checkBusinessDomain: "POST /businesses/{business}/domain/check",
  listMembers: "GET /businesses/{business}/members",
  changeRole: "PATCH /businesses/{business}/members/{user}",
  removeMember: "DELETE /businesses/{business}/members/{user}",
  leaveBusiness: "POST /businesses/{business}/leave",
  listInvitations: "GET /businesses/{business}/invitations",
  invite: "POST /businesses/{business}/invitations",
  revokeInvitation: "DELETE /businesses/{business}/invitations/{invitation}",
  readInvitation: "POST /invitations/read",
  acceptInvitation: "POST /invitations/accept",
  signUpInvited: "POST /sign-up/invitation",
  listDisputeEmails: "GET /account/dispute-emails",
  chooseDisputeEmails: "POST /businesses/{business}/dispute-emails",
  listAuditEntries: "GET /businesses/{business}/audit",
  listApiKeys: "GET /businesses/{business}/{environment}/keys",
  issueApiKey: "POST /businesses/{business}/{environment}/keys",
  rollApiKey: "POST /businesses/{business}/{environment}/keys/{key}/roll",
  revokeApiKey: "POST /businesses/{business}/{environment}/keys/{key}/revoke",
  listRecipients: "GET /businesses/{business}/{environment}/recipients",
  addRecipient: "POST /businesses/{business}/{environment}/recipients",
  listTestAssets: "GET /businesses/{business}/{environment}/recipients/assets",
  checkRecipient: "POST /businesses/{business}/{environment}/recipients/check",
  renameRecipient: "PATCH /businesses/{business}/{environment}/recipients/{recipient}",
  removeRecipient: "DELETE /businesses/{business}/{environment}/recipients/{recipient}",
  testRecipient: "POST /businesses/{business}/{environment}/recipients/{recipient}/test",
  confirmRecipient: "POST /businesses/{business}/{environment}/recipients/{recipient}/confirm",
  getSavedOnlyRule: "GET /businesses/{business}/{environment}/saved-recipients-only",
  setSavedOnlyRule: "PUT /businesses/{business}/{environment}/saved-recipients-only",
  listWebhookEndpoints: "GET /businesses/{business}/{environment}/endpoints",
  addWebhookEndpoint: "POST /businesses/{business}/{environment}/endpoints",
  getWebhookEndpoint: "GET /businesses/{business}/{environment}/endpoints/{endpoint}",
  changeWebhookEndpoint: "PATCH /businesses/{business}/{environment}/endpoints/{endpoint}",
  deleteWebhookEndpoint: "DELETE /businesses/{business}/{environment}/endpoints/{endpoint}",
  checkWebhookUrl: "POST /businesses/{business}/{environment}/endpoints/check",
  rollWebhookSecret: "POST /businesses/{business}/{environment}/endpoints/{endpoint}/roll",
  testWebhookEndpoint: "POST /businesses/{business}/{environment}/endpoints/{endpoint}/test",
  enableWebhookEndpoint: "POST /businesses/{business}/{environment}/endpoints/{endpoint}/enable",
  disableWebhookEndpoint: "POST /businesses/{business}/{environment}/endpoints/{endpoint}/disable",
  listWebhookDeliveries: "GET /businesses/{business}/{environment}/endpoints/{endpoint}/deliveries",
  listDeliveriesOfEvent: "GET /businesses/{business}/{environment}/events/{event}/deliveries",
  getWebhookDelivery: "GET /businesses/{business}/{environment}/deliveries/{delivery}",
  listAllWebhookHours: "GET /businesses/{business}/{environment}/hours",
  listWebhookHours: "GET /businesses/{business}/{environment}/endpoints/{endpoint}/hours",
  resendWebhookDelivery: "POST /businesses/{business}/{environment}/deliveries/{delivery}/resend",
  resendWebhooksOfObject: "POST /businesses/{business}/{environment}/endpoints/{endpoint}/resend-object",
  resendMatchingWebhooks: "POST /businesses/{business}/{environment}/endpoints/{endpoint}/resend",
  replayWebhooks: "POST /businesses/{business}/{environment}/endpoints/{endpoint}/replay",
  getWebhookReplaySize: "GET /businesses/{business}/{environment}/endpoints/{endpoint}/replay-size",
  listRequests: "GET /businesses/{business}/{environment}/requests",
  getRequest: "GET /businesses/{business}/{environment}/requests/{request}",
  listEvents: "GET /businesses/{business}/{environment}/events",
  getEvent: "GET /businesses/{business}/{environment}/events/{event}",
  createPaymentIntent: "POST /businesses/{business}/{environment}/payment-intents",
  listPaymentIntents: "GET /businesses/{business}/{environment}/payment-intents",
  getPaymentIntent: "GET /businesses/{business}/{environment}/payment-intents/{intent}",
  createPaymentBatch: "POST /businesses/{business}/{environment}/payment-batches",
  listPaymentLinks: "GET /businesses/{business}/{environment}/payment-links",
  createPaymentLink: "POST /businesses/{business}/{environment}/payment-links",
  closePaymentLink: "POST /businesses/{business}/{environment}/payment-links/{link}/close",
  listPayments: "GET /businesses/{business}/{environment}/payments",
  listPaidAssets: "GET /businesses/{business}/{environment}/paid-assets",
  listPaymentValues: "GET /businesses/{business}/{environment}/payments/{payment}/values",
  getPayment: "GET /businesses/{business}/{environment}/payments/{payment}",
  refundPayment: "POST /businesses/{business}/{environment}/payments/{payment}/refund",
  submitRefund: "POST /businesses/{business}/{environment}/payments/{payment}/refund/submit",
  fetchRefundLife: "POST /businesses/{business}/{environment}/payments/{payment}/refund/life",
  listDisputes: "GET /businesses/{business}/{environment}/disputes",
  getDispute: "GET /businesses/{business}/{environment}/disputes/{dispute}",
  sendDisputeStatement: "POST /businesses/{business}/{environment}/disputes/{dispute}/statements",
  makeDisputeOffer: "POST /businesses/{business}/{environment}/disputes/{dispute}/offers",
  withdrawDisputeOffer: "POST /businesses/{business}/{environment}/disputes/{dispute}/offers/{offer}/withdraw",
  declineDisputeOffer: "POST /businesses/{business}/{environment}/disputes/{dispute}/offers/{offer}/decline",
  acceptDisputeOffer: "POST /businesses/{business}/{environment}/disputes/{dispute}/offers/{offer}/accept",
  askArbiter: "POST /businesses/{business}/{environment}/disputes/{dispute}/ask-arbiter",
  freezeDecision: "POST /desk/disputes/{dispute}/decisions",
  buildDecision: "POST /desk/disputes/{dispute}/decisions/{decision}/build",
  fetchDecisionLife: "POST /desk/disputes/{dispute}/decisions/{decision}/life",
  submitDecision: "POST /desk/disputes/{dispute}/decisions/{decision}/submit",
  listDeskDisputes: "GET /desk/disputes",
  getDeskDispute: "GET /desk/disputes/{dispute}",
  getDeskFile: "GET /desk/disputes/{dispute}/files/{file}",
  claimDeskDispute: "POST /desk/disputes/{dispute}/claim",
  handOverDeskDispute: "POST /desk/disputes/{dispute}/hand-over",
  noteDeskDispute: "PUT /desk/disputes/{dispute}/note",
  askDeskDispute: "POST /desk/disputes/{dispute}/questions",
  listArbiters: "GET /desk/arbiters",
  listDeskPayments: "GET /desk/payments",
  announceDisputeFile: "POST /businesses/{business}/{environment}/disputes/{dispute}/files",
  getDisputeFile: "GET /businesses/{business}/{environment}/disputes/{dispute}/files/{file}",
  listFulfillments: "GET /businesses/{business}/{environment}/payment-intents/{intent}/fulfillments",
  recordFulfillment: "POST /businesses/{business}/{environment}/payment-intents/{intent}/fulfillments",
  listUnmatchedPayments: "GET /businesses/{business}/{environment}/unmatched-payments",
  getUnmatchedPayment: "GET /businesses/{business}/{environment}/unmatched-payments/{payment}",
  noteUnmatchedPayment: "PUT /businesses/{business}/{environment}/unmatched-payments/{payment}/note",
  listAssets: "GET /businesses/{business}/{environment}/assets",
  listPayableAssets: "GET /businesses/{business}/{environment}/payable-assets",
  explainTransaction: "GET /businesses/{business}/{environment}/transactions/{signature}",
  inspect: "POST /businesses/{business}/{environment}/inspections",
  exportAuditEntries: "GET /businesses/{business}/audit/export",
  exportWebhookDeliveries: "GET /businesses/{business}/{environment}/endpoints/{endpoint}/deliveries/export",
  exportRequests: "GET /businesses/{business}/{environment}/requests/export",
  exportEvents: "GET /businesses/{business}/{environment}/events/export",
  exportPaymentIntents: "GET /businesses/{business}/{environment}/payment-intents/export",
  exportPaymentLinks: "GET /businesses/{business}/{environment}/payment-links/export",
  exportPayments: "GET /businesses/{business}/{environment}/payments/export",
  exportDisputes: "GET /businesses/{business}/{environment}/disputes/export",
  exportFulfillments: "GET /businesses/{business}/{environment}/payment-intents/{intent}/fulfillments/export",
};

/** Each list that goes on page by page, with its filters. */
export const FILTERS = {
  listAccountHistory: {  },
  listBusinesses: {  },
  listAuditEntries: { action: { kind: "choice", choices: ["business.added","business.changed","domain.claimed","domain.proven","domain.lost","domain.removed","recipient.added","recipient.renamed","recipient.removed","recipient.tested","recipient.confirmed","saved_only.begun","saved_only.end_asked","saved_only.end_called_off","key.issued","key.rolled","key.revoked","member.added","member.role_changed","member.removed","invitation.made","invitation.accepted","invitation.revoked","invitation.link_made","endpoint.added","endpoint.changed","endpoint.secret_rolled","endpoint.tested","endpoint.enabled","endpoint.disabled","endpoint.deleted","delivery.resent","deliveries.resent","deliveries.replayed","intent.created","intents.created","link.created","link.closed","payment.refund_built","payment.refund_sent","dispute.statement_sent","dispute.file_announced","dispute.offer_made","dispute.offer_withdrawn","dispute.offer_declined","dispute.offer_accepted","dispute.arbiter_asked","fulfillment.recorded","dispute.decision_frozen","dispute.ruling_sent","dispute.erased","dispute.exported","list.exported","payment.noted"] }, actor: { kind: "text" }, target: { kind: "text" }, recorded_after: { kind: "time" }, recorded_before: { kind: "time" } },
  listWebhookDeliveries: { status: { kind: "choice", choices: ["pending","succeeded","abandoned"] }, status_code: { kind: "number" }, error_class: { kind: "choice", choices: ["redirect","client_error","server_error","timeout","dns","address","connection","tls","protocol","other"] }, type: { kind: "choice", choices: ["payment_intent.created","payment_intent.paid","payment_intent.paid_late","payment_intent.duplicate_payment","payment_intent.payment_mismatch","payment_intent.expired","payment_intent.canceled","payment.protected","payment.disputed","payment.released","payment.refunded","payment.partially_refunded","payment.decided","payment.settleable","payment.reverted","dispute.opened","dispute.updated","dispute.decided","dispute.closed","webhook_endpoint.disabled","events.restored"] }, object: { kind: "text" }, created_after: { kind: "time" }, created_before: { kind: "time" } },
  listRequests: { key: { kind: "text" }, error_code: { kind: "text" }, failed: { kind: "flag" }, about: { kind: "text" }, arrived_after: { kind: "time" }, arrived_before: { kind: "time" } },
  listEvents: { type: { kind: "text" }, intent: { kind: "text" }, payment: { kind: "text" }, occurred_after: { kind: "time" }, occurred_before: { kind: "time" }, after_sequence: { kind: "text" } },
  listPaymentIntents: { reference_prefix: { kind: "text" }, reference_part: { kind: "text" }, asset: { kind: "text" }, amount_min: { kind: "text" }, amount_max: { kind: "text" }, protection_period: { kind: "choice", choices: ["oneHour","oneDay","threeDays","sevenDays","fourteenDays","thirtyDays"] }, merchant_reference: { kind: "text" }, status: { kind: "choice", choices: ["requires_payment","paid","expired","canceled"] }, created_after: { kind: "time" }, created_before: { kind: "time" } },
  listPaymentLinks: {  },
  listPayments: { status: { kind: "choice", choices: ["protected","disputed","released","refunded"] }, asset: { kind: "text" }, amount_min: { kind: "text" }, amount_max: { kind: "text" }, protection_period: { kind: "choice", choices: ["oneHour","oneDay","threeDays","sevenDays","fourteenDays","thirtyDays"] }, reference_prefix: { kind: "text" }, reference_part: { kind: "text" }, sender: { kind: "text" }, late: { kind: "flag" }, role: { kind: "choice", choices: ["primary","duplicate"] }, disputed: { kind: "flag" }, over_limit: { kind: "flag" }, created_after: { kind: "time" }, created_before: { kind: "time" }, intent: { kind: "text" } },
  listDisputes: { status: { kind: "choice", choices: ["talking","deciding","agreed","decided","paused","closed"] }, turn: { kind: "choice", choices: ["buyer","merchant","arbiter","nobody"] }, due_before: { kind: "time" }, intent: { kind: "text" }, payment: { kind: "text" } },
  listDeskDisputes: { environment: { kind: "choice", choices: ["test","live"] }, status: { kind: "choice", choices: ["talking","deciding","agreed","decided","paused","closed"] }, held: { kind: "choice", choices: ["me","nobody","others"] }, due_before: { kind: "time" } },
  listFulfillments: {  },
} as const;

/** Each write with the reads whose answers it changes. */
export const CHANGES = {
  changePassword: ["getAccount","listSessions","listAccountHistory"],
  endSession: ["listSessions"],
  addPasskey: ["listPasskeys","getAccount"],
  removePasskey: ["listPasskeys","getAccount"],
  confirmAuthenticatorApp: ["getAccount"],
  removeAuthenticatorApp: ["getAccount"],
  renewBackupCodes: ["getAccount"],
  unlinkCompany: ["getAccount"],
  addBusiness: ["getAccount","listBusinesses"],
  changeBusinessProfile: ["getBusinessProfile","getBusiness","getAccount","listBusinesses"],
  checkBooks: ["getBooks"],
  claimBusinessDomain: ["getBusinessDomain","getBusinessProfile"],
  checkBusinessDomain: ["getBusinessDomain","getBusinessProfile"],
  removeBusinessDomain: ["getBusinessDomain","getBusinessProfile"],
  changeRole: ["listMembers","getAccount","getBusiness"],
  removeMember: ["getBusiness","listMembers"],
  leaveBusiness: ["getAccount"],
  invite: ["getBusiness","listInvitations"],
  revokeInvitation: ["getBusiness","listInvitations"],
  acceptInvitation: ["getAccount"],
  chooseDisputeEmails: ["listDisputeEmails"],
  issueApiKey: ["listApiKeys"],
  rollApiKey: ["listApiKeys"],
  revokeApiKey: ["listApiKeys"],
  addRecipient: ["listRecipients"],
  renameRecipient: ["listRecipients"],
  removeRecipient: ["listRecipients"],
  testRecipient: ["listRecipients"],
  confirmRecipient: ["listRecipients"],
  setSavedOnlyRule: ["getSavedOnlyRule","listRecipients"],
  addWebhookEndpoint: ["listWebhookEndpoints"],
  changeWebhookEndpoint: ["listWebhookEndpoints","getWebhookEndpoint"],
  rollWebhookSecret: ["listWebhookEndpoints","getWebhookEndpoint"],
  testWebhookEndpoint: ["listWebhookEndpoints","getWebhookEndpoint"],
  enableWebhookEndpoint: ["listWebhookEndpoints","getWebhookEndpoint"],
  disableWebhookEndpoint: ["listWebhookEndpoints","getWebhookEndpoint"],
  deleteWebhookEndpoint: ["listWebhookEndpoints","getWebhookEndpoint"],
  resendWebhookDelivery: ["getWebhookDelivery","listWebhookDeliveries"],
  resendWebhooksOfObject: ["listWebhookDeliveries","getWebhookDelivery","getWebhookEndpoint"],
  resendMatchingWebhooks: ["listWebhookDeliveries","getWebhookDelivery","getWebhookEndpoint"],
  replayWebhooks: ["listWebhookDeliveries","getWebhookDelivery","getWebhookEndpoint"],
  createPaymentIntent: ["listPaymentIntents"],
  createPaymentBatch: ["listPaymentIntents"],
  createPaymentLink: ["listPaymentLinks"],
  closePaymentLink: ["listPaymentLinks"],
  sendDisputeStatement: ["listDisputes","getDispute"],
  makeDisputeOffer: ["listDisputes","getDispute"],
  withdrawDisputeOffer: ["listDisputes","getDispute"],
  declineDisputeOffer: ["listDisputes","getDispute"],
  acceptDisputeOffer: ["listDisputes","getDispute"],
  askArbiter: ["listDisputes","getDispute"],
  freezeDecision: ["listDeskDisputes","getDeskDispute"],
  submitDecision: ["listDeskDisputes","getDeskDispute"],
  claimDeskDispute: ["listDeskDisputes","getDeskDispute","listArbiters"],
  handOverDeskDispute: ["listDeskDisputes","getDeskDispute","listArbiters"],
  noteDeskDispute: ["getDeskDispute"],
  askDeskDispute: ["listDeskDisputes","getDeskDispute","listArbiters"],
  announceDisputeFile: ["listDisputes","getDispute"],
  recordFulfillment: ["listFulfillments"],
  noteUnmatchedPayment: ["listUnmatchedPayments","getUnmatchedPayment"],
} as const satisfies { readonly [Id in keyof Operations]?: readonly (keyof Operations)[] };

/** The currencies in which books can be shown. */
export const CURRENCIES = ["AUD","BRL","CAD","CHF","CNY","CZK","DKK","EUR","GBP","HKD","HUF","IDR","ILS","INR","ISK","JPY","KRW","MXN","MYR","NOK","NZD","PHP","PLN","RON","SEK","SGD","THB","TRY","USD","ZAR"] as const;

/** Limits of the service. */
export const LIMITS = {
  activeKeysMax: 5,
  attemptsShownMax: 100,
  endpointsMax: 5,
  invitationDays: 7,
  logoBytesMax: 100000,
  passwordCharactersMax: 200,
  passwordCharactersMin: 12,
  proofMinutes: 10,
  recipientHoldHours: 24,
  refundPolicyCharactersMax: 20000,
  replayedMax: 100000,
  requestsKeptDays: 7,
  resentMax: 10000,
  resentOfObjectMax: 500,
} as const;
