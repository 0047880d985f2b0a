import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../tests/harness/wait.ts";
import { ATTEMPTS_MAX } from "./connectionQueue.ts";
import { type DatabaseOptions, openDatabase } from "./database.ts";
import { DatabaseProxy } from "./databaseProxy.ts";
import { sql } from "./sql.ts";
import { openTestDatabase, PATIENT } from "./testing.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

const CONNECTIONS = 3;
/** A wait that does not end within a test. */
const FOR_EVER_MS = PATIENT.waitMs;
const IMPATIENT = { waitMs: 50, slowMs: 50 };

/** A database behind a proxy. */
async function openSlow(options: Partial<DatabaseOptions> = {}) {
  const opened = await openTestDatabase();
  const proxy = await DatabaseProxy.open(opened.url);
  const database = openDatabase({
    connection: { connectionString: proxy.url },
    connectionsMax: CONNECTIONS,
    statementTimeoutMs: 120_000,
    log: () => undefined,
    ...options,
  });
  const read = () => database.row<{ one: number }>(sql`select 1 as one`);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= database.close();
    return closed;
  };
  return {
    proxy,
    database,
    close,
    read,
    /** True if a connection was there; false if none came in time. */
    isThere: () =>
      read().then(
        () => true,
        (error: unknown) => {
          assert.ok(error instanceof DatabaseUnavailableError, String(error));
          return false;
        },
      ),
    [Symbol.asyncDispose]: async () => {
      await close();
      await proxy.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

for (const delayMs of [2_500, 5_000])
  test(`§7.2.1 a database that needs ${delayMs} ms for a connection is used, and no attempt is given up`, async () => {
    await using slow = await openSlow();
    slow.proxy.delayMs = delayMs;
    await eventually("a connection is used", slow.isThere);
    assert.deepEqual(await slow.read(), { one: 1 });
    await eventually("a connection of its own is used", async () => {
      const session = await slow.database.connect().catch(() => null);
      await session?.end();
      return session !== null;
    });
    assert.equal(slow.proxy.abandoned, 0);
  });

test("a connection that comes after its caller's wait serves the next caller", async () => {
  await using slow = await openSlow({ times: { waitMs: 50, slowMs: FOR_EVER_MS } });
  slow.proxy.delayMs = FOR_EVER_MS;
  assert.equal(await slow.isThere(), false);
  slow.proxy.release();
  await eventually("the connection is there", slow.isThere);
  assert.deepEqual([slow.proxy.opened, slow.proxy.abandoned], [1, 0]);
});

test("a connection of its own ends although the host of the database has vanished", async () => {
  await using slow = await openSlow();
  const session = await slow.database.connect();
  slow.proxy.vanish();
  await session.end();
  await session.over;
});

test("a transaction ends although its server has ended it and the connection stays open", async () => {
  await using slow = await openSlow({ statementTimeoutMs: 1_000, times: PATIENT });
  slow.proxy.passesEnds = false;
  const { promise: begun, resolve: begin } = Promise.withResolvers<number>();
  const running = slow.database.transaction(async (db) => {
    const row = await db.row<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await db.rows(sql`set local statement_timeout = 0`);
    begin(row!.pid);
    await db.rows(sql`select pg_sleep(600)`);
  });
  const failed = assert.rejects(running, DatabaseUnavailableError);
  const pid = await begun;
  await eventually("it is ended", () =>
    slow.database.has(sql`
      select pg_terminate_backend(pid) from pg_stat_activity where pid = ${pid}::integer and wait_event = 'PgSleep'`),
  );
  await failed;
});

test("a waiting caller takes a connection that is given back, although one is being made", async () => {
  await using slow = await openSlow({ times: PATIENT });
  const { promise: given, resolve: giveBack } = Promise.withResolvers<void>();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const holding = slow.database.transaction(async () => {
    hold();
    await given;
  });
  await held;
  slow.proxy.delayMs = FOR_EVER_MS;
  const waiting = slow.read();
  await eventually("a further connection is attempted", () => slow.proxy.opened === 2);
  giveBack();
  assert.deepEqual(await waiting, { one: 1 });
  await holding;
});

test("however many callers come, few connections are attempted, and the database is used once it is fast again", async () => {
  await using slow = await openSlow({ times: IMPATIENT });
  slow.proxy.delayMs = FOR_EVER_MS;
  const answers = await Promise.all(Array.from({ length: 200 }, slow.isThere));
  assert.ok(!answers.includes(true));
  await eventually("more are attempted than the pool may have, since these hang", async () => {
    await slow.isThere();
    return slow.proxy.opened > CONNECTIONS;
  });
  assert.ok(slow.proxy.opened <= ATTEMPTS_MAX, `${slow.proxy.opened} in all`);
  slow.proxy.delayMs = 0;
  await eventually("a connection is there while others hang", slow.isThere);
  slow.proxy.release();
  await eventually("no more connections stay than the pool may have", async () => {
    const row = await slow.database.row<{ connections: number }>(sql`
      select count(*)::integer as connections from pg_stat_activity
      where datname = current_database() and application_name = 'holdfast'`);
    return row!.connections <= CONNECTIONS;
  });
});

test("attempts back off while the database refuses, and it is used once it takes connections", async () => {
  await using slow = await openSlow();
  slow.proxy.delayMs = null;
  const answers = new Set<boolean>();
  for (const until = performance.now() + 2_000; performance.now() < until; ) answers.add(await slow.isThere());
  assert.deepEqual([...answers], [false]);
  assert.ok(slow.proxy.opened < 20, `${slow.proxy.opened} attempts in two seconds`);
  slow.proxy.delayMs = 0;
  await eventually("it is used", slow.isThere);
});

test("a database is closed although an attempt to connect hangs, and who waits for it is told", async () => {
  await using slow = await openSlow({ times: PATIENT });
  slow.proxy.delayMs = FOR_EVER_MS;
  const waiting = slow.isThere();
  await eventually("a connection is attempted", () => slow.proxy.opened === 1);
  await slow.close();
  assert.equal(await waiting, false);
  assert.equal(await slow.isThere(), false);
});
