import type { NEWS_TEXTS } from "@holdfast/ui/disputeTexts.ts";
import type { BuyerTexts } from "../../domain/buyerTexts.ts";
import type { DisputeNotice } from "../../domain/notices.ts";
import type { Role } from "../../domain/roles.ts";
import type { Environment } from "../../domain/terms.ts";
import { type FieldsOf, integer, json, slot, table, text, word } from "../../lib/columns.ts";
import type { Widened } from "../../lib/widened.ts";

/** Emails that wait to be sent (§13.3.4): their kinds, the facts of each, and when a failed one is tried again. Pure. */

/** A change of an account that its user is told of (§13.3.5). */
export type AccountChange =
  /** Null: in a session. Otherwise by a link, which removed so many passkeys. */
  | { readonly notice: "password_changed"; readonly passkeysRemoved: number | null }
  | { readonly notice: "passkey_added" | "passkey_removed"; readonly name: string }
  /** Null: the user is no longer a member. */
  | { readonly notice: "role_changed"; readonly role: Role | null }
  | { readonly notice: "password_exposed" | "second_factor_added" | "second_factor_removed" }
  | { readonly notice: "backup_codes_renewed" | "signed_in" | "company_unlinked" }
  /** The person at the provider: the address that it verified, or the subject. */
  | { readonly notice: "company_linked"; readonly person: string };

/** A change in a business that its owners are told of (§13.5.9). */
export type BusinessNotice =
  | "key_issued"
  | "key_rolled"
  | "endpoint_added"
  | "endpoint_moved"
  | "role_changed"
  | "member_removed"
  | "member_joined";

/** News of a dispute (§4.18.11). */
export interface DisputeNews {
  readonly disputeId: string;
  readonly kind: DisputeNotice;
  /** The end of the turn, as a time in ISO 8601. */
  readonly until: string | null;
}

/** A change of a payment that its buyer is told of (§4.22). */
export type BuyerNotice = "paid" | "sent" | "deadline" | "refunded";

/** A language of emails to buyers. */
export interface BuyerCatalogue extends BuyerTexts {
  readonly locale: string;
  readonly tokens: string;
  readonly smallestUnits: string;
  readonly dispute: Widened<typeof NEWS_TEXTS.buyer> & {
    readonly remove: string;
    readonly confirm: string;
    readonly confirmText: (link: string) => string;
  };
}

/** The parts of every email to a buyer. Times are in ISO 8601. */
export interface BuyerWords {
  readonly to: string;
  /** The business's own name and line for emails, and its address for answers. */
  readonly shop: string;
  readonly line: string | null;
  readonly replyTo: string | null;
  readonly environment: Environment;
  /** The page that confirms the mailbox, or ends its emails. */
  readonly consent: string;
  /** The first time at which the address may be erased. */
  readonly erasedFrom: string;
  readonly texts: BuyerCatalogue;
}

export type ArbiterWarning = "due_soon" | "resolve_30" | "resolve_7" | "resolve_1";

interface OfTenant {
  readonly businessId: string;
  readonly environment: Environment;
}

/**
 * The facts of each kind, as its row holds them. No row holds a secret: the secret of a link is made when the email is
 * sent.
 */
export interface EmailFacts {
  readonly password_link: { readonly network: string };
  readonly invitation: {
    readonly businessId: string;
    readonly invitationId: string;
    readonly business: string;
    readonly by: string;
  };
  readonly account_change: AccountChange & { readonly network: string; readonly at: Date };
  readonly business_change: {
    readonly notice: BusinessNotice;
    readonly businessId: string;
    readonly business: string;
    /** The name of what changed: it may hold text of other people. */
    readonly about: string;
    readonly by: string;
    readonly network: string;
    readonly at: Date;
  };
  readonly recipient_added: OfTenant & { readonly by: string; readonly address: string };
  readonly saved_only_ending: OfTenant & { readonly by: string; readonly endsAt: Date };
  /** `mailbox`: the hash of the one that is asked, in hex digits; of before addresses were encrypted, there is none. */
  readonly address_link: { readonly businessId: string; readonly disputeId: string; readonly mailbox?: string };
  readonly member_news: OfTenant & { readonly news: readonly DisputeNews[] };
  readonly buyer_news: OfTenant & {
    readonly intentId: string;
    readonly payment: string;
    readonly news: readonly DisputeNews[];
  };
  readonly buyer_confirmation: OfTenant & { readonly intentId: string; readonly mailbox: string };
  readonly buyer_update: OfTenant & { readonly intentId: string; readonly notice: BuyerNotice };
  readonly arbiter_warning: {
    readonly businessId: string;
    readonly disputeId: string;
    readonly warning: ArbiterWarning;
    readonly dueAt: Date;
  };
}
export type EmailKind = keyof EmailFacts;

