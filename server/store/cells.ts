import type { Database } from "./database.ts";

/** What each cell has one of, such as its database. */
export interface Cells<Of = Database> {
  /** Cell 0 is the first. */
  readonly all: readonly Of[];
  /** The cell's to which an id leads; that of cell 0 if there is no such cell. */
  of(id: string): Of;
}
