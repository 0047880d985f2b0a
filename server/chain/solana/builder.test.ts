import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fundBuyer, payIntent, readPayment } from "@holdfast/devnet/buyer.ts";
import { callRpc } from "@holdfast/devnet/client.ts";
import type { Devnet } from "@holdfast/devnet/start.ts";
import {
  asVersion1,
  decodeTransaction,
  messageOf,
  signWith,
  withInstructions,
} from "@holdfast/devnet/testing/wireTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import {
  findTokenAccountAddress,
  hashTerms,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  termsText,
} from "@holdfast/escrow-client";
import { type Address, address, type Instruction } from "@solana/kit";
import { eventually } from "../../../tests/harness/wait.ts";
import type { BuiltPayment, ChainBuilder, PaymentCommand } from "../builder.ts";
import { isTooLate, type Lifetimes } from "../lifetime.ts";
import { ChainUnavailableError } from "../port.ts";
import { createSolanaBuilder } from "./builder.ts";
import { anyTime } from "./testing/chain.ts";
import { startLocalChain } from "./testing/localChain.ts";

const PYUSD = address("2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo");
const SOL = address("So11111111111111111111111111111111111111112");
const WIRE_BYTES_MAX = 1_232;
/** Bytes that wallets need for the instructions by which they guard a transaction. */
const GUARD_BYTES = 250;

let local: Awaited<ReturnType<typeof startLocalChain>>;
let net: Devnet;
let builder: ChainBuilder;
before(async () => {
  local = await startLocalChain();
  net = local.net;
  const { programId, operator } = net;
  const settings = { programId, operator, log: () => undefined, unitPriceMax: 500_000n };
  builder = createSolanaBuilder({ ...settings, rpcUrls: [`${net.rpcUrl}/first`, `${net.rpcUrl}/second`] });
});
after(() => local?.stop());

const chainNow = () => Math.floor(Date.now() / 1_000);

const aCommand = (sender: string, given: Partial<PaymentCommand> = {}): PaymentCommand => ({
  ...local.someTerms(),
  termsNonce: "AAECAwQFBgcICQoLDA0ODw",
  sender,
  notAfter: new Date((chainNow() + 600) * 1_000),
  expiresAt: new Date((chainNow() + 3_600) * 1_000),
  business: { name: "Shop", domain: null },
  refundPolicyHash: null,
  price: null,
  quote: null,
  ...given,
});

async function aBuyer(asset: Address = net.asset, amount = 1_000_000_000n): Promise<LocalWallet> {
  const buyer = newWallet();
  await fundBuyer(net.rpcUrl, buyer.address, asset, amount);
  net.controls.tick(2);
  return buyer;
}

async function build(command: PaymentCommand): Promise<BuiltPayment> {
  const built = await builder.buildPayment(command, anyTime);
  assert.equal(
    built.kind,
    "built",
    JSON.stringify(built, (_, value) => (typeof value === "bigint" ? String(value) : value)),
  );
  return built as BuiltPayment;
}

const lamportsOf = async (account: string) =>
  (await callRpc<{ value: number }>(net.rpcUrl, "getBalance", [account, { commitment: "confirmed" }])).value;
const bytesOf = (transaction: string) => Buffer.from(transaction, "base64").length;
const tokenAccountOf = (owner: Address, mint: Address, tokenProgram: Address) =>
  findTokenAccountAddress({ owner, mint, tokenProgram });
const exists = async (account: string) =>
  (
    await callRpc<{ value: unknown }>(net.rpcUrl, "getAccountInfo", [
      account,
      { encoding: "base64", commitment: "confirmed" },
    ])
  ).value !== null;

/** Sends the transaction as a wallet would, and waits two slots, after which it is confirmed. */
async function sendSigned(transaction: string): Promise<void> {
  await builder.sendTransaction(transaction, anyTime);
  net.controls.tick(2);
}

