import { cellOf, cellOfBusiness } from "../domain/ids.ts";
import type { Database } from "./database.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

/** What each cell has one of, such as its database. */
export interface Cells<Of = Database> {
  /** Cell 0 is the first. */
  readonly all: readonly Of[];
  /** The cell's to which an id leads; that of cell 0 if there is no such cell. */
  of(id: string): Of;
}

/** `all`: of each cell, cell 0 first. */
export const cellsOf = <Of>(all: readonly Of[]): Cells<Of> => ({
  all,
  of: (id) => all[id.startsWith("biz_") ? cellOfBusiness(id) : cellOf(id)] ?? all[0]!,
});

/** Asks all at once. The answers of those that cannot be reached are left out; a single cell has to answer. */
export async function askReachable<Of, Answer>(
  all: readonly Of[],
  ask: (one: Of) => Promise<Answer>,
): Promise<readonly Answer[]> {
  if (all.length === 1) return [await ask(all[0]!)];
  const answers = await Promise.all(
    all.map((one) =>
      ask(one).then(
        (answer) => [answer],
        (error: unknown) => {
          if (error instanceof DatabaseUnavailableError) return [];
          throw error;
        },
      ),
    ),
  );
  return answers.flat();
}

/**
 * Asks all at once and joins the lists. What cannot be reached is left out where others have something; where nothing was
 * found, every one has to answer.
 */
export async function findInAll<Of, Row>(
  all: readonly Of[],
  list: (one: Of) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const answers = await Promise.allSettled(all.map(list));
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  for (const answer of answers)
    if (answer.status === "rejected" && !(found.length > 0 && answer.reason instanceof DatabaseUnavailableError))
      throw answer.reason;
  return found;
}

type Key = readonly (string | number)[];

/** The sign says which of two keys comes first. */
export function compareKeys(one: Key, other: Key): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : one[at]! < other[at]! ? -1 : 1;
}

/** The first rows of all lists, each of which a cell returned in this order. A single one stays as it is. */
export const merge = <Row>(
  lists: readonly (readonly Row[])[],
  compare: (one: Row, other: Row) => number,
  limit = Number.POSITIVE_INFINITY,
): readonly Row[] => (lists.length === 1 ? lists[0]! : lists.flat().sort(compare).slice(0, limit));
