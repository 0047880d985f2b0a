import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { control, pauseSweep, pay, payInVain } from "../harness/chain.ts";
import { assertError, type Merchant, newMerchant, untilTaken, type Wire } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";

let service: RunningService;
let shop: Merchant;
let intent: Wire;
before(async () => {
  service = await standingService();
  shop = await newMerchant(service);
  await pauseSweep(service, true);
  intent = await shop.create();
});
after(() => pauseSweep(service, false));

const confirmBody = (body: unknown, id = intent.id) => shop.call("POST", `/payment-intents/${id}/confirm`, body);

test("§4.5 signature is base58 of 64 bytes, checked before the chain is asked", async () => {
  await control(service, "/faults", { mode: "server_error" });
  try {
    for (const signature of [
      undefined,
      null,
      1,
      {},
      [],
      "",
      "x",
      "1".repeat(63),
      "1".repeat(65),
      "0".repeat(64),
      "O".repeat(88),
      "z".repeat(88),
      "1".repeat(10_000),
      ` ${"1".repeat(64)}`,
      `0x${"ab".repeat(64)}`,
    ])
      assertError(await confirmBody({ signature }), 400, "invalid_request", "signature");
    const extra = { signature: "1".repeat(64), intent: intent.id };
    assertError(await confirmBody(extra), 400, "invalid_request", "intent");
    assertError(await confirmBody({ intent: 1 }), 400, "invalid_request", "signature");
  } finally {
    await control(service, "/faults", { mode: "none" });
  }
});

test("§4.5 needs a body: without one 415, with an empty one 400", async () => {
  assertError(await shop.call("POST", `/payment-intents/${intent.id}/confirm`), 415, "bad_request");
  assertError(await confirmBody(""), 400, "bad_request");
  assertError(await confirmBody({}), 400, "invalid_request", "signature");
});

test("§4.5.4 the answer holds outcome, intent and the payment that decided it", async () => {
  const paid = await shop.create();
  const { signature, payment } = await pay(service, paid);
  const answer = await shop.confirm(paid.id, signature);
  assert.equal(answer.status, 200);
  assert.deepEqual(Object.keys(answer.json), ["object", "outcome", "intent", "payment"]);
  // A check may come between the two answers: the rest is the same.
  const unchecked = (item: Wire): string =>
    JSON.stringify(item, (name, value) => (name === "checkedAt" ? null : value));
  assert.equal(unchecked(answer.json.intent), unchecked(await shop.intent(paid.id)));
  const { nextActions: _, ...alone } = await shop.payment(payment);
  assert.equal(unchecked(answer.json.payment), unchecked(alone));
});

test("§4.5 409 signature_unverified has its reason, and says whether a retry may help", async () => {
  const unpaid = await shop.create();
  const failed = await payInVain(service, unpaid);
  const wrong = await pay(service, unpaid, { amount: "1" });
  for (const [signature, reason, keys] of [
    ["1".repeat(64), "not_found", ["code", "message", "reason", "retryable"]],
    [failed.signature, "failed", ["code", "message", "reason", "retryable"]],
    [wrong.signature, "mismatch", ["code", "message", "reason", "mismatch", "retryable"]],
  ] as const) {
    const error = assertError(await shop.confirm(unpaid.id, signature), 409, "signature_unverified");
    assert.deepEqual(Object.keys(error), keys);
    assert.deepEqual([error.reason, error.retryable], [reason, reason === "not_found"]);
  }
});

for (const mode of ["server_error", "rate_limited", "malformed", "not_json", "empty", "reset", "rpc_error", "time_out"])
  test(`§4.5 503 chain_unavailable when the node's fault is ${mode}`, async () => {
    const paid = await shop.create();
    const { signature } = await pay(service, paid);
    await control(service, "/faults", { mode });
    try {
      const answer = await shop.confirm(paid.id, signature);
      assertError(answer, 503, "chain_unavailable");
      assert.match(String(answer.headers["retry-after"]), /^[1-9]\d*$/);
      assert.equal((await shop.intent(paid.id)).status, "requires_payment");
    } finally {
      await control(service, "/faults", { mode: "none" });
    }
  });

test("§4.5 when the chain is back the same signature confirms", async () => {
  const paid = await shop.create();
  const { signature } = await pay(service, paid);
  await control(service, "/faults", { mode: "server_error" });
  assertError(await shop.confirm(paid.id, signature), 503, "chain_unavailable");
  await control(service, "/faults", { mode: "none" });
  // The node rests a moment after a failure: the answer says to come again.
  const answer = await untilTaken(() => shop.confirm(paid.id, signature));
  assert.deepEqual([answer.status, answer.json.outcome], [200, "bound"]);
});
