import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "./database.ts";
import { DatabaseProxy } from "./databaseProxy.ts";
import { plannedOnce } from "./planSettings.ts";
import { sql } from "./sql.ts";
import { openTestDatabase, PATIENT } from "./testing.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

const openPool = (url: string, options = "") =>
  openDatabase({
    connection: { connectionString: url, options },
    connectionsMax: 2,
    statementTimeoutMs: 120_000,
    times: PATIENT,
    log: () => undefined,
  });

test("a host that is away is passed over, by the pool and by a connection of its own", async () => {
  await using opened = await openTestDatabase();
  const { username, password, pathname } = new URL(opened.url);
  const hosts = await Promise.all([1, 2].map(() => DatabaseProxy.open(opened.url)));
  const names = hosts.map((host) => `127.0.0.1:${host.port}`).join(",");
  const database = openPool(`postgresql://${username}:${password}@${names}${pathname}`);
  try {
    await database.rows(sql`create table written (value integer)`);
    await hosts[0]!.close();
    // A statement in flight when its connection breaks is the caller's to repeat.
    const write = () => database.rows(sql`insert into written values (1)`);
    await write().catch((error: unknown) => assert.ok(error instanceof DatabaseUnavailableError));
    await write();
    const session = await database.connect();
    assert.ok((await session.query("select * from written")).length >= 1);
    await session.end();
    await hosts[1]!.close();
    await assert.rejects(write().then(write), DatabaseUnavailableError);
  } finally {
    await database.close();
  }
});

test("a server that only reads is not the one wanted, until it takes writes", async () => {
  await using opened = await openTestDatabase();
  const name = new URL(opened.url).pathname.slice(1);
  // This connection was made before the host became read-only, so it can end that.
  await opened.database.rows(sql`select 1`);
  const [change, back] = ["set default_transaction_read_only = on", "reset default_transaction_read_only"].map(
    (words) => ({ strings: [`alter database ${name} ${words}`], values: [] }),
  );
  await opened.database.rows(change!);
  const url = `${opened.url}${opened.url.includes("?") ? "&" : "?"}target_session_attrs=read-write`;
  const database = openPool(url);
  try {
    await assert.rejects(database.row(sql`select 1`), /only reads/);
    await assert.rejects(database.connect(), DatabaseUnavailableError);
    await opened.database.rows(back!);
    await database.rows(sql`create table written (value integer)`);
  } finally {
    await database.close();
  }
});

test("§7.2.1 a database that refuses connections, is gone or does not let its user in is an outage, and heals", async () => {
  await using opened = await openTestDatabase();
  await using other = await openTestDatabase();
  const name = new URL(opened.url).pathname.slice(1);
  const role = `${name}_login`;
  const run = (text: string) => other.database.rows({ strings: [text], values: [] });
  await run(`create role ${role} login superuser password 'right'`);
  const urlOf = (password: string, database = name) => {
    const url = new URL(opened.url);
    [url.username, url.password, url.pathname] = [role, password, `/${database}`];
    return url.href;
  };
  const isAway = (reason: string) => (error: unknown) =>
    error instanceof DatabaseUnavailableError && error.reason === reason && error.outage === "database";
  const refuses = async (url: string) => {
    const database = openPool(url);
    await assert.rejects(database.row(sql`select 1`), isAway("away"));
    await assert.rejects(
      database.transaction(async (db) => db.row(sql`select 1`)),
      isAway("away"),
    );
    await assert.rejects(database.connect(), isAway("away"));
    await database.close();
  };
  try {
    await refuses(urlOf("right", `${name}_dropped`));
    for (const [refuse, allow] of [
      [`alter role ${role} nologin`, `alter role ${role} login`],
      [`alter database ${name} allow_connections false`, `alter database ${name} allow_connections true`],
    ]) {
      await run(refuse!);
      await refuses(urlOf("right"));
      await run(allow!);
      const database = openPool(urlOf("right"));
      assert.ok(await database.has(sql`select 1`));
      await database.close();
    }
  } finally {
    await run(`drop role ${role}`);
  }
});

test("options of the address are kept, but for those that the service sets itself", async () => {
  await using opened = await openTestDatabase();
  const own = encodeURIComponent("-c jit=on -c plan_cache_mode=auto -c statement_timeout=60000 -c work_mem=5MB");
  const url = `${opened.url}${opened.url.includes("?") ? "&" : "?"}options=${own}`;
  const database = openPool(url, plannedOnce(["seqscan"], "random_page_cost=0"));
  try {
    const shown = await database.row<object>(sql`
      select current_setting('plan_cache_mode') as plans, current_setting('statement_timeout') as statements,
        current_setting('idle_in_transaction_session_timeout') as idle, current_setting('enable_seqscan') as scans,
        current_setting('random_page_cost') as cost, current_setting('work_mem') as memory,
        current_setting('jit') as compiler`);
    const plans = { plans: "force_generic_plan", scans: "off", cost: "0" };
    assert.deepEqual({ ...shown }, { ...plans, statements: "2min", idle: "10s", memory: "5MB", compiler: "off" });
  } finally {
    await database.close();
  }
});
