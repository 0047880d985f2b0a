import type { Environment } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

/** The genesis hash of each environment that has a chain. */
export const listGenesisHashes = (db: Db) =>
  db.rows<{ environment: Environment; genesisHash: string }>(
    sql`select environment, genesis_hash as "genesisHash" from chains`,
  );

/** Whether the environment has a chain: without one it has no payments and no events, and takes no keys and endpoints. */
export async function isChainConfigured(db: Db, environment: Environment): Promise<boolean> {
  return (await db.row(sql`select 1 from chains where environment = ${environment}`)) !== null;
}
