import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { COMMITMENTS, newConsensus } from "../chain/consensus.ts";
import { createSolanaTool, findOperatorOf } from "../chain/solana/tool.ts";
import type { ChainTool, OpenChainTool } from "../chain/tool.ts";
import { refusal } from "../features/chains/chain.ts";
import { log } from "../lib/log.ts";
import { CHAIN, type ChainSettings } from "./chainSettings.ts";
import { refuseOldNames } from "./config.ts";
import { type Env, object, readVariable, setting } from "./setting.ts";

/** The members of a chain that a command needs. The operator account is optional: a command may create it. */
const PLACE = object({ ...CHAIN, operator: setting(CHAIN.operator.form, null, "") });
type Place = Pick<ChainSettings, "rpcUrls" | "programId"> & { readonly operator: string | null };

const GENESIS_MS = 10_000;

/** Opens the chain of an environment for a person's command: by the settings of the service, else the running local chain. */
export const chainToolOpener =
  (env: Env, dataDir: string): OpenChainTool =>
  async ({ environment, ofAuthority, unitPrice }): Promise<ChainTool> => {
    const name = `${environment.toUpperCase()}_CHAIN`;
    const problems = refuseOldNames(env);
    const set = readVariable(PLACE, name, env, problems);
    if (problems.length > 0) throw new Error(problems.join("\n"));
    const place = set ?? (environment === "test" ? await findLocal(dataDir) : null);
    if (place === null)
      throw new Error(
        `No ${environment} chain is set, and no local one runs. Set ${name}, with rpcUrls and programId.`,
      );
    const operator = ofAuthority === null ? place.operator : await findOperatorOf(place.programId, ofAuthority);
    if (operator === null) throw new Error(`Set operator in ${name} to the operator account.`);
    const consensus = newConsensus(COMMITMENTS.find((one) => one === env.BIND_COMMITMENT));
    const tool = createSolanaTool({ ...place, operator, consensus, unitPrice, log });
    const options = { signal: AbortSignal.timeout(GENESIS_MS) };
    const genesisHash = await tool.reader.fetchGenesisHash(options);
    const wrong = refusal(environment, genesisHash, null);
    if (wrong !== null) throw new Error(wrong);
    await tool.reader.detectConsensus(options);
    return tool;
  };

/** Finds the local chain of a running `npm start`. */
async function findLocal(dataDir: string): Promise<Place | null> {
  const text = await readFile(join(dataDir, "ready.json"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const { rpcUrl, programId, operator } = JSON.parse(text) as { rpcUrl: string; programId: string; operator: string };
  return { rpcUrls: [rpcUrl], programId, operator };
}
