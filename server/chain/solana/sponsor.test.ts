import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readPayment } from "@holdfast/devnet/buyer.ts";
import { callRpc } from "@holdfast/devnet/client.ts";
import { asVersion1, decodeTransaction, signWith, withInstructions } from "@holdfast/devnet/testing/wireTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { AccountRole, address, type Instruction } from "@solana/kit";
import type { PaymentRefusal } from "../acts.ts";
import type { BuiltPayment, ChainBuilder, PaymentCommand } from "../builder.ts";
import type { ChainSponsor, SponsoredPayment } from "../sponsor.ts";
import { createSolanaBuilder } from "./builder.ts";
import { createSolanaSponsor } from "./sponsor.ts";
import { anyTime } from "./testing/chain.ts";
import { startLocalChain } from "./testing/localChain.ts";

const SOL = address("So11111111111111111111111111111111111111112");
const SYSTEM = address("11111111111111111111111111111111");
const LIMITS = { amountsMin: new Map<string, bigint>(), hourMax: 0n, dayMax: 0n, boundMax: 0n };

let local: Awaited<ReturnType<typeof startLocalChain>>;
let builder: ChainBuilder;
let sponsor: ChainSponsor;
const [payer, empty] = [newWallet(), newWallet()];
before(async () => {
  local = await startLocalChain();
  const { net } = local;
  const { programId, operator } = net;
  const settings = { programId, operator, log: () => undefined, rpcUrls: [net.rpcUrl] };
  builder = createSolanaBuilder({ ...settings, unitPriceMax: 500_000n });
  sponsor = await createSolanaSponsor({
    ...settings,
    secrets: [payer.secret, empty.secret],
    balanceMin: 1_000_000n,
    limits: LIMITS,
  });
  await callRpc(net.rpcUrl, "requestAirdrop", [payer.address, 1_000_000_000]);
  await callRpc(net.rpcUrl, "devnet_faucet", [{ address: net.addresses.recipient, asset: net.asset, amount: "1" }]);
  net.controls.tick(2);
});
after(() => local?.stop());

/** A buyer who has tokens, and no SOL at all. */
async function aBuyer(): Promise<LocalWallet> {
  const buyer = newWallet();
  await callRpc(local.net.rpcUrl, "devnet_faucet", [
    { address: buyer.address, asset: local.net.asset, amount: "1000000000" },
  ]);
  local.net.controls.tick(2);
  return buyer;
}

const aCommand = (sender: string, given: Partial<PaymentCommand> = {}): PaymentCommand => ({
  ...local.someTerms(),
  termsNonce: "AAECAwQFBgcICQoLDA0ODw",
  sender,
  sponsor: payer.address,
  notAfter: new Date(Math.floor(Date.now() / 1_000) * 1_000 + 600_000),
  expiresAt: new Date(Math.floor(Date.now() / 1_000) * 1_000 + 3_600_000),
  business: { name: "Shop", domain: null },
  refundPolicyHash: null,
  price: null,
  quote: null,
  ...given,
});

async function build(command: PaymentCommand): Promise<{ built: BuiltPayment; payment: SponsoredPayment }> {
  const built: BuiltPayment | PaymentRefusal = await builder.buildPayment(command, anyTime);
  assert.ok(built.kind === "built", built.kind);
  const { network, record, vault } = built.fee;
  const payment = { transaction: built.transaction, sponsor: payer.address, outlayMax: network + record + vault };
  return { built, payment };
}
const lamportsOf = async (account: string): Promise<bigint> =>
  BigInt(
    (await callRpc<{ value: number }>(local.net.rpcUrl, "getBalance", [account, { commitment: "confirmed" }])).value,
  );
async function land(transaction: string): Promise<void> {
  await builder.sendTransaction(transaction, anyTime);
  local.net.controls.tick(2);
}

for (const turn of ["last", "last, as version 1", "first"] as const)
  test(`a buyer without SOL pays, the sponsor signs ${turn}, and pays fee and two rents and nothing else`, async () => {
    const buyer = await aBuyer();
    const { built, payment } = await build(aCommand(buyer.address));
    assert.deepEqual(Object.keys(decodeTransaction(built.transaction).signatures), [payer.address, buyer.address]);
    const before = await lamportsOf(payer.address);
    const byBuyer = signWith(turn === "last, as version 1" ? asVersion1(built.transaction) : built.transaction, buyer);
    const signed =
      turn === "first"
        ? await sponsor.presign(payment, anyTime)
        : await sponsor.cosign(byBuyer.transaction, payment, anyTime);
    assert.ok(signed.kind === "signed", JSON.stringify(signed));
    if (turn !== "first") assert.ok(sponsor.isSignatureOf(signed.transaction, byBuyer.transaction));
    await land(turn === "first" ? signWith(signed.transaction, buyer).transaction : signed.transaction);
    const paid = await readPayment(local.net.rpcUrl, built.payment);
    assert.deepEqual([paid?.sender, paid?.rentPayer], [buyer.address, payer.address]);
    assert.equal(before - (await lamportsOf(payer.address)), payment.outlayMax);
    assert.equal(await lamportsOf(buyer.address), 0n);
    assert.ok(built.tombstone > 0n && built.tombstone < built.fee.record);
  });

