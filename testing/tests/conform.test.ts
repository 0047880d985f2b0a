import assert from "node:assert/strict";
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Holdfast, shouldFulfill } from "@holdfast/sdk";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { inForm } from "../../tests/harness/form.ts";
import { findFreePorts } from "../../tests/harness/ports.ts";
import { HUNG_MS } from "../../tests/harness/wait.ts";
import { type ConformOptions, conform, describeReport, junitOf, newSecret, type Report } from "../index.ts";
import { GOOD, type Parts, startShop } from "./shop.ts";

/** The shop of these tests acts before it answers, on a machine that may be busy. */
const QUICK = { effectMsMax: 250, answerMsMax: HUNG_MS };
/** A busy machine runs no more of them in time. */
const AT_ONCE = 6;

async function tryShop(changes: Partial<Parts>, options: Partial<ConformOptions> = {}): Promise<Report> {
  const secrets = [newSecret(), newSecret()];
  await using shop = await startShop(changes, secrets);
  const { url, probe, restart, returnUrl } = shop;
  return await conform({ ...{ url, secrets, probe, restart, returnUrl }, ...QUICK, ...options });
}

const failed = ({ checks }: Report): string[] =>
  checks.filter(({ verdict }) => verdict === "fail").map(({ name }) => name);

/** Verifies by hand the service's own scheme, with one mistake. */
const byHand =
  (mistake: "tolerance" | "first"): Parts["verify"] =>
  async (body, headers, secrets) => {
    const parts = String(headers["service-signature"] ?? "")
      .split(",")
      .map((part) => part.split("="));
    const time = Number(parts.find(([name]) => name === "t")?.[1]);
    if (mistake !== "tolerance" && !(Math.abs(Date.now() / 1_000 - time) <= 300)) return null;
    const given = parts.filter(([name]) => name === "v1").map(([, hex = ""]) => Buffer.from(hex, "hex"));
    const known = mistake === "first" ? given.slice(0, 1) : given;
    const isGenuine = secrets.some((secret) => {
      const wanted = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
      return known.some((one) => one.length === wanted.length && timingSafeEqual(one, wanted));
    });
    return isGenuine ? JSON.parse(String(body)) : null;
  };

