import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { actOnPayment, fundBuyer, latestBlockhash, payIntent, readPayment } from "@holdfast/devnet/buyer.ts";
import { sendWire } from "@holdfast/devnet/client.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import type { Devnet } from "@holdfast/devnet/start.ts";
import { asVersion1, signWith, withInstructions } from "@holdfast/devnet/testing/wireTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { instructionKind, resolveInstruction } from "@holdfast/escrow-client";
import type { Address, Instruction } from "@solana/kit";
import { type BuiltAction, findWanted } from "../acts.ts";
import type { ChainBuilder } from "../builder.ts";
import type { ChainReader } from "../port.ts";
import { createSolanaBuilder } from "./builder.ts";
import { memoInstruction } from "./memo.ts";
import { anyTime } from "./testing/chain.ts";
import { startLocalChain } from "./testing/localChain.ts";

const AMOUNT = 24_500_000n;
const PART = 6_000_000n;
const HASH = createHash("sha256").update("a record").digest("hex");

let local: Awaited<ReturnType<typeof startLocalChain>>;
let net: Devnet;
let builder: ChainBuilder;
let reader: ChainReader;
let arbiter: LocalWallet;
const stranger = newWallet();
before(async () => {
  local = await startLocalChain();
  net = local.net;
  const { programId, operator } = net;
  const settings = { programId, operator, log: () => undefined, unitPriceMax: 500_000n };
  builder = createSolanaBuilder({ ...settings, rpcUrls: [`${net.rpcUrl}/first`] });
  reader = local.openChain("first");
  arbiter = net.wallets.arbiter;
  await fundBuyer(net.rpcUrl, stranger.address, net.asset, AMOUNT);
  net.controls.tick(2);
});
after(() => local?.stop());

async function disputed(): Promise<Address> {
  const buyer = net.wallets["buyer-1"];
  const terms = { ...local.someTerms(), amount: AMOUNT.toString() };
  const { payment } = await payIntent(net, buyer, terms, { until: "processed" });
  net.controls.tick(2);
  await actOnPayment(net, buyer, "dispute", payment, { until: "processed" });
  net.controls.tick(2);
  return payment;
}

const ask = (payment: string, total = PART) =>
  builder.buildAction(
    { action: "resolve", payment, account: arbiter.address, total, memo: HASH, now: new Date(), minSlot: 0 },
    anyTime,
  );
async function build(payment: string, total?: bigint): Promise<BuiltAction> {
  const built = await ask(payment, total);
  assert.equal(built.kind, "built");
  return built as BuiltAction;
}
async function isRuling(transaction: string, payment: string): Promise<boolean> {
  const signed = await builder.readSigned(transaction);
  const alone = { signer: arbiter.address, total: PART.toString(), memo: HASH };
  return signed.kind === "signed" && findWanted(signed, { payment, kind: "resolve", alone }) !== null;
}

/** Lands a transaction, and returns its rulings as the service reads them. */
async function land(wire: Uint8Array, signature: string) {
  await sendWire(net.rpcUrl, wire);
  net.controls.tick(2);
  const { value } = await reader.fetchTransaction(signature, anyTime);
  assert.equal(value.kind, "landed");
  return value.kind === "landed" ? value.transaction.rulings : undefined;
}

/** Rules with these memos, and returns the memo of the ruling. */
async function ruleWith(...memos: readonly (readonly [signer: LocalWallet, text: string])[]) {
  const payment = await disputed();
  const account = await readPayment(net.rpcUrl, payment);
  assert.ok(account);
  const ruling = resolveInstruction({
    ...{ programId: net.programId as Address, total: PART },
    payment: { ...account, address: payment },
  });
  const instructions = [ruling, ...memos.map(([{ address }, text]) => memoInstruction(address, text))];
  const others = [...new Set(memos.map(([signer]) => signer))].filter((one) => one !== arbiter);
  const blockhash = await latestBlockhash(net.rpcUrl);
  const { wire, signature } = await signTransaction({ instructions, wallets: [arbiter, ...others], blockhash });
  const [landed, ...more] = (await land(wire, signature)) ?? [];
  assert.deepEqual([landed?.payment, landed?.arbiter, landed?.total, more], [payment, arbiter.address, `${PART}`, []]);
  return landed?.memo;
}

