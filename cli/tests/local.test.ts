import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inForm } from "../../tests/harness/form.ts";
import { merchantOf, newMerchant, someTerms } from "../../tests/harness/merchant.ts";
import { localChain, type Service, startService } from "../../tests/harness/service.ts";
import { newUser, type User } from "./cli.ts";

/** Each goes a way of its own; the ways to the others are a part of one of these, or end in another act. */
const WAYS = ["paid_late", "duplicate_payment", "payment_mismatch"]
  .map((one) => `payment_intent.${one}`)
  .concat("payment.partially_refunded", "payment.decided", "dispute.updated", "dispute.closed");
const TYPES = inForm({
  short: WAYS,
  long: [
    "payment.reverted",
    ...WAYS,
    ...["created", "paid", "canceled"].map((one) => `payment_intent.${one}`),
    ...["protected", "disputed", "released", "refunded"].map((one) => `payment.${one}`),
    ...["opened", "decided"].map((one) => `dispute.${one}`),
  ],
});
/** These move the clock, on which the others' payments depend. */
const BY_CLOCK = inForm({
  short: ["payment.settleable"],
  long: ["payment_intent.expired", "payment.settleable"],
});
const AT_ONCE = 5;
/** A payment can be dropped until it is final, and is given up 300 slots after that. */
const FINALIZED_SLOTS = inForm({ short: 32, long: 1_000 });

const PAY = fileURLToPath(new URL("../pay.ts", import.meta.url));
const pay = (env: NodeJS.ProcessEnv, ...words: string[]) =>
  promisify(execFile)(process.execPath, [PAY, ...words], { env });

/** A blockhash lives for 18 seconds, in which a busy machine can sign. */
const SLOT_MS = 120;

let service: Service;
let user: User;
before(async () => {
  service = await startService({ env: localChain({ slotMs: SLOT_MS, finalizedSlots: FINALIZED_SLOTS }) });
  // A key of one's own, and the folder of the run: its players act on that key's intents, too.
  const { key } = await newMerchant(service);
  user = await newUser({
    ...{ HOLDFAST_API_KEY: key, HOLDFAST_API_URL: service.apiUrl },
    HOLDFAST_DATA: service.dataDir,
  });
});
after(async () => {
  await user?.[Symbol.asyncDispose]();
  await service?.remove();
});

async function newIntent(): Promise<string> {
  const { recipient, amount, asset, merchantReference } = someTerms(service) as Record<string, string>;
  const words = ["--recipient", recipient!, "--amount", amount!, "--asset", asset!, "--reference", merchantReference!];
  const { lines, errors } = await user.run(["intents", "create", ...words, "--json"]);
  assert.equal(lines.length, 1, errors);
  return lines[0].id;
}

test("trigger makes every event happen that a merchant's own acts and the chain can lead to", async () => {
  const trigger = async (type: string) => {
    const { code, lines, errors } = await user.run(["trigger", type, "--timeout", "600", "--json"]);
    assert.deepEqual([code, lines.map((event) => event.type)], [0, [type]], `${type}: ${errors}`);
  };
  const left = [...TYPES];
  const work = async () => {
    for (let type = left.shift(); type !== undefined; type = left.shift()) await trigger(type);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const type of BY_CLOCK) await trigger(type);
  for (const type of ["webhook_endpoint.disabled", "events.restored", "webhook.test"]) {
    const { code, errors } = await user.run(["trigger", type]);
    assert.equal(code, 1);
    assert.match(errors, new RegExp(`^${type} cannot be triggered: `));
  }
  assert.equal((await user.run(["trigger", "payment.lost"])).code, 2);
});