for (const [what, asset, tokenProgram] of [
  ["SPL Token", null, TOKEN_PROGRAM_ID],
  ["Token-2022", PYUSD, TOKEN_2022_PROGRAM_ID],
  ["wrapped SOL that is wrapped for it", SOL, TOKEN_PROGRAM_ID],
] as const)
  for (const hasAccount of [false, true])
    test(`a payment in ${what} is built, signed and made, at the price that was said${hasAccount ? "" : ", with the recipient's token account"}`, async () => {
      const mint = asset ?? net.asset;
      const isSol = mint === SOL;
      const buyer = isSol ? newWallet() : await aBuyer(mint);
      if (isSol) await callRpc(net.rpcUrl, "requestAirdrop", [buyer.address, 1_000_000_000]);
      const recipient = newWallet().address;
      if (hasAccount) await callRpc(net.rpcUrl, "devnet_faucet", [{ address: recipient, asset: mint, amount: "1" }]);
      net.controls.tick(2);
      const command = aCommand(buyer.address, { asset: mint, recipient, amount: "25000000" });
      const before = await lamportsOf(buyer.address);
      const built = await build(command);
      const { transaction } = signWith(built.transaction, buyer);
      assert.deepEqual(await builder.tryTransaction(transaction, anyTime), { kind: "would_land" });
      await sendSigned(transaction);

      const payment = await readPayment(net.rpcUrl, built.payment);
      assert.equal(payment?.amount, 25_000_000n);
      assert.equal(payment?.termsHash, built.terms.hash);
      assert.equal(payment?.arbiter, built.arbiter);
      assert.equal(payment?.recipient, recipient);
      const { network, record, vault, tokenAccount } = built.fee;
      const spent = network + record + vault + tokenAccount + (isSol ? 25_000_000n : 0n);
      assert.equal(BigInt(before - (await lamportsOf(buyer.address))), spent);
      assert.equal(tokenAccount === 0n, hasAccount);
      assert.ok(await exists(await tokenAccountOf(recipient, mint, tokenProgram)));
      if (isSol) assert.ok(!(await exists(await tokenAccountOf(buyer.address, mint, tokenProgram))), "lent, not kept");
      assert.ok(bytesOf(built.transaction) <= WIRE_BYTES_MAX - GUARD_BYTES, `${bytesOf(built.transaction)} bytes`);
    });

test("a buyer's wrapped SOL is used, and only what is missing is wrapped", async () => {
  const buyer = await aBuyer(SOL, 10_000_000n);
  const before = await lamportsOf(buyer.address);
  const built = await build(aCommand(buyer.address, { asset: SOL, amount: "25000000" }));
  await sendSigned(signWith(built.transaction, buyer).transaction);
  const { network, record, vault, tokenAccount } = built.fee;
  const spent = network + record + vault + tokenAccount + 15_000_000n;
  assert.equal(BigInt(before - (await lamportsOf(buyer.address))), spent);
  assert.ok(await exists(await tokenAccountOf(buyer.address, SOL, TOKEN_PROGRAM_ID)), "the buyer's own account stays");
});

test("the terms text names what the buyer is shown, and hashes to what the transaction names", async () => {
  const buyer = await aBuyer();
  const price = { currency: "USD", amount: "0.01" };
  const quote = {
    rate: "1",
    source: "par",
    at: "2026-11-01T00:00:00.000Z",
    until: "2027-11-01T00:00:00.000Z",
    spread: "0",
  } as const;
  const command = aCommand(buyer.address, { refundPolicyHash: "ab".repeat(32), price, quote });
  const { terms, arbiter } = await build(command);
  const text = {
    v: 3,
    nonce: command.termsNonce,
    paymentId: command.paymentId,
    operator: net.operator,
    recipient: command.recipient,
    amount: command.amount,
    asset: command.asset,
    protectionPeriod: command.protectionPeriod,
    expiresAt: command.expiresAt.toISOString(),
    arbiter,
    business: { name: "Shop", domain: null },
    refundPolicyHash: "ab".repeat(32),
    ...{ price, quote, offer: null },
  } as const;
  assert.deepEqual(JSON.parse(terms.text), text);
  assert.equal(await hashTerms(text), terms.hash);
  const { price: _, quote: __, offer: ___, ...second } = text;
  assert.deepEqual(JSON.parse(termsText({ ...second, v: 2 })), { ...second, v: 2 }, "older texts stay as they are");
});

