import type { Settings } from "@holdfast/embedded-postgres/settings.ts";
import { DURABLE } from "@holdfast/embedded-postgres/settings.ts";
import pg from "pg";
import { BASE32 } from "../../server/domain/ids.ts";
import { eventKey } from "../../server/features/events/fragments.ts";
import { FILL_DAYS } from "../../server/features/overview/testing.ts";
import { EVENT_PARTITION_DAYS } from "../../server/features/webhooks/delivery/upkeep.ts";
import { endOfPeriod, startOfPeriod } from "../../server/store/partitions.ts";
import { sql } from "../../server/store/sql.ts";

/**
 * For the time of seeding alone: tables filled in the transaction that empties them are written once, not twice. What
 * comes out is an ordinary durable cluster once the server has been stopped in order and started with its own settings.
 */
export const SEEDING: Settings = {
  ...DURABLE,
  wal_level: "minimal",
  max_wal_senders: "0",
  fsync: "off",
  full_page_writes: "off",
  autovacuum: "off",
  max_wal_size: "16GB",
  checkpoint_timeout: "1h",
  maintenance_work_mem: "1GB",
  work_mem: "256MB",
  wal_skip_threshold: "0",
};

/** Shape of the history: it is the same at every size. */
export const BUSINESSES = 10_000;
export const ENDPOINTS = 10_000;
/** The event that every business with endpoints received last. */
export const NEWEST_EVENT = `evt_test_${"f".repeat(36)}`;
const DAYS_KEPT = 30;
const DAY_MS = 86_400_000;
const LANES = 2;

export interface History {
  readonly url: string;
  /** Intents; as many finished deliveries, each with its attempt. */
  readonly rows: number;
  readonly recipient: string;
  readonly asset: string;
}

/** The tag of a business, as `tagOf` makes it. */
const tagOf = (business: string): string =>
  [15, 10, 5, 0]
    .map((shift) => `substr('${BASE32}', 1 + ((('x' || right(${business}, 5))::bit(20)::integer >> ${shift}) & 31), 1)`)
    .join(" || ");
const BUSINESS_OF_S = "'biz_' || lpad(s.b::text, 32, '0')";
const BUSINESS_OF_D = "'biz_' || lpad((1 + d.e / 2)::text, 32, '0')";

/**
 * The rows in their order of creation: 85 in 100 are spread over a year until six days ago, and all of them are paid (43 %),
 * expired (47 %) or canceled. The others came since then; two thirds of them are open, which is a tenth of all. One business
 * has a tenth of all rows, nine share three tenths, ninety share three more, and the remaining businesses share the rest.
 */
const PLAN = (rows: number, base: string) => `
  create unlogged table seeded as
  select s.i, ${BUSINESS_OF_S} as business, s.at, s.status,
    'pi_test_' || ${tagOf(BUSINESS_OF_S)} || lpad(to_hex((extract(epoch from s.at) * 1000)::bigint), 12, '0') || lpad(to_hex(s.i % 16777216), 6, '0') || left(md5(s.i::text), 14) as id,
    case when s.status = 'paid' then 'P' || translate(left(md5(s.i || 'a') || md5(s.i || 'b'), 42), '0', 'z') end as address
  from (
    select h.i,
      case when h.r < 10 then 1 when h.r < 40 then 2 + h.q % 9 when h.r < 70 then 11 + h.q % 90 else 101 + h.q % ${BUSINESSES - 100} end as b,
      date_trunc('milliseconds', timestamptz '${base}' - case
        when h.i <= ${rows} * 0.85 then interval '6 days' + interval '359 days' * (1 - h.i / (${rows} * 0.85))
        else interval '1 minute' + interval '6 days' * (${rows} - h.i) / (${rows} * 0.15) end) as at,
      case when h.i <= ${rows} * 0.85
        then case when h.s < 43 then 'paid' when h.s < 90 then 'expired' else 'canceled' end
        else case when h.s < 67 then 'requires_payment' when h.s < 90 then 'paid' else 'canceled' end end as status
    from (
      select i, (hashint8(i) & 2147483647) % 100 as r, (hashint8(i) & 2147483647) / 100 as q,
        (hashint8(i * 7 + 3) & 2147483647) % 100 as s
      from generate_series(1::bigint, ${rows}) i) h) s`;

