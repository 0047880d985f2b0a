import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { draftPayment, fundBuyer, payIntent } from "@holdfast/devnet/buyer.ts";
import { sendWire } from "@holdfast/devnet/client.ts";
import type { Devnet } from "@holdfast/devnet/start.ts";
import { draftLookupTable } from "@holdfast/devnet/testing/lookup.ts";
import {
  createPaymentInstruction,
  findPaymentAddress,
  findTokenAccountAddress,
  PERIOD_SECONDS,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { type Address, getProgramDerivedAddress, type Instruction } from "@solana/kit";
import { type ChainPayment, type ChainReader, isPayment, SPAN_SECONDS } from "../port.ts";
import { createSolanaSender } from "./sender.ts";
import { anAddress, anyTime } from "./testing/chain.ts";
import { startLocalChain } from "./testing/localChain.ts";

/** A wallet that is a program: it passes instructions on and signs for an address on no curve. */
const walletProgram = anAddress(77);

let local: Awaited<ReturnType<typeof startLocalChain>>;
let net: Devnet;
let chain: ChainReader;
const now = { until: "processed" } as const;
const finalized = { ...anyTime, commitment: "finalized" } as const;

before(async () => {
  const path = fileURLToPath(import.meta.resolve("@holdfast/program/tests/smart_wallet.so"));
  local = await startLocalChain({ programs: [{ address: walletProgram, path }] });
  net = local.net;
  chain = local.openChain("first", "second");
});
after(() => local.stop());

async function readOne(address: string): Promise<ChainPayment> {
  const { value } = await chain.fetchPayments([address], anyTime);
  const payment = value[0];
  assert.ok(payment && isPayment(payment));
  return payment;
}

test("a payment is not found, then not confirmed, then landed, at each commitment in its time", async () => {
  const terms = local.someTerms();
  const { wire, signature, payment } = await draftPayment(net, net.wallets["buyer-1"], terms);
  const kind = async (options = anyTime) => (await chain.fetchTransaction(signature, options)).value.kind;
  assert.equal(await kind(), "not_found");
  await sendWire(net.rpcUrl, wire);
  assert.equal(await kind(), "not_confirmed");
  net.controls.freezeFinality(true);
  net.controls.tick(2);

  const { value, slot } = await chain.fetchTransaction(signature, anyTime);
  assert.ok(value.kind === "landed");
  assert.deepEqual([value.transaction.created, value.transaction.touched], [[payment], [payment]]);
  assert.equal(value.transaction.slot, slot);
  assert.equal(await kind(finalized), "not_confirmed");
  assert.equal((await chain.fetchPayments([payment], finalized)).value[0], null);
  net.controls.freezeFinality(false);
  net.controls.tick(8);
  assert.equal(await kind(finalized), "landed");

  const { value: accounts } = await chain.fetchPayments([payment, net.operator, net.asset], finalized);
  assert.deepEqual(accounts.slice(1), [null, null]);
  const { createdAt, protectionDeadline, address, ...rest } = await readOne(payment);
  assert.deepEqual(accounts[0], { address, createdAt, protectionDeadline, ...rest });
  assert.equal(protectionDeadline.getTime() - createdAt.getTime(), PERIOD_SECONDS.oneHour * 1_000);
  assert.deepEqual(rest, {
    ...terms,
    operator: net.operator,
    sender: net.addresses["buyer-1"],
    tokenProgram: TOKEN_PROGRAM_ID,
    decimals: 6,
    status: "protected",
    outcome: null,
    disputedAt: null,
    settledAt: null,
    refundedAt: null,
    refundTotal: "0",
    amountRefunded: "0",
    amountReleased: "0",
    arbiter: net.addresses.arbiter,
    rentPayer: net.addresses["buyer-1"],
    termsHash: null,
  });
  const all = await chain.fetchPaymentsInSpan(null, finalized);
  assert.deepEqual(all.value, [accounts[0]]);
  const span = Math.floor(accounts[0]!.createdAt.getTime() / 1_000 / SPAN_SECONDS);
  for (const [of, found] of [
    [span - 1, []],
    [span, [accounts[0]]],
    [span + 1, []],
  ] as const)
    assert.deepEqual((await chain.fetchPaymentsInSpan(of, finalized)).value, found);
});

test("a payment in a version-0 transaction is found behind its look-up table", async () => {
  const buyer = net.wallets["buyer-2"];
  const addresses = [net.operator, net.asset, net.addresses.recipient];
  const recentSlot = net.chain.ledger.slots.blockAt(net.chain.ledger.slots.tip - 1);
  const { table, instructions } = await draftLookupTable({ authority: buyer.address, recentSlot, addresses });
  net.chain.send(instructions, buyer);
  net.controls.tick(2);
  const lookupTables = { [table]: addresses };
  const { payment, signature } = await payIntent(net, buyer, local.someTerms(), { ...now, lookupTables });
  net.controls.tick(2);
  const { value } = await chain.fetchTransaction(signature, anyTime);
  assert.ok(value.kind === "landed");
  assert.deepEqual(value.transaction.created, [payment]);
});

test("a payment made through another program, and one at the top level, are found in one transaction, in order", async () => {
  const [wallet, bump] = await getProgramDerivedAddress({ programAddress: walletProgram, seeds: ["wallet"] });
  await fundBuyer(net.rpcUrl, wallet, net.asset, 1_000n);
  net.controls.tick(2);
  const buyer = net.wallets["buyer-3"];
  const { paymentId, recipient, asset: mint } = local.someTerms();
  const common = { programId: net.programId, operator: net.operator, recipient: recipient as Address, mint };
  const offer = {
    ...common,
    tokenProgram: TOKEN_PROGRAM_ID,
    paymentId: BigInt(paymentId),
    amount: 10n,
    period: "oneHour",
    arbiter: net.addresses.arbiter,
  } as const;
  const inner = await createPaymentInstruction({ ...offer, sender: wallet, payer: wallet });
  const outer: Instruction = {
    programAddress: walletProgram,
    accounts: [
      { address: inner.programAddress, role: 0 },
      ...inner.accounts.map((meta) => (meta.address === wallet ? { ...meta, role: meta.role & 1 } : meta)),
    ],
    data: Uint8Array.from([bump, ...inner.data]),
  };
  const direct = await createPaymentInstruction({ ...offer, sender: buyer.address });
  const signature = net.chain.send([outer, direct], buyer);
  net.controls.tick(2);

  const { value } = await chain.fetchTransaction(signature, anyTime);
  assert.ok(value.kind === "landed");
  const expected = await Promise.all([wallet, buyer.address].map((sender) => findPaymentAddress({ ...offer, sender })));
  assert.deepEqual(value.transaction.created, expected);
  assert.equal((await readOne(expected[0]!)).sender, wallet);
});

test("the history is paged backwards, and its pages together are the whole of it", async () => {
  for (let count = 0; count < 5; count++) await local.aPayment();
  net.controls.tick(2);
  const whole = await chain.fetchSignatures({ limit: 1_000 }, anyTime);
  const paged: string[] = [];
  for (;;) {
    const before = paged.at(-1);
    const page = await chain.fetchSignatures({ limit: 2, ...(before === undefined ? {} : { before }) }, anyTime);
    if (page.value.length === 0) break;
    paged.push(...page.value.map(({ signature }) => signature));
  }
  assert.ok(paged.length >= 7);
  assert.deepEqual(
    paged,
    whole.value.map(({ signature }) => signature),
  );
  const until = paged[3]!;
  const fresh = await chain.fetchSignatures({ limit: 1_000, until }, anyTime);
  assert.deepEqual(
    fresh.value.map(({ signature }) => signature),
    paged.slice(0, 3),
  );
});

test("the head, the genesis hash, mints and recipients", async () => {
  const head = await chain.fetchHead(finalized);
  assert.equal(head.slot, net.chain.ledger.slots.at("finalized"));
  assert.ok(head.value.blockTime);
  assert.equal(await chain.fetchGenesisHash(anyTime), net.genesisHash);

  const read = async (asset: string, recipient: string) =>
    (await chain.fetchTerms({ asset, recipient }, anyTime)).value;
  const { recipient } = net.addresses;
  assert.deepEqual(await read(net.asset, recipient), {
    mint: { decimals: 6, tokenProgram: TOKEN_PROGRAM_ID, riskyExtensions: [] },
    recipient: "wallet",
  });
  const account = await findTokenAccountAddress({
    owner: net.addresses["buyer-1"],
    mint: net.asset,
    tokenProgram: TOKEN_PROGRAM_ID,
  });
  assert.deepEqual(await read(account, net.asset), { mint: null, recipient: "token_program_account" });
  assert.deepEqual(await read(recipient, net.programId), { mint: null, recipient: "program" });
});

test("payments are settled together once they are due, and the first that is not is named", async () => {
  const sender = await createSolanaSender({
    rpcUrls: [net.rpcUrl],
    programId: net.programId,
    operator: net.operator,
    log: () => {},
    feePayerSecret: net.wallets.keeper.secret,
    unitPrice: 0n,
    concurrency: 1,
    balanceMin: 0n,
    rentPayers: [],
  });
  const due = [await local.aPayment(), await local.aPayment(), await local.aPayment()];
  net.controls.tick(2);
  const duePayments = await Promise.all(due.map(({ address }) => readOne(address)));
  net.controls.advance(PERIOD_SECONDS.oneHour);
  const young = await local.aPayment();
  net.controls.tick(2);

  const early = { payment: await readOne(young.address), side: "recipient" } as const;
  const dueParts = duePayments.map((payment) => ({ payment, side: "recipient" }) as const);
  assert.deepEqual(await sender.payOut([...dueParts, early], anyTime), {
    kind: "refused",
    part: early,
    reason: "protection_running: The protection deadline has not been reached.",
  });
  const sent = await sender.payOut(dueParts, anyTime);
  assert.ok(sent.kind === "sent");
  net.controls.tick(2);
  const { value } = await chain.fetchTransaction(sent.signature, anyTime);
  assert.ok(value.kind === "landed");
  assert.deepEqual(value.transaction.created, []);
  assert.deepEqual(
    value.transaction.touched,
    due.map(({ address }) => address),
  );
  const settled = await readOne(due[0]!.address);
  assert.deepEqual([settled.status, settled.outcome], ["released", "settled"]);
  assert.ok(settled.settledAt);
  const again = await sender.payOut(dueParts.slice(0, 1), anyTime);
  assert.deepEqual(again, { kind: "overtaken", part: dueParts[0] });
});

test("a payment wakes the loops that wait for activity", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let woken = () => {};
  const begun = new Promise<void>((begin) => (woken = begin));
  const stop = chain.onActivity(() => woken());
  await begun;
  woken = resolve;
  await local.aPayment();
  net.controls.tick(2);
  await promise;
  stop();
});
