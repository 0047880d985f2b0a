import assert from "node:assert/strict";
import { test } from "node:test";
import { createEmptyDatabase } from "@holdfast/embedded-postgres/testing.ts";
import pg from "pg";
import { registerHealth } from "../edge/http/health.ts";
import { createServer } from "../edge/http/server.ts";
import { addBusiness } from "../features/businesses/actions.ts";
import { insertIntent } from "../features/staff/testing/objects.ts";
import { openDatabase } from "../store/database.ts";
import { RETURNED, requireUnchanged, SENT_VALUES, SESSION_SETTINGS } from "../store/sessionSettings.ts";
import { sql } from "../store/sql.ts";
import { PATIENT } from "../store/testing.ts";
import { DatabaseUnavailableError } from "../store/unavailable.ts";
import { createWriteCheck } from "../store/writable.ts";
import { migrateDatabase, requireSessions } from "./databases.ts";

/** Values that change what is written, read, found or allowed, each other than the one the service needs. */
const OF_DATABASE = {
  DateStyle: "German, DMY",
  bytea_output: "escape",
  search_path: "elsewhere",
  default_transaction_isolation: "serializable",
  default_transaction_deferrable: "on",
  array_nulls: "off",
  lock_timeout: "10s",
  idle_session_timeout: "10s",
  row_security: "on",
  tcp_keepalives_idle: "100",
  client_connection_check_interval: "0",
};
const OF_ROLE = {
  IntervalStyle: "postgres_verbose",
  extra_float_digits: "-3",
  TimeZone: "Asia/Kathmandu",
  client_encoding: "LATIN1",
  standard_conforming_strings: "off",
  transform_null_equals: "on",
  statement_timeout: "10s",
  idle_in_transaction_session_timeout: "10s",
  lc_messages: "C",
  jit: "on",
};

/** An empty database with settings of its own, and of its role in it. */
async function openOdd(ofDatabase: Readonly<Record<string, string>>, ofRole: Readonly<Record<string, string>>) {
  const made = await createEmptyDatabase();
  const client = new pg.Client(made.connection);
  await client.connect();
  const { rows } = await client.query<{ name: string }>("select quote_ident(current_database()) as name");
  const { name } = rows[0]!;
  await client.query("create schema elsewhere");
  for (const [setting, value] of Object.entries(ofDatabase))
    await client.query(`alter database ${name} set ${setting} to '${value}'`);
  for (const [setting, value] of Object.entries(ofRole))
    await client.query(`alter role current_user in database ${name} set ${setting} to '${value}'`);
  await client.end();
  const database = openDatabase({
    connection: made.connection,
    connectionsMax: 2,
    statementTimeoutMs: 120_000,
    times: PATIENT,
    log: () => undefined,
  });
  return {
    connection: made.connection,
    database,
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await made.drop();
    },
  };
}

test("§7.2.5 whatever server, database and role set, every connection has the settings that the code relies on", async () => {
  await using odd = await openOdd(OF_DATABASE, OF_ROLE);
  const { connection, database } = odd;
  await requireSessions(connection);
  assert.ok((await migrateDatabase(connection)).length > 0);
  const tables = sql`select count(*)::integer as count from pg_tables where schemaname = 'elsewhere'`;
  assert.deepEqual({ ...(await database.row<object>(tables)) }, { count: 0 });
  const { id: businessId } = await addBusiness(database, { kind: "service" }, "Zoë's \\ Shop");
  const { intent } = await insertIntent(database, { businessId, environment: "test" });
  const kept = await database.row<{ at: Date; name: string }>(sql`
    select i.created_at as at, b.name from intents i join businesses b on b.id = i.business_id where i.id = ${intent.id}`);
  assert.deepEqual({ ...kept }, { at: intent.createdAt, name: "Zoë's \\ Shop" });

  const session = await database.connect();
  const show = "select name, setting from pg_settings";
  for (const [kind, rows] of [
    ["session", await session.query<{ name: string; setting: string }>(show)],
    ["pool", await database.rows<{ name: string; setting: string }>(sql`select name, setting from pg_settings`)],
  ] as const) {
    const found = new Map(rows.map(({ name, setting }) => [name, setting]));
    for (const [name, odd] of Object.entries({ ...OF_DATABASE, ...OF_ROLE }))
      if (name !== "lc_messages") {
        assert.ok(
          SESSION_SETTINGS.some(([stated]) => stated === name),
          name,
        );
        assert.notEqual(found.get(name), odd, `${name} of a ${kind}`);
      }
    for (const [name, value] of SESSION_SETTINGS)
      if (!/timeout|_interval|keepalives/.test(name) && found.has(name))
        assert.equal(found.get(name), value, `${name} of a ${kind}`);
  }
  await session.end();
});

test("§7.2.5 a connection that returns other values than were sent is refused, and the difference is named", async () => {
  await using made = await createEmptyDatabase();
  const client = new pg.Client(made.connection);
  await client.connect();
  const read = async () => (await client.query(`select ${RETURNED}`, [...SENT_VALUES])).rows[0];
  requireUnchanged(await read());
  await client.query("set DateStyle = 'German, DMY'; set extra_float_digits = -3");
  const changed = await read();
  assert.throws(() => requireUnchanged(changed), {
    name: DatabaseUnavailableError.name,
    message: /another value than was sent \(time, number\)/,
  });
  await client.end();
});

for (const [setting, value, problem] of [
  ["temp_file_limit", "0", "The database has no room left: its disk, memory or connections."],
  ["default_transaction_read_only", "on", "The database takes no writes."],
] as const)
  test(`/readyz is not ok while nothing can be written: ${setting}`, async () => {
    for (const [settings, status, body] of [
      [{}, 200, { status: "ok" }],
      [{ [setting]: value }, 503, { status: "unavailable", problems: { database: problem } }],
    ] as const) {
      await using odd = await openOdd(settings, {});
      const { app } = createServer([]);
      registerHealth(app, [{ name: "database", check: createWriteCheck(odd.database) }]);
      await app.listen({ host: "127.0.0.1", port: 0 });
      const answer = await fetch(`${app.localUrl}/readyz`);
      const found = [answer.status, await answer.json()];
      await app.close();
      assert.deepEqual(found, [status, body]);
    }
  });

test("a database that was set read-only is an outage, and one whose tables are in another schema is refused", async () => {
  await using odd = await openOdd({ default_transaction_read_only: "on" }, {});
  await assert.rejects(migrateDatabase(odd.connection), /read-only transaction/);
  const write = odd.database.rows(sql`create table written (value integer)`);
  await assert.rejects(write, (error) => error instanceof DatabaseUnavailableError && error.reason === "read-only");

  await using moved = await openOdd({}, {});
  await migrateDatabase(moved.connection);
  await moved.database.rows(sql`drop schema elsewhere`);
  await moved.database.rows(sql`alter schema public rename to elsewhere`);
  await moved.database.rows(sql`create schema public`);
  await assert.rejects(migrateDatabase(moved.connection), /tables are in the schema elsewhere/);
});
