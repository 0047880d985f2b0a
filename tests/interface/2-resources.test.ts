import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { admin } from "../harness/admin.ts";
import { pay } from "../harness/chain.ts";
import { awaitPaid, listEvents } from "../harness/expectEvents.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, sharedService } from "../harness/service.ts";

let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await sharedService();
  shop = await newMerchant(service, { name: "Café № 1" });
});
after(() => service?.remove());

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DAY_MS = 86_400_000;

const INTENT_FIELDS = [
  "object",
  "id",
  "status",
  "recipient",
  "amount",
  "asset",
  "protectionPeriod",
  "merchantReference",
  "metadata",
  "description",
  "returnUrl",
  "locale",
  "price",
  "quote",
  "paymentId",
  "payment",
  "environment",
  "createdAt",
  "expiresAt",
  "canceledAt",
  "checkoutUrl",
  "x402Url",
  "hasBuyerEmail",
  "buyerEmail",
] as const;

const PAYMENT_FIELDS = [
  "object",
  "id",
  "intent",
  "role",
  "status",
  "sender",
  "recipient",
  "amount",
  "asset",
  "protectionPeriod",
  "merchantReference",
  "late",
  "lateReason",
  "signature",
  "createdAt",
  "protectionDeadline",
  "disputedAt",
  "settledAt",
  "refundedAt",
  "settleable",
  "resolveBy",
  "checkedAt",
  "amountReleased",
  "amountRefunded",
  "refundTotal",
  "outcome",
  "arbiter",
  "termsHash",
  "termsKnown",
  "overLimit",
  "receiptUrl",
] as const;

test("§2.1 a new payment intent has every field of the document, and nothing else", async () => {
  const before = Date.now();
  const intent = await shop.create({ merchantReference: "order 2.1", metadata: { cart: [1, 2] } });
  assert.deepEqual(Object.keys(intent), INTENT_FIELDS);
  assert.match(intent.id, /^pi_test_[0-9a-z]{4}[0-9a-f]{32}$/);
  assert.match(intent.paymentId, /^[1-9][0-9]{0,18}$/);
  assert.ok(BigInt(intent.paymentId) < 2n ** 63n);
  assert.match(intent.createdAt, TIMESTAMP);
  const createdAtMs = Date.parse(intent.createdAt);
  assert.ok(before <= createdAtMs && createdAtMs <= Date.now());
  const { id, paymentId, createdAt, expiresAt, ...rest } = intent;
  assert.deepEqual(rest, {
    object: "payment_intent",
    status: "requires_payment",
    recipient: service.recipient,
    amount: "5000000",
    asset: service.asset,
    protectionPeriod: "sevenDays",
    merchantReference: "order 2.1",
    metadata: { cart: [1, 2] },
    description: null,
    returnUrl: null,
    locale: null,
    price: null,
    quote: null,
    payment: null,
    environment: "test",
    canceledAt: null,
    checkoutUrl: `${service.checkoutUrl}/pay/i/${id}`,
    x402Url: `${service.checkoutUrl}/pay/i/${id}/x402`,
    hasBuyerEmail: false,
    buyerEmail: null,
  });
  const lifetime = Date.parse(expiresAt) - Date.parse(createdAt);
  assert.ok(lifetime >= DAY_MS && lifetime < DAY_MS + 1_000, "a day, up to a whole second");
  assert.match(expiresAt, /:\d\d\.000Z$/, "the program counts in seconds");
  assert.ok(paymentId !== id);
});

test("§2.3.5 a business's own lifetime holds for its next intents, of every key; without one the deployment's does", async () => {
  const own = await newMerchant(service);
  const lifetimeOf = ({ createdAt, expiresAt }: Wire): number => Date.parse(expiresAt) - Date.parse(createdAt);
  const isAbout = (intent: Wire, ms: number) => lifetimeOf(intent) >= ms && lifetimeOf(intent) < ms + 1_000;
  const before = await own.create();
  await admin(service, "business", "set", own.business, "--intent-lifetime", "15");
  assert.ok(isAbout(await own.create(), DAY_MS / 96));
  assert.ok(isAbout(await shop.create(), DAY_MS), "another business's are as before");
  assert.deepEqual(await own.intent(before.id), before);
  await admin(service, "business", "set", own.business, "--intent-lifetime", "10080");
  const week = await own.create();
  assert.ok(isAbout(week, 7 * DAY_MS));
  assert.deepEqual((await own.call("GET", "/payment-intents?status=requires_payment")).json.data[0], week);
  await admin(service, "business", "set", own.business, "--intent-lifetime", "");
  assert.ok(isAbout(await own.create(), DAY_MS));
});

test("§10.3 ids are in the order of creation, and carry createdAt", async () => {
  const intents: Wire[] = [];
  for (let index = 0; index < 5; index++) intents.push(await shop.create());
  const ids = intents.map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), ids);
  for (const { id, createdAt } of intents)
    assert.equal(
      Number.parseInt(id.slice("pi_test_5szw".length, "pi_test_5szw".length + 12), 16),
      Date.parse(createdAt),
    );
  assert.equal(new Set(intents.map(({ paymentId }) => paymentId)).size, intents.length);
});

