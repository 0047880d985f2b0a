import { readNow } from "../../../store/clock.ts";
import type { Database, Db } from "../../../store/database.ts";
import { plannedOnce } from "../../../store/planSettings.ts";
import { relation, type Sql, sql } from "../../../store/sql.ts";
import { draftEvent } from "../../events/event.ts";
import { recordEvents } from "../fragments.ts";
import {
  DELIVERY_STEPS,
  ENDPOINT_STEPS,
  type EndpointRow,
  type ErrorClass,
  pendingDisabledEvent,
  readEndpointRow,
} from "../webhook.ts";
import type { Claim } from "./claims.ts";
import { deliveryTime } from "./clock.ts";
import { ABANDONED_IN_A_ROW_MAX, ATTEMPTS_MAX, RETRY_WAITS_MS } from "./schedule.ts";

/** The result of one attempt. Its times are ages, so that all stored times are of the database's clock. */
export interface Result {
  readonly claim: Claim;
  readonly succeeded: boolean;
  readonly statusCode: number | null;
  /** A text for the merchant; null if it succeeded. */
  readonly error: string | null;
  readonly errorClass: ErrorClass | null;
  readonly tookMs: number;
  /** The time since it ended. */
  readonly agoMs: number;
}

const isAbandoning = ({ claim, succeeded }: Result): boolean => !succeeded && claim.attempts + 1 >= ATTEMPTS_MAX;

/**
 * Records results in order. A result counts only while the row still has the token of its claim: the late result of a
 * worker that was frozen past its lease changes nothing. Attempts are counted here, not when claimed, so a crash in
 * between costs no attempt, only a possible duplicate. `onDisabled` is called with the endpoints that this disabled.
 */
export async function completeDeliveries(
  database: Database,
  results: readonly Result[],
  onDisabled: (endpointId: string) => void = () => undefined,
): Promise<void> {
  let batch: Result[] = [];
  const flush = async () => {
    if (batch.length > 0) await completeScheduled(database, batch);
    batch = [];
  };
  // A result that may raise an endpoint's count, or is of a resend, is written alone and in order: "five in a row" is exact.
  for (const result of results) {
    if (result.claim.kind === "scheduled" && !isAbandoning(result)) batch.push(result);
    else {
      await flush();
      if (result.claim.kind !== "scheduled") await completeResend(database, result);
      else if (await abandonDelivery(database, result)) onDisabled(result.claim.endpoint_id);
    }
  }
  await flush();
}

/**
 * Planner settings of the connections that record results. Every access there is by key, and with these settings the
 * planner can only use a bitmap of a key: no plan made while the queue was empty reads all of it later. Only rows have
 * a cost: costs of pages and comparisons would favour the smaller indexes that begin with the same columns as the key,
 * which an empty queue does not outweigh.
 */
export const RECORDING_PLANNING = plannedOnce(
  ["seqscan", "indexscan", "indexonlyscan", "hashjoin", "mergejoin"],
  "random_page_cost=0",
  "seq_page_cost=0",
  "cpu_operator_cost=0",
);

/** CTE `given`: the results in the order of their keys, so that batches don't deadlock. */
function givenResults(results: readonly Result[]): Sql {
  const rows = results.map(({ claim, ...result }) => ({
    business_id: claim.business_id,
    endpoint_id: claim.endpoint_id,
    event_id: claim.event_id,
    resend: claim.resend,
    token: claim.token,
    succeeded: result.succeeded,
    status_code: result.statusCode,
    error: result.error,
    error_class: result.errorClass,
    took_ms: result.tookMs,
    ago_ms: result.agoMs,
  }));
  return sql`
    given as materialized (
      select g.business_id, g.endpoint_id, g.event_id, g.resend, g.token, g.succeeded, g.status_code, g.error, g.error_class,
        ${deliveryTime()} - make_interval(secs => (g.ago_ms + g.took_ms) / 1000) as started_at,
        ${deliveryTime()} - make_interval(secs => g.ago_ms / 1000) as ended_at
      from ${resultRows(rows)}
      order by g.business_id collate "C", g.endpoint_id collate "C", g.event_id collate "C")`;
}

const resultRows = relation("g", {
  business_id: "text",
  endpoint_id: "text",
  event_id: "text",
  resend: "text",
  token: "uuid",
  succeeded: "boolean",
  status_code: "smallint",
  error: "text",
  error_class: "text",
  took_ms: "double precision",
  ago_ms: "double precision",
});

