import type { Chain } from "../../chain/chain.ts";
import { ChainUnavailableError } from "../../chain/port.ts";
import { refusal } from "./chain.ts";
import { checkDeployment, fetchDeployment, type JoiningContext } from "./checkDeployment.ts";
import { lookAtConsensus } from "./consensus.ts";
import { warnOfDeployment } from "./deployment.ts";
import { findChain, saveChain } from "./queries.ts";

/**
 * Checks with every node that answers that the chain is the one of this database and environment, and records it
 * (§10.2). From then on, reader and sender refuse a node that names another, and one that did not answer until it has
 * named this one. Then checks program and operator account (§10.11). A known chain may be entirely unreachable.
 * Returns the genesis hash; throws an error whose message says what to do.
 */
export async function joinChain({ database, chain, log }: JoiningContext, signal: AbortSignal): Promise<string> {
  const { environment, operator, programId, reader, builder, sender, sponsor } = chain;
  const known = await findChain(database, environment);
  const unlessAway =
    <Instead>(instead: Instead) =>
    (error: unknown): Instead => {
      if (known !== null && error instanceof ChainUnavailableError) return instead;
      throw error;
    };
  const hashes = await fetchGenesisHashes(chain, signal).catch(unlessAway([]));
  const genesisHash = known?.genesisHash ?? hashes.find((hash) => hash !== null)!;
  hashes.forEach((hash, node) => {
    if (hash === null) return;
    const wrong = refusal(environment, hash, known?.genesisHash ?? null);
    if (wrong !== null) throw new Error(hashes.length === 1 ? wrong : `Node ${node}: ${wrong}`);
    if (hash !== genesisHash)
      throw new Error(
        `The nodes are of different ${environment} chains: ${hash} is node ${node}'s genesis, not ${genesisHash}.`,
      );
  });
  reader.keepTo(genesisHash);
  builder.keepTo(genesisHash);
  sender?.keepTo(genesisHash);
  sponsor?.keepTo(genesisHash);
  await lookAtConsensus(chain, log, signal);
  const answer = await fetchDeployment(chain, signal).catch(unlessAway(null));
  for (const [what, before, now] of [
    ["operator", known?.operator, operator],
    ["program", known?.programId, programId],
  ])
    if (before !== undefined && before !== now)
      throw new Error(
        `This database belongs to the ${what} ${before}, not ${now}. While it has no ${environment} intents and open payments: stop every process, then npm run admin -- chain leave ${environment}.`,
      );
  await saveChain(database, { environment, genesisHash, programId, operator });
  if (answer === null) return genesisHash;
  const facts = await checkDeployment({ database, chain, log }, answer, signal);
  const { checkoutsHeld } = chain.deployment;
  for (const warning of warnOfDeployment(chain, facts)) log(`${environment} chain: ${warning}`, undefined, "warn");
  if (checkoutsHeld !== null) log(`${environment} chain: ${checkoutsHeld}`, undefined, "error");
  return genesisHash;
}

/** The hash of each node; null if it did not answer. Throws if none did. */
async function fetchGenesisHashes({ reader }: Chain, signal: AbortSignal): Promise<(string | null)[]> {
  const answers = await Promise.allSettled(
    Array.from({ length: reader.nodes }, (_, onlyNode) => reader.fetchGenesisHash({ signal, onlyNode })),
  );
  const failures = answers.filter((answer) => answer.status === "rejected").map(({ reason }) => reason);
  const bug = failures.find((reason) => !(reason instanceof ChainUnavailableError));
  if (bug !== undefined || failures.length === answers.length) throw bug ?? failures[0];
  return answers.map((answer) => (answer.status === "fulfilled" ? answer.value : null));
}
