import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import { statementNow } from "../../store/clock.ts";
import type { Database, Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { watermarkOf } from "../chains/fragments.ts";
import { answerSeat, assignSeats, hasRested, type SeatAnswer, type SeatClaim } from "./link.ts";

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
    where ${ofLink(link)} and payment is null and until < ${watermarkOf(environment)} and until < ${statementNow(environment)}
      and not (wallet = any(${[...kept]}::text[]))`);

const freeSeats = (link: LinkKey, seatsMax: number, count: number): Sql => sql`
  select n from generate_series(1, ${seatsMax}::integer) n
  where not exists (select from payment_link_seats p where p.business_id = ${link.businessId} and p.link_id = ${link.linkId} and p.seat = n)
  order by n limit ${count}::integer`;

/** A wallet that holds the amount, and asks for the transaction of a link's intent. */
export interface SeatRequest extends LinkKey {
  readonly environment: Environment;
  readonly intentId: string;
  readonly wallet: string;
  /** SHA-256 of the network that asks. */
  readonly network: string;
  /** After this time, the wallet's transaction cannot land. */
  readonly until: Date;
}

/** The seats of a link as a wallet finds them; the last members are null if it has none. */
interface SeatRow {
  readonly taken: number;
  readonly held: number;
  readonly payment: string | null;
  readonly heldSince: Date | null;
  readonly ownUntil: Date | null;
  readonly now: Date;
}

/**
 * Takes a seat for a wallet, or extends the one it holds (§13.21.5), under the link's row lock. `unlimited`: the link has no
 * limit, so it has no seats; `closed`: it takes no payments any more.
 */
export const takeSeat = (database: Database, request: SeatRequest): Promise<SeatAnswer | "unlimited" | "closed"> =>
  database.transaction(async (db) => {
    const { environment, wallet, network, until } = request;
    const link = await db.row<{ seats_max: number | null; is_closed: boolean }>(sql`
      select seats_max, closed_at is not null as is_closed from payment_links
      where business_id = ${request.businessId} and id = ${request.linkId} for no key update`);
    if (link === null || link.is_closed) return "closed";
    const { seats_max: seatsMax } = link;
    if (seatsMax === null) return "unlimited";
    await freeExpired(db, request, environment, [wallet]);
    const row = await db.row<SeatRow>(sql`
      select count(*) filter (where wallet <> ${wallet})::integer as taken,
        count(*) filter (where wallet <> ${wallet} and payment is null and network = ${network})::integer as held,
        max(payment) filter (where wallet = ${wallet}) as payment, max(held_since) filter (where wallet = ${wallet}) as "heldSince",
        max(until) filter (where wallet = ${wallet}) as "ownUntil", ${statementNow(environment)} as now
      from payment_link_seats where ${ofLink(request)}`);
    const { taken, held, payment, heldSince, ownUntil, now } = row!;
    const own = heldSince === null || ownUntil === null ? null : { payment, heldSince, until: ownUntil };
    const facts = { seatsMax, takenByOthers: taken, heldByNetwork: held, own, until, now };
    const answer = answerSeat(facts);
    if (answer !== "taken") return answer;
    await db.rows(sql`
      insert into payment_link_seats as p (business_id, link_id, wallet, seat, seats_max, intent_id, network, until, held_since)
      select ${request.businessId}, ${request.linkId}, ${wallet}, coalesce(
          (select o.seat from payment_link_seats o where ${ofLink(request)} and o.wallet = ${wallet}), (${freeSeats(request, seatsMax, 1)})),
        ${seatsMax}::integer, ${request.intentId}, ${network}, ${until}::timestamptz, ${now}::timestamptz
      on conflict (business_id, link_id, wallet) do update set intent_id = excluded.intent_id,
        -- Another network that asks takes over no share of the first, which could then hold others.
        network = coalesce(p.network, excluded.network), until = greatest(p.until, excluded.until),
        held_since = case when ${hasRested(facts)}::boolean then excluded.held_since else p.held_since end`);
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
    select l.business_id, l.id, l.seats_max from payment_links l
    where (l.business_id, l.id) in (select * from unnest(
        ${claims.map(({ businessId }) => businessId)}::text[], ${claims.map(({ linkId }) => linkId)}::text[]))
      and l.seats_max is not null
    order by l.business_id, l.id for no key update`);
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
          insert into payment_link_seats (business_id, link_id, wallet, seat, seats_max, intent_id, network, until, payment)
          select ${businessId}, ${linkId}, ${claim.wallet}, n, ${seatsMax}::integer, ${claim.intentId}, null, now(), ${claim.payment}
          from (${freeSeats(link, seatsMax, 1)}) s`);
      else
        await db.rows(sql`
          update payment_link_seats set payment = ${claim.payment}, intent_id = ${claim.intentId}
          where ${ofLink(link)} and wallet = ${claim.wallet}`);
    }
  }
  return without;
}

/** Holds the seat of a payment that a fork removed for no longer than its time. */
export const freeSeat = (db: Db, businessId: string, payment: string) =>
  db.rows(sql`
    update payment_link_seats set payment = null where business_id = ${businessId} and payment = ${payment}`);