test("the players pay, dispute, rule, release and refund, and what the program refuses is said", async () => {
  const [intent, other, third] = [await newIntent(), await newIntent(), await newIntent()];
  const run = async (...words: string[]) => {
    const { code, lines, errors } = await user.run([...words, "--json"]);
    assert.equal(code, 0, `${words.join(" ")}: ${errors}`);
    return lines[0];
  };
  const paid = await run("pay", intent);
  assert.deepEqual([paid.action, paid.intent, paid.status], ["pay", intent, "confirmed"]);
  await run("intents", "wait", intent, "--status", "paid", "--timeout", "600");
  const again = await user.run(["pay", intent]);
  assert.equal(again.code, 1);
  assert.match(again.errors, /has paid this intent already/);
  const second = await run("pay", intent, "--again");
  assert.notEqual(second.sender, paid.sender);
  assert.equal((await run("refund", intent, "--again")).payment, second.payment);
  assert.equal((await run("dispute", intent)).payment, paid.payment);
  await run("rule", intent, "--to", "1000000");

  await run("pay", other);
  await run("dispute", other);
  await run("release", other);
  const tooLate = await user.run(["release", other]);
  assert.equal(tooLate.code, 1);
  await run("pay", third);
  await run("release", third);
  const before = Date.now();
  const moved = await run("advance", "--by", "oneHour");
  assert.ok(Date.parse(moved.now) - before > 3_590_000);
  await run("advance", "--by", String(91 * 86_400));
  assert.equal((await run("close", third)).status, "confirmed");
  for (const words of [
    ["rule", intent, "--to", "half"],
    ["refund", intent, "--total", "1.5"],
    ["advance", "--by", "soon"],
  ])
    assert.equal((await user.run(words)).code, 2, words.join(" "));
});

test("npm run pay has each act as an option, on the run of DATA_DIR", async () => {
  const intent = await newIntent();
  // It pays with the key of the run, which reads no other business's intents.
  const other = { ...process.env, DATA_DIR: service.dataDir };
  await assert.rejects(pay(other, intent), /not_found/);
  const { id } = await merchantOf(service, service.business, "", service.testKey).create();
  const run = async (...words: string[]) => JSON.parse((await pay(other, id, ...words, "--json")).stdout);
  const [paid, again] = [await run(), await run("--again", "--late", "--amount", "7")];
  assert.notEqual(paid.sender, again.sender);
  await run("--refund", "100");
  await run("--dispute");
  assert.deepEqual((await run("--resolve", "1000")).action, "resolve_split");
  assert.equal((await run("--refund", "--again")).payment, again.payment);
  await assert.rejects(pay(other, id, "--release", "--refund"), /unknown option '--refund'/);
  await assert.rejects(pay({ ...other, DATA_DIR: "/nowhere" }, id), /Nothing runs on \/nowhere/);
});

test("away from its folder a key alone plays nobody, and a folder alone is enough", async () => {
  const blind = await user.run(["pay", "pi_test_1"], { HOLDFAST_DATA: "" });
  assert.equal(blind.code, 1);
  assert.match(blind.errors, /HOLDFAST_DATA=/);
  await using stranger = await newUser({ HOLDFAST_DATA: service.dataDir });
  const { code, lines } = await stranger.run(["whoami", "--json"]);
  assert.deepEqual([code, lines[0].business, lines[0].scope], [0, service.business, "full"]);
  assert.equal((await stranger.run(["whoami"], { HOLDFAST_DATA: "/nowhere" })).code, 4);
});

test("the controls take no act that they cannot check", async () => {
  const ask = async (body: unknown) => {
    const answer = await fetch(`${service.controlUrl}/play`, { method: "POST", body: JSON.stringify(body) });
    return [answer.status, ((await answer.json()) as { error?: object }).error === undefined];
  };
  const intent = { recipient: service.recipient, asset: service.asset, amount: "1", paymentId: "1", payment: null };
  const shown = { ...intent, protectionPeriod: "oneDay", expiresAt: new Date().toISOString() };
  for (const body of [
    null,
    { action: "pay" },
    { action: "pay", intent },
    { action: "steal", intent: shown },
    { action: "pay", intent: shown, amount: -1 },
    { action: "release", intent: shown },
  ])
    assert.deepEqual(await ask(body), [400, false], JSON.stringify(body));
});
