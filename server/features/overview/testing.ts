import { readFileSync } from "node:fs";
import type { ChainPayment } from "../../chain/port.ts";
import { PROTECTION_SECONDS } from "../../domain/terms.ts";
import type { Database } from "../../store/database.ts";
import type { Intent } from "../intents/intent.ts";
import { recordAccounts } from "../recording/decide/record.ts";
import { anObservedPayment, CHECKOUT_URL } from "../recording/fixtures.ts";
import { someAddress, someSignature } from "../staff/testing/objects.ts";

const MIGRATION = new URL("../../store/migrations/0014_payment_days.sql", import.meta.url);
const text = readFileSync(MIGRATION, "utf8");
const start = text.indexOf("insert into payment_days");

/** The statement with which the migration filled the table from the payments. */
export const FILL_DAYS = text.slice(start, text.indexOf(";", start));

/** Records the accounts of intents' payments as the sweep does: protected, but for the changes. Returns the addresses. */
export async function recordPayments(
  database: Database,
  intents: readonly Intent[],
  changes: Partial<ChainPayment> = {},
): Promise<string[]> {
  const createdAt = changes.createdAt ?? new Date(Math.floor(Date.now() / 1_000) * 1_000);
  const accounts = intents.map((intent) => {
    const { recipient, amount, asset, protectionPeriod, paymentId } = intent;
    const terms = { recipient, amount, asset, protectionPeriod, paymentId };
    const deadline = new Date(createdAt.getTime() + PROTECTION_SECONDS[protectionPeriod] * 1_000);
    const sender = someAddress();
    const observed = anObservedPayment({
      address: someAddress(),
      sender,
      rentPayer: sender,
      arbiter: someAddress(),
      ...terms,
      createdAt,
      protectionDeadline: deadline,
      ...changes,
    });
    return { ...observed, signature: someSignature() };
  });
  const deps = { database, checkoutUrl: CHECKOUT_URL, log: () => undefined };
  if (intents[0] !== undefined) await recordAccounts(deps, intents[0].environment, accounts);
  return accounts.map(({ payment }) => payment.address);
}

export async function recordPayment(
  database: Database,
  intent: Intent,
  changes: Partial<ChainPayment> = {},
): Promise<string> {
  const [address] = await recordPayments(database, [intent], changes);
  return address!;
}
