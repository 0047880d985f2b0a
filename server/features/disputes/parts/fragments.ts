import { flag, nullable, pick, type Row, text, time } from "../../../lib/columns.ts";
import type { Db } from "../../../store/database.ts";
import { choose, fact, type Keys, type PartsOf, part, rowPart, rowsPart } from "../../../store/parts.ts";
import { piece, type Sql, sql } from "../../../store/sql.ts";
import { createdAtOf } from "../../intents/fragments.ts";
import type { Dispute, DisputeReason } from "../dispute.ts";
import { SHOWN_FILE } from "../files/file.ts";
import { QUESTIONS } from "../question.ts";
import type { ReceiptDecision } from "../ruling.ts";
import { STATEMENTS } from "../statement.ts";

/** The ruling of the payment's dispute that has ended; null without one. */
export const DECISION = part<ReceiptDecision | null>(
  ({ businessId, payment }) => sql`
      (select json_build_object('memo', r.memo, 'total', r.total::text, 'sha256', r.sha256, 'arbiter', r.arbiter,
          'transaction', r.signature, 'ruledAtMs', extract(epoch from r.ruled_at) * 1000, 'record', f.record,
          'erasedAtMs', extract(epoch from f.erased_at) * 1000)
        from disputes d join dispute_rulings r on r.business_id = d.business_id and r.dispute_id = d.id
        left join dispute_decisions f on f.business_id = r.business_id and f.id = r.decision_id
        where d.business_id = ${businessId} and d.payment_address = ${payment} and d.status in ('decided', 'closed'))`,
);

/** The agreement of both sides, as receipts have it. */
export interface ReceiptAgreement {
  readonly total: string;
  readonly agreedAtMs: number;
  /** The end of the time to carry it out. */
  readonly untilMs: number;
  readonly failedAtMs: number | null;
  /** The time at which the service found all of it on chain, which may be later than the acts; null until then. */
  readonly executedAtMs: number | null;
}

/** The agreement of both sides while it can be carried out, once it was, and once it failed; else null. */
export const AGREEMENT = part<ReceiptAgreement | null>(
  ({ businessId, payment }) => sql`
      (select json_build_object('total', a.total::text, 'agreedAtMs', extract(epoch from a.agreed_at) * 1000,
          'untilMs', extract(epoch from a.until) * 1000, 'failedAtMs', extract(epoch from a.failed_at) * 1000,
          'executedAtMs', extract(epoch from a.executed_at) * 1000)
        from disputes d join dispute_agreements a on a.business_id = d.business_id and a.dispute_id = d.id
        where d.business_id = ${businessId} and d.payment_address = ${payment}
          and (d.status = 'agreed' or coalesce(a.executed_at, a.failed_at) is not null))`,
);

/**
 * The time until which both sides of the payment's dispute talk at least, unless both ask for the arbiter sooner: it follows
 * from the opening alone, so that it tells nobody what was said since. Null before a dispute.
 */
export const TALK_UNTIL_MS = part<number | null>(
  ({ businessId, payment }) => sql`
      (select (extract(epoch from d.opened_at + d.answer_days * interval '1 day') * 1000)::float8
        from disputes d where d.business_id = ${businessId} and d.payment_address = ${payment})`,
);

/** True if the business decided its disputes itself when the intent was created. */
export const OWN_ARBITER = fact(
  flag({ says: "True if the shop itself decides disputes of this payment.", example: false }),
  (keys) => sql`coalesce((
    select a.is_own from own_arbiters a
    where a.business_id = ${keys.businessId} and a.environment = ${keys.environment} and a.since <= ${createdAtOf(keys)}
    order by a.since desc limit 1), false)`,
);

/** What buyer, merchant and arbiter read of a payment: also the holders of its receipt's key, before a dispute. */
export const PAYMENT_FACTS = { ownArbiter: OWN_ARBITER };
export type PaymentFacts = PartsOf<typeof PAYMENT_FACTS>;
export const pickFacts = (row: PaymentFacts): PaymentFacts =>
  pick(row, ...(Object.keys(PAYMENT_FACTS) as (keyof PaymentFacts)[]));

