import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { actOnPayment, fundBuyer, payIntent } from "@holdfast/devnet/buyer.ts";
import { callRpc } from "@holdfast/devnet/client.ts";
import type { Address } from "@solana/kit";
import { HUNG_MS } from "../../../tests/harness/wait.ts";
import { type ChainReader, HOLDINGS_MAX, isPayment } from "../port.ts";
import { anAddress, anyTime } from "./testing/chain.ts";
import { startLocalChain } from "./testing/localChain.ts";

/** A token of Token-2022. */
const PYUSD = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo";

let local: Awaited<ReturnType<typeof startLocalChain>>;
let chain: ChainReader;
before(async () => {
  local = await startLocalChain();
  chain = local.openChain("first");
});
after(() => local?.stop());

test("a payment's record and vault are read together at one slot: as paid, with dust, partly paid out, and at its end", async () => {
  const { net } = local;
  const { address } = await local.aPayment();
  net.controls.tick(8);
  const asset = net.asset;
  const read = async () => {
    const { value, slot } = await chain.fetchHoldings([{ address, asset }], { signal: AbortSignal.timeout(HUNG_MS) });
    const [{ account, vault }] = value as [(typeof value)[number]];
    const record = await chain.fetchPayments([address], anyTime);
    assert.deepEqual(account, record.value[0]);
    assert.ok(slot > 0);
    return { vault, left: account !== null && isPayment(account) ? account.amount : null };
  };
  assert.deepEqual(await read(), { vault: "25000000", left: "25000000" });
  await callRpc(net.rpcUrl, "devnet_faucet", [{ address, asset, amount: "3" }]);
  net.controls.tick(8);
  assert.equal((await read()).vault, "25000003");
  await actOnPayment(net, net.wallets["buyer-1"], "release", address as Address, { until: "processed" });
  net.controls.tick(8);
  // Whatever a vault holds leaves with the last part, and the vault is closed.
  assert.equal((await read()).vault, null);
});

test("an address without a payment has no record and no vault, and more than one request of payments is refused", async () => {
  const asset = local.net.asset;
  const signal = AbortSignal.timeout(HUNG_MS);
  const missing = await chain.fetchHoldings([{ address: anAddress(9), asset }], { signal });
  assert.deepEqual(missing.value, [{ account: null, vault: null }]);
  const many = Array.from({ length: HOLDINGS_MAX + 1 }, (_, at) => ({ address: anAddress(at), asset }));
  await assert.rejects(chain.fetchHoldings(many, { signal }), /At most 33/);
  assert.equal((await chain.fetchHoldings(many.slice(1), { signal })).value.length, HOLDINGS_MAX);
});

test("a vault of another token program's token is found as well", async () => {
  const { net } = local;
  const asset = PYUSD;
  const buyer = net.wallets["buyer-1"];
  await fundBuyer(net.rpcUrl, buyer.address, asset, 1_000n);
  net.controls.tick(8);
  const terms = { ...local.someTerms(), asset: asset, amount: "1000" };
  const { payment } = await payIntent(net, buyer, terms, { until: "processed" });
  net.controls.tick(8);
  const { value } = await chain.fetchHoldings([{ address: payment, asset: asset }], {
    signal: AbortSignal.timeout(HUNG_MS),
  });
  assert.equal(value[0]?.vault, "1000");
});