test("it is version 0, unsigned, with the buyer as fee payer, a limit and a price", async () => {
  const buyer = await aBuyer();
  const { transaction } = await build(aCommand(buyer.address));
  assert.deepEqual(Object.entries(decodeTransaction(transaction).signatures), [[buyer.address, null]]);
  const message = messageOf(transaction);
  assert.equal(message.version, 0);
  assert.ok("instructions" in message);
  const [limit, price] = message.instructions.map(({ data }) => Buffer.from(data ?? []));
  assert.equal(limit![0], 2);
  const units = limit!.readUInt32LE(1);
  assert.ok(units > 40_000 && units < 250_000, `${units} units`);
  assert.deepEqual([price![0], price!.readBigUInt64LE(1)], [3, 10_000n]);
});

test("a buyer who lacks tokens or SOL is shown exactly what is missing", async () => {
  const poor = await aBuyer(net.asset, 24_000_000n);
  assert.deepEqual(await builder.buildPayment(aCommand(poor.address), anyTime), {
    kind: "token_missing",
    missing: 1_000_000n,
  });
  const nobody = newWallet().address;
  assert.deepEqual(await builder.buildPayment(aCommand(nobody), anyTime), {
    kind: "token_missing",
    missing: 25_000_000n,
  });

  const buyer = newWallet();
  await callRpc(net.rpcUrl, "devnet_faucet", [{ address: buyer.address, asset: net.asset, amount: "25000000" }]);
  net.controls.tick(2);
  const refused = await builder.buildPayment(aCommand(buyer.address), anyTime);
  assert.ok(refused.kind === "sol_missing");
  // This much more is enough, and slightly less is not.
  const give = async (lamports: bigint) => {
    await callRpc(net.rpcUrl, "devnet_faucet", [{ address: buyer.address, asset: "SOL", amount: String(lamports) }]);
    net.controls.tick(2);
  };
  await give(refused.missing - 10_000n);
  assert.equal((await builder.buildPayment(aCommand(buyer.address), anyTime)).kind, "sol_missing");
  await give(10_000n);
  const built = await build(aCommand(buyer.address));
  await sendSigned(signWith(built.transaction, buyer).transaction);
  assert.ok(await readPayment(net.rpcUrl, built.payment));
});

test("a buyer of wrapped SOL needs what is lent for the account too", async () => {
  const buyer = newWallet();
  await callRpc(net.rpcUrl, "requestAirdrop", [buyer.address, 5_000_000]);
  net.controls.tick(2);
  const command = aCommand(buyer.address, { asset: SOL, amount: "25000000" });
  const refused = await builder.buildPayment(command, anyTime);
  assert.ok(refused.kind === "sol_missing" && refused.missing > 20_000_000n);
  await callRpc(net.rpcUrl, "requestAirdrop", [buyer.address, Number(refused.missing) + 10_000]);
  net.controls.tick(2);
  await build(command);
});

test("who has paid already, is to be paid, or is no wallet gets no transaction", async () => {
  const terms = local.someTerms();
  const buyer = net.wallets["buyer-1"];
  await payIntent(net, buyer, terms, { until: "processed" });
  net.controls.tick(2);
  const kindOf = async (command: PaymentCommand) => (await builder.buildPayment(command, anyTime)).kind;
  assert.equal(await kindOf(aCommand(buyer.address, terms)), "already_paid");
  assert.equal(await kindOf(aCommand(net.addresses.recipient)), "is_recipient");
  assert.equal(await kindOf(aCommand(net.asset)), "not_a_wallet");
  assert.equal(await kindOf(aCommand(net.programId)), "not_a_wallet");
});

test("a payment whose time is over would fail, by the program's word", async () => {
  const buyer = await aBuyer();
  const late = aCommand(buyer.address, { notAfter: new Date((chainNow() - 60) * 1_000) });
  assert.deepEqual(await builder.buildPayment(late, anyTime), {
    kind: "would_fail",
    reason: "offer_expired: The time up to which this payment could be made has passed.",
  });
});

