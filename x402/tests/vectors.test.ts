import assert from "node:assert/strict";
import { createHash, createHmac, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { canonicalJson, createPaymentInstruction, type Period, parseDelivery, sha256Of } from "@holdfast/escrow-client";
import { type Verdict, verifyReceipt } from "@holdfast/receipt";
import { getBase58Encoder } from "@solana/kit";
import { Offers } from "../offers.ts";
import { readOffer, requireCalledResource } from "../policy.ts";

// What docs/x402.md publishes for other implementations.
const vectors = JSON.parse(readFileSync(new URL("../../docs/x402-vectors.json", import.meta.url), "utf8"));
const { given, accepted } = vectors;
const { program, operator, arbiter, protectionPeriod } = accepted.extra;
const policy = {
  ...{ programs: [program], operators: [operator], arbiters: [arbiter], periodMin: protectionPeriod as Period },
  amountMax: { [accepted.asset]: BigInt(accepted.amount) },
  requireSignedOffer: true,
};
const offers = new Offers({ apiKey: given.apiKey, protectionPeriod, lifetimeSeconds: given.lifetimeSeconds });
const utf8 = (text: string) => Uint8Array.from(Buffer.from(text));

test("offer, terms, paymentId, instruction and delivery have the bytes of the test vectors", async () => {
  const now = Date.parse(given.now);
  assert.deepEqual(await offers.make(given.requirements, given.resource, given.nonce, now), accepted);
  const offer = await readOffer(accepted, policy, given.resource);
  const { programAddress, accounts, data } = await createPaymentInstruction({ ...offer, sender: given.sender });
  const made = { program: programAddress, accounts, data: Buffer.from(data).toString("hex") };
  assert.deepEqual(made, vectors.instruction);
  const { payer, issuedAt, transaction, payment, answer } = JSON.parse(vectors.delivery.payload);
  assert.deepEqual([answer, payment], [await sha256Of(utf8(given.answer)), vectors.payment]);
  const facts = { payer, issuedAt, transaction, payment, answer };
  assert.equal(await offers.signDelivery(vectors.offer.jws, facts), vectors.delivery.jws);
});

test("an offer that is too long to be signed says what to shorten", async () => {
  const make = (resource: object) => offers.make(given.requirements, { ...given.resource, ...resource });
  const url = `${given.resource.url}?${"q".repeat(2_000)}`;
  for (const long of [{ description: "d".repeat(2_000) }, { url }])
    await assert.rejects(
      make(long),
      /^RangeError: The offer of \S+ has \d+ characters, and 3000 can be signed: shorten/,
    );
});

test("the test vectors follow from what they give, by hashes, HMAC and Ed25519 alone", () => {
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const { apiKeyHash, signingSecret, kid } = vectors.keys;
  assert.equal(sha256(given.apiKey), apiKeyHash);
  const secret = createHmac("sha256", given.apiKey).update("x402 offers and deliveries").digest("hex");
  assert.equal(secret, signingSecret);
  const { withoutPaymentId, mac, paymentId, text, hash } = vectors.terms;
  assert.equal(createHmac("sha256", Buffer.from(apiKeyHash, "hex")).update(withoutPaymentId).digest("hex"), mac);
  assert.equal(paymentId, String(BigInt(`0x${mac.slice(0, 16)}`) & ((1n << 63n) - 1n)));
  assert.equal(text, withoutPaymentId.replace('"paymentId":null', `"paymentId":"${paymentId}"`));
  assert.deepEqual([sha256(text), JSON.parse(text).offer], [hash, sha256(vectors.offer.jws)]);
  assert.equal(vectors.instruction.data.includes(hash), true);
  const bytes = Buffer.from(getBase58Encoder().encode(kid.split("#")[1].slice(1)));
  const x = bytes.subarray(2).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  for (const { payload, jws } of [vectors.offer, vectors.delivery]) {
    const [header, body, signature] = jws.split(".");
    assert.equal(Buffer.from(header, "base64url").toString(), canonicalJson({ alg: "EdDSA", kid }));
    assert.equal(Buffer.from(body, "base64url").toString(), payload);
    assert.ok(verify(null, Buffer.from(`${header}.${body}`), key, Buffer.from(signature, "base64url")));
  }
});

test("a signed delivery whose answer is no SHA-256 has another form", async () => {
  const { offer, ...facts } = JSON.parse(vectors.delivery.payload);
  for (const answer of ["Call +1 555 0100 for your refund", facts.answer.toUpperCase(), facts.answer.slice(1), ""])
    assert.equal(await parseDelivery(await offers.signDelivery(offer, { ...facts, answer })), null);
});

test("a policy that requires signed offers refuses one that its server has not signed", async () => {
  const { offer: _, terms, ...extra } = accepted.extra;
  const unsigned = { ...accepted, extra: { ...extra, terms: terms.replace(/"offer":"\w+"/, '"offer":null') } };
  await assert.rejects(readOffer(unsigned, policy, given.resource), { name: "PolicyError" });
  await readOffer(unsigned, { ...policy, requireSignedOffer: false }, given.resource);
});

test("a 402 has to offer the resource that was called, by origin and path, before anything is signed", async () => {
  const check = (offered: string | null, called: string) =>
    requireCalledResource({
      paymentRequired: offered === null ? {} : { resource: { url: offered } },
      requestUrl: called,
    });
  const called = "https://api.example.com/weather";
  for (const offered of [called, `${called}?city=bern`, "HTTPS://API.example.com:443/weather"])
    await check(offered, `${called}?city=brest`);
  for (const offered of [
    null,
    "/weather",
    "http://api.example.com/weather",
    "https://api.example.com:8443/weather",
    "https://api.example.com.else.example/weather",
    "https://api.example.com@else.example/weather",
    "https://api.example.com/weather/",
    "https://api.example.com/tides",
  ])
    await assert.rejects(check(offered, called), { name: "PolicyError" }, String(offered));
});

test("an offer that says something else than its 402, or whose terms name another, is refused before anything is signed", async () => {
  const other = (await offers.make(given.requirements, given.resource)).extra.offer;
  const { terms } = accepted.extra;
  for (const [resource, extra] of [
    [{ ...given.resource, url: "https://api.example.com/tides" }, {}],
    [{ ...given.resource, description: "The weather of every city" }, {}],
    [given.resource, { offer: other }],
    [given.resource, { offer: undefined }],
    [given.resource, { offer: vectors.delivery.jws }],
    [given.resource, { notAfter: accepted.extra.notAfter + 1 }],
    [given.resource, { terms: terms.replace(/"offer":"\w+"/, '"offer":null') }],
  ])
    await assert.rejects(
      readOffer({ ...accepted, extra: { ...accepted.extra, ...extra } }, policy, resource),
      { name: "PolicyError" },
      JSON.stringify(extra),
    );
});

test("§15.8 the receipt of the test vectors verifies with offer, delivery and answer; any other of them differs", async () => {
  const { receipt, deployment, offer, delivery } = vectors;
  const answer = utf8(given.answer);
  const check = (jws: string, bytes: typeof answer | null) =>
    verifyReceipt(receipt, deployment, [], { jws, answer: bytes });
  const good = await check(delivery.jws, answer);
  assert.equal(good.verdict, "consistent", JSON.stringify(good));
  assert.deepEqual("evidence" in good && good.evidence?.offer, JSON.parse(offer.payload));
  const alone = await check(offer.jws, null);
  assert.deepEqual("evidence" in alone && alone.evidence?.delivery, null);
  const fieldsOf = (verdict: Verdict) =>
    verdict.verdict === "differs" ? verdict.differences.map(({ field }) => field) : [];
  const facts = JSON.parse(delivery.payload);
  const sign = (changed: object) => offers.signDelivery(offer.jws, { ...facts, ...changed });
  const second = await offers.make(given.requirements, given.resource, given.nonce, Date.parse(given.now) + 1_000);
  const foreign = new Offers({ apiKey: "another", protectionPeriod, lifetimeSeconds: 600 });
  for (const [jws, bytes, fields] of [
    [delivery.jws, utf8("{}"), ["evidence.answer"]],
    [offer.jws, answer, ["evidence.answer"]],
    [await sign({ payment: operator }), answer, ["payment.address"]],
    [await sign({ payer: operator }), answer, ["payment.sender"]],
    [await sign({ transaction: "6".repeat(88) }), answer, ["transactions.created"]],
    [String(second.extra.offer), null, ["terms.offer"]],
    [await foreign.signDelivery(offer.jws, facts), answer, ["evidence"]],
    [delivery.jws.replace(/.$/, (end: string) => (end === "A" ? "Q" : "A")), answer, ["evidence"]],
    ["", null, ["evidence"]],
  ] as const)
    assert.deepEqual(fieldsOf(await check(jws, bytes)), fields);
});
