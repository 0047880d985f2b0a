import type { Cells } from "../../../store/cells.ts";
import { listOwnWallets } from "./queries.ts";

/**
 * Those of these addresses that are, or were, recipients of a business of the user in any cell. A single cell has compared
 * them with its own already. Throws if a cell cannot be asked: nobody decides before it is known.
 */
export async function listWallets(
  { all }: Cells,
  userId: string,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (all.length === 1 || addresses.length === 0) return new Set();
  return new Set((await Promise.all(all.map((db) => listOwnWallets(db, userId, addresses)))).flat());
}
