import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@holdfast/embedded-postgres/postgres.ts";
import { type Database, openDatabase } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { createDatabase } from "./cluster.ts";
import { Explaining } from "./explain.ts";
import { BUSINESSES, SEEDING, seedBacklog, seedHistory, seedHours, seedRequests } from "./history.ts";
import { seedBusinesses } from "./seed.ts";
import { STATEMENTS } from "./statements.ts";
import type { Statement, Target } from "./target.ts";

/**
 * The 6,000 intents of the largest business lie on more pages than this. A page of a list, or a read of each partition of
 * events, needs fewer.
 */
export const PAGES_MAX = 150;
const LARGEST = `biz_${"1".padStart(32, "0")}`;
const WALLET = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
/** PostgreSQL decides after five whether one plan will do for all. */
const EXECUTIONS = 8;

/** Paid intents of the largest business, always the same. */
export async function pickPaid(database: Database, count: number, key: string): Promise<Target[]> {
  const rows = await database.rows<{ id: string; payment_id: string; created_at: Date; payment_address: string }>(sql`
    select id, payment_id, created_at, payment_address from intents
    where business_id = ${LARGEST} and payment_address is not null order by md5(id) limit ${count}::integer`);
  return rows.map((row) => ({
    tenant: { businessId: LARGEST, environment: "test" },
    key,
    intent: row.id,
    number: Number(row.payment_id),
    createdAt: row.created_at,
    payment: row.payment_address,
  }));
}

/** The most pages that one execution for any of the targets reads, or all of them together if they are one answer. */
export async function mostPages(
  explaining: Explaining,
  { run, isOneAnswer = false }: Statement,
  targets: readonly Target[],
): Promise<number> {
  let most = 0;
  for (const target of targets) {
    const before = explaining.costs.length;
    await explaining.undone((undone, unmeasured) => run(undone, target, unmeasured));
    const pages = explaining.costs.slice(before).map((cost) => cost.pages);
    most = Math.max(most, ...(isOneAnswer ? [pages.reduce((sum, one) => sum + one, 0)] : pages));
  }
  return most;
}

/**
 * Measures the pages that each list of the merchant API and of the dashboard reads, with a large backlog at one endpoint and
 * a large request log of one business.
 */
export async function benchPages(args: readonly string[]): Promise<void> {
  const [deliveries = 1_000_000, requests = 10_000_000, eventsEach = 13] = args.map(Number);
  const dataDir = mkdtempSync(join(tmpdir(), "holdfast-bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, settings: SEEDING });
  try {
    const url = await createDatabase(postgres.url, "pages");
    const connection = { connectionString: url };
    const database = openDatabase({ connection, connectionsMax: 1, statementTimeoutMs: 600_000, log: () => undefined });
    const [key] = await seedBusinesses(database, BUSINESSES);
    await seedHistory({ url, rows: deliveries, recipient: WALLET, asset: WALLET, isOneEndpoint: true, eventsEach });
    await seedBacklog(url, deliveries / 10);
    await seedRequests(url, requests);
    await seedHours(url);
    const counted = await database.row<Record<"intents" | "payments" | "events" | "finished" | "requests", string>>(sql`
      select (select count(*) from intents) as intents, (select count(*) from payments) as payments,
        (select count(*) from events) as events, (select count(*) from webhook_deliveries) as finished,
        (select count(*) from request_log) as requests`);
    console.log(
      `${counted!.intents} intents, ${counted!.payments} payments, ${counted!.events} events; ${counted!.finished} finished deliveries of one endpoint, ${counted!.requests} requests of one business.\n`,
    );
    console.log("| list | pages |\n|---|---|");
    const { planning, statements } = STATEMENTS[1]!;
    const explaining = await Explaining.open(url, planning);
    const targets = await pickPaid(database, EXECUTIONS, key!);
    for (const statement of statements) {
      const pages = await mostPages(explaining, statement, targets);
      console.log(`| ${statement.name} | ${pages <= PAGES_MAX ? pages : `**${pages}**`} |`);
    }
    await explaining.database.close();
    await database.close();
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
