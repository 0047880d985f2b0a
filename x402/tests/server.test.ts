import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { latestBlockhash } from "@holdfast/devnet/buyer.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { createPaymentInstruction, termsText } from "@holdfast/escrow-client";
import { act, newPayer } from "../../tests/harness/chain.ts";
import { awaitPayment } from "../../tests/harness/expectEvents.ts";
import { exchange } from "../../tests/harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../../tests/harness/merchant.ts";
import { type RunningService, sharedService } from "../../tests/harness/service.ts";
import { Offers } from "../offers.ts";
import { readOffer } from "../policy.ts";
import type { PaymentRequirements } from "../protocol.ts";
import { ProtectedServer } from "../server.ts";
import { encode, newAgent, policyOf } from "./agent.ts";
import { sell } from "./sell.ts";

let service: RunningService;
let shop: Merchant;
let shelf: Awaited<ReturnType<typeof sell>>;
let url: string;
before(async () => {
  service = await sharedService();
  shop = await newMerchant(service);
  shelf = await sell(service, shop);
  url = shelf.weather;
});
after(async () => {
  shelf?.stop();
  await service?.remove();
});

const intentIds = async () => (await shop.walk("/payment-intents", 10)).map(({ id }) => id);

const requiredOf = async (resource = url): Promise<Wire> => {
  const { status, headers } = await exchange("GET", resource);
  assert.equal(status, 402);
  return JSON.parse(Buffer.from(String(headers["payment-required"]), "base64").toString());
};

test("§4.23 an agent buys a call; 50 repeats of its payment are served once, and offers make no intent", async () => {
  await Promise.all(Array.from({ length: 50 }, () => requiredOf()));
  assert.deepEqual(await shop.walk("/payment-intents", 10), []);
  const agent = newAgent(service, await newPayer(service));
  const answer = await agent.fetch(url);
  assert.deepEqual([answer.status, await answer.text()], [200, '{"weather":"sun"}']);
  const settled = JSON.parse(Buffer.from(answer.headers.get("payment-response")!, "base64").toString());
  const [intent] = await shop.walk("/payment-intents", 10);
  assert.deepEqual([intent.status, intent.merchantReference], ["paid", `x402-${intent.paymentId}`]);
  assert.deepEqual([settled.transaction, settled.extra.intent], [intent.payment.signature, intent.id]);
  assert.deepEqual([intent.payment.late, intent.payment.termsKnown], [false, true]);
  const again = JSON.parse(Buffer.from(agent.sent[0]!, "base64").toString());
  const forged = { ...again, accepted: { ...again.accepted, extra: { ...again.accepted.extra, paymentId: "1" } } };
  const repeat = (payload: object) => exchange("GET", url, { headers: [["PAYMENT-SIGNATURE", encode(payload)]] });
  const repeats = await Promise.all(Array.from({ length: 50 }, (_, at) => repeat(at % 2 === 0 ? again : forged)));
  assert.deepEqual([...new Set(repeats.map(({ status }) => status))], [402]);
  assert.equal(shelf.count.served, 1);
  const dearer = { ...again.accepted, amount: "5000001" };
  const body = { x402Version: 2, paymentPayload: { ...again, accepted: dearer }, paymentRequirements: dearer };
  const { success, errorReason } = (await shop.call("POST", "/x402/settle", body)).json;
  assert.deepEqual([success, errorReason], [false, "mismatch: amount"], "a payment for less buys nothing dearer");
});

