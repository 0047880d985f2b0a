import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { actOnPayment, fundBuyer, payIntent, readPayment } from "@holdfast/devnet/buyer.ts";
import { callRpc } from "@holdfast/devnet/client.ts";
import type { Devnet } from "@holdfast/devnet/start.ts";
import { asVersion1, signWith, withInstructions } from "@holdfast/devnet/testing/wireTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { instructionKind } from "@holdfast/escrow-client";
import { AccountRole, type Address, address, type Instruction } from "@solana/kit";
import type { BuiltAgreement } from "../agreement.ts";
import type { ChainBuilder } from "../builder.ts";
import { createSolanaBuilder } from "./builder.ts";
import { anyTime } from "./testing/chain.ts";
import { startLocalChain } from "./testing/localChain.ts";

const AMOUNT = 24_500_000n;
const PART = 18_500_000n;

let local: Awaited<ReturnType<typeof startLocalChain>>;
let net: Devnet;
let builder: ChainBuilder;
before(async () => {
  local = await startLocalChain();
  net = local.net;
  const { programId, operator } = net;
  builder = createSolanaBuilder({
    ...{ programId, operator, log: () => undefined, unitPriceMax: 500_000n },
    rpcUrls: [`${net.rpcUrl}/first`, `${net.rpcUrl}/second`],
  });
});
after(() => local?.stop());

interface Disputed {
  readonly buyer: LocalWallet;
  readonly shop: LocalWallet;
  readonly payment: Address;
}

async function disputed(): Promise<Disputed> {
  const [buyer, shop] = [newWallet(), newWallet()];
  for (const wallet of [buyer, shop]) await fundBuyer(net.rpcUrl, wallet.address, net.asset, AMOUNT);
  net.controls.tick(2);
  const terms = { ...local.someTerms(), recipient: shop.address, amount: AMOUNT.toString() };
  const { payment } = await payIntent(net, buyer, terms, { until: "processed" });
  net.controls.tick(2);
  await actOnPayment(net, buyer, "dispute", payment, { until: "processed" });
  net.controls.tick(2);
  return { buyer, shop, payment };
}

const wantedOf = ({ buyer, shop, payment }: Disputed, total = PART) => ({
  ...{ payment, sender: buyer.address, recipient: shop.address },
  total: total.toString(),
});
const ask = (payment: string, account: string, total = PART) =>
  builder.buildAgreement({ payment, account, total, minSlot: 0 }, anyTime);
async function build(payment: string, account: string, total?: bigint): Promise<BuiltAgreement> {
  const built = await ask(payment, account, total);
  assert.equal(built.kind, "built");
  return built as BuiltAgreement;
}
const kindsOf = ({ instructions }: BuiltAgreement) =>
  instructions.map(({ data }) => instructionKind(Buffer.from(data, "base64")));
const tokensOf = async (owner: Address) => {
  const asked = [owner, { mint: net.asset }, { encoding: "base64", commitment: "confirmed" }];
  const { value } = await callRpc<{ value: { account: { data: [string] } }[] }>(
    net.rpcUrl,
    "getTokenAccountsByOwner",
    asked,
  );
  return value.reduce((sum, { account }) => sum + Buffer.from(account.data[0], "base64").readBigUInt64LE(64), 0n);
};

for (const first of ["buyer", "shop"] as const)
  test(`§16.5 one transaction that both sign ends the dispute, the ${first} first, and pays both sides at once`, async () => {
    const given = await disputed();
    const second = first === "buyer" ? "shop" : "buyer";
    const built = await build(given.payment, given[first].address);
    assert.deepEqual(kindsOf(built), ["refund", "release", "pay_out", "pay_out"]);
    // The wallet that signs first may make another version of it.
    const unsigned = first === "buyer" ? built.transaction : asVersion1(built.transaction);
    const half = signWith(unsigned, given[first]).transaction;
    assert.deepEqual(await builder.readAgreement(half, wantedOf(given)), {
      missing: first === "buyer" ? "recipient" : "sender",
    });
    const whole = signWith(half, given[second]).transaction;
    assert.deepEqual(await builder.readAgreement(whole, wantedOf(given)), { missing: null });
    const before = await Promise.all([tokensOf(given.buyer.address), tokensOf(given.shop.address)]);
    await builder.sendTransaction(whole, anyTime);
    net.controls.tick(2);
    const after = await Promise.all([tokensOf(given.buyer.address), tokensOf(given.shop.address)]);
    assert.deepEqual(
      after.map((one, at) => one - before[at]!),
      [PART, AMOUNT - PART],
    );
    const record = await readPayment(net.rpcUrl, given.payment);
    assert.equal(record?.refundTotal, PART);
  });