for (const version of [0, 1] as const)
  test(`§17.2 the ruling that is built lands with the hash of its record as the only memo, as version ${version}`, async () => {
    const payment = await disputed();
    const built = await build(payment);
    assert.deepEqual(built.instructions.map(({ data }) => instructionKind(Buffer.from(data, "base64"))).slice(0, 1), [
      "resolve",
    ]);
    assert.deepEqual(
      built.instructions[1]?.accounts.map(({ address, signer }) => [address, signer]),
      [[arbiter.address, true]],
    );
    assert.equal(await isRuling(built.transaction, payment), false, "nobody has signed it");
    const signed = signWith(version === 1 ? asVersion1(built.transaction) : built.transaction, arbiter);
    assert.equal(await isRuling(signed.transaction, payment), true);
    const rulings = await land(Buffer.from(signed.transaction, "base64"), signed.signature);
    assert.deepEqual(rulings, [
      { payment, arbiter: arbiter.address, total: `${PART}`, memo: { kind: "one", text: HASH } },
    ]);
    assert.deepEqual(await ask(payment), { kind: "not_possible", reason: "already_decided" });
  });

test("§17.2 nothing but the ruling that was built is taken from the arbiter's wallet", async () => {
  const payment = await disputed();
  const { transaction } = await build(payment);
  const isTaken = (changed: string, ...wallets: LocalWallet[]) =>
    isRuling(signWith(changed, ...wallets).transaction, payment);
  const [memo, other] = [memoInstruction(arbiter.address, HASH), memoInstruction(stranger.address, HASH)];
  const changes: readonly (readonly [what: string, change: (given: readonly Instruction[]) => Instruction[]])[] = [
    ["a second memo", (given) => [...given, memo]],
    ["no memo", (given) => given.slice(0, -1)],
    ["the memo of another", (given) => [...given.slice(0, -1), other]],
    ["another text", (given) => [...given.slice(0, -1), memoInstruction(arbiter.address, `${HASH.slice(1)}0`)]],
    ["a second ruling", (given) => [...given, given.at(-2)!]],
  ];
  for (const [what, change] of changes)
    for (const changed of [transaction, asVersion1(transaction)])
      assert.equal(await isTaken(withInstructions(changed, change), arbiter, stranger), false, what);
  assert.equal(await isTaken((await build(payment, PART + 1n)).transaction, arbiter), false, "another total");
  assert.equal(await isTaken((await build(await disputed())).transaction, arbiter), false, "another payment");
  assert.equal(await isTaken(transaction, stranger), false, "another's signature");
  const bytes = Buffer.from(signWith(transaction, arbiter).transaction, "base64");
  bytes[bytes.length - 1]! ^= 1;
  assert.equal(await isRuling(bytes.toString("base64"), payment), false, "one byte");
});

test("§17.3 the memo of a ruling is the arbiter's alone: none, another's, several, each shown for what it is", async () => {
  assert.deepEqual(await ruleWith(), { kind: "none", text: null });
  assert.deepEqual(await ruleWith([stranger, HASH]), { kind: "other_signer", text: null });
  assert.deepEqual(await ruleWith([arbiter, HASH], [arbiter, "another"]), { kind: "several", text: null });
  assert.deepEqual(await ruleWith([arbiter, HASH], [stranger, "another"]), { kind: "one", text: HASH });
});

test("§17.2 no ruling is built below what is bound, above the amount, or of a payment without a dispute", async () => {
  const payment = await disputed();
  await actOnPayment(net, net.wallets.recipient, "refund", payment, { until: "processed", total: 2_000_000n });
  net.controls.tick(2);
  assert.deepEqual(await ask(payment, 1_999_999n), { kind: "not_possible", reason: "less_bound" });
  assert.deepEqual(await ask(payment, AMOUNT + 1n), { kind: "not_possible", reason: "invalid_total" });
  assert.equal((await ask(payment, 2_000_000n)).kind, "built");
  const { address } = await local.aPayment();
  net.controls.tick(2);
  assert.deepEqual(await ask(address), { kind: "not_possible", reason: "not_disputed" });
});
