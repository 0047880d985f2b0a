import assert from "node:assert/strict";
import test from "node:test";
import { HUNG_MS } from "../../tests/harness/wait.ts";
import { payIntent, readPayment } from "../buyer.ts";
import { callRpc } from "../client.ts";
import { aChain, aFolder, aTransfer, PROCESSED, someTerms, type TestNet } from "../testing/harness.ts";
import { newWallet } from "../wallets.ts";

const balanceOf = async (net: TestNet, owner: string) =>
  (await net.rpc<{ value: number }>("getBalance", owner, { commitment: "processed" })).value;

test("a dropped transaction is as if it had never been, and may land again", async (t) => {
  const net = await aChain(t);
  const { base64, to, signature } = aTransfer(net);
  await net.rpc("sendTransaction", base64, PROCESSED);
  net.tick(3);
  const known = async () => {
    const statuses = await net.rpc<{ value: unknown[] }>("getSignatureStatuses", [signature], {
      searchTransactionHistory: true,
    });
    const config = { commitment: "confirmed", maxSupportedTransactionVersion: 0 };
    const transaction = await net.rpc("getTransaction", signature, config);
    const lines = await net.rpc<unknown[]>("getSignaturesForAddress", to, { commitment: "confirmed" });
    return [statuses.value[0] !== null, transaction !== null, lines.length, await balanceOf(net, to)];
  };
  assert.deepEqual(await known(), [true, true, 1, 2_000_000]);
  assert.deepEqual(await net.rpc("devnet_drop", { signature }), { dropped: [signature] });
  assert.deepEqual(await known(), [false, false, 0, 0]);
  await net.rpc("sendTransaction", base64, PROCESSED);
  net.tick(3);
  assert.deepEqual(await known(), [true, true, 1, 2_000_000]);
});

test("what came after a dropped transaction stays in its slot; what hung on it goes with it", async (t) => {
  const net = await aChain(t);
  const middle = newWallet();
  const first = aTransfer(net, { to: middle.address, amount: 10_000_000n });
  const other = aTransfer(net, { to: newWallet().address });
  const second = aTransfer(net, { from: middle });
  for (const one of [first, other, second]) {
    await net.rpc("sendTransaction", one.base64, PROCESSED);
    net.tick();
  }
  const slotOf = (signature: string) => net.chain.ledger.history.find(signature)?.slot;
  const before = slotOf(other.signature);
  assert.deepEqual(net.controls.drop(first.signature)?.dropped, [first.signature, second.signature]);
  assert.equal(slotOf(other.signature), before);
  assert.deepEqual([await balanceOf(net, other.to), await balanceOf(net, second.to)], [2_000_000, 0]);
});

test("a payment that is dropped leaves no account; sent again it is made again; a final one cannot be dropped", async (t) => {
  const net = await aChain(t);
  const paid = await payIntent(net, net.wallets["buyer-1"], someTerms(net), { until: "processed" });
  const { wire } = net.chain.ledger.readTransaction(net.chain.ledger.history.find(paid.signature)!);
  net.tick(3);
  net.controls.drop(paid.signature);
  assert.equal(await readPayment(net.rpcUrl, paid.payment), null);
  await net.rpc("sendTransaction", Buffer.from(wire.bytes).toString("base64"), PROCESSED);
  net.tick(9);
  assert.equal((await readPayment(net.rpcUrl, paid.payment))?.status, "protected");
  assert.equal(net.controls.drop(paid.signature), null);
});

test("frozen finality keeps a confirmed transaction from becoming final until it is let go", async (t) => {
  const net = await aChain(t);
  await net.rpc("devnet_freeze_finality", { on: true });
  const { base64, signature } = aTransfer(net);
  await net.rpc("sendTransaction", base64, PROCESSED);
  net.tick(400);
  const status = async () =>
    (
      await net.rpc<{ value: { confirmationStatus: string }[] }>("getSignatureStatuses", [signature], {
        searchTransactionHistory: true,
      })
    ).value[0]?.confirmationStatus;
  assert.equal(await status(), "confirmed");
  await net.rpc("devnet_freeze_finality", { on: false });
  net.tick();
  assert.equal(await status(), "finalized");
});

