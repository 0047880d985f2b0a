import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  acceptInstruction,
  createOperatorInstruction,
  createPaymentInstruction,
  findOperatorAddress,
  findPaymentAddress,
  LOCAL_PROGRAM_ID,
  OPERATOR_ACCOUNT_SIZE,
  PAYMENT_ACCOUNT_SIZE,
  type ProgramInstruction,
  payOutInstruction,
  proposeInstruction,
  releaseInstruction,
} from "@holdfast/escrow-client";
import {
  type Address,
  getAddressDecoder,
  getProgramDerivedAddress,
  type Instruction,
  isOffCurveAddress,
} from "@solana/kit";
import { Rent } from "litesvm";
import { AMOUNT, anyAddress, aWorld, type Chain, give, pay, readonly, START, tokenAccountOf } from "./chain.ts";
import { DAY, dispute, payOut, resolve } from "./scenario.ts";

const WALLET_PROGRAM_ID = anyAddress();
const walletBytes = readFileSync(new URL("smart_wallet.so", import.meta.url));

async function smartWallet(
  chain: Chain,
): Promise<{ address: Address; through(inner: ProgramInstruction): Instruction }> {
  chain.svm.addProgram(WALLET_PROGRAM_ID, walletBytes);
  const [address, bump] = await getProgramDerivedAddress({ programAddress: WALLET_PROGRAM_ID, seeds: ["wallet"] });
  const through = (inner: ProgramInstruction): Instruction => ({
    programAddress: WALLET_PROGRAM_ID,
    accounts: [
      readonly(inner.programAddress),
      // The wallet signs inside; it cannot sign the outer transaction.
      ...inner.accounts.map((meta) => (meta.address === address ? { ...meta, role: meta.role & 1 } : meta)),
    ],
    data: Uint8Array.from([bump, ...inner.data]),
  });
  return { address, through };
}

test("the local chain's program id is the hash its comment says", () => {
  const hash = createHash("sha256").update("holdfast escrow, local chain").digest();
  assert.equal(LOCAL_PROGRAM_ID, getAddressDecoder().decode(hash));
});

test("the same file works under any program id", async () => {
  const { chain, authority, arbiter } = await aWorld();
  const programId = anyAddress();
  chain.svm.addProgram(programId, readFileSync(new URL("../holdfast_escrow.so", import.meta.url)));
  chain.done(await createOperatorInstruction({ programId, authority, arbiter }));
  assert.equal(chain.operator(await findOperatorAddress({ programId, authority })).arbiter, arbiter);
});

test("a payment or operator address that was sent lamports before can still be created", async () => {
  const world = await aWorld();
  const { chain, offer } = world;
  const { programId } = chain;
  const full = chain.rent(PAYMENT_ACCOUNT_SIZE);
  const cases = [
    [890_880n, full],
    [full, full],
    [full + 1_000_000n, full + 1_000_000n],
  ] as const;
  for (const [index, [prefund, held]] of cases.entries()) {
    const paymentId = BigInt(index + 1);
    const at = await findPaymentAddress({ ...offer, paymentId });
    chain.fund(at, prefund);
    await pay(world, { paymentId });
    assert.equal(chain.payment(at).paymentId, paymentId);
    assert.equal(chain.balance(at), held);
  }
  const authority = anyAddress();
  const at = await findOperatorAddress({ programId, authority });
  chain.fund(at, 890_880n);
  chain.done(await createOperatorInstruction({ programId, authority, arbiter: anyAddress(), payer: chain.feePayer }));
  assert.equal(chain.balance(at), chain.rent(OPERATOR_ACCOUNT_SIZE));
});

test("a payment made by another program, by a sender and payer on no curve, and released the same way", async () => {
  const world = await aWorld();
  const { chain, token } = world;
  const wallet = await smartWallet(chain);
  assert.equal(isOffCurveAddress(wallet.address), true);
  chain.fund(wallet.address);
  await give(chain, token, wallet.address, AMOUNT);
  const offer = { ...world.offer, sender: wallet.address };
  const create = await createPaymentInstruction(offer);
  chain.done(wallet.through(create));
  const at = await findPaymentAddress(offer);
  assert.deepEqual([chain.payment(at).sender, chain.payment(at).status], [wallet.address, "protected"]);
  const payment = { ...offer, address: at, rentPayer: wallet.address };
  chain.done(wallet.through(releaseInstruction({ programId: chain.programId, payment, total: 0n })));
  chain.done(await payOutInstruction({ programId: chain.programId, payment, side: "recipient" }));
  assert.equal(chain.tokens(await tokenAccountOf(token, world.recipient)), AMOUNT);
});

test("a recipient on no curve is paid like any other", async () => {
  const world = await aWorld();
  const { chain, token } = world;
  const wallet = await smartWallet(chain);
  await give(chain, token, wallet.address, 0n);
  const paid = await pay(world, { recipient: wallet.address });
  chain.setTime(START + DAY);
  chain.done(await payOut(paid, "recipient"));
  assert.equal(chain.tokens(await tokenAccountOf(token, wallet.address)), AMOUNT);
});

test("an arbiter on no curve rules from inside its program", async () => {
  const world = await aWorld();
  const { chain, operator, authority } = world;
  const { programId } = chain;
  const wallet = await smartWallet(chain);
  const role = { programId, operator, role: "arbiter" } as const;
  chain.done(proposeInstruction({ ...role, authority, key: wallet.address }));
  chain.done(wallet.through(acceptInstruction({ ...role, key: wallet.address })));
  const paid = await pay(world, { arbiter: wallet.address });
  chain.done(dispute(paid), wallet.through(resolve(paid, AMOUNT)), await payOut(paid, "sender"));
  assert.equal(chain.payment(paid.payment.address).outcome, "resolved");
});

test("the price of storage is asked of the chain", async () => {
  const world = await aWorld();
  const { chain } = world;
  // Today's form (per byte, factor 1), the older one (per byte-year, two years), and a cheaper day.
  const prices = [
    [6_960n, 1, 6_960n],
    [3_480n, 2, 6_960n],
    [348n, 1, 348n],
  ] as const;
  for (const [index, [price, factor, perByte]] of prices.entries()) {
    chain.svm.setRent(new Rent(price, factor, 50));
    const paid = await pay(world, { paymentId: BigInt(index + 1), amount: 1n });
    assert.equal(chain.balance(paid.payment.address), (128n + BigInt(PAYMENT_ACCOUNT_SIZE)) * perByte);
  }
});