/** CTEs `claimed` and `logged`: locks the one row that still has the claim's token, and logs its attempt. */
const lockClaimed = (result: Result): Sql => sql`
    ${givenResults([result])},
    claimed as (
      select q.business_id, q.endpoint_id, q.event_id, q.kind, q.resend, q.event_type, q.event_recorded_at, q.intent_id, q.attempts,
        q.created_at, q.next_event_id, g.succeeded, g.status_code, g.error, g.error_class, g.started_at, g.ended_at
      from webhook_queue q join given g on ${isGiven}
      for update of q),
    ${logAttempts(sql`
      select *, case when kind = 'scheduled' then attempts + 1 end as number from claimed`)}`;

/** CTE `logged`: logs attempts, rows with the columns of `webhook_attempts`. */
const logAttempts = (attempts: Sql): Sql => sql`
    logged as (
      insert into webhook_attempts (business_id, endpoint_id, event_id, resend, number, started_at, ended_at, succeeded,
        status_code, error, recorded_at)
      select business_id, endpoint_id, event_id, resend, number, started_at, ended_at, succeeded, status_code, error, ${deliveryTime()}
      from (${attempts}) a)`;

/** Literals, so that the texts stay few. */
const FINISHED = { succeeded: sql`'succeeded'`, abandoned: sql`'abandoned'` };

/** Inserts deliveries that a step finishes, from rows of the queue; `last` replaces what their last attempt changed. */
export const finish = (
  rows: Sql,
  step: keyof typeof DELIVERY_STEPS,
  last: { readonly attempts?: Sql; readonly statusCode?: Sql; readonly errorClass?: Sql } = {},
): Sql => sql`
      insert into webhook_deliveries (business_id, endpoint_id, event_id, event_type, event_recorded_at, intent_id, created_at,
        status, attempts, status_code, error_class, finished_at)
      select business_id, endpoint_id, event_id, event_type, event_recorded_at, intent_id, created_at,
        ${FINISHED[DELIVERY_STEPS[step].to]}, ${last.attempts ?? sql`attempts`}, ${last.statusCode ?? sql`status_code`}, ${last.errorClass ?? sql`error_class`},
        ${deliveryTime()}
      from ${rows}`;

const isGiven = sql`g.business_id = q.business_id and g.endpoint_id = q.endpoint_id and g.event_id = q.event_id
        and g.resend = q.resend and g.token = q.lease_token`;

const TOOK_MS = sql`round(extract(epoch from ended_at - started_at) * 1000)::bigint`;
/** The time that an event waited for its attempt. A test's clock may be before it. */
const WAITED_MS = sql`greatest(0, round(extract(epoch from started_at - created_at) * 1000))::bigint`;

/**
 * CTE `hours`: counts attempts in the hour of their recording. Nothing reads it, so PostgreSQL runs it after the
 * statement's own update of endpoints: statements lock endpoints first and hours after them, in one order.
 */
const countAttempts = (attempts: Sql): Sql => sql`
    hours as (
      insert into webhook_hours as h (business_id, endpoint_id, hour, attempts, succeeded, took_ms, took_ms_max, first_attempts, waited_ms)
      select a.business_id, a.endpoint_id, date_trunc('hour', ${deliveryTime()}, 'UTC'), count(*), count(*) filter (where a.succeeded),
        sum(a.took_ms), max(a.took_ms), count(*) filter (where a.number = 1),
        coalesce(sum(a.waited_ms) filter (where a.number = 1), 0)
      from (${attempts}) a
      group by a.business_id, a.endpoint_id order by a.business_id, a.endpoint_id
      on conflict (business_id, endpoint_id, hour) do update set
        attempts = h.attempts + excluded.attempts, succeeded = h.succeeded + excluded.succeeded,
        took_ms = h.took_ms + excluded.took_ms, took_ms_max = greatest(h.took_ms_max, excluded.took_ms_max),
        first_attempts = h.first_attempts + excluded.first_attempts, waited_ms = h.waited_ms + excluded.waited_ms)`;

const onKey = sql`
  q.business_id = c.business_id and q.endpoint_id = c.endpoint_id and q.event_id = c.event_id and q.resend = c.resend`;

/**
 * Records successes, and failures that are tried again, in one statement. A success sets the endpoint's count to 0.
 * The endpoint's row is written only when its health changes (§6.7.7), so steady deliveries do not write it.
 */
