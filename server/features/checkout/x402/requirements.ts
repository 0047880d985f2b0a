import type { SignedTransaction, TermsText } from "../../../chain/builder.ts";
import { isSignature } from "../../../domain/addresses.ts";
import { TERMS_NONCE } from "../../../domain/ids.ts";
import type { JsonText } from "../../../domain/show.ts";
import { mismatches, type Terms } from "../../../domain/terms.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import type { Reply } from "../../../edge/http/route.ts";
import { type Intent, x402UrlOf } from "../../intents/intent.ts";
import { type Payment, receiptUrlOf } from "../../payments/payment.ts";
import { ENGLISH } from "../languages/english.ts";
import { notAfterOf } from "../paying/build.ts";
import { describePayment } from "../paying/transactionRequest.ts";
import type { Order } from "./queries.ts";

/** The messages of the scheme `protected` of x402, version 2. */

export const VERSION = 2;
export const SCHEME = "protected";
/** Less than the life of a blockhash on the fastest chain. */
const TIMEOUT_SECONDS = 20;

/** CAIP-2: the first 32 characters of the genesis hash. */
export const networkOf = ({ genesisHash }: Pick<Order, "genesisHash">): string => `solana:${genesisHash.slice(0, 32)}`;

/** The offer of an order: the terms text says all that the payer agrees to. */
export function showPaymentRequired(
  order: Order,
  { arbiter, terms, error }: { readonly arbiter: string; readonly terms: TermsText; readonly error: string | null },
  checkoutUrl: string,
): Reply {
  const { intent, programId, operator, tokenProgram, now } = order;
  const body = JSON.stringify({
    x402Version: VERSION,
    ...(error === null ? {} : { error }),
    resource: {
      url: x402UrlOf(checkoutUrl, intent.id),
      description: describePayment(ENGLISH.page, order),
      mimeType: "application/json",
    },
    accepts: [
      {
        scheme: SCHEME,
        network: networkOf(order),
        amount: intent.amount,
        asset: intent.asset,
        payTo: intent.recipient,
        maxTimeoutSeconds: TIMEOUT_SECONDS,
        extra: {
          paymentFlow: "upfront",
          program: programId,
          operator,
          tokenProgram,
          arbiter,
          protectionPeriod: intent.protectionPeriod,
          atDeadline: "recipient",
          paymentId: intent.paymentId,
          notAfter: notAfterOf(intent.expiresAt, now).getTime() / 1_000,
          terms: terms.text,
        },
      },
    ],
  }) as JsonText;
  return { status: 402, body, headers: { "payment-required": encode(body) } };
}

/** The settled payment of an order: the same for every repeat of its request. */
export function showSettled(order: Order, payment: Payment, checkoutUrl: string): Reply {
  const body = JSON.stringify({
    success: true,
    payer: payment.sender,
    transaction: payment.signature,
    network: networkOf(order),
    amount: payment.amount,
    extra: {
      intent: order.intent.id,
      payment: payment.id,
      late: payment.lateReason !== null,
      protectionDeadline: payment.protectionDeadline.toISOString(),
      receiptUrl: receiptUrlOf(payment, checkoutUrl),
    },
  }) as JsonText;
  return { status: 200, body, headers: { "payment-response": encode(body) } };
}

const encode = (json: string): string => Buffer.from(json, "utf8").toString("base64");

/**
 * What a payer sends: a signed transaction with the nonce of the terms that it names, or, where a merchant's server made the
 * offer, with these terms; or the signature of one that was sent.
 */
export type Payload =
  | { readonly kind: "transaction"; readonly transaction: string; readonly nonce: string }
  | { readonly kind: "offered"; readonly transaction: string; readonly terms: TermsText }
  | { readonly kind: "signature"; readonly signature: string };

/** Parses the header PAYMENT-SIGNATURE. Throws `invalid_request`. */
export function parsePayload(header: string, order: Order): Payload {
  const { x402Version, accepted, payload } = membersOf(parseJson(Buffer.from(header, "base64").toString("utf8")));
  const { scheme, network, extra } = membersOf(accepted);
  if (x402Version !== VERSION || scheme !== SCHEME || network !== networkOf(order)) throw invalidPayload();
  const { transaction, signature } = membersOf(payload);
  if (typeof signature === "string" && isSignature(signature)) return { kind: "signature", signature };
  const { terms } = membersOf(extra);
  const { nonce } = membersOf(typeof terms === "string" ? parseJson(terms) : null);
  if (typeof transaction !== "string" || typeof nonce !== "string" || !TERMS_NONCE.test(nonce)) throw invalidPayload();
  return { kind: "transaction", transaction, nonce };
}

const invalidPayload = () => new BuyerError("invalid_request", (texts) => texts.x402.payload);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidPayload();
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw invalidPayload();
  return value as Readonly<Record<string, unknown>>;
}

/** Returns the fault of a signed transaction that is not the order's payment and nothing else; null without one. */
export function faultOf(
  { payments, isOnePayment }: SignedTransaction,
  { intent, now }: { readonly intent: Terms & Pick<Intent, "paymentId" | "expiresAt">; readonly now: Date },
  { arbiter, terms }: { readonly arbiter: string; readonly terms: TermsText },
): string | null {
  const [payment] = payments;
  if (payment === undefined || !isOnePayment)
    return "invalid_transaction: it is not exactly one payment of this program";
  const { notAfter } = payment;
  const differing = [
    ...mismatches(intent, payment),
    ...(payment.paymentId === intent.paymentId ? [] : ["paymentId"]),
    ...(payment.arbiter === arbiter ? [] : ["arbiter"]),
    ...(notAfter !== null && notAfter >= now && notAfter <= intent.expiresAt ? [] : ["notAfter"]),
  ];
  // Terms that changed change the text, too.
  if (differing.length === 0 && payment.termsHash !== terms.hash) differing.push("terms");
  return differing.length === 0 ? null : `mismatch: ${differing.join(", ")}`;
}
