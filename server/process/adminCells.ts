import { isAddress } from "../domain/addresses.ts";
import { cellOf, cellOfBusiness } from "../domain/ids.ts";
import type { AdminAnswer } from "../edge/admin.ts";
import { listReceipts } from "../features/checkout/receipt/queries.ts";
import { findBusinessOfKey } from "../features/keys/queries.ts";
import { findTenantOfEndpoint } from "../features/webhooks/endpointQueries.ts";
import type { Database } from "../store/database.ts";

type Has = (database: Database, word: string) => Promise<boolean>;

const HAS: Readonly<Record<string, Has>> = {
  key: async (database, id) => (await findBusinessOfKey(database, id)) !== null,
  we: async (database, id) => (await findTenantOfEndpoint(database, id)) !== null,
};
const hasPayment: Has = async (database, address) => (await listReceipts(database, [address])).length > 0;

/** Finds the cell that the words of a command name by an id or a payment's address; null if they name none. */
export async function findNamedCell(databases: readonly Database[], words: readonly string[]): Promise<number | null> {
  for (const word of words) {
    const prefix = word.slice(0, word.indexOf("_"));
    if (prefix === "biz") return cellOfBusiness(word);
    const has = isAddress(word) ? hasPayment : HAS[prefix];
    if (has === undefined) continue;
    const candidates = isAddress(word)
      ? [...databases.keys()]
      : [cellOf(word)].filter((cell) => cell < databases.length);
    for (const cell of candidates) if (await has(databases[cell]!, word)) return cell;
    return 0;
  }
  return null;
}

/** One answer for those of all cells: lists are joined, and of other results, which are alike, that of cell 0 is taken. */
export function joinAnswers(answers: readonly AdminAnswer[]): AdminAnswer {
  const [first, ...others] = answers;
  if (others.length === 0) return first!;
  const lists = answers.map(({ result }) => (result as { data?: readonly unknown[] }).data ?? []);
  const isList = "data" in (first!.result as object);
  return {
    result: isList ? { ...(first!.result as object), data: lists.flat() } : first!.result,
    text: answers.map(({ text }, cell) => `Cell ${cell}\n${text}`).join("\n\n"),
    failed: answers.some(({ failed }) => failed === true),
  };
}
