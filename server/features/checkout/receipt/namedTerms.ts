import { createHash } from "node:crypto";
import type { ShownPayment } from "../../payments/paymentView.ts";
import type { NamedTerms } from "./receipt.ts";

/** The members of a terms text (§4.13) that a payment's account shows too. */
interface TermsText {
  readonly paymentId: string | null;
  readonly operator: string | null;
  readonly recipient: string | null;
  readonly amount: string | null;
  readonly asset: string | null;
  readonly protectionPeriod: string | null;
  readonly arbiter: string | null;
  readonly business: { readonly name: string | null; readonly domain: string | null };
}

interface Compared {
  readonly payment: ShownPayment;
  readonly operator: string;
  /** True if the text was kept for the order that the payment is bound to. */
  readonly termsKnown: boolean;
  /** The number of a payment that is bound to no order. */
  readonly paymentId: string | null;
}

/**
 * Compares a payment with the text behind the hash that it names. Anybody can name any text in a payment of their own, so
 * the text's business counts only for the order and the recipient that the text names.
 */
export function compareTerms(text: string | null, { payment, operator, termsKnown, paymentId }: Compared): NamedTerms {
  if (payment.termsHash === null) return { verdict: "none", business: null };
  if (text === null || createHash("sha256").update(text, "utf8").digest("hex") !== payment.termsHash)
    return { verdict: "unknown", business: null };
  const terms = JSON.parse(text) as TermsText;
  const isOfOrder = termsKnown || (paymentId !== null && terms.paymentId === paymentId);
  const isOfShop = isOfOrder && terms.recipient === payment.recipient && terms.operator === operator;
  const matches =
    isOfShop &&
    terms.amount === payment.amount &&
    terms.asset === payment.asset &&
    terms.protectionPeriod === payment.protectionPeriod &&
    (terms.arbiter === null || terms.arbiter === payment.arbiter);
  const { name, domain } = terms.business;
  return { verdict: matches ? "matches" : "differs", business: isOfShop && name !== null ? { name, domain } : null };
}
