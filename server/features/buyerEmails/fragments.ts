import type { Environment } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { part } from "../../store/parts.ts";
import { type Sql, sql } from "../../store/sql.ts";

/** An intent's address besides the merchant's own, and what its mailbox allows. */
export interface AddressFacts {
  /** Sealed; null: the merchant's holds. */
  readonly entered: string | null;
  /** Hex digits; null before the first notice of one that was not entered. */
  readonly mailbox: string | null;
  readonly isConfirmed: boolean;
  readonly isStopped: boolean;
}

/** The address of an intent; null without one. */
export const ADDRESS = part<AddressFacts | null>(
  ({ businessId, intentId }) => sql`(
    select json_build_object('entered', a.entered, 'mailbox', encode(a.mailbox, 'hex'),
      'isConfirmed', m.confirmed_at is not null, 'isStopped', m.stopped_at is not null)
    from buyer_addresses a left join buyer_mailboxes m on m.hash = a.mailbox where a.business_id = ${businessId} and a.intent_id = ${intentId})`,
);

/** True if the buyer of an intent has an address. */
export const HAS_ADDRESS = part<boolean>(
  ({ businessId, intentId }) => sql`exists (
    select from buyer_addresses a where a.business_id = ${businessId} and a.intent_id = ${intentId})`,
);

/** True if the buyer of an order confirmed its mailbox, so that emails about it go there. */
export const EMAILS_GO = part<boolean>(
  ({ businessId, intentId }) => sql`exists (
    select from buyer_addresses a join buyer_mailboxes m on m.hash = a.mailbox
    where a.business_id = ${businessId} and a.intent_id = ${intentId} and m.confirmed_at is not null)`,
);

/** A dispute with news for a buyer whose mailbox is confirmed. */
export interface ToldDispute {
  readonly businessId: string;
  readonly disputeId: string;
  readonly intentId: string;
  readonly payment: string;
}

/**
 * Claims one of `disputes`, a query with the columns of {@link ToldDispute} in snake case, whose buyer confirmed the mailbox,
 * and counts an email to it: the next is `seconds` later.
 */
export const claimTold = (
  db: Db,
  environment: Environment,
  disputes: Sql,
  seconds: number,
): Promise<ToldDispute | null> =>
  db.row<ToldDispute>(sql`
    with next as (
      select a.business_id, a.intent_id, d.dispute_id, d.payment from (${disputes}) d
        join buyer_addresses a on a.business_id = d.business_id and a.intent_id = d.intent_id
        join buyer_mailboxes m on m.hash = a.mailbox
      where a.environment = ${environment} and a.news_at <= now() and m.confirmed_at is not null
      order by a.news_at limit 1 for update of a skip locked)
    update buyer_addresses a set news_at = now() + make_interval(secs => ${seconds}::integer)
    from next n where a.business_id = n.business_id and a.intent_id = n.intent_id
    returning a.business_id as "businessId", n.dispute_id as "disputeId", a.intent_id as "intentId", n.payment`);