test("§4.23 a changed payment is refused by verify and by settle, and makes no intent", async () => {
  const wallet = await newPayer(service);
  const before = await intentIds();
  const { accepts } = await requiredOf();
  const [offer] = accepts;
  const terms = await readOffer(offer, policyOf(service));
  const stranger = newWallet().address;
  const ask = async (changed: object, accepted = offer, more: object = {}) => {
    const instruction = await createPaymentInstruction({ ...terms, sender: wallet.address, ...changed });
    const instructions = "twice" in more ? [instruction, instruction] : [instruction];
    const blockhash = await latestBlockhash(service.rpcUrl);
    const { wire } = signTransaction({ instructions, wallets: [wallet], blockhash });
    const payload = { transaction: Buffer.from(wire).toString("base64") };
    const body = {
      x402Version: 2,
      paymentPayload: { x402Version: 2, accepted, payload },
      paymentRequirements: { ...offer, ...("wanted" in more ? (more.wanted as object) : {}) },
    };
    const verified = (await shop.call("POST", "/x402/verify", body)).json;
    const settled = (await shop.call("POST", "/x402/settle", body)).json;
    assert.deepEqual([verified.isValid, settled.success], [false, false], JSON.stringify([verified, settled]));
    assert.equal(verified.invalidReason, settled.errorReason);
    return verified.invalidReason as string;
  };
  const text = offer.extra.terms as string;
  const longer = { ...offer, extra: { ...offer.extra, terms: text.replace(/"expiresAt":"2/, '"expiresAt":"3') } };
  for (const [reason, ...changed] of [
    ["mismatch: amount", { amount: 1n }],
    ["mismatch: recipient", { recipient: stranger }],
    ["mismatch: arbiter", { arbiter: stranger }],
    ["invalid_transaction", { programId: stranger }],
    ["mismatch: protectionPeriod", { period: "oneHour" }],
    ["mismatch: paymentId", { paymentId: 1n }],
    ["mismatch: notAfter", { notAfter: 1n }],
    ["mismatch: terms", { termsHash: "11".repeat(32) }],
    ["invalid_transaction", {}, offer, { twice: true }],
    ["invalid_payload", {}, longer],
    ["mismatch: amount", {}, offer, { wanted: { amount: "4999999" } }],
    ["mismatch: recipient", {}, offer, { wanted: { payTo: stranger } }],
  ] as const) {
    const said = await ask(...(changed as unknown as [object]));
    assert.ok(said.startsWith(reason), `${said} for ${reason}`);
  }
  assert.deepEqual(await intentIds(), before);
});

test("§4.23 an offer of the key that names a business, or lasts for more than seven days, is refused", async () => {
  const wallet = await newPayer(service);
  const before = await intentIds();
  const [offer] = (await requiredOf()).accepts;
  const named = JSON.parse(offer.extra.terms.replace('"name":null', '"name":"Another Bank"'));
  const keyHash = createHash("sha256").update(shop.key).digest();
  const mac = createHmac("sha256", keyHash)
    .update(termsText({ ...named, paymentId: null }))
    .digest();
  const paymentId = String(mac.readBigUInt64BE(0) & ((1n << 63n) - 1n));
  const forged = { ...offer, extra: { ...offer.extra, paymentId, terms: termsText({ ...named, paymentId }) } };
  const make = (lifetimeSeconds: number) =>
    new Offers({ apiKey: shop.key, protectionPeriod: "sevenDays", lifetimeSeconds }).make(offer, { url });
  for (const [accepted, reason] of [
    [forged, /^invalid_payload: .* form$/],
    [await make(604_860), /^invalid_payload: .* seven days$/],
    [await make(604_740), null],
  ] as const) {
    const payload = { transaction: (await sign(accepted, wallet)).toString("base64") };
    const paymentPayload = { x402Version: 2, accepted, payload };
    const body = { x402Version: 2, paymentPayload, paymentRequirements: accepted };
    const verified = (await shop.call("POST", "/x402/verify", body)).json;
    if (reason === null) {
      assert.deepEqual(verified, { isValid: true, payer: wallet.address });
      continue;
    }
    assert.match(verified.invalidReason, reason);
    assert.match((await shop.call("POST", "/x402/settle", body)).json.errorReason, reason);
  }
  assert.deepEqual(await intentIds(), before);
  const [options, week] = [
    { apiKey: shop.key, apiUrl: service.apiUrl, protectionPeriod: "sevenDays" },
    604_800,
  ] as const;
  assert.ok(new ProtectedServer({ ...options, lifetimeSeconds: week }));
  assert.throws(() => new ProtectedServer({ ...options, lifetimeSeconds: week + 1 }), /^RangeError: .*604800/);
});

test("§4.23 a payment that was disputed, or goes back, buys nothing", async () => {
  const buyer = await newPayer(service);
  const agent = newAgent(service, buyer);
  const answer = await agent.fetch(url);
  assert.equal(answer.status, 200);
  const { extra } = JSON.parse(Buffer.from(answer.headers.get("payment-response")!, "base64").toString());
  const paymentPayload = JSON.parse(Buffer.from(agent.sent[0]!, "base64").toString());
  const settle = async () => {
    const body = { x402Version: 2, paymentPayload, paymentRequirements: paymentPayload.accepted };
    const { success, errorReason } = (await shop.call("POST", "/x402/settle", body)).json;
    return [success, errorReason?.split(":")[0]];
  };
  assert.deepEqual(await settle(), [true, undefined]);
  await act(service, buyer, "dispute", extra.payment);
  await awaitPayment(shop, extra.payment, "disputed");
  assert.deepEqual(await settle(), [false, "disputed"]);
  await act(service, service.wallets.arbiter, "resolve_refund", extra.payment);
  await awaitPayment(shop, extra.payment, "refunded");
  assert.deepEqual(await settle(), [false, "refunded"]);
});

test("§4.23 an agent does not pay a relay, by whose hands another server's 402 or a redirect to it comes", async () => {
  const paid: string[] = [];
  const relay = createServer(async ({ url: path, headers }, response) => {
    const header = headers["payment-signature"];
    if (header !== undefined) paid.push(String(header));
    if (path === "/moved") return void response.writeHead(307, { location: url }).end();
    const { status, headers: said } = await exchange("GET", url);
    response.writeHead(status, { "payment-required": String(said["payment-required"]) }).end("{}");
  }).listen(0, "localhost");
  await once(relay, "listening");
  const origin = `http://localhost:${(relay.address() as AddressInfo).port}`;
  try {
    const agent = newAgent(service, await newPayer(service));
    await assert.rejects(agent.fetch(`${origin}/weather`), { name: "PolicyError" });
    await assert.rejects(agent.fetch(`${origin}/moved`), { name: "TypeError" });
    assert.deepEqual([paid, agent.sent], [[], []]);
    assert.equal((await agent.fetch(`${url}?day=1`)).status, 200);
  } finally {
    relay.close();
  }
});

test("§4.23 after a lost request, the next one pays by the same payment; after a lost answer it does not pay again", async () => {
  const lose: ("request" | "answer")[] = ["request"];
  const agent = newAgent(service, await newPayer(service), async (request) => {
    const lost = lose.shift();
    const answer = lost === "request" ? null : await fetch(request);
    if (lost !== undefined || answer === null) throw new Error("lost");
    return answer;
  });
  const before = (await intentIds()).length;
  await assert.rejects(agent.fetch(url), /lost/);
  assert.equal((await agent.fetch(url)).status, 200);
  assert.equal(agent.sent[1], agent.sent[0]);
  lose.push("answer");
  await assert.rejects(agent.fetch(url), /lost/);
  const repeat = await agent.fetch(url);
  assert.equal(repeat.status, 402, "this server does not serve a payment twice");
  assert.equal(agent.sent[3], agent.sent[2]);
  assert.equal((await intentIds()).length, before + 2);
  assert.equal((await agent.fetch(url)).status, 200, "whoever was told so may buy another one");
});

test("§4.23 a payment without an answer is sent again until ten minutes after its offer's end, as long as it is settled", async (context) => {
  const lose = ["request", "request"];
  const agent = newAgent(service, await newPayer(service), async (request) => {
    if (lose.pop() !== undefined) throw new Error("lost");
    return fetch(request);
  });
  const before = (await intentIds()).length;
  await assert.rejects(agent.fetch(url), /lost/);
  const { notAfter } = JSON.parse(Buffer.from(agent.sent[0]!, "base64").toString()).accepted.extra;
  context.mock.timers.enable({ apis: ["Date"], now: (notAfter + 601) * 1_000 });
  await assert.rejects(agent.fetch(url), /lost/);
  assert.notEqual(agent.sent[1], agent.sent[0], "that one is settled no more");
  context.mock.timers.setTime((notAfter + 601 + 600 + 599) * 1_000);
  const answer = await agent.fetch(url);
  assert.equal(answer.status, 200, await answer.text());
  assert.equal(agent.sent[2], agent.sent[1]);
  assert.equal((await intentIds()).length, before + 1);
});

test("§4.23 after the handler failed, the same payment buys the answer", async () => {
  const agent = newAgent(service, await newPayer(service));
  const before = (await intentIds()).length;
  shelf.count.failures = 1;
  assert.equal((await agent.fetch(url)).status, 500);
  assert.equal((await agent.fetch(url)).status, 200);
  assert.equal(agent.sent[1], agent.sent[0]);
  assert.equal((await intentIds()).length, before + 1);
  assert.equal((await agent.fetch(url)).status, 200);
  assert.notEqual(agent.sent[2], agent.sent[0], "a payment that bought its answer is not sent again");
});

async function sign(accepted: Wire, wallet = newWallet()): Promise<Buffer> {
  const terms = await readOffer(accepted as PaymentRequirements, policyOf(service));
  const instructions = [await createPaymentInstruction({ ...terms, sender: wallet.address })];
  const blockhash = await latestBlockhash(service.rpcUrl);
  return Buffer.from(signTransaction({ instructions, wallets: [wallet], blockhash }).wire);
}

test("§4.23 a payment that is being settled is pending, and not served before", async () => {
  const {
    accepts: [accepted],
  } = await requiredOf();
  const payload = { transaction: (await sign(accepted)).toString("base64") };
  const server = new ProtectedServer({
    ...{ apiKey: shop.key, apiUrl: service.apiUrl, protectionPeriod: "sevenDays" },
  });
  const transportContext = { request: {} };
  await server.enrichPaymentRequiredResponse({ requirements: [], resourceInfo: { url }, transportContext });
  const settling = { paymentPayload: { accepted, payload }, phase: "before-handler", transportContext };
  const { onBeforeSettle, onAfterSettle } = server.schemeHooks;
  assert.equal(await onBeforeSettle(settling), undefined);
  assert.deepEqual(await onBeforeSettle(settling), { abort: true, reason: "settlement_pending" });
  await onAfterSettle({ ...settling, result: { success: true, transaction: "", network: accepted.network } });
  assert.deepEqual(await onBeforeSettle(settling), { abort: true, reason: "already_served" });
});

test("§4.23 what no payer of an open offer signed is refused without a request to the service", async () => {
  const {
    accepts: [offer],
  } = await requiredOf();
  const wire = await sign(offer);
  const forged = Buffer.from(wire);
  forged[1]! ^= 1;
  const other = (await requiredOf()).accepts[0];
  const tides = (await requiredOf(shelf.tides)).accepts[0];
  const swapped = { ...offer, extra: { ...offer.extra, offer: tides.extra.offer } };
  const longer = {
    ...offer,
    extra: { ...offer.extra, terms: offer.extra.terms.replace('"expiresAt":"2', '"expiresAt":"3') },
  };
  const past = new ProtectedServer({
    ...{ apiKey: shop.key, apiUrl: service.apiUrl, protectionPeriod: "sevenDays", lifetimeSeconds: -700 },
  });
  const [ended] = await past.enrichPaymentRequiredResponse({ requirements: [offer], resourceInfo: { url } });
  const before = shelf.count.settles;
  for (const [accepted, transaction] of [
    [offer, "AQAB"],
    [offer, forged.toString("base64")],
    [other, wire.toString("base64")],
    [swapped, wire.toString("base64")],
    [longer, (await sign(longer)).toString("base64")],
    [ended, (await sign(ended)).toString("base64")],
  ]) {
    const header = encode({ x402Version: 2, accepted, payload: { transaction } });
    assert.equal((await exchange("GET", url, { headers: [["PAYMENT-SIGNATURE", header]] })).status, 402);
  }
  assert.equal(shelf.count.settles, before);
});
