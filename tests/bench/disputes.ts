import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@holdfast/embedded-postgres/postgres.ts";
import pg from "pg";
import { openDatabase } from "../../server/store/database.ts";
import { createDatabase } from "./cluster.ts";
import { CASE_PAGES } from "./disputePages.ts";
import { Explaining } from "./explain.ts";
import { BUSINESSES, SEEDING, seedHistory } from "./history.ts";
import { mostPages, PAGES_MAX } from "./pages.ts";
import { seedBusinesses } from "./seed.ts";
import { STATEMENTS } from "./statements.ts";
import type { Target } from "./target.ts";

const WALLET = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const LARGEST = `biz_${"1".padStart(32, "0")}`;
const FILES_OF_CASE = 4;
const FILES_A_STATEMENT = 1_000;
/** PostgreSQL decides after five whether one plan will do for all. */
const EXECUTIONS = 8;

/** Of a hundred cases, 5 talk, 4 wait for the arbiter, 2 are agreed, 3 decided and 1 paused; the others are closed. */
const CASES = (cases: number) => `
  create unlogged table seeded_cases as
  select p.*, 'dp' || substr(p.intent_id, 3) as id,
    case when n % 100 < 5 then 'talking' when n % 100 < 9 then 'deciding' when n % 100 < 11 then 'agreed'
      when n % 100 < 14 then 'decided' when n % 100 < 15 then 'paused' else 'closed' end as status,
    case when n % 100 < 5 then date_trunc('second', now()) - interval '1 hour' * (n % 96 + 1)
      when n % 100 < 15 then date_trunc('second', now()) - interval '1 hour' * (n % 300 + 130)
      else date_trunc('second', p.created_at) end as opened_at
  from (
    select row_number() over (order by business_id, address) as n, business_id, address, intent_id, merchant_reference, amount,
      created_at
    from payments order by business_id, address limit ${cases}) p`;

