import assert from "node:assert/strict";
import { test } from "node:test";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { isSignedBy, parseBase64 } from "./signature.ts";
import { draftSignIn, findOtherField, parseSignIn, type SignInInput } from "./signIn.ts";
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
  for (const text of ["", "AQI", "AQ I=", "AQI=\n", "_-==", 7, null, undefined, "A".repeat(8_196)])
    assert.equal(parseBase64(text), null);
});

const ASKED = draftSignIn(
  {
    ...PLACE,
    uri: `https://${PLACE.host}/pay/p/${PLACE.payment}/case`,
    chainId: "solana:mainnet",
    sender: wallet.address,
  },
  NONCE,
  new Date("2026-11-23T09:00:00.250Z"),
);

/** Writes the text as a wallet does, by the grammar of the Wallet Standard. */
function walletText(input: SignInInput & { readonly notBefore?: string }): string {
  const fields = (
    [
      ["URI", input.uri],
      ["Version", input.version],
      ["Chain ID", input.chainId],
      ["Nonce", input.nonce],
      ["Issued At", input.issuedAt],
      ["Expiration Time", input.expirationTime],
      ["Not Before", input.notBefore],
      ["Request ID", input.requestId],
    ] as const
  ).flatMap(([label, value]) => (value === undefined ? [] : [`${label}: ${value}`]));
  const head = `${input.domain} wants you to sign in with your Solana account:\n${input.address}`;
  return `${head}\n\n${input.statement}\n\n${[...fields, "Resources:", ...input.resources.map((one) => `- ${one}`)].join("\n")}`;
}
const otherIn = (text: string | Uint8Array) => {
  const fields = parseSignIn(Buffer.from(text as string));
  return fields === null ? "no text" : findOtherField(fields, ASKED);
};

test("§16.2 the bytes of solana:signIn are read by the standard's grammar, and every field is compared", () => {
  assert.equal(otherIn(walletText(ASKED)), null);
  const changes = {
    domain: "evil.example",
    address: newWallet().address,
    statement: "Sign in.",
    uri: "https://evil.example",
    version: "2" as "1",
    chainId: "solana:devnet",
    nonce: "f".repeat(32),
    issuedAt: "2026-11-23T09:00:00.251Z",
    expirationTime: "2026-11-24T09:10:00.250Z",
    requestId: wallet.address,
    resources: ASKED.resources.slice(1),
  };
  for (const [name, value] of Object.entries(changes))
    assert.equal(otherIn(walletText({ ...ASKED, [name]: value })), name, name);
  assert.equal(otherIn(walletText({ ...ASKED, notBefore: "2026-11-23T09:00:00Z" })), "notBefore");
  assert.equal(otherIn(walletText({ ...ASKED, resources: [...ASKED.resources, "urn:other"] })), "resources");
});

test("§16.2 bytes with lines that are no field, double fields or fields out of order are no sign-in", () => {
  const text = walletText(ASKED);
  const lines = text.split("\n");
  for (const [why, forged] of [
    ["another introduction", text.replace("wants you", "asks you")],
    ["nothing", ""],
    ["an introduction alone", lines[0]!],
    ["no address", text.replace(ASKED.address, "")],
    ["a field twice", text.replace("Version: 1", "Version: 1\nVersion: 1")],
    ["fields out of order", text.replace("Version: 1\n", "").replace("\nNonce:", "\nNonce:\nVersion: 1")],
    ["a second statement", text.replace(ASKED.statement, `${ASKED.statement}\nAnd more.`)],
    ["a line after the resources", `${text}\nDrain my wallet`],
    ["a line before", `Drain my wallet\n${text}`],
    ["an empty line at the end", `${text}\n`],
    ["many lines", `${text}${"\n- urn:other".repeat(40)}`],
  ] as const)
    assert.notEqual(otherIn(forged), null, why);
  assert.equal(otherIn(Uint8Array.of(0xff, 0xfe)), "no text");
  assert.equal(otherIn(`\ufeff${text}`), "domain");
});
