import { randomUUID } from "node:crypto";
import { createBatch } from "../../../lib/batch.ts";
import type { Database, Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { ATTEMPT_MS } from "../sending/send.ts";
import { CONCURRENCY_LIMIT_MAX, type EndpointPermits, type PermitGrant, type PermitRequest } from "./permits.ts";

/** The time that a grant lasts unless it is renewed. After it, the permits of a worker that died are free again. */
const HELD_MS = 20_000;
const REQUESTS_MAX = 1_000;
const WAITING_MAX = 100_000;

/** A worker's request for permits of one endpoint. */
export interface EndpointRequest extends PermitRequest {
  readonly businessId: string;
  readonly endpointId: string;
}

interface EndpointGrant extends PermitGrant {
  readonly endpoint_id: string;
}

/**
 * Grants permits of endpoints to one worker, so that all workers together never have more deliveries under way to an
 * endpoint than its concurrency limit. The row lock makes this exact: the second of two workers sees the grant of the
 * first.
 *
 * - `locked`: rows in the order of their keys, so that workers don't deadlock; a failure ends the streak of successes.
 * - `learned`: the limit that all workers have learned together. A worker whose endpoint asked for less lowers it for
 *   all. Otherwise successes raise it by one for each streak as long as the limit itself. Going from limit a to limit b
 *   takes a + (a+1) + … + (b-1) = (b(b-1) - a(a-1)) / 2 successes; the formula is that equation solved for b.
 * - `weighed`: the permits of other workers, without expired grants, and the rest of the streak at the new limit.
 * - `granted`: at most an equal share while others ask too, but never less than what is in use. A worker that gets
 *   none still counts as sharing, so that the others make room.
 */
export const grantPermits = (
  db: Db,
  worker: string,
  requests: readonly EndpointRequest[],
  heldMs = HELD_MS,
): Promise<EndpointGrant[]> =>
  db.rows<EndpointGrant>(sql`
    with requested as (
      select * from unnest(${requests.map((one) => one.businessId)}::text[], ${requests.map((one) => one.endpointId)}::text[],
        ${requests.map((one) => one.wanted)}::integer[], ${requests.map((one) => one.used)}::integer[],
        ${requests.map((one) => one.successes)}::integer[], ${requests.map((one) => one.failed)}::boolean[],
        ${requests.map((one) => one.lowered)}::integer[])
        as a (business_id, endpoint_id, wanted, used, successes, failed, lowered)),
    locked as (
      select p.*, a.wanted, a.used, least(p.concurrency_limit, a.lowered)::integer as low,
        case when a.failed then 0 else p.success_streak end + a.successes as successes
      from webhook_permits p join requested a on a.business_id = p.business_id and a.endpoint_id = p.endpoint_id
      order by p.business_id, p.endpoint_id
      for update of p),
    learned as (
      select s.*, case when s.lowered_now then s.low
        else least(${CONCURRENCY_LIMIT_MAX}::integer, floor((1 + sqrt((2 * s.low - 1) ^ 2 + 8 * s.successes)) / 2)::integer) end as grown
      from (select n.*, n.low < n.concurrency_limit as lowered_now from locked n) s),
    weighed as (
      select l.business_id, l.endpoint_id, l.wanted, l.used, o.taken, o.workers, o.permits, o.expire_at, o.count + 1 as sharing,
        l.grown as concurrency_limit,
        least(l.successes - (l.grown * (l.grown - 1) - l.low * (l.low - 1)) / 2, ${CONCURRENCY_LIMIT_MAX}::integer) as success_streak
      from learned l cross join lateral (
        select coalesce(sum(t.permits), 0)::integer as taken, count(*)::integer as count, coalesce(array_agg(t.worker), '{}') as workers,
          coalesce(array_agg(t.permits), '{}') as permits, coalesce(array_agg(t.expires_at), '{}') as expire_at
        from unnest(l.workers, l.permits, l.expire_at) as t (worker, permits, expires_at)
        where t.worker <> ${worker}::uuid and t.expires_at > now()) o),
    granted as (
      select w.*, greatest(w.used, least(w.wanted, w.concurrency_limit - w.taken, (w.concurrency_limit + w.sharing - 1) / w.sharing)) as allowed
      from weighed w)
    update webhook_permits p set workers = g.workers || ${worker}::uuid, permits = g.permits || g.allowed::smallint,
      expire_at = g.expire_at || (now() + make_interval(secs => ${heldMs / 1000}::double precision)),
      concurrency_limit = g.concurrency_limit, success_streak = g.success_streak
    from granted g where p.business_id = g.business_id and p.endpoint_id = g.endpoint_id
    returning p.endpoint_id, g.allowed as permits, g.taken, g.sharing as workers, g.concurrency_limit as "concurrencyLimit", g.success_streak as "successStreak"`);

interface Held {
  readonly endpointId: string;
  readonly permits: EndpointPermits;
}

/** This worker's permits of all its endpoints. One statement at a time asks for all that wait. */
export class SharedPermits {
  readonly #database: Database;
  readonly #worker = randomUUID();
  readonly #held = new Map<string, Held>();
  readonly #request: (held: Held) => Promise<void>;

  constructor(database: Database) {
    this.#database = database;
    this.#request = createBatch<Held, void>({
      name: "grant_permits",
      runAll: async (all) => {
        await this.#requestAll([...new Map(all.map((held) => [held.endpointId, held])).values()]);
        return all.map(() => ({ ok: true, value: undefined }));
      },
      runOne: (held) => this.#requestAll([held]),
      itemsMax: REQUESTS_MAX,
      // One statement after the other, so that answers arrive in the order of the grants.
      batchesMax: 1,
      waitingMax: WAITING_MAX,
      waitMsMax: HELD_MS,
    });
  }

  /** Asks for permits of an endpoint; `permits` applies the answer. */
  request(endpointId: string, permits: EndpointPermits): Promise<void> {
    return this.#request({ endpointId, permits });
  }

  /**
   * Asks again for the endpoints whose permits expire soon, are wanted by other workers, or were too few. Returns true
   * if an endpoint without permits has some now.
   */
  async renew(): Promise<boolean> {
    const now = performance.now();
    for (const [id, { permits }] of this.#held) if (permits.isIdle(now)) this.#held.delete(id);
    const due = [...this.#held.values()].filter(({ permits }) => permits.shouldRenew(now));
    const full = due.filter(({ permits }) => permits.free === 0);
    await Promise.all(due.map(this.#request));
    return full.some(({ permits }) => permits.free > 0);
  }

  /** Returns all permits. No attempt may be under way. */
  async close(): Promise<void> {
    const requests = this.#requestsOf([...this.#held.values()]).map((one) => ({ ...one, wanted: 0, used: 0 }));
    if (requests.length > 0) await grantPermits(this.#database, this.#worker, requests, 0);
  }

  #requestsOf(all: readonly Held[]): EndpointRequest[] {
    const now = performance.now();
    return all.map(({ endpointId, permits }) => ({
      businessId: permits.businessId,
      endpointId,
      ...permits.request(now),
    }));
  }

  async #requestAll(all: readonly Held[]): Promise<void> {
    const askedAt = performance.now();
    let grants: EndpointGrant[];
    try {
      grants = await grantPermits(this.#database, this.#worker, this.#requestsOf(all));
    } catch (error) {
      for (const { permits } of all) permits.requestFailed();
      throw error;
    }
    const grantOf = new Map(grants.map((one) => [one.endpoint_id, one]));
    for (const held of all) {
      const grant = grantOf.get(held.endpointId);
      // The endpoint was deleted meanwhile.
      if (grant === undefined) this.#held.delete(held.endpointId);
      else {
        this.#held.set(held.endpointId, held);
        held.permits.granted(grant, askedAt + HELD_MS - ATTEMPT_MS);
      }
    }
  }
}
