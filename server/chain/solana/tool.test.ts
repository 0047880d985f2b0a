import assert from "node:assert/strict";
import { test } from "node:test";
import { callRpc } from "@holdfast/devnet/client.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { TransactionRefusedError } from "../tool.ts";
import { startLocalChain } from "./testing/localChain.ts";
import { createSolanaTool } from "./tool.ts";

test("§4.14.11 a command waits until final blocks are past the life of what it sent, and no longer", async () => {
  const local = await startLocalChain();
  const { net } = local;
  try {
    const wallet = newWallet();
    await callRpc(net.rpcUrl, "devnet_faucet", [{ address: wallet.address, asset: "SOL", amount: "1000000000" }]);
    net.controls.tick(10);
    const { programId, operator } = net;
    let looks = 0;
    let isSent = false;
    const drop: typeof fetch = async (input, init) => {
      const { id, method } = JSON.parse(String(init?.body));
      if (method !== "sendTransaction") return fetch(input, init);
      isSent = true;
      return Response.json({ jsonrpc: "2.0", id, result: "dropped" });
    };
    const clock = {
      now: () => performance.now(),
      after(ms: number, run: () => void) {
        if (ms !== 500) return () => {};
        looks += 1;
        net.controls.tick(looks === 1 ? 150 : 1);
        setImmediate(run);
        return () => {};
      },
    };
    const settings = { rpcUrls: [net.rpcUrl], programId, operator, unitPrice: 0n, log: () => undefined };
    const tool = createSolanaTool({ ...settings, fetch: drop, clock });
    const action = { kind: "create_operator", signer: wallet.address, arbiter: newWallet().address } as const;
    await assert.rejects(
      tool.send(action, wallet.secret, AbortSignal.timeout(20_000)),
      (error) => error instanceof TransactionRefusedError && /did not land in time/.test(error.message),
    );
    assert.ok(isSent);
    assert.ok(looks < 15, `${looks} looks`);
  } finally {
    await local.stop();
  }
});
