import { randomUUID } from "node:crypto";
import { createBatch } from "../../../lib/batch.ts";
import type { Database, Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { DatabaseUnavailable } from "../../../store/unavailable.ts";
import { CONCURRENCY_LIMIT_MAX, type Flow, type Need, type Share } from "./permits.ts";
import { ATTEMPT_MS } from "./send.ts";

/** Places are held for so long unless renewed; those of a worker that died are free again after it. */
const HELD_MS = 20_000;
const ASKED_MAX = 1_000;
const WAITING_MAX = 100_000;

/** What one worker asks for at one endpoint. */
export interface Asking extends Need {
  readonly businessId: string;
  readonly endpointId: string;
}

interface Given extends Share {
  readonly endpoint_id: string;
}

/**
 * Shares an endpoint's places out among workers, so that all together never have more under way than its cap. The row's
 * lock makes it exact: whoever comes second sees what the first was given. Beside others nobody gets more than an equal
 * share; one who gets nothing is still counted, so that the others make room. The cap is what all have learned together:
 * successes of all make it grow, one more for each run as long as itself, which here is solved in one go; whoever is told
 * to send less lowers it for all. Rows are locked in the order of their keys so that workers don't deadlock.
 */
export const takePermits = (db: Db, worker: string, asked: readonly Asking[], heldMs = HELD_MS): Promise<Given[]> =>
  db.rows<Given>(sql`
    with asked as (
      select * from unnest(${asked.map((one) => one.businessId)}::text[], ${asked.map((one) => one.endpointId)}::text[],
        ${asked.map((one) => one.wanted)}::integer[], ${asked.map((one) => one.used)}::integer[],
        ${asked.map((one) => one.successes)}::integer[], ${asked.map((one) => one.failed)}::boolean[],
        ${asked.map((one) => one.lowered)}::integer[])
        as a (business_id, endpoint_id, wanted, used, successes, failed, lowered)),
    locked as (
      select p.*, a.wanted, a.used, least(p.concurrency_limit, a.lowered)::integer as low,
        case when a.failed then 0 else p.success_streak end + a.successes as successes
      from webhook_permits p join asked a on a.business_id = p.business_id and a.endpoint_id = p.endpoint_id
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
    shared as (
      select w.*, greatest(w.used, least(w.wanted, w.concurrency_limit - w.taken, (w.concurrency_limit + w.sharing - 1) / w.sharing)) as given
      from weighed w)
    update webhook_permits p set workers = s.workers || ${worker}::uuid, permits = s.permits || s.given::smallint,
      expire_at = s.expire_at || (now() + make_interval(secs => ${heldMs / 1000}::double precision)),
      concurrency_limit = s.concurrency_limit, success_streak = s.success_streak
    from shared s where p.business_id = s.business_id and p.endpoint_id = s.endpoint_id
    returning p.endpoint_id, s.given as permits, s.taken, s.sharing as workers, s.concurrency_limit as "concurrencyLimit", s.success_streak as "successStreak"`);

interface Place {
  readonly endpointId: string;
  readonly flow: Flow;
}

/** This worker's part of every endpoint it sends to. One statement at a time asks for all who wait. */
export class Sharing {
  readonly #database: Database;
  readonly #worker = randomUUID();
  readonly #held = new Map<string, Place>();
  readonly #take: (place: Place) => Promise<void>;

  constructor(database: Database) {
    this.#database = database;
    this.#take = createBatch<Place, void>({
      name: "take_permits",
      runAll: async (places) => {
        await this.#ask([...new Map(places.map((place) => [place.endpointId, place])).values()]);
        return places.map(() => ({ ok: true, value: undefined }));
      },
      runOne: (place) => this.#ask([place]),
      itemsMax: ASKED_MAX,
      // One after the other: the answers must come in the order they were given.
      batchesMax: 1,
      waitingMax: WAITING_MAX,
      waitMsMax: HELD_MS,
      isWorthSplitting: (error) => !(error instanceof DatabaseUnavailable),
    });
  }

  /** Asks for places, or asks again; the answer is in the flow. */
  ask(endpointId: string, flow: Flow): Promise<void> {
    return this.#take({ endpointId, flow });
  }

  /** Asks again where the time runs out, where others want more room, or where there was none. True: there is some now. */
  async renew(): Promise<boolean> {
    const now = performance.now();
    for (const [id, { flow }] of this.#held) if (flow.isIdle(now)) this.#held.delete(id);
    const due = [...this.#held.values()].filter(({ flow }) => flow.isToRenew(now));
    const full = due.filter(({ flow }) => flow.free === 0);
    await Promise.all(due.map(this.#take));
    return full.some(({ flow }) => flow.free > 0);
  }

  /** Gives everything back; nothing may be under way any more. */
  async close(): Promise<void> {
    const asked = this.#asking([...this.#held.values()]).map((one) => ({ ...one, wanted: 0, used: 0 }));
    if (asked.length > 0) await takePermits(this.#database, this.#worker, asked, 0);
  }

  #asking(places: readonly Place[]): Asking[] {
    const now = performance.now();
    return places.map(({ endpointId, flow }) => ({ businessId: flow.businessId, endpointId, ...flow.ask(now) }));
  }

  async #ask(places: readonly Place[]): Promise<void> {
    const askedAt = performance.now();
    let given: Given[];
    try {
      given = await takePermits(this.#database, this.#worker, this.#asking(places));
    } catch (error) {
      for (const { flow } of places) flow.fail();
      throw error;
    }
    const shares = new Map(given.map((one) => [one.endpoint_id, one]));
    for (const place of places) {
      const share = shares.get(place.endpointId);
      // Deleted meanwhile.
      if (share === undefined) this.#held.delete(place.endpointId);
      else {
        this.#held.set(place.endpointId, place);
        place.flow.give(share, askedAt + HELD_MS - ATTEMPT_MS);
      }
    }
  }
}
