import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { draftPayment } from "@holdfast/devnet/buyer.ts";
import { sendWire } from "@holdfast/devnet/client.ts";
import { act, newBuyer, pay, replaceArbiter, ruleAs, vaultBalance } from "../harness/chain.ts";
import { awaitPaid, awaitPayment, checkSequences, expectEvents } from "../harness/expectEvents.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

let service: Service;
let shop: Merchant;
before(async () => {
  service = await startService();
  shop = await newMerchant(service);
});
after(() => service?.remove());

const PAID = ["payment_intent.created", "payment.protected", "payment_intent.paid"] as const;

async function paidIntent(): Promise<{ intent: Wire; payment: Wire }> {
  const created = await shop.create();
  await pay(service, created);
  const intent = await awaitPaid(shop, created.id);
  return { intent, payment: intent.payment };
}

const actionsOf = async (id: string): Promise<string[]> =>
  (await shop.payment(id)).nextActions.map(({ action, by }: Wire) => `${action} by ${by}`);

test("§2.2 a payment keeps the arbiter it was made with: the new one cannot rule on it, the old one splits it", async () => {
  const { intent, payment } = await paidIntent();
  const old = service.wallets.arbiter;
  assert.equal(payment.arbiter, old.address);
  const next = await newBuyer(service);
  await replaceArbiter(service, next);
  await act(service, service.wallets["buyer-1"], "dispute", payment.id);
  await awaitPayment(shop, payment.id, "disputed");
  assert.deepEqual(await actionsOf(payment.id), ["release by sender", "refund by recipient", "resolve by arbiter"]);
  await assert.rejects(ruleAs(service, next, payment, 5_000_000n), /wrong_arbiter/);
  assert.equal((await shop.payment(payment.id)).outcome, null);

  await act(service, old, "resolve_split", payment.id, { total: 2_000_000n });
  const ended = await awaitPayment(shop, payment.id, "released");
  assert.deepEqual(
    [ended.arbiter, ended.outcome, ended.amountReleased, ended.amountRefunded, ended.nextActions],
    [old.address, "resolved", "3000000", "2000000", []],
  );
  await expectEvents(shop, intent.id, [...PAID, "payment.disputed", "payment.released"]);
});

test("§2.2 an arbiter replaced while a buyer's transaction is on its way: it pays nothing, and a new one names the new arbiter", async () => {
  const intent = await shop.create();
  const buyer = service.wallets["buyer-2"];
  const next = await newBuyer(service);
  // Right before the change: its blockhash lives for a few seconds.
  const { wire, payment } = await draftPayment(service, buyer, intent);
  await replaceArbiter(service, next);
  await assert.rejects(sendWire(service.rpcUrl, wire), /arbiter_changed/);
  assert.equal((await shop.intent(intent.id)).status, "requires_payment");
  assert.equal((await shop.get(`/payments/${payment}`)).status, 404);

  await pay(service, intent, { buyer });
  const paid = await awaitPaid(shop, intent.id);
  assert.equal(paid.payment.arbiter, next.address);
  await expectEvents(shop, intent.id, PAID);
  await act(service, buyer, "dispute", paid.payment.id);
  await act(service, next, "resolve_refund", paid.payment.id);
  assert.equal((await awaitPayment(shop, paid.payment.id, "refunded")).amountRefunded, intent.amount);
});

test("§3.2.7 what the books hold back is what the vaults hold, payment by payment, in every kind of outcome", async () => {
  const { "buyer-1": buyer, recipient } = service.wallets;
  const arbiter = await newBuyer(service);
  await replaceArbiter(service, arbiter);
  const made = [];
  for (let number = 0; number < 6; number++) made.push(await paidIntent());
  const [, partly, disputed, split, agreed, released] = made.map(({ payment }) => payment);
  for (const total of [1_000_000n, 1_500_000n]) {
    await act(service, recipient, "refund", partly.id, { total });
    await eventually(`${total} went back`, async () => (await shop.payment(partly.id)).amountRefunded === `${total}`);
  }
  for (const one of [disputed, split]) await act(service, buyer, "dispute", one.id);
  await act(service, recipient, "refund", disputed.id, { total: 700_000n });
  await act(service, arbiter, "resolve_split", split.id, { total: 2_000_000n, decideOnly: true });
  await act(service, recipient, "refund", agreed.id, { total: 3_000_000n });
  for (const one of [agreed, released]) await act(service, buyer, "release", one.id);
  for (const one of [split, agreed, released]) await awaitPayment(shop, one.id, "released");
  await eventually("the part given back in the dispute left", async () => {
    const { amountRefunded } = await shop.payment(disputed.id);
    return amountRefunded === "700000";
  });

  const payments = await shop.walk("/payments", 100);
  const kept = (payment: Wire): bigint =>
    BigInt(payment.amount) - BigInt(payment.amountReleased) - BigInt(payment.amountRefunded);
  for (const payment of payments) assert.equal(await vaultBalance(service, payment), kept(payment), payment.id);
  const mine = new Set(made.map(({ payment }) => payment.id));
  const held = payments.filter(({ id, status }) => mine.has(id) && (status === "protected" || status === "disputed"));
  assert.equal(
    held.reduce((sum, payment) => sum + kept(payment), 0n),
    5_000_000n + 3_500_000n + 4_300_000n,
  );
  await expectEvents(shop, made[1]!.intent.id, [...PAID, "payment.partially_refunded", "payment.partially_refunded"]);
  await checkSequences(shop);
});