/**
 * The insert that fills each table. `recorded_sequence` and the sequences of events have gaps: no statement relies on their
 * absence.
 */
const fills = ({ rows, recipient, asset }: History): Readonly<Record<string, string>> => ({
  intents: `
    insert into intents (business_id, id, environment, status, holds_reference, recipient, amount, asset, protection_period,
      merchant_reference, metadata, payment_id, payment_address, created_at, expires_at, canceled_at, last_occurred_at, list_position)
    select business, id, 'test', status, status = 'requires_payment', '${recipient}', 1000000 + i % 9000000, '${asset}', 'sevenDays',
      'order-' || i, '{"order":"' || i || '"}', i, address, at, date_trunc('second', at) + interval '7 days',
      case when status = 'canceled' then at + interval '1 hour' end, at + interval '1 hour', i
    from seeded`,
  // Payments: one in 200 is disputed and one in 100 came late. Those older than a week are settled, except one in 40 that was never
  // settled.
  payments: `
    insert into payments (business_id, address, environment, intent_id, generation, recorded_sequence, role, status, sender,
      recipient, amount, asset, protection_period, merchant_reference, late_reason, signature, created_at,
      protection_deadline, disputed_at, settled_at, refunded_at, checked_at, settleable_event_sent, created_slot, observed_slot, finalized,
      arbiter, amount_released, amount_refunded, refund_total, outcome)
    select p.business, p.address, 'test', p.id, 1, 4 * p.i + 2, 'primary', p.now, 'S' || translate(left(md5(p.i || 's') || md5(p.i || 't'), 42), '0', 'z'),
      '${recipient}', 1000000 + p.i % 9000000, '${asset}', 'sevenDays', 'order-' || p.i,
      case when p.i % 100 = 1 then 'paid_after_expiry' end,
      'G' || translate(left(md5(p.i || 'g') || md5(p.i || 'h') || md5(p.i || 'i'), 86), '0', 'z'), p.at + interval '1 minute',
      p.at + interval '7 days 1 minute', case when p.now in ('disputed', 'refunded') then p.at + interval '1 day' end,
      case when p.now = 'released' then p.at + interval '7 days 2 minutes' end, case when p.now = 'refunded' then p.at + interval '2 days' end,
      p.at + interval '7 days', p.i <= ${rows} * 0.85, p.i, p.i, p.i <= ${rows} - 100,
      '${recipient}', case when p.now = 'released' then 1000000 + p.i % 9000000 else 0 end,
      case when p.now = 'refunded' then 1000000 + p.i % 9000000 else 0 end, case when p.now = 'refunded' then 1000000 + p.i % 9000000 else 0 end,
      case p.now when 'released' then 'settled' when 'refunded' then 'resolved' end
    from (
      select s.*, case when i % 200 = 7 then 'disputed' when i % 50 = 3 then 'refunded' when i > ${rows} * 0.85 or i % 40 = 11 then 'protected' else 'released' end as now
      from seeded s where status = 'paid') p`,
  event_keys: `
    insert into event_keys (business_id, key)
    select s.business, ${eventKey(sql`k.object`, sql`1`, sql`k.transition`).strings[0]} from seeded s cross join lateral (values
      (case when s.status in ('paid', 'canceled') then s.id end, 'payment_intent.' || s.status),
      (s.address, 'payment.protected')) as k (object, transition)
    where k.object is not null`,
  // Rows of a day: these tables keep rows no longer.
  idempotency_keys: `
    insert into idempotency_keys (business_id, environment, key, fingerprint, status, body, created_at)
    select business, 'test', 'key-' || i, sha256(i::text::bytea), 201, repeat('x', 650), at
    from seeded where at > (select max(at) from seeded) - interval '23 hours'`,
});

