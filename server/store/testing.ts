import { createTestDatabase } from "@holdfast/embedded-postgres/testing.ts";
import type { ConnectionTimes } from "./connectionQueue.ts";
import { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";

/** For tests that are not about outages: a busy machine may need long for a connection. */
export const PATIENT: ConnectionTimes = { waitMs: 10 * 60_000, slowMs: 10 * 60_000 };

/** An open fresh database of one test, which is dropped with it. */
export interface OpenTestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
}

/** `planning`: the connection options of the service. */
export async function openTestDatabase(
  planning = "",
  options: Partial<Omit<DatabaseOptions, "connection">> = {},
): Promise<OpenTestDatabase> {
  const made = await createTestDatabase(migrate);
  const database = openDatabase({
    connection: { ...made.connection, options: planning },
    connectionsMax: 2,
    statementTimeoutMs: 120_000,
    times: PATIENT,
    log: () => undefined,
    ...options,
  });
  return {
    url: made.url,
    database,
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await made.drop();
    },
  };
}
