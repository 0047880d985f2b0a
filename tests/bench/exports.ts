import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { insertMember } from "../../server/features/staff/members/queries.ts";
import { hashPassword, PASSWORD_COST } from "../../server/features/staff/signIn/password.ts";
import { insertUser } from "../../server/features/staff/signIn/queries.ts";
import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { PROJECT_ROOT } from "../harness/service.ts";
import { Browser } from "../harness/staffBrowser.ts";
import { setStage } from "./stage.ts";

const BUSINESS = `biz_${"1".padStart(32, "0")}`;
const ASSET = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const EMAIL = "exports@bench.example";
const PASSWORD = "a long password of the bench";
const SAMPLE_MS = 100;
const FORMATS = ["format=csv", "format=jsonl", "layout=days", "layout=values"] as const;

interface Sample {
  readonly rows: number;
  readonly megabytes: number;
}

/** Payments of the last year with their intents; half of them are released, with a value for each movement. */
async function seedPayments(database: Database, count: number): Promise<void> {
  await database.rows(sql`update businesses set reporting_currency = 'USD' where id = ${BUSINESS}`);
  await database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    values ('test', ${ASSET}, true, 6, 'any', '{}', now())`);
  const perStatement = 100_000;
  for (let first = 1; first <= count; first += perStatement) {
    const last = Math.min(count, first + perStatement - 1);
    await database.rows(sql`
      with seeded as (
        select i, 'pi_test_' || lpad(to_hex(i), 36, '0') as id, 'P' || lpad(translate(i::text, '0', 'z'), 42, 'x') as address,
          date_trunc('second', now()) - interval '365 days' * ((${count} - i)::float8 / ${count}::float8) as at
        from generate_series(${first}::bigint, ${last}::bigint) i),
      intended as (
        insert into intents (business_id, id, environment, status, holds_reference, recipient, amount, asset, protection_period,
          merchant_reference, metadata, payment_id, payment_address, created_at, expires_at, last_occurred_at, list_position)
        select ${BUSINESS}, id, 'test', 'paid', false, ${ASSET}, 1000000 + i % 9000000, ${ASSET}, 'sevenDays', 'order-' || i,
          '{"order":"' || i || '"}', i, address, at, date_trunc('second', at) + interval '7 days', at, i
        from seeded)
      insert into payments (business_id, address, environment, intent_id, generation, recorded_sequence, role, status, sender,
        recipient, amount, asset, protection_period, merchant_reference, created_at, protection_deadline, settled_at, checked_at,
        observed_slot, finalized, settleable_event_sent, refund_total, amount_refunded, amount_released, outcome, arbiter)
      select ${BUSINESS}, address, 'test', id, 1, i, 'primary', case when i % 2 = 0 then 'released' else 'protected' end,
        'S' || substr(address, 2), ${ASSET}, 1000000 + i % 9000000, ${ASSET}, 'sevenDays', 'order-' || i, at, at + interval '7 days',
        case when i % 2 = 0 then at + interval '7 days' end, now(), i, true, i % 2 = 0, 0, 0,
        case when i % 2 = 0 then 1000000 + i % 9000000 else 0 end, case when i % 2 = 0 then 'settled' end, ${ASSET}
      from seeded`);
  }
  await database.rows(sql`
    update fiat_entries set value = round(amount / 1000000.0, 2), rate = 1, source = 'par',
      rate_day = (occurred_at at time zone 'UTC')::date, due_at = null`);
  await database.rows(sql`analyze`);
}

async function signIn(database: Database, port: number): Promise<string> {
  const address = { shown: EMAIL, key: EMAIL };
  const password = await hashPassword(PASSWORD, PASSWORD_COST);
  const user = await insertUser(database, {
    email: address,
    name: "Bench",
    password,
    isOperator: false,
    isArbiter: false,
  });
  await insertMember(database, BUSINESS, user!.id, "admin");
  const browser = new Browser(`http://localhost:${port}`, `http://localhost:${port}`);
  const answer = await browser.post("/sign-in", { email: EMAIL, password: PASSWORD });
  if (answer.status !== 200 || browser.cookie === null) throw new Error(`The sign-in failed: ${answer.text}`);
  return browser.cookie;
}

const residentMegabytes = async (pid: number): Promise<number> =>
  Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

/** Reads one export to its end, and samples the resident memory of the server meanwhile. */
async function measure(url: string, cookie: string, pid: number) {
  const origin = new URL(url).origin;
  const samples: Sample[] = [];
  let [rows, bytes, isOver] = [0, 0, false];
  const sampling = (async () => {
    while (!isOver) {
      samples.push({ rows, megabytes: await residentMegabytes(pid) });
      await sleep(SAMPLE_MS);
    }
  })();
  const startedAt = performance.now();
  let firstMs = 0;
  try {
    const answer = await fetch(url, { headers: { cookie, origin, "sec-fetch-site": "same-origin" } });
    if (answer.status !== 200) throw new Error(`The export was refused: ${await answer.text()}`);
    for await (const chunk of answer.body!) {
      if (firstMs === 0) firstMs = performance.now() - startedAt;
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows++;
    }
  } finally {
    isOver = true;
    await sampling;
  }
  return { rows, bytes, firstMs, seconds: (performance.now() - startedAt) / 1_000, samples };
}

const mean = (samples: readonly Sample[]): number =>
  samples.reduce((sum, { megabytes }) => sum + megabytes, 0) / Math.max(1, samples.length);

/**
 * Measures the time and the server's memory of exports of payments, with the server in a process of its own. Memory is flat
 * if its mean over the last fifth of the samples is that of the second fifth.
 */
export async function benchExports(args: readonly string[]): Promise<void> {
  const count = Number(args[0] ?? 1_000_000);
  const formats = FORMATS.filter((one) => one.endsWith(args[1] ?? ""));
  const stage = await setStage("exports", PROJECT_ROOT);
  try {
    await seedPayments(stage.database, count);
    const cookie = await signIn(stage.database, stage.apiPort);
    const path = `http://localhost:${stage.apiPort}/staff/v1/businesses/${BUSINESS}/test/payments/export`;
    // What the process loads and compiles once is no part of the figures.
    await measure(`${path}?created_after=${new Date(Date.now() - 86_400_000).toISOString()}`, cookie, stage.apiPid);
    console.log(`${count} payments; memory is the server's resident set, sampled every ${SAMPLE_MS} ms.\n`);
    console.log("| Export | Lines | MB | First byte, ms | Seconds | Memory before | 2nd fifth | Last fifth | Most |");
    console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (const format of formats) {
      const { rows, bytes, firstMs, seconds, samples } = await measure(`${path}?${format}`, cookie, stage.apiPid);
      const fifth = Math.floor(samples.length / 5);
      const most = Math.max(...samples.map(({ megabytes }) => megabytes));
      const cells = [
        ...[format, rows, (bytes / 1e6).toFixed(1), firstMs.toFixed(0), seconds.toFixed(1)],
        ...[samples[0]!.megabytes, mean(samples.slice(fifth, 2 * fifth)), mean(samples.slice(-fifth)), most].map(
          (one) => `${one.toFixed(0)} MB`,
        ),
      ];
      console.log(`| ${cells.join(" | ")} |`);
    }
  } finally {
    await stage.remove();
  }
}