/** The rows of a partition: events of the intents of its days, or, in a daily partition, an even share of the deliveries. */
const partitionFills = ({ rows }: History, from: string, to: string): Readonly<Record<string, string>> => {
  const deliveries = `
    select ${BUSINESS_OF_D} as business, 'we_test_' || lpad(d.e::text, 36, '0') as endpoint,
      'evt_test_' || ${tagOf(BUSINESS_OF_D)} || lpad(to_hex((extract(epoch from d.at) * 1000)::bigint), 12, '0') || lpad(to_hex(d.i % 16777216), 6, '0') || left(md5(d.i::text), 14) as event, d.at, d.i
    from (
      -- Endpoints of the larger businesses have more to do.
      select i, floor(${ENDPOINTS} * power((hashint8(i) & 2147483647) / 2147483648.0, 3))::integer as e,
        timestamptz '${from}' + interval '1 day' * i / ${Math.ceil(rows / DAYS_KEPT)} * 0.999 as at
      from generate_series(1::bigint, ${Math.ceil(rows / DAYS_KEPT)}) i) d`;
  return {
    events: `
      select s.business as business_id, 'test' as environment,
        'evt_test_' || ${tagOf("s.business")} || lpad(to_hex((extract(epoch from s.at) * 1000)::bigint), 12, '0') || lpad(to_hex((3 * s.i + k.nth) % 16777216), 6, '0') || left(md5(s.i || '.'), 14) as id,
        4 * s.i + k.nth as sequence, k.type, s.id as intent_id, case when k.nth = 2 then s.address end as payment_address,
        s.at - (4 - k.nth) * interval '1 second' as occurred_at, s.at as created_at, s.at as recorded_at,
        '{"object":"event","id":"' || s.i || '","data":"' || repeat(md5(s.i::text), 26) || '"}' as body
      from seeded s cross join lateral (values
        (1, 'payment_intent.created'),
        (2, case when s.status = 'paid' then 'payment.protected' end),
        (3, case when s.status <> 'requires_payment' then 'payment_intent.' || s.status end)) as k (nth, type)
      where k.type is not null and s.at >= '${from}' and s.at < '${to}'`,
    webhook_deliveries: `
      select business as business_id, endpoint as endpoint_id, event as event_id,
        -- One in fifty thousand is of a type that hardly occurs, and was never received.
        case when i % 50000 = 7 then 'payment.decided' else 'payment.protected' end as event_type, at as event_recorded_at,
        'pi_test_' || lpad(to_hex(i / 3), 36, '0') as intent_id,
        -- One in a thousand was never received.
        case when i % 1000 = 7 then 'abandoned' else 'succeeded' end as status, case when i % 1000 = 7 then 9 else 1 end as attempts,
        case when i % 1000 = 7 then 500 else 200 end as status_code, case when i % 1000 = 7 then 'server_error' end as error_class,
        at as created_at, at as finished_at from (${deliveries}) d`,
    webhook_attempts: `
      select business as business_id, endpoint as endpoint_id, event as event_id, '' as resend, 1 as number, at as started_at,
        at + interval '80 milliseconds' as ended_at, true as succeeded, 200 as status_code, null as error, at as recorded_at from (${deliveries}) d`,
  };
};

/** Empties the table and fills it without its indexes, which are then built again in the order in which they were made. */
async function refill(client: pg.Client, table: string, fill: string): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string; constraint: string | null }>(
    `select i.relname as name, pg_get_indexdef(x.indexrelid) as definition, pg_get_constraintdef(c.oid) as constraint
     from pg_index x join pg_class i on i.oid = x.indexrelid left join pg_constraint c on c.conindid = x.indexrelid and c.conrelid = x.indrelid
     where x.indrelid = $1::regclass order by x.indexrelid`,
    [table],
  );
  await client.query("begin");
  await client.query(`truncate ${table}`);
  for (const { name, constraint } of indexes)
    await client.query(constraint === null ? `drop index ${name}` : `alter table ${table} drop constraint ${name}`);
  await client.query(fill);
  for (const { name, definition, constraint } of indexes)
    await client.query(constraint === null ? definition : `alter table ${table} add constraint ${name} ${constraint}`);
  await client.query("commit");
}

/** A partition, filled before it joins its table and gets the indexes of it. */
async function fillPartition(client: pg.Client, table: string, from: string, to: string, fill: string): Promise<void> {
  const partition = `${table}_${from.replaceAll("-", "")}`;
  const columns = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  const names = columns.rows.map(({ name }) => name).join(", ");
  const values = columns.rows.map(({ name, type }) => `filled.${name}::${type}`).join(", ");
  await client.query("begin");
  await client.query(`create table ${partition} (like ${table} including defaults including constraints)`);
  await client.query(`insert into ${partition} (${names}) select ${values} from (${fill}) filled`);
  await client.query(
    `alter table ${partition} add constraint of_these_days check (${PARTED_BY[table]} >= '${from} 00:00Z' and ${PARTED_BY[table]} < '${to} 00:00Z')`,
  );
  await client.query(
    `alter table ${table} attach partition ${partition} for values from ('${from} 00:00Z') to ('${to} 00:00Z')`,
  );
  await client.query(`alter table ${partition} drop constraint of_these_days`);
  await client.query("commit");
}

