import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase } from "@holdfast/embedded-postgres/testing.ts";
import { keepRequests } from "../../server/features/requests/upkeep.ts";
import { type Database, openDatabase } from "../../server/store/database.ts";
import { migrate } from "../../server/store/migrate.ts";
import { sql } from "../../server/store/sql.ts";
import { Explaining } from "./explain.ts";
import { BUSINESSES, seedHistory } from "./history.ts";
import { DECLARED, listUnusedFilters } from "./lists.ts";
import { seedBusinesses } from "./seed.ts";
import { STATEMENTS } from "./statements.ts";
import type { Target } from "./target.ts";

const ROWS = 60_000;
const LARGEST = `biz_${"1".padStart(32, "0")}`;
/** The largest business has 6,000 intents on more pages than this; a page of a list, and a look into each partition of events, is on fewer. */
const PAGES_MAX = 150;
/** PostgreSQL decides after five whether one plan will do for all. */
const EXECUTIONS = 8;
const WALLET = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

test("no page of a list and no step of a loop reads more pages when there are more rows", async () => {
  await using made = await createTestDatabase(migrate);
  const connection = { connectionString: made.url };
  const database = openDatabase({ connection, connectionsMax: 1, statementTimeoutMs: 60_000, log: () => undefined });
  const [key] = await seedBusinesses(database, BUSINESSES);
  await seedHistory({ url: made.url, rows: ROWS, recipient: WALLET, asset: WALLET });
  const rows = await database.rows<{ id: string; payment_id: string; created_at: Date; payment_address: string }>(sql`
    select id, payment_id, created_at, payment_address from intents
    where business_id = ${LARGEST} and payment_address is not null order by md5(id) limit ${EXECUTIONS}::integer`);
  const targets = rows.map(
    (row): Target => ({
      tenant: { businessId: LARGEST, environment: "test" },
      key: key!,
      intent: row.id,
      number: Number(row.payment_id),
      createdAt: row.created_at,
      payment: row.payment_address,
    }),
  );
  await seedBacklog(database);
  await seedRequests(database);
  for (const { title, planning, statements } of STATEMENTS.slice(1, 3)) {
    // The figures count what waits, up to a limit of their own.
    if (title !== STATEMENTS[1]!.title) await database.rows(sql`truncate webhook_queue`);
    const explaining = await Explaining.open(made.url, planning);
    try {
      for (const { name, run } of statements) {
        const before = explaining.costs.length;
        for (const target of targets) await explaining.undone((undone, unmeasured) => run(undone, target, unmeasured));
        const most = Math.max(...explaining.costs.slice(before).map(({ pages }) => pages));
        assert.ok(most <= PAGES_MAX, `${title}, ${name}: ${most} pages`);
      }
    } finally {
      await explaining.database.close();
    }
  }
  await database.close();
});

/** What waits for the endpoint that gets the most: a backlog of events of which a few were tried. */
async function seedBacklog(database: Database): Promise<void> {
  await database.rows(sql`
    insert into webhook_queue (business_id, endpoint_id, event_id, event_type, event_recorded_at, priority, due_at, attempts,
      status_code, error_class, created_at)
    select ${LARGEST}, ${`we_${"0".repeat(32)}`}, 'evt_test_' || lpad(to_hex(n), 32, '0'), 'payment.protected', now(), 1, now(),
      case when n % 500 = 1 then 1 else 0 end, case when n % 500 = 1 then 500 end, case when n % 500 = 1 then 'server_error' end, now()
    from generate_series(1, ${ROWS / 4}::integer) n`);
  await database.rows(sql`analyze webhook_queue`);
}

/** A week of requests of the largest business; one in fifty failed. */
async function seedRequests(database: Database): Promise<void> {
  await keepRequests(database, () => undefined);
  await database.rows(sql`
    insert into request_log (business_id, environment, id, key_id, method, path, status, error_code, duration_ms, object_id, body, arrived_at)
    select ${LARGEST}, 'test', 'req_' || lpad(to_hex((extract(epoch from r.at) * 1000)::bigint), 12, '0') || lpad(to_hex(r.n), 20, '0'),
      'key_' || r.n % 2, 'POST', '/api/v1/payment-intents', case when r.n % 50 = 7 then 400 else 201 end,
      case when r.n % 50 = 7 then 'invalid_request' end, 2.5, 'pi_test_' || lpad(to_hex(r.n / 3), 32, '0'), null, r.at
    from (select n, now() - interval '7 days' * n / ${ROWS}::integer as at from generate_series(1, ${ROWS}::integer) n) r`);
  await database.rows(sql`analyze request_log`);
}

test("every declared filter of a list is measured, and one that is not is named", () => {
  assert.deepEqual(listUnusedFilters(), [], "add a line to tests/bench/lists.ts that uses it");
  const planted = { ...DECLARED["/payments"], sender: { schema: {}, description: "" } } as never;
  assert.deepEqual(listUnusedFilters({ "/payments": planted }), ["/payments?sender"]);
});