test("§16.5 what the state or the wallet does not allow is refused by name", async () => {
  const given = await disputed();
  const { payment, buyer, shop } = given;
  assert.deepEqual(await ask(payment, newWallet().address), { kind: "other_wallet", needed: buyer.address });
  // One side alone gives back everything, or nothing.
  for (const total of [0n, AMOUNT, AMOUNT + 1n])
    assert.deepEqual(await ask(payment, buyer.address, total), { kind: "not_possible", reason: "invalid_total" });
  assert.deepEqual(await ask(newWallet().address, buyer.address), { kind: "not_found" });
  await actOnPayment(net, shop, "refund", payment, { until: "processed", total: PART });
  net.controls.tick(2);
  assert.deepEqual(await ask(payment, buyer.address), { kind: "not_possible", reason: "invalid_total" });
  await actOnPayment(net, buyer, "release", payment, { until: "processed" });
  net.controls.tick(2);
  assert.equal((await ask(payment, buyer.address)).kind, "not_possible");
});

test("§16.5 nobody signs more than the agreement: another total, payment or signer, or one instruction more is refused", async () => {
  const given = await disputed();
  const other = await disputed();
  const { payment, buyer, shop } = given;
  const built = await build(payment, shop.address);
  const half = signWith(built.transaction, shop).transaction;
  const readsAs = (text: string, wanted = wantedOf(given)) => builder.readAgreement(text, wanted);
  for (const [why, wanted] of [
    ["another total", wantedOf(given, PART - 1n)],
    ["another payment", { ...wantedOf(given), payment: other.payment }],
    ["another buyer", { ...wantedOf(given), sender: other.buyer.address }],
    ["another shop", { ...wantedOf(given), recipient: other.shop.address }],
  ] as const)
    assert.equal(await readsAs(half, wanted), null, why);
  const changed = (change: (instructions: readonly Instruction[]) => Instruction[]) =>
    [built.transaction, asVersion1(built.transaction)].map(
      (text) => signWith(withInstructions(text, change), shop).transaction,
    );
  const theft = (from: Address): Instruction => {
    const data = Buffer.alloc(12);
    data.writeUInt32LE(2, 0);
    data.writeBigUInt64LE(1_000_000n, 4);
    const accounts = [
      { address: from, role: AccountRole.WRITABLE_SIGNER },
      { address: shop.address, role: AccountRole.WRITABLE },
    ];
    return { programAddress: address("11111111111111111111111111111111"), accounts, data };
  };
  const without = (kind: string) => (all: readonly Instruction[]) =>
    all.filter(({ programAddress, data }) => programAddress !== net.programId || instructionKind(data!) !== kind);
  for (const [why, ...texts] of [
    ["a transfer of the buyer", ...changed((all) => [...all, theft(buyer.address)])],
    ["no release", ...changed(without("release"))],
    ["two releases", ...changed((all) => [...all, all.find(({ data }) => instructionKind(data!) === "release")!])],
    ["unsigned", built.transaction],
    ["a forged signature", signWith(built.transaction, { ...other.shop, address: shop.address }).transaction],
    ["nothing", ""],
  ] as const)
    for (const text of texts) assert.equal(await readsAs(text), null, why);
  // A wallet that signs first may add guards, which only read.
  const guard: Instruction = {
    programAddress: address("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95"),
    accounts: [{ address: shop.address, role: AccountRole.READONLY }],
    data: Uint8Array.of(5, 0),
  };
  for (const text of changed((all) => [guard, ...all, guard]))
    assert.deepEqual(await readsAs(text), { missing: "sender" });
});
