import type { Chain } from "../../chain/chain.ts";
import type { Log } from "../../lib/log.ts";

/** Looks whether the chain runs Alpenglow (§4.5.10), and says in the log what is new. */
export async function lookAtConsensus({ environment, reader }: Chain, log: Log, signal: AbortSignal): Promise<void> {
  const seen = await reader.detectConsensus({ signal });
  if (seen === null) return;
  const say = (text: string, level?: "warn") => log(`${environment} chain: ${text}`, undefined, level);
  const { kind, sinceSlot, isContradicted } = seen;
  if (kind === null) return say("No node says which consensus it runs, so it is read and bound as under TowerBFT.");
  if (kind === "tower") return say("It runs TowerBFT.");
  say(`It has run Alpenglow since slot ${sinceSlot}. Everything is read and bound at \`finalized\`.`);
  if (isContradicted) say("Its nodes contradict each other: another says that it runs TowerBFT.", "warn");
}
