import type { Tenant } from "../../domain/callers.ts";
import { isBetween, unitsOf } from "../../domain/money.ts";
import { SCANNED_MAX } from "../../domain/page.ts";
import { conditionsOf } from "../../edge/http/listFilters.ts";
import { type FieldsOf, stored } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { sameHash } from "../../store/textHash.ts";
import { listDecimals } from "../chains/fragments.ts";
import { listPaidAssets } from "./fragments.ts";
import { LISTED_MEMBERS } from "./payment.ts";
import { LIST_STAFF_PAYMENTS, type StaffPaymentQuery } from "./schema.ts";

const LISTED = stored(LISTED_MEMBERS);

/** A payment that a list has read. */
type ScannedPayment = FieldsOf<typeof LISTED> & { readonly matches: boolean };

interface Scan {
  readonly rows: readonly ScannedPayment[];
  /** True if older payments were not read. */
  readonly isPart: boolean;
}

/** An index to walk from its newest row down: its columns behind the tenant's, and the part of it to read. */
interface Walk {
  readonly columns: readonly Sql[];
  /** The lowest place, and the place above the highest one. */
  readonly from: readonly Sql[];
  readonly before: readonly Sql[];
  readonly predicate?: Sql;
  /** The index holds a hash of the tenant in place of its columns. */
  readonly isHashed?: true;
}

/** A payment's place in each order of the list. */
interface Place {
  readonly recordedSequence: string;
  readonly createdAt: Date;
  readonly merchantReference: string;
}

export const findPlace = (db: Db, tenant: Tenant, address: string) =>
  db.row<Place>(sql`
    select recorded_sequence as "recordedSequence", created_at as "createdAt", merchant_reference as "merchantReference"
    from payments where business_id = ${tenant.businessId} and environment = ${tenant.environment} and address = ${address}`);

const conditions = conditionsOf(LIST_STAFF_PAYMENTS.query);
const SEQUENCE_MAX = "9223372036854775807";
/** The highest character: a text that ends in it follows all texts with the same beginning. */
const LAST_CHARACTER = "\u{10FFFF}";
const RECORDED = sql`p.recorded_sequence`;
const sequence = (value: string): Sql => sql`${value}::bigint`;

/** A walk in the order of recording. */
const recordedWalk = (place: Place | null, options: Pick<Walk, "predicate" | "isHashed"> = {}): Walk => ({
  columns: [RECORDED],
  from: [sequence("0")],
  before: [sequence(place?.recordedSequence ?? SEQUENCE_MAX)],
  ...options,
});

/** The condition of an index that holds a hash of the tenant with the column. */
const ofTenant = ({ businessId, environment }: Tenant, column: Sql, value: string): Sql =>
  sql`${column} = ${value} and ${sameHash(
    sql`p.business_id || p.environment || ${column}`,
    sql`${businessId}::text || ${environment} || ${value}`,
  )}`;

/** The condition of an index that holds a hash of the tenant alone. */
const ofTenantAlone = ({ businessId, environment }: Tenant): Sql =>
  sameHash(sql`p.business_id || p.environment`, sql`${businessId}::text || ${environment}`);

/**
 * Chooses the indexes that select the fewest payments for the query; all other filters are applied to the rows read. Only
 * an exact amount needs several walks, one for each number of units that it is in the business's tokens.
 */
function walksOf(tenant: Tenant, query: StaffPaymentQuery, place: Place | null, units: readonly string[]): Walk[] {
  const walk = (predicate: Sql) => [recordedWalk(place, { predicate })];
  const hashedWalk = (predicate: Sql) => [recordedWalk(place, { predicate, isHashed: true })];
  const { intent, referencePrefix, sender, status, asset, createdAfter, createdBefore } = query;
  if (intent !== null)
    return hashedWalk(sql`p.intent_id = ${intent} and ${sameHash(sql`p.intent_id`, sql`${intent}`)}`);
  if (referencePrefix !== null) return [referenceWalk(tenant, place, referencePrefix)];
  if (sender !== null) return hashedWalk(ofTenant(tenant, sql`p.sender`, sender));
  if (query.overLimit === true) return walk(sql`p.over_limit`);
  if (query.late === true) return walk(sql`p.late_reason is not null`);
  if (query.role === "duplicate") return walk(sql`p.role = 'duplicate'`);
  if (status === "disputed" || status === "refunded") return hashedWalk(ofTenant(tenant, sql`p.status`, status));
  if (query.disputed === true) return walk(sql`p.disputed_at is not null`);
  if (query.amountMin !== null && isExact(query))
    return units.flatMap((amount) => hashedWalk(sql`${ofTenantAlone(tenant)} and p.amount = ${amount}::numeric`));
  if (createdAfter !== null || createdBefore !== null) return [createdWalk(tenant, place, createdAfter, createdBefore)];
  if (asset !== null) return hashedWalk(sql`${ofTenantAlone(tenant)} and p.asset = ${asset}`);
  return status === null ? [recordedWalk(place)] : hashedWalk(ofTenant(tenant, sql`p.status`, status));
}

const referenceWalk = (tenant: Tenant, place: Place | null, prefix: string): Walk => ({
  columns: [sql`p.merchant_reference collate "C"`, RECORDED],
  from: [sql`${prefix}::text`, sequence("0")],
  before: [
    sql`${place?.merchantReference ?? `${prefix}${LAST_CHARACTER}`}::text`,
    sequence(place?.recordedSequence ?? SEQUENCE_MAX),
  ],
  predicate: ofTenantAlone(tenant),
  isHashed: true,
});

