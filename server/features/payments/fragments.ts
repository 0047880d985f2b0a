import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Row } from "../../lib/columns.ts";
import { environmentNow, epochMs } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { choose, type Keys, type Parts, type PartsOf, part, rowPart, rowsPart } from "../../store/parts.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { jsonFields, jsonReader, jsonRow } from "../../store/table.ts";
import { sameHash } from "../../store/textHash.ts";
import { PAYMENTS } from "./payment.ts";
import { type PaymentView, type RecordedRow, SHOWN_COLUMNS, viewPayment } from "./paymentView.ts";
import { HOLD_COLUMNS } from "./payoutHold.ts";

/** The keys of a row `p` of payments. */
export const KEYS_OF_P: Keys = {
  environment: sql`p.environment`,
  businessId: sql`p.business_id`,
  intentId: sql`p.intent_id`,
  payment: sql`p.address`,
  asset: sql`p.asset`,
  termsHash: sql`p.terms_hash`,
};

/** The primary payment of an intent; null without one. */
export const PRIMARY = rowPart(
  PAYMENTS.columns,
  "p",
  ({ businessId, payment }) => sql`payments p where p.business_id = ${businessId} and p.address = ${payment}`,
);

const isFinalized: Sql = sql`p.finalized and p.changed_slot is null`;
/** True once no fork can change what is recorded of the primary payment. */
export const IS_FINALIZED = part<boolean>(
  ({ businessId, payment }) => sql`exists (
    select from payments p where p.business_id = ${businessId} and p.address = ${payment} and ${isFinalized})`,
);

/** The maximum of payments that are shown for an intent. */
const PAYMENTS_MAX = 20;
/** The payments of an intent, the primary one first. */
export const PAYMENTS_OF_INTENT = rowsPart(PAYMENTS.columns, "p", {
  from: ({ businessId, intentId }) => sql`(
    select * from payments
    where business_id = ${businessId} and intent_id = ${intentId} and ${sameHash(sql`intent_id`, intentId)}
    order by role = 'duplicate', recorded_sequence limit ${PAYMENTS_MAX}) p`,
  order: sql`p.role = 'duplicate', p.recorded_sequence`,
});

const readShown = jsonReader(SHOWN_COLUMNS);
type Json = Record<string, unknown>;
const HOLD = (alias: string): Sql => jsonFields(alias, HOLD_COLUMNS);

/**
 * The payment at `a.address` wherever it is recorded, as one row `p`: bound, or else unmatched, or else removed by a fork.
 * One address can be recorded in both environments, where one operator has both chains.
 */
const AT_A: Sql = sql`lateral (
      select 0 as place, p.environment, p.business_id, p.intent_id, p.address, p.asset, p.terms_hash,
        ${jsonRow("p", SHOWN_COLUMNS)} as shown,
        json_build_object(${HOLD("p")}, 'match', p.role, 'lateReason', p.late_reason, 'termsKnown', p.terms_known,
          'isFinalized', ${isFinalized}, 'receiptKey', p.receipt_key, 'order', json_build_object(
            'businessId', p.business_id, 'intentId', p.intent_id, 'merchantReference', p.merchant_reference,
            'overLimit', p.over_limit)) as recorded
      from payments p where p.address = a.address and (a.environment is null or p.environment = a.environment)
      union all
      select 1, u.environment, null, null, u.address, u.asset, u.terms_hash, ${jsonRow("u", SHOWN_COLUMNS)},
        json_build_object(${HOLD("u")}, 'match', u.reason, 'isFinalized', true, 'paymentId', u.payment_id::text,
          'tokenProgram', u.token_program, 'decimals', u.decimals)
      from unmatched_payments u where u.environment in ('test', 'live') and u.address = a.address
        and (a.environment is null or u.environment = a.environment)
      union all
      -- What the chain showed of it last, but for its state.
      select 2, r.environment, null, null, r.address, r.snapshot ->> 'asset', r.snapshot ->> 'termsHash',
        ((select jsonb_object_agg(s.key, s.value) from jsonb_each(r.snapshot) s where s.key in ('id', 'sender', 'recipient', 'amount',
            'asset', 'arbiter', 'protectionPeriod', 'termsHash', 'createdAt', 'protectionDeadline'))
          || jsonb_build_object('environment', r.environment, 'status', 'protected', 'outcome', null, 'refundTotal', '0',
            'amountRefunded', '0', 'amountReleased', '0', 'signature', null, 'disputedAt', null, 'settledAt', null,
            'refundedAt', null, 'checkedAt', ${epochMs(sql`r.reverted_at`)}, 'observedSlot', 0, 'rentPayer', null, 'recordClosed', false))::json,
        json_build_object('match', 'vanished', 'refusal', null, 'refusedSide', null)
      from (
        select v.address, v.reverted_at, v.snapshot::jsonb as snapshot, split_part(v.intent_id, '_', 2) as environment
        from reverted_payments v where v.address = a.address order by v.reverted_at desc limit 1) r
      order by place, environment desc limit 1) p`;

