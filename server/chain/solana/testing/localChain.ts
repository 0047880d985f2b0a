import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { payIntent } from "@holdfast/devnet/buyer.ts";
import { type DevnetOptions, startDevnet } from "@holdfast/devnet/start.ts";
import { CHAIN_OF_RUN } from "../../../../tests/harness/chainOfRun.ts";
import { createSolanaChain } from "../reader.ts";

/** Starts the local chain. Its slots pass only by ticks; votes confirm one after 2 and make it final after 8. */
export async function startLocalChain(options: Pick<DevnetOptions, "programs" | "consensus" | "skipEvery"> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), "solana-reader-"));
  const net = await startDevnet({ dataDir, autoTick: false, finalizedAfter: 8, ...CHAIN_OF_RUN, ...options });
  const { programId, operator } = net;
  let nextId = 1n;

  const someTerms = () => ({
    paymentId: String(nextId++),
    recipient: net.addresses.recipient,
    amount: "25000000",
    asset: net.asset,
    protectionPeriod: "oneHour" as const,
  });

  return {
    net,
    someTerms,
    /** A reader that sees the chain as several nodes: the path of a URL names one. */
    openChain: (...nodes: string[]) =>
      createSolanaChain({
        rpcUrls: nodes.map((node) => `${net.rpcUrl}/${node}`),
        wsUrls: [net.wsUrl],
        programId,
        operator,
        log: () => {},
      }),
    /** A payment just sent, two slots before it is confirmed. */
    async aPayment() {
      const { payment, signature } = await payIntent(net, net.wallets["buyer-1"], someTerms(), { until: "processed" });
      return { address: payment, signature };
    },
    async stop() {
      await net.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
