import assert from "node:assert/strict";
import { test } from "node:test";

// By its address, since the plugin's types are its own.
const { connect, connection } = await import(new URL("../src/connection.ts", import.meta.url).href);

const ENV = { HOLDFAST_API_URL: "https://pay.example.com/api/v1/", HOLDFAST_API_KEY: "sk_test_1" };

test("a shop without an endpoint starts by two variables, and has no secret to verify by", () => {
  connect({}, ENV);
  const { webhookSecrets, environment, serviceUrl, returnUrl } = connection();
  assert.deepEqual(
    { webhookSecrets, environment, serviceUrl, returnUrl },
    { webhookSecrets: [], environment: "test", serviceUrl: "https://pay.example.com", returnUrl: null },
  );
});

test("a rolled secret's variable has both; an option counts before its variable", () => {
  const env = { ...ENV, HOLDFAST_WEBHOOK_SECRET: "whsec_new whsec_old" };
  connect({ apiKey: "sk_live_2" }, env);
  assert.deepEqual(connection().webhookSecrets, ["whsec_new", "whsec_old"]);
  assert.equal(connection().environment, "live");
  connect({ webhookSecrets: ["whsec_given"] }, env);
  assert.deepEqual(connection().webhookSecrets, ["whsec_given"]);
});

test("a shop without a key does not start", () => {
  assert.throws(() => connect({}, { ...ENV, HOLDFAST_API_KEY: "" }), /Set HOLDFAST_API_KEY/);
});
