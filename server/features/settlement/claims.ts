import type { Environment } from "../../domain/terms.ts";
import { type FieldsOf, integer, named, nullable, other, text, time, word } from "../../lib/columns.ts";
import { statementNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { fieldRows, selected } from "../../store/table.ts";
import type { PayoutHold } from "../payments/payoutHold.ts";
import { refusedWaitMs, SENT_WAIT_FIRST_MS, SENT_WAIT_MAX_MS } from "./waits.ts";

/** The chain's clock may lag this far behind ours. The keeper waits that long, or the program would refuse. */
const CHAIN_BEHIND_SECONDS = 3;
/** Counting stops here. The wait has reached its maximum long before. */
const TRIES_MAX = 30;

const CLAIM_COLUMNS = {
  address: word(),
  /** The number of tries, this one included. */
  tries: named("keeper_tries", integer()),
  waitsUntil: named("keeper_waits_until", time()),
  /** The reason why the last try sent nothing. */
  refusal: named("keeper_refusal", nullable(text())),
};

/** A payment that only this worker pays out, until `waitsUntil`. */
export interface Claim extends FieldsOf<typeof CLAIM_COLUMNS> {
  /** The intent's business; null if it matched no intent. */
  readonly businessId: string | null;
  /** The environment's time by which it is due. */
  readonly now: Date;
}

const dueBy = (environment: Environment): Sql =>
  sql`(${statementNow(environment)} - make_interval(secs => ${CHAIN_BEHIND_SECONDS}::double precision))`;

/**
 * The next businesses after `after` that have payments to pay out, and the position of the next call: null at the end
 * of the round. A call visits at most `visited` businesses, and none while nothing is due.
 */
export async function listBusinessesDue(
  db: Db,
  environment: Environment,
  after: string,
  { found, visited }: { readonly found: number; readonly visited: number },
): Promise<{ readonly ids: readonly string[]; readonly next: string | null }> {
  const row = await db.row<{ ids: readonly string[] | null; last: string | null; count: number }>(sql`
    with next as materialized (
      select id from businesses
      where id > ${after}
        and exists (select from payments where environment = ${environment} and keeper_at <= ${dueBy(environment)})
      order by id limit ${visited}::integer)
    select (
        select array_agg(d.id order by d.id) from (
          select n.id from next n
          where exists (
            select from payments p
            where p.business_id = n.id and p.environment = ${environment} and p.keeper_at <= ${dueBy(environment)})
          order by n.id limit ${found}::integer) d) as ids,
      (select max(id) from next) as last, (select count(*)::integer from next) as count`);
  const ids = row!.ids ?? [];
  if (ids.length === found) return { ids, next: ids.at(-1)! };
  return { ids, next: row!.count === visited ? row!.last : null };
}

/**
 * Claims these rows of a table. Skips rows that another worker has locked, and a claimed row is due again only after
 * its wait, so two workers never have the same one. The try is counted now, not when it ends: a worker that is killed
 * each time between sending and recording must not repeat at the shortest wait for ever.
 */
const claim = (environment: Environment, table: Sql, businessId: Sql, due: Sql): Sql => {
  const wait = sql`make_interval(secs => least(
      ${SENT_WAIT_FIRST_MS / 1_000}::double precision * 2 ^ p.keeper_tries, ${SENT_WAIT_MAX_MS / 1_000}::double precision))`;
  return sql`
    with due as (${due})
    update ${table} p set keeper_tries = least(p.keeper_tries + 1, ${TRIES_MAX}::integer),
      keeper_waits_until = date_trunc('milliseconds', ${statementNow(environment)} + ${wait})
    from due where p.ctid = due.ctid
    returning ${businessId} as "businessId", ${selected(CLAIM_COLUMNS, "p")}, ${dueBy(environment)} as now`;
};

/** The rows of a table that are due longest, to be claimed. */
const longestDue = (environment: Environment, table: Sql, mine: Sql, limit: number): Sql => sql`
  select ctid from ${table}
  where ${mine} and environment = ${environment} and keeper_at <= ${dueBy(environment)}
  order by keeper_at limit ${limit}::integer
  for update skip locked`;

/** Claims due payments of these businesses: at most `each` per business, grouped by business. */
export async function claimDue(
  db: Db,
  environment: Environment,
  businessIds: readonly string[],
  each: number,
): Promise<readonly Claim[]> {
  const mine = longestDue(environment, sql`payments`, sql`business_id = b.id`, each);
  const due = sql`select d.ctid from unnest(${businessIds}::text[]) as b (id) cross join lateral (${mine}) d`;
  const claims = await db.rows<Claim>(claim(environment, sql`payments`, sql`p.business_id`, due));
  const of = Map.groupBy(claims, ({ businessId }) => businessId);
  return businessIds.flatMap((id) => of.get(id) ?? []);
}

/** Claims due payments that matched no intent. */
export const claimDueUnmatched = (db: Db, environment: Environment, limit: number) => {
  const table = sql`unmatched_payments`;
  const due = longestDue(environment, table, sql`reason <> 'closed'`, limit);
  return db.rows<Claim>(claim(environment, table, sql`null::text`, due));
};

/** The end of the work on a claim, unless it only waits. */
export type ClaimEnd =
  | {
      readonly kind: "refused";
      readonly claim: Claim;
      readonly reason: string;
      /** Whose part it is; null of a record, and where no part was tried. */
      readonly side: PayoutHold["side"] | null;
    }
  /** Refused, and not tried again. */
  | { readonly kind: "given_up"; readonly claim: Claim; readonly reason: string }
  /** Its wait continues; an earlier refusal no longer holds. */
  | { readonly kind: "sent"; readonly claim: Claim }
  /** Nothing was sent, without a fault of the payment: the try does not count. */
  | { readonly kind: "released"; readonly claim: Claim }
  /** The keeper will never have anything to do. Its wait continues: the books may still hold it for due. */
  | { readonly kind: "done"; readonly claim: Claim };

const REFUSAL_LENGTH_MAX = 300;

/** Records the ends of claims that this worker still holds. */
export async function endClaims(db: Db, environment: Environment, ends: readonly ClaimEnd[]): Promise<void> {
  const ofIntents = ends.filter(({ claim: { businessId } }) => businessId !== null);
  const ofNone = ends.filter(({ claim: { businessId } }) => businessId === null);
  if (ofIntents.length > 0) await db.rows(end(environment, sql`payments`, ofIntents));
  if (ofNone.length > 0) await db.rows(end(environment, sql`unmatched_payments`, ofNone));
}

const endRows = fieldRows("g", {
  ...CLAIM_COLUMNS,
  kind: word(),
  side: nullable(word()),
  wait: nullable(other<number>("double precision")),
});

const end = (environment: Environment, table: Sql, ends: readonly ClaimEnd[]): Sql => {
  const ordered = [...ends].sort((a, b) => (a.claim.address < b.claim.address ? -1 : 1));
  const rows = ordered.map((one) => ({
    ...one.claim,
    kind: one.kind,
    refusal: "reason" in one ? one.reason.slice(0, REFUSAL_LENGTH_MAX) : null,
    side: "side" in one ? one.side : null,
    wait: one.kind === "refused" ? refusedWaitMs(one.claim.tries) / 1_000 : null,
  }));
  return sql`
    update ${table} p set
      keeper_refusal = case when g.kind = 'released' then p.keeper_refusal else g.keeper_refusal end,
      keeper_refused_side = case when g.kind = 'released' then p.keeper_refused_side else g.side end,
      keeper_tries = case when g.kind = 'released' then p.keeper_tries - 1 else p.keeper_tries end,
      keeper_waits_until = case when g.kind in ('sent', 'done') then p.keeper_waits_until
        else ${statementNow(environment)} + make_interval(secs => g.wait) end,
      keeper_done = p.keeper_done or g.kind in ('done', 'given_up')
    from ${endRows(rows)}
    where p.environment = ${environment} and p.address = g.address and p.keeper_tries = g.keeper_tries and p.keeper_waits_until = g.keeper_waits_until`;
};
