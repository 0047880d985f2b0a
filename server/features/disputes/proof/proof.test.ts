import assert from "node:assert/strict";
import { test } from "node:test";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { isSignedBy, parseBase64 } from "./signature.ts";
import { type ProofAct, proofText } from "./texts.ts";

const wallet = newWallet();
const PLACE = {
  host: "pay.example",
  genesisHash: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  operator: "9XU3yrm2RT3c7z77ufyHwYaj2o74LMvDjC2QXjFtainL",
  payment: "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8",
};
const NONCE = { nonce: "0123456789abcdef0123456789abcdef", expiresAt: new Date("2026-11-23T09:10:00.250Z") };
const AGREEMENT = {
  offer: null,
  amount: "24500000",
  decimals: 6,
  total: "18500000",
  refundTotal: "0",
  offerUntil: new Date("2026-11-29T09:12:00Z"),
};
const OPEN: ProofAct = { kind: "open_session" };

test("§16.3 a signed text names host, genesis, operator, payment, act and nonce, one field a line, in ASCII", () => {
  assert.equal(
    proofText(PLACE, OPEN, NONCE),
    [
      "Holdfast",
      "Host: pay.example",
      "Genesis: 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
      "Operator: 9XU3yrm2RT3c7z77ufyHwYaj2o74LMvDjC2QXjFtainL",
      "Payment: CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8",
      "Act: Write in the dispute about this payment from this browser. This moves no money.",
      "Nonce: 0123456789abcdef0123456789abcdef",
      "Sign before: 2026-11-23T09:10:00Z",
    ].join("\n"),
  );
  const accepted = proofText(PLACE, { kind: "accept_offer", agreement: { ...AGREEMENT, offer: "dpo_1" } }, NONCE);
  assert.match(
    accepted,
    /\nOffer: dpo_1\nYou have in the end: 18\.5\nThe shop has in the end: 6\nTotal: 18500000\nRefund total now: 0\nUntil: 2026-11-29T09:12:00Z\n/,
  );
  for (const text of [accepted, proofText(PLACE, { kind: "offer", agreement: AGREEMENT }, NONCE)])
    assert.match(text, /^[\x20-\x7e\n]+$/);
});

test("§16.3 every field of a signed text counts: no two acts, places, nonces or amounts have the same text", () => {
  const other = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi";
  const places = Object.keys(PLACE).map((name) => ({ ...PLACE, [name]: other }));
  const agreements = [
    { total: "18500001" },
    { refundTotal: "1" },
    { offer: "dpo_1" },
    { offerUntil: new Date("2026-11-29T09:12:01Z") },
    { amount: "24500001" },
    { decimals: 5 },
  ].map((change): ProofAct => ({ kind: "offer", agreement: { ...AGREEMENT, ...change } }));
  const texts = [
    ...[PLACE, ...places].map((place) => proofText(place, OPEN, NONCE)),
    ...agreements.map((act) => proofText(PLACE, act, NONCE)),
    proofText(PLACE, { kind: "offer", agreement: AGREEMENT }, NONCE),
    proofText(PLACE, { kind: "accept_offer", agreement: AGREEMENT }, NONCE),
    proofText(PLACE, OPEN, { ...NONCE, nonce: "f".repeat(32) }),
    proofText(PLACE, OPEN, { ...NONCE, expiresAt: new Date("2026-11-23T09:10:01Z") }),
  ];
  assert.equal(new Set(texts).size, texts.length);
});

test("§16.2 a message is proof only if the very wallet signed exactly these bytes", () => {
  const bytes = Buffer.from(proofText(PLACE, OPEN, NONCE));
  const signature = wallet.sign(bytes);
  assert.equal(isSignedBy(wallet.address, bytes, signature), true);
  assert.equal(isSignedBy(newWallet().address, bytes, signature), false, "another wallet");
  assert.equal(isSignedBy(wallet.address, Buffer.concat([bytes, Buffer.from("\n")]), signature), false);
  for (const at of [0, 31, 32, 63])
    assert.equal(
      isSignedBy(
        wallet.address,
        bytes,
        signature.map((byte, index) => (index === at ? byte ^ 1 : byte)),
      ),
      false,
    );
  for (const length of [0, 63]) assert.equal(isSignedBy(wallet.address, bytes, signature.subarray(0, length)), false);
  assert.equal(isSignedBy(wallet.address, bytes, Buffer.concat([signature, Buffer.of(0)])), false);
  // The account of a smart wallet, and an address with a small order, have no key whose signature could mean anything.
  const offCurve = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi".replace(/i$/, "j");
  for (const account of [offCurve, "11111111111111111111111111111111"])
    assert.equal(isSignedBy(account, bytes, new Uint8Array(64)), false, account);
});

test("base64 of a request is read whole, or not at all", () => {
  assert.deepEqual([...parseBase64("AQI=")!], [1, 2]);
  for (const text of ["", "AQI", "AQ I=", "AQI=\n", "_-==", null, "A".repeat(8_196)])
    assert.equal(parseBase64(text), null);
});