test("advance moves the chain's clock, answers the offset, and a restart restores it", async (t) => {
  const dataDir = aFolder(t);
  let real = Date.parse("2026-01-01T00:00:00Z");
  const now = () => real;
  const first = await aChain(t, { dataDir, now });
  assert.equal((await first.rpc<{ offsetMs: number }>("devnet_advance", { seconds: 86_400 })).offsetMs, 86_400_000);
  first.tick(8);
  const head = await first.rpc<number>("getSlot", { commitment: "confirmed" });
  assert.equal(await first.rpc("getBlockTime", head - 1), Date.parse("2026-01-02T00:00:00Z") / 1000);
  await first.stop();
  real += 60_000;
  const second = await aChain(t, { dataDir, now });
  assert.deepEqual(second.controls.clock().offsetMs, 86_400_000);
  assert.equal(second.controls.clock().now, "2026-01-02T00:01:00.000Z");
  assert.equal(second.genesisHash, first.genesisHash);
});

test("the price of rent can be moved, old accounts stay good under a higher one, and a restart keeps it", async (t) => {
  const dataDir = aFolder(t);
  const net = await aChain(t, { dataDir });
  const rentOf = (space: number) => net.rpc<number>("getMinimumBalanceForRentExemption", space);
  const to = newWallet();
  const give = (amount: number) =>
    net.rpc("devnet_faucet", { address: to.address, asset: "SOL", amount: String(amount) });
  assert.equal(await rentOf(0), 128 * 6_960);
  await net.rpc("devnet_rent", { lamportsPerByte: 696 });
  assert.equal(await rentOf(312), (128 + 312) * 696);
  await assert.rejects(give(128 * 696 - 1), /InsufficientFundsForRent/);
  await give(128 * 696);
  await net.rpc("devnet_rent", { lamportsPerByte: 5_080 });
  await give(1);
  assert.equal(await balanceOf(net, to.address), 128 * 696 + 1);
  await net.stop();
  const again = await aChain(t, { dataDir });
  assert.equal(await again.rpc("getMinimumBalanceForRentExemption", 0), 128 * 5_080);
});

test("the faucet mints every well-known asset to an address that had none", async (t) => {
  const net = await aChain(t);
  const to = newWallet().address;
  for (const asset of ["SOL", "USDC", "USDT", "EURC", "PYUSD", "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"]) {
    await net.rpc("devnet_faucet", { address: to, asset, amount: "18000000" });
    await net.rpc("devnet_faucet", { address: to, asset, amount: "18000000" });
  }
  const config = { encoding: "jsonParsed", commitment: "processed" };
  const held = async (programId: string) =>
    (
      await net.rpc<{ value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[] }>(
        "getTokenAccountsByOwner",
        to,
        { programId },
        config,
      )
    ).value.map((one) => one.account.data.parsed.info.tokenAmount.amount);
  assert.deepEqual(await held("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"), Array(4).fill("36000000"));
  assert.deepEqual(await held("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"), ["36000000"]);
  assert.equal(await balanceOf(net, to), 36_000_000);
  await assert.rejects(net.rpc("devnet_faucet", { address: to, asset: to, amount: "1" }), { code: -32602 });
});