test("the transaction that a wallet signed is read, also with the wallet's own instructions around ours", async () => {
  const buyer = await aBuyer();
  const command = aCommand(buyer.address);
  const built = await build(command);
  const guard: Instruction = {
    programAddress: address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"),
    data: new TextEncoder().encode("guard"),
  };
  const guarded = withInstructions(built.transaction, (all) => [guard, ...all, guard]);
  for (const unsigned of [built.transaction, guarded, asVersion1(guarded)]) {
    const { transaction, signature } = signWith(unsigned, buyer);
    assert.deepEqual(await builder.readSigned(transaction), {
      kind: "signed",
      signature,
      payments: [
        {
          recipient: command.recipient,
          amount: command.amount,
          asset: command.asset,
          protectionPeriod: command.protectionPeriod,
          paymentId: command.paymentId,
          sender: buyer.address,
          arbiter: built.arbiter,
          notAfter: command.notAfter,
          termsHash: built.terms.hash,
        },
      ],
      isOnePayment: unsigned === built.transaction,
      actions: [],
      sole: null,
    });
  }
});

test("what is no transaction, or lacks a valid signature, is not read", async () => {
  const buyer = await aBuyer();
  const built = await build(aCommand(buyer.address));
  const { transaction } = signWith(built.transaction, buyer);
  const bytes = Buffer.from(transaction, "base64");
  const flipped = Buffer.from(bytes);
  flipped[flipped.length - 1]! ^= 1;
  for (const [what, text] of [
    ["unsigned", built.transaction],
    ["signed by another", signWith(built.transaction, newWallet()).transaction],
    ["changed after signing", flipped.toString("base64")],
    ["cut", bytes.subarray(0, -1).toString("base64")],
    ["longer", Buffer.concat([bytes, Buffer.from([0])]).toString("base64")],
    ["too long", Buffer.concat([bytes, Buffer.alloc(WIRE_BYTES_MAX)]).toString("base64")],
    ["empty", ""],
    ["no base64", "?"],
    ["no signatures at all", Buffer.from([0, ...bytes.subarray(65)]).toString("base64")],
    ["nonsense", Buffer.alloc(200, 255).toString("base64")],
  ] as const)
    assert.equal((await builder.readSigned(text)).kind, "invalid", what);
});

test("hostile bytes never do more than not being read", async () => {
  const buyer = await aBuyer();
  const built = (await build(aCommand(buyer.address))).transaction;
  for (const unsigned of [built, asVersion1(built)]) {
    const bytes = Buffer.from(signWith(unsigned, buyer).transaction, "base64");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at]! + 1 + (at % 7)) % 256;
      assert.equal((await builder.readSigned(changed.toString("base64"))).kind, "invalid", `byte ${at}`);
    }
  }
});

