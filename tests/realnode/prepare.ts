import type { Asset } from "@holdfast/devnet/assets.ts";
import type { Wallets } from "@holdfast/devnet/chain.ts";
import { callRpc } from "@holdfast/devnet/client.ts";
import { keptWallet } from "@holdfast/devnet/wallets.ts";
import {
  createOperatorInstruction,
  findOperatorAddress,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import type { Nodes } from "../faults/standaloneService.ts";
import { eventually } from "../harness/wait.ts";
import { deployProgram } from "./deploy.ts";
import { give, land, makeMint } from "./land.ts";

export interface Unprepared {
  readonly rpcUrl: string;
  readonly walletsDir: string;
  readonly wallets: Wallets;
  /** SOL of each wallet that pays fees and rent. */
  readonly lamports: bigint;
  readonly file: Uint8Array;
  /** A program that is there; else the one whose key is kept beside the wallets, which is deployed once. */
  readonly programId?: Address | undefined;
}
export interface Prepared {
  readonly ready: Nodes["ready"];
  readonly token2022: Pick<Asset, "address" | "tokenProgram">;
}

/** Makes what is missing: funds, the program by the chain's own loader, tokens, the operator account. The faucet pays. */
export async function prepareChain({
  rpcUrl,
  walletsDir,
  wallets,
  lamports,
  file,
  ...given
}: Unprepared): Promise<Prepared> {
  const { faucet, authority, arbiter } = wallets;
  const ask = (method: string, address: Address) =>
    callRpc<{ value: unknown }>(rpcUrl, method, [address, { commitment: "confirmed", encoding: "base64" }]);
  const isThere = async (address: Address) => (await ask("getAccountInfo", address)).value !== null;
  for (const { address } of Object.values(wallets)) {
    const { value } = await ask("getBalance", address);
    if (address !== faucet.address && BigInt(value as number) < lamports / 2n)
      await give(rpcUrl, faucet, address, "SOL", lamports);
  }
  const program = keptWallet(walletsDir, "program");
  const programId = given.programId ?? program.address;
  if (!(await isThere(programId))) {
    await deployProgram(rpcUrl, authority, program, file);
    const readSlot = () => callRpc<number>(rpcUrl, "getSlot", [{ commitment: "confirmed" }]);
    const deployedBy = await readSlot();
    await eventually("the program runs, from the next slot on", async () => (await readSlot()) > deployedBy);
  }
  const [token, token2022] = await Promise.all(
    [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID].map(async (tokenProgram) => {
      const mint = keptWallet(walletsDir, tokenProgram);
      if (await isThere(mint.address)) return { address: mint.address, tokenProgram };
      return makeMint(rpcUrl, faucet, mint, tokenProgram);
    }),
  );
  const named = { programId, authority: authority.address };
  const operator = await findOperatorAddress(named);
  if (!(await isThere(operator)))
    await land(rpcUrl, [await createOperatorInstruction({ ...named, arbiter: arbiter.address })], authority);
  return { ready: { programId, operator, asset: token!.address }, token2022: token2022! };
}
