import { existsSync } from "node:fs";
import { join } from "node:path";
import { keptWallets } from "@holdfast/devnet/chain.ts";
import { callRpc } from "@holdfast/devnet/client.ts";
import type { Address } from "@solana/kit";
import type { Nodes } from "../faults/standaloneService.ts";
import { eventually } from "../harness/wait.ts";
import { prepareChain } from "../realnode/prepare.ts";

/** SOL of each of the rehearsal's own wallets, of which the authority's pays the program's rent. */
const LAMPORTS = 500_000_000n;
/** SOL of all together: the first time, and when the chain has been prepared. */
const FUNDS = { first: 5_000_000_000, again: 1_000_000_000 };
const FUNDED_MS_MAX = 20 * 60_000;

export interface ClusterOptions {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** The keys are kept here, so that a second rehearsal finds what the first has made. */
  readonly folder: string;
  readonly program: Uint8Array;
  readonly programId?: Address | undefined;
  readonly say: (text: string) => void;
}

/** Nodes of a cluster that others run: it finds there what an earlier rehearsal has left, and makes the rest. */
export async function openCluster({ rpcUrl, wsUrl, folder, program, programId, say }: ClusterOptions): Promise<Nodes> {
  const walletsDir = join(folder, "wallets");
  const funds = existsSync(walletsDir) ? FUNDS.again : FUNDS.first;
  const wallets = keptWallets(walletsDir);
  const { address } = wallets.faucet;
  const read = async () =>
    (await callRpc<{ value: number }>(rpcUrl, "getBalance", [address, { commitment: "confirmed" }])).value;
  if ((await read()) < funds) {
    say(`Send ${funds / 1e9} SOL of this cluster to ${address}. Its key is in ${walletsDir}.`);
    await eventually("the funds are there", async () => (await read()) >= funds, FUNDED_MS_MAX);
  }
  const { ready } = await prepareChain({ rpcUrl, walletsDir, wallets, lamports: LAMPORTS, file: program, programId });
  const control = async <Result>(method: string): Promise<Result> => {
    throw new Error(`A cluster has no devnet_${method}.`);
  };
  return { rpcUrl, wsUrl, walletsDir, ready, node: () => rpcUrl, control, end: async () => undefined };
}
