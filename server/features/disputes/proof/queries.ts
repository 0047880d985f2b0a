import { isAddress } from "../../../domain/addresses.ts";
import type { Database, Db } from "../../../store/database.ts";
import { NONCE_SECRET } from "../../../store/nonces.ts";
import { part } from "../../../store/parts.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { insertion, selected } from "../../../store/table.ts";
import { CHAIN, TOKEN } from "../../chains/fragments.ts";
import { paymentReader } from "../../payments/fragments.ts";
import { ID_OF_DISPUTE } from "../parts/fragments.ts";
import { type Challenge, DISPUTE_SESSIONS, type DisputeSession, SESSIONS_MAX } from "./challenge.ts";

const readPayments = paymentReader({
  chain: CHAIN,
  token: TOKEN,
  disputeId: ID_OF_DISPUTE,
  nonceSecret: part<Buffer>(() => NONCE_SECRET),
});

/** The payment at an address, which establishes the business. Null if it is bound to no order. */
export async function findProvableByAddress(db: Db, address: string) {
  const [found] = isAddress(address) ? await readPayments(db, [address]) : [];
  if (found === undefined || found.order === null) return null;
  const { payment, order, chain, token, disputeId, nonceSecret, now } = found;
  const { businessId } = order;
  const { decimals } = token;
  // A bound payment's token was read; signed texts would name another amount.
  if (decimals === null) throw new Error(`The decimals of the token of ${address} are not known.`);
  return { ...payment, ...chain, businessId, payment: address, decimals, disputeId, nonceSecret, now };
}

/** A payment that a buyer can prove to have made, with what its signed texts name. */
export type ProvablePayment = NonNullable<Awaited<ReturnType<typeof findProvableByAddress>>>;

/** Uses up a challenge. Of parallel uses, one gets a row. */
export const useChallenge = ({ businessId, nonce, payment, expiresAt }: Challenge, now: Date): Sql => sql`
    insert into dispute_challenges (business_id, nonce, payment_address, expires_at)
    select ${businessId}, ${nonce}, ${payment}, ${expiresAt} where ${expiresAt}::timestamptz > ${now}
    on conflict (business_id, nonce) do nothing
    returning business_id`;

const insertSessions = insertion(DISPUTE_SESSIONS);
/**
 * Uses up the challenge, opens the session, and ends those beyond the newest {@link SESSIONS_MAX}. Returns false if the
 * challenge was used meanwhile.
 */
export const openSession = (database: Database, challenge: Challenge, session: DisputeSession): Promise<boolean> =>
  database.transaction(async (db) => {
    if (!(await db.has(useChallenge(challenge, session.createdAt)))) return false;
    await db.rows(insertSessions([session]));
    const { businessId, payment, createdAt } = session;
    await db.rows(sql`
      update dispute_sessions set ended_at = ${createdAt}
      where business_id = ${businessId} and payment_address = ${payment} and ended_at is null and id in (
        select id from dispute_sessions
        where business_id = ${businessId} and payment_address = ${payment} and ended_at is null
        order by created_at desc, id desc offset ${SESSIONS_MAX}::integer)
      returning id`);
    return true;
  });

/** The session of a cookie's token; null if it has ended, or is another payment's. */
export const findSession = (
  db: Db,
  { businessId, payment, now }: ProvablePayment,
  tokenHash: Buffer,
): Promise<DisputeSession | null> =>
  db.row<DisputeSession>(sql`
    select ${selected(DISPUTE_SESSIONS.columns, "s")} from dispute_sessions s
    where token_hash = ${tokenHash} and business_id = ${businessId} and payment_address = ${payment}
      and ended_at is null and expires_at > ${now}`);

/** The sessions of a payment that have not ended, the newest first. */
export const listSessions = (db: Db, { businessId, payment, now }: ProvablePayment): Promise<DisputeSession[]> =>
  db.rows<DisputeSession>(sql`
    select ${selected(DISPUTE_SESSIONS.columns, "s")} from dispute_sessions s
    where business_id = ${businessId} and payment_address = ${payment} and ended_at is null and expires_at > ${now}
    order by created_at desc, id desc limit ${SESSIONS_MAX}::integer`);

/** Ends a session. Returns false if the payment has no such session. */
export const endSession = (db: Db, { businessId, payment, now }: ProvablePayment, id: string): Promise<boolean> =>
  db.has(sql`
    update dispute_sessions set ended_at = ${now}
    where business_id = ${businessId} and payment_address = ${payment} and id = ${id} and ended_at is null
    returning id`);

const PURGED_MAX = 1_000;
/** Deletes used challenges and sessions that ended a day ago. Returns true if there may be more. */
export async function purgeProofs(db: Db): Promise<boolean> {
  const old = sql`where expires_at < now() - interval '1 day' limit ${PURGED_MAX}::integer for update skip locked`;
  const challenges = await db.rows(sql`
    delete from dispute_challenges where (business_id, nonce) in (select business_id, nonce from dispute_challenges ${old})
    returning nonce`);
  const sessions = await db.rows(sql`
    delete from dispute_sessions where (business_id, id) in (select business_id, id from dispute_sessions ${old})
    returning id`);
  return challenges.length === PURGED_MAX || sessions.length === PURGED_MAX;
}
