import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { control, newBuyer, pauseSweep, pay, payInVain } from "../harness/chain.ts";
import { listEvents } from "../harness/expectEvents.ts";
import type { Answer } from "../harness/http.ts";
import { assertError, type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

// The sweep rests, so confirm binds every payment here.
let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await standingService();
  shop = await newMerchant(service);
  await pauseSweep(service, true);
});
after(() => pauseSweep(service, false));

const RULES = ["found", "confirmed", "succeeded", "payment_id", "recipient", "amount", "asset", "protection_period"];
const verify = (intent: Wire, signature: unknown, key?: string): Promise<Answer> =>
  shop.call(
    "POST",
    `/payment-intents/${intent.id}/verify`,
    { signature },
    key === undefined ? [] : [["Idempotency-Key", key]],
  );

/** The verification, and by rule its verdict. */
async function verified(intent: Wire, signature: string): Promise<{ whole: Wire; verdicts: string[] }> {
  const answer = await verify(intent, signature);
  assert.equal(answer.status, 200, answer.text);
  const whole = answer.json;
  assert.deepEqual(Object.keys(whole), ["object", "outcome", "reason", "rules"]);
  assert.equal(whole.object, "verification");
  for (const rule of whole.rules) assert.deepEqual(Object.keys(rule), ["rule", "verdict", "expected", "found"]);
  assert.deepEqual(
    whole.rules.map(({ rule }: Wire) => rule),
    RULES,
  );
  return { whole, verdicts: whole.rules.map(({ verdict }: Wire) => verdict) };
}
const passed = (count: number) => RULES.slice(0, count).map(() => "pass");
const unknown = (count: number) => Array.from({ length: count }, () => "unknown");

test("§4.11 verify gives the outcome that confirm then has, and changes nothing itself", async () => {
  const intent = await shop.create();
  const first = await pay(service, intent);
  const second = await pay(service, intent, { buyer: await newBuyer(service) });
  const before = { intent: await shop.intent(intent.id), events: await listEvents(shop, intent.id) };
  for (let times = 0; times < 2; times++) {
    const { whole, verdicts } = await verified(intent, first.signature);
    assert.deepEqual([whole.outcome, whole.reason, verdicts], ["bound", null, passed(8)]);
    for (const { expected, found } of whole.rules) assert.equal(found, expected);
  }
  assert.equal((await verified(intent, second.signature)).whole.outcome, "bound", "either would be the first");
  assert.deepEqual({ intent: await shop.intent(intent.id), events: await listEvents(shop, intent.id) }, before);
  assert.deepEqual((await shop.get(`/payments?intent=${intent.id}`)).json.data, []);

  assert.equal((await shop.confirm(intent.id, first.signature)).json.outcome, "bound");
  assert.equal((await verified(intent, first.signature)).whole.outcome, "already_recorded");
  const { whole, verdicts } = await verified(intent, second.signature);
  assert.deepEqual([whole.outcome, whole.reason, verdicts], ["duplicate", null, passed(8)]);
  assert.equal((await shop.confirm(intent.id, second.signature)).json.outcome, "duplicate");
});

test("§4.11.2 the first rule that fails says why, and what cannot be read after it is unknown", async () => {
  const intent = await shop.create();
  const failed = await payInVain(service, intent);
  const other = await shop.create();
  const elsewhere = await pay(service, other);
  for (const [signature, reason, verdicts] of [
    ["1".repeat(64), "not_found", ["fail", ...unknown(7)]],
    [failed.signature, "failed", [...passed(2), "fail", ...unknown(5)]],
    [elsewhere.signature, "no_payment_for_intent", [...passed(3), "fail", ...unknown(4)]],
  ] as const) {
    const { whole, verdicts: given } = await verified(intent, signature);
    assert.deepEqual([whole.outcome, whole.reason, given], ["signature_unverified", reason, verdicts], reason);
    const { error } = (await shop.confirm(intent.id, signature)).json;
    assert.equal(error.reason, reason, "as confirm says");
  }
});

test("§4.11.3 a payment on other terms shows what is on chain, and which terms differ", async () => {
  const intent = await shop.create();
  const wrong = await pay(service, intent, { amount: "4999999" });
  const { whole, verdicts } = await verified(intent, wrong.signature);
  assert.deepEqual([whole.outcome, whole.reason], ["signature_unverified", "mismatch"]);
  assert.deepEqual(verdicts, [...passed(5), "fail", "pass", "pass"]);
  const amount = whole.rules.find(({ rule }: Wire) => rule === "amount");
  assert.deepEqual([amount.expected, amount.found], ["5000000", "4999999"]);
  const events = await listEvents(shop, intent.id);
  assert.deepEqual(
    events.map(({ type }: Wire) => type),
    ["payment_intent.created"],
    "no mismatch is announced",
  );
});

test("§4.11.3 nothing of another intent is shown, of this business or of another", async () => {
  const stranger = await newMerchant(service);
  const intent = await shop.create();
  for (const owner of [shop, stranger]) {
    const other = await owner.create({ amount: "123456789", metadata: { secret: "theirs" } });
    const { signature, payment } = await pay(service, other);
    const { text } = await verify(intent, signature);
    for (const private_ of [other.id, other.paymentId, other.merchantReference, "123456789", payment, "theirs"])
      assert.ok(!text.includes(private_), `${private_} in ${text}`);
  }
  const foreign = await stranger.create();
  assertError(await verify(foreign, "1".repeat(64)), 404, "not_found");
});

test("§4.11.4 a malformed signature is 400 before the chain is asked; a chain that is away is 503", async () => {
  const intent = await shop.create();
  const { signature } = await pay(service, intent);
  const bound = await shop.create();
  const recorded = await pay(service, bound);
  assert.equal((await shop.confirm(bound.id, recorded.signature)).json.outcome, "bound");
  await control(service, "/faults", { mode: "server_error" });
  try {
    for (const malformed of [undefined, "x", "1".repeat(63), 1])
      assertError(await verify(intent, malformed), 400, "invalid_request", "signature");
    assertError(await verify(intent, signature), 503, "chain_unavailable");
    // Confirm answers from the books; the rules of verify are of the chain.
    assert.equal((await shop.confirm(bound.id, recorded.signature)).json.outcome, "already_recorded");
    assertError(await verify(bound, recorded.signature), 503, "chain_unavailable");
  } finally {
    await control(service, "/faults", { mode: "none" });
  }
});

test("§4.11.5 under an Idempotency-Key the answer is stored; without one each look is new", async () => {
  const intent = await shop.create();
  const { signature } = await pay(service, intent);
  const first = await eventually("the chain can be read again", async () => {
    const answer = await verify(intent, signature, "look");
    return answer.status === 200 && answer;
  });
  assert.equal(first.json.outcome, "bound");
  // A transaction that is not there yet may be there soon (§4.5.12).
  for (let times = 0; times < 2; times++) {
    const early = await verify(intent, "1".repeat(64), "early");
    assert.deepEqual([early.json.outcome, early.headers["idempotent-replayed"]], ["signature_unverified", undefined]);
  }
  assert.equal((await verify(intent, signature, "early")).json.outcome, "bound");
  await shop.confirm(intent.id, signature);
  const again = await verify(intent, signature, "look");
  assert.deepEqual([again.text, again.headers["idempotent-replayed"]], [first.text, "true"]);
  assert.equal((await verify(intent, signature)).json.outcome, "already_recorded");
  assertError(await verify(intent, "1".repeat(64), "look"), 409, "idempotency_conflict");
});
