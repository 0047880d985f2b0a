import { createTestDatabase } from "@holdfast/embedded-postgres/testing.ts";
import { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";

/** A fresh database of one test, opened; dropped with it. */
export interface OpenTestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
}

/** `planning`: options of the connections, as the service gives them. */
export async function openTestDatabase(
  planning = "",
  options: Partial<Omit<DatabaseOptions, "connection">> = {},
): Promise<OpenTestDatabase> {
  const made = await createTestDatabase(migrate);
  const database = openDatabase({
    connection: { ...made.connection, options: planning },
    connectionsMax: 2,
    statementTimeoutMs: 30_000,
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
