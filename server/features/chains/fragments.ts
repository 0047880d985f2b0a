import type { Environment } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

/** Whether the environment has a chain: without one it has no payments and no events, and takes no keys and endpoints. */
export async function isChainConfigured(db: Db, environment: Environment): Promise<boolean> {
  return (await db.row(sql`select 1 from chains where environment = ${environment}`)) !== null;
}
