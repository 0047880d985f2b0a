import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import { statementNow } from "../../store/clock.ts";
import type { Database, Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { watermarkOf } from "../chains/fragments.ts";
import {
  answerSeat,
  assignSeats,
  HOLD_SECONDS_MAX,
  RENEWED_SECONDS_MAX,
  type SeatAnswer,
  type SeatClaim,
} from "./link.ts";

/** The id of the link that made an intent; null if none did. */
export const linkOf = (businessId: Sql, intentId: Sql): Sql => sql`
      (select m.link_id from payment_link_intents m where m.business_id = ${businessId} and m.intent_id = ${intentId})`;

type LinkKey = Pick<Tenant, "businessId"> & { readonly linkId: string };

const ofLink = ({ businessId, linkId }: LinkKey): Sql => sql`business_id = ${businessId} and link_id = ${linkId}`;

/**
 * Frees the seats whose time is over. A seat is free only once everything final up to its time is recorded, so that a
 * payment made in time finds it. The wallets named keep theirs.
 */
const freeExpired = (db: Db, link: LinkKey, environment: Environment, kept: readonly string[]) =>
  db.rows(sql`
    delete from payment_link_seats
    where ${ofLink(link)} and ${isExpired(environment)} and not (wallet = any(${[...kept]}::text[]))`);

const isExpired = (environment: Environment): Sql => sql`
  (payment is null and until < coalesce(${watermarkOf(environment)}, '-infinity') and until < ${statementNow(environment)})`;

const freeSeats = (link: LinkKey, seatsMax: number, count: number): Sql => sql`
  select n from generate_series(1, ${seatsMax}::integer) n
  where not exists (select from payment_link_seats p where p.business_id = ${link.businessId} and p.link_id = ${link.linkId} and p.seat = n)
  order by n limit ${count}::integer`;

/** A wallet that pays a link's intent. */
export interface SeatRequest extends LinkKey {
  readonly environment: Environment;
  readonly intentId: string;
  readonly wallet: string;
}

/** `unlimited`: the link has no limit, so it has no seats; `closed`: it takes no payments any more. */
type LinkAnswer = SeatAnswer | "unlimited" | "closed";

/** Whether there is a seat for a wallet now. Others may take it before the wallet has signed. */
export async function askPlace(
  db: Db,
  { environment, wallet, ...link }: SeatRequest,
  lock = sql``,
): Promise<LinkAnswer> {
  const found = await db.row<{ seatsMax: number | null; isClosed: boolean }>(sql`
    select seats_max as "seatsMax", closed_at is not null as "isClosed" from payment_links
    where business_id = ${link.businessId} and id = ${link.linkId} ${lock}`);
  if (found === null || found.isClosed) return "closed";
  const { seatsMax } = found;
  if (seatsMax === null) return "unlimited";
  const row = await db.row<{ takenByOthers: number; payment: string | null }>(sql`
    select count(*) filter (where wallet <> ${wallet} and not (${isExpired(environment)}))::integer as "takenByOthers",
      max(payment) filter (where wallet = ${wallet}) as payment
    from payment_link_seats where ${ofLink(link)}`);
  return answerSeat({ seatsMax, ...row! });
}

/**
 * Takes a seat for a wallet whose signed transaction would land, or extends the one it holds (§13.21.5), under the link's
 * row lock. `until`: the transaction cannot land later. `follow` is committed with the seat, and gives it back by throwing.
 */
export const takeSeat = (
  database: Database,
  request: SeatRequest & { readonly until: Date },
  follow: (db: Db) => Promise<void>,
): Promise<LinkAnswer> =>
  database.transaction(async (db) => {
    const { environment, wallet, until } = request;
    const answer = await askPlace(db, request, sql`for no key update`);
    if (answer !== "taken") return answer;
    await freeExpired(db, request, environment, [wallet]);
    const now = statementNow(environment);
    const hold = sql`make_interval(secs => ${HOLD_SECONDS_MAX}::integer)`;
    const since = sql`case when p.until < ${now} - ${hold} then excluded.held_since else p.held_since end`;
    await db.rows(sql`
      insert into payment_link_seats as p (business_id, link_id, wallet, seat, seats_max, intent_id, held_since, until)
      select l.business_id, l.id, ${wallet}, coalesce(
          (select o.seat from payment_link_seats o where ${ofLink(request)} and o.wallet = ${wallet}),
          (select n from generate_series(1, l.seats_max) n
            where not exists (select from payment_link_seats o where ${ofLink(request)} and o.seat = n) order by n limit 1)),
        l.seats_max, ${request.intentId}, ${now}, least(${until}::timestamptz, ${now} + ${hold})
      from payment_links l where l.business_id = ${request.businessId} and l.id = ${request.linkId}
      on conflict (business_id, link_id, wallet) do update set intent_id = excluded.intent_id,
        held_since = ${since},
        until = greatest(p.until, least(excluded.until, ${since} + make_interval(secs => ${RENEWED_SECONDS_MAX}::integer)))`);
    await follow(db);
    return answer;
  });

/** A payment of a link's intent that is about to be recorded. */
export interface LinkClaim extends LinkKey, SeatClaim {
  readonly intentId: string;
}

/**
 * Gives seats to payments for good, under the links' row locks, which come after those of intents. Returns the addresses of
 * those that have none, under a limit.
 */
export async function claimSeats(
  db: Db,
  environment: Environment,
  claims: readonly LinkClaim[],
): Promise<ReadonlySet<string>> {
  const links = await db.rows<{ business_id: string; id: string; seats_max: number }>(sql`
    select l.* from (
      select distinct business_id, id from unnest(
        ${claims.map(({ businessId }) => businessId)}::text[], ${claims.map(({ linkId }) => linkId)}::text[]) as c (business_id, id)
      order by business_id, id) c
    cross join lateral (
      select l.business_id, l.id, l.seats_max from payment_links l
      where l.business_id = c.business_id and l.id = c.id and l.seats_max is not null for no key update) l`);
  const without = new Set<string>();
  for (const { business_id: businessId, id: linkId, seats_max: seatsMax } of links) {
    const link = { businessId, linkId };
    const mine = claims.filter((claim) => claim.businessId === businessId && claim.linkId === linkId);
    const wallets = mine.map(({ wallet }) => wallet);
    await freeExpired(db, link, environment, wallets);
    const seats = await db.row<{ taken: number; owned: readonly (readonly [string, string | null])[] | null }>(sql`
      select count(*)::integer as taken,
        json_agg(json_build_array(wallet, payment)) filter (where wallet = any(${wallets}::text[])) as owned
      from payment_link_seats where ${ofLink(link)}`);
    const seated = assignSeats(mine, new Map(seats!.owned), seatsMax - seats!.taken);
    for (const claim of mine) {
      const seat = seated.get(claim.payment);
      if (seat === undefined) without.add(claim.payment);
      else if (seat.isNew)
        await db.rows(sql`
          insert into payment_link_seats (business_id, link_id, wallet, seat, seats_max, intent_id, until, payment)
          select ${businessId}, ${linkId}, ${claim.wallet}, n, ${seatsMax}::integer, ${claim.intentId}, now(), ${claim.payment}
          from (${freeSeats(link, seatsMax, 1)}) s`);
      else
        await db.rows(sql`
          update payment_link_seats set payment = ${claim.payment}, intent_id = ${claim.intentId}
          where ${ofLink(link)} and wallet = ${claim.wallet}`);
    }
  }
  return without;
}

/** Frees the seats that wallets hold unpaid for transactions of intents that cannot land. */
export const freeHeld = (
  db: Db,
  held: readonly { readonly businessId: string; readonly intentId: string; readonly account: string }[],
) =>
  db.rows(sql`
    delete from payment_link_seats where payment is null and (business_id, intent_id, wallet) in (select * from unnest(
      ${held.map(({ businessId }) => businessId)}::text[], ${held.map(({ intentId }) => intentId)}::text[],
      ${held.map(({ account }) => account)}::text[]))`);

/** Holds the seat of a payment that a fork removed for no longer than its time. */
export const freeSeat = (db: Db, businessId: string, payment: string) =>
  db.rows(sql`
    update payment_link_seats set payment = null where business_id = ${businessId} and payment = ${payment}`);