test("§4.14.4 a build lives until final blocks are past its last height, also for another process and a stranger", async () => {
  const buyer = await aBuyer();
  const stored = new Map<string, bigint>();
  const lifetimes: Lifetimes = {
    save: async (blockhash, last) => stored.set(blockhash, last),
    find: async (blockhash) => stored.get(blockhash) ?? null,
  };
  const { programId, operator } = net;
  const settings = { programId, operator, log: assert.fail, unitPriceMax: 0n, rpcUrls: [`${net.rpcUrl}/first`] };
  const [one, another, stranger] = [lifetimes, lifetimes, undefined].map((given) =>
    createSolanaBuilder({ ...settings, ...(given && { lifetimes: given }) }),
  ) as [ChainBuilder, ChainBuilder, ChainBuilder];
  const built = (await one.buildPayment(aCommand(buyer.address), anyTime)) as BuiltPayment;
  const { transaction } = signWith(built.transaction, buyer);
  const heightAt = (commitment: string) => callRpc<number>(net.rpcUrl, "getBlockHeight", [{ commitment }]);
  const tickTo = async (commitment: string) =>
    net.controls.tick(Number(built.lastValidBlockHeight) - (await heightAt(commitment)));
  // Without votes the block that was past it is final; behind a skipped slot two blocks count at once.
  const isPast = async (commitment: string) => (await heightAt(commitment)) > built.lastValidBlockHeight;
  const lifeOf = async (reader: ChainBuilder, text: string) => (await reader.fetchLife(text, anyTime))?.kind;

  assert.equal(await lifeOf(stranger, built.transaction), "live");
  await tickTo("confirmed");
  assert.deepEqual(await another.fetchLife(built.transaction, anyTime), { kind: "live", msLeft: 0 });
  assert.equal(isTooLate((await another.fetchLife(built.transaction, anyTime))!), true);
  const hasEnded = async () => (await another.tryTransaction(transaction, anyTime)).kind === "ended";
  assert.equal(await hasEnded(), await isPast("confirmed"), "its last block may still come");
  net.controls.tick(1);
  for (const reader of [one, another])
    assert.deepEqual(await reader.tryTransaction(transaction, anyTime), { kind: "ended" });
  assert.deepEqual(await stranger.tryTransaction(transaction, anyTime), { kind: "unknown_blockhash" });
  await tickTo("finalized");
  assert.deepEqual(
    [await lifeOf(another, transaction), await another.canStillLand(transaction, anyTime)],
    (await isPast("finalized")) ? ["ended", false] : ["live", true],
  );
  net.controls.tick(1);
  for (const text of [transaction, built.transaction]) assert.equal(await lifeOf(another, text), "ended");
  assert.equal(await another.canStillLand(transaction, anyTime), false);
  assert.equal(
    await lifeOf(stranger, transaction),
    "live",
    "a stranger's may be some blocks younger than its first look",
  );
  net.controls.tick(151);
  assert.equal(await lifeOf(stranger, transaction), "ended");
  assert.equal(await another.fetchLife("AQ==", anyTime), null);
});

test("§4.14.11 one node that runs ahead ends nothing where a second one answers, and frees no budget where none does", async () => {
  const buyer = await aBuyer();
  const { programId, operator } = net;
  let stopping: AbortController | null = null;
  const ahead: typeof fetch = async (input, init) => {
    if (String(input).endsWith("/second")) stopping?.abort();
    const response = await fetch(input, init);
    if (!String(input).endsWith("/first")) return response;
    const later = (_: string, name: string, number: string) => `"${name}":${Number(number) + 120}`;
    return new Response((await response.text()).replace(/"(absoluteSlot|blockHeight|slot)":(\d+)/g, later));
  };
  const builderOf = (names: readonly string[]) => {
    const rpcUrls = names.map((name) => `${net.rpcUrl}/${name}`);
    return createSolanaBuilder({ programId, operator, log: () => undefined, unitPriceMax: 0n, rpcUrls, fetch: ahead });
  };
  const [alone, two] = [builderOf(["first"]), builderOf(["first", "second"])];
  const { transaction } = signWith((await build(aCommand(buyer.address))).transaction, buyer);
  assert.equal((await two.fetchLife(transaction, anyTime))!.kind, "live");
  assert.equal((await alone.fetchLife(transaction, anyTime))!.kind, "live");
  const { signature } = signWith(transaction, buyer);
  assert.equal(await two.canSignatureLand(signature, anyTime), true);
  net.controls.tick(250);
  // By the second node it lives on: nothing built here names it for these builders, so it ends 150 blocks after that.
  const life = (await two.fetchLife(transaction, anyTime))!;
  assert.ok(life.kind === "live" && life.msLeft > 0, "the second node says for how long");
  assert.equal(await two.canStillLand(transaction, anyTime), true);
  assert.deepEqual(await two.tryTransaction(transaction, anyTime), { kind: "unknown_blockhash" });
  assert.deepEqual(await alone.tryTransaction(transaction, anyTime), { kind: "ended" });
  for (const ask of [two.tryTransaction, two.fetchLife, two.canStillLand]) {
    stopping = new AbortController();
    const { signal } = stopping;
    await assert.rejects(ask(transaction, { signal }), ChainUnavailableError, "a caller that stops learns of no end");
  }
  stopping = null;
  assert.equal(await two.fetchAgreedLife(transaction, anyTime), null);
  assert.equal((await alone.fetchAgreedLife(transaction, anyTime))?.kind, "ended");
  net.controls.faults({ mode: "server_error", node: "second" });
  assert.equal((await two.fetchLife(transaction, anyTime))!.kind, "ended");
  assert.equal(await two.fetchAgreedLife(transaction, anyTime), null);
  net.controls.faults({ mode: "none" });
  net.controls.tick(250);
  assert.equal((await two.fetchAgreedLife(transaction, anyTime))?.kind, "ended");
});

