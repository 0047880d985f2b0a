import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import { statementNow } from "../../store/clock.ts";
import type { Database, Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { watermarkOf } from "../chains/fragments.ts";
import { answerPlace, assignPlaces, hasRested, type PlaceAnswer, type PlaceClaim } from "./link.ts";

/** The id of the link that made an intent; null if none did. */
export const linkOf = (businessId: Sql, intentId: Sql): Sql => sql`
      (select m.link_id from payment_link_intents m where m.business_id = ${businessId} and m.intent_id = ${intentId})`;

type LinkKey = Pick<Tenant, "businessId"> & { readonly linkId: string };

const ofLink = ({ businessId, linkId }: LinkKey): Sql => sql`business_id = ${businessId} and link_id = ${linkId}`;

/**
 * Frees the places whose time is over. A place is free only once everything final up to its time is recorded, so that a
 * payment made in time finds it. The wallets named keep theirs.
 */
const freeExpired = (db: Db, link: LinkKey, environment: Environment, kept: readonly string[]) =>
  db.rows(sql`
    delete from payment_link_places
    where ${ofLink(link)} and payment is null and until < ${watermarkOf(environment)} and until < ${statementNow(environment)}
      and not (wallet = any(${[...kept]}::text[]))`);

const freeSlots = (link: LinkKey, placesMax: number, count: number): Sql => sql`
  select n from generate_series(1, ${placesMax}::integer) n
  where not exists (select from payment_link_places p where p.business_id = ${link.businessId} and p.link_id = ${link.linkId} and p.slot = n)
  order by n limit ${count}::integer`;

/** A wallet that holds the amount, and asks for the transaction of a link's intent. */
export interface PlaceRequest extends LinkKey {
  readonly environment: Environment;
  readonly intentId: string;
  readonly wallet: string;
  /** SHA-256 of the network that asks. */
  readonly network: string;
  /** After this time, the wallet's transaction cannot land. */
  readonly until: Date;
}

/** The places of a link as a wallet finds them; the last members are null if it has none. */
interface PlaceRow {
  readonly taken: number;
  readonly held: number;
  readonly payment: string | null;
  readonly heldSince: Date | null;
  readonly ownUntil: Date | null;
  readonly now: Date;
}

/**
 * Takes a place for a wallet, or extends the one it holds (§13.21.5), under the link's row lock. `unlimited`: the link has no
 * limit, so it has no places; `closed`: it takes no payments any more.
 */
export const takePlace = (database: Database, request: PlaceRequest): Promise<PlaceAnswer | "unlimited" | "closed"> =>
  database.transaction(async (db) => {
    const { environment, wallet, network, until } = request;
    const link = await db.row<{ places_max: number | null; is_closed: boolean }>(sql`
      select places_max, closed_at is not null as is_closed from payment_links
      where business_id = ${request.businessId} and id = ${request.linkId} for no key update`);
    if (link === null || link.is_closed) return "closed";
    const { places_max: placesMax } = link;
    if (placesMax === null) return "unlimited";
    await freeExpired(db, request, environment, [wallet]);
    const row = await db.row<PlaceRow>(sql`
      select count(*) filter (where wallet <> ${wallet})::integer as taken,
        count(*) filter (where wallet <> ${wallet} and payment is null and network = ${network})::integer as held,
        max(payment) filter (where wallet = ${wallet}) as payment, max(held_since) filter (where wallet = ${wallet}) as "heldSince",
        max(until) filter (where wallet = ${wallet}) as "ownUntil", ${statementNow(environment)} as now
      from payment_link_places where ${ofLink(request)}`);
    const { taken, held, payment, heldSince, ownUntil, now } = row!;
    const own = heldSince === null || ownUntil === null ? null : { payment, heldSince, until: ownUntil };
    const facts = { placesMax, takenByOthers: taken, heldByNetwork: held, own, until, now };
    const answer = answerPlace(facts);
    if (answer !== "taken") return answer;
    await db.rows(sql`
      insert into payment_link_places as p (business_id, link_id, wallet, slot, places_max, intent_id, network, until, held_since)
      select ${request.businessId}, ${request.linkId}, ${wallet}, coalesce(
          (select o.slot from payment_link_places o where ${ofLink(request)} and o.wallet = ${wallet}), (${freeSlots(request, placesMax, 1)})),
        ${placesMax}::integer, ${request.intentId}, ${network}, ${until}::timestamptz, ${now}::timestamptz
      on conflict (business_id, link_id, wallet) do update set intent_id = excluded.intent_id,
        -- Another network that asks takes over no share of the first, which could then hold others.
        network = coalesce(p.network, excluded.network), until = greatest(p.until, excluded.until),
        held_since = case when ${hasRested(facts)}::boolean then excluded.held_since else p.held_since end`);
    return answer;
  });

/** A payment of a link's intent that is about to be recorded. */
export interface LinkClaim extends LinkKey, PlaceClaim {
  readonly intentId: string;
}

/**
 * Gives places to payments for good, under the links' row locks, which come after those of intents. Returns the addresses of
 * those that have none, under a limit.
 */
export async function claimPlaces(
  db: Db,
  environment: Environment,
  claims: readonly LinkClaim[],
): Promise<ReadonlySet<string>> {
  const links = await db.rows<{ business_id: string; id: string; places_max: number }>(sql`
    select l.business_id, l.id, l.places_max from payment_links l
    where (l.business_id, l.id) in (select * from unnest(
        ${claims.map(({ businessId }) => businessId)}::text[], ${claims.map(({ linkId }) => linkId)}::text[]))
      and l.places_max is not null
    order by l.business_id, l.id for no key update`);
  const without = new Set<string>();
  for (const { business_id: businessId, id: linkId, places_max: placesMax } of links) {
    const link = { businessId, linkId };
    const mine = claims.filter((claim) => claim.businessId === businessId && claim.linkId === linkId);
    const wallets = mine.map(({ wallet }) => wallet);
    await freeExpired(db, link, environment, wallets);
    const places = await db.row<{ taken: number; owned: readonly (readonly [string, string | null])[] | null }>(sql`
      select count(*)::integer as taken,
        json_agg(json_build_array(wallet, payment)) filter (where wallet = any(${wallets}::text[])) as owned
      from payment_link_places where ${ofLink(link)}`);
    const placed = assignPlaces(mine, new Map(places!.owned), placesMax - places!.taken);
    for (const claim of mine) {
      const place = placed.get(claim.payment);
      if (place === undefined) without.add(claim.payment);
      else if (place.isNew)
        await db.rows(sql`
          insert into payment_link_places (business_id, link_id, wallet, slot, places_max, intent_id, network, until, payment)
          select ${businessId}, ${linkId}, ${claim.wallet}, n, ${placesMax}::integer, ${claim.intentId}, null, now(), ${claim.payment}
          from (${freeSlots(link, placesMax, 1)}) s`);
      else
        await db.rows(sql`
          update payment_link_places set payment = ${claim.payment}, intent_id = ${claim.intentId}
          where ${ofLink(link)} and wallet = ${claim.wallet}`);
    }
  }
  return without;
}

/** Holds the place of a payment that a fork removed for no longer than its time. */
export const freePlace = (db: Db, businessId: string, payment: string) =>
  db.rows(sql`
    update payment_link_places set payment = null where business_id = ${businessId} and payment = ${payment}`);
