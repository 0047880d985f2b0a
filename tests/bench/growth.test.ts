import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase } from "@holdfast/embedded-postgres/testing.ts";
import { openDatabase } from "../../server/store/database.ts";
import { migrate } from "../../server/store/migrate.ts";
import { sql } from "../../server/store/sql.ts";
import { Explaining } from "./explain.ts";
import { BUSINESSES, seedBacklog, seedHistory, seedHours, seedRequests } from "./history.ts";
import { DECLARED, listUnusedFilters } from "./lists.ts";
import { mostPages, PAGES_MAX, pickPaid } from "./pages.ts";
import { seedBusinesses } from "./seed.ts";
import { STATEMENTS } from "./statements.ts";

const ROWS = 60_000;
/** PostgreSQL decides after five whether one plan will do for all. */
const EXECUTIONS = 8;
const WALLET = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

test("no page of a list and no step of a loop reads more pages when there are more rows", async () => {
  await using made = await createTestDatabase(migrate);
  const connection = { connectionString: made.url };
  const database = openDatabase({ connection, connectionsMax: 1, statementTimeoutMs: 60_000, log: () => undefined });
  // Before the database goes: what fails is said, and not that a connection was lost.
  await using _closed = { [Symbol.asyncDispose]: () => database.close() };
  const [key] = await seedBusinesses(database, BUSINESSES);
  await seedHistory({ url: made.url, rows: ROWS, recipient: WALLET, asset: WALLET });
  const targets = await pickPaid(database, EXECUTIONS, key!);
  await seedBacklog(made.url, ROWS / 4);
  await seedRequests(made.url, ROWS);
  await seedHours(made.url);
  for (const { title, planning, statements } of STATEMENTS.slice(1, 3)) {
    // The figures count what waits, up to a limit of their own.
    if (title !== STATEMENTS[1]!.title) await database.rows(sql`truncate webhook_queue`);
    const explaining = await Explaining.open(made.url, planning);
    try {
      for (const statement of statements) {
        const most = await mostPages(explaining, statement, targets);
        assert.ok(most <= PAGES_MAX, `${title}, ${statement.name}: ${most} pages`);
      }
    } finally {
      await explaining.database.close();
    }
  }
});

test("every declared filter of a list is measured, and one that is not is named", () => {
  assert.deepEqual(listUnusedFilters(), [], "add a line to tests/bench/lists.ts that uses it");
  const planted = { ...DECLARED["/payments"], sender: { schema: {}, description: "" } } as never;
  assert.deepEqual(listUnusedFilters({ "/payments": planted }), ["/payments?sender"]);
});