test("faults hit the methods, the node and the number of requests they were set for", async (t) => {
  const net = await aChain(t);
  const ask = (method = "getSlot", node = "", msMax = HUNG_MS) =>
    fetch(`${net.rpcUrl}/${node}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] }),
      signal: AbortSignal.timeout(msMax),
    });
  net.controls.faults({ mode: "rate_limited", methods: ["getSlot"], count: 2 });
  assert.deepEqual(
    [(await ask()).status, (await ask("getHealth")).status, (await ask()).status, (await ask()).status],
    [429, 200, 429, 200],
  );

  net.controls.faults({ mode: "server_error", node: "b" });
  assert.deepEqual([(await ask("getSlot", "b")).status, (await ask()).status], [503, 200]);
  net.controls.faults({ mode: "none" });

  const bodies: [mode: "malformed" | "not_json" | "empty", start: string][] = [
    ["malformed", '{"jsonrpc"'],
    ["not_json", "<html>"],
    ["empty", ""],
  ];
  for (const [mode, start] of bodies) {
    net.controls.faults({ mode, count: 1 });
    const text = await (await ask()).text();
    assert.ok(text.startsWith(start) && text.length < 100);
  }
  net.controls.faults({ mode: "reset", count: 1 });
  await assert.rejects(ask(), TypeError);
  net.controls.faults({ mode: "time_out", count: 1 });
  await assert.rejects(ask("getSlot", "", 300), { name: "TimeoutError" });
  net.controls.faults({ mode: "rpc_error", count: 1 });
  await assert.rejects(net.rpc("getSlot"), { code: -32005 });
  net.controls.faults({ mode: "slow", ms: 1, count: 1 });
  assert.equal((await ask()).status, 200);
});

test("a node made to see wrong answers from an older slot, forgets, reorders and has no block times; another sees well", async (t) => {
  const net = await aChain(t, { finalizedAfter: 32 });
  const to = net.addresses.keeper;
  const sent: string[] = [];
  for (const amount of [1_000_000n, 1_000_001n])
    sent.push(await net.rpc<string>("sendTransaction", aTransfer(net, { to, amount }).base64, PROCESSED));
  net.tick(6);
  const on = <T>(method: string, ...params: unknown[]) => callRpc<T>(`${net.rpcUrl}/b`, method, params);
  const confirmed = { commitment: "confirmed" };
  const list = async () =>
    (
      await on<{ signature: string; blockTime: number | null }[]>("getSignaturesForAddress", to, {
        ...confirmed,
        limit: 2,
      })
    ).map((one) => one.signature);
  assert.deepEqual(await list(), sent.toReversed());

  net.controls.faults({ mode: "stale_slot", node: "b", slots: 5 });
  const slots = [await on<number>("getSlot", confirmed), await net.rpc<number>("getSlot", confirmed)] as const;
  assert.equal(slots[1] - slots[0], 5);
  const balances = await Promise.all([
    on<{ value: number }>("getBalance", to, confirmed),
    net.rpc<{ value: number }>("getBalance", to, confirmed),
  ]);
  assert.equal(balances[1].value - balances[0].value, 2_000_001);
  assert.ok(!(await list()).includes(sent[0]!));
  await assert.rejects(on("getBalance", to, { ...confirmed, minContextSlot: slots[1] }), {
    code: -32016,
    data: { contextSlot: slots[0] },
  });

  net.controls.faults({ mode: "none", node: "b" });
  net.controls.faults({ mode: "reorder", node: "b" });
  assert.deepEqual(await list(), sent);
  net.controls.faults({ mode: "ignorant", node: "b", names: [sent[0]!] });
  assert.equal(await on("getTransaction", sent[0], { ...confirmed, maxSupportedTransactionVersion: 0 }), null);
  net.controls.faults({ mode: "none" });
  net.controls.faults({ mode: "until_unknown", node: "b" });
  assert.equal(
    (await on<unknown[]>("getSignaturesForAddress", to, { ...confirmed, until: sent[1], limit: 2 })).length,
    2,
  );
  net.controls.faults({ mode: "pruned", node: "b", slots: 3 });
  assert.deepEqual(await list(), []);
  net.controls.faults({ mode: "none" });
  net.controls.faults({ mode: "no_block_time", node: "b" });
  const head = await on<number>("getSlot", { commitment: "finalized" });
  assert.equal(await on("getBlockTime", head), null);
  assert.notEqual(await net.rpc("getBlockTime", head), null);
});

test("stats count requests by method, transactions and slots", async (t) => {
  const net = await aChain(t);
  const before = net.controls.stats();
  await net.rpc("getSlot");
  await net.rpc("getSlot");
  await assert.rejects(net.rpc("getBlock", "none"));
  await net.rpc("sendTransaction", aTransfer(net).base64, PROCESSED);
  net.tick();
  const after = await net.rpc<typeof before>("devnet_stats");
  assert.deepEqual([after.requests.getSlot, after.requests.getBlock, after.refused], [2, 1, { getBlock: 1 }]);
  assert.equal(after.transactions - before.transactions, 1);
  assert.equal(after.slot - before.slot, 1);
});
