import { ActionError } from "../../domain/actionError.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { deleteChain, findChain } from "./queries.ts";

/**
 * Unties the database from the chain, program and operator of an environment without intents, events and open payments; the next
 * start ties it to those of its settings (§10.11). Throws {@link ActionError}: `chain_not_joined`, `chain_in_use`.
 */
export async function leaveChain(db: Db, environment: Environment): Promise<{ operator: string }> {
  const chain = await findChain(db, environment);
  if (chain === null) throw new ActionError("chain_not_joined", `This database belongs to no ${environment} chain.`);
  if (await deleteChain(db, environment)) return { operator: chain.operator };
  throw new ActionError(
    "chain_in_use",
    `There are ${environment} intents, or payments in the escrow: the database stays with the operator ${chain.operator}. Use an empty one for another.`,
  );
}
