import type { Database } from "../../store/database.ts";
import { type Chain, refusal } from "./chain.ts";
import { findChain, saveChain } from "./queries.ts";

/** Checks that the chain is the one this database and environment belong to, and remembers it. Throws in words. */
export async function joinChain(database: Database, chain: Chain, signal: AbortSignal): Promise<void> {
  const genesisHash = await chain.reader.readGenesisHash({ signal });
  const known = await findChain(database, chain.environment);
  const wrong = refusal(chain.environment, genesisHash, known?.genesis_hash ?? null);
  if (wrong !== null) throw new Error(wrong);
  if (known !== null && known.operator !== chain.operator)
    throw new Error(`This database belongs to the operator ${known.operator}, not ${chain.operator}.`);
  await saveChain(database, {
    environment: chain.environment,
    genesis_hash: genesisHash,
    program_id: chain.programId,
    operator: chain.operator,
  });
}
