import assert from "node:assert/strict";
import { test } from "node:test";
import { environmentIn, isSecret } from "./place.ts";

const HEX = "01a1fc0c51d3c3b2a1908f7e6d5c4b3a";

test("an id that names its environment says it, also within a link; any other says nothing", () => {
  assert.equal(environmentIn(`pi_live_5szw${HEX}`), "live");
  assert.equal(environmentIn(`https://pay.shop.com/pay/i/pi_test_5szw${HEX}`), "test");
  assert.equal(environmentIn(`del_test_5szw${HEX}${HEX}`), "test");
  for (const text of [`req_${HEX}`, "pi_live_1", `sk_live_5szw_${HEX}`]) assert.equal(environmentIn(text), null, text);
});

test("secrets are known before they are sent", () => {
  for (const text of ["sk_test_a", "Bearer sk_live_abc", "whsec_x"]) assert.equal(isSecret(text), true, text);
  for (const text of [`key_test_5szw${HEX}`, "whsec_", "task_test_1"])
    assert.equal(isSecret(text), text === "task_test_1", text);
});
