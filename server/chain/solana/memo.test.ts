import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fundBuyer, latestBlockhash, payIntent } from "@holdfast/devnet/buyer.ts";
import { callRpc, sendWire } from "@holdfast/devnet/client.ts";
import { toBase58 } from "@holdfast/devnet/ledger/base58.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import type { Devnet } from "@holdfast/devnet/start.ts";
import { asVersion1, signWith, withInstructions } from "@holdfast/devnet/testing/wireTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { openDisputeInstruction } from "@holdfast/escrow-client";
import { AccountRole, type Address, address, getProgramDerivedAddress, type Instruction } from "@solana/kit";
import type { ChainReader } from "../port.ts";
import { findLandedMemo, memoInstruction } from "./memo.ts";
import { readSignedTransaction } from "./signedTransaction.ts";
import { anAddress, anyTime } from "./testing/chain.ts";
import { startLocalChain } from "./testing/localChain.ts";

const TEXT = "Holdfast\nHost: pay.example\nNonce: 0123456789abcdef0123456789abcdef";
const SMART = address(toBase58(new Uint8Array(32).fill(77)));
const SO = new URL(import.meta.resolve("@holdfast/program/tests/smart_wallet.so")).pathname;

let local: Awaited<ReturnType<typeof startLocalChain>>;
let net: Devnet;
let chain: ChainReader;
const wallet = newWallet();
const other = newWallet();
before(async () => {
  local = await startLocalChain({ programs: [{ address: SMART, path: SO }] });
  net = local.net;
  chain = local.openChain("first", "second");
  for (const one of [wallet, other]) await callRpc(net.rpcUrl, "requestAirdrop", [one.address, 1_000_000_000]);
  net.controls.tick(2);
});
after(() => local?.stop());

async function sign(instructions: readonly Instruction[], ...wallets: [LocalWallet, ...LocalWallet[]]) {
  return signTransaction({ instructions, wallets, blockhash: await latestBlockhash(net.rpcUrl) });
}
const inBase64 = ({ wire }: { wire: Uint8Array }) => Buffer.from(wire).toString("base64");
/** The memo that proves the only signer of a transaction, if it does nothing else. */
async function readSignedMemo(text: string) {
  const { programId, operator } = net;
  const signed = await readSignedTransaction(text, { programId, operator });
  const { signer, acts } = (signed.kind === "signed" ? signed.sole : null) ?? { signer: null, acts: [] };
  return acts.length === 1 && acts[0]!.kind === "memo" ? { text: acts[0]!.text, signer } : null;
}
const proofOf = async (...given: Parameters<typeof sign>) => readSignedMemo(inBase64(await sign(...given)));

/** The transaction as version 0 and as version 1. */
async function bothOf(...[instructions, ...wallets]: Parameters<typeof sign>): Promise<readonly [string, string]> {
  const text = inBase64(await sign(instructions, ...wallets));
  return [text, signWith(asVersion1(text), ...wallets).transaction];
}

/** Lands a transaction, and returns its memo as the service reads it. */
async function land(...given: Parameters<typeof sign>) {
  const { wire, signature } = await sign(...given);
  await sendWire(net.rpcUrl, wire);
  net.controls.tick(2);
  const { value } = await chain.fetchTransaction(signature, anyTime);
  assert.equal(value.kind, "landed");
  return value.kind === "landed" ? value.transaction.memo : undefined;
}

const memo = (text = TEXT, signer = wallet.address) => memoInstruction(signer, text);
const transfer = (from: Address, lamports: number): Instruction => {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2, 0);
  data.writeBigUInt64LE(BigInt(lamports), 4);
  const accounts = [
    { address: from, role: AccountRole.WRITABLE_SIGNER },
    { address: from, role: AccountRole.WRITABLE },
  ];
  return { programAddress: address("11111111111111111111111111111111"), accounts, data };
};
const budget: Instruction = {
  programAddress: address("ComputeBudget111111111111111111111111111111"),
  data: Uint8Array.of(2, 0, 0, 4, 0),
};
const guard = (kind: number): Instruction => ({
  programAddress: address("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95"),
  accounts: [{ address: wallet.address, role: AccountRole.READONLY }],
  data: Uint8Array.of(kind, 0),
});

test("§16.2 a transaction that is never sent proves its only signer, with prices and guards of wallets beside the memo", async () => {
  assert.deepEqual(await proofOf([memo()], wallet), { text: TEXT, signer: wallet.address });
  assert.deepEqual(await proofOf([budget, guard(2), memo(), guard(15)], wallet), {
    text: TEXT,
    signer: wallet.address,
  });
  const [, version1] = await bothOf([budget, guard(2), memo(), guard(15)], wallet);
  assert.deepEqual(await readSignedMemo(version1), { text: TEXT, signer: wallet.address });
});