const completeScheduled = (db: Db, results: readonly Result[]) =>
  db.rows(sql`
    with ${givenResults(results)},
    done as (
      delete from webhook_queue q using given g where ${isGiven} and g.succeeded
      returning q.business_id, q.endpoint_id, q.event_id, q.event_type, q.event_recorded_at, q.intent_id, q.created_at,
        q.attempts + 1 as number, g.status_code, g.error, g.started_at, g.ended_at),
    put_back as (
      update webhook_queue q set attempts = q.attempts + 1, priority = 'later', lease_token = null, leased_until = null,
        status_code = g.status_code, error_class = g.error_class,
        due_at = g.ended_at + make_interval(secs => (${RETRY_WAITS_MS}::double precision[])[q.attempts + 1] / 1000)
      from given g where ${isGiven} and not g.succeeded
      returning q.business_id, q.endpoint_id, q.event_id, q.created_at, q.attempts as number, g.status_code, g.error, g.started_at, g.ended_at),
    made as (
      select business_id, endpoint_id, event_id, '' as resend, number, created_at, started_at, ended_at, true as succeeded, status_code, error
      from done
      union all
      select business_id, endpoint_id, event_id, '', number, created_at, started_at, ended_at, false, status_code, error
      from put_back),
    ${logAttempts(sql`select * from made`)},
    finished as (${finish(sql`done`, "attempt_succeeded", { attempts: sql`number`, errorClass: sql`null` })}),
    ${countAttempts(sql`
      select business_id, endpoint_id, number, succeeded, ${TOOK_MS} as took_ms, ${WAITED_MS} as waited_ms from made`)},
    ended as (
      select business_id, endpoint_id, ended_at, error,
        max(ended_at) filter (where error is null) over (partition by business_id, endpoint_id) as succeeded_at
      from made),
    health as (
      select business_id, endpoint_id, bool_or(error is null) as any_succeeded,
        min(ended_at) filter (where ended_at > coalesce(succeeded_at, '-infinity')) as failing_since,
        (array_agg(error order by ended_at desc) filter (where ended_at > coalesce(succeeded_at, '-infinity')))[1] as last_error
      from ended
      group by business_id, endpoint_id),
    changing as (
      select h.* from webhook_endpoints e join health h on e.business_id = h.business_id and e.id = h.endpoint_id
      where h.any_succeeded and (e.abandoned_in_a_row <> 0 or e.failing_since is not null)
        or h.last_error is distinct from e.last_error
      order by e.business_id, e.id
      for no key update of e)
    update webhook_endpoints e set
      abandoned_in_a_row = case when c.any_succeeded then 0 else e.abandoned_in_a_row end,
      failing_since = case when c.any_succeeded then c.failing_since else coalesce(e.failing_since, c.failing_since) end,
      last_error = c.last_error
    from changing c
    where e.business_id = c.business_id and e.id = c.endpoint_id`);

/**
 * Records the ninth failure (§6.4.1): the delivery is abandoned, and counted under the lock of the endpoint's row,
 * which makes the count exact. The fifth in a row disables the endpoint and records its event in the same transaction
 * (§6.4.3). Returns true when this disabled the endpoint.
 */
const abandonDelivery = (database: Database, result: Result): Promise<boolean> =>
  database.transaction(async (db) => {
    const fail = ENDPOINT_STEPS.fifth_in_a_row_abandoned;
    const endpoint = await db.row<EndpointRow & { fails: boolean }>(sql`
      with ${lockClaimed(result)},
      done as (delete from webhook_queue q using claimed c where ${onKey} returning q.event_id),
      finished as (${finish(sql`claimed`, "ninth_attempt_failed", { attempts: sql`attempts + 1` })}),
      ${countAttempts(sql`
        select business_id, endpoint_id, attempts + 1 as number, succeeded, ${TOOK_MS} as took_ms, ${WAITED_MS} as waited_ms
        from claimed`)},
      before as (
        select e.*, c.ended_at, c.error from webhook_endpoints e join claimed c on e.business_id = c.business_id and e.id = c.endpoint_id
        for no key update of e)
      update webhook_endpoints e set abandoned_in_a_row = b.abandoned_in_a_row + 1,
        status = case when f.fails then ${fail.to}::text else b.status end,
        times_failing = b.times_failing + f.fails::integer,
        disabled_at = case when f.fails then ${deliveryTime()} else b.disabled_at end,
        failing_since = coalesce(b.failing_since, b.ended_at), last_error = b.error
      from before b cross join lateral (
        select b.status = any(${fail.from}::text[]) and b.abandoned_in_a_row + 1 >= ${ABANDONED_IN_A_ROW_MAX}::integer as fails) f
      where e.business_id = b.business_id and e.id = b.id
      returning e.*, f.fails`);
    if (endpoint === null || !endpoint.fails) return false;
    const tenant = { businessId: endpoint.business_id, environment: endpoint.environment };
    const now = await readNow(db, tenant.environment);
    const pendingEvent = pendingDisabledEvent(readEndpointRow(endpoint), endpoint.times_failing, now);
    await db.rows(sql`
      with ${recordEvents([draftEvent(tenant, pendingEvent, now)])}
      select sequence from recorded_events`);
    return true;
  });