test("§2.1, §2.2 a paid intent holds its payment, with every field of the document", async () => {
  const created = await shop.create({ protectionPeriod: "threeDays" });
  const done = await pay(service, created);
  const intent = await awaitPaid(shop, created.id);
  assert.deepEqual(Object.keys(intent), INTENT_FIELDS);
  const { payment, ...rest } = intent;
  const { payment: _, ...before } = created;
  assert.deepEqual(rest, { ...before, status: "paid", checkoutUrl: null, x402Url: null });
  assert.deepEqual(Object.keys(payment), PAYMENT_FIELDS);
  const { createdAt, protectionDeadline, checkedAt, receiptUrl, ...terms } = payment;
  assert.deepEqual(terms, {
    object: "payment",
    id: done.payment,
    intent: intent.id,
    role: "primary",
    status: "protected",
    sender: service.wallets["buyer-1"].address,
    recipient: intent.recipient,
    amount: intent.amount,
    asset: intent.asset,
    protectionPeriod: "threeDays",
    merchantReference: intent.merchantReference,
    late: false,
    lateReason: null,
    signature: done.signature,
    disputedAt: null,
    settledAt: null,
    refundedAt: null,
    settleable: false,
    resolveBy: null,
    amountReleased: "0",
    amountRefunded: "0",
    refundTotal: "0",
    outcome: null,
    arbiter: service.wallets.arbiter.address,
    termsHash: null,
    termsKnown: false,
    overLimit: false,
  });
  assert.match(receiptUrl, new RegExp(`^${service.checkoutUrl}/pay/p/${payment.id}\\?key=[A-Za-z0-9_-]{22}$`));
  for (const time of [createdAt, protectionDeadline, checkedAt]) assert.match(time, TIMESTAMP);
  assert.equal(Date.parse(protectionDeadline) - Date.parse(createdAt), 3 * DAY_MS);
  const { checkedAt: __, nextActions, ...alone } = await shop.payment(payment.id);
  assert.deepEqual({ ...alone, checkedAt }, payment, "alone it is the same");
  assert.deepEqual(nextActions, [
    { action: "dispute", by: "sender", until: protectionDeadline, blockedBy: null },
    { action: "release", by: "sender", until: null, blockedBy: null },
    { action: "refund", by: "recipient", until: null, blockedBy: null },
  ]);
});

test("§2.3 GET /me shows the business of the key", async () => {
  assert.deepEqual((await shop.get("/me")).json, {
    object: "business",
    id: shop.business,
    name: "Café № 1",
    environment: "test",
    apiKey: { id: shop.keyId, scope: "full" },
  });
  assert.match(shop.business, /^biz_[0-9a-f]{32}$/);
  assert.match(shop.keyId, /^key_test_[0-9a-z]{4}[0-9a-f]{32}$/);
});

test("§2.4 the list envelope, newest first", async () => {
  const page = (await shop.get("/payment-intents?limit=3")).json;
  assert.deepEqual(Object.keys(page), ["object", "data", "hasMore"]);
  assert.deepEqual([page.object, page.data.length, page.hasMore], ["list", 3, true]);
  const ids = page.data.map(({ id }: Wire) => id);
  assert.deepEqual(ids.toSorted().toReversed(), ids);
  assert.deepEqual(page.data[1], await shop.intent(ids[1]));
});

/** The issue's own example: member order, nesting, Unicode, the spelling of numbers and of escapes. */
const METADATA = String.raw`{"z":1,"a":{"n":12345678901234567890,"f":1.0},"__proto__":1,"é":"\u0001"}`;

test("§2.1 metadata comes back byte for byte, wherever it is shown", async () => {
  const spaced = String.raw`{ "z" : 1,
    "a":{"n":12345678901234567890 ,"f":1.0},"__proto__":1,"é":"\u0001" }`;
  const { recipient, asset } = service;
  const body = `{"metadata":${spaced},"recipient":"${recipient}","amount":"1","asset":"${asset}","protectionPeriod":"oneDay","merchantReference":"metadata"}`;
  const answer = await shop.call("POST", "/payment-intents", body);
  assert.equal(answer.status, 201, answer.text);
  const { id } = answer.json;
  const holds = (text: string) => assert.ok(text.includes(`"metadata":${METADATA},`), text);
  holds(answer.text);
  holds((await shop.get(`/payment-intents/${id}`)).text);
  holds((await shop.get("/payment-intents?merchant_reference=metadata")).text);
  const { signature } = await pay(service, answer.json);
  const confirmed = await shop.confirm(id, signature);
  assert.equal(confirmed.status, 200);
  holds(confirmed.text);
  await awaitPaid(shop, id);
  const events = await listEvents(shop, id);
  assert.equal(events.length, 3);
});

test("§2.1 metadata may be anything an object can hold", async () => {
  for (const metadata of [
    "{}",
    `{"":"","a.b":null,"c":[[],{},true]}`,
    `{"formula":"=1+1","html":"<img src=x onerror=alert(1)>","rtl":"\u202e"}`,
    String.raw`{"pair":"\ud83d\ude00","solidus":"\/","e":1E+2,"big":1e400,"minus":-0}`,
    `{"digits":${"9".repeat(300)}}`,
    `{"constructor":{"prototype":{"x":1}},"toString":1}`,
    `{${Array.from({ length: 1_500 }, (_, index) => `"${index}":0`).join(",")}}`,
    `{"deep":${"[".repeat(62)}${"]".repeat(62)}}`,
  ]) {
    const { recipient, asset } = service;
    const reference = `m${metadata.length}`;
    const body = `{"recipient":"${recipient}","amount":"1","asset":"${asset}","protectionPeriod":"oneDay","merchantReference":"${reference}","metadata":${metadata}}`;
    const answer = await shop.call("POST", "/payment-intents", body);
    assert.equal(answer.status, 201, answer.text);
    const shown = await shop.get(`/payment-intents/${answer.json.id}`);
    assert.ok(shown.text.includes(`"metadata":${metadata},`), metadata);
  }
});
