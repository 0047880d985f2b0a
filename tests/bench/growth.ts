import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startEmbeddedPostgres } from "@holdfast/embedded-postgres/postgres.ts";
import {
  type Claim,
  claimDeliveries,
  QUEUE_PLANNING,
  type Room,
} from "../../server/features/webhooks/delivery/claims.ts";
import { renewWorker, takeQueued } from "../../server/features/webhooks/delivery/leaseQueries.ts";
import { type Database, openDatabase } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { StandaloneService } from "../faults/standaloneService.ts";
import { databaseOf, SIZES, seedCluster } from "./cluster.ts";
import { type Cost, Explaining } from "./explain.ts";
import { ENDPOINTS, NEWEST_EVENT } from "./history.ts";
import { load, median } from "./startLoad.ts";
import { STATEMENTS, type StatementGroup } from "./statements.ts";
import type { Target } from "./target.ts";

const NAMES = ["10 k", "10 M"] as const;
const CONNECTIONS = 16;
const WARM_MS = 3_000;
/** Reads to warm up with: others come after. */
const WARM_PER_SECOND = 1_000;
/** Rows that are due at each claim, at as many endpoints. */
const DUE = 400;
/** Longer than a measurement. */
const ALIVE_MS = 3_600_000;
const ROOM: Omit<Room, "worker"> = { slots: 512, failingSlots: 128, endpoints: [] };
/** Executions of a statement: PostgreSQL decides after the fifth whether it keeps a plan for all values. */
const EXECUTIONS = 12;

/** A database with this number of rows, and the API on it. */
interface Size {
  readonly rows: number;
  readonly url: string;
  readonly keys: readonly string[];
  readonly database: Database;
  readonly service: StandaloneService;
}

type Path = (target: Target) => string;
/** Calls that the API gets at a fixed rate; a null path stands for creates. All rows and all keys are equally likely. */
const OPERATIONS: Readonly<Record<string, { path: Path | null; paid?: boolean; newest?: boolean; largest?: boolean }>> =
  {
    create: { path: null },
    get: { path: ({ intent }) => `/payment-intents/${intent}` },
    // A shop reads the intents that it has just created. The newest hundredth is in memory, which the whole table need not be.
    "get-new": { path: ({ intent }) => `/payment-intents/${intent}`, newest: true },
    list: { path: () => "/payment-intents?limit=20" },
    "list-behind-a-cursor": { path: ({ intent }) => `/payment-intents?limit=20&starting_after=${intent}` },
    "list-by-reference": { path: ({ number }) => `/payment-intents?merchant_reference=order-${number}` },
    "list-by-status": { path: ({ intent }) => `/payment-intents?status=canceled&starting_after=${intent}` },
    payments: { path: ({ payment }) => `/payments?limit=20&starting_after=${payment}`, paid: true },
    "payments-by-status": { path: () => "/payments?status=disputed" },
    events: { path: ({ number }) => `/events?limit=20&after_sequence=${4 * number}` },
    "events-by-type": { path: () => "/events?type=payment_intent.canceled" },
    // The largest business alone: its page is full at both sizes. At the small size most others have an empty page.
    "events-by-type-full": { path: () => "/events?type=payment_intent.canceled", largest: true },
  };

/** Rows of the history at random, and their tenants' keys. */
async function pickTargets(
  { database, rows, keys }: Size,
  count: number,
  {
    paid = false,
    newest = false,
    largest = false,
  }: { readonly paid?: boolean; readonly newest?: boolean; readonly largest?: boolean },
): Promise<Target[]> {
  const targets: Target[] = [];
  while (targets.length < count) {
    const numbers = Array.from({ length: count }, () => Math.ceil(rows - Math.random() * (newest ? rows / 100 : rows)));
    const found = await database.rows<{
      business_id: string;
      id: string;
      payment_id: string;
      created_at: Date;
      payment_address: string | null;
    }>(sql`
      select i.business_id, i.id, i.payment_id, i.created_at, i.payment_address from unnest(${numbers}::bigint[]) n
      join intents i on i.payment_id = n
      where (${!paid} or i.payment_address is not null) and (${!largest} or i.business_id = ${LARGEST})`);
    for (const row of found)
      targets.push({
        tenant: { businessId: row.business_id, environment: "test" },
        key: keys[Number(row.business_id.slice(4)) - 1]!,
        intent: row.id,
        number: Number(row.payment_id),
        createdAt: row.created_at,
        payment: row.payment_address,
      });
  }
  return targets.slice(0, count);
}

const LARGEST = `biz_${"1".padStart(32, "0")}`;

interface Round {
  readonly p50: number;
  readonly p99: number;
  readonly answered: number;
}

