import type { Staff } from "../../../domain/callers.ts";
import type { ConflictOfInterest } from "../../../domain/errors.ts";
import { askReachable, type Cells, compareKeys, merge } from "../../../store/cells.ts";
import { findUsers, listArbiters } from "../../staff/fragments.ts";
import { type CaseDeps, showHolder } from "./actions.ts";
import { countHeld, findPlace, LOOSE_MAX, listLoose, listOwnWallets, listQueue, type QueuePlace } from "./queries.ts";
import type { DeskQuery } from "./schema.ts";

/** §13.22: the lists of the desk, over all cells. The rows of a cell that cannot be reached are left out. */

export interface DeskDeps extends CaseDeps {
  /** For lists. */
  readonly slowCells: Cells;
}

const keyOf = ({ rank, date, id }: QueuePlace) => [rank, date, id];

/** A page of the queue; one row more than the limit. Null: the cursor is no case. */
export async function readQueue(
  { accounts, slowCells }: DeskDeps,
  { userId }: Pick<Staff, "userId">,
  { startingAfter, ...query }: DeskQuery,
) {
  const { all } = slowCells;
  const after = startingAfter === null ? null : await findPlaceInAny(slowCells, startingAfter);
  if (startingAfter !== null && after === null) return null;
  const pages = await askReachable(all, (db) => listQueue(db, userId, query, after));
  const rows = merge(pages, ({ place }, other) => compareKeys(keyOf(place), keyOf(other.place)), query.limit + 1);
  const users = await findUsers(
    accounts,
    rows.flatMap(({ heldBy }) => heldBy ?? []),
  );
  // A list only shows the conflict. The case itself and each act ask again, and then every cell has to answer.
  const sides = rows.flatMap((row) => (row.conflict === null ? row.sides : []));
  const wallets = all.length === 1 ? [] : await askReachable(all, (db) => listOwnWallets(db, userId, sides));
  const own = new Set(wallets.flat());
  return rows.map((row) => {
    const conflict: ConflictOfInterest | null =
      row.conflict ?? (row.sides.some((address) => own.has(address)) ? "wallet" : null);
    return { ...row, conflict, heldBy: showHolder(row.heldBy, users) };
  });
}

/** A case made before there were cells lies in cell 0, wherever its id leads. */
const findPlaceInAny = async ({ all, of }: DeskDeps["slowCells"], id: string): Promise<QueuePlace | null> =>
  (await findPlace(of(id), id)) ?? (of(id) === all[0] ? null : await findPlace(all[0]!, id));

const ARBITERS_MAX = 100;

/** The arbiters by name, with the number of open cases that each holds. */
export async function listHolds({ accounts, slowCells }: DeskDeps) {
  const arbiters = await listArbiters(accounts, ARBITERS_MAX);
  const ids = arbiters.map(({ id }) => id);
  const counts = (await askReachable(slowCells.all, (db) => countHeld(db, ids))).flat();
  return arbiters.map(({ id, name }) => ({
    id,
    name,
    holds: counts.reduce((sum, { userId, holds }) => (userId === id ? sum + holds : sum), 0),
  }));
}

/** Disputed payments without an order, those that lapse first in front. */
export async function listLooseOfAll({ slowCells }: DeskDeps) {
  const lists = await askReachable(slowCells.all, listLoose);
  const keyOf = ({ openedAt, payment }: (typeof lists)[number][number]) => [openedAt?.getTime() ?? 0, payment];
  return merge(lists, (one, other) => compareKeys(keyOf(one), keyOf(other)), LOOSE_MAX);
}
