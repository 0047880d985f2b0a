import { cellOf, cellOfBusiness } from "../domain/ids.ts";
import type { Database } from "./database.ts";

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
