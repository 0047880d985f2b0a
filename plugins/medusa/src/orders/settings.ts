import type { NewPaymentIntent } from "@holdfast/sdk";
import type { MedusaContainer } from "@medusajs/framework/types";
import { MedusaError } from "@medusajs/framework/utils";
import { HOLDFAST_MODULE } from "../modules/holdfast";
import type HoldfastModuleService from "../modules/holdfast/service";

/** The token that pays orders of a currency. */
export interface Token {
  readonly mint: string;
  /** `price`: the service makes the amount by its rate. `amount`: one unit of the currency is one token. */
  readonly amounts: "price" | "amount";
}

export interface Settings {
  readonly recipient: string | null;
  readonly protection_period: NewPaymentIntent["protectionPeriod"];
  readonly tokens: Readonly<Record<string, Token>>;
  readonly cursor: string;
}

const ID = "settings";
const PERIODS = ["oneHour", "oneDay", "threeDays", "sevenDays", "fourteenDays", "thirtyDays"] as const;
/** Each line is tried when it is saved. */
const TOKENS_MAX = 20;
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

const serviceOf = (container: MedusaContainer): HoldfastModuleService => container.resolve(HOLDFAST_MODULE);

export const readSettings = async (container: MedusaContainer): Promise<Settings> =>
  (await serviceOf(container).retrieveHoldfastSettings(ID)) as unknown as Settings;

export const saveCursor = async (container: MedusaContainer, cursor: string): Promise<void> =>
  void (await serviceOf(container).updateHoldfastSettings({ id: ID, cursor }));

const invalid = (message: string) => new MedusaError(MedusaError.Types.INVALID_DATA, message);

/** Reads what the staff sent. Throws if it is no settings. */
export function parseSettings(body: unknown): Omit<Settings, "cursor"> {
  const { recipient, protection_period, tokens } = Object(body) as Record<string, unknown>;
  if (typeof recipient !== "string" || !ADDRESS.test(recipient))
    throw invalid("recipient: expected a wallet's address.");
  const period = PERIODS.find((one) => one === protection_period);
  if (period === undefined) throw invalid(`protection_period: expected one of ${PERIODS.join(", ")}.`);
  const entries = Object.entries(Object(tokens) as Record<string, unknown>).map(([currency, token]) => {
    const { mint, amounts } = Object(token) as Record<string, unknown>;
    if (!/^[a-z]{3,5}$/.test(currency)) throw invalid("tokens: expected the codes of currencies in small letters.");
    if (typeof mint !== "string" || !ADDRESS.test(mint))
      throw invalid(`Line of ${currency}: expected the address of a mint after the currency.`);
    if (amounts !== "price" && amounts !== "amount")
      throw invalid(`Line of ${currency}: expected price or amount at its end.`);
    return [currency, { mint, amounts }] as const;
  });
  if (entries.length > TOKENS_MAX) throw invalid(`tokens: expected at most ${TOKENS_MAX} currencies.`);
  return { recipient, protection_period: period, tokens: Object.fromEntries(entries) };
}

export async function saveSettings(container: MedusaContainer, settings: Omit<Settings, "cursor">): Promise<void> {
  const { recipient, protection_period, tokens } = settings;
  const row = { id: ID, recipient, protection_period, tokens: { ...tokens } };
  await serviceOf(container).updateHoldfastSettings(row as never);
}
