import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { latestBlockhash } from "@holdfast/devnet/buyer.ts";
import { sendWire } from "@holdfast/devnet/client.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import type { LocalWallet } from "@holdfast/devnet/wallets.ts";
import { createPaymentInstruction, parseDelivery } from "@holdfast/escrow-client";
import { act, newPayer } from "../../tests/harness/chain.ts";
import { awaitPayment } from "../../tests/harness/expectEvents.ts";
import { exchange } from "../../tests/harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../../tests/harness/merchant.ts";
import { type RunningService, sharedService } from "../../tests/harness/service.ts";
import { draftDispute } from "../acts.ts";
import { type Delivered, readDelivery, type SentPayment } from "../delivery.ts";
import { Offers } from "../offers.ts";
import { readOffer } from "../policy.ts";
import { encode, newAgent, policyOf } from "./agent.ts";
import { sell } from "./sell.ts";

let service: RunningService;
let shop: Merchant;
let shelf: Awaited<ReturnType<typeof sell>>;
let folder: string;
before(async () => {
  service = await sharedService();
  shop = await newMerchant(service);
  shelf = await sell(service, shop);
  folder = await mkdtemp(join(tmpdir(), "holdfast-evidence-"));
  await save("keys.json", (await exchange("GET", `${service.checkoutUrl}/.well-known/holdfast.json`)).text);
});
after(async () => {
  shelf?.stop();
  await service?.remove();
  await rm(folder, { recursive: true, force: true });
});

async function save(name: string, data: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, data);
  return path;
}

/** An agent buys a call, and keeps what it may need in a dispute. */
async function buy(wallet: LocalWallet, url = shelf.weather) {
  const agent = newAgent(service, wallet);
  const answer = await agent.fetch(url);
  assert.equal(answer.status, 200);
  const again = answer.clone();
  const sent: SentPayment = JSON.parse(Buffer.from(agent.sent[0]!, "base64").toString());
  return { agent, answer: again, sent, ...(await readDelivery(answer, sent)) };
}

const receiptOf = async ({ receiptUrl }: Delivered): Promise<string> =>
  (await exchange("GET", receiptUrl.replace("?", ".json?"))).text;