/** Each mistake, and the checks that must find it. */
const PLANTED: Readonly<Record<string, readonly [mistake: Partial<Parts>, found: readonly string[]]>> = {
  "does not verify": [
    { verify: async (body) => JSON.parse(String(body)) },
    ["unsigned", "empty_signature", "wrong_secret", "other_delivery", "stale", "changed_body", "head"],
  ],
  "verifies only what is signed": [
    {
      verify: (body, headers, secrets) =>
        headers["service-signature"] === undefined
          ? Promise.resolve(JSON.parse(String(body)))
          : GOOD.verify(body, headers, secrets),
    },
    ["unsigned", "head"],
  ],
  "verifies JSON that was parsed and written again": [
    {
      verify: (body, headers, secrets) =>
        GOOD.verify(Buffer.from(JSON.stringify(JSON.parse(String(body)))), headers, secrets),
    },
    ["raw_body", "head"],
  ],
  "has no limit of time": [{ verify: byHand("tolerance") }, ["stale"]],
  "reads the first signature alone": [{ verify: byHand("first") }, ["second_signature"]],
  "knows the new secret alone": [
    { verify: (body, headers, secrets) => GOOD.verify(body, headers, secrets.slice(0, 1)) },
    ["old_secret"],
  ],
  "takes small bodies alone": [{ bodyBytesMax: 32_768 }, ["large_body"]],
  "refuses types that it does not know": [
    { statusOf: ({ type }) => (type === "payment.audited" ? 422 : 204) },
    ["unknown_type"],
  ],
  "parses a body that may not be there": [
    {
      verify: (body, headers, secrets) => {
        JSON.parse(String(body));
        return GOOD.verify(body, headers, secrets);
      },
    },
    ["head"],
  ],
  "answers a repeat by a conflict": [{ statusOf: (_event, isRepeat) => (isRepeat ? 409 : 204) }, ["repeat_answer"]],
  "leads to another address": [{ statusOf: () => 307 }, ["redirect"]],
  "answers when its work is done": [{ workMs: 3_000 }, ["timely"]],
  "knows no repeat": [
    { idOf: () => String(Math.random()), keyOf: () => String(Math.random()) },
    ["repeat", "at_once", "resent_later", "unsigned_id", "full_refund", "reverted", "restart"],
  ],
  "knows a repeat by a header": [
    { idOf: (_event, headers) => String(headers["service-event-id"]), keyOf: (event) => `${event.id}${Math.random()}` },
    ["unsigned_id", "reverted"],
  ],
  "knows events, not orders": [{ keyOf: ({ id }) => id }, ["reverted"]],
  "looks before it writes": [
    {
      idOf: () => String(Math.random()),
      race: async (others) => {
        do await sleep(50);
        while (others() > 0);
      },
      takesBack: () => false,
    },
    ["at_once", "full_refund"],
  ],
  "ships late orders": [
    {
      mayShip: (event, others) => GOOD.mayShip({ ...event, type: event.type.replace("paid_late", "paid") }, others),
    },
    ["late"],
  ],
  "acts before it verifies": [
    { actsBeforeItVerifies: true },
    ["unsigned", "empty_signature", "wrong_secret", "changed_body", "other_delivery", "stale", "full_refund"],
  ],
  "looks at an event by itself": [
    { mayShip: (event) => GOOD.mayShip(event, []) },
    ["refunded_first", "disputed_first", "reverted_first"],
  ],
  "ships past the seats": [
    {
      mayShip: (event, others) =>
        GOOD.mayShip(JSON.parse(JSON.stringify(event).replace('"overLimit":true', '"overLimit":false')), others),
    },
    ["over_limit"],
  ],
  "ships for tokens of test": [
    { mayShip: (event, others) => shouldFulfill(event, { environment: event.environment, others }) },
    ["environment"],
  ],
  "ships what is disputed": [
    {
      mayShip: (event, others) => event.type === "payment.disputed" || GOOD.mayShip(event, others),
      keyOf: ({ data }) => data.object.intent ?? data.object.id,
    },
    ["other_types", "disputed_first"],
  ],
  "refuses what was found late": [
    { mayShip: (event, others) => event.data.object.payment?.late !== true && GOOD.mayShip(event, others) },
    ["found_after_expiry"],
  ],
  "ships to who comes back": [{ shipsOnReturn: true }, ["return_url"]],
  "answers before it saves": [{ savesLate: true }, ["restart"]],
  "adds refunds up": [
    {
      refundedAmount: (before, { data: { object } }) => String(BigInt(before) + BigInt(object.refundTotal ?? 0)),
    },
    ["refund_total", "large_amount"],
  ],
  "counts in floats": [
    {
      refundedAmount: (before, { data: { object } }) =>
        String(Math.max(Number(before), Number(object.refundTotal ?? 0))),
    },
    ["large_amount"],
  ],
  "ships for every payment": [
    { mayShip: ({ type }) => type === "payment.protected", keyOf: ({ id }) => id },
    ["late", "duplicate", "duplicate_refund", "reverted", "corrected", "repeat", "at_once"].concat([
      "resent_later",
      "unsigned_id",
      "partial_refund",
      "full_refund",
      "other_types",
      "restart",
    ]),
  ],
  "ships on any terms": [
    { mayShip: (event, others) => event.type === "payment_intent.payment_mismatch" || GOOD.mayShip(event, others) },
    ["mismatch"],
  ],
  "ships what goes back": [
    { mayShip: ({ type }) => type === "payment_intent.paid" },
    ["going_back", "over_limit", "environment", "refunded_first", "disputed_first", "reverted_first"],
  ],
  "takes a part for all": [
    { takesBack: (event) => GOOD.takesBack(event) || event.type === "payment.partially_refunded" },
    ["partial_refund"],
  ],
  "takes a duplicate for the order": [{ takesBack: ({ type }) => type === "payment.refunded" }, ["duplicate_refund"]],
};

test("a handler without a mistake passes every check", async () => {
  const report = await tryShop({});
  assert.deepEqual(failed(report), [], describeReport(report));
  assert.deepEqual(
    report.checks.filter(({ verdict }) => verdict !== "ok").map(({ name }) => name),
    [],
  );
  assert.deepEqual(report.schemes, ["Service-Signature", "Standard Webhooks"]);
});

type Planted = readonly [name: string, mistake: Partial<Parts>, found: readonly string[]];

/** A mistake in when the shop ships, with one in another part, where neither hides the other: their checks are apart. */
function drafted(): readonly Planted[] {
  const alone = Object.entries(PLANTED).map(([name, [mistake, found]]): Planted => [name, mistake, found]);
  if (inForm({ short: false, long: true })) return alone;
  const isEffect = ([, mistake]: Planted) => EFFECT_PARTS.some((part) => part in mistake);
  const isWide = ([, mistake, found]: Planted) =>
    "actsBeforeItVerifies" in mistake ||
    "savesLate" in mistake ||
    found.some((check) => check === "redirect" || check === "timely");
  const [effects, others] = [alone.filter(isEffect), alone.filter((one) => !isEffect(one) && !isWide(one))];
  const pairs = others.map(([name, mistake, found], index): Planted => {
    const [other, second, foundToo] = effects[index]!;
    return [`${name}, and ${other}`, { ...mistake, ...second }, [...found, ...foundToo]];
  });
  return [...alone.filter(isWide), ...pairs, ...effects.slice(others.length)];
}
const EFFECT_PARTS: readonly (keyof Parts)[] = ["idOf", "keyOf", "mayShip", "takesBack"];

