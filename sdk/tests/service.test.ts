import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { EventSource } from "undici";
import { pay } from "../../tests/harness/chain.ts";
import { type Merchant, newMerchant, someTerms } from "../../tests/harness/merchant.ts";
import { type RunningService, sharedService } from "../../tests/harness/service.ts";
import { HUNG_MS } from "../../tests/harness/wait.ts";
import { followCheckout } from "../checkout.ts";
import {
  cancelAttempt,
  Holdfast,
  IntentNotCancelableError,
  InvalidRequestError,
  isForTotal,
  type NewPaymentIntent,
  NotFoundError,
  type OrderAttempt,
  openAttempt,
  type Price,
  ReferenceInUseError,
  SignatureUnverifiedError,
  TimeoutError,
  tryTerms,
  UnauthorizedError,
} from "../index.ts";

const NO_SIGNATURE = "5".repeat(88);

let service: RunningService;
let merchant: Merchant;
let client: Holdfast;
before(async () => {
  service = await sharedService();
  merchant = await newMerchant(service);
  client = new Holdfast({ apiKey: merchant.key, baseUrl: service.apiUrl.replace("/api/v1", "/") });
});
after(() => service?.remove());

const terms = (more: Partial<NewPaymentIntent> = {}): NewPaymentIntent =>
  ({ ...someTerms(service), ...more }) as NewPaymentIntent;

test("an order from its creation to its payment: create, follow the page, wait, confirm, read", async () => {
  const intent = await client.paymentIntents.create(
    terms({ description: "Beans", returnUrl: "http://localhost:3000/{intentId}" }),
  );
  assert.deepEqual([intent.status, intent.description], ["requires_payment", "Beans"]);
  const early = client.paymentIntents.waitFor(intent.id, { timeoutMs: 1_000 });
  await assert.rejects(early, TimeoutError);
  const waiting = client.paymentIntents.waitFor(intent.id, { status: "paid" });
  const { signature, payment } = await pay(service, intent);
  const { outcome } = await client.paymentIntents.confirm(intent.id, { signature }, { waitMs: HUNG_MS });
  assert.ok(outcome === "bound" || outcome === "already_recorded");
  assert.equal((await waiting).payment?.id, payment);
  const found = await client.payments.retrieve(payment);
  assert.deepEqual([found.intent, found.status, found.signature], [intent.id, "protected", signature]);
  const all = await client.payments.list({ intent: intent.id, status: "protected" }).toArray({ limit: 10 });
  assert.deepEqual(
    all.map(({ id }) => id),
    [payment],
  );
  const verified = await client.paymentIntents.verify(intent.id, { signature });
  assert.deepEqual(
    [verified.outcome, verified.rules.every(({ verdict }) => verdict === "pass")],
    ["already_recorded", true],
  );
  const refund = await client.payments.refund(payment, { total: intent.amount });
  assert.deepEqual([refund.action, refund.signer, refund.total], ["refund", service.recipient, intent.amount]);
  await assert.rejects(
    client.payments.refund(payment, { total: "5000001" }),
    (error) => error instanceof InvalidRequestError && error.param === "total",
  );
  const [event] = await client.events.list({ intent: intent.id, type: "payment_intent.paid" }).toArray({ limit: 1 });
  assert.equal((await client.events.retrieve(event!.id)).sequence, event!.sequence);
});

test("refusals have a class of their own, with what they say", async () => {
  const given = terms();
  const { id } = await client.paymentIntents.create(given);
  await assert.rejects(
    client.paymentIntents.create(given),
    (error) => error instanceof ReferenceInUseError && error.intent === id,
  );
  await assert.rejects(
    client.paymentIntents.create({ ...given, amount: "0" }),
    (error) => error instanceof InvalidRequestError && error.param === "amount" && error.requestId!.startsWith("req_"),
  );
  await client.paymentIntents.cancel(id);
  await assert.rejects(client.paymentIntents.cancel(id), IntentNotCancelableError);
  await assert.rejects(client.paymentIntents.retrieve("pi_test_0"), NotFoundError);
  await assert.rejects(
    client.paymentIntents.confirm(id, { signature: NO_SIGNATURE }),
    (error) => error instanceof SignatureUnverifiedError && error.reason === "not_found" && error.retryable,
  );
  const stranger = new Holdfast({ apiKey: "sk_test_unknown", baseUrl: service.apiUrl });
  await assert.rejects(stranger.me.retrieve(), UnauthorizedError);
});

test("a key of the caller makes a repeat a replay, and lists are walked in both directions", async () => {
  const shop = await newMerchant(service);
  const own = new Holdfast({ apiKey: shop.key, baseUrl: service.apiUrl });
  const given = terms();
  const one = await own.paymentIntents.create(given, { idempotencyKey: "order-1" }).withResponse();
  const other = await own.paymentIntents.create(given, { idempotencyKey: "order-1" }).withResponse();
  assert.deepEqual([one.response.replayed, other.response.replayed, other.data], [false, true, one.data]);
  for (let count = 0; count < 6; count++) await own.paymentIntents.create(terms());
  const down = await own.paymentIntents.list({ limit: 2 }).toArray({ limit: 100 });
  assert.equal(new Set(down.map(({ id }) => id)).size, 7);
  const up = await own.paymentIntents.list({ limit: 2, endingBefore: one.data.id }).toArray({ limit: 100 });
  assert.deepEqual(
    up.map(({ id }) => id).reverse(),
    down.slice(0, -1).map(({ id }) => id),
  );
  const me = await own.me.retrieve();
  assert.deepEqual([me.id, me.environment, me.apiKey.scope], [shop.business, "test", "full"]);
  assert.equal((await own.chain.retrieve()).nodes.total, 1);
  assert.equal((await own.assets.retrieve(service.asset)).decimals, 6);
});

