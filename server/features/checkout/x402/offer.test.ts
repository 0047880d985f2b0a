import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";
import { canonicalJson, type Terms, termsText } from "@holdfast/escrow-client";
import { readServerOffer } from "./offer.ts";

const KEY_HASH = createHash("sha256").update("an API key").digest();
const [ONE, OTHER] = ["9wJ4ZcbcVpsKqYBqXQ2eXkMF7iQYy6r4Lh1kBSyY7h5Y", "DFScJcCVGUqL6VfvXntAZyrhLszXTqDryfrqM6Gdw6Cx"];
const TERMS: Terms = {
  v: 3,
  ...{ nonce: "AAECAwQFBgcICQoLDA0ODw", paymentId: null, operator: ONE, recipient: OTHER, amount: "5000000" },
  ...{ asset: ONE, protectionPeriod: "oneHour", expiresAt: "2026-12-01T00:00:00.000Z", arbiter: ONE },
  ...{ business: { name: null, domain: null }, refundPolicyHash: null, price: null, quote: null, offer: null },
};

/** The text with the paymentId that the holder of the key makes for it. */
function sign(text: string): string {
  const mac = createHmac("sha256", KEY_HASH).update(text).digest();
  return text.replace('"paymentId":null', `"paymentId":"${mac.readBigUInt64BE(0) & ((1n << 63n) - 1n)}"`);
}
const read = (text: string) => readServerOffer(sign(text), KEY_HASH);

test("§4.23 an offer of a server says only what the service writes: neither a name of its business, nor other members", () => {
  for (const offer of [null, "0a".repeat(32)]) {
    const text = termsText({ ...TERMS, offer });
    assert.equal(read(text)?.terms.text, sign(text));
  }
  const changes = {
    "a name": { business: { name: "Another Bank", domain: null } },
    "a domain": { business: { name: null, domain: "bank.example" } },
    "no business": { business: undefined },
    "more of the business": { business: { ...TERMS.business, verified: true } },
    "no arbiter": { arbiter: undefined },
    "no offer": { offer: undefined },
    "another offer": { offer: "0A".repeat(32) },
    "a NUL": { x: "\u0000" },
    "a NUL in the nonce": { nonce: "\u0000AECAwQFBgcICQoLDA0ODw" },
    "more bits": { nonce: "AAECAwQFBgcICQoLDA0ODx" },
    "a policy": { refundPolicyHash: "0a".repeat(32) },
    "a price": { price: { currency: "EUR", amount: "5.00" } },
    "a quote": { quote: { rate: "1", source: "x", at: "", until: "", spread: "0" } },
    "another period": { protectionPeriod: "oneYear" },
    "an amount too large": { amount: "18446744073709551616" },
    "a number": { amount: 5_000_000 },
    "another version": { v: 2 },
    "another form of time": { expiresAt: "2026-12-01T00:00:00Z" },
    "no time": { expiresAt: "soon" },
  };
  // JSON leaves out what is undefined.
  for (const [name, changed] of Object.entries(changes))
    assert.equal(read(canonicalJson(JSON.parse(JSON.stringify({ ...TERMS, ...changed })))), null, name);
  const text = termsText(TERMS);
  for (const [name, spelled] of Object.entries({
    "white space": `${text} `,
    "another order": `{"v":3,${text.slice(1).replace(',"v":3', "")}`,
    "a member twice": `{"arbiter":"${OTHER}",${text.slice(1)}`,
    "an escape": text.replace("oneHour", "one\\u0048our"),
  }))
    assert.equal(read(spelled), null, name);
});
