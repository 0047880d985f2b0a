import assert from "node:assert/strict";
import { test } from "node:test";
import { createEmptyDatabase } from "@holdfast/embedded-postgres/testing.ts";
import { ConnectionLimit } from "./connectionLimit.ts";
import { openDatabase } from "./database.ts";
import { piece } from "./sql.ts";

test("pools share their connections: none takes more than half, and those that wait go on in turn", async () => {
  await using made = await createEmptyDatabase();
  const limit = new ConnectionLimit(4);
  const open = () =>
    openDatabase({
      ...{ connection: made.connection, connectionsMax: 9, limit, statementTimeoutMs: 20_000, log: () => undefined },
    });
  const [busy, other] = [open(), open()];
  try {
    const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
    let running = 0;
    const held = gates.map(({ promise }) =>
      busy.transaction(async () => {
        running++;
        await promise;
        running--;
      }),
    );
    while (running < 2) await new Promise(setImmediate);
    // Half of the four are the other pool's, however many wait here.
    await Promise.all(Array.from({ length: 20 }, () => other.rows(piece("select 1"))));
    assert.equal(running, 2);
    for (const { resolve } of gates) resolve();
    await Promise.all(held);
    await Promise.all(Array.from({ length: 20 }, (_, at) => [busy, other][at % 2]!.rows(piece("select 1"))));
  } finally {
    await Promise.all([busy.close(), other.close()]);
  }
});

test("a pool that fails to connect gives its share back", async () => {
  await using made = await createEmptyDatabase();
  const limit = new ConnectionLimit(2);
  const options = { connectionsMax: 9, limit, statementTimeoutMs: 20_000, log: () => undefined };
  const gone = openDatabase({ ...options, connection: { connectionString: "postgresql://localhost:1/none" } });
  const there = openDatabase({ ...options, connection: made.connection });
  try {
    for (let tries = 0; tries < 5; tries++) await assert.rejects(gone.rows(piece("select 1")));
    assert.equal((await there.rows(piece("select 1"))).length, 1);
  } finally {
    await Promise.all([gone.close(), there.close()]);
  }
});
