import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "../../server/store/sql.ts";
import { openTestDatabase } from "../../server/store/testing.ts";
import { GLOBAL_TABLES } from "./cells.ts";
import { findMixed, readStatements } from "./check.ts";

const PATH = "server/features/planted/queries.ts";
const RULES = { global: ["users", "sessions"], min: 0 };
const planted = (...texts: string[]) => texts.map((text) => ({ path: PATH, text }));
const MEMBERS = "select u.email from members m join users u on u.id = m.user_id where m.business_id = $1";

test("a statement that names a global table and one of a cell is reported, however it names them", async () => {
  await using opened = await openTestDatabase();
  const found = (text: string) => findMixed(opened.url, planted(text), RULES, false);
  const problem = (cell: string, global = "users") => [
    `${PATH}: a statement names the global table ${global} together with ${cell} of a cell. They may be in different databases: make it two statements.`,
  ];
  assert.deepEqual(await found(MEMBERS), problem("members"));
  assert.deepEqual(await found("select (select count(*) from users) from clocks, chains"), problem("chains, clocks"));
  assert.deepEqual(
    await found("with gone as (delete from sessions returning user_id) delete from members using gone"),
    problem("members", "sessions"),
  );
  assert.deepEqual(
    await found("select from webhook_all_deliveries, users"),
    problem("webhook_deliveries, webhook_queue"),
  );
  assert.deepEqual(await found("select from users join sessions on user_id = users.id"), []);
  assert.deepEqual(await found("with users as (select from members) select from users"), []);
  assert.deepEqual(await found("insert into members (business_id, user_id) values ($1, 'users')"), []);
});

test("a statement that PostgreSQL does not parse is reported, and so are too few in a whole run", async () => {
  await using opened = await openTestDatabase();
  const [unread, ...others] = await findMixed(opened.url, planted("select from nowhere"), RULES, false);
  assert.match(unread!, /does not parse a statement: relation "nowhere" does not exist/);
  assert.deepEqual(others, []);
  assert.deepEqual(await findMixed(opened.url, [], { ...RULES, min: 1 }, false), []);
  assert.match((await findMixed(opened.url, [], { ...RULES, min: 1 }, true))[0]!, /ran only 0 statements/);
});

test("a process with the collector writes what a module of the service runs, and nothing that a test runs itself", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-planted-"));
  const program = join(folder, "program.mjs");
  const statements = join(folder, "statements");
  try {
    mkdirSync(statements);
    writeFileSync(
      program,
      `import { prepare, sql } from "${new URL("../../server/store/sql.ts", import.meta.url)}";
      import { isChainConfigured } from "${new URL("../../server/features/chains/fragments.ts", import.meta.url)}";
      const db = { has: (statement) => prepare(statement) };
      isChainConfigured(db, "test");
      isChainConfigured(db, "live");
      prepare(sql\`select 'of a test'\`);`,
    );
    const { stderr } = spawnSync(process.execPath, ["--import", join(import.meta.dirname, "collect.ts"), program], {
      encoding: "utf8",
      env: { ...process.env, TEST_STATEMENTS: statements },
    });
    assert.equal(stderr, "");
    assert.deepEqual(readStatements(statements), [
      { path: "server/features/chains/fragments.ts", text: "select 1 from chains where environment = $1" },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the global tables have no business, and no key or trigger joins one to a table of a cell", async () => {
  await using opened = await openTestDatabase();
  const global = Object.keys(GLOBAL_TABLES);
  const tables = await opened.database.rows<{ name: string; isOfBusiness: boolean }>(sql`
    select c.relname as name, exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'business_id') as "isOfBusiness"
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`);
  const known = new Map(tables.map((one) => [one.name, one]));
  assert.deepEqual(
    global.filter((name) => known.get(name)?.isOfBusiness !== false),
    [],
  );
  const keys = await opened.database.rows<{ key: string }>(sql`
    select conname as key from pg_constraint f
      join pg_class one on one.oid = f.conrelid join pg_class other on other.oid = f.confrelid
    where f.contype = 'f' and (one.relname = any(${global}::text[])) <> (other.relname = any(${global}::text[]))`);
  assert.deepEqual(keys, []);
  const triggers = await opened.database.rows<{ trigger: string; table: string; body: string }>(sql`
    select t.tgname as trigger, c.relname as table, p.prosrc as body
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`);
  const isGlobal = new Set(global);
  const names = (body: string) => (body.match(/[a-z_]+/g) ?? []).filter((word) => known.has(word));
  const mixed = triggers.filter(({ table, body }) =>
    names(body).some((one) => isGlobal.has(one) !== isGlobal.has(table)),
  );
  assert.ok(triggers.length >= 5, `${triggers.length} triggers`);
  assert.deepEqual(mixed, []);
});
