import type { Tenant } from "../../domain/callers.ts";
import { environmentOf } from "../../domain/ids.ts";
import { listPage, pagedById } from "../../edge/http/listFilters.ts";
import type { FieldsOf } from "../../lib/columns.ts";
import { environmentNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { columnNames, columnValues, selected } from "../../store/table.ts";
import { watermarkOf } from "../chains/fragments.ts";
import { LINKS, OPEN_LINKS_MAX, type PaymentLink } from "./link.ts";
import { LIST_LINKS, type LinkQuery } from "./schema.ts";

const NAMES = columnNames(LINKS.columns);
const valuesOf = columnValues(LINKS.columns);

/** Returns false if the tenant has too many open links already. */
export const insertLink = (db: Db, link: PaymentLink): Promise<boolean> =>
  db.has(sql`
    insert into payment_links (${NAMES}) select ${valuesOf(link)}
    where (select count(*) from (select from payment_links o
        where o.business_id = ${link.businessId} and o.environment = ${link.environment} and o.closed_at is null
          and (o.expires_at is null or o.expires_at > ${link.createdAt})
        limit ${OPEN_LINKS_MAX}::integer) n) < ${OPEN_LINKS_MAX}::integer
    returning id`);

/** A link with the number of its seats that are final. */
export interface CountedLink extends FieldsOf<typeof LINKS.columns> {
  readonly paidSeats: number;
}

const PAID_SEATS = sql`(select count(*)::integer from payment_link_seats p
      where p.business_id = payment_links.business_id and p.link_id = payment_links.id and p.payment is not null)`;
const COUNTED = sql`${selected(LINKS.columns, "payment_links")}, ${PAID_SEATS} as "paidSeats"`;

const page = pagedById(LIST_LINKS.query, sql`id`);

/** Newest first, up to one row more than the limit. Null if the cursor is no link of this tenant. */
export const listLinks = (db: Db, tenant: Tenant, query: LinkQuery): Promise<CountedLink[] | null> =>
  listPage<CountedLink>(
    db,
    COUNTED,
    sql`payment_links where business_id = ${tenant.businessId} and environment = ${tenant.environment}`,
    page(query),
    query.startingAfter,
  );

export const findLink = (db: Db, tenant: Tenant, id: string): Promise<CountedLink | null> =>
  db.row<CountedLink>(sql`
    select ${COUNTED} from payment_links
    where business_id = ${tenant.businessId} and environment = ${tenant.environment} and id = ${id}`);

/** Returns false if the tenant has no such open link. */
export const closeLink = (db: Db, tenant: Tenant, id: string): Promise<boolean> =>
  db.has(sql`
    update payment_links set closed_at = ${environmentNow(tenant.environment)}
    where business_id = ${tenant.businessId} and environment = ${tenant.environment} and id = ${id} and closed_at is null
    returning id`);

/** A link with its seats as its buyers see them. `takenSeats`: those that are final or held now. */
interface TakenLink extends CountedLink {
  readonly takenSeats: number;
  readonly now: Date;
}

/** The link's id establishes the business: a buyer names none. */
export const findLinkById = (db: Db, id: string): Promise<TakenLink | null> => {
  const environment = environmentOf(id);
  return db.row<TakenLink>(sql`
    select ${selected(LINKS.columns, "payment_links")}, ${PAID_SEATS} as "paidSeats",
      (select count(*)::integer from payment_link_seats p
        where p.business_id = payment_links.business_id and p.link_id = payment_links.id
          and (p.payment is not null or p.until >= coalesce(${watermarkOf(environment)}, '-infinity'))) as "takenSeats",
      ${environmentNow(environment)} as now
    from payment_links where id = ${id}`);
};

/** Counts an intent of an open link, for its reference; null if the link was closed meanwhile. */
export async function countIntent(db: Db, { businessId, id }: PaymentLink): Promise<number | null> {
  const row = await db.row<{ made: number }>(sql`
    update payment_links set intents_made = intents_made + 1
    where business_id = ${businessId} and id = ${id} and closed_at is null
    returning intents_made as made`);
  return row?.made ?? null;
}

export const insertLinkIntent = (db: Db, { businessId, id }: PaymentLink, intentId: string) =>
  db.rows(sql`
    insert into payment_link_intents (business_id, intent_id, link_id) values (${businessId}, ${intentId}, ${id})`);
