import assert from "node:assert/strict";
import { test } from "node:test";
import { callRpc } from "@holdfast/devnet/client.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { HUNG_MS } from "../../../tests/harness/wait.ts";
import { TransactionRefusedError } from "../tool.ts";
import { startLocalChain } from "./testing/localChain.ts";
import { createSolanaTool } from "./tool.ts";

const FAILED = {
  slot: 1,
  err: { InstructionError: [0, { Custom: 1 }] },
  confirmations: null,
  confirmationStatus: "finalized",
};
const AHEAD = (_: string, name: string, number: string) => `"${name}":${Number(number) + 120}`;

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
      tool.send(action, wallet.secret, AbortSignal.timeout(HUNG_MS)),
      (error) => error instanceof TransactionRefusedError && /did not land in time/.test(error.message),
    );
    assert.ok(isSent);
    assert.ok(looks < 15, `${looks} looks`);
  } finally {
    await local.stop();
  }
});

for (const [lie, tells] of [
  ["failed", (text: string) => text.replace(/"value":\[.*\]/, `"value":[${JSON.stringify(FAILED)}]`)],
  ["has ended", (text: string) => text.replace(/"(absoluteSlot|blockHeight|slot)":(\d+)/g, AHEAD)],
] as const)
  test(`§4.14.11 a command is not over because one node says that it ${lie}, while a second one denies it`, async () => {
    const local = await startLocalChain();
    const { net } = local;
    try {
      const wallet = newWallet();
      await callRpc(net.rpcUrl, "devnet_faucet", [{ address: wallet.address, asset: "SOL", amount: "1000000000" }]);
      net.controls.tick(10);
      let looks = 0;
      const lying: typeof fetch = async (input, init) => {
        const { id, method } = JSON.parse(String(init?.body));
        // It lands by the second sending alone.
        if (method === "sendTransaction" && looks < 4) return Response.json({ jsonrpc: "2.0", id, result: "dropped" });
        const answer = await fetch(input, init);
        const isLie = String(input).endsWith("/first") && looks < 6;
        if (!isLie || !["getEpochInfo", "getSignatureStatuses"].includes(method)) return answer;
        return new Response(tells(await answer.text()));
      };
      const clock = {
        now: () => performance.now(),
        after(ms: number, run: () => void) {
          if (ms !== 500) return () => {};
          looks += 1;
          net.controls.tick(looks === 1 ? 40 : 1);
          setImmediate(run);
          return () => {};
        },
      };
      const { programId, operator } = net;
      const rpcUrls = ["first", "second"].map((name) => `${net.rpcUrl}/${name}`);
      const settings = { rpcUrls, programId, operator, unitPrice: 0n, log: () => undefined };
      const tool = createSolanaTool({ ...settings, fetch: lying, clock });
      const action = { kind: "create_operator", signer: wallet.address, arbiter: newWallet().address } as const;
      const signature = await tool.send(action, wallet.secret, AbortSignal.timeout(HUNG_MS));
      const { value } = await callRpc<{ value: object[] }>(net.rpcUrl, "getSignatureStatuses", [[signature]]);
      assert.equal((value[0] as { err: unknown }).err, null);
    } finally {
      await local.stop();
    }
  });
