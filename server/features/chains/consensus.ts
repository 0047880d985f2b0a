import type { Log } from "../../lib/log.ts";
import type { Chain } from "./chain.ts";

/** Looks whether the chain runs Alpenglow (§4.5.10). */
export async function lookAtConsensus({ environment, reader }: Chain, log: Log, signal: AbortSignal): Promise<void> {
  if (await reader.detectConsensus({ signal }))
    log(`${environment} chain: It runs Alpenglow. Everything is read and bound at \`finalized\`.`);
}
