import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ApiProcess, startApiProcess } from "../harness/apiProcess.ts";
import { assertError, type Merchant, merchantOf, newMerchant, someTerms, untilTaken } from "../harness/merchant.ts";
import { type RunningService, startService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

// A longer run: BUSINESSES=1000 npm test -- tests/interface/4-8-idempotency
const BUSINESSES = Number(process.env.BUSINESSES ?? 20);

let service: RunningService;
let second: ApiProcess;
before(async () => {
  // A thousand requests at once keep those of other files waiting.
  service = await startService();
  second = await startApiProcess(service);
});
after(async () => {
  await second?.kill("SIGTERM");
  await service?.remove();
});

const keyed = (key: string): [string, string][] => [["Idempotency-Key", key]];
const countIntents = async (merchant: Merchant): Promise<number> =>
  (await untilTaken(() => merchant.get("/payment-intents?limit=100"))).json.data.length;

test("§4.8.1 a key of 1 to 255 printable ASCII characters is taken; any other is 400 bad_request", async () => {
  const merchant = await newMerchant(service);
  for (const key of ["k", "a b", "~".repeat(255), '"quoted"; and, more'])
    assert.equal((await merchant.call("POST", "/payment-intents", someTerms(service), keyed(key))).status, 201, key);
  for (const headers of [keyed(""), keyed("k".repeat(256)), [...keyed("a"), ...keyed("b")], keyed("\u00e9")])
    assertError(await merchant.call("POST", "/payment-intents", someTerms(service), headers), 400, "bad_request");
});

test("§4.8.2 a key is the business's own", async () => {
  const [one, other] = [await newMerchant(service), await newMerchant(service)];
  const terms = someTerms(service);
  await one.call("POST", "/payment-intents", terms, keyed("same"));
  assert.equal(
    (await other.call("POST", "/payment-intents", terms, keyed("same"))).headers["idempotent-replayed"],
    undefined,
  );
});

test("§4.8.3 the same request gets the same bytes again, from any process, in any order of members", async () => {
  const merchant = await newMerchant(service);
  const elsewhere = merchantOf(second.service, merchant.business, merchant.keyId, merchant.key);
  const terms = someTerms(service, { metadata: { b: [1, { y: 2, x: 1 }], a: "1.0" } });
  const first = await merchant.call("POST", "/payment-intents", terms, keyed("k"));
  assert.equal(first.headers["idempotent-replayed"], undefined);
  const turned = Object.fromEntries(
    Object.entries({ ...terms, metadata: { a: "1.0", b: [1, { x: 1, y: 2 }] } }).reverse(),
  );
  for (const body of [terms, turned])
    for (const caller of [merchant, elsewhere]) {
      const replay = await caller.call("POST", "/payment-intents", body, keyed("k"));
      assert.equal(replay.status, 201);
      assert.equal(replay.text, first.text);
      assert.equal(replay.headers["idempotent-replayed"], "true");
      assert.notEqual(replay.headers["request-id"], first.headers["request-id"]);
    }
  assert.equal(await countIntents(merchant), 1);
});

test("§4.8.3 refusals are kept too, of every code that a repeat could change", async () => {
  const merchant = await newMerchant(service);
  const open = await merchant.create({ merchantReference: "taken" });
  const refused: [string, unknown, number, string][] = [
    ["/payment-intents", { recipient: 1 }, 400, "invalid_request"],
    ["/payment-intents", someTerms(service, { merchantReference: "taken" }), 409, "reference_in_use"],
    [`/payment-intents/pi_test_${"0".repeat(36)}/cancel`, undefined, 404, "not_found"],
  ];
  for (const [path, body, status, code] of refused) {
    const first = await merchant.call("POST", path, body, keyed(code));
    const replay = await merchant.call("POST", path, body, keyed(code));
    assert.equal(first.json.error.code, code);
    assert.deepEqual([replay.status, replay.text, replay.headers["idempotent-replayed"]], [status, first.text, "true"]);
  }
  await merchant.cancel(open.id);
  const late = await merchant.call("POST", `/payment-intents/${open.id}/cancel`, undefined, keyed("late"));
  assert.equal(late.json.error.code, "intent_not_cancelable");
  // The reference is free by now, and the kept answer is given all the same.
  const kept = await merchant.call(
    "POST",
    "/payment-intents",
    someTerms(service, { merchantReference: "taken" }),
    keyed("reference_in_use"),
  );
  assertError(kept, 409, "reference_in_use");
});

test("§4.8.4 another body, number spelling, path or query under the key is idempotency_conflict", async () => {
  const merchant = await newMerchant(service);
  const terms = JSON.stringify(someTerms(service, { metadata: {} })).replace('"metadata":{}', '"metadata":{"n":1}');
  assert.equal((await merchant.call("POST", "/payment-intents", terms, keyed("k"))).status, 201);
  assertError(
    await merchant.call("POST", "/payment-intents", terms.replace('"n":1', '"n":1.0'), keyed("k")),
    409,
    "idempotency_conflict",
  );
  assertError(await merchant.call("POST", "/payment-intents?x=1", terms, keyed("k")), 409, "idempotency_conflict");
  assertError(await merchant.call("POST", "/payment-intents", { bad: true }, keyed("k")), 409, "idempotency_conflict");
  assertError(
    await merchant.call("POST", `/payment-intents/pi_test_${"0".repeat(36)}/cancel`, undefined, keyed("k")),
    409,
    "idempotency_conflict",
  );
});

test("§4.8.8 a body with other escapes is the same request, and its answer keeps the first spelling", async () => {
  const merchant = await newMerchant(service);
  const terms = JSON.stringify(someTerms(service, { metadata: { name: "é/ü" } }));
  const escaped = terms
    .replace("é/ü", "\\u00e9\\/\\u00FC")
    .replace("oneDay", "one\\u0044ay")
    .replace("amount", "\\u0061mount");
  assert.notEqual(escaped, terms);
  const made = await merchant.call("POST", "/payment-intents", escaped, keyed("k"));
  assert.equal(made.status, 201, made.text);
  const again = await merchant.call("POST", "/payment-intents", terms, keyed("k"));
  assert.deepEqual([again.status, again.text, again.headers["idempotent-replayed"]], [201, made.text, "true"]);
  assert.ok(made.text.includes("\\u00e9\\/\\u00FC"), "metadata is returned as it was sent");
});

/** A machine that is seconds late closes a connection whose request it has not read in time: its client asks again. */
function unlessClosed(error: NodeJS.ErrnoException): null {
  if (error.code !== "ECONNRESET") throw error;
  return null;
}

test("§4.8.5 fifty requests with one key at two processes have one effect", async () => {
  for (let done = 0; done < BUSINESSES; done += 20) await Promise.all(Array.from({ length: 20 }, oneKeyFiftyTimes));

  async function oneKeyFiftyTimes(): Promise<void> {
    const merchant = await newMerchant(service);
    const elsewhere = merchantOf(second.service, merchant.business, merchant.keyId, merchant.key);
    const terms = someTerms(service);
    const asked = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? merchant : elsewhere)
          .call("POST", "/payment-intents", terms, keyed("once"))
          .catch(unlessClosed),
      ),
    );
    const answers = asked.filter((answer) => answer !== null);
    // On a machine that takes too long over all of them, it asks to come again.
    answers.push(
      await eventually("the key has its answer", async () => {
        const answer = await merchant.call("POST", "/payment-intents", terms, keyed("once"));
        return answer.status === 201 && answer;
      }),
    );
    const made = answers.filter((answer) => answer.status === 201);
    assert.equal(new Set(made.map((answer) => answer.text)).size, 1);
    assert.ok(made.filter((answer) => answer.headers["idempotent-replayed"] === undefined).length <= 1);
    for (const answer of answers)
      if (answer.status === 503) assertError(answer, 503, "unavailable");
      else if (answer.status !== 201) assertError(answer, 409, "idempotency_in_progress");
    assert.equal(await countIntents(merchant), 1);
  }
});

test("§4.8.6 a malformed request and signature_unverified are not kept", async () => {
  const merchant = await newMerchant(service);
  assertError(await merchant.call("POST", "/payment-intents", "[]", keyed("k")), 400, "bad_request");
  assert.equal((await merchant.call("POST", "/payment-intents", someTerms(service), keyed("k"))).status, 201);

  const intent = await merchant.create();
  const signature = "1".repeat(64);
  for (let tries = 0; tries < 2; tries++) {
    const answer = await merchant.call("POST", `/payment-intents/${intent.id}/confirm`, { signature }, keyed("c"));
    assertError(answer, 409, "signature_unverified");
    assert.equal(answer.headers["idempotent-replayed"], undefined);
  }
});

test("§4.8 a GET takes no notice of the key", async () => {
  const merchant = await newMerchant(service);
  const intent = await merchant.create();
  for (const key of ["k", "", "k".repeat(300)])
    assert.equal((await merchant.call("GET", `/payment-intents/${intent.id}`, undefined, keyed(key))).status, 200);
});
