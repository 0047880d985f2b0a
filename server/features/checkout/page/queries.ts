import { statementNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import { needed, part } from "../../../store/parts.ts";
import { sql } from "../../../store/sql.ts";
import { BUSINESS, reportingCurrencyOf } from "../../businesses/fragments.ts";
import { HAS_ADDRESS } from "../../buyerEmails/fragments.ts";
import { CHAIN, TOKEN } from "../../chains/fragments.ts";
import { OWN_ARBITER, USUAL_OUTCOMES } from "../../disputes/parts/fragments.ts";
import { HAS_MISMATCH } from "../../events/fragments.ts";
import { intentReader } from "../../intents/fragments.ts";
import { IS_FINALIZED, PAYMENTS_OF_INTENT, PRIMARY } from "../../payments/fragments.ts";
import { solRateIn } from "../../rates/fragments.ts";
import { isReport } from "../paying/fragments.ts";
import type { InFlight } from "./checkout.ts";

/**
 * The most certain attempt at a payment for the intent: a sent one that can land, then a reported one, then a built one,
 * then the newest of those that ended unpaid and whose transaction was handed in.
 */
const IN_FLIGHT = part<InFlight | null>(
  ({ environment, businessId, intentId, payment }) => sql`(
      select json_build_object(
        'kind', case
          when t.ended_at is not null then 'ended'
          when t.kind = 'sent' and ${isReport(sql`t`)} then 'reported'
          else t.kind end,
        'signature', case when t.kind = 'sent' then t.id end, 'until', least(t.until, t.ended_at))
      from checkout_attempts t
      where t.business_id = ${businessId} and t.intent_id = ${intentId} and (
        case when t.ended_at is null then t.until > ${statementNow(environment)}
          else t.failure = 'expired' and t.transaction is not null and ${payment} is null end)
      order by t.ended_at is not null, t.kind desc, ${isReport(sql`t`)}, coalesce(t.ended_at, t.created_at) desc limit 1)`,
  (json) => {
    const found = json as (Omit<InFlight, "until"> & { readonly until: string }) | null;
    return found && { ...found, until: new Date(found.until) };
  },
);

const readCheckouts = intentReader({
  business: needed(BUSINESS),
  token: TOKEN,
  chain: CHAIN,
  payments: PAYMENTS_OF_INTENT,
  isFinalized: IS_FINALIZED,
  inFlight: IN_FLIGHT,
  hasMismatch: HAS_MISMATCH,
  hasAddress: HAS_ADDRESS,
  ownArbiter: OWN_ARBITER,
  usualOutcomes: USUAL_OUTCOMES,
  /** The worth of one SOL in the reporting currency; null if nobody knows. */
  solRate: part<string | null>(({ businessId }) => solRateIn(reportingCurrencyOf(businessId))),
});

/** All that the holder of a checkout link sees. The link establishes the business: it names none. */
export async function findCheckout(db: Db, intentId: string) {
  const [found] = await readCheckouts(db, [intentId]);
  if (found === undefined) return null;
  const { payments, chain, token, ...others } = found;
  const payment = payments.find(({ role }) => role === "primary") ?? null;
  return { ...others, ...chain, ...token, payment, duplicates: payments.filter(({ role }) => role === "duplicate") };
}

/** The states of several intents, in one statement. Unknown intents are left out. */
export const listCheckoutStates = intentReader({ payment: PRIMARY, inFlight: IN_FLIGHT });
export type StateRows = Awaited<ReturnType<typeof listCheckoutStates>>[number];
