import type { TermsText } from "../../../chain/builder.ts";
import type { Environment } from "../../../domain/terms.ts";
import { type FieldsOf, flag, named, nullable, text, word } from "../../../lib/columns.ts";
import { statementNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import { needed, part } from "../../../store/parts.ts";
import { sql } from "../../../store/sql.ts";
import { fieldRows, selected } from "../../../store/table.ts";
import { BUSINESS } from "../../businesses/fragments.ts";
import { TOKEN } from "../../chains/fragments.ts";
import { intentReader } from "../../intents/fragments.ts";
import type { Intent } from "../../intents/intent.ts";
import { freeHeld, linkOf } from "../../links/fragments.ts";
import type { CheckoutAttempt } from "./attempt.ts";
import { isReport } from "./fragments.ts";

type AttemptedIntent = Pick<Intent, "businessId" | "id" | "environment">;

/** The attempts that may be on their way for an intent: sent ones, then built ones, each newest first. */
export const findInFlight = (db: Db, intent: AttemptedIntent): Promise<CheckoutAttempt[]> =>
  db.rows<CheckoutAttempt>(sql`
    select kind, account, case when kind = 'sent' then id end as signature, until from checkout_attempts
    where business_id = ${intent.businessId} and intent_id = ${intent.id}
      and ended_at is null and until > ${statementNow(intent.environment)}
    order by kind desc, created_at desc`);

/** What a payment needs to know of its intent. */
export const PAYABLE = {
  profile: needed(BUSINESS),
  token: TOKEN,
  /** The payment link that made it; null if none did. */
  linkId: part<string | null>(({ businessId, intentId }) => linkOf(businessId, intentId)),
  /** The nonce of its first terms text, so that its texts differ only if its terms do; null before the first. */
  termsNonce: part<string | null>(
    ({ businessId, intentId }) => sql`
      (select t.body::json ->> 'nonce' from checkout_terms t
        where t.business_id = ${businessId} and t.intent_id = ${intentId} and t.body::json ->> 'nonce' is not null
        order by t.created_at, t.hash limit 1)`,
  ),
};
const readPayable = intentReader(PAYABLE);

/** An intent that the holder of its link asks to pay. The link establishes the business: it names none. */
export async function findPayable(db: Db, intentId: string) {
  const [found] = await readPayable(db, [intentId]);
  if (found === undefined) return null;
  const { intent, profile, token, linkId, termsNonce, now } = found;
  return { intent, profile, decimals: token.decimals, linkId, termsNonce, now };
}
export type PayableView = NonNullable<Awaited<ReturnType<typeof findPayable>>>;

/** Stored hints of other accounts per intent: a holder of the link can ask for builds for any account. */
const BUILT_MAX = 10;

export interface BuiltAttempt {
  readonly account: string;
  readonly until: Date;
  readonly terms: TermsText;
}

/**
 * Stores the terms text that a built transaction names, and the attempt, so that the text exists before anyone can
 * sign it. Returns false, and stores nothing, if the intent can no longer be paid.
 */
export const saveBuilt = (
  db: Db,
  intent: AttemptedIntent,
  { account, until, terms }: BuiltAttempt,
  now: Date,
): Promise<boolean> =>
  db.has(sql`
    with payable as (
      select business_id, id from intents
      where business_id = ${intent.businessId} and id = ${intent.id} and status = 'requires_payment' and expires_at >= ${until}),
    kept as (
      insert into checkout_terms (business_id, intent_id, hash, body, created_at)
      select business_id, id, ${terms.hash}, ${terms.text}, ${now}::timestamptz from payable
      on conflict (business_id, intent_id, hash) do nothing),
    hint as (
      insert into checkout_attempts (business_id, intent_id, kind, id, environment, account, created_at, until)
      select business_id, id, 'built', ${account}::text, ${intent.environment}, ${account}::text, ${now}::timestamptz, ${until}::timestamptz
      from payable
      where (select count(*) from checkout_attempts
        where business_id = ${intent.businessId} and intent_id = ${intent.id} and kind = 'built' and id <> ${account}::text
          and until > ${now}::timestamptz) < ${BUILT_MAX}::integer
      on conflict (business_id, intent_id, kind, id) do update set created_at = excluded.created_at, until = excluded.until)
    select id from payable`);

/** True if buyers of the intent were shown a terms text with this hash. */
export const isTermsKept = (db: Db, intent: AttemptedIntent, hash: string): Promise<boolean> =>
  db.has(sql`
    select true from checkout_terms where business_id = ${intent.businessId} and intent_id = ${intent.id} and hash = ${hash}`);

/** Reported signatures that are followed per intent. A further one replaces the oldest. */
const REPORTED_MAX = 10;
/** Accounts per intent whose signed transactions the relay sends, and transactions per account: only one of these can land. */
const SENDERS_MAX = 20;
const SENT_OF_SENDER_MAX = 3;

export interface SentAttempt {
  readonly signature: string;
  readonly account: string | null;
  readonly until: Date;
  /** The transaction for the relay, in base64; null if the wallet sends it. */
  readonly transaction: string | null;
  /** True if a node said that the transaction would land; otherwise the signature is only a report. */
  readonly canLand: boolean;
  /** The terms text that it names; absent: that is kept. */
  readonly terms?: TermsText;
}

/**
 * Follows a signature from now on. A repeat adds new facts. Returns false if too many transactions that can land are
 * under way for the intent, or from the account. A report is never refused, since anyone can send reports: a further
 * one replaces the oldest, mere signatures first, because a transaction may still land whose blockhash the node did
 * not know yet. The sweep finds the payment of a replaced one.
 */
export async function saveSent(db: Db, intent: AttemptedIntent, sent: SentAttempt, now: Date): Promise<boolean> {
  const { signature, account, until, transaction, canLand, terms } = sent;
  const others = sql`business_id = ${intent.businessId} and intent_id = ${intent.id} and kind = 'sent' and ended_at is null
        and id <> ${signature}::text`;
  const row = await db.row(sql`
    with crowded_out as (
      update checkout_attempts set ended_at = ${now}::timestamptz
      where not ${canLand}::boolean and (business_id, intent_id, kind, id) in (
        select business_id, intent_id, kind, id from checkout_attempts r where ${others} and ${isReport(sql`r`)}
        order by transaction is null, created_at desc, id offset ${REPORTED_MAX - 1}::integer)),
    saved as (insert into checkout_attempts as a
      (business_id, intent_id, kind, id, environment, account, created_at, until, transaction, can_land, due_at)
    select ${intent.businessId}, ${intent.id}, 'sent', ${signature}::text, ${intent.environment}, ${account}::text,
      ${now}::timestamptz, ${until}::timestamptz, ${transaction}::text, ${canLand}::boolean, now()
    where not ${canLand}::boolean or (
      (select count(distinct account) from checkout_attempts r
        where ${others} and not ${isReport(sql`r`)} and account <> ${account}::text) < ${SENDERS_MAX}::integer
      and (select count(*) from checkout_attempts r
        where ${others} and not ${isReport(sql`r`)} and account = ${account}::text) < ${SENT_OF_SENDER_MAX}::integer)
    on conflict (business_id, intent_id, kind, id) do update set
      account = coalesce(a.account, excluded.account), transaction = coalesce(a.transaction, excluded.transaction),
      can_land = (a.transaction is not null and a.can_land) or excluded.can_land,
      until = greatest(a.until, excluded.until), due_at = least(a.due_at, excluded.due_at)
    returning id),
    kept as (
      insert into checkout_terms (business_id, intent_id, hash, body, created_at)
      select ${intent.businessId}, ${intent.id}, ${terms?.hash ?? null}::text, ${terms?.text ?? null}::text, ${now}::timestamptz
      from saved where ${terms?.hash ?? null}::text is not null
      on conflict (business_id, intent_id, hash) do nothing)
    select id from saved`);
  return row !== null;
}

const ATTEMPT_KEY = { businessId: word(), intentId: word(), signature: named("id", word()) };
const FOLLOWED_COLUMNS = { ...ATTEMPT_KEY, transaction: nullable(text()), canLand: flag() };
export interface FollowedAttempt extends FieldsOf<typeof FOLLOWED_COLUMNS> {
  /** True once its time is over. */
  readonly isOver: boolean;
  /** True once it has been followed for FOLLOWED_SECONDS_MAX: then it ends even if a node shows it. */
  readonly isStale: boolean;
  /** True while the intent waits for its payment. */
  readonly isPayable: boolean;
}

/** The longest time for which an attempt is followed. A transaction that a node shows may never be recorded. */
const FOLLOWED_SECONDS_MAX = 900;

/**
 * Claims due attempts: the longest due of every business first, then the second of each, so that none waits for the
 * flood of another. The row's own `due_at` is the lease: one of two workers gets it, and an attempt of a killed worker
 * is due again when the lease ends.
 */
export const claimSent = (db: Db, environment: Environment, limit: number, leaseMs: number) => {
  const open = sql`environment = ${environment} and kind = 'sent' and ended_at is null`;
  return db.rows<FollowedAttempt>(sql`
    with recursive waiting as (
      (select business_id from checkout_attempts where ${open} order by business_id limit 1)
      union all
      select (select business_id from checkout_attempts
        where ${open} and business_id > w.business_id order by business_id limit 1)
      from waiting w where w.business_id is not null),
    ranked as (
      select d.* from waiting w
      cross join lateral (
        select business_id, intent_id, id, due_at, row_number() over (order by due_at) as turn from (
          select business_id, intent_id, id, due_at from checkout_attempts
          where ${open} and business_id = w.business_id and due_at <= now() order by due_at limit ${limit}::integer) n) d
      order by d.turn, d.due_at limit ${limit}::integer),
    due as (
      select a.business_id, a.intent_id, a.id from checkout_attempts a join ranked r using (business_id, intent_id, id)
      where a.kind = 'sent' and a.ended_at is null and a.due_at <= now()
      for update of a skip locked)
    update checkout_attempts a set due_at = now() + make_interval(secs => ${leaseMs / 1000}::double precision)
    from due d
    join intents i on i.business_id = d.business_id and i.id = d.intent_id
    where a.business_id = d.business_id and a.intent_id = d.intent_id and a.kind = 'sent' and a.id = d.id
    returning ${selected(FOLLOWED_COLUMNS, "a")},
      a.until <= ${statementNow(environment)} as "isOver",
      a.created_at <= ${statementNow(environment)} - make_interval(secs => ${FOLLOWED_SECONDS_MAX}::integer) as "isStale",
      i.status = 'requires_payment' and i.expires_at >= ${statementNow(environment)} as "isPayable"`);
};

/** The result of a check: the attempt continues, by a node's answer; it is on chain and about to be recorded; or it ended. */
export type AttemptFinding = FieldsOf<typeof FINDING_COLUMNS>;
const FINDING_COLUMNS = {
  ...ATTEMPT_KEY,
  finding: word<"waiting" | "would_land" | "would_fail" | "landed" | "recorded" | "failed" | "expired" | "given_up">(),
};
const findingRows = fieldRows("f", FINDING_COLUMNS);

/** The time until the next check of an attempt that continues. */
const CHECK_SECONDS = 2;
/** The time for which a landed payment stays in flight before it is recorded, so that nobody pays twice meanwhile. */
const LANDED_SECONDS = 60;

/** Keeps the results. An attempt that cannot land, by the chain or a node, holds no seat, unless another of its wallet can. */
export async function saveFindings(db: Db, environment: Environment, findings: readonly AttemptFinding[]) {
  await db.rows(sql`
    update checkout_attempts a set
      due_at = now() + make_interval(secs => ${CHECK_SECONDS}::integer),
      until = case when f.finding = 'landed'
        then greatest(a.until, least(${statementNow(environment)} + make_interval(secs => ${LANDED_SECONDS}::integer),
          a.created_at + make_interval(secs => ${FOLLOWED_SECONDS_MAX}::integer))) else a.until end,
      can_land = case f.finding when 'would_fail' then false when 'would_land' then true when 'landed' then true else a.can_land end,
      ended_at = case when f.finding in ('recorded', 'failed', 'expired', 'given_up') then ${statementNow(environment)} end,
      failure = case when f.finding in ('failed', 'expired') then f.finding end
    from ${findingRows(findings)}
    where a.business_id = f.business_id and a.intent_id = f.intent_id and a.kind = 'sent' and a.id = f.id and a.ended_at is null`);
  const dead = findings.filter(({ finding }) => ["failed", "expired", "would_fail"].includes(finding));
  if (dead.length === 0) return;
  const held = await db.rows<{ businessId: string; intentId: string; account: string }>(sql`
    select a.business_id as "businessId", a.intent_id as "intentId", a.account from checkout_attempts a
      join ${findingRows(dead)} on a.business_id = f.business_id and a.intent_id = f.intent_id and a.id = f.id
    where a.kind = 'sent' and a.account is not null and a.until > ${statementNow(environment)}
      and not exists (select from checkout_attempts o where o.business_id = a.business_id and o.intent_id = a.intent_id
        and o.kind = 'sent' and o.account = a.account and o.can_land and o.ended_at is null)`);
  if (held.length > 0) await freeHeld(db, held);
}

/** Deletes attempts a day after their end; there are many only under attack. Returns the number. */
export async function pruneAttempts(db: Db, environment: Environment, limit: number): Promise<number> {
  const rows = await db.rows(sql`
    delete from checkout_attempts where (business_id, intent_id, kind, id) in (
      select business_id, intent_id, kind, id from checkout_attempts
      where environment = ${environment} and until < ${statementNow(environment)} - interval '1 day'
      order by until limit ${limit}::integer)
    returning id`);
  return rows.length;
}