/**
 * Makes the one reader of payments with their surroundings: those at some addresses, in that order, each with the chosen
 * parts; of one environment, if it is named. Unknown ones are left out. The address establishes the business.
 */
export function paymentReader<const Chosen extends Parts>(parts: Chosen) {
  const { columns, keys, read } = choose(parts, KEYS_OF_P);
  return async (
    db: Db,
    addresses: readonly string[],
    environment: Environment | null = null,
  ): Promise<(PaymentView & PartsOf<Chosen>)[]> => {
    const rows = await db.rows<Row & { shown: Json; recorded: RecordedRow; now: Date; at: Date }>(sql`
      select p.shown, p.recorded, ${environmentNow(KEYS_OF_P.environment)} as now,
        date_trunc('milliseconds', clock_timestamp()) as at${columns}
      from (select u.*, ${environment}::text as environment
        from unnest(${[...addresses]}::text[]) with ordinality u (address, ordinal)) a cross join ${AT_A} ${keys}
      order by a.ordinal`);
    return rows.flatMap((row) => {
      const chosen = read(row);
      const { shown, recorded, now, at } = row;
      return chosen === null ? [] : [{ ...viewPayment(readShown(shown), recorded, { now, at }), ...chosen }];
    });
  };
}

/** The addresses of a wallet's payments, in whatever business, newest first. */
export async function listOfSender(db: Db, sender: string, limit: number): Promise<string[]> {
  const newest = sql`sender = ${sender} and ${sameHash(sql`sender`, sql`${sender}`)} order by created_at desc limit ${limit}::integer`;
  const rows = await db.rows<{ address: string }>(sql`
    select address from (
      (select address, created_at from payments where ${newest})
      union all
      (select address, created_at from unmatched_payments where sender is not null and ${newest})) found
    order by created_at desc, address limit ${limit}::integer`);
  return rows.map(({ address }) => address);
}

/** The addresses of the payments that a transaction made, of those that are recorded. */
export async function listOfSignature(db: Db, signature: string, limit: number): Promise<string[]> {
  const made = sql`signature = ${signature} and ${sameHash(sql`signature`, sql`${signature}`)} limit ${limit}::integer`;
  const rows = await db.rows<{ address: string }>(sql`
    (select address from payments where ${made}) union all (select address from unmatched_payments where signature is not null and ${made})`);
  return rows.map(({ address }) => address);
}

/** The most tokens of a business that are listed. */
const PAID_ASSETS_MAX = 20;

/** The mints in which a tenant was paid, each found by one step in the index of mints. */
export async function listPaidAssets(db: Db, tenant: Tenant): Promise<string[]> {
  const { businessId, environment } = tenant;
  const ofTenant = sql`
    ${sameHash(sql`p.business_id || p.environment`, sql`${businessId}::text || ${environment}`)}
    and p.business_id || '' = ${businessId} and p.environment || '' = ${environment}`;
  const rows = await db.rows<{ asset: string }>(sql`
    with recursive paid (asset) as (
      (select p.asset from payments p where ${ofTenant} order by p.asset limit 1)
      union all
      select (select p.asset from payments p where ${ofTenant} and p.asset > paid.asset order by p.asset limit 1)
      from paid where paid.asset is not null)
    select asset from paid where asset is not null limit ${PAID_ASSETS_MAX}::integer`);
  return rows.map(({ asset }) => asset);
}
