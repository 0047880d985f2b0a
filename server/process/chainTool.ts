import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createSolanaTool, findOperatorOf } from "../chain/solana/tool.ts";
import type { ChainTool, OpenChainTool } from "../chain/tool.ts";
import { refusal } from "../features/chains/chain.ts";
import { log } from "../lib/log.ts";
import { type Env, SettingsReader } from "./settingsReader.ts";

interface Place {
  readonly rpcUrls: readonly string[];
  readonly programId: string;
  readonly operator: string | null;
}

const GENESIS_MS = 10_000;

/** Opens the chain of an environment for a person's command: by the settings of the service, else the local chain that runs. */
export const chainToolOpener =
  (env: Env, dataDir: string): OpenChainTool =>
  async ({ environment, ofAuthority, unitPrice }): Promise<ChainTool> => {
    const reader = new SettingsReader(env);
    const place =
      readPlace(reader, environment.toUpperCase()) ?? (environment === "test" ? await findLocal(dataDir) : null);
    if (reader.problems.length > 0) throw new Error(reader.problems.join("\n"));
    if (place === null)
      throw new Error(
        `No ${environment} chain is set, and no local one runs. Set ${environment.toUpperCase()}_RPC_URLS and ${environment.toUpperCase()}_PROGRAM_ID.`,
      );
    const operator = ofAuthority === null ? place.operator : await findOperatorOf(place.programId, ofAuthority);
    if (operator === null) throw new Error(`Set ${environment.toUpperCase()}_OPERATOR to the operator account.`);
    const tool = createSolanaTool({ ...place, operator, unitPrice, log });
    const genesisHash = await tool.reader.fetchGenesisHash({ signal: AbortSignal.timeout(GENESIS_MS) });
    const wrong = refusal(environment, genesisHash, null);
    if (wrong !== null) throw new Error(wrong);
    return tool;
  };

/** Null where no nodes are set. */
function readPlace(reader: SettingsReader, prefix: string): Place | null {
  const rpcUrls = reader.urls(`${prefix}_RPC_URLS`, ["http:", "https:"]);
  if (rpcUrls.length === 0) return null;
  const operator = reader.text(`${prefix}_OPERATOR`) === null ? null : reader.address(`${prefix}_OPERATOR`);
  return { rpcUrls, programId: reader.address(`${prefix}_PROGRAM_ID`), operator };
}

/** The local chain of a running `npm start`. */
async function findLocal(dataDir: string): Promise<Place | null> {
  const text = await readFile(join(dataDir, "ready.json"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const { rpcUrl, programId, operator } = JSON.parse(text) as { rpcUrl: string; programId: string; operator: string };
  return { rpcUrls: [rpcUrl], programId, operator };
}
