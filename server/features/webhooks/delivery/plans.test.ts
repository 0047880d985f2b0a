import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { eventually } from "../../../../tests/harness/wait.ts";
import { type Database, openDatabase } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { PATIENT } from "../../../store/testing.ts";
import { insertEndpoint } from "../endpoints/queries.ts";
import { newKeyRing } from "../sending/secret.ts";
import { leaseQueued } from "../testing/claiming.ts";
import { openEventFixture } from "../testing/eventFixture.ts";
import { type Claim, claimDeliveries, claimNewDeliveries, QUEUE_PLANNING, type Room } from "./claims.ts";
import { completeDeliveries, RECORDING_PLANNING } from "./completions.ts";

const BACKLOG = 3_000;
/** After this many runs, PostgreSQL keeps one plan for a statement. */
const RUNS = 7;
const AT_ONCE = 4;

/** Rows of the queue that this work read, including those that other connections had not reported before. */
async function rowsRead(database: Database, work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    await database.rows(sql`select pg_stat_force_next_flush()`);
    const row = await database.row<{ read: string }>(sql`
      select idx_tup_fetch + seq_tup_read as read from pg_stat_user_tables where relname = 'webhook_queue'`);
    return Number(row!.read);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

test("decision 14: plans made while the queue is empty do not read all of it once it is full", async () => {
  await using fixture = await openEventFixture();
  const open = (options: string) =>
    openDatabase({
      connection: { connectionString: fixture.url, options },
      connectionsMax: 1,
      statementTimeoutMs: 120_000,
      times: PATIENT,
      log: () => undefined,
    });
  const claiming = open(QUEUE_PLANNING);
  const recording = open(RECORDING_PLANNING);
  try {
    const issued = await insertEndpoint(fixture.database, newKeyRing(), fixture.tenant, {
      url: "https://shop.com/",
      eventTypes: null,
    });
    const { id } = issued!.endpoint;
    const worker = await leaseQueued(fixture.database);
    const room: Room = { worker, slots: 512, failingSlots: 128, endpoints: [{ id, free: AT_ONCE, failing: false }] };
    const claimAll = () => claimDeliveries(claiming, room, randomUUID());
    const claimNew = () => claimNewDeliveries(claiming, room, randomUUID(), [fixture.tenant.businessId]);
    const complete = (claims: readonly Claim[]) =>
      completeDeliveries(
        recording,
        claims.map((claim, index) => {
          const succeeded = index > 0;
          const how = succeeded
            ? { statusCode: 200, error: null, errorClass: null }
            : { statusCode: 500, error: "answered 500", errorClass: "server_error" as const };
          return { claim, succeeded, ...how, tookMs: 1, agoMs: 0 };
        }),
      );
    // New statistics would make PostgreSQL plan again, with the true size of the queue.
    await fixture.database.rows(sql`alter table webhook_queue set (autovacuum_enabled = off)`);
    // The state after a quiet night: finished rows are gone, the table still has pages, and the statistics say that it
    // is empty.
    await fixture.recordEvents(200);
    await leaseQueued(fixture.database, worker);
    await fixture.database.rows(sql`delete from webhook_queue where event_id > 'evt_test_'`);
    await fixture.database.rows(sql`vacuum (truncate false) webhook_queue`);
    for (let run = 0; run < RUNS; run++) {
      await complete(await claimAll());
      await complete(await claimNew());
    }
    for (let count = 0; count < BACKLOG; count += 250) await fixture.recordEvents(250);

    for (const claim of [claimNew, claimAll]) {
      let claims: Claim[] = [];
      let claimed = 0;
      // Events are new for a second, which a busy machine may miss.
      await eventually("something is claimed", async () => {
        await fixture.recordEvents(AT_ONCE);
        claimed = await rowsRead(claiming, async () => {
          claims = await claim();
        });
        return claims.length > 0;
      });
      assert.equal(claims.length, AT_ONCE);
      assert.ok(claimed < BACKLOG / 2, `${claim.name} read ${claimed} rows`);
      const completed = await rowsRead(recording, () => complete(claims));
      assert.ok(completed < BACKLOG / 2, `the results of ${claim.name} read ${completed} rows`);
    }
    // New statistics of another table make PostgreSQL plan again, while those of the queue still say that it is empty.
    await fixture.database.rows(sql`analyze webhook_leases`);
    const claimed = await rowsRead(claiming, async () => void (await claimAll()));
    assert.ok(claimed < BACKLOG / 2, `after another plan ${claimAll.name} read ${claimed} rows`);
  } finally {
    await claiming.close();
    await recording.close();
  }
});
