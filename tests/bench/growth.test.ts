import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase } from "@holdfast/embedded-postgres/testing.ts";
import { type Database, openDatabase } from "../../server/store/database.ts";
import { migrate } from "../../server/store/migrate.ts";
import { sql } from "../../server/store/sql.ts";
import { Explaining } from "./explain.ts";
import { BUSINESSES, seedBacklog, seedHistory, seedHours, seedRequests } from "./history.ts";
import { DECLARED, listUnusedFilters } from "./lists.ts";
import { seedBusinesses } from "./seed.ts";
import { STATEMENTS } from "./statements.ts";
import type { Statement, Target } from "./target.ts";

const ROWS = 60_000;
/** PostgreSQL decides after five whether one plan will do for all. */
const EXECUTIONS = 8;
const WALLET = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
/**
 * The 6,000 intents of the largest business lie on more pages than this. A page of a list, or a read of each partition of
 * events, needs fewer.
 */
const PAGES_MAX = 150;
const LARGEST = `biz_${"1".padStart(32, "0")}`;

test("no page of a list and no step of a loop reads more pages when there are more rows", async () => {
  await using made = await createTestDatabase(migrate);
  const connection = { connectionString: made.url };
  const database = openDatabase({ connection, connectionsMax: 1, statementTimeoutMs: 60_000, log: () => undefined });
  // Before the database goes: what fails is said, and not that a connection was lost.
  await using _closed = { [Symbol.asyncDispose]: () => database.close() };
  const [key] = await seedBusinesses(database, BUSINESSES);
  await seedHistory({ url: made.url, rows: ROWS, recipient: WALLET, asset: WALLET });
  const targets = await pickPaid(database, key!);
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

/** Paid intents of the largest business, always the same. */
async function pickPaid(database: Database, key: string): Promise<Target[]> {
  const rows = await database.rows<{ id: string; payment_id: string; created_at: Date; payment_address: string }>(sql`
    select id, payment_id, created_at, payment_address from intents
    where business_id = ${LARGEST} and payment_address is not null order by md5(id) limit ${EXECUTIONS}::integer`);
  return rows.map((row) => ({
    tenant: { businessId: LARGEST, environment: "test" },
    key,
    intent: row.id,
    number: Number(row.payment_id),
    createdAt: row.created_at,
    payment: row.payment_address,
  }));
}

/** The most pages that one execution for any of the targets reads, or all of them together if they are one answer. */
async function mostPages(
  explaining: Explaining,
  { run, isOneAnswer = false }: Statement,
  targets: readonly Target[],
): Promise<number> {
  let most = 0;
  for (const target of targets) {
    const before = explaining.costs.length;
    await explaining.undone((undone, unmeasured) => run(undone, target, unmeasured));
    const pages = explaining.costs.slice(before).map((cost) => cost.pages);
    most = Math.max(most, ...(isOneAnswer ? [pages.reduce((sum, one) => sum + one, 0)] : pages));
  }
  return most;
}