const createdWalk = (tenant: Tenant, place: Place | null, after: Date | null, before: Date | null): Walk => ({
  columns: [sql`p.created_at`, RECORDED],
  from: [sql`${after ?? new Date(0)}::timestamptz`, sequence("0")],
  before:
    place !== null && (before === null || place.createdAt < before)
      ? [sql`${place.createdAt}::timestamptz`, sequence(place.recordedSequence)]
      : [sql`coalesce(${before}::timestamptz, 'infinity')`, sequence("0")],
  predicate: ofTenantAlone(tenant),
  isHashed: true,
});

const list = (pieces: readonly Sql[]): Sql => pieces.reduce((all, one) => sql`${all}, ${one}`);

const isExact = ({ amountMin: min, amountMax: max }: StaffPaymentQuery): boolean =>
  min !== null && min.digits === max?.digits && min.places === max.places;

const ofIndexed = ({ businessId, environment }: Tenant): Sql =>
  sql`p.business_id = ${businessId} and p.environment = ${environment}`;
/** The same, without use of an index: the planner would walk all payments of a tenant rather than those of a hash. */
const filteredBy = ({ businessId, environment }: Tenant): Sql =>
  sql`p.business_id || '' = ${businessId} and p.environment || '' = ${environment}`;

/** Reads one walk: at most `limit` rows, and the filters that each passes. */
const readWalk = (db: Db, tenant: Tenant, query: StaffPaymentQuery, walk: Walk, limit: number) =>
  db.rows<ScannedPayment>(sql`
    select ${selected(LISTED, "p")}, (${conditions(query)}) as matches
    from payments p
    where ${walk.isHashed ? filteredBy(tenant) : ofIndexed(tenant)}
      and (${list(walk.columns)}) >= (${list(walk.from)}) and (${list(walk.columns)}) < (${list(walk.before)})
      and ${walk.predicate ?? sql`true`}
    order by ${list(walk.columns.map((column) => sql`${column} desc`))} limit ${limit}::integer`);

/**
 * Reads payments behind `place`, newest first, and says for each if it passes the filters. It reads no more than
 * `SCANNED_MAX` rows, whatever the filters.
 */
export async function scanPayments(
  db: Db,
  tenant: Tenant,
  query: StaffPaymentQuery,
  place: Place | null,
): Promise<Scan> {
  const units = isExact(query) ? await listUnits(db, tenant, query) : [];
  const walks = walksOf(tenant, query, place, units);
  const limit = isFiltered(query) ? Math.floor(SCANNED_MAX / Math.max(1, walks.length)) : query.limit + 1;
  const read = await Promise.all(walks.map((walk) => readWalk(db, tenant, query, walk, limit)));
  const rows = read.length === 1 ? read[0]! : mergeRecorded(read, limit);
  const decimals = query.amountMin === null && query.amountMax === null ? null : await decimalsOf(db, tenant, rows);
  return {
    isPart: read.some(({ length }) => length === limit),
    rows:
      decimals === null
        ? rows
        : rows.map((row) => ({ ...row, matches: row.matches && isWithin(row, query, decimals) })),
  };
}

const isFiltered = ({ limit: _limit, startingAfter: _cursor, ...filters }: StaffPaymentQuery): boolean =>
  Object.values(filters).some((value) => value !== null);

const decimalsOf = (db: Db, { environment }: Tenant, rows: readonly ScannedPayment[]) =>
  listDecimals(db, environment, [...new Set(rows.map(({ asset }) => asset))]);

/** An amount of a token without known decimals is within no bounds. */
const isWithin = (
  { asset, amount }: ScannedPayment,
  { amountMin, amountMax }: StaffPaymentQuery,
  decimals: ReadonlyMap<string, number>,
): boolean => {
  const places = decimals.get(asset);
  return places !== undefined && isBetween(amount, places, amountMin, amountMax);
};

export const hasPaymentsOfSender = (db: Db, tenant: Tenant, sender: string): Promise<boolean> =>
  db.has(
    sql`select 1 from payments p where ${filteredBy(tenant)} and ${ofTenant(tenant, sql`p.sender`, sender)} limit 1`,
  );

/** The numbers of units that the exact amount is in the tokens of the business. */
async function listUnits(db: Db, tenant: Tenant, { asset, amountMin }: StaffPaymentQuery): Promise<string[]> {
  const assets = asset === null ? await listPaidAssets(db, tenant) : [asset];
  const decimals = await listDecimals(db, tenant.environment, assets);
  const units = [...new Set(decimals.values())].map((places) => unitsOf(amountMin!, places));
  return [...new Set(units.filter((one) => one !== null))];
}

/** Joins walks in their common order, down to the place that all of them have reached. */
function mergeRecorded(read: readonly (readonly ScannedPayment[])[], limit: number): ScannedPayment[] {
  const placeOf = ({ recordedSequence }: ScannedPayment) => BigInt(recordedSequence);
  const reached = read.filter(({ length }) => length === limit).map((rows) => placeOf(rows.at(-1)!));
  return read
    .flat()
    .filter((row) => reached.every((place) => placeOf(row) >= place))
    .sort((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
}
