import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { fundBuyer } from "@holdfast/devnet/buyer.ts";
import { toBase58 } from "@holdfast/devnet/ledger/base58.ts";
import { draftLookupTable } from "@holdfast/devnet/lookup.ts";
import {
  createPaymentInstruction,
  createPaymentInstructions,
  findPaymentAddress,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { AccountRole, type Address, address, getProgramDerivedAddress, type Instruction } from "@solana/kit";
import type { Intent } from "../../server/features/intents/intent.ts";
import { Stage } from "./steppedService.ts";

const BOUND = ["payment_intent.created", "payment.protected", "payment_intent.paid"];
const DUPLICATE = ["payment.protected", "payment_intent.duplicate_payment"];

/** A program that passes instructions on and signs for an address of its own, which is on no curve: as multisigs do. */
const WALLET_PROGRAM = address(toBase58(new Uint8Array(32).fill(77)));
const programs = [{ address: WALLET_PROGRAM, path: join(import.meta.dirname, "../../program/tests/smart_wallet.so") }];

const offerOf = ({ net }: Stage, intent: Intent) => ({
  programId: net.programId,
  operator: net.operator,
  recipient: intent.recipient as Address,
  mint: intent.asset as Address,
  tokenProgram: TOKEN_PROGRAM_ID,
  paymentId: BigInt(intent.paymentId),
  amount: BigInt(intent.amount),
  period: intent.protectionPeriod,
});

/** By turns whoever is first: confirm, or the sweep. */
async function find(stage: Stage, intent: Intent, signature: string, by: "confirm" | "sweep"): Promise<void> {
  stage.tick(2);
  if (by === "confirm") assert.match(await stage.confirm(intent, signature), /^(bound|duplicate)$/);
  else await stage.catchUp();
}

for (const by of ["confirm", "sweep"] as const) {
  test(`§1.2 two payments in one transaction, for two intents and for one, found by ${by}`, async () => {
    await using stage = await Stage.open({ nodes: ["one", "two"] });
    const { "buyer-1": one, "buyer-2": two } = stage.net.wallets;
    const [left, right, both] = [await stage.create(), await stage.create(), await stage.create()];
    const terms = (intent: Intent, sender: Address) => createPaymentInstructions({ ...offerOf(stage, intent), sender });
    const apart = [...(await terms(left, one.address)), ...(await terms(right, one.address))];
    const signature = stage.net.chain.send(apart, one);
    await find(stage, left, signature, by);
    if (by === "confirm") {
      assert.equal((await stage.intent(right)).status, "requires_payment", "what is another intent's stays its own");
      await find(stage, right, signature, by);
    }
    const together = [...(await terms(both, two.address)), ...(await terms(both, one.address))];
    await find(stage, both, stage.net.chain.send(together, one, two), by);
    await stage.settle();
    assert.deepEqual(await stage.told(left), BOUND);
    assert.deepEqual(await stage.told(right), BOUND);
    assert.deepEqual(await stage.told(both), [...BOUND, ...DUPLICATE]);
    const primary = await findPaymentAddress({ ...offerOf(stage, both), sender: two.address });
    assert.equal((await stage.intent(both)).payment_address, primary, "the first instruction's");
    await stage.assertSound();
  });

  test(`§1.2 a payment through another program, by a payer on no curve, found by ${by}`, async () => {
    await using stage = await Stage.open({ nodes: ["one", "two"], programs });
    const { net } = stage;
    const [wallet, bump] = await getProgramDerivedAddress({ programAddress: WALLET_PROGRAM, seeds: ["wallet"] });
    await fundBuyer(net.rpcUrl, wallet, net.asset, 5_000_000n);
    stage.tick(2);
    const intent = await stage.create();
    const inner = await createPaymentInstruction({ ...offerOf(stage, intent), sender: wallet, payer: wallet });
    const outer: Instruction = {
      programAddress: WALLET_PROGRAM,
      accounts: [
        { address: inner.programAddress, role: AccountRole.READONLY },
        // The wallet signs inside; outside nobody can sign for it.
        ...inner.accounts.map((meta) => (meta.address === wallet ? { ...meta, role: meta.role & 1 } : meta)),
      ],
      data: Uint8Array.from([bump, ...inner.data]),
    };
    await find(stage, intent, net.chain.send([outer], net.wallets["buyer-3"]), by);
    await stage.settle();
    assert.equal(
      (await stage.intent(intent)).payment_address,
      await findPaymentAddress({ ...offerOf(stage, intent), sender: wallet }),
    );
    assert.deepEqual(await stage.told(intent), BOUND);
    await stage.assertSound();
  });

  test(`§1.2 injected compute-budget and foreign instructions, addresses in a look-up table, found by ${by}`, async () => {
    await using stage = await Stage.open({ nodes: ["one", "two"] });
    const { net } = stage;
    const buyer = net.wallets["buyer-1"];
    const intent = await stage.create();
    const addresses = [net.operator, net.asset, net.addresses.recipient];
    const recentSlot = net.chain.ledger.slots.tip - 1;
    const { table, instructions } = await draftLookupTable({ authority: buyer.address, recentSlot, addresses });
    net.chain.send(instructions, buyer);
    stage.tick(2);
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
    const { signature, payment } = await stage.pay(intent, buyer, options);
    await find(stage, intent, signature, by);
    await stage.settle();
    assert.equal((await stage.intent(intent)).payment_address, payment);
    assert.deepEqual(await stage.told(intent), BOUND);
    await stage.assertSound();
  });
}