test("§16.2 a never-sent transaction that could do anything else proves nothing", async () => {
  const ownMemo = { ...memo(), accounts: [] };
  const first = { ...memo(), programAddress: address("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo") };
  for (const [why, instructions, ...wallets] of [
    ["a transfer", [memo(), transfer(wallet.address, 1)], wallet],
    ["no memo", [budget], wallet],
    ["two memos", [memo(), memo()], wallet],
    ["a memo that nobody signs", [ownMemo], wallet],
    ["the program that checks no signer", [first], wallet],
    ["a second signer", [memo(), memo(TEXT, other.address)], wallet, other],
    ["another fee payer", [memo()], other, wallet],
    ["a guard that makes an account", [memo(), guard(0)], wallet],
    ["a guard that calls programs", [memo(), guard(16)], wallet],
    ["many instructions", [memo(), ...Array.from({ length: 20 }, () => guard(2))], wallet],
    ["bytes that are no text", [{ ...memo(), data: Uint8Array.of(0xff) }], wallet],
  ] as const)
    for (const text of await bothOf(instructions, ...(wallets as [LocalWallet])))
      assert.equal(await readSignedMemo(text), null, why);
  const good = inBase64(await sign([memo()], wallet));
  const unsigned = withInstructions(good, (all) => [...all]);
  const forged = signWith(unsigned, { ...other, address: wallet.address }).transaction;
  for (const [why, text] of [
    ["no signature", unsigned],
    ["a signature of another key", forged],
    [
      "a changed text",
      Buffer.from(Buffer.from(good, "base64").map((byte, at) => (at === 200 ? byte ^ 1 : byte))).toString("base64"),
    ],
    ["more bytes", Buffer.concat([Buffer.from(good, "base64"), Buffer.of(0)]).toString("base64")],
    ["nothing", ""],
    ["no base64", "%"],
  ] as const)
    assert.equal(await readSignedMemo(text), null, why);
});

test("§16.2 a memo on chain proves the account that signed it, alone or beside the opening of a dispute", async () => {
  assert.deepEqual(await land([memo()], wallet), { text: TEXT, signers: [wallet.address] });
  const [signer] = [wallet.address];
  assert.deepEqual(await land([budget, memo(TEXT, signer)], other, wallet), { text: TEXT, signers: [signer] });
  const terms = local.someTerms();
  await fundBuyer(net.rpcUrl, wallet.address, net.asset, BigInt(terms.amount));
  net.controls.tick(2);
  const { payment } = await payIntent(net, wallet, terms, { until: "processed" });
  net.controls.tick(2);
  const parties = { address: payment, operator: net.operator, sender: wallet.address };
  const dispute = openDisputeInstruction({ programId: net.programId, payment: parties } as never);
  assert.deepEqual(await land([dispute, memo()], wallet), { text: TEXT, signers: [wallet.address] });
});

test("§16.2 a memo beside anything else, of nobody, of no checked signer, or one of two proves nothing", async () => {
  assert.equal(await land([memo(), transfer(wallet.address, 1)], wallet), undefined, "beside a transfer");
  assert.equal(await land([{ ...memo(), accounts: [] }], wallet), undefined, "of nobody");
  assert.equal(await land([memo(), memo("another")], wallet), undefined, "two memos");
});

/** The smart wallet of program tests: it passes an instruction on, and signs for its own account. */
async function throughProgram(inner: Instruction, signers: readonly Address[] = []): Promise<Instruction> {
  const [account, bump] = await smartAccount();
  return {
    programAddress: SMART,
    accounts: [
      { address: inner.programAddress, role: AccountRole.READONLY },
      ...(inner.accounts ?? []).map((one) => (one.address === account ? { ...one, role: AccountRole.READONLY } : one)),
      ...signers.map((one) => ({ address: one, role: AccountRole.READONLY_SIGNER })),
    ],
    data: Uint8Array.from([bump, ...(inner.data ?? [])]),
  };
}
const smartAccount = () => getProgramDerivedAddress({ programAddress: SMART, seeds: ["wallet"] });

test("§16.2 the account of a smart wallet counts inside its program, a fee payer beside an inner call never", async () => {
  const [account] = await smartAccount();
  assert.deepEqual(await land([await throughProgram(memo(TEXT, account))], wallet), {
    text: TEXT,
    signers: [account],
  });
  assert.equal(await land([await throughProgram(memo())], wallet), undefined, "the fee payer inside another program");
  assert.equal(await land([await throughProgram(memo(TEXT, account)), memo()], wallet), undefined, "two memos");
});

test("§16.2 memos of the program that checks no signer count as memos, and prove nothing", () => {
  const ran = (program: string, isInner = false) => ({ program, accounts: [anAddress(1)], data: "2", isInner });
  const [second, first] = [
    "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
    "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo",
  ];
  const ours = { programId: anAddress(9) };
  const signers = new Set([anAddress(1)]);
  assert.notEqual(findLandedMemo([ran(second!)], signers, ours), null);
  assert.equal(findLandedMemo([ran(first!)], signers, ours), null);
  assert.equal(findLandedMemo([ran(second!), ran(first!, true)], signers, ours), null);
  assert.equal(findLandedMemo([ran(second!, true)], signers, ours), null);
  assert.notEqual(findLandedMemo([ran(second!, true)], new Set(), ours), null);
});
