import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { SessionLocks } from "../../../store/locks.ts";
import { piece, sql } from "../../../store/sql.ts";
import { commandLine, testContext } from "../../testing.ts";
import { readWithTexts } from "../actions.ts";
import { openWorld, pagePathOf, type TestDispute } from "../testing/disputes.ts";
import {
  aFullDispute,
  disputeOf,
  FILE_NAME,
  payOutDispute,
  rule,
  TEXTS,
  TOTAL,
  tenantOf,
  type World,
} from "../testing/fullDispute.ts";
import { actNow } from "../testing.ts";
import { attachFile } from "../uploads/attachment.ts";
import { erasureVerbs } from "./admin.ts";
import { createRetentionStep } from "./retention.ts";

let world: World;
let locks: SessionLocks;
before(async () => {
  world = await openWorld();
  locks = new SessionLocks(world.database);
});
after(async () => {
  await locks?.close();
  await world?.[Symbol.asyncDispose]();
});

const find = (one: TestDispute) => disputeOf(world, one);
const shown = async (one: TestDispute) => {
  const dispute = await find(one);
  return JSON.parse(await readWithTexts(world.database, dispute, new Date(), "/api/v1"));
};

const payOut = async (one: TestDispute) => payOutDispute(world, one);

/** All rows of the database as a dump has them: by pg_dump where it belongs to the server, else table by table. */
async function dump(): Promise<string> {
  const { PG_BIN } = process.env;
  if (PG_BIN) return execFileSync(`${PG_BIN}/pg_dump`, [world.databaseUrl], { encoding: "utf8", maxBuffer: 1e9 });
  const tables = await world.database.rows<{ name: string }>(sql`
    select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
  const rows = await Promise.all(
    tables.map(({ name }) =>
      world.database.row<{ all: string | null }>(sql`select string_agg(t::text, e'\n') as all from ${piece(name)} t`),
    ),
  );
  return rows.map((row) => row!.all).join("\n");
}

/** The texts that a dump holds, as text or as bytes. */
const heldIn = (text: string, texts: readonly string[]) =>
  texts.filter((one) => text.includes(one) || text.includes(Buffer.from(one).toString("hex")));

const run = (...words: readonly string[]) => commandLine(erasureVerbs("/api/v1"), world.database)("dispute", ...words);

test("§17.6 after an erasure on request, no dump has a word, a byte or a name of the dispute; hashes and amounts stay", async () => {
  const { one, key } = await aFullDispute(world, locks);
  const before = await shown(one);
  await assert.rejects(run("erase", one.payment, "--note", "Asked on 3 May."), /has not ended/);
  const sha256 = await rule(world, one);
  await payOut(one);
  const address = await world.database.row<{ sealed: string }>(sql`
    select sealed from dispute_addresses where dispute_id = ${one.disputeId}`);
  const all = [...Object.values(TEXTS), FILE_NAME, address!.sealed];
  assert.deepEqual(heldIn(await dump(), all), all, "the dump would show them");
  const hashes = await world.database.rows(sql`
    select encode(sha256, 'hex') as hash from dispute_statements where dispute_id = ${one.disputeId} order by number`);

  await run("erase", one.payment, "--note", "Asked on 3 May.");
  assert.deepEqual(heldIn(await dump(), all), [TEXTS.reasons], "the decision stays with its reasons");
  const after = await shown(one);
  assert.ok(after.erasedAt !== null && after.statements.length === before.statements.length);
  for (const part of [...after.statements, ...after.files, ...after.questions])
    assert.ok(part.erasedAt !== null && !part.text && !part.name && !part.sha256, JSON.stringify(part));
  assert.deepEqual([after.offers[0].total, after.offers[0].text], [TOTAL, null]);
  assert.deepEqual([after.decision.sha256, after.decision.reasons], [sha256, TEXTS.reasons]);
  assert.deepEqual(
    JSON.parse(after.decision.record).statements,
    hashes.map((row) => (row as { hash: string }).hash),
  );
  assert.equal(await attachFile(world.database, tenantOf(one), one.disputeId, after.files[0].id), null);

  assert.equal(JSON.parse(await key()).erasedAt, after.erasedAt, "a repeated request shows the dispute as it is");
  await run("erase", one.payment, "--note", "Asked on 4 May.", "--reasons");
  assert.deepEqual(heldIn(await dump(), all), []);
  const { decision } = await shown(one);
  assert.deepEqual([decision.sha256, decision.reasons, decision.record], [sha256, null, null]);
  assert.ok(decision.erasedAt !== null);
  await assert.rejects(run("erase", one.payment, "--note", "Again."), /erased already/);

  const { text } = await run("erasures", "list");
  assert.match(text, new RegExp(`${one.payment}  all texts and files  request by root: Asked on 3 May\\.`));
  const audited = await world.database.rows<{ details: string }>(sql`
    select details from audit_log where action = 'dispute.erased' and target = ${one.disputeId} order by id`);
  assert.deepEqual(
    audited.map(({ details }) => JSON.parse(details).part),
    ["dispute", "reasons"],
  );
});

test("§17.6 one statement or file of an open dispute is erased alone, and nothing else of a kept row can change", async () => {
  const { one, key } = await aFullDispute(world, locks);
  const [file] = (await shown(one)).files;
  await run("erase", one.payment, "--note", "A third person's letter.", "--file", file.id);
  await run("erase", one.payment, "--note", "A third person's name.", "--statement", "1");
  const { statements, files, erasedAt } = await shown(one);
  assert.deepEqual(
    [statements.map(({ text }: { text: string }) => text), files[0].name, erasedAt],
    [["", TEXTS.reply], "", null],
  );
  assert.deepEqual(JSON.parse(await key()).statements, statements);
  assert.deepEqual(heldIn(await dump(), [TEXTS.statement, TEXTS.file, FILE_NAME]), []);
  const page = await world.aBrowser().get(`${pagePathOf(one)}/files/${file.id}`);
  assert.ok(page.status >= 400);
  await assert.rejects(run("erase", one.payment, "--note", "Again.", "--statement", "1"), /erased already/);
  await assert.rejects(run("erase", one.payment, "--note", "Both.", "--statement", "1", "--file", "df_1"), /Name one/);
  for (const change of [sql`text = 'Other.'`, sql`erased_at = now(), text = null, salt = null, author = 'usr_2'`])
    await assert.rejects(
      world.database.rows(sql`
        update dispute_statements set ${change} where dispute_id = ${one.disputeId} and number = 2`),
      /never changed/,
    );
});

test("§17.6 texts and files of an ended dispute are erased at the end of their time, those of others stay", async () => {
  const { database } = world;
  const [ended, decided, open] = [
    (await aFullDispute(world, locks)).one,
    (await aFullDispute(world, locks)).one,
    (await aFullDispute(world, locks)).one,
  ];
  for (const one of [ended, decided]) await rule(world, one);
  await payOut(ended);
  const failures: string[] = [];
  const log = (message: string) => void failures.push(message);
  const step = (retentionDays: number) => createRetentionStep(testContext({ database, log }), retentionDays)();
  const erasedOf = async (one: TestDispute) => (await find(one)).erasedAt !== null;
  const states = () => Promise.all([ended, decided, open].map(erasedOf));
  assert.equal(await step(365), false);
  assert.deepEqual(await states(), [false, false, false]);
  await database.rows(sql`update clocks set ahead = ahead + interval '364 days' where environment = 'test'`);
  await step(365);
  assert.deepEqual(await states(), [false, false, false], "a day before");
  await database.rows(sql`update clocks set ahead = ahead + interval '1 day 1 second' where environment = 'test'`);
  await step(365);
  assert.deepEqual(await states(), [true, true, false]);
  assert.deepEqual((await shown(decided)).decision.reasons, TEXTS.reasons);
  assert.deepEqual(failures, []);
  const { text } = await run("erasures", "list");
  assert.equal(text.match(/retention by service/g)?.length, 2);
  // The money left after the erasure; a fork then gives the dispute back.
  await payOut(decided);
  assert.ok(await erasedOf(decided));
  await actNow(database, await find(decided), () => ({ happening: { kind: "outcome_reverted", isRuled: false } }));
  assert.equal((await find(decided)).erasedAt, null, "new texts of it are erased in their time");
});