test("§4.14.4 what has landed has not ended, whatever its blockhash", async () => {
  const buyer = await aBuyer();
  const { transaction, signature } = signWith((await build(aCommand(buyer.address))).transaction, buyer);
  const unknown = signWith((await build(aCommand(buyer.address))).transaction, buyer).signature;
  assert.equal(await builder.canSignatureLand(unknown, anyTime), true);
  await sendSigned(transaction);
  net.controls.tick(350);
  assert.deepEqual(await builder.tryTransaction(transaction, anyTime), { kind: "would_land" });
  assert.deepEqual(await builder.fetchLife(transaction, anyTime), { kind: "landed" });
  assert.deepEqual(
    [await builder.canSignatureLand(signature, anyTime), await builder.canSignatureLand(unknown, anyTime)],
    [true, false],
  );
});

test("§4.14.4 what landed and failed would fail, while its blockhash lives too", async () => {
  const buyer = await aBuyer(net.asset, 25_000_000n);
  const [first, second] = [0, 1].map(() => build(aCommand(buyer.address, { amount: "25000000" })));
  const [paid, failed] = [await first!, await second!].map(
    ({ transaction }) => signWith(transaction, buyer).transaction,
  );
  await sendSigned(paid!);
  await sendSigned(failed!);
  assert.deepEqual(await builder.tryTransaction(failed!, anyTime), {
    kind: "would_fail",
    reason: "it failed on chain",
  });
});

test("the cost of a payment is estimated without a wait, by one read, at the rents that it then has", async () => {
  const { programId, operator } = net;
  const rpcUrls = [`${net.rpcUrl}/estimate`];
  const asked: string[] = [];
  const counted: typeof fetch = (url, init) => {
    asked.push(JSON.parse(String(init?.body)).method);
    return fetch(url, init);
  };
  const fresh = createSolanaBuilder({
    programId,
    operator,
    rpcUrls,
    log: assert.fail,
    unitPriceMax: 0n,
    fetch: counted,
  });
  const estimates = [1, 2, 3].map(() => fresh.estimateCost(TOKEN_PROGRAM_ID));
  assert.deepEqual(estimates, [null, null, null]);
  const estimate = await eventually("the rents are read", async () => fresh.estimateCost(TOKEN_PROGRAM_ID));
  const { fee, tombstone } = await build(aCommand((await aBuyer()).address));
  assert.deepEqual(estimate, {
    lamports: fee.record + fee.vault,
    backLamports: fee.vault,
    tombstoneLamports: tombstone,
  });
  assert.equal(fresh.estimateCost(TOKEN_2022_PROGRAM_ID), null, "its accounts are of many sizes");
  assert.equal(asked.filter((method) => method === "getMinimumBalanceForRentExemption").length, 3);
});

test("of nodes that refuse to name recent priorities the least is offered, and the log says so once", async () => {
  const { programId, operator } = net;
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const settings = { programId, operator, log, unitPriceMax: 500_000n, rpcUrls: [`${net.rpcUrl}/bare`] };
  const bare = createSolanaBuilder(settings);
  const command = aCommand((await aBuyer()).address);
  const methods = ["getRecentPrioritizationFees"];
  try {
    net.controls.faults({ mode: "rpc_error", node: "bare", methods, code: -32602, message: "not supported" });
    for (let builds = 0; builds < 2; builds++) assert.equal((await bare.buildPayment(command, anyTime)).kind, "built");
    assert.equal(logged.length, 1);
    assert.match(logged[0]!, /Node 0 refuses getRecentPrioritizationFees \(JSON-RPC error -32602\)/);

    net.controls.faults({ mode: "none" });
    net.controls.faults({ mode: "server_error", node: "bare", methods });
    await assert.rejects(bare.buildPayment(command, anyTime), ChainUnavailableError);
  } finally {
    net.controls.faults({ mode: "none" });
  }
});
