import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { act, advance, newBuyer, pay, payInVain, rpc } from "../harness/chain.ts";
import { awaitPaid, checkSequences, expectEvents } from "../harness/expectEvents.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import { openServiceDatabase } from "./serviceDatabase.ts";

// These facts are shown to no caller: payments that match no intent, and whether a recorded payment is final.
let service: RunningService;
let database: Database;
let shop: Merchant;
before(async () => {
  service = await standingService();
  database = await openServiceDatabase(service);
  shop = await newMerchant(service);
});
after(() => database?.close());

const BOUND = ["payment_intent.created", "payment.protected", "payment_intent.paid"] as const;
/** The keeper waits this long after a payment's deadline: the chain's clock may be behind ours. */
const KEEPER_WAITS_SECONDS = 4;

/** Resolves once the sweep has worked off everything up to this slot, with any result. */
const awaitRead = (slot: number | null) =>
  eventually(`the sweep has read slot ${slot}`, () =>
    database.row(sql`
      select 1 from chains c where environment = 'test' and cursor_slot >= ${slot}::bigint
        and not exists (select from chain_inbox i where i.environment = c.environment and not processed and slot <= ${slot}::bigint)`),
  );

const unmatched = (intent: Wire) =>
  database.rows<{ address: string; reason: string; amount: string }>(
    sql`select address, reason, amount from unmatched_payments where payment_id = ${intent.paymentId}::numeric`,
  );

test("§1.2 a failed transaction binds nothing, though it names the operator", async () => {
  const intent = await shop.create();
  await awaitRead((await payInVain(service, intent)).slot);
  assert.equal((await shop.intent(intent.id)).status, "requires_payment");
  assert.deepEqual(await unmatched(intent), []);
});

test("§6.5.2 a payment of the wrong terms binds nothing; its event says what differs and what was paid", async () => {
  const EURC = "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr";
  const buyer = await newBuyer(service, EURC);
  for (const [changed, mismatch] of [
    [{ recipient: service.wallets.authority.address }, ["recipient"]],
    [{ amount: "4999999" }, ["amount"]],
    [{ asset: EURC, buyer }, ["asset"]],
    [{ protectionPeriod: "thirtyDays" }, ["protectionPeriod"]],
  ] as const) {
    const intent = await shop.create();
    const done = await pay(service, intent, changed);
    const [, mismatchEvent] = await expectEvents(shop, intent.id, [
      "payment_intent.created",
      "payment_intent.payment_mismatch",
    ]);
    assert.deepEqual(mismatchEvent.data.mismatch, mismatch);
    const { buyerEmail: _, ...told } = intent;
    assert.deepEqual(mismatchEvent.data.object, told, "the intent is as it was");
    const { amount, asset, recipient, protectionPeriod } = { ...intent, ...changed } as Wire;
    assert.deepEqual(mismatchEvent.data.observed, {
      payment: done.payment,
      sender: done.sender,
      recipient,
      amount,
      asset,
      protectionPeriod,
      signature: done.signature,
    });
    assert.equal((await shop.intent(intent.id)).status, "requires_payment");
    const [kept] = await eventually("the payment is kept", async () => {
      const rows = await unmatched(intent);
      return rows.length > 0 && rows;
    });
    assert.deepEqual([kept!.address, kept!.reason, kept!.amount], [done.payment, "terms_differ", amount]);
  }
});

test("§6.5.2 an intent has at most three mismatch events, and can still be paid", async () => {
  const intent = await shop.create();
  const buyers = await Promise.all(Array.from({ length: 5 }, () => newBuyer(service)));
  for (const buyer of buyers) await awaitRead((await pay(service, intent, { buyer, amount: "1" })).slot);
  await eventually("all are kept", async () => (await unmatched(intent)).length === buyers.length);
  await pay(service, intent);
  const three = Array<string>(3).fill("payment_intent.payment_mismatch");
  const events = await expectEvents(shop, intent.id, [
    "payment_intent.created",
    ...three,
    "payment.protected",
    "payment_intent.paid",
  ]);
  const senders = events.slice(1, 4).map((event) => event.data.observed.sender);
  assert.equal(new Set(senders).size, 3, "one a sender");
});

test("§4.5.10 a payment bound at confirmed is read again at finalized, without an event", async () => {
  const intent = await shop.create();
  await rpc(service, "devnet_freeze_finality", { on: true });
  const { payment } = await pay(service, intent);
  await awaitPaid(shop, intent.id);
  const isFinal = async () =>
    (await database.row<{ finalized: boolean }>(sql`select finalized from payments where address = ${payment}`))
      ?.finalized;
  assert.equal(await isFinal(), false);
  await rpc(service, "devnet_freeze_finality", { on: false });
  await eventually("it is known to be final", isFinal);
  await expectEvents(shop, intent.id, BOUND);
});

const kept = (address: string) =>
  database.row<{ status: string; reason: string; settled_at: Date | null; disputed_at: Date | null }>(
    sql`select status, reason, settled_at, disputed_at from unmatched_payments where address = ${address}`,
  );
const awaitKept = (address: string, status: string) =>
  eventually(`the unmatched payment is ${status}`, async () => {
    const row = await kept(address);
    return row?.status === status && row;
  });

test("payments that match no intent are kept, followed and settled like any other", async () => {
  const intent = await shop.create({ protectionPeriod: "oneHour" });
  const wrong = await pay(service, intent, { amount: "1", buyer: await newBuyer(service) });
  assert.equal((await awaitKept(wrong.payment, "protected")).reason, "terms_differ");
  const buyer = await newBuyer(service);
  const unknown = await pay(service, intent, { paymentId: "18446744073709551615", buyer });
  assert.equal((await awaitKept(unknown.payment, "protected")).reason, "unknown_payment_id");
  const argued = await pay(service, intent, { paymentId: "9223372036854775808", buyer });
  await awaitKept(argued.payment, "protected");
  assert.deepEqual((await shop.get(`/payments/${wrong.payment}`)).status, 404, "what is not bound is not shown");

  await act(service, buyer, "dispute", argued.payment);
  await awaitKept(argued.payment, "disputed");
  await advance(service, 3_600 + KEEPER_WAITS_SECONDS);
  for (const { payment } of [wrong, unknown]) assert.notEqual((await awaitKept(payment, "released")).settled_at, null);
  await act(service, service.wallets.arbiter, "resolve_refund", argued.payment);
  const refunded = await awaitKept(argued.payment, "refunded");
  assert.ok(refunded.disputed_at !== null && refunded.settled_at === null);
  await expectEvents(shop, intent.id, ["payment_intent.created", "payment_intent.payment_mismatch"]);
  await checkSequences(shop);
});
