import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { draftPayment, fundBuyer, latestBlockhash } from "@holdfast/devnet/buyer.ts";
import { sendWire } from "@holdfast/devnet/client.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { asVersion1, signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { createPaymentInstruction, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import { askCheckout, assertRefused, buildFor } from "../harness/buyer.ts";
import { newPayer, rpc } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { inForm } from "../harness/form.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { LASTING, localChain, type Service, startService } from "../harness/service.ts";
import { aSmartWallet, SMART_WALLET_PROGRAMS, type SmartWallet } from "../harness/smartWallet.ts";

const AMOUNT = 5_000n;
const PAYMENTS = inForm({ short: 10, long: 1_000 });
/** One in so many is made inside another program's call. */
const INSIDE = 10;
const AT_ONCE = 20;

const key = newWallet();
let service: Service;
let shop: Merchant;
let smart: SmartWallet;
before(async () => {
  service = await startService({ env: localChain({ ...LASTING, programs: SMART_WALLET_PROGRAMS }) });
  shop = await newMerchant(service);
  smart = await aSmartWallet(key);
  for (const one of [key.address, smart.account])
    await fundBuyer(service.rpcUrl, one, service.asset, AMOUNT * BigInt(PAYMENTS));
});
after(() => service?.remove());

/** Sends a payment as version 1, and returns the signature. */
async function pay(intent: Wire, isInside: boolean): Promise<string> {
  if (!isInside) {
    const { wire } = await draftPayment(service, key, intent as never, { version: 1 });
    return sendWire(service.rpcUrl, wire);
  }
  const { programId, operator, wallets } = service;
  const terms = { programId, operator, sender: smart.account, payer: smart.account };
  const own = await createPaymentInstruction({
    ...{ ...terms, paymentId: BigInt(intent.paymentId), recipient: intent.recipient, mint: intent.asset },
    ...{ tokenProgram: TOKEN_PROGRAM_ID, amount: AMOUNT, period: intent.protectionPeriod },
    arbiter: wallets.arbiter.address,
  });
  const blockhash = await latestBlockhash(service.rpcUrl);
  return sendWire(
    service.rpcUrl,
    signTransaction({ instructions: [smart.wrap(own)], wallets: [key], blockhash, version: 1 }).wire,
  );
}

const stats = () => rpc<Record<"requests" | "refused", Record<string, number>>>(service, "devnet_stats");

test(`§4.14.12 ${PAYMENTS} payments of version 1, some inside another program's call, are bound without a second getTransaction for their version`, async () => {
  for (let first = 0; first < PAYMENTS; first += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, PAYMENTS - first) }, async (_, at) => {
        const intent = await shop.create({ amount: String(AMOUNT) });
        const isInside = (first + at) % INSIDE === 0;
        const signature = await pay(intent, isInside);
        const { payment } = await awaitPaid(shop, intent.id);
        assert.deepEqual(
          [payment.signature, payment.sender],
          [signature, isInside ? smart.account : key.address],
          "bound by the transaction itself",
        );
      }),
    );
  const { requests, refused } = await stats();
  assert.ok(requests.getTransaction! >= PAYMENTS);
  assert.equal(refused.getTransaction, undefined, "no node was asked for a version that is too low");
});

test("§4.14.12 what was built is taken as version 1 too, and bytes that are no transaction are refused with their fault", async () => {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  const built = await buildFor(service, intent, buyer.address);
  const { transaction, signature } = signWith(asVersion1(built.transaction), buyer);
  const bytes = Buffer.from(transaction, "base64");
  const submit = (given: Uint8Array) =>
    askCheckout(service, intent, "submit", { transaction: Buffer.from(given).toString("base64") });
  for (const [given, fault] of [
    [bytes.subarray(0, -1), "it is cut off"],
    [Buffer.concat([bytes, Buffer.alloc(1)]), "it has bytes that mean nothing"],
    [Buffer.concat([bytes, Buffer.alloc(4_096)]), "it has more than 4096 bytes"],
    [bytes.with(1, 13), "it has more than 12 signatures"],
    [bytes.with(4, bytes[4]! ^ 1), "its priority fee is half there"],
    [bytes.with(-1, bytes.at(-1)! ^ 1), "a signature is wrong"],
  ] as const) {
    const { details } = assertRefused(await submit(given), 400, "invalid_transaction");
    assert.deepEqual(details, { reason: fault });
  }
  const seen = await askCheckout(service, intent, "seen", { signature, transaction });
  assert.equal(seen.status, 202, seen.text);
  const state = await askCheckout(service, intent, "submit", { transaction });
  assert.deepEqual([state.status, state.json], [202, { signature }]);
  const { payment } = await awaitPaid(shop, intent.id);
  assert.deepEqual([payment.signature, payment.sender, payment.termsKnown], [signature, buyer.address, true]);
});
