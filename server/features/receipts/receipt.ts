import {
  compareTerms,
  encodeAccount,
  encodeTombstone,
  type PaymentFigures,
  parseTerms,
  type Receipt,
} from "@holdfast/receipt";
import { type ChainPayment, type ClosedPayment, isClosed } from "../../chain/port.ts";
import type { Environment } from "../../domain/terms.ts";
import { type FieldsOf, named, nullable, table, text, time, word } from "../../lib/columns.ts";
import type { ReceiptDecision } from "../disputes/ruling.ts";
import { isReceiptKey } from "../payments/paymentView.ts";

/** The deployment's keys for JSON receipts. Only the one that signs has its secret half. */
export const SIGNING_KEYS = table("receipt_signing_keys", {
  id: word(),
  publicKey: word(),
  sealed: nullable(named("sealed_secret", text())),
  createdAt: time(),
  retiredAt: nullable(time()),
});
export type SigningKeyRow = FieldsOf<typeof SIGNING_KEYS.columns>;

/** Terms that never change while a payment stands. */
const FIXED = [
  "sender",
  "recipient",
  "amount",
  "asset",
  "protectionPeriod",
  "arbiter",
  "rentPayer",
  "termsHash",
  "createdAt",
  "protectionDeadline",
] as const;

/** The terms of a payment as they are recorded; null where they never were. A closed account has them no more. */
type RecordedTerms = Pick<ChainPayment, "amount"> & {
  readonly [Name in Exclude<(typeof FIXED)[number], "amount"> | "decimals" | "tokenProgram"]: ChainPayment[Name] | null;
};

/** Everything that the database has for the receipt of a payment. */
export interface ReceiptFacts {
  readonly environment: Environment;
  readonly chain: Receipt["chain"];
  readonly address: string;
  readonly terms: RecordedTerms;
  /** The slot of the answer that was recorded last. */
  readonly observedSlot: number;
  readonly signature: string | null;
  /** The ruling with its record; null without one, and for a payment without a dispute. */
  readonly decision: ReceiptDecision | null;
  /** Null for a payment that matches no order. */
  readonly order: (NonNullable<Receipt["order"]> & { readonly key: string }) | null;
}

/** True if the account is on the recorded terms, of which a closed one shows the amount: what one node alone says otherwise is not signed. */
export const isAsRecorded = (account: ChainPayment | ClosedPayment, { terms }: Pick<ReceiptFacts, "terms">): boolean =>
  isClosed(account)
    ? terms.amount === amountOf(account)
    : FIXED.every((name) => terms[name] === null || textOf(terms[name]) === textOf(account[name]));
/** Both sides together got the amount. */
const amountOf = ({ amountReleased, amountRefunded }: ClosedPayment): string =>
  String(BigInt(amountReleased) + BigInt(amountRefunded));
const textOf = (value: string | Date | null): string | null => (value instanceof Date ? isoTime(value) : value);

/** True if `given` is the receipt's key. */
export const opensReceipt = ({ order }: Pick<ReceiptFacts, "order">, given: string | null): boolean =>
  isReceiptKey(order?.key ?? null, given);

/** The receipt before its signature. `isOpen`: whoever asks has the key. */
export async function draftReceipt(
  facts: ReceiptFacts,
  account: { readonly value: ChainPayment | ClosedPayment; readonly slot: number },
  { issuer, issuedAt, termsText, isOpen }: DraftOptions,
): Promise<Receipt> {
  const { environment, chain, address, signature, decision, order } = facts;
  const { value, slot } = account;
  const figures = figuresOf(isClosed(value) ? beforeClosing(facts.terms, value) : value);
  return {
    object: "receipt",
    v: 1,
    issuer,
    issuedAt: issuedAt.toISOString(),
    environment,
    chain,
    payment: { address, ...figures },
    // The program's own bytes: a payment's figures decide every one of them.
    account: isComplete(figures)
      ? { data: await encodeAccount(chain, figures), slot: isClosed(value) ? null : slot }
      : null,
    tombstone: isClosed(value) ? { data: encodeTombstone(figures, value.bump), slot } : null,
    transactions: [
      ...(signature === null ? [] : [{ kind: "created" as const, signature }]),
      ...(decision === null ? [] : [{ kind: "decided" as const, signature: decision.transaction }]),
    ],
    terms: termsText === null ? null : showTerms(termsText, figures, chain.operator, isOpen ? order : null),
    decision: decision && showDecision(decision, isOpen),
    order: isOpen && order !== null ? showOrder(order) : null,
  };
}

const showDecision = (
  { memo, total, sha256, transaction, record }: ReceiptDecision,
  isOpen: boolean,
): NonNullable<Receipt["decision"]> => ({ memo, total, sha256, transaction, record: isOpen ? record : null });

interface DraftOptions {
  readonly issuer: string;
  readonly issuedAt: Date;
  readonly termsText: string | null;
  readonly isOpen: boolean;
}

type Figures = Omit<Receipt["payment"], "address">;

const isComplete = (figures: Figures): figures is PaymentFigures =>
  Object.entries(figures).every(([name, value]) => value !== null || MAY_BE_NULL.has(name));
const MAY_BE_NULL: ReadonlySet<string> = new Set(["termsHash", "outcome", "disputedAt", "settledAt", "refundedAt"]);

const isoTime = (time: Date | null): string | null => time?.toISOString() ?? null;

/** A payment's account before it was closed: everything had left, so the tombstone has all that the terms lack. */
const beforeClosing = (terms: RecordedTerms, closed: ClosedPayment): Known => ({
  ...terms,
  ...closed,
  amount: amountOf(closed),
  refundTotal: closed.amountRefunded,
});

type Known = RecordedTerms & Omit<ChainPayment, keyof RecordedTerms | "operator">;

const figuresOf = (payment: Known): Figures => ({
  paymentId: payment.paymentId,
  sender: payment.sender,
  recipient: payment.recipient,
  amount: payment.amount,
  asset: payment.asset,
  decimals: payment.decimals,
  tokenProgram: payment.tokenProgram,
  protectionPeriod: payment.protectionPeriod,
  arbiter: payment.arbiter,
  rentPayer: payment.rentPayer,
  termsHash: payment.termsHash,
  createdAt: isoTime(payment.createdAt),
  protectionDeadline: isoTime(payment.protectionDeadline),
  status: payment.status,
  outcome: payment.outcome,
  refundTotal: payment.refundTotal,
  amountRefunded: payment.amountRefunded,
  amountReleased: payment.amountReleased,
  disputedAt: isoTime(payment.disputedAt),
  settledAt: isoTime(payment.settledAt),
  refundedAt: isoTime(payment.refundedAt),
});

/**
 * The terms of the payment; null for a text of another's, since anybody can name its hash. A text of version 1 names its
 * intent, so all but holders of that intent's key have its other fields alone (§4.14).
 */
function showTerms(text: string, figures: Figures, operator: string, order: ReceiptFacts["order"]): Receipt["terms"] {
  const terms = parseTerms(text);
  if (terms === null || compareTerms(figures, operator, terms).length > 0) return null;
  const { intent, ...fields } = terms;
  return intent === undefined || intent === order?.intent ? { text, fields: null } : { text: null, fields };
}

const showOrder = ({ key: _, ...order }: NonNullable<ReceiptFacts["order"]>): Receipt["order"] => order;
