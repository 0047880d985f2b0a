import { createHash, createHmac, randomBytes } from "node:crypto";
import {
  hashTerms,
  type Period,
  parseOffer,
  type SignedDelivery,
  type SignedOffer,
  sha256Of,
  signJws,
  type Terms,
  termsText,
} from "@holdfast/escrow-client";
import { type Address, getPublicKeyFromAddress, getTransactionDecoder, verifySignature } from "@solana/kit";
import { type PaymentRequirements, REPEAT_MS, type ResourceInfo } from "./protocol.ts";

const BITS_63 = (1n << 63n) - 1n;

/** With such an offer a signed delivery fits in a header and a fulfillment. */
const OFFER_CHARACTERS_MAX = 3_000;

export interface OffersOptions {
  readonly apiKey: string;
  readonly protectionPeriod: Period;
  readonly lifetimeSeconds: number;
}

/** Makes the offers of a server, and recognizes them: each is bound to the API key, so that none has to be stored. */
export class Offers {
  readonly #options: OffersOptions;
  /** The service knows it too. */
  readonly #keyHash: Uint8Array;
  /** It is made from the API key, of which the service keeps the hash alone: what it keeps signs nothing for the server. */
  readonly #secret: Uint8Array;

  constructor(options: OffersOptions) {
    this.#options = options;
    this.#keyHash = createHash("sha256").update(options.apiKey).digest();
    this.#secret = createHmac("sha256", options.apiKey).update("x402 offers and deliveries").digest();
  }

  /** Makes the offer of one 402: its terms text names the signed offer of the resource. */
  async make<Wanted extends PaymentRequirements>(
    requirements: Wanted,
    resource: ResourceInfo,
    nonce = randomBytes(16).toString("base64url"),
    now = Date.now(),
  ): Promise<Wanted> {
    const { lifetimeSeconds, protectionPeriod } = this.#options;
    const { scheme, network, amount, asset, payTo, extra } = requirements;
    const notAfter = Math.floor(now / 1_000) + lifetimeSeconds;
    const { url: resourceUrl, description = "", mimeType = "" } = resource;
    const signed: SignedOffer = {
      ...{ version: 1, resourceUrl, description, mimeType, scheme, network, asset, payTo, amount },
      validUntil: notAfter,
    };
    const offer = await signJws(signed, this.#secret);
    if (offer.length > OFFER_CHARACTERS_MAX)
      throw new RangeError(
        `The offer of ${resourceUrl.slice(0, 200)} has ${offer.length} characters, and ${OFFER_CHARACTERS_MAX} can be signed: shorten the route's description, or set its resource to a shorter address.`,
      );
    const terms: Terms = {
      v: 3,
      nonce,
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
      offer: await sha256Of(offer),
    };
    const paymentId = this.#paymentIdOf(termsText(terms));
    const own = { paymentId, notAfter, offer, terms: termsText({ ...terms, paymentId }) };
    return { ...requirements, extra: { ...extra, ...own } };
  }

  #paymentIdOf(text: string): string {
    const mac = createHmac("sha256", this.#keyHash).update(text).digest();
    return String(mac.readBigUInt64BE(0) & BITS_63 || 1n);
  }

  /** Signs what was delivered for an offer of this server. */
  async signDelivery(
    offer: string,
    facts: Pick<SignedDelivery, "payer" | "issuedAt" | "transaction" | "payment" | "answer">,
  ): Promise<string> {
    const { network, resourceUrl } = (await parseOffer(offer))!.payload;
    const delivery: SignedDelivery = { version: 1, network, resourceUrl, offer, ...facts };
    return signJws(delivery, this.#secret);
  }

  /**
   * Returns why a payment is none of an open offer of this resource; null if it may be. Throws for a payment of another form.
   */
  async faultOf(
    { extra }: Pick<PaymentRequirements, "extra">,
    transaction: unknown,
    resource: ResourceInfo | undefined,
  ): Promise<string | null> {
    const text = String(extra.terms);
    const terms = JSON.parse(text) as Terms & { readonly v: 3 };
    if (terms.paymentId !== this.#paymentIdOf(termsText({ ...terms, paymentId: null })) || termsText(terms) !== text)
      return "invalid_payload: it has an offer of another key";
    if (Date.now() > Date.parse(String(terms.expiresAt)) + REPEAT_MS) return "expired: the offer has ended";
    const offer = await parseOffer(String(extra.offer));
    if (offer?.hash !== terms.offer) return "invalid_payload: it has another offer than its terms name";
    if (offer?.payload.resourceUrl !== resource?.url) return "mismatch: resource";
    const bytes = Buffer.from(String(transaction), "base64");
    const { messageBytes, signatures } = getTransactionDecoder().decode(bytes);
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
