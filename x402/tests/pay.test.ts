import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { after, before, test } from "node:test";
import { latestBlockhash } from "@holdfast/devnet/buyer.ts";
import { sendWire } from "@holdfast/devnet/client.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { createPaymentInstruction, SYSTEM_PROGRAM_ID } from "@holdfast/escrow-client";
import { AccountRole, type Address, getBase58Decoder } from "@solana/kit";
import { advance, newPayer, PAST_BLOCKHASHES, pauseSweep, rpc } from "../../tests/harness/chain.ts";
import { awaitPaid, expectEvents } from "../../tests/harness/expectEvents.ts";
import { exchange } from "../../tests/harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../../tests/harness/merchant.ts";
import { type RunningService, standingService } from "../../tests/harness/service.ts";
import { readOffer } from "../policy.ts";
import { askAgain, encode, newAgent, offerOf, policyOf } from "./agent.ts";

let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await standingService();
  shop = await newMerchant(service);
});
after(() => service?.remove());

test("§12.20 an agent with the stock client pays an intent, and 50 repeats at once get the same receipt", async () => {
  const [wallet, intent] = [await newPayer(service), await shop.create()];
  const agent = newAgent(service, wallet);
  const answer = await agent.pay(intent);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  assert.equal(Buffer.from(answer.headers.get("payment-response")!, "base64").toString(), text);
  const { payment, status } = await awaitPaid(shop, intent.id);
  assert.equal(status, "paid");
  const { success, payer, transaction, network, amount, extra } = JSON.parse(text);
  assert.deepEqual([success, payer, transaction, amount], [true, wallet.address, payment.signature, intent.amount]);
  assert.match(network, /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/);
  const { id, protectionDeadline, receiptUrl } = payment;
  assert.deepEqual(extra, { intent: intent.id, payment: id, late: false, protectionDeadline, receiptUrl });
  assert.equal(payment.termsKnown, true);
  assert.equal((await exchange("GET", `${service.checkoutUrl}/pay/terms/${payment.termsHash}`)).status, 200);
  assert.equal((await exchange("GET", receiptUrl)).status, 200);

  const [header] = agent.sent;
  const repeats = await Promise.all(Array.from({ length: 50 }, () => askAgain(intent, header)));
  assert.deepEqual([...new Set(repeats.map((one) => `${one.status} ${one.text}`))], [`200 ${text}`]);
  await expectEvents(shop, intent.id, ["payment_intent.created", "payment.protected", "payment_intent.paid"]);
  assert.equal((await askAgain(intent)).json.error.code, "paid");
});

test("§12.20 50 requests at once with one payment make it once, and all get its receipt", async () => {
  const [wallet, intent] = [await newPayer(service), await shop.create()];
  const { header } = await signFor(intent, wallet);
  const answers = await Promise.all(Array.from({ length: 50 }, () => askAgain(intent, header)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200], answers[0]?.text);
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  await expectEvents(shop, intent.id, ["payment_intent.created", "payment.protected", "payment_intent.paid"]);
});

test("§12.20 an offer says all that the payer agrees to", async () => {
  const intent = await shop.create();
  const { status, text, headers } = await askAgain(intent);
  assert.equal(status, 402);
  assert.equal(Buffer.from(String(headers["payment-required"]), "base64").toString(), text);
  const { required, offer } = await offerOf(intent);
  assert.deepEqual([required.x402Version, required.resource.url], [2, intent.x402Url]);
  const { terms, ...extra } = offer.extra as Wire;
  const { amount, asset, recipient, paymentId, protectionPeriod } = intent;
  assert.deepEqual([offer.scheme, offer.amount, offer.asset, offer.payTo], ["protected", amount, asset, recipient]);
  assert.deepEqual([extra.paymentId, extra.protectionPeriod], [paymentId, protectionPeriod]);
  assert.equal(JSON.parse(terms).expiresAt, intent.expiresAt);
});

/** A payment by hand, with terms that a test may change. */
async function signFor(
  intent: Wire,
  wallet = newWallet(),
  changed: Readonly<Record<string, unknown>> = {},
  more: (sender: Address) => Parameters<typeof signTransaction>[0]["instructions"] = () => [],
) {
  const { offer } = await offerOf(intent);
  const terms = await readOffer(offer, policyOf(service));
  const create = await createPaymentInstruction({ ...terms, sender: wallet.address, ...changed });
  const instructions = [create, ...more(wallet.address)];
  const { wire } = signTransaction({
    instructions,
    wallets: [wallet],
    blockhash: await latestBlockhash(service.rpcUrl),
  });
  const payload = { transaction: Buffer.from(wire).toString("base64") };
  return { header: encode({ x402Version: 2, accepted: offer, payload }), wire };
}

const aSignature = () => getBase58Decoder().decode(randomBytes(64));

