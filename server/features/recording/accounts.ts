import type { ChainAccount, ChainReader, NodeAnswer, ReadOptions } from "../../chain/port.ts";

/**
 * The accounts that landed transactions name. `created` must be there, a tombstone at least: where a node does not show
 * one, it is wrong about the account or the transaction, and another node is asked.
 */
export async function readAccounts(
  reader: ChainReader,
  addresses: readonly string[],
  created: ReadonlySet<string>,
  options: ReadOptions,
): Promise<NodeAnswer<readonly ChainAccount[]>> {
  const lacks = ({ value }: NodeAnswer<readonly ChainAccount[]>) =>
    value.some((account, index) => account === null && created.has(addresses[index]!));
  const first = await reader.readPayments(addresses, options);
  if (reader.nodes === 1 || !lacks(first)) return first;
  return reader.readPayments(addresses, { ...options, notNode: first.node });
}
