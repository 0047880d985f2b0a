import assert from "node:assert/strict";
import { before, test } from "node:test";
import { advance, pay } from "../harness/chain.ts";
import { awaitPaid, checkSequences, expectEvents, listEvents } from "../harness/expectEvents.ts";
import { assertError, type Merchant, newMerchant, someTerms } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await standingService();
  shop = await newMerchant(service);
});

const EXPIRED_SECONDS = 86_402;

test("§3 requires_payment → canceled: canceledAt is set, its addresses go, the intent comes back", async () => {
  const intent = await shop.create();
  const answer = await shop.cancel(intent.id);
  assert.equal(answer.status, 200);
  const { canceledAt } = answer.json;
  assert.ok(canceledAt > intent.createdAt);
  assert.deepEqual(answer.json, { ...intent, status: "canceled", canceledAt, checkoutUrl: null, x402Url: null });
  assert.deepEqual(await shop.intent(intent.id), answer.json);
});

test("§3 cancel of any other status changes nothing: 409 intent_not_cancelable", async () => {
  const [canceled, paid, expired] = [await shop.create(), await shop.create(), await shop.create()];
  await shop.cancel(canceled.id);
  await pay(service, paid);
  await awaitPaid(shop, paid.id);
  await advance(service, EXPIRED_SECONDS);
  for (const { id } of [canceled, paid, expired]) {
    const still = ({ payment, ...rest }: { payment: unknown }) => ({ ...rest, isPaid: payment !== null });
    const before = still(await shop.intent(id));
    assertError(await shop.cancel(id), 409, "intent_not_cancelable");
    assert.deepEqual(still(await shop.intent(id)), before);
  }
  await expectEvents(shop, canceled.id, ["payment_intent.created", "payment_intent.canceled"]);
});

test("§3 of ten cancels at once one cancels, with one event", async () => {
  const intent = await shop.create();
  const answers = await Promise.all(Array.from({ length: 10 }, () => shop.cancel(intent.id)));
  const statuses = answers.map((answer) => answer.status).toSorted();
  assert.deepEqual(statuses, [200, ...Array<number>(9).fill(409)]);
  await expectEvents(shop, intent.id, ["payment_intent.created", "payment_intent.canceled"]);
});

test("§3.1.4 past expiresAt every read and filter says expired at once; the event follows once", async () => {
  const intent = await shop.create();
  await advance(service, EXPIRED_SECONDS);
  const expired = await shop.intent(intent.id);
  assert.deepEqual([expired.status, expired.payment, expired.checkoutUrl], ["expired", null, null]);
  const byStatus = (await shop.get(`/payment-intents?status=expired&merchant_reference=${intent.merchantReference}`))
    .json;
  assert.deepEqual(byStatus.data, [expired]);
  assert.deepEqual((await shop.get("/payment-intents?status=requires_payment")).json.data, []);
  await expectEvents(shop, intent.id, ["payment_intent.created", "payment_intent.expired"]);
  // Another one expires later: by the time of its event, the first may have no further event.
  const later = await shop.create();
  await advance(service, EXPIRED_SECONDS);
  await eventually("the later one has its event", async () => (await listEvents(shop, later.id)).length === 2);
  assert.equal((await listEvents(shop, intent.id)).length, 2);
});

test("§3 an open intent holds its merchantReference: 409 reference_in_use names the holder", async () => {
  const intent = await shop.create();
  const { merchantReference } = intent;
  const again = await shop.call("POST", "/payment-intents", someTerms(service, { merchantReference, amount: "1" }));
  assert.equal(assertError(again, 409, "reference_in_use").intent, intent.id);
  const stranger = await newMerchant(service);
  await stranger.create({ merchantReference });
});

test("§4.1.5 a reference is free once its intent is canceled, expired or paid", async () => {
  const merchantReference = "free again";
  const canceled = await shop.create({ merchantReference });
  await shop.cancel(canceled.id);
  const expired = await shop.create({ merchantReference });
  await advance(service, EXPIRED_SECONDS);
  const paid = await shop.create({ merchantReference });
  await pay(service, paid);
  await awaitPaid(shop, paid.id);
  await shop.create({ merchantReference });
  assert.equal((await shop.get(`/payment-intents?merchant_reference=free%20again`)).json.data.length, 4);
  // Both the old and the new one may end up paid.
  await pay(service, expired, { buyer: service.wallets["buyer-2"] });
  assert.equal((await awaitPaid(shop, expired.id)).payment.late, true);
});

test("§3 of twenty creates with one reference at once one is open, and the others name it", async () => {
  const terms = someTerms(service);
  const answers = await Promise.all(Array.from({ length: 20 }, () => shop.call("POST", "/payment-intents", terms)));
  const [made, ...more] = answers.filter((answer) => answer.status === 201);
  assert.equal(more.length, 0);
  for (const answer of answers.filter((one) => one !== made))
    assert.equal(assertError(answer, 409, "reference_in_use").intent, made!.json.id);
});

test("§2.1 references are compared exactly: case, width and normal form matter", async () => {
  for (const merchantReference of ["Order", "order", "ｏrder", "orde\u0301", "ordé", "order\u200b"])
    assert.equal((await shop.create({ merchantReference })).merchantReference, merchantReference);
  await checkSequences(shop);
});
