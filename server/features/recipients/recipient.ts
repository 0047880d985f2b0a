import type { RecipientKind } from "../../chain/port.ts";
import { isPlainKey } from "../../domain/addresses.ts";
import type { Actor, Tenant } from "../../domain/callers.ts";
import type { IntentStatus, PaymentStatus } from "../../domain/terms.ts";

/** Recipients of a business in one environment. The slots of `saved_recipients` enforce it. */
export const RECIPIENTS_MAX = 50;
/** Owners have so long to notice before a weaker rule holds: the end of the rule, and a recipient that is new under it (§13.11). */
export const HOLD_HOURS = 24;

/** Creates may name saved recipients alone (§13.11.5). */
export interface SavedOnlyRule {
  readonly since: Date;
  /** The end of the rule; null if nobody has asked to end it. */
  readonly endsAt: Date | null;
}

/** A wallet that a business is paid to, with what became of its test payment. */
export interface Recipient {
  readonly address: string;
  readonly label: string;
  readonly addedAt: Date;
  /** Until then no intent may name it, by the rule of {@link SavedOnlyRule}; null: one may. */
  readonly heldUntil: Date | null;
  /** Null: no test payment was offered yet. */
  readonly test: TestPayment | null;
  readonly confirmedAt: Date | null;
  /** Who found the test payment in the wallet. */
  readonly confirmedBy: string | null;
}

/** A recipient without what became of its test payment. */
export interface SavedRecipient extends Omit<Recipient, "test"> {
  /** The id of the intent of its newest test payment; null: none was offered yet. */
  readonly testIntent: string | null;
}

export interface TestPayment {
  readonly intentId: string;
  readonly asset: string;
  readonly amount: string;
  /** As shown at this moment (§3.1.4). */
  readonly intentStatus: IntentStatus;
  /** Null: nobody has paid. */
  readonly paymentStatus: PaymentStatus | null;
  /** Digits; what has left the escrow to the wallet. */
  readonly amountReleased: string;
  readonly protectionDeadline: Date | null;
}

/**
 * `arrived`: the chain has sent the test payment to the wallet. That the wallet is the business's own, no chain can tell: a
 * mistyped address takes money too. So only somebody who finds it in the wallet makes it `tried`.
 */
export const RECIPIENT_STATES = ["untried", "waiting", "in_escrow", "arrived", "failed", "tried"] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];

export const stateOf = ({ test, confirmedAt }: Pick<Recipient, "test" | "confirmedAt">): RecipientState =>
  confirmedAt === null ? stateOfTest(test) : "tried";

function stateOfTest(test: TestPayment | null): RecipientState {
  if (test === null) return "untried";
  if (test.amountReleased !== "0") return "arrived";
  if (test.paymentStatus !== null) return test.paymentStatus === "refunded" ? "failed" : "in_escrow";
  return test.intentStatus === "requires_payment" ? "waiting" : "failed";
}

export const canConfirm = (recipient: Recipient): boolean => stateOf(recipient) === "arrived";

/** A test is under way: its link can be paid, or its money has not left the escrow. So it may be of a tried recipient, too. */
export const isTesting = ({ test }: Pick<Recipient, "test">): boolean =>
  ["waiting", "in_escrow"].includes(stateOfTest(test));

/** What the chain shows at an address. */
export interface RecipientLook {
  readonly kind: RecipientKind;
  /** The program that owns the account; null: there is no account yet. */
  readonly owner: string | null;
}

export const RECIPIENT_WARNINGS = ["unread", "off_curve", "unused", "owned_by_program"] as const;
export type RecipientWarning = (typeof RECIPIENT_WARNINGS)[number];

export const WARNING_TEXTS: Readonly<Record<RecipientWarning, string>> = {
  unread: "The chain cannot be read right now, so nothing is known of this address.",
  off_curve:
    "No private key can sign for this address. That is right for the vault of a multisig, and wrong for anything else.",
  unused: "The chain has never seen this address. A mistyped one looks the same.",
  owned_by_program:
    "A program owns this account. A multisig is paid to its vault, not to the account that holds its settings.",
};

const PROBLEMS: Readonly<Record<Exclude<RecipientKind, "wallet">, string>> = {
  program: "This is a program. Give a wallet's address.",
  token_program_account: "This is a token account or a mint. Give the address of the wallet that owns it.",
  escrow_account: "This is an account of the escrow program, where money would be lost. Give a wallet's address.",
  unsignable: "Nobody can sign for this address, so money would be lost there. Give a wallet's address.",
};

const SYSTEM_PROGRAM = "11111111111111111111111111111111";

/** Why nobody may be paid there; null when somebody may. */
export const problemOf = (look: RecipientLook | null): string | null =>
  look === null || look.kind === "wallet" ? null : PROBLEMS[look.kind];

/** What a person has to look at before the address is kept. Null: the chain could not be read. */
export function warningsOf(address: string, look: RecipientLook | null): readonly RecipientWarning[] {
  const found: RecipientWarning[] = [];
  if (look === null) found.push("unread");
  if (!isPlainKey(address)) found.push("off_curve");
  if (look !== null && look.owner === null) found.push("unused");
  if (look !== null && look.owner !== null && look.owner !== SYSTEM_PROGRAM) found.push("owned_by_program");
  return found;
}

/** A letter to every owner of a business. It has no words that somebody chose, such as a label: it comes from the deployment. */
export interface OwnersLetter {
  readonly subject: string;
  readonly text: string;
}
type User = Actor & { readonly kind: "user" };

const IF_NOT_YOU =
  "If no owner of the business meant this, end that user's sessions, take their role away, and roll your API keys.";

export const draftEndLetter = (
  { email }: User,
  { businessId, environment }: Tenant,
  endsAt: Date,
  page: string,
): OwnersLetter => ({
  subject: "Any recipient is allowed in 24 hours",
  text: `${email} asked that API keys of your business ${businessId} may name any recipient again, in ${environment}. Until ${endsAt.toISOString()} they may name saved recipients alone, and any owner can keep it so:

${page}

${IF_NOT_YOU}
`,
});

export const draftAddedLetter = (
  { email }: User,
  { businessId, environment }: Tenant,
  address: string,
  page: string,
): OwnersLetter => ({
  subject: "A recipient was added",
  text: `${email} added the recipient ${address} to your business ${businessId}, in ${environment}. It can be paid in 24 hours. Any owner or admin can remove it until then:

${page}

${IF_NOT_YOU}
`,
});
