import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { eventually } from "../../tests/harness/wait.ts";
import { WAITING_MAX } from "../domain/limits.ts";
import { type Database, openDatabase } from "./database.ts";
import { SessionLocks } from "./locks.ts";
import { announcing, sql } from "./sql.ts";
import { openTestDatabase, PATIENT } from "./testing.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

const CONNECTIONS = 4;
const NOTHING = async () => undefined;

const open = () => openTestDatabase("", { connectionsMax: CONNECTIONS });
/** Its statements soon take too long, on a busy machine also those that need not. */
const openImpatient = (connectionsMax: number) => openTestDatabase("", { connectionsMax, statementTimeoutMs: 500 });

const cut = (database: Database) =>
  database.rows(
    sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'holdfast session'`,
  );

const isAsleep = async (database: Database) => {
  const row = await database.row(sql`
    select from pg_stat_activity
    where datname = current_database() and query = 'select pg_sleep(60)' and wait_event = 'PgSleep'`);
  return row !== null;
};

test("a connection of its own that is cut in the middle of a query fails as unavailable, not as a bug", async () => {
  await using opened = await open();
  const { database } = opened;
  const session = await database.connect();
  const failing = session.query("select pg_sleep(60)").catch((error: unknown) => error);
  await eventually("the query is under way", () => isAsleep(database));
  await cut(database);
  assert.ok((await failing) instanceof DatabaseUnavailableError);
  await session.over;
});

test("a connection of its own that does not answer in time is given up", async () => {
  await using opened = await openImpatient(CONNECTIONS);
  const session = await opened.database.connect();
  await assert.rejects(session.query("select pg_sleep(60)"), DatabaseUnavailableError);
  await session.over;
  await assert.rejects(session.query("select 1"), DatabaseUnavailableError);
});

test("a statement whose answer does not come in time fails as unavailable, and its connection is replaced", async () => {
  await using opened = await openImpatient(1);
  const { database } = opened;
  const backend = () =>
    eventually("a statement is answered in time", async () => {
      const row = await database.row<{ pid: number }>(sql`select pg_backend_pid() as pid`).catch(() => null);
      return row?.pid;
    });
  const stopped = await backend();
  // A stopped server cannot end its statement by its own time-out.
  process.kill(stopped, "SIGSTOP");
  try {
    await assert.rejects(database.rows(sql`select 1`), DatabaseUnavailableError);
    assert.notEqual(await backend(), stopped);
  } finally {
    process.kill(stopped, "SIGCONT");
  }
});

test("what a statement announces is passed on after its commit, of a transaction together, and not after a rollback", async () => {
  const announced: (readonly string[])[] = [];
  await using opened = await openTestDatabase("", { onAnnounced: (topics) => void announced.push(topics) });
  const { database } = opened;
  const say = (topic: string) => announcing(sql`select ${topic} as topic`, (rows) => rows.map(() => topic));
  await database.rows(say("alone"));
  await database.rows(announcing(sql`select 1`, () => []));
  await database.transaction(async (db) => {
    await db.rows(say("first"));
    await db.rows(say("second"));
    assert.equal(announced.length, 1);
  });
  const undone = new Error("undone");
  const failing = database.transaction(async (db) => {
    await db.rows(say("never"));
    throw undone;
  });
  await assert.rejects(failing, undone);
  assert.deepEqual(announced, [["alone"], ["first", "second"]]);
});

test("a statement that fails by itself does not cost its connection, in a transaction either", async () => {
  await using opened = await openTestDatabase("", { connectionsMax: 1 });
  const { database } = opened;
  const backend = async () => (await database.row<{ pid: number }>(sql`select pg_backend_pid() as pid`))!.pid;
  const first = await backend();
  await assert.rejects(database.rows(sql`select 1 / 0`), /division by zero/);
  await assert.rejects(
    database.transaction((db) => db.rows(sql`select 1 / 0`)),
    /division by zero/,
  );
  assert.equal(await backend(), first);
});

test("session locks can be taken again after their connection was cut", async () => {
  await using opened = await open();
  const { database } = opened;
  const [ours, others] = [new SessionLocks(database), new SessionLocks(database)];
  assert.equal(await ours.tryLock("name"), true);
  assert.equal(await others.tryLock("name"), false);
  await cut(database);
  await ours.unlock("name");
  await eventually("the lock is free", () => others.tryLock("name").catch(() => false));
  assert.equal(await ours.tryLock("name").catch(() => false), false);
  await Promise.all([ours.close(), others.close()]);
});

/** A message of PostgreSQL's protocol: its letter, its length, its content. */
const message = (letter: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(letter, "latin1");
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
};
const ACCEPTED = message("R", Buffer.alloc(4));
const READY = message("Z", Buffer.from("I"));
const ENDED = message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"));

test("a connection that is made and cut in one packet fails as unavailable, and nothing else", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([ACCEPTED, READY, ENDED])));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connection = { connectionString: `postgresql://someone@127.0.0.1:${port}/any` };
  const database = openDatabase({ connection, connectionsMax: 2, statementTimeoutMs: 500, log: () => undefined });
  try {
    await assert.rejects(database.transaction(NOTHING), DatabaseUnavailableError);
    await assert.rejects(database.row(sql`select 1`), DatabaseUnavailableError);
    await assert.rejects(async () => (await database.connect()).query("select 1"), DatabaseUnavailableError);
  } finally {
    await database.close();
    server.close();
  }
});