const PARTED_BY: Readonly<Record<string, string>> = {
  events: "recorded_at",
  webhook_deliveries: "finished_at",
  webhook_attempts: "recorded_at",
  request_log: "arrived_at",
};

const PARTITION_DAYS: Readonly<Record<string, number>> = {
  events: EVENT_PARTITION_DAYS,
  webhook_deliveries: 1,
  webhook_attempts: 1,
};

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The first day of each partition that is kept, and the day after its last. */
function periods(now: Date, days: number): { from: string; to: string }[] {
  const found: { from: string; to: string }[] = [];
  let from = startOfPeriod(new Date(now.getTime() - DAYS_KEPT * DAY_MS), days);
  while (from <= now) {
    const to = endOfPeriod(from, days);
    found.push({ from: dayOf(from), to: dayOf(to) });
    from = to;
  }
  return found;
}

/**
 * Fills a migrated database, whose businesses are those of `seedBusinesses`, with a year of history (the last thirty days
 * of it as events, deliveries and attempts), and vacuums it. Bodies of events are of their usual length, without their usual words.
 */
export async function seedHistory(history: History): Promise<void> {
  const now = new Date();
  const lastSequence = 4 * history.rows + 4;
  const client = await connect(history.url);
  await client.query(PLAN(history.rows, now.toISOString()));
  await client.query("create index on seeded using brin (at)");
  await client.query("analyze seeded");
  await client.query(`
    insert into webhook_endpoints (business_id, id, environment, slot, url, event_types, api_version, secret, created_at)
    select 'biz_' || lpad((1 + e / 2)::text, 32, '0'), 'we_test_' || lpad(e::text, 36, '0'), 'test', 1 + e % 2, 'https://h' || e || '.shop-demo.com/',
      case when e % 2 = 1 then array['payment.protected', 'payment.settleable'] end, '2026-01-01', 'v1.seeded', now()
    from generate_series(0, ${ENDPOINTS - 1}) e`);
  await client.query(`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    values ('test', '${history.asset}', true, 6, 'any', '{}', now())`);
  await client.query(`update event_counters set last_sequence = ${lastSequence}`);
  const tasks: [string, (client: pg.Client) => Promise<unknown>][] = Object.entries(fills(history)).map(
    ([table, fill]) => [table, (lane) => refill(lane, table, fill)],
  );
  for (const [table, days] of Object.entries(PARTITION_DAYS))
    for (const { from, to } of periods(now, days)) {
      // Today's deliveries are still to come.
      if (table !== "events" && to > dayOf(now)) continue;
      const fill = partitionFills(history, from, to)[table]!;
      tasks.push([`${table} ${from}`, (lane) => fillPartition(lane, table, from, to, fill)]);
    }
  await inLanes(history.url, tasks);
  await client.query("drop table seeded");
  await client.query(FILL_DAYS);
  await client.query(`
    insert into events (business_id, environment, id, sequence, type, intent_id, payment_address, occurred_at, created_at, recorded_at, body)
    select distinct business_id, 'test', '${NEWEST_EVENT}', ${lastSequence}, 'payment_intent.created', null, null, '${now.toISOString()}'::timestamptz,
      '${now.toISOString()}'::timestamptz, '${now.toISOString()}'::timestamptz, repeat('y', 900)
    from webhook_endpoints`);
  const { rows: tables } = await client.query<{ name: string }>(
    "select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind = 'r' order by pg_relation_size(c.oid) desc",
  );
  await inLanes(
    history.url,
    tables.map(({ name }) => [`vacuum ${name}`, (lane) => lane.query(`vacuum (analyze) ${name}`)]),
  );
  await client.query("analyze events, webhook_deliveries, webhook_attempts");
  await client.end();
}

/** Days for which requests are kept. */
const REQUEST_DAYS = 7;

/**
 * Fills the log of the largest business with `rows` requests, spread evenly over the days that are kept until today. One in
 * fifty failed, one in ten thousand came with a third key, and one in five hundred of those failed with a rare error.
 */
