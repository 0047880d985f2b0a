import { ChainUnavailableError } from "../../chain/port.ts";
import type { Database } from "../../store/database.ts";
import { type Chain, refusal } from "./chain.ts";
import { findChain, saveChain } from "./queries.ts";

/**
 * Checks by every node that answers that the chain is the one this database and environment belong to, and remembers it
 * (§10.2). From then on reader and sender keep to it: a node that did not answer now has to name it first. A known chain may
 * be away altogether. Returns the genesis hash; throws an error whose message says what to do.
 */
export async function joinChain(database: Database, chain: Chain, signal: AbortSignal): Promise<string> {
  const { environment, operator, programId, reader, sender } = chain;
  const known = await findChain(database, environment);
  const hashes = await fetchGenesisHashes(chain, signal).catch((error: unknown) => {
    if (known !== null && error instanceof ChainUnavailableError) return [];
    throw error;
  });
  const genesisHash = known?.genesis_hash ?? hashes.find((hash) => hash !== null)!;
  hashes.forEach((hash, node) => {
    if (hash === null) return;
    const wrong = refusal(environment, hash, known?.genesis_hash ?? null);
    if (wrong !== null) throw new Error(hashes.length === 1 ? wrong : `Node ${node}: ${wrong}`);
    if (hash !== genesisHash)
      throw new Error(
        `The nodes are of different ${environment} chains: ${hash} is node ${node}'s genesis, not ${genesisHash}.`,
      );
  });
  if (known !== null && known.operator !== operator)
    throw new Error(`This database belongs to the operator ${known.operator}, not ${operator}.`);
  await saveChain(database, { environment, genesis_hash: genesisHash, program_id: programId, operator });
  reader.keepTo(genesisHash);
  sender?.keepTo(genesisHash);
  return genesisHash;
}

/** Of each node; null where it did not answer. Throws when none did. */
async function fetchGenesisHashes({ reader }: Chain, signal: AbortSignal): Promise<(string | null)[]> {
  const answers = await Promise.allSettled(
    Array.from({ length: reader.nodes }, (_, onlyNode) => reader.fetchGenesisHash({ signal, onlyNode })),
  );
  const failures = answers.filter((answer) => answer.status === "rejected").map(({ reason }) => reason);
  const bug = failures.find((reason) => !(reason instanceof ChainUnavailableError));
  if (bug !== undefined || failures.length === answers.length) throw bug ?? failures[0];
  return answers.map((answer) => (answer.status === "fulfilled" ? answer.value : null));
}