test(`each of ${Object.keys(PLANTED).length} planted mistakes is found by its checks and by no other, and its finding says how to mend it`, async () => {
  const left = [...drafted()];
  const work = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const [name, mistake, expected] = one;
      // The service's ten seconds would be long to wait for.
      const report = await tryShop(mistake, mistake.workMs === undefined ? {} : { answerMsMax: mistake.workMs / 3 });
      assert.deepEqual(failed(report).sort(), [...expected].sort(), name);
      assert.equal(report.passed, false);
      for (const { finding } of report.checks.filter(({ verdict }) => verdict === "fail")) {
        assert.match(finding!.sent, /^curl -[iI] 'http:\/\/127\.0\.0\.1:\d+\/(hooks|thanks\?order=[\w-]+)'( -H |$)/);
        for (const framework of ["Express", "Fastify", "Hono", "Next"] as const)
          assert.ok(finding!.mend[framework].length > 20 && finding!.costs.length > 20);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
});

test("the verifiers of Stripe and of Standard Webhooks have no finding; a stamp of the future and a byte order mark are notes", async () => {
  const secret = newSecret();
  const stripe: Parts["verify"] = async (body, headers) =>
    Stripe.webhooks.constructEvent(body, String(headers["service-signature"] ?? ""), secret);
  const standard: Parts["verify"] = async (body, headers) =>
    new Webhook(secret).verify(String(body), headers as Record<string, string>);
  for (const [verify, schemes] of [
    [stripe, ["Service-Signature"]],
    [standard, ["Standard Webhooks"]],
  ] as const) {
    await using shop = await startShop({ verify: (...given) => verify(...given).catch(() => null) }, [secret]);
    const report = await conform({ url: shop.url, secrets: [secret], ...QUICK });
    assert.deepEqual([failed(report), report.passed, report.schemes], [[], true, schemes], describeReport(report));
    const of = (verdict: string) => report.checks.filter((one) => one.verdict === verdict).map(({ name }) => name);
    assert.deepEqual(of("note"), verify === stripe ? ["future", "byte_order_mark"] : []);
    assert.ok(of("not_judged").includes("at_once"), "without a probe the report says what was not judged");
  }
});

test("a shop that makes its intents, and reads them before it ships, passes with the kit in place of the API", async () => {
  const apiPort = await findFreePorts(1);
  const client = new Holdfast({ apiKey: "sk_test_1", baseUrl: `http://127.0.0.1:${apiPort}` });
  const terms = {
    ...{ recipient: "14o8iuu4aCmiFSRK4VQoXFRk9z1Ko1HMAEhFHUPTokqP", amount: "5000000" },
    ...{ asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", protectionPeriod: "sevenDays" as const },
  };
  const report = await tryShop(
    {
      mayShip: async (event) => {
        if (event.type !== "payment_intent.paid") return false;
        const intent = await client.paymentIntents.retrieve(event.data.object.id);
        return shouldFulfill(event, { environment: "test", intent });
      },
    },
    {
      ...{ apiPort, only: ["effects"] },
      createOrder: async () => {
        const merchantReference = `order-${randomUUID()}`;
        const made = await client.paymentIntents.create({ ...terms, merchantReference });
        assert.deepEqual(await client.paymentIntents.retrieve(made.id), made);
        return merchantReference;
      },
    },
  );
  // In one order of the events the payment was released before it was heard of: nothing is shipped then.
  assert.deepEqual(failed(report), [], describeReport(report));
  assert.equal(report.checks.filter(({ group, verdict }) => group === "effects" && verdict === "ok").length, 26);
});

test("a report has words and JUnit for it, without the secret and without a signature; a check can be asked for alone", async () => {
  const secrets = [newSecret()];
  await using shop = await startShop(PLANTED["takes small bodies alone"]![0], secrets);
  const report = await conform({ url: shop.url, secrets, only: ["large_body", "authenticity"], ...QUICK });
  assert.deepEqual([...new Set(report.checks.map(({ group }) => group))].sort(), ["answering", "authenticity"]);
  const described = describeReport(report);
  assert.match(described, /FAIL {8}large_body/);
  assert.match(described, /express\.raw\(/);
  assert.match(described, /^Failed: http/m);
  const junit = junitOf(report);
  assert.match(junit, /<testsuite name="holdfast conform" tests="\d+" failures="1"/);
  for (const text of [described, junit, JSON.stringify(report)]) {
    assert.ok(!text.includes(secrets[0]!));
    assert.match(text, /Service-Signature: t=\d+,v1=(<|&lt;)signature(>|&gt;)/);
    assert.doesNotMatch(text, /v1[=,][A-Za-z0-9+/]/);
  }
});

test("nothing is sent beyond this machine unless the caller says that the host is theirs", async () => {
  const secrets = [newSecret()];
  for (const url of [
    "https://shop.example/hooks",
    "http://127.0.0.1.shop.example/",
    "http://10.0.0.1/",
    "x",
    "ftp://localhost/",
  ])
    await assert.rejects(conform({ url, secrets }), { name: "ConformError" }, url);
  await assert.rejects(conform({ url: "http://localhost:9/", secrets: [] }), /signing secret/);
  await assert.rejects(
    conform({ url: "http://localhost:9/", secrets, only: ["nothing"] }),
    /There is no check nothing/,
  );
  const dead = await conform({ url: "http://127.0.0.1:9/", secrets, ...QUICK });
  assert.deepEqual(failed(dead), ["genuine"]);
  const foreign = await conform({ url: "http://handler.invalid/", secrets, ownHost: true, ...QUICK });
  assert.equal(foreign.passed, false);
});
