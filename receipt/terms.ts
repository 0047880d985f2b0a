import { compare, type Difference, FORM, hashText, hexOf, isObject, type Receipt, show } from "./receipt.ts";

type Named = Pick<Receipt["payment"], (typeof FIELDS)[number]>;
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
    .flatMap(([name, path, value]) => compare(value, terms[name], "the terms", path));

export async function checkTerms({ payment, chain, terms }: Receipt): Promise<Difference[]> {
  if (terms === null) return [];
  const { text, fields } = terms;
  const differences: Difference[] = [];
  if (text !== null) {
    const hash = hexOf(await hashText(text));
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
