import { randomBytes } from "node:crypto";
import { addressOfKey } from "../../../domain/addresses.ts";
import type { Tenant } from "../../../domain/callers.ts";
import type { Database } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { draftCreation, insertIntents } from "../../intents/createIntent.ts";
import type { Intent, NewIntent } from "../../intents/intent.ts";
import type { Payment } from "../../payments/payment.ts";

/** A random address. */
export const someAddress = (): string => addressOfKey(randomBytes(64));

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** A random signature. */
export function someSignature(): string {
  // The first byte is not 0, which base58 would encode differently.
  let left = BigInt(`0xff${randomBytes(63).toString("hex")}`);
  let text = "";
  for (; left > 0n; left /= 58n) text = ALPHABET[Number(left % 58n)]! + text;
  return text;
}

const SETTINGS = { checkoutUrl: "https://pay.shop.example", lifetimeMs: 3_600_000 };
let drafted = 0;

/** Intents with their events, as the merchant API creates them, by one statement. */
export async function insertOrders(
  database: Database,
  tenant: Tenant,
  orders: readonly Partial<NewIntent>[],
): Promise<readonly { readonly intent: Intent; readonly eventId: string }[]> {
  const creations = orders.map((terms) =>
    draftCreation(
      SETTINGS,
      tenant,
      {
        recipient: someAddress(),
        amount: "5000000",
        asset: someAddress(),
        protectionPeriod: "oneDay",
        merchantReference: `order-${++drafted}`,
        metadata: "{}",
        description: null,
        returnUrl: null,
        locale: null,
        price: null,
        quote: null,
        sealedEmail: null,
        ...terms,
      },
      new Date(),
      null,
    ),
  );
  const outcomes = await insertIntents(database, creations);
  if (outcomes.some(({ made }) => !made)) throw new Error("An intent was not created.");
  return creations.map(({ intent, event }) => ({ intent, eventId: event.id }));
}

export async function insertIntent(
  database: Database,
  tenant: Tenant,
  terms: Partial<NewIntent> = {},
): Promise<{ readonly intent: Intent; readonly eventId: string }> {
  const [inserted] = await insertOrders(database, tenant, [terms]);
  return inserted!;
}

/** Inserts the row of a protected payment of the intent, without its changes and events. Returns the address. */
export async function insertPayment(
  database: Database,
  intent: Intent,
  signature: string | null = null,
  role: Payment["role"] = "primary",
): Promise<string> {
  const address = someAddress();
  await database.rows(sql`
    insert into payments (business_id, address, environment, intent_id, generation, recorded_sequence, role, status, sender,
      recipient, amount, asset, protection_period, merchant_reference, signature, created_at, protection_deadline, checked_at,
      observed_slot, finalized, settleable_event_sent, refund_total, amount_refunded, amount_released, arbiter)
    values (${intent.businessId}, ${address}, ${intent.environment}, ${intent.id}, 1,
      (select count(*) + 1 from payments where business_id = ${intent.businessId}), ${role}, 'protected', ${someAddress()},
      ${intent.recipient}, ${intent.amount}::numeric, ${intent.asset}, ${intent.protectionPeriod}, ${intent.merchantReference},
      ${signature}, now(), now() + interval '1 day', now(), 1, true, false, 0, 0, 0, ${someAddress()})`);
  return address;
}
