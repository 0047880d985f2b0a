import assert from "node:assert/strict";
import { test } from "node:test";
import { createEmptyDatabase } from "@holdfast/embedded-postgres/testing.ts";
import pg from "pg";
import { eventually } from "../../tests/harness/wait.ts";
import { type Connection, requireSessionMode } from "./sessionMode.ts";

/** Connections to PostgreSQL that are lent for a transaction each, as by PgBouncer: the last used first, or in turn. */
async function openPooler(config: pg.ClientConfig, size: number, byTurns: boolean) {
  const servers: pg.Client[] = [];
  for (let count = 0; count < size; count++) {
    const server = new pg.Client(config);
    await server.connect();
    servers.push(server);
  }
  const free = [...servers];
  const open = async (): Promise<Connection> => {
    let lent: pg.Client | null = null;
    return {
      query: async (text, values) => {
        const server = lent ?? free.shift();
        if (server === undefined) throw new Error("query_wait_timeout");
        const answer = await server.query(text, values);
        if (text === "begin") lent = server;
        if (lent === null) free[byTurns ? "push" : "unshift"](server);
        return answer as never;
      },
      end: async () => {
        await lent?.query("rollback");
      },
    };
  };
  return { open, end: () => Promise.all(servers.map((server) => server.end())) };
}

test("a database whose connections are lent for a transaction is refused in words that name session mode", async () => {
  await using made = await createEmptyDatabase();
  for (const byTurns of [false, true])
    for (const size of [1, 2, 3, 4, 8]) {
      const pooler = await openPooler(made.connection, size, byTurns);
      const refused = await requireSessionMode(pooler.open).catch((error: Error) => error.message);
      await pooler.end();
      assert.match(String(refused), /pool_mode = session/, `${size} connections`);
    }
});

test("separate connections pass, also while several processes check, and leave no lock", async () => {
  await using made = await createEmptyDatabase();
  let left = Number.POSITIVE_INFINITY;
  const open = async () => {
    if (left-- <= 0) throw new Error("sorry, too many clients already");
    const client = new pg.Client(made.connection);
    // The database may be dropped before the server has seen a connection's end.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  };
  await Promise.all([requireSessionMode(open), requireSessionMode(open)]);
  // Only one connection is left, so there is no other to compare with.
  left = 1;
  await requireSessionMode(open);
  left = 1;
  const client = await open();
  // Other databases of the server have locks of their own, and the server ends a connection after its client has.
  const ofThis =
    "locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())";
  await eventually("no lock is left", async () => {
    const { rows } = await client.query(`select count(*)::integer as locks from pg_locks where ${ofThis}`);
    return rows[0].locks === 0;
  });
  await client.end();
});