test("a connection that is cut after the end of its database is no line of the log", async () => {
  await using opened = await open();
  const lines: string[] = [];
  const ended = openDatabase({
    connection: { connectionString: opened.url },
    connectionsMax: 1,
    statementTimeoutMs: 120_000,
    times: PATIENT,
    log: (line) => void lines.push(line),
  });
  const [first, second] = [await ended.connect(), await ended.connect()];
  const cutOff = async (session: typeof first) => {
    const [row] = await session.query<{ pid: number }>("select pg_backend_pid() as pid");
    await opened.database.rows(sql`select pg_terminate_backend(${row!.pid}::integer)`);
    await session.over;
  };
  await cutOff(first);
  assert.match(lines.join(), /^Lost a connection/);
  lines.length = 0;
  await ended.close();
  await cutOff(second);
  assert.deepEqual(lines, []);
});

test("a statement that takes too long fails as unavailable", async () => {
  await using opened = await openImpatient(CONNECTIONS);
  await assert.rejects(opened.database.rows(sql`select pg_sleep(60)`), DatabaseUnavailableError);
  await assert.rejects(
    opened.database.transaction((db) => db.rows(sql`select pg_sleep(60)`)),
    DatabaseUnavailableError,
  );
});

test("a statement that a migration has outdated costs its connection, and goes on on another", async () => {
  await using opened = await openTestDatabase("", { connectionsMax: 1 });
  const { database } = opened;
  await database.rows(sql`create table outdated (first integer)`);
  const read = () => database.rows(sql`select * from outdated`);
  await read();
  const other = await database.connect();
  await other.query("alter table outdated add column second integer");
  await other.end();
  await assert.rejects(read, DatabaseUnavailableError);
  assert.deepEqual(await read(), []);
});

test("§4.8.10 every connection lets the server notice that its client is gone, pooled or of its own", async () => {
  await using opened = await openTestDatabase("-c enable_seqscan=off");
  const show = sql`select current_setting('client_connection_check_interval') as check, current_setting('enable_seqscan') as scans`;
  const expected = { check: "1s", scans: "off" };
  assert.deepEqual({ ...(await opened.database.row<object>(show)) }, expected);
  const session = await opened.database.connect();
  const [row] = await session.query(
    "select current_setting('client_connection_check_interval') as check, current_setting('enable_seqscan') as scans",
  );
  assert.deepEqual({ ...row }, expected);
  await session.end();
});

test("a limited number of statements waits for a connection, and one more is refused at once", async () => {
  await using opened = await open();
  const { database } = opened;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let begun = 0;
  const hold = () => {
    begun++;
    return released;
  };
  const holding = Array.from({ length: CONNECTIONS }, () => database.transaction(hold));
  await eventually("every connection is held", () => begun === CONNECTIONS);
  const waiting = Array.from({ length: WAITING_MAX }, () => database.rows(sql`select 1 as one`));
  await assert.rejects(database.rows(sql`select 1 as one`), /More statements wait/);
  await assert.rejects(database.transaction(NOTHING), DatabaseUnavailableError);
  release();
  await Promise.all([...holding, ...waiting]);
  assert.deepEqual(await database.row(sql`select 1 as one`), { one: 1 });
});