/** A rate of null sends as many as are answered. */
async function putLoad(
  size: Size,
  name: string,
  tag: string,
  seconds: number,
  perSecond: number | null,
): Promise<Round> {
  const { path, ...which } = OPERATIONS[name]!;
  // Each round has other targets: otherwise the round before would have read their pages already.
  const targets =
    path === null ? [] : await pickTargets(size, Math.ceil(seconds * (perSecond ?? WARM_PER_SECOND)), which);
  const keys = path === null ? shuffled(size.keys) : targets.map(({ key }) => key);
  const result = await load({
    kind: path === null ? "create" : "read",
    port: size.service.port,
    connections: CONNECTIONS,
    durationMs: seconds * 1_000,
    ratePerSecond: perSecond,
    keys,
    ids: [],
    paths: path === null ? [] : targets.map(path),
    recipient: size.service.recipient,
    asset: size.service.asset,
    tag,
  });
  if (result.good !== result.answered)
    throw new Error(`${name} at ${size.rows} rows: ${JSON.stringify(result.statuses)}`);
  return { p50: result.p50Ms, p99: result.p99Ms, answered: result.answered };
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!;

/**
 * Times claims while creates run at a fixed rate: one claim after the other, each from the same number of due rows at other
 * endpoints. Claimed rows are deleted in between.
 */
async function claim(size: Size, tag: string, seconds: number, perSecond: number): Promise<Round> {
  let creating = true;
  const creates = putLoad(size, "create", tag, seconds, perSecond).finally(() => {
    creating = false;
  });
  const [times] = await Promise.all([timeClaims(size, () => creating), creates]);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), answered: times.length };
}

async function timeClaims({ url }: Size, goOn: () => boolean): Promise<number[]> {
  const connection = { connectionString: url, options: QUEUE_PLANNING };
  const database = openDatabase({ connection, connectionsMax: 1, statementTimeoutMs: 60_000, log: () => undefined });
  const times: number[] = [];
  try {
    await database.rows(sql`delete from webhook_queue`);
    const worker = crypto.randomUUID();
    await renewWorker(database, worker, ALIVE_MS, false);
    while (goOn()) {
      await database.rows(sql`
        insert into webhook_queue (business_id, endpoint_id, event_id, event_type, event_recorded_at, priority, due_at, created_at)
        select e.business_id, e.id, v.id, v.type, v.recorded_at, 'new', now(), now()
        from webhook_endpoints e join events v on v.business_id = e.business_id and v.id = ${NEWEST_EVENT}
        where e.id = any(${someEndpoints()}::text[])`);
      await takeQueued(database, worker);
      const startedAt = performance.now();
      const claims: Claim[] = await claimDeliveries(database, { ...ROOM, worker }, crypto.randomUUID());
      times.push(performance.now() - startedAt);
      if (claims.length < DUE / 10) throw new Error(`Only ${claims.length} rows were claimed.`);
      await database.rows(sql`delete from webhook_queue`);
      // Dead rows of earlier rounds must not be measured: the queue is as if it had just been filled.
      await database.rows(sql`vacuum webhook_queue`);
    }
  } finally {
    await database.close();
  }
  return times;
}

/** Reads into memory the tables that requests read, with their indexes: a service that has run for long has them there. */
async function readIntoMemory({ rows, database }: Size): Promise<void> {
  await database.rows(sql`create extension if not exists pg_prewarm`);
  const relations = await database.rows<{ oid: string }>(sql`
    with read as (
      select c.oid from pg_class c left join pg_inherits i on i.inhrelid = c.oid
      where c.relkind = 'r' and coalesce(i.inhparent, c.oid) = any('{intents,payments,events}'::regclass[]))
    select r.oid::text from read r union all select x.indexrelid::text from pg_index x join read r on r.oid = x.indrelid`);
  let pages = 0;
  for (const { oid } of relations) {
    const read = await database.row<{ pages: string }>(sql`select pg_prewarm(${oid}::oid, 'read') as pages`);
    pages += Number(read!.pages);
  }
  console.log(
    `Read at ${rows} rows: intents, payments, events and their indexes, ${((pages * 8) / 1024 ** 2).toFixed(2)} GB.`,
  );
}

const someEndpoints = (): string[] =>
  Array.from({ length: DUE }, () => `we_test_${String(Math.floor(Math.random() * ENDPOINTS)).padStart(36, "0")}`);

async function rounds(
  sizes: readonly Size[],
  name: string,
  count: number,
  run: (size: Size, tag: string) => Promise<Round>,
): Promise<void> {
  const measured: Round[][] = sizes.map(() => []);
  for (let round = 0; round < count; round++)
    // First the one, then the other: neither always runs in the other's wake.
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0])
      measured[index]!.push(await run(sizes[index]!, `${name}-${Date.now()}`));
  const of = (index: number, pick: (round: Round) => number) => median(measured[index]!.map(pick));
  const cells = [(round: Round) => round.p50, (round: Round) => round.p99].flatMap((pick) => {
    const [small, large] = [of(0, pick), of(1, pick)];
    return [small.toFixed(2), large.toFixed(2), (large / small).toFixed(2)];
  });
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}

