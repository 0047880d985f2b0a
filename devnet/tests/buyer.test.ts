import assert from "node:assert/strict";
import test from "node:test";
import {
  findVaultAddress,
  PAYMENT_ACCOUNT_SIZE,
  PAYMENT_OPERATOR_OFFSET,
  PERIOD_SECONDS,
} from "@holdfast/escrow-client";
import { address } from "@solana/kit";
import { actOnPayment, draftPayment, fundBuyer, payIntent, readPayment } from "../buyer.ts";
import { sendWire } from "../client.ts";
import { aChain, someTerms } from "../testing/harness.ts";
import { draftLookupTable } from "../testing/lookup.ts";
import { newWallet } from "../wallets.ts";

const USDC = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
const NOW = { until: "processed" } as const;

interface Shown {
  readonly transaction: {
    readonly message: { readonly accountKeys: string[]; readonly instructions: { readonly programIdIndex: number }[] };
  };
  readonly meta: {
    readonly innerInstructions: { readonly index: number; readonly instructions: { readonly stackHeight: number }[] }[];
    readonly loadedAddresses: { readonly writable: string[]; readonly readonly: string[] };
    readonly preTokenBalances: { readonly owner: string; readonly uiTokenAmount: { readonly amount: string } }[];
    readonly postTokenBalances: { readonly owner: string; readonly uiTokenAmount: { readonly amount: string } }[];
  };
  readonly version: 0 | "legacy";
}

test("a payment goes into the escrow, is disputed and resolved back to its sender", async (t) => {
  const net = await aChain(t);
  const buyer = net.wallets["buyer-1"];
  const terms = someTerms(net);
  const paid = await payIntent(net, buyer, terms, NOW);
  net.tick(2);
  const account = await readPayment(net.rpcUrl, paid.payment);
  assert.equal(account?.status, "protected");
  assert.equal(account.deadline - account.createdAt, BigInt(PERIOD_SECONDS.sevenDays));
  const vault = await findVaultAddress({
    payment: paid.payment,
    mint: account.mint,
    tokenProgram: account.tokenProgram,
  });
  const balance = await net.rpc<{ value: { amount: string } }>("getTokenAccountBalance", vault, {
    commitment: "confirmed",
  });
  assert.equal(balance.value.amount, terms.amount);

  await actOnPayment(net, buyer, "dispute", paid.payment, NOW);
  net.tick(2);
  assert.equal((await readPayment(net.rpcUrl, paid.payment))?.status, "disputed");
  await actOnPayment(net, net.wallets.arbiter, "resolve_refund", paid.payment, NOW);
  net.tick(2);
  assert.equal((await readPayment(net.rpcUrl, paid.payment))?.status, "refunded");
});

test("a payment is settled by anybody once the clock was advanced past its period", async (t) => {
  const net = await aChain(t);
  const paid = await payIntent(net, net.wallets["buyer-1"], someTerms(net, { protectionPeriod: "thirtyDays" }), NOW);
  net.tick(2);
  await assert.rejects(actOnPayment(net, net.wallets.keeper, "settle", paid.payment, NOW), /protection_running/);
  net.controls.advance(PERIOD_SECONDS.thirtyDays);
  await actOnPayment(net, net.wallets.keeper, "settle", paid.payment, NOW);
  net.tick(2);
  assert.equal((await readPayment(net.rpcUrl, paid.payment))?.outcome, "settled");
});

test("a payment after notAfter is refused by the program, by name, and leaves nothing behind", async (t) => {
  const net = await aChain(t);
  const terms = someTerms(net);
  const notAfter = Math.floor(Date.now() / 1000) + 60;
  net.controls.advance(120);
  await assert.rejects(
    payIntent(net, net.wallets["buyer-1"], terms, { notAfter, until: "processed" }),
    /offer_expired/,
  );
  const { payment, signature } = await draftPayment(net, net.wallets["buyer-1"], terms);
  net.tick(2);
  assert.equal(await readPayment(net.rpcUrl, payment), null);
  assert.equal(net.chain.ledger.history.find(signature), null);
});

