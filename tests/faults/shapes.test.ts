import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { fundBuyer } from "@holdfast/devnet/buyer.ts";
import { toBase58 } from "@holdfast/devnet/ledger/base58.ts";
import { draftLookupTable } from "@holdfast/devnet/testing/lookup.ts";
import {
  createPaymentInstruction,
  createPaymentInstructions,
  findPaymentAddress,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { AccountRole, type Address, address, getProgramDerivedAddress, type Instruction } from "@solana/kit";
import type { Intent } from "../../server/features/intents/intent.ts";
import { SteppedService } from "./steppedService.ts";

const BOUND = ["payment_intent.created", "payment.protected", "payment_intent.paid"];
const DUPLICATE = ["payment.protected", "payment_intent.duplicate_payment"];

/** A program that passes instructions on and signs for an off-curve address of its own, like a multisig. */
const WALLET_PROGRAM = address(toBase58(new Uint8Array(32).fill(77)));
const programs = [{ address: WALLET_PROGRAM, path: join(import.meta.dirname, "../../program/tests/smart_wallet.so") }];

const offerOf = ({ net }: SteppedService, intent: Intent) => ({
  programId: net.programId,
  operator: net.operator,
  recipient: intent.recipient as Address,
  mint: intent.asset as Address,
  tokenProgram: TOKEN_PROGRAM_ID,
  paymentId: BigInt(intent.paymentId),
  amount: BigInt(intent.amount),
  period: intent.protectionPeriod,
  arbiter: net.addresses.arbiter,
});

/** Confirm and the sweep take turns to be first. */
async function find(
  stepped: SteppedService,
  intent: Intent,
  signature: string,
  by: "confirm" | "sweep",
): Promise<void> {
  stepped.tick(2);
  if (by === "confirm") assert.match(await stepped.confirm(intent, signature), /^(bound|duplicate)$/);
  else await stepped.catchUp();
}

for (const by of ["confirm", "sweep"] as const) {
  test(`§1.2 two payments in one transaction, for two intents and for one, found by ${by}`, async () => {
    await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
    const { "buyer-1": one, "buyer-2": two } = stepped.net.wallets;
    const [left, right, both] = [await stepped.create(), await stepped.create(), await stepped.create()];
    const terms = (intent: Intent, sender: Address) =>
      createPaymentInstructions({ ...offerOf(stepped, intent), sender });
    const apart = [...(await terms(left, one.address)), ...(await terms(right, one.address))];
    const signature = stepped.net.chain.send(apart, one);
    await find(stepped, left, signature, by);
    if (by === "confirm") {
      assert.equal((await stepped.intent(right)).status, "requires_payment", "what is another intent's stays its own");
      await find(stepped, right, signature, by);
    }
    const together = [...(await terms(both, two.address)), ...(await terms(both, one.address))];
    await find(stepped, both, stepped.net.chain.send(together, one, two), by);
    await stepped.settle();
    assert.deepEqual(await stepped.eventTypes(left), BOUND);
    assert.deepEqual(await stepped.eventTypes(right), BOUND);
    assert.deepEqual(await stepped.eventTypes(both), [...BOUND, ...DUPLICATE]);
    const primary = await findPaymentAddress({ ...offerOf(stepped, both), sender: two.address });
    assert.equal((await stepped.intent(both)).payment_address, primary, "the first instruction's");
    await stepped.assertSound();
  });

  test(`§1.2 a payment through another program, by a payer on no curve, found by ${by}`, async () => {
    await using stepped = await SteppedService.open({ nodes: ["one", "two"], programs });
    const { net } = stepped;
    const [wallet, bump] = await getProgramDerivedAddress({ programAddress: WALLET_PROGRAM, seeds: ["wallet"] });
    await fundBuyer(net.rpcUrl, wallet, net.asset, 5_000_000n);
    stepped.tick(2);
    const intent = await stepped.create();
    const inner = await createPaymentInstruction({ ...offerOf(stepped, intent), sender: wallet, payer: wallet });
    const outer: Instruction = {
      programAddress: WALLET_PROGRAM,
      accounts: [
        { address: inner.programAddress, role: AccountRole.READONLY },
        // The wallet signs inside; it cannot sign the outer transaction.
        ...inner.accounts.map((meta) => (meta.address === wallet ? { ...meta, role: meta.role & 1 } : meta)),
      ],
      data: Uint8Array.from([bump, ...inner.data]),
    };
    await find(stepped, intent, net.chain.send([outer], net.wallets["buyer-3"]), by);
    await stepped.settle();
    assert.equal(
      (await stepped.intent(intent)).payment_address,
      await findPaymentAddress({ ...offerOf(stepped, intent), sender: wallet }),
    );
    assert.deepEqual(await stepped.eventTypes(intent), BOUND);
    await stepped.assertSound();
  });

  test(`§1.2 a payment among foreign instructions, with a look-up table, found by ${by}`, async () => {
    await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
    const { net } = stepped;
    const buyer = net.wallets["buyer-1"];
    const intent = await stepped.create();
    const addresses = [net.operator, net.asset, net.addresses.recipient];
    const recentSlot = net.chain.ledger.slots.blockAt(net.chain.ledger.slots.tip - 1);
    const { table, instructions } = await draftLookupTable({ authority: buyer.address, recentSlot, addresses });
    net.chain.send(instructions, buyer);
    stepped.tick(2);
    const budget = (kind: number, length: number): Instruction => ({
      programAddress: address("ComputeBudget111111111111111111111111111111"),
      data: Uint8Array.from([kind, 0xa0, 0x86, 1, 0, 0, 0, 0, 0].slice(0, length)),
    });
    const transfer: Instruction = {
      programAddress: address("11111111111111111111111111111111"),
      accounts: [
        { address: buyer.address, role: AccountRole.WRITABLE_SIGNER },
        { address: net.addresses.recipient, role: AccountRole.WRITABLE },
      ],
      data: Uint8Array.from([2, 0, 0, 0, 0x40, 0x42, 0x0f, 0, 0, 0, 0, 0]),
    };
    const options = {
      before: [budget(2, 5), transfer, budget(3, 9)],
      after: [transfer],
      lookupTables: { [table]: addresses },
    };
    const { signature, payment } = await stepped.pay(intent, buyer, options);
    await find(stepped, intent, signature, by);
    await stepped.settle();
    assert.equal((await stepped.intent(intent)).payment_address, payment);
    assert.deepEqual(await stepped.eventTypes(intent), BOUND);
    await stepped.assertSound();
  });
}
