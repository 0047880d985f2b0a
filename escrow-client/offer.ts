import { parseSignedJws } from "./jws.ts";
import { sha256Of } from "./terms.ts";

/**
 * The offer of a server that sells by x402, as it signs it: the payload of the extension `offer-receipt`, and the promise of
 * the resource. The terms text of a payment names the SHA-256 of its JWS.
 */
export interface SignedOffer {
  readonly version: 1;
  readonly resourceUrl: string;
  readonly description: string;
  readonly mimeType: string;
  readonly scheme: string;
  /** CAIP-2. */
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  /** Digits, in the token's smallest unit. */
  readonly amount: string;
  /** Unix seconds. */
  readonly validUntil: number;
}

/** The delivery of such a server, as it signs it: the receipt of the same extension, with the offer and the answer's hash. */
export interface SignedDelivery {
  readonly version: 1;
  readonly network: string;
  readonly resourceUrl: string;
  readonly payer: string;
  /** Unix seconds. */
  readonly issuedAt: number;
  /** The signature of the paying transaction. */
  readonly transaction: string;
  /** The address of the payment's account. */
  readonly payment: string;
  /** The JWS of the offer. */
  readonly offer: string;
  /** SHA-256 of the answer's bytes, in hex digits. */
  readonly answer: string;
}

/** A JWS whose signature holds, with its payload. */
export interface Signed<Payload> {
  readonly kid: string;
  readonly payload: Payload;
  /** SHA-256 of the JWS. */
  readonly hash: string;
}

type Form<Payload> = { readonly [Name in keyof Payload]: "string" | "number" };
const OFFER: Form<SignedOffer> = {
  ...{ version: "number", resourceUrl: "string", description: "string", mimeType: "string", scheme: "string" },
  ...{ network: "string", asset: "string", payTo: "string", amount: "string", validUntil: "number" },
};
const DELIVERY: Form<SignedDelivery> = {
  ...{ version: "number", network: "string", resourceUrl: "string", payer: "string", issuedAt: "number" },
  ...{ transaction: "string", payment: "string", offer: "string", answer: "string" },
};

async function parse<Payload>(jws: string, form: Form<Payload>): Promise<Signed<Payload> | null> {
  const signed = await parseSignedJws(jws);
  if (signed === null) return null;
  const { kid, payload } = signed;
  const names = Object.keys(form);
  const hasForm =
    Object.keys(payload).length === names.length &&
    names.every((name) => Object.hasOwn(payload, name) && typeof payload[name] === form[name as keyof Payload]);
  return hasForm && payload.version === 1 ? { kid, payload: payload as Payload, hash: await sha256Of(jws) } : null;
}

/** Parses a signed offer; null if it has another form, or its signature does not hold. */
export const parseOffer = (jws: string): Promise<Signed<SignedOffer> | null> => parse(jws, OFFER);

const SHA256 = /^[0-9a-f]{64}$/;

/** Parses a signed delivery with its offer; null unless one key signed both, for the same resource and network. */
export async function parseDelivery(
  jws: string,
): Promise<{ readonly delivery: Signed<SignedDelivery>; readonly offer: Signed<SignedOffer> } | null> {
  const delivery = await parse(jws, DELIVERY);
  const offer = delivery === null ? null : await parseOffer(delivery.payload.offer);
  if (delivery === null || offer === null || !SHA256.test(delivery.payload.answer)) return null;
  const isOne = (["resourceUrl", "network"] as const).every((name) => delivery.payload[name] === offer.payload[name]);
  return isOne && delivery.kid === offer.kid ? { delivery, offer } : null;
}
