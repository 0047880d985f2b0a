import { createHash, createHmac, randomBytes } from "node:crypto";
import { hashTerms, type Period, type Terms, TOKEN_PROGRAM_ID, termsText } from "@holdfast/escrow-client";
import { type Address, getPublicKeyFromAddress, getTransactionDecoder, verifySignature } from "@solana/kit";
import type { PaymentRequirements } from "./protocol.ts";

export interface ProtectedServerOptions {
  /** A key of the scope `full`, from the environment of the payments. Its own: payers use up its rate. */
  readonly apiKey: string;
  /** The API's address, with `/api/v1`. */
  readonly apiUrl: string;
  /** The time in which a payer may dispute. */
  readonly protectionPeriod: Period;
  /** The seconds that an offer lasts; default 600. */
  readonly lifetimeSeconds?: number;
  /** The program of the tokens; default SPL Token. */
  readonly tokenProgram?: string;
}

interface SupportedKind {
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** The parts of an event that hooks read. */
interface Settling {
  readonly paymentPayload: {
    readonly accepted: { readonly extra: Readonly<Record<string, unknown>> };
    readonly payload: Readonly<Record<string, unknown>>;
  };
}

type Price = string | number | { readonly asset: string; readonly amount: string };

/** Payments that this process remembers to serve, by the terms text, which no payer can change. */
const SERVED_MAX = 100_000;
const nameOf = ({ paymentPayload }: Settling): string => String(paymentPayload.accepted.extra.terms);
const BITS_63 = (1n << 63n) - 1n;
/** The service settles a payment again for so long after the end of its offer. */
const REPEAT_MS = 600_000;

/**
 * The server of the scheme `protected` for an `x402ResourceServer`. Each 402 has a paymentId of its own, by which the
 * service knows that this server made the offer: nothing is asked or stored for it.
 */
export class ProtectedServer {
  readonly scheme = "protected";
  readonly defaultAssetTransferMethod = "default";
  readonly paymentFlows = { default: { supported: ["upfront"], default: "upfront" } } as const;
  readonly #options: ProtectedServerOptions;
  /** Members that differ in each 402. */
  readonly dynamicExtraFields = ["paymentId", "notAfter", "terms"];
  readonly schemeHooks;
  readonly #keyHash: Uint8Array;
  /** True once a payment was settled, and its request goes on to the handler. */
  readonly #served = new Map<string, boolean>();

  constructor(options: ProtectedServerOptions) {
    this.#options = options;
    this.#keyHash = createHash("sha256").update(options.apiKey).digest();
    const forget = async (settling: Settling): Promise<undefined> => {
      this.#served.delete(nameOf(settling));
    };
    this.schemeHooks = {
      // What no payer of an offer would send costs no request under the key. The service gives every repeat the same
      // answer; a request is served for the first of them.
      onBeforeSettle: async (settling: Settling): Promise<undefined | { abort: true; reason: string }> => {
        const fault = await this.#faultOf(settling).catch(() => "invalid_payload: it cannot be read");
        if (fault !== null) return { abort: true, reason: fault };
        const isSettled = this.#served.get(nameOf(settling));
        // Who asks again too early has to ask once more, with the same payment.
        if (isSettled !== undefined)
          return { abort: true, reason: isSettled ? "already_served" : "settlement_pending" };
        if (this.#served.size >= SERVED_MAX) this.#served.delete(this.#served.keys().next().value!);
        this.#served.set(nameOf(settling), false);
        return undefined;
      },
      onAfterSettle: async (settling: Settling): Promise<undefined> => {
        this.#served.set(nameOf(settling), true);
      },
      onSettleFailure: forget,
      // The handler failed after the payment: the same request may be sent again.
      onVerifiedPaymentCanceled: forget,
    };
  }

  /** The settings of a `HTTPFacilitatorClient`: the service checks and settles, under the merchant's key. */
  get facilitator() {
    const { apiKey, apiUrl } = this.#options;
    const headers = { Authorization: `Bearer ${apiKey}` };
    return {
      url: `${apiUrl}/x402`,
      createAuthHeaders: async () => ({ supported: headers, verify: headers, settle: headers }),
    };
  }

  /** A price is an amount in a token's smallest unit: which token stands for a dollar is not decided here. */
  async parsePrice(price: Price): Promise<{ asset: string; amount: string }> {
    if (typeof price !== "object") throw new TypeError("A protected price is { asset, amount }.");
    return { asset: price.asset, amount: price.amount };
  }

  async enhancePaymentRequirements<Wanted extends PaymentRequirements>(
    requirements: Wanted,
    { extra = {} }: SupportedKind,
  ): Promise<Wanted> {
    const { protectionPeriod, tokenProgram = TOKEN_PROGRAM_ID } = this.#options;
    const own = { tokenProgram, protectionPeriod, atDeadline: "recipient" };
    return { ...requirements, extra: { ...requirements.extra, ...extra, ...own } };
  }

  /** Makes the offers of one 402. */
  async enrichPaymentRequiredResponse<Wanted extends PaymentRequirements>({
    requirements,
  }: {
    readonly requirements: readonly Wanted[];
  }): Promise<Wanted[]> {
    return requirements.map((one) => (one.scheme === this.scheme ? this.#offer(one) : one));
  }

  #offer<Wanted extends PaymentRequirements>(requirements: Wanted): Wanted {
    const { lifetimeSeconds = 600, protectionPeriod } = this.#options;
    const { amount, asset, payTo, extra } = requirements;
    const notAfter = Math.floor(Date.now() / 1_000) + lifetimeSeconds;
    const terms: Terms = {
      v: 3,
      nonce: randomBytes(16).toString("base64url"),
      paymentId: null,
      operator: String(extra.operator),
      recipient: payTo,
      amount,
      asset,
      protectionPeriod,
      expiresAt: new Date(notAfter * 1_000).toISOString(),
      arbiter: String(extra.arbiter),
      business: { name: null, domain: null },
      refundPolicyHash: null,
      price: null,
      quote: null,
      offer: null,
    };
    const paymentId = this.#paymentIdOf(termsText(terms));
    return { ...requirements, extra: { ...extra, paymentId, notAfter, terms: termsText({ ...terms, paymentId }) } };
  }
  #paymentIdOf(text: string): string {
    const mac = createHmac("sha256", this.#keyHash).update(text).digest();
    return String(mac.readBigUInt64BE(0) & BITS_63 || 1n);
  }

  /** Returns why a payment is none of an open offer of this server; null if it may be. Throws for a payload of another form. */
  async #faultOf({ paymentPayload: { accepted, payload } }: Settling): Promise<string | null> {
    const text = String(accepted.extra.terms);
    const terms = JSON.parse(text) as Terms;
    if (terms.paymentId !== this.#paymentIdOf(termsText({ ...terms, paymentId: null })) || termsText(terms) !== text)
      return "invalid_payload: it has an offer of another key";
    if (Date.now() > Date.parse(String(terms.expiresAt)) + REPEAT_MS) return "expired: the offer has ended";
    const { messageBytes, signatures } = getTransactionDecoder().decode(
      Buffer.from(String(payload.transaction), "base64"),
    );
    if (!Buffer.from(messageBytes).includes(Buffer.from(await hashTerms(terms), "hex")))
      return "invalid_transaction: it does not name the terms of the offer";
    for (const [address, signature] of Object.entries(signatures)) {
      const key = await getPublicKeyFromAddress(address as Address);
      if (signature === null || !(await verifySignature(key, signature, messageBytes)))
        return "invalid_transaction: a signature is wrong";
    }
    return null;
  }
}