test("PYUSD and wrapped SOL are paid by wallets that had neither", async (t) => {
  const net = await aChain(t);
  for (const asset of ["2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo", "So11111111111111111111111111111111111111112"]) {
    const buyer = newWallet();
    const terms = someTerms(net, { asset });
    await fundBuyer(net.rpcUrl, buyer.address, asset, BigInt(terms.amount));
    net.tick(2);
    const paid = await payIntent(net, buyer, terms, NOW);
    net.tick(2);
    assert.equal((await readPayment(net.rpcUrl, paid.payment))?.mint, asset);
  }
});

test("a payment by a version-0 transaction with a look-up table is found under the looked-up operator, with inner instructions", async (t) => {
  const net = await aChain(t);
  const buyer = net.wallets["buyer-2"];
  const addresses = [net.operator, USDC, net.addresses.recipient];
  const recentSlot = net.chain.ledger.slots.tip - 1;
  const { table, instructions } = await draftLookupTable({ authority: buyer.address, recentSlot, addresses });
  net.chain.send(instructions, buyer);
  net.tick(2);

  const { wire, signature } = await draftPayment(net, buyer, someTerms(net), { lookupTables: { [table]: addresses } });
  await sendWire(net.rpcUrl, wire);
  net.tick(2);
  const config = { commitment: "confirmed", maxSupportedTransactionVersion: 0, encoding: "json" };
  const shown = await net.rpc<Shown>("getTransaction", signature, config);
  assert.equal(shown.version, 0);
  assert.deepEqual(new Set(shown.meta.loadedAddresses.readonly), new Set(addresses));
  assert.ok(!shown.transaction.message.accountKeys.includes(net.operator));
  assert.deepEqual(
    shown.meta.innerInstructions.map((one) => one.index),
    [0, 1],
  );
  assert.ok(shown.meta.innerInstructions.flatMap((one) => one.instructions).every((one) => one.stackHeight >= 2));
  const page = await net.rpc<{ signature: string }[]>("getSignaturesForAddress", net.operator, {
    commitment: "confirmed",
    limit: 1,
  });
  assert.equal(page[0]?.signature, signature);
  const spent = (side: "preTokenBalances" | "postTokenBalances") =>
    BigInt(shown.meta[side].find((one) => one.owner === buyer.address)!.uiTokenAmount.amount);
  assert.equal(spent("preTokenBalances") - spent("postTokenBalances"), 25_000_000n);
  const plain = net.rpc("getTransaction", signature, { commitment: "confirmed" });
  await assert.rejects(plain, { code: -32015 });
});

test("an operator's payments are found by size and operator, with only the slice asked for", async (t) => {
  const net = await aChain(t);
  const paid = [];
  for (let i = 0; i < 3; i++) paid.push(await payIntent(net, net.wallets["buyer-1"], someTerms(net), NOW));
  net.tick(2);
  const filters = [
    { dataSize: PAYMENT_ACCOUNT_SIZE },
    { memcmp: { offset: PAYMENT_OPERATOR_OFFSET, bytes: net.operator } },
  ];
  const config = {
    commitment: "confirmed",
    encoding: "base64",
    filters,
    dataSlice: { offset: 0, length: 4 },
    withContext: true,
  };
  const found = await net.rpc<{
    context: { slot: number };
    value: { pubkey: string; account: { data: [string]; space: number } }[];
  }>("getProgramAccounts", net.programId, config);
  assert.deepEqual(new Set(found.value.map((one) => one.pubkey)), new Set(paid.map((one) => one.payment)));
  assert.ok(
    found.value.every(
      (one) => Buffer.from(one.account.data[0], "base64").length === 4 && one.account.space === PAYMENT_ACCOUNT_SIZE,
    ),
  );
  const finalized = await net.rpc<unknown[]>("getProgramAccounts", net.programId, { filters, encoding: "base64" });
  assert.deepEqual(finalized, []);
});