const FILLS: readonly string[] = [
  `insert into disputes (business_id, environment, id, payment_address, intent_id, merchant_reference, amount, refund_total, status,
      resumes_as, reason, requested_total, turn, opened_at, answer_by, deciding_at, decide_by, resolve_by, last_word_by,
      last_word_at, buyer_statements, merchant_statements, buyer_day, merchant_day, buyer_of_day, merchant_of_day, buyer_offers,
      merchant_offers, buyer_wrote_late, merchant_wrote_late, closed_at, created_at, version, next_at, buyer_files, merchant_files)
    select business_id, 'test', id, address, intent_id, merchant_reference, amount, 0, status,
      case when status in ('paused', 'decided', 'closed') then 'deciding' end, 'not_received', amount,
      case status when 'talking' then case when n % 2 = 0 then 'buyer' else 'merchant' end when 'deciding' then 'arbiter'
        when 'agreed' then 'merchant' else 'nobody' end,
      opened_at, opened_at + interval '5 days', case when status <> 'talking' then opened_at + interval '5 days' end,
      case when status <> 'talking' then opened_at + interval '19 days' end, opened_at + interval '2160 hours', 'merchant',
      opened_at + interval '1 hour', 2, 2, 1, 1, 1, 1, (n % 10 < 6)::integer, (n % 10 < 6)::integer, false, false,
      case when status = 'closed' then opened_at + interval '9 days' end, opened_at, 9,
      case status when 'talking' then opened_at + interval '5 days' when 'agreed' then opened_at + interval '30 days' end, 2, 2
    from seeded_cases order by opened_at`,
  `insert into dispute_statements (business_id, dispute_id, number, side, of_side, day, of_day, author, author_kind, text, salt,
      sha256, created_at)
    select business_id, id, k, side, of_side, 1, of_side, 'author', kind, text, salt, sha256(salt || convert_to(text, 'UTF8')), opened_at
    from (
      select c.*, k, (k + 1) / 2 as of_side, case k % 2 when 1 then 'buyer' else 'merchant' end as side,
        case k % 2 when 1 then 'wallet' else 'user' end as kind, decode(md5(c.id || k), 'hex') as salt,
        (select string_agg(md5(c.id || k || g), ' ') from generate_series(1, 18) g) as text
      from seeded_cases c cross join generate_series(1, 4) k) s`,
  `insert into dispute_offers (business_id, dispute_id, id, number, side, total, refund_total, text, until, status, author,
      author_kind, signed_text, signature, created_at)
    select business_id, id, 'of_' || md5(id || k), k, case k when 1 then 'buyer' else 'merchant' end, 1, 0, 'Half of it.',
      opened_at + interval '8 days', case when status in ('talking', 'deciding') then 'open' else 'expired' end, 'author',
      case k when 1 then 'wallet' else 'user' end, case k when 1 then repeat(md5(id), 20) end, case k when 1 then md5(id) end, opened_at
    from seeded_cases cross join generate_series(1, 2) k where n % 10 < 6`,
  `insert into dispute_decisions (business_id, dispute_id, id, number, user_id, arbiter, total, record, sha256, created_at)
    select business_id, dispute_id, 'dd_' || md5(dispute_id), 1, 'usr_1', '${WALLET}', 1, record, sha256(convert_to(record, 'UTF8')), at
    from (
      select business_id, id as dispute_id, opened_at + interval '8 days' as at, json_build_object('payment', address, 'reasons',
        (select string_agg(md5(id || g), ' ') from generate_series(1, 30) g))::text as record
      from seeded_cases where status in ('decided', 'closed') and n % 2 = 0) d`,
  `insert into dispute_rulings (business_id, dispute_id, signature, slot, arbiter, total, memo, decision_id, sha256, ruled_at)
    select business_id, dispute_id, 'ruling' || md5(dispute_id), 9, arbiter, 1, 'record', id, encode(sha256, 'hex'), created_at
    from dispute_decisions`,
  `insert into dispute_holders (business_id, dispute_id, number, user_id, held_at)
    select business_id, id, 1, case when n % 3 = 0 then 'usr_1' else 'usr_2' end, opened_at + interval '6 days'
    from seeded_cases where status in ('deciding', 'agreed') and n % 2 = 0`,
];

/** Files of every case, with bytes that no compression makes smaller. */
async function seedFiles(client: pg.Client, fileBytes: number): Promise<void> {
  const { rows } = await client.query<{ business_id: string; id: string }>("select business_id, id from seeded_cases");
  const all = rows.flatMap((row) =>
    Array.from({ length: FILES_OF_CASE }, (_, index) => ({ ...row, number: index + 1 })),
  );
  for (let at = 0; at < all.length; at += FILES_A_STATEMENT) {
    const batch = all.slice(at, at + FILES_A_STATEMENT);
    const values = [
      batch.map((one) => one.business_id),
      batch.map((one) => one.id),
      batch.map(({ id, number }) => `df_${createHash("md5").update(`${id}${number}`).digest("hex")}`),
      batch.map(({ number }) => number),
      batch.map(() => randomBytes(fileBytes)),
    ];
    await client.query(
      `with given as (
          select * from unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::bytea[]) as g (business_id, dispute_id, id, number, bytes)),
        files as (
          insert into dispute_files (business_id, dispute_id, id, number, side, of_side, author, author_kind, name, type, size, sha256,
            salt, salted_sha256, created_at)
          select business_id, dispute_id, id, number, case number % 2 when 1 then 'buyer' else 'merchant' end, (number + 1) / 2,
            'author', case number % 2 when 1 then 'wallet' else 'user' end, 'parcel-' || number || '.jpg', 'image/jpeg',
            length(bytes), sha256(bytes), decode(md5(id), 'hex'), sha256(decode(md5(id), 'hex') || sha256(bytes)), now()
          from given)
        insert into dispute_file_parts (business_id, dispute_id, file_id, number, bytes)
        select business_id, dispute_id, id, 1, bytes from given`,
      values,
    );
  }
}

