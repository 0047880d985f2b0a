import assert from "node:assert/strict";
import { before, test } from "node:test";
import { advance, pauseSweep, pay } from "../harness/chain.ts";
import { awaitPaid, awaitPayment, checkSequences, expectEvents } from "../harness/expectEvents.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";

let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await standingService();
  shop = await newMerchant(service);
});

/** Past the end of an intent that was just created. */
const LIFETIME_SECONDS = 86_402;

const lateness = ({ late, lateReason }: Wire) => [late, lateReason];

/** Asserts that the event shows the payment exactly as every read does. */
function assertSame(event: Wire, payment: Wire): void {
  assert.equal(event.data.object.status, "paid");
  assert.deepEqual(lateness(event.data.object.payment), lateness(payment));
}

test("§3.1.8 paid and found in time is not late", async () => {
  const intent = await shop.create();
  await pay(service, intent);
  const { payment } = await awaitPaid(shop, intent.id);
  assert.deepEqual(lateness(payment), [false, null]);
  const [, , paid] = await expectEvents(shop, intent.id, [
    "payment_intent.created",
    "payment.protected",
    "payment_intent.paid",
  ]);
  assertSame(paid, payment);
  assert.equal(paid.data.previousAttributes.status, "requires_payment");
  assert.equal(paid.data.previousAttributes.payment, null);
  assert.equal(paid.data.previousAttributes.checkoutUrl, intent.checkoutUrl);
});

test("§3.1.8 paid after it expired: paid_after_expiry, recorded as .paid_late after .expired", async () => {
  const intent = await shop.create();
  await advance(service, LIFETIME_SECONDS);
  const expired = await shop.intent(intent.id);
  assert.deepEqual([expired.status, expired.checkoutUrl], ["expired", null]);
  await expectEvents(shop, intent.id, ["payment_intent.created", "payment_intent.expired"]);
  await pay(service, intent);
  const { payment } = await awaitPaid(shop, intent.id);
  assert.deepEqual(lateness(payment), [true, "paid_after_expiry"]);
  const events = await expectEvents(shop, intent.id, [
    "payment_intent.created",
    "payment_intent.expired",
    "payment.protected",
    "payment_intent.paid_late",
  ]);
  assertSame(events[3], payment);
  assert.equal(events[1].data.object.status, "expired");
  assert.equal(events[1].data.previousAttributes.status, "requires_payment");
  assert.equal(events[1].occurredAt, intent.expiresAt, "it expired when it did, not when the event was recorded");
  assert.equal(events[3].data.previousAttributes.status, "expired");
});

test("§3.1.8 paid in time and found after it expired: found_after_expiry, as .paid, never as .expired", async () => {
  const intent = await shop.create();
  await pauseSweep(service, true);
  await pay(service, intent);
  await advance(service, LIFETIME_SECONDS);
  assert.equal((await shop.intent(intent.id)).status, "expired");
  await pauseSweep(service, false);
  const { payment } = await awaitPaid(shop, intent.id);
  assert.deepEqual(lateness(payment), [true, "found_after_expiry"]);
  const events = await expectEvents(shop, intent.id, [
    "payment_intent.created",
    "payment.protected",
    "payment_intent.paid",
  ]);
  assertSame(events[2], payment);
});

test("§3.1.8 paid after it was canceled: paid_after_cancel, recorded as .paid_late, never as .paid", async () => {
  const intent = await shop.create();
  const canceled = (await shop.cancel(intent.id)).json;
  await advance(service, 2);
  await pay(service, intent);
  const paid = await awaitPaid(shop, intent.id);
  assert.deepEqual(lateness(paid.payment), [true, "paid_after_cancel"]);
  assert.equal(paid.canceledAt, canceled.canceledAt, "canceledAt stays");
  const events = await expectEvents(shop, intent.id, [
    "payment_intent.created",
    "payment_intent.canceled",
    "payment.protected",
    "payment_intent.paid_late",
  ]);
  assertSame(events[3], paid.payment);
  assert.deepEqual(events[1].data.previousAttributes, {
    status: "requires_payment",
    canceledAt: null,
    checkoutUrl: intent.checkoutUrl,
    x402Url: intent.x402Url,
  });
  assert.equal(events[3].data.previousAttributes.status, "canceled");
});

test("§3.1.8 paid in time and found after it was canceled: found_after_cancel, recorded as .paid_late", async () => {
  const intent = await shop.create();
  await pauseSweep(service, true);
  await pay(service, intent);
  await advance(service, 2);
  assert.equal((await shop.cancel(intent.id)).status, 200);
  await pauseSweep(service, false);
  const { payment } = await awaitPaid(shop, intent.id);
  assert.deepEqual(lateness(payment), [true, "found_after_cancel"]);
  const events = await expectEvents(shop, intent.id, [
    "payment_intent.created",
    "payment_intent.canceled",
    "payment.protected",
    "payment_intent.paid_late",
  ]);
  assertSame(events[3], payment);
});

test("§3.1.7 lateness is decided once: it stays the same while the payment goes on", async () => {
  const intent = await shop.create();
  await pay(service, intent);
  const { payment } = await awaitPaid(shop, intent.id);
  await advance(service, LIFETIME_SECONDS);
  assert.deepEqual(lateness(await shop.payment(payment.id)), [false, null]);
});

test("§3.1.9 a second payment of an intent paid in time is not late because of expiresAt", async () => {
  const intent = await shop.create();
  await pay(service, intent);
  await awaitPaid(shop, intent.id);
  await advance(service, LIFETIME_SECONDS);
  const second = await pay(service, intent, { buyer: service.wallets["buyer-2"] });
  const duplicate = await awaitPayment(shop, second.payment);
  assert.deepEqual([duplicate.role, ...lateness(duplicate)], ["duplicate", false, null]);
});

test("§4.6 lateness can be listed", async () => {
  const late = (await shop.get("/payments?late=true&limit=100")).json.data;
  assert.equal(late.length, 4);
  assert.ok(late.every((payment: Wire) => payment.late && payment.lateReason !== null));
  const inTime = (await shop.get("/payments?late=false&limit=100")).json.data;
  assert.ok(inTime.length === 4 && inTime.every((payment: Wire) => !payment.late && payment.lateReason === null));
  await checkSequences(shop);
});
