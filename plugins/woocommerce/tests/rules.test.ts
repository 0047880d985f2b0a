// The plugin's pure rules in PHP answer as the SDK and exact arithmetic do. Runs where the machine has PHP.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { summarizeOrder, type WebhookEvent } from "@holdfast/sdk";
import { verifyWebhook } from "@holdfast/sdk/webhooks";
import { newSecret, signedHeaders } from "@holdfast/testing";

const skip = spawnSync("php", ["-v"]).error !== undefined && "There is no PHP.";
const CASES = 2_000;

type Question = readonly [rule: string, ...given: unknown[]];

/** Asks the rules of the plugin, all in one process. */
function ask(questions: readonly Question[]): unknown[] {
  const input = questions.map(([rule, ...given]) => `${JSON.stringify({ rule, given })}\n`).join("");
  const { stdout, stderr, status } = spawnSync("php", [join(import.meta.dirname, "rules.php")], {
    ...{ input, encoding: "utf8", maxBuffer: 100_000_000 },
  });
  assert.equal(status, 0, stderr + stdout);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const pick = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)]!;

/** Events of up to three payments of an order, in any order, of any kind: most of them would never come so. */
function drawEvents(): WebhookEvent[] {
  const draw = (sequence: number) => {
    const payment = {
      ...{ object: "payment", id: pick(["PayA", "PayB", "PayC"]), intent: "pi_test_1" },
      ...{ role: pick(["primary", "primary", "duplicate"]), overLimit: pick([false, false, false, true]) },
      ...{ status: pick(["protected", "disputed", "released", "refunded"]), disputedAt: pick([null, null, "2026"]) },
      ...{ outcome: pick([null, null, "resolved"]), refundTotal: pick(["0", "0", "5", "10"]), amount: "10" },
      lateReason: pick([null, null, "found_after_expiry", "paid_after_cancel"]),
    };
    const type = pick([
      "payment_intent.paid",
      "payment.protected",
      "payment.disputed",
      "payment.reverted",
      "webhook.test",
    ]);
    const intent = { object: "payment_intent", id: "pi_test_1", payment: pick([null, payment]) };
    return {
      ...{ object: "event", id: `evt_${sequence}`, type, environment: pick(["test", "test", "live"]) },
      sequence: type === "webhook.test" ? null : String(sequence * 10 ** randomInt(3)),
      data: { object: type.startsWith("payment_intent") ? intent : payment },
    };
  };
  return Array.from({ length: randomInt(8) }, (_, index) => draw(index + 1)) as unknown as WebhookEvent[];
}

test("a checkout with a transaction that may still land is being paid", { skip }, () => {
  const kinds = [null, "built", "reported", "sent", "ended"];
  const states = kinds.map((kind) => ({ inFlight: kind && { kind, signature: null, until: "2026" } }));
  assert.deepEqual(ask(states.map((state) => ["paying", state])), [false, true, true, true, false]);
});

test("payments of a minute ago are known only where the chain was read since", { skip }, () => {
  const chains = [null, 0, 60, 61].map((behindSeconds) => ({ behindSeconds }));
  assert.deepEqual(ask(chains.map((chain) => ["upToDate", chain])), [false, true, true, false]);
});

test("an order has the state that the SDK gives the same events", { skip }, () => {
  const drawn = Array.from({ length: CASES }, drawEvents);
  const entered = drawn.map(() => pick([null, "PayA", "PayB", "PayC"]));
  const answers = ask(drawn.map((events, index) => ["summary", events, "test", entered[index]]));
  for (const [index, events] of drawn.entries()) {
    const summary = summarizeOrder(events, { environment: "test", entered: entered[index] });
    assert.deepEqual(answers[index], JSON.parse(JSON.stringify(summary)));
  }
});

test("amounts are exact, far beyond the integers of PHP", { skip }, () => {
  const drawn = Array.from({ length: CASES }, () => {
    const amount = BigInt(`0x${randomBytes(randomInt(1, 9)).toString("hex")}`) + 1n;
    const refundTotal = (amount * BigInt(randomInt(1_000))) / 999n;
    return { amount, refundTotal, total: BigInt(randomInt(1, 10 ** 9)), share: BigInt(randomInt(10 ** 9)) };
  });
  const shares = ask(drawn.map((one) => ["share", String(one.refundTotal), String(one.amount), Number(one.total)]));
  const tokens = ask(drawn.map((one) => ["tokens", Number(one.share), String(one.amount), Number(one.total)]));
  for (const [index, { amount, refundTotal, total, share }] of drawn.entries()) {
    assert.equal(shares[index], Number((total * refundTotal) / amount));
    assert.equal(tokens[index], String((share * amount + total - 1n) / total));
  }
});

test("prices have the places of their currency", { skip }, () => {
  const answers = ask([
    ["minor", "24.5", "USD"],
    ["minor", 1.005, "KWD"],
    ["minor", "2400", "JPY"],
    ["major", 5, "USD"],
    ["major", 1005, "KWD"],
    ["major", 2400, "JPY"],
    ["units", "24.50", 6],
    ["units", "24.50", 1],
    ["units", "2400", 0],
    ["units", "0.05", 9],
  ]);
  assert.deepEqual(answers, [2450, 1005, 2400, "0.05", "1.005", "2400", "24500000", "245", "2400", "50000000"]);
});

test("a delivery is taken exactly if the SDK takes it", { skip }, async () => {
  const [secret, old] = [newSecret(), newSecret()];
  const event = { id: "evt_test_1", type: "payment.protected", sequence: "1", apiVersion: "2026-11-20" };
  const body = JSON.stringify(event);
  const now = new Date();
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
  const headerOf = (...signed: Parameters<typeof signedHeaders>) => signedHeaders(...signed)["Service-Signature"]!;
  const right = headerOf(event, body, secret, now);
  const cases: readonly (readonly [body: string, header: string])[] = [
    [body, right],
    [body, headerOf(event, body, [newSecret(), secret], now)],
    [body, headerOf(event, body, old, now)],
    [body, headerOf(event, body, secret, ago(299))],
    [body, headerOf(event, body, secret, ago(301))],
    [body, headerOf(event, body, secret, ago(-301))],
    [body, headerOf(event, body, newSecret(), now)],
    [body.replace("evt", "evu"), right],
    [`\ufeff${body}`, right],
    [body, ""],
    [body, "t=,v1="],
    [body, `${right},t=1`],
    [body, right.replace(/v1=.*/, "v1=")],
    [body, right.replace("v1=", "v0=")],
    [body, right.toUpperCase()],
    [body, right.replaceAll(",", ", ")],
    ["[]", headerOf(event, "[]", secret, now)],
    ["{", headerOf(event, "{", secret, now)],
  ];
  const at = Math.floor(now.getTime() / 1_000);
  const answers = ask(cases.map(([sent, header]) => ["verify", sent, header, [secret, old], at]));
  for (const [index, [sent, header]] of cases.entries()) {
    const headers = { "Service-Signature": header };
    const isTaken = await verifyWebhook(sent, headers, [secret, old], { now: new Date(at * 1_000) }).then(
      () => true,
      () => false,
    );
    assert.equal(answers[index], isTaken, `case ${index}: ${header}`);
  }
});