/**
 * Records the attempt of a manual resend (§6.7.5). A success makes the delivery `succeeded`, deletes its scheduled
 * attempt and sets the endpoint's count to 0; a failure is logged and affects the endpoint's health. A test changes
 * nothing else (§6.7.6). Either way, the next event of an ordered resend becomes due.
 */
const completeResend = (database: Database, result: Result) =>
  database.transaction(async (db) => {
    const row = await db.row<ExtraRow>(sql`
      with ${lockClaimed(result)},
      done as (delete from webhook_queue q using claimed c where ${onKey} returning q.event_id),
      next as (
        update webhook_queue q set due_at = ${deliveryTime()}, waits_for_turn = false from claimed c
        where q.business_id = c.business_id and q.endpoint_id = c.endpoint_id and q.event_id = c.next_event_id
          and q.resend = c.resend)
      select kind <> 'test' as counts, succeeded, error, ended_at, ${TOOK_MS} as took_ms from claimed`);
    if (row === null || !row.counts) return;
    if (row.succeeded) await endByResend(db, result);
    else await recordFailure(db, result.claim, row);
    // Last, as in the other statements: none that holds the row of an hour waits for another row.
    const { business_id, endpoint_id } = result.claim;
    await db.rows(sql`
      with ${countAttempts(sql`
        select ${business_id}::text as business_id, ${endpoint_id}::text as endpoint_id, null::integer as number,
          ${row.succeeded}::boolean as succeeded, ${row.took_ms}::bigint as took_ms, 0::bigint as waited_ms`)}
      select 1`);
  });

interface ExtraRow {
  /** False for a test. */
  readonly counts: boolean;
  readonly succeeded: boolean;
  readonly error: string | null;
  readonly ended_at: Date;
  readonly took_ms: string;
}

/** A failed resend affects only the endpoint's health. */
const recordFailure = (db: Db, { business_id, endpoint_id }: Claim, { error, ended_at }: ExtraRow) =>
  db.rows(sql`
    update webhook_endpoints set failing_since = coalesce(failing_since, ${ended_at}::timestamptz), last_error = ${error}::text
    where business_id = ${business_id} and id = ${endpoint_id} and last_error is distinct from ${error}::text`);

/** Makes the delivery `succeeded`, whatever its status was. */
async function endByResend(db: Db, { claim, statusCode }: Result): Promise<void> {
  const { business_id, endpoint_id, event_id } = claim;
  const { from, to } = DELIVERY_STEPS.resend_succeeded;
  // Two statements, because a scheduled attempt may finish the delivery at this moment. The first waits for it at the
  // lock of the pending row; only a statement that begins after that sees the finished delivery.
  await db.rows(sql`
    with pending as (
      delete from webhook_queue q
      where business_id = ${business_id} and endpoint_id = ${endpoint_id} and event_id = ${event_id} and resend = ''
      returning *)
    ${finish(sql`pending`, "resend_succeeded", { statusCode: sql`${statusCode}::smallint`, errorClass: sql`null` })}`);
  await db.rows(sql`
    update webhook_deliveries set status = ${FINISHED[to]}, status_code = ${statusCode}::smallint, error_class = null
    where business_id = ${business_id} and endpoint_id = ${endpoint_id} and event_id = ${event_id}
      and status = any(${from}::text[])`);
  await db.rows(sql`
    update webhook_endpoints set abandoned_in_a_row = 0, failing_since = null, last_error = null
    where business_id = ${business_id} and id = ${endpoint_id} and (abandoned_in_a_row <> 0 or failing_since is not null)`);
}
