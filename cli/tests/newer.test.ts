import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { verifyWebhook } from "@holdfast/sdk/webhooks";
import { newSecret, signedHeaders } from "@holdfast/testing";
import { newUser, type User } from "./cli.ts";

const RESTED = { fromTheFuture: { deep: [1, null] } };
const INTENT = {
  ...{ object: "payment_intent", id: "pi_test_1", status: "on_hold", amount: "1", merchantReference: "order-1" },
  ...{ recipient: "r", asset: "a", protectionPeriod: "ninetyDays", createdAt: "2030-01-01T00:00:00.000Z" },
  ...{ expiresAt: "2030-01-02T00:00:00.000Z", payment: null, checkoutUrl: null, ...RESTED },
};
const PAYMENT = {
  ...{
    object: "payment",
    id: "9XU3",
    status: "frozen",
    role: "triplicate",
    intent: "pi_test_1",
    amount: "1",
    ...RESTED,
  },
  ...{ amountReleased: "0", amountRefunded: "0", outcome: "burned", protectionDeadline: null, signature: null },
};
const EVENT = {
  ...{ object: "event", id: "evt_test_1", type: "subscription.renewed", apiVersion: "2030-01-01", environment: "test" },
  ...{ sequence: "1", occurredAt: "2030-01-01T00:00:00.000Z", createdAt: "2030-01-01T00:00:00.000Z" },
  data: { object: { object: "subscription", plan: "monthly" }, ...RESTED },
};
const page = (item: object) => ({
  ...{ object: "list", data: [item], hasMore: false, oldestSequence: "1", lastSequence: "1", ...RESTED },
});
const BUSINESS = {
  ...{ object: "business", id: "biz_1", name: "Shop", environment: "sandbox", ...RESTED },
  apiKey: { id: "key_1", scope: "granular", ...RESTED },
};
const ANSWERS: Readonly<Record<string, object>> = {
  "/me": BUSINESS,
  "/chain": { object: "chain", nodes: { healthy: 2, total: 2, ...RESTED }, behindSeconds: 1, ...RESTED },
  "/payment-intents": page(INTENT),
  "/payment-intents/pi_test_1": INTENT,
  "/payments": page(PAYMENT),
  "/payments/9XU3": PAYMENT,
  "/events": page(EVENT),
  "/events/evt_test_1": EVENT,
};

let user: User;
const server = createServer((request, response: ServerResponse) => {
  const { pathname } = new URL(request.url!, "http://localhost");
  const answer = ANSWERS[pathname.replace("/api/v1", "")];
  response.setHeader("Service-Api-Version", "2030-01-01");
  const refusal = { error: { code: "quota_of_the_future", message: "Not today.", hint: RESTED } };
  response.writeHead(answer === undefined ? 418 : 200, { "Content-Type": "application/json; v=9" });
  response.end(JSON.stringify(answer ?? refusal));
});
before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  user = await newUser({ HOLDFAST_API_KEY: "sk_test_1", HOLDFAST_API_URL: `http://127.0.0.1:${port}` });
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await user?.[Symbol.asyncDispose]();
});

test("a newer service breaks no command: fields, statuses, event types and error codes that are not known are passed on", async () => {
  const passed: readonly (readonly [words: string, item: object])[] = [
    ["intents get pi_test_1", INTENT],
    ["intents list", INTENT],
    ["payments get 9XU3", PAYMENT],
    ["payments list", PAYMENT],
    ["events get evt_test_1", EVENT],
    ["events list", EVENT],
    ["events tail --after 0 --exit-after 1", EVENT],
    ["listen --since 0 --exit-after 1", EVENT],
  ];
  await Promise.all(
    passed.map(async ([words, item]) => {
      const { code, lines, errors } = await user.run([...words.split(" "), "--json"]);
      assert.deepEqual([code, lines], [0, [item]], `${words}: ${errors}`);
      const inWords = await user.run([...words.replace("listen", "listen --no-resume").split(" ")]);
      assert.equal(inWords.code, 0, `${words}: ${inWords.errors}`);
    }),
  );
  const doctor = await user.run(["doctor", "--json"]);
  assert.deepEqual(
    [doctor.code, doctor.lines[3]],
    [0, { check: "version", verdict: "warn", says: "the API is 2030-01-01, these commands know 2026-11-20" }],
  );
  assert.equal((await user.run(["whoami"])).code, 0);
  const refused = await user.run(["intents", "get", "pi_test_2"]);
  assert.equal(refused.code, 1);
  assert.match(refused.errors, /^quota_of_the_future: Not today\./);
});

test("a delivery of a newer service verifies, whatever its type", async () => {
  const secret = newSecret();
  const body = JSON.stringify(EVENT);
  const event = await verifyWebhook(body, signedHeaders(EVENT, body, secret), secret);
  assert.equal(String(event.type), "subscription.renewed");
});
