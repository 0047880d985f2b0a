import assert from "node:assert/strict";
import { test } from "node:test";
import { isNewer } from "./stateOrder.ts";

const at = (version: number, ms: number, state = "waiting", final = false) => ({ version, at: ms, state, final });

test("§12.4 what arrives late does not replace what is newer", () => {
  assert.equal(isNewer(at(2, 20), at(1, 30)), false);
  assert.equal(isNewer(at(2, 20), at(2, 10)), false);
  assert.equal(isNewer(at(2, 20), at(2, 30)), true);
  assert.equal(isNewer(at(2, 20), at(3, 10)), true);
});

test("§12.4 a final state gives way only to what a further event made, and to a payment that was reported or sent", () => {
  const expired = at(1, 20, "expired", true);
  assert.equal(isNewer(expired, at(1, 30, "waiting")), false);
  assert.equal(isNewer(expired, at(1, 30, "expired")), true, "reported");
  assert.equal(isNewer(expired, at(1, 30, "in_flight")), true, "sent");
  assert.equal(isNewer(expired, at(2, 30, "protected")), true, "a late payment");
});
