import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { createTestDatabase, type TestDatabase } from "./testing.ts";

async function count({ connection }: TestDatabase): Promise<number> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return Number(
      (await client.query("insert into things values (1) returning (select count(*) from things)")).rows[0].count,
    );
  } finally {
    await client.end();
  }
}

test("databases asked for at once are migrated once and see nothing of each other", async (t) => {
  // The test has a template of its own: a server shared with other tests may have theirs already.
  const { TEST_RUN_ID: before } = process.env;
  process.env.TEST_RUN_ID = `testing_${process.pid}`;
  t.after(() => {
    if (before === undefined) delete process.env.TEST_RUN_ID;
    else process.env.TEST_RUN_ID = before;
  });
  let migrated = 0;
  const migrate = async (client: pg.Client) => {
    migrated++;
    await client.query("create table things (number int)");
  };
  const databases = await Promise.all(Array.from({ length: 4 }, () => createTestDatabase(migrate)));
  assert.deepEqual(await Promise.all(databases.map(count)), [0, 0, 0, 0]);
  assert.equal(migrated, 1);
  await Promise.all(databases.map((database) => database.drop()));
  await assert.rejects(count(databases[0]!), /does not exist/);
});
