import { sha256Of } from "@holdfast/escrow-client";
import { compare, type Difference, FORM, isObject, type Receipt, show } from "./receipt.ts";

type Named = Pick<Receipt["payment"], (typeof FIELDS)[number] | "decimals">;
/** The fields of a terms text that the payment has too. */
const FIELDS = ["paymentId", "recipient", "amount", "asset", "protectionPeriod", "arbiter"] as const;

/** The fields in which a payment is not on these terms. A member that is null was unknown when a buyer was shown them. */
export const compareTerms = (
  payment: Named,
  operator: string,
  terms: Readonly<Record<string, unknown>>,
): Difference[] =>
  [
    ...FIELDS.map((name) => [name, `payment.${name}`, payment[name]] as const),
    ["operator", "chain.operator", operator] as const,
  ]
    .filter(([name]) => terms[name] !== null && terms[name] !== undefined)
    .flatMap(([name, path, value]) => compare(value, terms[name], "the terms", path))
    .concat(comparePrice(payment, terms));

const PRICE_AMOUNT = /^\d{1,15}(?:\.\d{1,3})?$/;
const RATE = /^\d{1,60}(?:\.\d{1,60})?$/;

/** Terms with a price: their amount is price times rate, rounded up to the token's unit (§4.21). */
function comparePrice(
  { amount, decimals }: Pick<Named, "amount" | "decimals">,
  { price, quote }: Readonly<Record<string, unknown>>,
): Difference[] {
  if ((price === null || price === undefined) && (quote === null || quote === undefined)) return [];
  const [priced, rate] = [isObject(price) ? price.amount : null, isObject(quote) ? quote.rate : null];
  const isRead = typeof priced === "string" && PRICE_AMOUNT.test(priced) && typeof rate === "string" && RATE.test(rate);
  if (!isRead) return [{ field: "terms.price", receipt: show(price), found: "another form", where: "the terms" }];
  // Nobody knows the decimals of a token whose record was closed unread.
  if (decimals === null) return [];
  const [one, other] = [scaled(priced), scaled(rate)];
  const [over, under] = [one.units * other.units * 10n ** BigInt(decimals), 10n ** BigInt(one.places + other.places)];
  return compare(amount, String((over + under - 1n) / under), "price and rate of the terms", "payment.amount");
}

function scaled(decimal: string): { readonly units: bigint; readonly places: number } {
  const [whole = "", fraction = ""] = decimal.split(".");
  return { units: BigInt(whole + fraction), places: fraction.length };
}

export async function checkTerms({ payment, chain, terms }: Receipt): Promise<Difference[]> {
  if (terms === null) return [];
  const { text, fields } = terms;
  const differences: Difference[] = [];
  if (text !== null) {
    const hash = await sha256Of(text);
    differences.push(...compare(payment.termsHash, hash, "SHA-256 of the terms", "payment.termsHash"));
  }
  if ((text === null) === (fields === null))
    differences.push({ field: "terms", receipt: "text and fields", found: "one of them", where: FORM });
  const said = text === null ? fields : parseTerms(text);
  if (said === null) return [...differences, { field: "terms.text", receipt: show(text), found: "JSON", where: FORM }];
  return [...differences, ...compareTerms(payment, chain.operator, said)];
}

export function parseTerms(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
