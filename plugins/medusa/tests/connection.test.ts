import assert from "node:assert/strict";
import { test } from "node:test";

// By its address, since the plugin's types are its own.
const { connect } = await import(new URL("../src/connection.ts", import.meta.url).href);

test("a shop without an endpoint starts, and has no secret to verify by", () => {
  const { webhookSecrets, environment } = connect({
    HOLDFAST_API_URL: "https://pay.example.com/api/v1",
    HOLDFAST_API_KEY: "sk_test_1",
  });
  assert.deepEqual({ webhookSecrets, environment }, { webhookSecrets: [], environment: "test" });
});
