const SUFFIX = "[0-9a-f]{32}";
const START = "(test|live)_[0-9a-z]{4}";
/** The forms of ids. An address may be a payment's or another account's. */
const FORMS = {
  payment_intent: new RegExp(`^pi_${START}${SUFFIX}$`),
  event: new RegExp(`^evt_${START}${SUFFIX}$`),
  webhook_endpoint: new RegExp(`^we_${START}${SUFFIX}$`),
  webhook_delivery: new RegExp(`^del_${START}${SUFFIX}${SUFFIX}$`),
  request: new RegExp(`^req_${SUFFIX}$`),
  api_key: new RegExp(`^key_${START}${SUFFIX}$`),
  payment: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  transaction: /^[1-9A-HJ-NP-Za-km-z]{64,88}$/,
} as const;
export type Kind = keyof typeof FORMS;

/** The kind of an id's object, by the form of the id alone; null if it has no page. */
export const kindOf = (id: string): Kind | null =>
  (Object.keys(FORMS) as Kind[]).find((kind) => FORMS[kind].test(id)) ?? null;
