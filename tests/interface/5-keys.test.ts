import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { admin } from "../harness/admin.ts";
import { type ApiProcess, startApiProcess } from "../harness/apiProcess.ts";
import { advance } from "../harness/chain.ts";
import { inForm } from "../harness/form.ts";
import type { Answer } from "../harness/http.ts";
import { assertError, type Merchant, merchantOf, newMerchant, someTerms } from "../harness/merchant.ts";
import { withinOneMinute } from "../harness/minute.ts";
import { type Service, startService } from "../harness/service.ts";

// A process whose clock is ten minutes ahead: what it says of the time must not matter.
const AHEAD = `data:text/javascript,${encodeURIComponent(
  "const real=Date.now.bind(Date),Real=Date;globalThis.Date=class extends Real{constructor(...a){a.length?super(...a):super(real()+6e5)}static now(){return real()+6e5}}",
)}`;

// A longer run: TRIALS=1000 npm test -- tests/interface/5-keys.test.ts
const TRIALS = Number(process.env.TRIALS ?? inForm({ short: 5, long: 20 }));

let service: Service;
let others: ApiProcess[] = [];
before(async () => {
  service = await startService();
  others = await Promise.all([
    startApiProcess(service),
    startApiProcess(service, { NODE_OPTIONS: `--import ${AHEAD}` }),
  ]);
});
after(async () => {
  await Promise.all(others.map((other) => other.kill("SIGTERM")));
  await service?.remove();
});

const everywhere = (merchant: Merchant): Merchant[] => [
  merchant,
  ...others.map((other) => merchantOf(other.service, merchant.business, merchant.keyId, merchant.key)),
];

test("§5.4 a revoked key is refused on the very next request, on each of three processes", async () => {
  for (let trial = 0; trial < TRIALS; trial++) {
    const callers = everywhere(await newMerchant(service));
    for (const caller of callers) assert.equal((await caller.get("/me")).status, 200);
    await admin(service, "key", "revoke", callers[0]!.keyId);
    const answers = await Promise.all(callers.map((caller) => caller.get("/me")));
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [401, 401, 401],
    );
  }
});

test("§8.1 over three processes exactly 120 requests of a key pass in a minute, whatever their clocks", async () => {
  const watch = await newMerchant(service);
  await withinOneMinute(watch, async () => {
    const callers = everywhere(await newMerchant(service, { rate: 120 }));
    const answers = await Promise.all(Array.from({ length: 500 }, (_, index) => callers[index % 3]!.get("/me")));
    const passed = answers.filter((answer: Answer) => answer.status === 200);
    // A request may be counted and then wait too long for the database of a slow machine: it is 503.
    const late = answers.filter((answer: Answer) => answer.status === 503);
    assert.ok(
      passed.length <= 120 && passed.length + late.length >= 120,
      `${passed.length}, and ${late.length} of 503`,
    );
    for (const answer of answers) {
      if (answer.status === 503) continue;
      assert.equal(answer.headers["ratelimit-limit"], "120");
      if (answer.status === 200) continue;
      assertError(answer, 429, "rate_limited");
      assert.equal(answer.headers["ratelimit-remaining"], "0");
      assert.equal(answer.headers["retry-after"], answer.headers["ratelimit-reset"]);
      assert.ok(Number(answer.headers["retry-after"]) >= 1 && Number(answer.headers["retry-after"]) <= 60);
    }
    const remaining = passed.map((answer) => Number(answer.headers["ratelimit-remaining"]));
    assert.equal(new Set(remaining).size, passed.length);
    assert.ok(remaining.every((one) => one >= 0 && one < 120));
  });
});

test("§4.1 of twenty creates with one reference at three processes one wins; expiry frees it at once", async () => {
  const callers = everywhere(await newMerchant(service));
  const terms = someTerms(service);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => callers[index % 3]!.call("POST", "/payment-intents", terms)),
  );
  const [made, ...more] = answers.filter((answer) => answer.status === 201);
  assert.equal(more.length, 0);
  for (const answer of answers.filter((other) => other !== made))
    assert.equal(assertError(answer, 409, "reference_in_use").intent, made!.json.id);

  await advance(service, 86_402);
  assert.equal((await callers[0]!.intent(made!.json.id)).status, "expired");
  assert.equal((await callers[0]!.call("POST", "/payment-intents", terms)).status, 201);
});