/** What they read of a dispute `d` beside its own row and its texts, as the API shows it. */
export const DISPUTE_FACTS = {
  usualOutcome: fact(
    nullable(
      text({ says: "The usual outcome of a dispute with this reason, in the operator's words; null if none is set." }),
    ),
    () => sql`(select o.text from usual_outcomes o where o.reason = d.reason)`,
  ),
  ...PAYMENT_FACTS,
};

/** The keys of a row `d` of disputes. */
export const KEYS_OF_D: Keys = {
  environment: sql`d.environment`,
  businessId: sql`d.business_id`,
  intentId: sql`d.intent_id`,
  payment: sql`d.payment_address`,
  asset: sql`null::text`,
  termsHash: sql`null::text`,
};
export const ofDispute = (alias: string): Sql =>
  piece(`${alias}.business_id = d.business_id and ${alias}.dispute_id = d.id`);

/** The id of the payment's dispute; null before one. */
export const ID_OF_DISPUTE = part<string | null>(
  ({ businessId, payment }) =>
    sql`(select d.id from disputes d where d.business_id = ${businessId} and d.payment_address = ${payment})`,
);

/** The version of the payment's dispute, which a page follows; "0" before one. */
export const DISPUTE_VERSION = part<string>(
  ({ businessId, payment }) => sql`coalesce((
    select d.version::text from disputes d where d.business_id = ${businessId} and d.payment_address = ${payment}), '0')`,
);

/** What they all read of it besides its own row: few rows each, by their limits. */
const TALK = {
  statements: rowsPart(pick(STATEMENTS.columns, "number", "side", "text", "createdAt", "erasedAt"), "s", {
    from: () => sql`dispute_statements s where ${ofDispute("s")}`,
    order: sql`s.number`,
  }),
  /** The arbiter's questions to one side or both. */
  questions: rowsPart(pick(QUESTIONS.columns, "number", "text", "askedSide", "askedAt", "until", "erasedAt"), "q", {
    from: () => sql`dispute_questions q where ${ofDispute("q")}`,
    order: sql`q.number`,
  }),
  files: rowsPart(SHOWN_FILE, "f", { from: () => sql`dispute_files f where ${ofDispute("f")}`, order: sql`f.number` }),
  ...DISPUTE_FACTS,
};
/** The frozen record of the ruling, or the time at which it was erased; null without one. */
const RECORD = rowPart(
  { record: nullable(text()), erasedAt: nullable(time()) },
  "f",
  () => sql`dispute_rulings r join dispute_decisions f on f.business_id = r.business_id and f.id = r.decision_id
    where ${ofDispute("r")} and d.status in ('decided', 'closed')`,
);
export const TALK_OF_D = choose(TALK, KEYS_OF_D);
export type DisputeTalk = PartsOf<typeof TALK>;
const TEXTS_OF_D = choose({ ...TALK, record: RECORD }, KEYS_OF_D);
export type DisputeTexts = NonNullable<ReturnType<typeof TEXTS_OF_D.read>>;

/** The texts of a dispute, with the record of its decision. */
export async function findTexts(db: Db, { businessId, id }: Pick<Dispute, "businessId" | "id">): Promise<DisputeTexts> {
  const row = await db.row<Row>(sql`
    select d.id${TEXTS_OF_D.columns} from disputes d ${TEXTS_OF_D.keys} where d.business_id = ${businessId} and d.id = ${id}`);
  return TEXTS_OF_D.read(row!)!;
}

/** The operator's words on the usual outcomes, by reason. */
export const USUAL_OUTCOMES = part<Readonly<Partial<Record<DisputeReason, string>>>>(
  () => sql`coalesce((select json_object_agg(o.reason, o.text) from usual_outcomes o), '{}')`,
);