/** Makes cases of payments that are there, the largest business first, with words, offers, files and decisions. */
async function seedDisputes(url: string, cases: number, fileBytes: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // References hold by the way the rows are made.
    await client.query("set session_replication_role = replica");
    await client.query(
      `insert into chains (environment, genesis_hash, program_id, operator) values ('test', 'genesis', '${WALLET}', '${WALLET}')
       on conflict do nothing`,
    );
    await client.query(CASES(cases));
    for (const fill of FILLS) await client.query(fill);
    await seedFiles(client, fileBytes);
    await client.query("drop table seeded_cases");
    await client.query("vacuum (analyze)");
  } finally {
    await client.end();
  }
}

/** Disputes of the largest business in each status, always the same. */
async function pickCases(client: pg.Client, count: number): Promise<Target[]> {
  const { rows } = await client.query<{ id: string; intent_id: string; payment_address: string }>(
    `select id, intent_id, payment_address from disputes where business_id = $1 order by status = 'closed', md5(id) limit $2`,
    [LARGEST, count],
  );
  return rows.map((row) => ({
    ...{ tenant: { businessId: LARGEST, environment: "test" }, key: "", number: 0, createdAt: new Date(0) },
    ...{ intent: row.intent_id, payment: row.payment_address, dispute: row.id },
  }));
}

/** Measures the pages that each list and page of disputes reads, and the room that many cases take. */
export async function benchDisputes(args: readonly string[]): Promise<void> {
  const [cases = 10_000, fileBytes = 4_096] = args.map(Number);
  const dataDir = mkdtempSync(join(tmpdir(), "holdfast-bench-"));
  const { PG_BIN } = process.env;
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, settings: SEEDING, binDir: PG_BIN });
  try {
    const url = await createDatabase(postgres.url, "disputes");
    const connection = { connectionString: url };
    const database = openDatabase({ connection, connectionsMax: 1, statementTimeoutMs: 600_000, log: () => undefined });
    await seedBusinesses(database, BUSINESSES);
    await database.close();
    // A third of the intents are paid.
    await seedHistory({ url, rows: cases * 4, recipient: WALLET, asset: WALLET });
    const startedAt = performance.now();
    await seedDisputes(url, cases, fileBytes);
    console.log(
      `${cases} cases with ${cases * FILES_OF_CASE} files of ${fileBytes} bytes, made in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s.\n`,
    );
    await printPages(url);
    await printSizes(url);
    if (PG_BIN !== undefined) printBackup(PG_BIN, url, join(dataDir, "backup"));
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function printPages(url: string): Promise<void> {
  console.log("| page | pages |\n|---|---|");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const targets = await pickCases(client, EXECUTIONS);
  await client.end();
  const explaining = await Explaining.open(url, STATEMENTS[1]!.planning);
  try {
    for (const statement of CASE_PAGES) {
      const pages = await mostPages(explaining, statement, targets);
      console.log(`| ${statement.name} | ${pages <= PAGES_MAX ? pages : `**${pages}**`} |`);
    }
  } finally {
    await explaining.database.close();
  }
}

const MB = 1_000_000;
const inMb = (bytes: number): string => (bytes / MB).toFixed(1);

async function printSizes(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; bytes: number }>(
    `select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
     where relkind = 'r' and relname like 'dispute%' and pg_relation_size(oid) > 0 order by bytes desc`,
  );
  await client.end();
  console.log("\n| table | MB, with its indexes |\n|---|---|");
  for (const { name, bytes } of rows) console.log(`| ${name} | ${inMb(bytes)} |`);
  console.log(`| together | ${inMb(rows.reduce((sum, { bytes }) => sum + bytes, 0))} |`);
}

/** The size of what backups hold of disputes, and the time to write it. */
function printBackup(binDir: string, url: string, file: string): void {
  const startedAt = performance.now();
  execFileSync(join(binDir, "pg_dump"), ["-Fc", "-t", "dispute*", "-f", file, url]);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`\npg_dump -Fc of the tables of disputes: ${inMb(statSync(file).size)} MB in ${seconds} s.`);
}
