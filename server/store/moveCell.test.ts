import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { EmbeddedPostgres } from "@holdfast/embedded-postgres/postgres.ts";
import { startTestPostgres } from "@holdfast/embedded-postgres/testing.ts";
import pg from "pg";
import { addCell, connected, listCells, placeOf, serversOf } from "./cellPlaces.ts";
import { openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { type CellMove, moveCell } from "./moveCell.ts";
import { openMovable, type Place } from "./place.ts";
import { sql } from "./sql.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

let one: EmbeddedPostgres;
let two: EmbeddedPostgres;
before(async () => {
  [one, two] = await Promise.all([
    startTestPostgres({ wal_level: "logical" }),
    startTestPostgres({ wal_level: "logical" }),
  ]);
  await connected({ connectionString: one.url }, migrate);
});
after(() => Promise.all([one?.stop(), two?.stop()]));

const open = ({ connection, schema }: Place) =>
  openDatabase({ connection, schema, connectionsMax: 4, statementTimeoutMs: 5_000, log: () => undefined });
const servers = () => serversOf({ connectionString: one.url }, new Map([["two", two.url]]));

/** A new cell at the main server, and how to move it to the other. */
async function aCell() {
  const main = { connectionString: one.url };
  const number = await addCell(main, "main", main);
  const said: string[] = [];
  const move: CellMove = {
    ...{ number, main, server: "two", signal: new AbortController().signal },
    source: { connectionString: one.url },
    target: { connectionString: two.url },
    say: (text) => void said.push(text),
  };
  return { number, schema: `cell_${number}`, move, place: placeOf({ number, server: "main" }, servers()), said };
}

const query = (server: EmbeddedPostgres, text: string) =>
  connected({ connectionString: server.url }, async (client) => (await client.query(text)).rows);
const addRow = (id: string) => sql`insert into businesses (id, name, created_at) values (${id}, 'Shop', now())`;

test("a cell moves while it is written to: every acknowledged row is at the new place, and none at the old after the fence", async () => {
  const { number, move, place, schema } = await aCell();
  const database = openMovable(open, place);
  const main = open({ connection: { connectionString: one.url }, schema: null });
  const stop = new AbortController();
  const acknowledged: string[] = [];
  let refused = 0;
  const writer = async (name: number) => {
    for (let at = 0; !stop.signal.aborted; at++) {
      const id = `biz_${name}_${at}`;
      await database.rows(addRow(id)).then(
        () => void acknowledged.push(id),
        (error: unknown) => {
          assert.ok(error instanceof DatabaseUnavailableError, String(error));
          refused++;
          return sleep(20);
        },
      );
    }
  };
  /** As a process does: it looks at the directory, and follows. */
  const follower = async () => {
    for (let server = "main"; !stop.signal.aborted; await sleep(20)) {
      const row = (await listCells(main)).find((one) => one.number === number)!;
      if (row.server !== server) database.moveTo(placeOf(row, servers()));
      server = row.server;
    }
  };
  const work = Promise.all([writer(1), writer(2), writer(3), follower()]);
  const moved = await moveCell(move);
  const before = acknowledged.length;
  while (acknowledged.length < before + 50) await sleep(20);
  stop.abort();
  await work;
  await Promise.all([database.close(), main.close()]);

  const there = await query(two, `select id from ${schema}.businesses`);
  const known = new Set(there.map(({ id }) => id));
  assert.deepEqual(
    acknowledged.filter((id) => !known.has(id)),
    [],
  );
  const left = await query(one, `select id from ${moved.left}.businesses where id not in ('')`);
  assert.ok(left.length > 0 && left.length < there.length, `${left.length} rows stayed, ${there.length} are there`);
  assert.ok(refused > 0, "somebody wrote during the stop");
  assert.deepEqual(await query(one, "select from pg_replication_slots"), []);
  assert.deepEqual(await query(two, "select from pg_subscription"), []);
  assert.deepEqual(await query(one, `select server from cells where number = ${number}`), [{ server: "two" }]);
});

test("a statement that waits for the stop finds no table after it, prepared or not", async () => {
  const { place, schema } = await aCell();
  const [mover, writer] = [new pg.Client(place.connection), new pg.Client(place.connection)];
  await Promise.all([mover.connect(), writer.connect()]);
  try {
    await writer.query(`set search_path to ${schema}; set plan_cache_mode = force_generic_plan`);
    const insert = { name: "add", text: "insert into businesses (id, name, created_at) values ($1, 'Shop', now())" };
    for (const id of ["biz_a", "biz_b"]) await writer.query({ ...insert, values: [id] });
    await mover.query(`begin; lock table ${schema}.businesses in exclusive mode`);
    const waiting = writer.query({ ...insert, values: ["biz_c"] }).then(
      () => "written",
      (error: { code: string }) => error.code,
    );
    const isWaiting = "select from pg_locks where not granted";
    while ((await mover.query(isWaiting)).rowCount === 0) await sleep(10);
    await mover.query(`alter schema ${schema} rename to ${schema}_gone; commit`);
    assert.equal(await waiting, "42P01");
    assert.equal((await mover.query(`select from ${schema}_gone.businesses`)).rowCount, 2);
  } finally {
    await Promise.all([mover.end(), writer.end()]);
  }
});

test("a move that is broken off leaves the cell where it is, and nothing at the other server", async () => {
  const { move, schema, number } = await aCell();
  await assert.rejects(moveCell({ ...move, signal: AbortSignal.abort(new Error("broken off")) }), /broken off/);
  assert.deepEqual(await query(two, `select to_regnamespace('${schema}')::text as schema`), [{ schema: null }]);
  assert.deepEqual(await query(one, "select from pg_replication_slots"), []);
  assert.deepEqual(await query(one, `select server from cells where number = ${number}`), [{ server: "main" }]);
});

test("a long transaction holds the stop up for its time, and a schema that no move made is left alone", async () => {
  const { move, schema } = await aCell();
  await query(two, `create schema ${schema}`);
  await assert.rejects(moveCell(move), /that no move made/);
  await query(two, `drop schema ${schema}`);
  const holder = new pg.Client({ connectionString: one.url });
  await holder.connect();
  await holder.query(`begin; lock table ${schema}.intents in row exclusive mode`);
  const ended = sleep(2_500).then(() => holder.end());
  const moved = await moveCell(move);
  await ended;
  assert.match(moved.left!, new RegExp(`^${schema}_moved_`));
});

test("a command that ended after the fence is finished by the next", async () => {
  const { move, schema, number } = await aCell();
  await moveCell(move);
  // As if the directory had not been written: the schema is at the new server alone.
  await query(one, `update cells set server = 'main' where number = ${number}`);
  assert.deepEqual(await moveCell(move), { stoppedMs: 0, left: null });
  assert.deepEqual(await query(one, `select server from cells where number = ${number}`), [{ server: "two" }]);
  await assert.rejects(moveCell({ ...move, target: { connectionString: one.url } }), /on this server already/);
  await query(two, `drop schema ${schema} cascade`);
  await query(one, `update cells set server = 'main' where number = ${number}`);
  await assert.rejects(moveCell(move), /does not have the schema/);
});

test("a copy that is not whole never becomes the cell, if the source's address leads elsewhere", async () => {
  const { move, schema, number } = await aCell();
  const elsewhere = await startTestPostgres({ wal_level: "logical" });
  try {
    await query(two, `create schema ${schema}`);
    await assert.rejects(
      moveCell({ ...move, source: { connectionString: elsewhere.url } }),
      /does not have the schema/,
    );
    assert.deepEqual(await query(one, `select server from cells where number = ${number}`), [{ server: "main" }]);
    await query(two, `drop schema ${schema}`);
  } finally {
    await elsewhere.stop();
  }
});

test("a server without logical replication is named", async () => {
  const plain = await startTestPostgres();
  try {
    const { move } = await aCell();
    await assert.rejects(
      moveCell({ ...move, source: { connectionString: plain.url } }),
      /wal_level = replica\. Set it to logical/,
    );
  } finally {
    await plain.stop();
  }
});
