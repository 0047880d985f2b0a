const SUFFIX = "[0-9a-f]{32}";
/** What an id says of itself. An address may be a payment's, or anybody's. */
const FORMS = {
  payment_intent: new RegExp(`^pi_(test|live)_${SUFFIX}$`),
  event: new RegExp(`^evt_(test|live)_${SUFFIX}$`),
  webhook_endpoint: new RegExp(`^we_${SUFFIX}$`),
  webhook_delivery: /^del_[0-9a-f]{64}$/,
  request: new RegExp(`^req_${SUFFIX}$`),
  api_key: new RegExp(`^key_${SUFFIX}$`),
  payment: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  transaction: /^[1-9A-HJ-NP-Za-km-z]{64,88}$/,
} as const;
export type Kind = keyof typeof FORMS;

/** What the id is of, by its form alone; null: of nothing that has a page. */
export const kindOf = (id: string): Kind | null =>
  (Object.keys(FORMS) as Kind[]).find((kind) => FORMS[kind].test(id)) ?? null;
