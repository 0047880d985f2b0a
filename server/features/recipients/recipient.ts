import type { RecipientKind, TokenAccountHold } from "../../chain/port.ts";
import { isPlainKey } from "../../domain/addresses.ts";
import { INTENT_STATUSES, PAYMENT_STATUSES } from "../../domain/terms.ts";
import { digits, type FieldsOf, nullable, table, text, time, word } from "../../lib/columns.ts";

/** Recipients of a business per environment. The slots of `saved_recipients` enforce it. */
export const RECIPIENTS_MAX = 50;
/** Hours in which owners may notice before a weaker rule holds: the end of the rule, and a recipient added under it (§13.11). */
export const HOLD_HOURS = 24;

/** Tenants whose creates may name saved recipients only (§13.11.5). */
export const SAVED_ONLY_RULES = table("saved_recipients_only", {
  since: time({ says: "The time since which it is on; null while it is off.", example: "2026-11-20T08:30:00.000Z" }),
  endsAt: nullable(time({ says: "The end that an owner asked for; null if nobody did." })),
});
export type SavedOnlyRule = FieldsOf<typeof SAVED_ONLY_RULES.columns>;

/** A wallet at which a business is paid. */
export const RECIPIENTS = table("saved_recipients", {
  address: word({ as: "id", says: "The wallet's address.", example: "14o8iuu4aCmiFSRK4VQoXFRk9z1Ko1HMAEhFHUPTokqP" }),
  label: text({ says: "The business's name for it.", example: "Treasury" }),
  addedAt: time({ says: "The time at which it was added.", example: "2026-11-20T08:30:00.000Z" }),
  confirmedAt: nullable(
    time({ says: "The time at which somebody found the test payment in the wallet; null if nobody has yet." }),
  ),
  confirmedBy: nullable(text({ says: "The e-mail address of the user who found it; null if nobody has yet." })),
});

/** The fields of a test payment, with its intent as shown now (§3.1.4). */
export const TEST_PAYMENT = {
  intentId: word({ as: "intent", says: "The intent's id.", example: "pi_test_5szw01a1fbfeaecb562cb684bcc909ec4992" }),
  asset: word({ says: "The mint's address.", example: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" }),
  amount: digits("numeric", { says: "In the token's smallest unit.", example: "10000" }),
  intentStatus: word({ as: "status", of: INTENT_STATUSES, says: "The intent's status.", example: "requires_payment" }),
  paymentStatus: nullable(word({ of: PAYMENT_STATUSES, says: "The payment's status; null if nobody has paid." })),
  amountReleased: digits("numeric"),
  protectionDeadline: nullable(
    time({ says: "The time from which it can be settled to the wallet; null if nobody has paid." }),
  ),
};
export type TestPayment = FieldsOf<typeof TEST_PAYMENT>;

export interface Recipient extends FieldsOf<typeof RECIPIENTS.columns> {
  /** The time before which the {@link SavedOnlyRule} allows no intent to name it; null if intents may. */
  readonly heldUntil: Date | null;
  /** The last test payment; null before the first. */
  readonly test: TestPayment | null;
}

/** A recipient with the id of its test payment instead of the payment. */
export interface SavedRecipient extends Omit<Recipient, "test"> {
  /** The intent of its newest test payment; null before the first. */
  readonly testIntent: string | null;
}

/**
 * `arrived`: the chain has sent the test payment to the wallet. No chain can tell that the wallet is the business's
 * own: a mistyped address takes money too. So it becomes `tried` only when a person finds the payment in the wallet.
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

/**
 * True if a test is under way: its link can be paid, or its money has not left the escrow. This can be true of a tried
 * recipient, too.
 */
export const isTesting = ({ test }: Pick<Recipient, "test">): boolean =>
  ["waiting", "in_escrow"].includes(stateOfTest(test));

/** The account at an address, as read from the chain. */
export interface RecipientLook {
  readonly kind: RecipientKind;
  /** The program that owns the account; null if there is no account yet. */
  readonly owner: string | null;
  /** What keeps its accounts of well-known tokens from being paid. */
  readonly holds: readonly TokenAccountHold[];
}

export const RECIPIENT_WARNINGS = [
  "unread",
  "off_curve",
  "unused",
  "owned_by_program",
  "memo_required",
  "account_frozen",
] as const;
export type RecipientWarning = (typeof RECIPIENT_WARNINGS)[number];

export const WARNING_TEXTS: Readonly<Record<RecipientWarning, string>> = {
  unread: "The chain cannot be read right now, so this address could not be checked.",
  off_curve:
    "No private key can sign for this address. This is right for the vault of a multisig and wrong for anything else.",
  unused: "The chain has never seen this address. A mistyped address looks the same.",
  owned_by_program:
    "A program owns this account. A multisig is paid to its vault, not to the account that holds its settings.",
  memo_required:
    "A token account of this wallet asks for a memo with each transfer. An escrow sends none, so nothing can be paid out there. Turn it off first.",
  account_frozen:
    "A token account of this wallet is frozen by the token's issuer, so nothing can be paid out there. Only the issuer can lift that.",
};

const PROBLEMS: Readonly<Record<Exclude<RecipientKind, "wallet">, string>> = {
  program: "This is a program. Enter the address of a wallet.",
  token_program_account: "This is a token account or a mint. Enter the address of the wallet that owns it.",
  escrow_account: "This is an account of the escrow program, where money would be lost. Enter the address of a wallet.",
  unsignable: "No one can sign for this address, so money would be lost there. Enter the address of a wallet.",
};

const SYSTEM_PROGRAM = "11111111111111111111111111111111";

/** The reason why nobody may be paid there; null if payments may. */
export const problemOf = (look: RecipientLook | null): string | null =>
  look === null || look.kind === "wallet" ? null : PROBLEMS[look.kind];

/** The warnings to accept before the address is saved. `look` is null if the chain could not be read. */
export function warningsOf(address: string, look: RecipientLook | null): readonly RecipientWarning[] {
  const found: RecipientWarning[] = [];
  if (look === null) found.push("unread");
  if (!isPlainKey(address)) found.push("off_curve");
  if (look !== null && look.owner === null) found.push("unused");
  if (look !== null && look.owner !== null && look.owner !== SYSTEM_PROGRAM) found.push("owned_by_program");
  return [...found, ...(look?.holds ?? [])];
}