export async function seedRequests(url: string, rows: number): Promise<void> {
  const today = startOfPeriod(new Date(), 1);
  const each = Math.ceil(rows / REQUEST_DAYS);
  const tasks = Array.from({ length: REQUEST_DAYS }, (_, day): [string, (client: pg.Client) => Promise<unknown>] => {
    const at = new Date(today.getTime() - (REQUEST_DAYS - day) * DAY_MS);
    const [from, to] = [dayOf(at), dayOf(endOfPeriod(at, 1))];
    return [`request_log ${from}`, (lane) => fillPartition(lane, "request_log", from, to, requestsOf(from, day, each))];
  });
  await inLanes(url, tasks);
  const client = await connect(url);
  await client.query("vacuum (analyze) request_log");
  await client.end();
}

const requestsOf = (from: string, day: number, each: number): string => `
  select 'biz_' || lpad('1', 32, '0') as business_id, 'test' as environment,
    'req_' || lpad(to_hex((extract(epoch from r.at) * 1000)::bigint), 12, '0') || lpad(to_hex(r.n), 20, '0') as id,
    'key_' || case when r.n % 10000 = 57 then 2 else r.n % 2 end as key_id, 'POST' as method, '/api/v1/payment-intents' as path,
    case when r.n % 50 = 7 then 400 else 201 end as status,
    case when r.n % 5000000 = 57 then 'rate_limited' when r.n % 50 = 7 then 'invalid_request' end as error_code, 2.5 as duration_ms,
    'pi_test_' || lpad(to_hex(r.n / 3), 36, '0') as object_id, null as body, null as answer, r.at as arrived_at
  from (
    select ${day}::bigint * ${each} + n as n, timestamptz '${from} 00:00Z' + interval '1 day' * n / ${each} * 0.999 as at
    from generate_series(0::bigint, ${each - 1}) n) r`;

/**
 * Queues a backlog of `rows` events for the endpoint that gets the most. One in five hundred was tried, and one in a hundred
 * of those is of a rare type.
 */
export async function seedBacklog(url: string, rows: number): Promise<void> {
  const client = await connect(url);
  await client.query(`
    insert into webhook_queue (business_id, endpoint_id, event_id, event_type, event_recorded_at, priority, due_at, attempts,
      status_code, error_class, created_at)
    select 'biz_' || lpad('1', 32, '0'), 'we_test_' || lpad('0', 36, '0'), 'evt_test_' || lpad(to_hex(n), 36, '0'),
      case when n % 50000 = 1 then 'payment.decided' else 'payment.protected' end, now(), 'new', now(),
      case when n % 500 = 1 then 1 else 0 end, case when n % 500 = 1 then 500 end, case when n % 500 = 1 then 'server_error' end, now()
    from generate_series(1, ${rows}) n`);
  await client.query("vacuum (analyze) webhook_queue");
  await client.end();
}

/** Every hour of the days that are kept, of two hundred endpoints, a day at a time, as upkeep makes them. */
export async function seedHours(url: string): Promise<void> {
  const client = await connect(url);
  await client.query(`
    insert into webhook_hours (business_id, endpoint_id, hour, attempts, succeeded, took_ms, took_ms_max, first_attempts, waited_ms)
    select e.business_id, e.id, h, 40, 38, 4210, 1900, 39, 1180
    from generate_series(date_trunc('hour', now()) - interval '${DAYS_KEPT - 1} days', now(), interval '1 hour') h, (select business_id, id from webhook_endpoints order by id limit 200) e
    order by date_trunc('day', h), e.business_id, e.id, h`);
  await client.query("vacuum (analyze) webhook_hours");
  await client.end();
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // References to businesses hold by the way the rows are made; asking row by row would take longer than writing them.
  await client.query("set session_replication_role = replica");
  return client;
}

async function inLanes(
  url: string,
  tasks: readonly [string, (client: pg.Client) => Promise<unknown>][],
): Promise<void> {
  const queue = [...tasks];
  const lane = async () => {
    const client = await connect(url);
    await using _ended = { [Symbol.asyncDispose]: () => client.end() };
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
      const startedAt = performance.now();
      await task[1](client).catch((error: Error) => {
        throw new Error(`Seeding ${task[0]}: ${error.message}`, { cause: error });
      });
      const seconds = (performance.now() - startedAt) / 1_000;
      if (seconds > 5) console.error(`  ${task[0]}: ${seconds.toFixed(0)} s`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
