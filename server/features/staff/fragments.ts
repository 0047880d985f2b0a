import type { Actor } from "../../domain/callers.ts";
import type { Db } from "../../store/database.ts";
import { piece, type Sql, sql } from "../../store/sql.ts";
import type { AccountChange, BusinessNotice } from "../emails/email.ts";
import { queueEmails } from "../emails/fragments.ts";
import { CONFIRMED_SECONDS_MAX } from "./provider/company.ts";
import { isBeyond, type Limit } from "./tries.ts";

/** Emails per kind and user. A flood of one kind hides no other, and its first emails have warned the user. */
const NOTICE_LIMIT: Limit = { name: "notice", max: 5, seconds: 3_600, whenRight: "keep" };

interface Reader {
  readonly id: string;
  readonly email: string;
}

/** Emails a user about a change of their account (§13.3.5), in its transaction. `address`: the network of the request. */
export async function notifyUser(
  db: Db,
  { id, email }: Reader,
  change: AccountChange,
  { address }: { readonly address: string },
): Promise<void> {
  if (await isBeyond(db, { limit: NOTICE_LIMIT, subject: `${change.notice} ${id}` })) return;
  const facts = { ...change, network: address, at: new Date() };
  await queueEmails(db, [{ kind: "account_change", recipient: email, source: id, facts }]);
}

/** Further owners get no email. */
const OWNERS_MAX = 20;

const listOwners = (db: Db, businessId: string) =>
  db.rows<Reader & { readonly business: string }>(sql`
    select u.id, u.email, b.name as business from members m join users u on u.id = m.user_id join businesses b on b.id = m.business_id
    where m.business_id = ${businessId} and m.role = 'owner' order by m.created_at, m.user_id limit ${OWNERS_MAX}::integer`);

/**
 * Emails the owners of a business about a change by a user (§13.5.9), in its transaction. `about` names what changed. A
 * change at the command line is reported to nobody.
 */
export async function notifyOwners(
  db: Db,
  actor: Actor,
  businessId: string,
  { notice, about }: { readonly notice: BusinessNotice; readonly about: string },
): Promise<void> {
  if (actor.kind !== "user") return;
  const happened = { notice, businessId, about, by: actor.email, network: actor.address, at: new Date() };
  for (const { id, email, business } of await listOwners(db, businessId)) {
    if (await isBeyond(db, { limit: NOTICE_LIMIT, subject: `${notice} ${businessId} ${id}` })) continue;
    const facts = { ...happened, business };
    await queueEmails(db, [{ kind: "business_change", recipient: email, source: id, facts }]);
  }
}

/** True while nothing has ended or closed a session `s`: its provider confirmed one of a company within minutes. */
export const isOpen = (s: Sql): Sql => sql`
  (${s}.expires_at > now() and (${s}.company_confirmed_at is null
    or ${s}.company_confirmed_at > now() - make_interval(secs => ${CONFIRMED_SECONDS_MAX}::integer)))`;

/** True if a session of a member of the business has not ended. */
export const hasSession = (businessId: Sql, userId: Sql, sessionId: Sql): Sql => sql`
  exists (select from sessions s join members m on m.user_id = s.user_id
    where m.business_id = ${businessId} and s.user_id = ${userId} and s.id = ${sessionId} and ${isOpen(piece("s"))}
      and (not m.by_group or s.company_issuer is not null))`;
