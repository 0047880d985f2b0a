import { parseDelivery, parseOffer, type SignedDelivery, type SignedOffer, sha256Of } from "@holdfast/escrow-client";
import { compare, type Difference, type Receipt, show } from "./receipt.ts";
import { parseTerms } from "./terms.ts";

/** The evidence of a sale by x402: the server's signed offer, or its signed delivery, which holds the offer. */
export interface Evidence {
  /** A compact JWS. */
  readonly jws: string;
  /** The bytes of the answer, to compare with the delivery's; null: they are not at hand. */
  readonly answer: Uint8Array<ArrayBuffer> | null;
}

/** The evidence of a verdict without differences: one key signed it all, and the payment's terms name the offer. */
export interface CheckedEvidence {
  readonly offer: SignedOffer;
  /** It is null where the evidence is the offer alone. */
  readonly delivery: Omit<SignedDelivery, "offer"> | null;
  /** The answer's bytes have the hash of the delivery; false: they were not compared. */
  readonly isAnswerCompared: boolean;
}

/** Reads the JWS of a file: it stands there alone, or as the `delivery` or `offer` of a JSON object. Null: there is none. */
export function readEvidence(text: string): string | null {
  const line = text.trim();
  if (!line.startsWith("{")) return line;
  const { delivery, offer } = parseTerms(line) ?? {};
  const found = delivery ?? offer;
  return typeof found === "string" ? found : null;
}

const SIGNED = "signed offers and deliveries of version 1";

/** Compares offer and delivery with the payment. Only a receipt with its terms text can show that the payer named the offer. */
export async function checkEvidence(
  { payment, chain, terms, transactions }: Receipt,
  { jws, answer }: Evidence,
): Promise<{ readonly differences: readonly Difference[]; readonly checked: CheckedEvidence | null }> {
  const both = await parseDelivery(jws);
  const offer = both?.offer ?? (await parseOffer(jws));
  if (offer === null)
    return {
      differences: [{ field: "evidence", receipt: show(jws), found: "a JWS that its key signed", where: SIGNED }],
      checked: null,
    };
  // Whoever reads the text knows its hash; fields alone have none.
  const named = terms === null || terms.text === null ? undefined : parseTerms(terms.text)?.offer;
  const { asset, amount, recipient: payTo } = payment;
  const own = { scheme: "protected", network: `solana:${chain.genesisHash.slice(0, 32)}`, asset, payTo, amount };
  const said = Object.fromEntries(Object.keys(own).map((name) => [name, offer.payload[name as keyof typeof own]]));
  const differences = [
    ...compare(named, offer.hash, "the signed offer", "terms.offer"),
    ...compare(own, said, "the signed offer", "offer"),
  ];
  const checked = { offer: offer.payload, delivery: null, isAnswerCompared: answer !== null };
  if (both === null) {
    if (answer !== null)
      differences.push({ field: "evidence.answer", receipt: "no hash", found: "an answer", where: "the file" });
    return { differences, checked };
  }
  const { offer: _, ...delivery } = both.delivery.payload;
  const where = "the signed delivery";
  const created = transactions.find(({ kind }) => kind === "created")?.signature;
  differences.push(
    ...compare(payment.address, delivery.payment, where, "payment.address"),
    ...compare(payment.sender, delivery.payer, where, "payment.sender"),
    ...(created === undefined ? [] : compare(created, delivery.transaction, where, "transactions.created")),
    ...(answer === null
      ? []
      : compare(delivery.answer, await sha256Of(answer), "the answer's bytes", "evidence.answer")),
  );
  return { differences, checked: { ...checked, delivery } };
}

/** Returns sentences that say what the evidence shows. */
export function describeEvidence({ offer, delivery, isAnswerCompared }: CheckedEvidence): string[] {
  const promised = offer.description === "" ? "" : `: ${offer.description}`;
  return [
    `The payment's terms name the signed offer of ${offer.resourceUrl}${promised}`,
    delivery === null
      ? "There is no signed delivery."
      : `The key of the offer signed a delivery at ${new Date(delivery.issuedAt * 1_000).toISOString()}; SHA-256 of the answer: ${delivery.answer}.`,
    ...(delivery === null ? [] : [isAnswerCompared ? "The answer has this hash." : "No answer was compared with it."]),
  ];
}