test("terms are tried: what a buyer would pay is told, or the refusal, and nothing stays open", async () => {
  const { merchantReference: _, ...tried } = terms();
  assert.equal(await tryTerms(client, tried), `5 USDC to ${(await client.me.retrieve()).name} (test)`);
  const [intent] = await client.paymentIntents.list().toArray({ limit: 1 });
  assert.deepEqual([intent!.status, /^try-/.test(intent!.merchantReference)], ["canceled", true]);
  await assert.rejects(tryTerms(client, { ...tried, recipient: "my wallet" }), InvalidRequestError);
});

test("a paid intent is compared with its order: by its price or, without one, token for unit", async () => {
  const intent = await client.paymentIntents.create(terms({ amount: "24500000" }));
  const isFor = (amount: string, price: Price | null = null, currency = "USD") =>
    isForTotal(client, { ...intent, price }, { currency, amount });
  assert.deepEqual(await Promise.all(["24.50", "24.5", "24.51", "245", "2.45", "24"].map((one) => isFor(one))), [
    ...[true, true, false, false, false, false],
  ]);
  const price: Price = { currency: "USD", amount: "20.00" };
  const asked = [isFor("20.00", price), isFor("20.00", price, "EUR"), isFor("24.50", price)];
  assert.deepEqual(await Promise.all(asked), [true, false, false]);
  const whole = await client.paymentIntents.create(terms({ amount: "20000000" }));
  assert.equal(await isForTotal(client, whole, { currency: "JPY", amount: "20" }), true);
  assert.equal(await isForTotal(client, whole, { currency: "USD", amount: "20.00" }), true);
});

test("an order has one open attempt: killed before its answer, edited, refused, given up, paid", async () => {
  const saved: OrderAttempt[] = [];
  let isKilled = false;
  const attempts = {
    last: async () => saved.at(-1),
    begin: async (number: number) => {
      if (saved.at(-1)?.number !== number) saved.push({ number, intent: null });
    },
    save: async (number: number, intent: string) => {
      if (isKilled) throw new Error("killed");
      saved[number - 1] = { number, intent };
    },
    refuse: async (number: number) => {
      if (saved[number - 1]?.intent === null) saved[number - 1] = { number, intent: "" };
    },
  };
  const order = terms();
  const open = async (changes: Partial<NewPaymentIntent> = {}) => {
    for (let tries = 0; tries < 3; tries++) {
      const checkout = await openAttempt(client, { ...order, ...changes }, attempts);
      if (checkout !== null) return checkout;
    }
    assert.fail("no checkout after three attempts");
  };
  isKilled = true;
  await assert.rejects(open(), /killed/);
  isKilled = false;
  const first = await open();
  assert.deepEqual(await Promise.all([open(), open()]), [first, first]);
  assert.deepEqual([first.state, saved], ["open", [{ number: 1, intent: first.intent }]]);
  const [kept] = await client.paymentIntents.list({ merchantReference: order.merchantReference }).toArray({ limit: 9 });
  assert.equal(kept?.id, first.intent, "the killed call made this one");

  const edited = await open({ amount: "6000000" });
  assert.equal((await client.paymentIntents.retrieve(first.intent)).status, "canceled");
  assert.deepEqual([edited.state, saved.length], ["open", 2]);
  // A call that read the attempt before this one's answer, and has other terms, erases nothing.
  const early = { ...attempts, last: async () => ({ number: 2, intent: null }) };
  assert.equal(await openAttempt(client, { ...order, amount: "7000000" }, early), null);
  assert.equal(saved[1]!.intent, edited.intent);
  await assert.rejects(open({ amount: "0" }), InvalidRequestError);
  assert.deepEqual(saved.at(-1), { number: 3, intent: "" }, "a refusal uses up its number");
  const next = await open();
  assert.equal(await cancelAttempt(client, next.intent), true);
  const last = await open();
  await client.paymentIntents.confirm(
    last.intent,
    { signature: (await paid(last.intent)).signature },
    { waitMs: HUNG_MS },
  );
  const isPaid = { state: "paid", intent: last.intent };
  assert.deepEqual([await open(), await open({ amount: "7000000" })], [isPaid, isPaid]);
  assert.equal(await cancelAttempt(client, last.intent), false);
  assert.equal(saved.length, 5);
});

const paid = async (id: string) => pay(service, await client.paymentIntents.retrieve(id));

test("§12.5 a page of another site follows a checkout to its payment", async (t) => {
  Object.assign(globalThis, { EventSource });
  t.after(() => Reflect.deleteProperty(globalThis, "EventSource"));
  const intent = await client.paymentIntents.create(terms());
  const url = intent.checkoutUrl!;
  for (const path of ["state", "events"]) {
    const answer = await fetch(`${url}/${path}`, { headers: { Origin: "https://shop.example" } });
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
    await answer.body!.cancel();
  }
  const states: string[] = [];
  let paying: Promise<unknown> | null = null;
  for await (const { state } of followCheckout(`${url}?utm=1`, { signal: AbortSignal.timeout(HUNG_MS) })) {
    states.push(state);
    paying ??= pay(service, intent);
    if (state === "protected") break;
  }
  await paying;
  assert.deepEqual(states, ["waiting", "protected"]);
});