/** Verifies files alone: nobody is asked. */
async function verify(receipt: string, evidence: string, answer: string | Uint8Array) {
  const [file, jws, bytes] = [
    await save("receipt", receipt),
    await save("jws", evidence),
    await save("answer", answer),
  ];
  const main = fileURLToPath(new URL("../../receipt/main.ts", import.meta.url));
  const words = [main, "verify", file, "--keys", join(folder, "keys.json"), "--evidence", jws, "--answer", bytes];
  return new Promise<{ code: number; output: string }>((done) => {
    execFile(process.execPath, words, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

const fulfillmentsOf = (intent: string) => `/payment-intents/${intent}/fulfillments`;
const intentOf = async (payment: string): Promise<string> => (await shop.get(`/payments/${payment}`)).json.intent;

test("§4.23 an agent gets a bad answer, disputes and is refunded; offer, payment and delivery are verified offline", async () => {
  const wallet = await newPayer(service);
  const bought = await buy(wallet);
  assert.equal(new TextDecoder().decode(bought.body), '{"weather":"sun"}', "not in words, as was offered");
  const [filed] = (await shop.get(fulfillmentsOf(await intentOf(bought.payment)))).json.data;
  assert.equal(filed.delivery, bought.delivery);

  const { rpcUrl, programId } = service;
  const drafted = await draftDispute({ rpcUrl, programId }, bought.payment as never);
  assert.equal(drafted.signer, wallet.address);
  await sendWire(rpcUrl, Buffer.from(signWith(drafted.transaction, wallet).transaction, "base64"));
  const { amount } = await awaitPayment(shop, bought.payment, "disputed");
  await act(service, service.wallets.arbiter, "resolve_refund", bought.payment);
  assert.equal((await awaitPayment(shop, bought.payment, "refunded")).amountRefunded, amount);

  const receipt = await receiptOf(bought);
  for (const evidence of [bought.delivery, JSON.stringify(filed)]) {
    const { code, output } = await verify(receipt, evidence, bought.body);
    assert.equal(code, 0, output);
    assert.match(output, /^Consistent\. /);
    assert.ok(output.includes(`name the signed offer of ${shelf.weather}: The weather of Bern, in words\n`), output);
    assert.match(output, /\nThe answer has this hash\.\n/);
  }
  const { offer } = (await parseDelivery(bought.delivery))!.delivery.payload;
  const alone = await verify(receipt, JSON.stringify({ offer }), "x");
  assert.deepEqual([alone.code, alone.output.split("\n")[1]?.includes("evidence.answer")], [1, true]);
});

test("§4.23 the signed delivery of another payment, or of another offer, is none of the payment that was sent", async () => {
  // Two offers of one resource in one second are one offer.
  const [one, other] = [await buy(await newPayer(service)), await buy(await newPayer(service), shelf.tides)];
  const { transaction } = other.sent.payload;
  for (const sent of [
    other.sent,
    { ...one.sent, accepted: other.sent.accepted },
    { ...one.sent, payload: { transaction } },
  ])
    await assert.rejects(readDelivery(one.answer.clone(), sent), { name: "DeliveryError" });
  const { offer } = other.sent.accepted.extra;
  const swapped = { ...one.sent.accepted, extra: { ...one.sent.accepted.extra, offer } };
  await assert.rejects(readDelivery(one.answer.clone(), { ...one.sent, accepted: swapped }), { name: "DeliveryError" });
  assert.equal((await readDelivery(one.answer, one.sent)).payment, one.payment);
});

test("§4.19 a delivery is filed only for the payment that it names; a false hash contradicts the answer", async () => {
  const [one, other] = [await buy(await newPayer(service)), await buy(await newPayer(service), shelf.tides)];
  const path = fulfillmentsOf(await intentOf(one.payment));
  const signed = (await parseDelivery(one.delivery))!;
  const { payer, issuedAt, transaction, payment } = signed.delivery.payload;
  const facts = { payer, issuedAt, transaction, payment, answer: "00".repeat(32) };
  const offers = (apiKey: string) => new Offers({ apiKey, protectionPeriod: "sevenDays", lifetimeSeconds: 600 });
  const offerOf = async (delivery: string) => (await parseDelivery(delivery))!.delivery.payload.offer;
  const changed = `${one.delivery.slice(0, -2)}${one.delivery.endsWith("AA") ? "BA" : "AA"}`;
  for (const delivery of [
    "no JWS",
    changed,
    other.delivery,
    await offers(shop.key).signDelivery(await offerOf(other.delivery), facts),
    await offers("another key").signDelivery(await offerOf(one.delivery), facts),
  ]) {
    const { status, json } = await shop.call("POST", path, { delivery });
    assert.deepEqual([status, json.error.param], [400, "delivery"], json.error.message);
  }
  // The server alone knows what it sent, so it can file another hash; the payer has its word for the true one.
  const lie = await offers(shop.key).signDelivery(await offerOf(one.delivery), facts);
  assert.equal((await shop.call("POST", path, { delivery: lie })).status, 201);
  const receipt = await receiptOf(one);
  assert.equal((await verify(receipt, one.delivery, one.body)).code, 0);
  const { code, output } = await verify(receipt, lie, one.body);
  assert.equal(code, 1);
  assert.match(output, /evidence\.answer is "0{64}" in the evidence, and "[0-9a-f]{64}" by the answer's bytes\./);
  // Nor does any other delivery, of a true payment, pass for this one.
  const foreign = await verify(receipt, other.delivery, other.body);
  assert.equal(foreign.code, 1);
  for (const field of ["terms.offer", "payment.address", "payment.sender"]) assert.ok(foreign.output.includes(field));
});

test("§4.23 an offer buys its own resource, for one payer, also after its server has started again", async () => {
  const { agent, payment } = await buy(await newPayer(service));
  const paid: Wire = JSON.parse(Buffer.from(agent.sent[0]!, "base64").toString());
  const twin = await newPayer(service);
  const instruction = await createPaymentInstruction({
    ...(await readOffer(paid.accepted, policyOf(service))),
    sender: twin.address,
  });
  const blockhash = await latestBlockhash(service.rpcUrl);
  const { wire } = signTransaction({ instructions: [instruction], wallets: [twin], blockhash });
  const second = { ...paid, payload: { transaction: Buffer.from(wire).toString("base64") } };
  const restarted = await sell(service, shop, {}, shelf.origin);
  try {
    for (const [url, payload, reason] of [
      [shelf.weather, second, "already_served"],
      [shelf.tides, paid, "mismatch: resource"],
      [restarted.tides, second, "mismatch: resource"],
      [restarted.weather, second, "paid"],
    ] as const) {
      const { status, headers } = await exchange("GET", url, { headers: [["PAYMENT-SIGNATURE", encode(payload)]] });
      const settled = JSON.parse(Buffer.from(String(headers["payment-response"]), "base64").toString());
      assert.deepEqual([status, settled.errorReason.startsWith(reason)], [402, true], settled.errorReason);
    }
  } finally {
    restarted.stop();
  }
  const { data } = (await shop.get(`/payments?intent=${await intentOf(payment)}`)).json;
  assert.deepEqual(
    data.map(({ id }: Wire) => id),
    [payment],
    "the other wallet's payment was not sent",
  );
});
