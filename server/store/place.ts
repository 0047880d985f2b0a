import type pg from "pg";
import type { Database, Session } from "./database.ts";

/** The schema in which a cell lies, and the server that has it. */
export interface Place {
  readonly connection: pg.ClientConfig;
  /** Null: the server's default, for cell 0. */
  readonly schema: string | null;
}

/** The database of a cell that may be moved to another server while the process runs. */
export interface MovableDatabase extends Database {
  /** Everything that begins from now on is at the new place; sessions end, and their owners open them there. */
  moveTo(place: Place): void;
}

export function openMovable(open: (place: Place) => Database, place: Place): MovableDatabase {
  let current = open(place);
  const sessions = new Set<Session>();
  return {
    schema: place.schema,
    rows: (statement) => current.rows(statement),
    row: (statement) => current.row(statement),
    has: (statement) => current.has(statement),
    transaction: (work) => current.transaction(work),
    connect: async () => {
      const session = await current.connect();
      sessions.add(session);
      void session.over.then(() => sessions.delete(session));
      return session;
    },
    close: () => current.close(),
    moveTo: (next) => {
      const before = current;
      current = open(next);
      for (const session of sessions) void session.end().catch(() => undefined);
      void before.close().catch(() => undefined);
    },
  };
}
