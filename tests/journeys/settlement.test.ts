import assert from "node:assert/strict";
import { before, test } from "node:test";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { PERIOD_SECONDS, PERIODS, type Period } from "@holdfast/escrow-client";
import { act, advance, newBuyer, pay, requireMemos, rpc } from "../harness/chain.ts";
import { awaitPaid, awaitPayment, expectEvents } from "../harness/expectEvents.ts";
import { inForm } from "../harness/form.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await standingService();
  shop = await newMerchant(service);
});

const SETTLED = [
  "payment_intent.created",
  "payment.protected",
  "payment_intent.paid",
  "payment.settleable",
  "payment.released",
] as const;

/** The keeper waits this long after a payment's deadline: the chain's clock may be behind ours. */
const KEEPER_WAITS_SECONDS = 4;

async function tokensOf(owner: string, mint: string = service.asset): Promise<bigint> {
  const { value } = await rpc<{
    value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[];
  }>(service, "getTokenAccountsByOwner", owner, { mint }, { encoding: "jsonParsed", commitment: "confirmed" });
  return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
}

for (const protectionPeriod of inForm<readonly Period[]>({ short: ["oneHour", "thirtyDays"], long: PERIODS }))
  test(`§3 after ${protectionPeriod} the keeper settles to the recipient; the next intent is paid in time`, async () => {
    const recipient = newWallet().address;
    const intent = await shop.create({ protectionPeriod, recipient });
    await pay(service, intent);
    const { payment } = await awaitPaid(shop, intent.id);
    const seconds = PERIOD_SECONDS[protectionPeriod];
    assert.equal(Date.parse(payment.protectionDeadline) - Date.parse(payment.createdAt), seconds * 1000);
    assert.equal(payment.settleable, false);

    await advance(service, seconds + KEEPER_WAITS_SECONDS);
    const settled = await awaitPayment(shop, payment.id, "released");
    assert.ok(settled.settledAt >= settled.protectionDeadline);
    assert.deepEqual([settled.settleable, settled.disputedAt, settled.refundedAt], [false, null, null]);
    assert.equal(await tokensOf(recipient), BigInt(intent.amount), "the funds are the recipient's");
    const events = await expectEvents(shop, intent.id, SETTLED);
    assert.equal(events[3].data.object.settleable, true);
    assert.equal(events[3].data.previousAttributes.settleable, false);
    assert.equal(events[4].data.previousAttributes.status, "protected");

    const next = await shop.create({ protectionPeriod });
    await pay(service, next, { options: { notAfter: Date.parse(next.expiresAt) / 1000 } });
    const paid = await awaitPaid(shop, next.id);
    assert.deepEqual([paid.payment.late, paid.payment.lateReason], [false, null]);
    await act(service, service.wallets["buyer-1"], "release", paid.payment.id);
  });

test("§3.2.4 many payments due at once are all settled, with one event each", async () => {
  const intents: Wire[] = [];
  for (let index = 0; index < 11; index++) {
    const intent = await shop.create({ protectionPeriod: "oneHour" });
    await pay(service, intent);
    intents.push(intent);
  }
  for (const intent of intents) await awaitPaid(shop, intent.id);
  await advance(service, 3_600 + KEEPER_WAITS_SECONDS);
  for (const intent of intents) await expectEvents(shop, intent.id, SETTLED);
});

for (const [what, asset] of [
  ["a Token-2022 mint (PYUSD)", "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo"],
  ["wrapped SOL", "So11111111111111111111111111111111111111112"],
] as const)
  test(`§2.1 ${what} is paid and settled as any token`, async () => {
    const buyer = await newBuyer(service, asset);
    const recipient = newWallet().address;
    const intent = await shop.create({ asset, amount: "1234567", protectionPeriod: "oneHour", recipient });
    await pay(service, intent, { buyer });
    const { payment } = await awaitPaid(shop, intent.id);
    assert.deepEqual([payment.asset, payment.amount], [asset, "1234567"]);
    await advance(service, 3_600 + KEEPER_WAITS_SECONDS);
    await awaitPayment(shop, payment.id, "released");
    await expectEvents(shop, intent.id, SETTLED);
    assert.equal(await tokensOf(recipient, asset), 1_234_567n);
  });

test("§4.6.2 a payment whose recipient asks for memos says so in nextActions and on its receipt, and leaves once that is off", async () => {
  const asset = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo";
  const [buyer, recipient] = [await newBuyer(service, asset), await newBuyer(service, asset)];
  await requireMemos(service, recipient, asset, true);
  const before = await tokensOf(recipient.address, asset);
  const terms = { asset, amount: "1234567", protectionPeriod: "oneHour", recipient: recipient.address };
  const intent = await shop.create(terms);
  await pay(service, intent, { buyer });
  const { payment } = await awaitPaid(shop, intent.id);
  await advance(service, 3_600 + KEEPER_WAITS_SECONDS);
  const settle = await eventually("the keeper was refused", async () => {
    const { nextActions } = await shop.payment(payment.id);
    return (nextActions as Wire[]).find(({ blockedBy }) => blockedBy !== null);
  });
  assert.deepEqual([settle.action, settle.by, settle.blockedBy], ["settle", "anyone", "memo_required"]);
  const page = await (await fetch(payment.receiptUrl)).text();
  assert.match(page, /token account asks for a memo with each transfer/);
  assert.doesNotMatch(page, /usually leaves by itself within minutes/i);
  await requireMemos(service, recipient, asset, false);
  await act(service, buyer, "settle", payment.id);
  await awaitPayment(shop, payment.id, "released");
  assert.deepEqual((await shop.payment(payment.id)).nextActions, []);
  assert.equal((await tokensOf(recipient.address, asset)) - before, 1_234_567n);
});