test("§12.20 a signature that nobody knows is answered at once, within the look-ups of a network, and ends", async () => {
  const intent = await shop.create();
  const { offer } = await offerOf(intent);
  let networks = randomInt(200);
  const aNetwork = () => `198.51.${networks++}.1`;
  const ask = async (signature: string, network = aNetwork()) => {
    const header = encode({ x402Version: 2, accepted: offer, payload: { signature } });
    const headers = [["PAYMENT-SIGNATURE", header] as const, ["X-Forwarded-For", network] as const];
    const { status, json } = await exchange("POST", intent.x402Url, { headers });
    return [status, json.error?.code ?? json.error];
  };
  const signature = aSignature();
  assert.deepEqual(await ask(signature), [503, "payment_pending"]);
  await rpc(service, "devnet_tick", { slots: 2 * PAST_BLOCKHASHES });
  assert.deepEqual(await ask(signature), [402, "expired: the transaction did not land in time"]);
  const eleventh = async () => {
    const network = aNetwork();
    for (let asked = 0; asked < 10; asked++)
      assert.deepEqual(await ask(aSignature(), network), [503, "payment_pending"]);
    return ask(aSignature(), network);
  };
  // The count begins again with each minute of the process, which may turn meanwhile, and not twice.
  const [first, second] = [await eleventh(), await eleventh()];
  assert.deepEqual(first[0] === 503 ? second : first, [429, "rate_limited"]);
});

test("§12.20 a payment that has landed unseen is settled, though it could not be sent any more", async () => {
  const [wallet, intent] = [await newPayer(service), await shop.create()];
  const notAfter = BigInt(Math.floor(Date.parse(intent.createdAt) / 1_000) + 30);
  const { header, wire } = await signFor(intent, wallet, { notAfter });
  await pauseSweep(service, true);
  try {
    await sendWire(service.rpcUrl, wire);
    await rpc(service, "devnet_tick", { slots: 64 });
    await advance(service, 60);
    const { status, text } = await askAgain(intent, header);
    assert.equal(status, 200, text);
  } finally {
    await pauseSweep(service, false);
  }
});

test("§12.20 any change of the offer is refused, nothing is sent, and the offer comes again", async () => {
  const [wallet, intent, other] = [await newPayer(service), await shop.create(), newWallet().address];
  const transfer = (sender: Address) => [
    {
      programAddress: SYSTEM_PROGRAM_ID,
      accounts: [
        { address: sender, role: AccountRole.WRITABLE_SIGNER },
        { address: other, role: AccountRole.WRITABLE },
      ],
      data: Uint8Array.from([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
    },
  ];
  const end = BigInt(Date.parse(intent.expiresAt) / 1_000);
  const changes = {
    amount: [{ amount: 4_999_999n }, "mismatch: amount"],
    recipient: [{ recipient: other }, "mismatch: recipient"],
    arbiter: [{ arbiter: other }, "mismatch: arbiter"],
    program: [{ programId: other }, "invalid_transaction: "],
    operator: [{ operator: other }, "invalid_transaction: "],
    period: [{ period: "oneHour" }, "mismatch: protectionPeriod"],
    paymentId: [{ paymentId: 1n }, "mismatch: paymentId"],
    terms: [{ termsHash: "11".repeat(32) }, "mismatch: terms"],
    "a stale time": [{ notAfter: 1n }, "mismatch: notAfter"],
    "a time after the intent's": [{ notAfter: end + 1n }, "mismatch: notAfter"],
    "no time": [{ notAfter: 0n }, "mismatch: notAfter"],
  } as const;
  const refused = [
    ...(await Promise.all(
      Object.values(changes).map(async ([changed, error]) => [await signFor(intent, wallet, changed), error] as const),
    )),
    [await signFor(intent, wallet, {}, transfer), "invalid_transaction: "] as const,
  ];
  // Asked first: its blockhash has to live.
  const headers = [[await signFor(intent), "simulation_failed: "] as const, ...refused];
  for (const [{ header }, error] of headers) {
    const { status, json, text } = await askAgain(intent, header);
    assert.equal(status, 402, text);
    assert.ok(json.error.startsWith(error), `${json.error} for ${error}`);
    assert.equal(json.accepts.length, 1);
  }
  for (const header of ["", "%%", encode({}), encode({ x402Version: 1, accepted: {}, payload: {} })])
    assert.equal((await askAgain(intent, header)).json.error.code, "invalid_request", header);
  const { json } = await exchange("GET", `${service.checkoutUrl}/pay/i/${intent.id}/state`);
  assert.deepEqual([json.state, json.inFlight], ["waiting", null]);
});

test("the policy of an agent refuses an offer before anything is signed", async () => {
  const { offer } = await offerOf(await shop.create());
  const policy = policyOf(service);
  await readOffer(offer, policy);
  const { terms } = offer.extra as { terms: string };
  const stranger = newWallet().address;
  const refused = [
    [{ ...policy, programs: [] }, offer],
    [{ ...policy, operators: [stranger] }, offer],
    [{ ...policy, arbiters: [stranger] }, offer],
    [{ ...policy, periodMin: "fourteenDays" }, offer],
    [{ ...policy, amountMax: { [service.asset]: 4_999_999n } }, offer],
    [{ ...policy, amountMax: {} }, offer],
    [{ ...policy, requireSignedOffer: true }, offer],
    [policy, { ...offer, payTo: stranger }],
    [policy, { ...offer, amount: "4999999" }],
    [policy, { ...offer, extra: { ...offer.extra, terms: terms.replace(/}$/, ',"z":1}') } }],
    [policy, { ...offer, extra: { ...offer.extra, notAfter: 0 } }],
  ] as const;
  for (const [strict, offered] of refused)
    await assert.rejects(readOffer(offered, strict), { name: "PolicyError" }, JSON.stringify(strict.amountMax, String));
});