/** Facts that are found when an email is sent. */
export interface FoundFacts {
  /** `to`: the address of the user, whose row has the address as it was typed. */
  readonly password_link: { readonly link: string; readonly to: string };
  readonly invitation: { readonly link: string };
  readonly address_link: { readonly to: string; readonly link: string; readonly texts: BuyerCatalogue };
  readonly member_news: { readonly news: readonly DisputeNews[] };
  /** `to`: the confirmed address, which may be another by now. */
  readonly buyer_news: {
    readonly news: readonly DisputeNews[];
    readonly to: string;
    /** The page that ends emails to the address; null: it was entered on the page of the dispute. */
    readonly words: BuyerWords | null;
    readonly texts: BuyerCatalogue;
  };
  readonly buyer_confirmation: BuyerWords;
  readonly buyer_update: BuyerWords & {
    readonly amount: string;
    readonly refunded: string;
    /** The amount that the shop gets. */
    readonly rest: string;
    /** The end of the protection. */
    readonly until: string;
    /** The buyer can open a dispute until then. */
    readonly canObject: boolean;
    readonly isLate: boolean;
    readonly receipt: string;
  };
  readonly arbiter_warning: object;
}

/** Facts as they are read back: a time is text. */
export type Read<Facts> = { readonly [Name in keyof Facts]: Facts[Name] extends Date ? string : Facts[Name] };

/** Finds the facts that a row does not hold; null if the email is no longer to be sent. */
export type Finders = {
  readonly [Kind in keyof FoundFacts]: (
    email: Pick<WaitingEmail, "recipient" | "attempts">,
    facts: Read<EmailFacts[Kind]>,
  ) => Promise<FoundFacts[Kind] | null>;
};

/** An email to be sent. `source` is what caused it: a network, a business, a user or an address. */
export type NewEmail = {
  [Kind in EmailKind]: {
    readonly kind: Kind;
    readonly recipient: string;
    readonly source: string;
    readonly facts: EmailFacts[Kind];
  };
}[EmailKind];

export const EMAILS = table("emails", {
  id: slot(),
  kind: word<EmailKind>(),
  source: text(),
  recipient: text(),
  facts: json(),
  attempts: integer(),
});
export type WaitingEmail = FieldsOf<typeof EMAILS.columns>;

/** What the database announces when emails were queued. */
export const EMAILS_QUEUED = "emails";

/** The wait after each failed attempt; after the last of these it is an hour. */
const WAITS_MINUTES = [1, 2, 4, 8, 16, 32];
/** With these waits, the attempts of a day. */
export const ATTEMPTS_MAX = 30;

/** Minutes until the next attempt, after so many have failed; null: there is none. */
export const retryMinutes = (failed: number): number | null =>
  failed >= ATTEMPTS_MAX ? null : (WAITS_MINUTES[failed - 1] ?? 60);

const OUTCOMES = ["sent", "failed", "refused", "given_up", "dropped"] as const;
type Outcome = (typeof OUTCOMES)[number];

/** Outcomes in this process, for /metrics. */
export const emailCounts = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));
export const countEmails = (outcome: Outcome, count = 1) =>
  void emailCounts.set(outcome, emailCounts.get(outcome)! + count);
