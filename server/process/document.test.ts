import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ERRORS } from "../domain/errors.ts";
import { EVENT_TYPES } from "../features/events/event.ts";

test("docs/openapi.json has a webhook for every event type and an example for every error code", () => {
  const { webhooks, components } = JSON.parse(
    readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"),
  );
  assert.deepEqual(Object.keys(webhooks), [...EVENT_TYPES, "webhook.test"]);
  for (const code of Object.keys(ERRORS)) assert.notEqual(components.examples[code], undefined, code);
});