/**
 * Prints the cost of each statement at both sizes, as PostgreSQL reports it: the median time, and the most pages of one
 * execution.
 */
async function explain(sizes: readonly Size[], { title, planning, statements }: StatementGroup): Promise<void> {
  console.log(`\n| ${title} | ${NAMES.map((name) => `${name}: ms | pages`).join(" | ")} |\n|---|---|---|---|---|`);
  for (const { name, run, paid = false } of statements) {
    const cells: string[] = [];
    for (const size of sizes) {
      const explaining = await Explaining.open(size.url, planning);
      const totals: Cost[] = [];
      const largest = (await pickTargets(size, 400, { paid })).filter(({ tenant }) => tenant.businessId === LARGEST);
      for (let execution = 0; execution < EXECUTIONS; execution++) {
        const before = explaining.costs.length;
        await explaining.undone((database, unmeasured) =>
          run(database, largest[execution % largest.length]!, unmeasured),
        );
        const made = explaining.costs.slice(before);
        totals.push({ ms: sum(made.map(({ ms }) => ms)), pages: sum(made.map(({ pages }) => pages)) });
      }
      await explaining.database.close();
      cells.push(median(totals.map(({ ms }) => ms)).toFixed(2), String(Math.max(...totals.map(({ pages }) => pages))));
    }
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/**
 * The same operations on 10 thousand and on 10 million intents, with as many finished deliveries, in databases of one
 * cluster, by turns; then every statement that runs often, explained at both sizes. With a folder, the rows are kept there
 * for another run.
 */
export async function benchGrowth(args: readonly string[]): Promise<void> {
  const [count = 5, seconds = 5, perSecond = 150] = args.slice(0, 3).map(Number);
  const [, , , what = "all", folder] = args;
  const dataDir = folder === undefined ? mkdtempSync(join(tmpdir(), "holdfast-bench-")) : resolve(folder);
  const wallet = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
  await seedCluster(dataDir, wallet, wallet);
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const sizes: Size[] = [];
  try {
    for (const rows of SIZES) {
      const url = await databaseOf(postgres.url, rows);
      const database = openDatabase({
        connection: { connectionString: url },
        connectionsMax: 2,
        statementTimeoutMs: 60_000,
        log: () => undefined,
      });
      // These rows name the chain of an earlier run. The intents that it created stay.
      await database.rows(sql`delete from chains`);
      await database.rows(sql`delete from known_assets`);
      await database.rows(sql`delete from known_recipients`);
      // No worker runs here, so the deliveries of an earlier run's creates would stay in the queue.
      await database.rows(sql`delete from webhook_queue`);
      await database.rows(sql`vacuum webhook_queue`);
      const service = await StandaloneService.start({
        databaseUrl: url,
        slotMs: 400,
        finalizedSlots: 32,
        env: { ROLE: "api" },
      });
      // Sets the watermark as a worker would: no worker runs here, and the API needs one.
      await database.rows(sql`update chains set watermark = now() - interval '30 seconds', reconciled_at = now()`);
      const keys = JSON.parse(readFileSync(join(dataDir, `keys_${rows}.json`), "utf8")) as string[];
      sizes.push({ rows, url, keys, database, service });
    }
    await sizes[0]!.database.rows(sql`checkpoint`);
    const names =
      what === "all"
        ? [...Object.keys(OPERATIONS), "claim", "warm", ...Object.keys(OPERATIONS), "statements"]
        : what.split(",");
    console.log(
      `| operation | ${["p50", "p99"].map((part) => `${NAMES.map((name) => `${part} ms at ${name}`).join(" | ")} | ratio`).join(" | ")} |\n|---|---|---|---|---|---|---|`,
    );
    let warmed = "";
    for (const name of names)
      if (name === "warm") {
        for (const size of sizes) await readIntoMemory(size);
        warmed = ", warmed";
      } else if (name === "statements") {
        for (const group of STATEMENTS) await explain(sizes, group);
      } else if (name === "claim") {
        const claimUnderLoad = (size: Size, tag: string) => claim(size, tag, seconds, perSecond);
        for (const size of sizes) await claimUnderLoad(size, `first-${Date.now()}`);
        await rounds(sizes, name + warmed, count, claimUnderLoad);
      } else {
        // At full speed, so that a create has been made for every business, and its pages are where they are day after day.
        for (const size of sizes) await putLoad(size, name, `first-${Date.now()}`, WARM_MS / 1_000, null);
        await rounds(sizes, name + warmed, count, (size, tag) => putLoad(size, name, tag, seconds, perSecond));
      }
  } finally {
    for (const { service, database } of sizes) {
      await database.close();
      await service.remove();
    }
    await postgres.stop();
    if (folder === undefined) rmSync(dataDir, { recursive: true, force: true });
  }
}
