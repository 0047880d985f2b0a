import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ERRORS, STAFF_ERRORS } from "../domain/errors.ts";
import { EVENT_TYPES } from "../features/events/eventTypes.ts";

test("docs/openapi.json has a webhook for every event type and an example for every error code", () => {
  const { webhooks, components } = JSON.parse(
    readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"),
  );
  assert.deepEqual(Object.keys(webhooks), [...EVENT_TYPES, "webhook.test"]);
  const ofMerchants = Object.keys(ERRORS).filter((code) => !STAFF_ERRORS.some((one) => one === code));
  for (const code of ofMerchants) assert.notEqual(components.examples[code], undefined, code);
});
