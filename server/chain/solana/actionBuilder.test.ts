import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fundBuyer, latestBlockhash, payIntent, readPayment } from "@holdfast/devnet/buyer.ts";
import { callRpc, sendWire } from "@holdfast/devnet/client.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import type { Devnet } from "@holdfast/devnet/start.ts";
import { messageOf, signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import {
  ARBITRATION_SECONDS,
  findTokenAccountAddress,
  instructionKind,
  RETENTION_SECONDS,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { AccountRole, type Address } from "@solana/kit";
import { type ActionCommand, type BuiltAction, closableAt, DISPUTE_LAPSE_MS } from "../acts.ts";
import type { ChainBuilder } from "../builder.ts";
import { createSolanaBuilder } from "./builder.ts";
import { anAddress, anyTime } from "./testing/chain.ts";
import { startLocalChain } from "./testing/localChain.ts";

const HOUR = 3_600;
const DAYS_90 = 90 * 86_400;

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

/** The chain's time is real time, ahead by what the test advanced it. */
let aheadSeconds = 0;
const now = () => new Date(Date.now() + aheadSeconds * 1_000 + 2_000);
function advance(seconds: number): void {
  net.controls.advance(seconds);
  aheadSeconds += seconds;
  net.controls.tick(2);
}

const AMOUNT = 25_000_000n;
const lamportsOf = async (account: string) =>
  BigInt((await callRpc<{ value: number }>(net.rpcUrl, "getBalance", [account, { commitment: "confirmed" }])).value);
const tokenAccountOf = (owner: Address) =>
  findTokenAccountAddress({ owner, mint: net.asset, tokenProgram: TOKEN_PROGRAM_ID });
async function tokensOf(owner: Address): Promise<bigint | null> {
  const asked = [await tokenAccountOf(owner), { encoding: "base64", commitment: "confirmed" }];
  const { value } = await callRpc<{ value: { data: [string] } | null }>(net.rpcUrl, "getAccountInfo", asked);
  return value === null ? null : Buffer.from(value.data[0], "base64").readBigUInt64LE(64);
}

interface Paid {
  readonly buyer: LocalWallet;
  readonly shop: LocalWallet;
  readonly payment: Address;
}

async function paid(): Promise<Paid> {
  const [buyer, shop] = [newWallet(), newWallet()];
  await fundBuyer(net.rpcUrl, buyer.address, net.asset, 2n * AMOUNT);
  await callRpc(net.rpcUrl, "requestAirdrop", [shop.address, 1_000_000_000]);
  net.controls.tick(2);
  const terms = { ...local.someTerms(), recipient: shop.address, amount: AMOUNT.toString() };
  const { payment } = await payIntent(net, buyer, terms, { until: "processed" });
  net.controls.tick(2);
  return { buyer, shop, payment };
}

type Given = Pick<ActionCommand, "action" | "account"> & Partial<ActionCommand>;
const command = (payment: string, given: Given): ActionCommand => ({
  payment,
  total: null,
  now: now(),
  minSlot: 0,
  ...given,
});
const ask = (payment: string, given: Given) => builder.buildAction(command(payment, given), anyTime);

async function build(payment: string, given: Given): Promise<BuiltAction> {
  const built = await ask(payment, given);
  assert.equal(
    built.kind,
    "built",
    JSON.stringify(built, (_, one) => (typeof one === "bigint" ? `${one}` : one)),
  );
  return built as BuiltAction;
}

/** Builds, signs and lands an action; checks that it cost and gave back what the build said. */
async function act(payment: string, wallet: LocalWallet, given: Omit<Given, "account">): Promise<BuiltAction> {
  const built = await build(payment, { account: wallet.address, ...given } as Given);
  const [own, returned] = [await lamportsOf(wallet.address), await lamportsOf(built.payment.rentPayer)];
  const { transaction } = signWith(built.transaction, wallet);
  await builder.sendTransaction(transaction, anyTime);
  net.controls.tick(2);
  const cost = built.fee.network + built.fee.tokenAccount;
  const back = built.returns?.lamports ?? 0n;
  assert.equal(built.returns === null || built.returns.to === built.payment.rentPayer, true);
  if (wallet.address === built.payment.rentPayer) assert.equal((await lamportsOf(wallet.address)) - own, back - cost);
  else {
    assert.equal(own - (await lamportsOf(wallet.address)), cost);
    assert.equal((await lamportsOf(built.payment.rentPayer)) - returned, back);
  }
  return built;
}

const kindsOf = ({ instructions }: BuiltAction) =>
  instructions
    .filter(({ programId }) => programId === net.programId)
    .map(({ data }) => instructionKind(Buffer.from(data, "base64")));

test("§4.15.4 a release pays out at once, and the vault's rent comes back as said", async () => {
  const { buyer, shop, payment } = await paid();
  const built = await act(payment, buyer, { action: "release" });
  assert.deepEqual(kindsOf(built), ["release", "pay_out"]);
  assert.equal(built.total, "0");
  assert.ok(built.returns !== null && built.returns.lamports > 1_000_000n);
  assert.equal(await tokensOf(shop.address), AMOUNT);
  assert.equal((await readPayment(net.rpcUrl, payment))?.status, "released");
});

test("§4.15.4 a release to a wallet without a token account decides alone, and nobody pays for that account", async () => {
  const { buyer, shop, payment } = await paid();
  const account = await tokenAccountOf(shop.address);
  await closeTokenAccount(shop, account);
  const built = await act(payment, buyer, { action: "release" });
  assert.deepEqual([kindsOf(built), built.fee.tokenAccount, built.returns], [["release"], 0n, null]);
  assert.equal((await readPayment(net.rpcUrl, payment))?.outcome, "released_by_sender");
  // A stranger is refused; the shop makes its own account and takes its part.
  const stranger = { action: "pay_out_recipient", account: buyer.address } as const;
  assert.deepEqual(await ask(payment, stranger), { kind: "not_possible", reason: "destination_missing" });
  const paidOut = await act(payment, shop, { action: "pay_out_recipient" });
  assert.ok(paidOut.fee.tokenAccount > 0n);
  assert.equal(await tokensOf(shop.address), AMOUNT);
});

test("§4.15.1 a dispute, a refund in part, and the release of the rest", async () => {
  const { buyer, shop, payment } = await paid();
  const disputed = await act(payment, buyer, { action: "dispute" });
  assert.deepEqual([kindsOf(disputed), disputed.total], [["open_dispute"], null]);
  assert.deepEqual(await ask(payment, { action: "dispute", account: buyer.address }), {
    kind: "not_possible",
    reason: "already_disputed",
  });
  const refunded = await act(payment, shop, { action: "refund", total: 10_000_000n });
  assert.deepEqual([kindsOf(refunded), refunded.total, refunded.returns], [["refund", "pay_out"], "10000000", null]);
  assert.equal(await tokensOf(buyer.address), AMOUNT + 10_000_000n);
  for (const [total, reason] of [
    [11_000_000n, "less_bound"],
    [9_000_000n, "invalid_total"],
  ] as const)
    assert.deepEqual(await ask(payment, { action: "release", account: buyer.address, total }), {
      kind: "not_possible",
      reason,
    });
  const released = await act(payment, buyer, { action: "release", total: 10_000_000n });
  assert.equal(released.total, "10000000");
  assert.equal(await tokensOf(shop.address), 15_000_000n);
});

test("§4.15.1 a whole refund ends the payment; a total that is not more than what is bound, or too much, is refused", async () => {
  const { buyer, shop, payment } = await paid();
  for (const total of [0n, AMOUNT + 1n])
    assert.deepEqual(await ask(payment, { action: "refund", account: shop.address, total }), {
      kind: "not_possible",
      reason: "invalid_total",
    });
  const built = await act(payment, shop, { action: "refund", total: AMOUNT });
  assert.ok(built.returns !== null, "the vault's rent goes back to the buyer");
  assert.equal(await tokensOf(buyer.address), 2n * AMOUNT);
  for (const action of ["dispute", "release", "refund", "settle", "pay_out_sender"] as const) {
    const account = action === "refund" ? shop.address : buyer.address;
    const refusal = await ask(payment, { action, account, total: action === "refund" ? AMOUNT : null });
    assert.deepEqual(refusal, { kind: "not_possible", reason: "already_paid_out" }, action);
  }
});

test("§4.15.1 only the wallet that has to sign gets a transaction", async () => {
  const { buyer, shop, payment } = await paid();
  for (const [action, needed, other] of [
    ["dispute", buyer, shop],
    ["release", buyer, shop],
    ["refund", shop, buyer],
  ] as const)
    assert.deepEqual(await ask(payment, { action, account: other.address, total: null }), {
      kind: "other_wallet",
      needed: needed.address,
    });
  assert.deepEqual(await ask(anAddress(77), { action: "dispute", account: buyer.address }), { kind: "not_found" });
});

test("§4.15.3 who lacks the fee is told how much; a multisignature's vault gets its decision all the same", async () => {
  const { buyer, payment } = await paid();
  const poor = newWallet();
  const refusal = await ask(payment, { action: "settle", account: poor.address, now: new Date(0) });
  assert.deepEqual(refusal, { kind: "not_possible", reason: "protection_running" });
  advance(HOUR + 10);
  const short = await ask(payment, { action: "settle", account: poor.address });
  assert.ok(short.kind === "sol_missing" && short.missing > 890_000n);
  const mayLackSol = await build(payment, { action: "settle", account: poor.address, mayLackSol: true });
  assert.deepEqual(kindsOf(mayLackSol), ["pay_out"]);
  // Enough for a trial run, which has no priority, and too little for the whole fee.
  await callRpc(net.rpcUrl, "requestAirdrop", [poor.address, 890_880 + 5_000]);
  net.controls.tick(2);
  assert.equal((await ask(payment, { action: "settle", account: poor.address })).kind, "sol_missing");
  await build(payment, { action: "settle", account: poor.address, mayLackSol: true });
  assert.deepEqual(await ask(payment, { action: "dispute", account: buyer.address }), {
    kind: "not_possible",
    reason: "protection_over",
  });
  await act(payment, buyer, { action: "settle" });
  assert.equal((await readPayment(net.rpcUrl, payment))?.outcome, "settled");
});

test("§4.15.1 after 90 days the buyer takes a disputed payment back, and later the record's rent", async () => {
  const { buyer, shop, payment } = await paid();
  await act(payment, buyer, { action: "dispute" });
  const lapse = { action: "refund_unresolved", account: buyer.address } as const;
  assert.deepEqual(await ask(payment, lapse), { kind: "not_possible", reason: "arbitration_running" });
  advance(DAYS_90 - 300);
  const late = await build(payment, { action: "refund", account: shop.address, total: 1n });
  assert.deepEqual(kindsOf(late), ["refund"], "it may land after the lapse, and would send everything then");
  advance(310);
  assert.deepEqual(await ask(payment, { action: "pay_out_sender", account: buyer.address }), {
    kind: "not_possible",
    reason: "arbitration_over",
  });
  // A part that the shop gives back now must not take everything with it.
  const part = await build(payment, { action: "refund", account: shop.address, total: 1n });
  assert.deepEqual([kindsOf(part), part.returns], [["refund"], null]);
  await act(payment, buyer, { action: "refund_unresolved" });
  assert.equal(await tokensOf(buyer.address), 2n * AMOUNT);

  const close = { action: "close", account: buyer.address } as const;
  assert.deepEqual(await ask(payment, close), { kind: "not_possible", reason: "retention_running" });
  advance(DAYS_90 + 10);
  const closed = await act(payment, buyer, { action: "close" });
  assert.deepEqual(kindsOf(closed), ["close_payment"]);
  assert.deepEqual(await ask(payment, close), { kind: "not_possible", reason: "payment_closed" });
});

test("§4.15.1 a dispute lapses, and a record can be closed, after the program's own waits", () => {
  assert.equal(DISPUTE_LAPSE_MS, ARBITRATION_SECONDS * 1_000);
  const [settledAt, refundedAt] = [new Date(1_000), new Date(2_000)];
  const from = closableAt({ status: "released", settledAt, refundedAt })!;
  assert.equal(from.getTime(), 2_000 + RETENTION_SECONDS * 1_000);
});

test("§4.15.5 a vault that somebody made again is closed before the record", async () => {
  const { buyer, shop, payment } = await paid();
  await act(payment, buyer, { action: "release" });
  await callRpc(net.rpcUrl, "devnet_faucet", [{ address: payment, asset: net.asset, amount: "7" }]);
  advance(DAYS_90 + 10);
  const before = await tokensOf(shop.address);
  const closed = await act(payment, buyer, { action: "close" });
  assert.deepEqual(kindsOf(closed), ["pay_out", "close_payment"]);
  assert.equal((await tokensOf(shop.address))! - before!, 7n);
});

test("§4.15.7 a sponsored decision goes alone, with the sponsor as fee payer and named by no instruction", async () => {
  const { buyer, payment } = await paid();
  const sponsor = newWallet();
  await callRpc(net.rpcUrl, "requestAirdrop", [sponsor.address, 1_000_000_000]);
  net.controls.tick(2);
  const built = await build(payment, { action: "release", account: buyer.address, sponsor: sponsor.address });
  assert.deepEqual(kindsOf(built), ["release"]);
  const message = messageOf(built.transaction);
  assert.ok("instructions" in message);
  assert.deepEqual(message.staticAccounts.slice(0, 2), [sponsor.address, buyer.address]);
  assert.ok(message.instructions.every(({ accountIndices = [] }) => !accountIndices.includes(0)));
  const empty = newWallet();
  const short = await ask(payment, { action: "release", account: buyer.address, sponsor: empty.address });
  assert.equal(short.kind, "sponsor_short");
});

test("§4.15.3 a payment that a node shows from before the last read is not believed", async () => {
  const { buyer, payment } = await paid();
  await assert.rejects(ask(payment, { action: "dispute", account: buyer.address, minSlot: 10 ** 9 }), /slot asked for/);
});

test("§4.15.3 no build reads the whole of an account, which a side may choose, and which may be of any size", async () => {
  const { buyer, payment } = await paid();
  const lengths = new Set<number | undefined>();
  const watching: typeof fetch = (input, init) => {
    const { method, params } = JSON.parse(String(init?.body));
    if (method === "getMultipleAccounts") lengths.add(params[1].dataSlice?.length);
    return fetch(input, init);
  };
  const { programId, operator } = net;
  const settings = { programId, operator, log: () => undefined, unitPriceMax: 0n, rpcUrls: [net.rpcUrl] };
  const watched = createSolanaBuilder({ ...settings, fetch: watching });
  for (const action of ["release", "dispute"] as const) {
    const built = await watched.buildAction(command(payment, { action, account: buyer.address }), anyTime);
    assert.equal(built.kind, "built");
  }
  assert.deepEqual([...lengths], [65_536]);
});

test("§4.15.6 a signed action is read from its bytes: payment, kind and total", async () => {
  const { buyer, shop, payment } = await paid();
  const built = await build(payment, { action: "refund", account: shop.address, total: 5n });
  const read = async (text: string) => {
    const signed = await builder.readSigned(text);
    return signed.kind === "signed" ? signed : assert.fail(signed.reason);
  };
  const { actions, payments } = await read(signWith(built.transaction, shop).transaction);
  assert.deepEqual(actions, [
    { kind: "refund", payment, total: "5" },
    { kind: "pay_out", payment, total: null },
  ]);
  assert.deepEqual(payments, []);
  await assert.rejects(read(built.transaction), /a signature is missing/);
  const disputed = await build(payment, { action: "dispute", account: buyer.address });
  const opened = await read(signWith(disputed.transaction, buyer).transaction);
  assert.deepEqual(opened.actions, [{ kind: "dispute", payment, total: null }]);
});

/** Closes a wallet's empty token account. */
async function closeTokenAccount(owner: LocalWallet, account: Address): Promise<void> {
  const close = {
    programAddress: TOKEN_PROGRAM_ID,
    accounts: [
      { address: account, role: AccountRole.WRITABLE },
      { address: owner.address, role: AccountRole.WRITABLE },
      { address: owner.address, role: AccountRole.READONLY_SIGNER },
    ],
    data: Uint8Array.of(9),
  };
  const blockhash = await latestBlockhash(net.rpcUrl);
  await sendWire(net.rpcUrl, signTransaction({ instructions: [close], wallets: [owner], blockhash }).wire);
  net.controls.tick(2);
}
