import assert from "node:assert/strict";
import { before, test } from "node:test";
import { latestBlockhash } from "@holdfast/devnet/buyer.ts";
import { awaitSignature, sendWire } from "@holdfast/devnet/client.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { draftLookupTable } from "@holdfast/devnet/testing/lookup.ts";
import { AccountRole, type Address, address, type Instruction } from "@solana/kit";
import { pay, payTogether, rpc, whilePaused } from "../harness/chain.ts";
import { awaitPaid, awaitPayment, checkSequences, expectEvents } from "../harness/expectEvents.ts";
import { type Merchant, newMerchant } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";

let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await standingService();
  shop = await newMerchant(service);
});

const BOUND = ["payment_intent.created", "payment.protected", "payment_intent.paid"] as const;

test("§1.2 the sweep alone binds a payment, and a second buyer's as a duplicate", async () => {
  const intent = await shop.create();
  const first = await pay(service, intent);
  const paid = await awaitPaid(shop, intent.id);
  assert.deepEqual([paid.payment.id, paid.payment.role], [first.payment, "primary"]);
  assert.deepEqual([paid.payment.signature, paid.checkoutUrl], [first.signature, null]);
  const second = await pay(service, intent, { buyer: service.wallets["buyer-2"] });
  assert.equal((await awaitPayment(shop, second.payment)).role, "duplicate");
  await expectEvents(shop, intent.id, [...BOUND, "payment.protected", "payment_intent.duplicate_payment"]);
  assert.equal((await shop.confirm(intent.id, first.signature)).json.outcome, "already_recorded");
});

test("§1.2 two payments in one transaction, for two intents and for one", async () => {
  const [left, right, both] = [await shop.create(), await shop.create(), await shop.create()];
  const { "buyer-1": one, "buyer-2": two } = service.wallets;
  const apart = await payTogether(service, [
    { intent: left, buyer: one },
    { intent: right, buyer: one },
  ]);
  const together = await payTogether(service, [
    { intent: both, buyer: one },
    { intent: both, buyer: two },
  ]);
  assert.equal((await awaitPaid(shop, left.id)).payment.id, apart.payments[0]);
  assert.equal((await awaitPaid(shop, right.id)).payment.id, apart.payments[1]);
  assert.equal((await awaitPaid(shop, both.id)).payment.id, together.payments[0]);
  assert.equal((await awaitPayment(shop, together.payments[1]!)).role, "duplicate");
  await expectEvents(shop, both.id, [...BOUND, "payment.protected", "payment_intent.duplicate_payment"]);
});

test("§1.2 wallets inject instructions and use look-up tables: the payment is found all the same", async () => {
  const intent = await shop.create();
  const buyer = service.wallets["buyer-3"];
  const table = await makeLookupTable([service.operator, service.asset, service.recipient]);
  const budget = (kind: number, length: number): Instruction => ({
    programAddress: address("ComputeBudget111111111111111111111111111111"),
    data: Uint8Array.from([kind, 0xa0, 0x86, 1, 0, 0, 0, 0, 0].slice(0, length)),
  });
  const transfer: Instruction = {
    programAddress: address("11111111111111111111111111111111"),
    accounts: [
      { address: buyer.address, role: AccountRole.WRITABLE_SIGNER },
      { address: service.recipient, role: AccountRole.WRITABLE },
    ],
    data: Uint8Array.from([2, 0, 0, 0, 0x40, 0x42, 0x0f, 0, 0, 0, 0, 0]),
  };
  const options = { before: [budget(2, 5), budget(3, 9)], after: [transfer], lookupTables: table };
  const done = await pay(service, intent, { buyer, options });
  assert.equal((await awaitPaid(shop, intent.id)).payment.id, done.payment);
});

async function makeLookupTable(addresses: readonly Address[]) {
  const authority = service.wallets["buyer-3"];
  const recentSlot = await rpc<number>(service, "getSlot", { commitment: "finalized" });
  const { table, instructions } = await draftLookupTable({
    authority: authority.address,
    recentSlot,
    addresses,
  });
  const blockhash = await latestBlockhash(service.rpcUrl);
  const { wire, signature } = signTransaction({ instructions, wallets: [authority], blockhash });
  await sendWire(service.rpcUrl, wire, true);
  await awaitSignature(service.rpcUrl, signature, "confirmed");
  return { [table]: [...addresses] };
}

test("§1.2 payments made while the sweep was paused are bound when it goes on", async () => {
  const intents = [await shop.create(), await shop.create(), await shop.create()];
  const payments = await whilePaused(service, async () => {
    const done = [];
    for (const intent of intents) done.push((await pay(service, intent)).payment);
    assert.equal((await shop.intent(intents[0].id)).status, "requires_payment");
    return done;
  });
  for (const [index, intent] of intents.entries())
    assert.equal((await awaitPaid(shop, intent.id)).payment.id, payments[index]);
});

test("§6.4.4 no number is missing among the business's events", async () => {
  assert.ok((await checkSequences(shop)) > 20);
});
