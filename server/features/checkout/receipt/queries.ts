import type { Environment } from "../../../domain/terms.ts";
import { type FieldsOf, pick } from "../../../lib/columns.ts";
import { environmentNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { jsonReader, jsonRow, selected } from "../../../store/table.ts";
import { sameHash } from "../../../store/textHash.ts";
import type { BusinessProfile } from "../../businesses/business.ts";
import { PROFILE_OF_B } from "../../businesses/fragments.ts";
import { ASSETS, CHAINS } from "../../chains/chain.ts";
import type { UsualOutcomes } from "../../disputes/dispute.ts";
import { decisionOf, isExecutedAgreement, ownArbiterAt, USUAL_OUTCOMES } from "../../disputes/fragments.ts";
import type { ReceiptDecision } from "../../disputes/ruling.ts";
import { partialRefundsOf } from "../../events/fragments.ts";
import type { Intent } from "../../intents/intent.ts";
import { HOLD_COLUMNS, holdOf } from "../../payments/payoutHold.ts";
import { UNMATCHED } from "../../payments/unmatched.ts";
import { BOUND_COLUMNS, type Order, type ReceiptFacts, type ReceiptPayment } from "./receipt.ts";

const readBound = jsonReader(BOUND_COLUMNS);
const UNBOUND_COLUMNS = { ...UNMATCHED.columns, ...HOLD_COLUMNS };
const readUnbound = jsonReader(UNBOUND_COLUMNS);
type Json = Record<string, unknown>;

/** The facts of a receipt, with what only its page shows. */
export interface ReceiptRow extends ReceiptFacts {
  /** The payment's number, by which the terms text names its order; null of a bound payment, whose order is known. */
  readonly paymentId: string | null;
  /** True if the text that it names was kept for its own order. */
  readonly termsKnown: boolean;
  /** Opens what the receipt shows of its order; null: nothing does. */
  readonly receiptKey: string | null;
  readonly tokenProgram: string | null;
  readonly decimals: number | null;
}

/**
 * The payments at these addresses, wherever they are recorded: bound, unmatched, or removed by a fork. Unknown ones are left
 * out. The address establishes the business.
 */
export async function listReceipts(db: Db, addresses: readonly string[]): Promise<ReceiptRow[]> {
  const rows = await db.rows<{
    bound: Json | null;
    unbound: Json | null;
    reverted: { revertedAt: number; environment: Environment; snapshot: string } | null;
    testNow: Date;
    liveNow: Date;
    at: Date;
  }>(sql`
    select
      (select ${jsonRow("p", BOUND_COLUMNS)} from payments p where p.address = a.address) as bound,
      (select ${jsonRow("u", UNBOUND_COLUMNS)} from unmatched_payments u
        where u.environment in ('test', 'live') and u.address = a.address limit 1) as unbound,
      (select json_build_object('revertedAt', extract(epoch from r.reverted_at) * 1000, 'snapshot', r.snapshot,
          'environment', (select i.environment from intents i where i.business_id = r.business_id and i.id = r.intent_id))
        from reverted_payments r where r.address = a.address order by r.reverted_at desc limit 1) as reverted,
      ${environmentNow("test")} as "testNow", ${environmentNow("live")} as "liveNow",
      date_trunc('milliseconds', clock_timestamp()) as at
    from unnest(${[...addresses]}::text[]) with ordinality a (address, ordinal) order by a.ordinal`);
  return rows.flatMap(({ bound, unbound, reverted, testNow, liveNow, at }) => {
    const found =
      bound !== null
        ? fromBound(bound)
        : unbound !== null
          ? fromUnbound(unbound)
          : reverted !== null
            ? fromReverted(reverted)
            : null;
    return found === null ? [] : [{ ...found, at, now: found.payment.environment === "live" ? liveNow : testNow }];
  });
}

type Found = Omit<ReceiptRow, "now" | "at">;
const UNKNOWN = { tokenProgram: null, decimals: null, receiptKey: null };

function fromBound(json: Json): Found {
  const row = readBound(json);
  const { refusal: _, refusedSide: __, businessId, intentId, merchantReference, overLimit, ...others } = row;
  const { role, lateReason, termsKnown, receiptKey, ...payment } = others;
  const order: Order = { businessId, intentId, merchantReference, overLimit };
  const isFinalized = payment.finalized && payment.changedSlot === null;
  const known = { order, hold: holdOf(row), isFinalized, termsKnown, paymentId: null };
  return { payment, match: role, lateReason, ...known, ...UNKNOWN, receiptKey };
}

function fromUnbound(json: Json): Found {
  const row = readUnbound(json);
  const { refusal: _, refusedSide: __, reason, paymentId, tokenProgram, decimals, ...payment } = row;
  const own = { hold: holdOf(row), paymentId, tokenProgram, decimals, receiptKey: null };
  return { payment, match: reason, lateReason: null, order: null, isFinalized: true, termsKnown: false, ...own };
}

/** Takes from the last snapshot of a payment what the chain showed of it. */
function fromReverted({
  snapshot,
  revertedAt,
  environment,
}: {
  readonly revertedAt: number;
  readonly environment: Environment;
  readonly snapshot: string;
}): Found {
  const was = JSON.parse(snapshot) as Record<"id" | "sender" | "recipient" | "amount" | "asset" | "arbiter", string> &
    Pick<ReceiptPayment, "protectionPeriod" | "termsHash"> & { createdAt: string; protectionDeadline: string };
  const { id, sender, recipient, amount, asset, arbiter, protectionPeriod, termsHash } = was;
  const payment: ReceiptPayment = {
    ...{ id, environment, sender, recipient, amount, asset, arbiter, protectionPeriod, termsHash },
    status: "protected",
    outcome: null,
    refundTotal: "0",
    amountRefunded: "0",
    amountReleased: "0",
    signature: null,
    createdAt: new Date(was.createdAt),
    protectionDeadline: new Date(was.protectionDeadline),
    disputedAt: null,
    settledAt: null,
    refundedAt: null,
    checkedAt: new Date(revertedAt),
    observedSlot: 0,
    rentPayer: null,
    recordClosed: false,
  };
  const none = { order: null, hold: null, lateReason: null, paymentId: null, termsKnown: false, ...UNKNOWN };
  return { payment, match: "vanished", isFinalized: false, ...none };
}

const ASSET_COLUMNS = pick(ASSETS.columns, "decimals", "tokenProgram");
const CHAIN_COLUMNS = pick(CHAINS.columns, "programId", "operator", "genesisHash");

/** The surroundings of a payment that a page shows. */
export interface ReceiptContext extends FieldsOf<typeof CHAIN_COLUMNS> {
  readonly decimals: number | null;
  readonly tokenProgram: string | null;
  /** The text behind the hash that it names; null if none is kept. */
  readonly terms: string | null;
  /** The business of its order; null if it has none. */
  readonly business: BusinessProfile | null;
  readonly intent: (Pick<Intent, "description" | "returnUrl"> & { readonly ownArbiter: boolean }) | null;
  /** The operator's words on the usual outcomes, by reason; null if there are none. */
  readonly usualOutcomes: UsualOutcomes | null;
  readonly decision: ReceiptDecision | null;
  /** The refunds of a part, oldest first: what had gone back in all by then; null: there were none. */
  readonly partialRefunds: readonly { readonly total: string; readonly atMs: number }[] | null;
  readonly isAgreed: boolean;
}

/** The page's surroundings of a payment; null if its environment has no chain any more. */
export const findContext = (db: Db, { payment, order }: ReceiptFacts): Promise<ReceiptContext | null> =>
  db.row<ReceiptContext>(sql`
    select ${selected(CHAIN_COLUMNS, "c")}, ${selected(ASSET_COLUMNS, "a")},
      (select t.body from checkout_terms t where t.hash = ${payment.termsHash}::text limit 1) as terms,
      (select ${PROFILE_OF_B} from businesses b where b.id = ${order?.businessId ?? null}::text) as business,
      (select json_build_object('description', i.description, 'returnUrl', i.return_url,
          'ownArbiter', ${ownArbiterAt(sql`i.business_id`, sql`i.environment`, sql`i.created_at`)}) from intents i
        where i.business_id = ${order?.businessId ?? null}::text and i.id = ${order?.intentId ?? null}::text) as intent,
      ${USUAL_OUTCOMES} as "usualOutcomes",
      ${decisionOf(sql`${order?.businessId ?? null}::text`, sql`${payment.id}::text`)} as decision,
      ${partialRefundsOf(sql`${order?.businessId ?? null}::text`, sql`${payment.id}::text`)} as "partialRefunds",
      ${isExecutedAgreement(sql`${order?.businessId ?? null}::text`, sql`${payment.id}::text`)} as "isAgreed"
    from chains c
    left join known_assets a on a.environment = c.environment and a.address = ${payment.asset}::text
    where c.environment = ${payment.environment}`);

/** The most payments in a list of a wallet's own. */
export const FOUND_MAX = 50;

/** The addresses of a wallet's payments here, newest first: one more than {@link FOUND_MAX} says that there are more. */
export async function listOfSender(db: Db, sender: string): Promise<string[]> {
  const newest = sql`sender = ${sender} and ${sameHash(sql`sender`, sql`${sender}`)} order by created_at desc limit ${FOUND_MAX + 1}::integer`;
  const rows = await db.rows<{ address: string }>(sql`
    select address from (
      (select address, created_at from payments where ${newest})
      union all
      (select address, created_at from unmatched_payments where sender is not null and ${newest})) found
    order by created_at desc, address limit ${FOUND_MAX + 1}::integer`);
  return rows.map(({ address }) => address);
}

/** The addresses of the payments that a transaction made, of those that are recorded. */
export async function listOfSignature(db: Db, signature: string): Promise<string[]> {
  const made = sql`signature = ${signature} and ${sameHash(sql`signature`, sql`${signature}`)} limit ${FOUND_MAX}::integer`;
  const rows = await db.rows<{ address: string }>(sql`
    (select address from payments where ${made}) union all (select address from unmatched_payments where signature is not null and ${made})`);
  return rows.map(({ address }) => address);
}

/** The decimals of the payments' tokens, by environment and mint. */
export async function listDecimals(db: Db, all: readonly ReceiptFacts[]): Promise<ReadonlyMap<string, number>> {
  const mints = [...new Set(all.flatMap(({ payment }) => payment.asset ?? []))];
  const rows = await db.rows<{ environment: string; address: string; decimals: number }>(sql`
    select environment, address, decimals from known_assets
    where environment in ('test', 'live') and address = any(${mints}::text[]) and decimals is not null`);
  return new Map(rows.map(({ environment, address, decimals }) => [`${environment} ${address}`, decimals]));
}

/** True if there is an intent with this id. The id is the link to its page, so it establishes the business. */
export const hasIntent = (db: Db, id: string): Promise<boolean> =>
  db.has(sql`select true from payment_ids where intent_id = ${id} and ${sameHash(sql`intent_id`, sql`${id}`)}`);