test("none is built where the sponsor would pay for more than fee and rents, or has too little", async () => {
  const buyer = await aBuyer();
  const kindOf = async (given: Partial<PaymentCommand>) => {
    const answer = await builder.buildPayment(aCommand(buyer.address, given), anyTime);
    return answer.kind === "not_sponsored" ? answer.reason : answer.kind;
  };
  assert.equal(await kindOf({ recipient: newWallet().address }), "the recipient has no token account");
  assert.equal(await kindOf({ asset: SOL }), "the recipient has no token account");
  await callRpc(local.net.rpcUrl, "devnet_faucet", [
    { address: local.net.addresses.recipient, asset: SOL, amount: "1" },
  ]);
  local.net.controls.tick(2);
  assert.equal(await kindOf({ asset: SOL }), "SOL has to be wrapped");
  assert.equal(await kindOf({ recipient: payer.address }), "the sponsor is a side of it");
  assert.equal(await kindOf({ sponsor: empty.address }), "sponsor_short");
  assert.equal(await kindOf({ sponsor: local.net.asset }), "sponsor_short");
  assert.equal(await kindOf({ amount: "2000000000" }), "token_missing");
});

test("it signs for itself alone what its buyer has signed, and only before it has signed", async () => {
  const [buyer, thief] = [await aBuyer(), newWallet()];
  const { built, payment } = await build(aCommand(buyer.address));
  const signed = signWith(built.transaction, buyer).transaction;
  assert.equal(await sponsor.readSender(signed), buyer.address);
  assert.equal(await sponsor.readSender(built.transaction), null);
  assert.equal(await sponsor.readSender(signWith(built.transaction, thief).transaction), null);
  const own = await builder.buildPayment({ ...aCommand(buyer.address), sponsor: thief.address }, anyTime);
  assert.equal(own.kind, "sponsor_short");
  const other = await build(aCommand((await aBuyer()).address));
  for (const [what, transaction, wanted] of [
    ["unsigned", built.transaction, payment],
    ["another intent's bytes", signed, other.payment],
    ["a sponsor of nobody", signed, { ...payment, sponsor: thief.address }],
    ["more than it may cost", signed, { ...payment, outlayMax: payment.outlayMax - 1n }],
  ] as const)
    assert.equal((await sponsor.cosign(transaction, wanted, anyTime)).kind, "refused", what);
  const done = await sponsor.cosign(signed, payment, anyTime);
  assert.ok(done.kind === "signed");
  assert.equal(await sponsor.readSender(done.transaction), null, "it needs no signature any more");
  assert.ok(!sponsor.isSignatureOf(done.transaction, asVersion1(built.transaction)));
});

test("what would fail on chain is not signed: an old blockhash, a payment that was made, an arbiter that changed", async () => {
  const buyer = await aBuyer();
  const command = aCommand(buyer.address);
  const [first, second] = [await build(command), await build(command)];
  const signed = signWith(second.built.transaction, buyer).transaction;
  const done = await sponsor.cosign(signWith(first.built.transaction, buyer).transaction, first.payment, anyTime);
  assert.ok(done.kind === "signed");
  await land(done.transaction);
  const again = await sponsor.cosign(signed, second.payment, anyTime);
  assert.ok(again.kind === "refused");
  assert.match(again.reason, /payment_exists|AlreadyProcessed/);

  const late = await build(aCommand(buyer.address));
  local.net.controls.tick(200);
  const old = await sponsor.cosign(signWith(late.built.transaction, buyer).transaction, late.payment, anyTime);
  assert.deepEqual(old, { kind: "refused", reason: "BlockhashNotFound" });
});

test("a change that takes from the sponsor is refused before a node is asked", async () => {
  const buyer = await aBuyer();
  const { built, payment } = await build(aCommand(buyer.address));
  const drain: Instruction = {
    programAddress: SYSTEM,
    accounts: [
      { address: payer.address, role: AccountRole.WRITABLE_SIGNER },
      { address: buyer.address, role: AccountRole.WRITABLE },
    ],
    data: Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
  };
  const changed = signWith(
    withInstructions(built.transaction, (all) => [...all, drain]),
    buyer,
  ).transaction;
  assert.deepEqual(await sponsor.cosign(changed, payment, anyTime), {
    kind: "refused",
    reason: "it does more than to pay",
  });
});

test("sponsors take turns; one that has too little is left out until its balance was read again", async () => {
  assert.deepEqual(new Set([sponsor.pick(), sponsor.pick()]), new Set([payer.address, empty.address]));
  sponsor.recordShort(empty.address);
  assert.deepEqual(new Set([sponsor.pick(), sponsor.pick()]), new Set([payer.address]));
  sponsor.recordShort(payer.address);
  assert.equal(sponsor.pick(), null);
  const balances = await sponsor.fetchBalances(anyTime);
  assert.deepEqual(
    [...balances],
    [
      [payer.address, await lamportsOf(payer.address)],
      [empty.address, 0n],
    ],
  );
  assert.notEqual(sponsor.pick(), null);
});
