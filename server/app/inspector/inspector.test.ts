import assert from "node:assert/strict";
import { test } from "node:test";
import { readPasted } from "./inspector.ts";

const HEX = "01a1fc0c51d3c3b2a1908f7e6d5c4b3a";
const SIGNATURE = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";
const ADDRESS = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

test("§13.13.1 what was pasted is known by its form, with blanks, quotes or a link around it", () => {
  for (const [pasted, form, text] of [
    [`pi_test_5szw${HEX}`, "payment_intent"],
    [`evt_live_5szw${HEX}`, "event"],
    [`we_test_5szw${HEX}`, "webhook_endpoint"],
    [`del_test_5szw${HEX}${HEX}`, "webhook_delivery"],
    [`key_test_5szw${HEX}`, "api_key"],
    [`req_${HEX}`, "request"],
    [SIGNATURE, "transaction"],
    [ADDRESS, "address"],
    ["8639887721275585902", "payment_id"],
    ["order-1001", "reference"],
    ["9223372036854775808", "reference"],
    [`  "pi_test_5szw${HEX}",\n`, "payment_intent", `pi_test_5szw${HEX}`],
    [`https://pay.shop.com/pay/i/pi_test_5szw${HEX}?x=1`, "payment_intent", `pi_test_5szw${HEX}`],
    [`https://explorer.solana.com/tx/${SIGNATURE}?cluster=devnet`, "transaction", SIGNATURE],
    [`https://dash.shop.com/dashboard/biz_${HEX}/test/requests/req_${HEX}`, "request", `req_${HEX}`],
  ] as const)
    assert.deepEqual(readPasted(pasted), { form, text: text ?? pasted }, pasted);
});

test("§13.13.1 a secret is not looked for and not given back, wherever it stands", () => {
  for (const pasted of [`sk_test_${HEX}`, `Authorization: Bearer sk_live_${HEX}`, "whsec_c2VjcmV0", `"whsec_${HEX}"`])
    assert.deepEqual(readPasted(pasted), { form: "secret", text: "" }, pasted);
});

test("§13.13.1 a row of quotes, however long, holds nobody up", () => {
  const beganAt = process.cpuUsage();
  const quotes = "'".repeat(20_000);
  for (const pasted of [`x${quotes}x`, quotes, `x${quotes.slice(0, 998)}x`]) readPasted(pasted);
  assert.ok(process.cpuUsage(beganAt).user < 500_000, "microseconds");
  assert.deepEqual(readPasted(`";pi_test_5szw${HEX}',;`), { form: "reference", text: `;pi_test_5szw${HEX}` });
});

test("§13.13.1 nothing, and more than anybody pastes, is nothing", () => {
  for (const pasted of ["", "  ", '""', "x".repeat(1_001)]) assert.equal(readPasted(pasted).form, "nothing");
});
