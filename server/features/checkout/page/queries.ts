import { environmentOf } from "../../../domain/ids.ts";
import type { Environment } from "../../../domain/terms.ts";
import { type FieldsOf, pick, type Row } from "../../../lib/columns.ts";
import { environmentNow, statementNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { selected } from "../../../store/table.ts";
import { sameHash } from "../../../store/textHash.ts";
import type { BusinessProfile } from "../../businesses/business.ts";
import { PROFILE_OF_B } from "../../businesses/fragments.ts";
import { ASSETS, CHAINS } from "../../chains/chain.ts";
import type { UsualOutcomes } from "../../disputes/dispute.ts";
import { ownArbiterAt, USUAL_OUTCOMES } from "../../disputes/fragments.ts";
import { type Intent, readIntentRow } from "../../intents/intent.ts";
import { PAYMENT_JSON, readPaymentJson } from "../../payments/fragments.ts";
import type { Payment } from "../../payments/payment.ts";
import { solRateIn } from "../../rates/fragments.ts";
import { isReport } from "../paying/fragments.ts";
import type { InFlight } from "./checkout.ts";

/**
 * The most certain attempt at a payment for the intent `i`: a sent one that can land, then a reported one, then a built one,
 * then the newest of those that ended unpaid and whose transaction was handed in. Times are texts.
 */
const inFlightOfI = (environment: Environment) => sql`(
      select json_build_object(
        'kind', case
          when t.ended_at is not null then 'ended'
          when t.kind = 'sent' and ${isReport(sql`t`)} then 'reported'
          else t.kind end,
        'signature', case when t.kind = 'sent' then t.id end, 'until', least(t.until, t.ended_at))
      from checkout_attempts t
      where t.business_id = i.business_id and t.intent_id = i.id and (
        case when t.ended_at is null then t.until > ${statementNow(environment)}
          else t.failure = 'expired' and t.transaction is not null and i.payment_address is null end)
      order by t.ended_at is not null, t.kind desc, ${isReport(sql`t`)}, coalesce(t.ended_at, t.created_at) desc limit 1)`;
type InFlightJson = (Omit<InFlight, "until"> & { readonly until: string }) | null;
const readInFlight = (json: InFlightJson): InFlight | null => json && { ...json, until: new Date(json.until) };

/** The maximum of payments that are shown for an intent. */
const PAYMENTS_MAX = 20;

const ASSET_COLUMNS = pick(ASSETS.columns, "decimals", "tokenProgram");
const CHAIN_COLUMNS = pick(CHAINS.columns, "programId", "operator", "genesisHash");

export interface StateRows {
  readonly intent: Intent;
  readonly payment: Payment | null;
  readonly inFlight: InFlight | null;
  readonly version: number;
  readonly now: Date;
  /** Real time, even if the clock of a local chain runs ahead. */
  readonly at: Date;
}

export interface CheckoutRows extends StateRows, FieldsOf<typeof ASSET_COLUMNS>, FieldsOf<typeof CHAIN_COLUMNS> {
  readonly business: BusinessProfile;
  readonly duplicates: readonly Payment[];
  readonly hasMismatch: boolean;
  /** True if the business decides disputes of the intent itself. */
  readonly ownArbiter: boolean;
  readonly usualOutcomes: UsualOutcomes;
  /** What one SOL is worth in the business's reporting currency; null if nobody knows. */
  readonly solRate: string | null;
}

/**
 * All rows for the holder of a checkout link, from one snapshot: a payment that a fork removes is in the intent's
 * status and in the list, or in neither. The link establishes the business: it names none.
 */
export async function findCheckout(db: Db, intentId: string): Promise<CheckoutRows | null> {
  const environment = environmentOf(intentId);
  const row = await db.row<
    Row & {
      profile: BusinessProfile;
      payments: readonly Record<string, unknown>[] | null;
      inFlight: InFlightJson;
      last_occurred_at: Date;
    } & Omit<CheckoutRows, "intent" | "business" | "payment" | "inFlight" | "duplicates" | "version">
  >(sql`
    select i.*, ${PROFILE_OF_B} as profile, ${selected(ASSET_COLUMNS, "a")}, ${selected(CHAIN_COLUMNS, "c")},
      (select json_agg(${PAYMENT_JSON} order by p.role = 'duplicate', p.recorded_sequence) from (
        select * from payments
        where business_id = i.business_id and intent_id = i.id and ${sameHash(sql`intent_id`, sql`i.id`)}
        order by role = 'duplicate', recorded_sequence limit ${PAYMENTS_MAX}) p) as payments,
      ${inFlightOfI(environment)} as "inFlight", ${environmentNow(environment)} as now,
      exists (select from events e where e.business_id = i.business_id and e.intent_id = i.id
        and e.type = 'payment_intent.payment_mismatch') as "hasMismatch",
      ${ownArbiterAt(sql`i.business_id`, sql`i.environment`, sql`i.created_at`)} as "ownArbiter",
      ${solRateIn(sql`b.reporting_currency`)} as "solRate",
      coalesce(${USUAL_OUTCOMES}, '{}') as "usualOutcomes",
      date_trunc('milliseconds', clock_timestamp()) as at
    from payment_ids k
    join intents i on i.business_id = k.business_id and i.id = k.intent_id
    join businesses b on b.id = i.business_id
    join chains c on c.environment = i.environment
    left join known_assets a on a.environment = i.environment and a.address = i.asset
    where k.intent_id = ${intentId} and ${sameHash(sql`k.intent_id`, sql`${intentId}`)}`);
  if (row === null) return null;
  const {
    hasMismatch,
    ownArbiter,
    usualOutcomes,
    solRate,
    decimals,
    tokenProgram,
    programId,
    operator,
    genesisHash,
    now,
    at,
  } = row;
  const payments = (row.payments ?? []).map((json) => readPaymentJson(json)!);
  return {
    intent: readIntentRow(row),
    business: row.profile,
    payment: payments.find(({ role }) => role === "primary") ?? null,
    duplicates: payments.filter(({ role }) => role === "duplicate"),
    inFlight: readInFlight(row.inFlight),
    version: row.last_occurred_at.getTime(),
    hasMismatch,
    ownArbiter,
    usualOutcomes,
    solRate,
    decimals,
    tokenProgram,
    programId,
    operator,
    genesisHash,
    now,
    at,
  };
}

/** The states of several intents of one environment, in one statement. Unknown intents are left out. */
export async function listCheckoutStates(
  db: Db,
  environment: Environment,
  intentIds: readonly string[],
): Promise<StateRows[]> {
  const rows = await db.rows<
    Row & {
      payment: Record<string, unknown> | null;
      inFlight: InFlightJson;
      last_occurred_at: Date;
      now: Date;
      at: Date;
    }
  >(sql`
    select i.*, ${PAYMENT_JSON} as payment, ${inFlightOfI(environment)} as "inFlight", ${environmentNow(environment)} as now,
      date_trunc('milliseconds', clock_timestamp()) as at
    from unnest(${[...intentIds]}::text[]) a (id)
    join payment_ids k on k.intent_id = a.id and ${sameHash(sql`k.intent_id`, sql`a.id`)}
    join intents i on i.business_id = k.business_id and i.id = k.intent_id
    left join payments p on p.business_id = i.business_id and p.address = i.payment_address`);
  return rows.map((row) => ({
    intent: readIntentRow(row),
    payment: readPaymentJson(row.payment),
    inFlight: readInFlight(row.inFlight),
    version: row.last_occurred_at.getTime(),
    now: row.now,
    at: row.at,
  }));
}
