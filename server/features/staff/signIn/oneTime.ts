import { hashStaffSecret, newStaffSecret } from "../../../domain/staffSecrets.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { deletePasswordEmails } from "../../emails/fragments.ts";
import type { User } from "../user.ts";

type Purpose =
  | "first_owner"
  | "set_password"
  | "second_factor"
  | "passkey_sign_in"
  | "passkey_registration"
  | "passkey_proof";

/** The lifetime of each kind that is kept from its beginning, in seconds. */
const SECONDS: Readonly<Record<Exclude<Purpose, "passkey_sign_in">, number>> = {
  first_owner: 86_400,
  set_password: 3_600,
  second_factor: 300,
  passkey_registration: 300,
  passkey_proof: 300,
};

/** Creates a one-time secret and returns it. Only its hash is stored. */
export async function issueOneTime(
  db: Db,
  purpose: keyof typeof SECONDS,
  userId: string | null,
  seconds = SECONDS[purpose],
): Promise<string> {
  const secret = newStaffSecret();
  await db.rows(sql`
    insert into one_time_secrets (hash, purpose, user_id, expires_at)
    values (decode(${hashStaffSecret(secret)}, 'hex'), ${purpose}, ${userId}, now() + make_interval(secs => ${seconds}::integer))`);
  return secret;
}

/** Creates the ticket between a sign-in by the company, whose sealed word it keeps, and the code of an app. */
export async function issueTicket(db: Db, userId: string, company: string): Promise<string> {
  const secret = await issueOneTime(db, "second_factor", userId);
  await db.rows(
    sql`update one_time_secrets set company = ${company} where hash = decode(${hashStaffSecret(secret)}, 'hex')`,
  );
  return secret;
}

/** Uses up the secret. Null if it is unknown, used, expired or for another purpose. Of parallel calls, one gets it. */
export const takeOneTime = (db: Db, purpose: Purpose, secret: string): Promise<TakenSecret | null> =>
  db.row<TakenSecret>(sql`
    delete from one_time_secrets
    where hash = decode(${hashStaffSecret(secret)}, 'hex') and purpose = ${purpose} and expires_at > now()
    returning user_id as "userId", company`);

interface TakenSecret {
  readonly userId: string | null;
  /** The sealed word of the company's provider, of a sign-in by it; null: another one. */
  readonly company: string | null;
}

/**
 * Uses up a secret of which nothing was kept before, and keeps it until its end. Returns false if it was used: of parallel
 * calls, one gets true.
 */
export const useOnce = (db: Db, purpose: Purpose, secret: string, expiresAt: Date): Promise<boolean> =>
  db.has(sql`
    insert into one_time_secrets (hash, purpose, expires_at)
    values (decode(${hashStaffSecret(secret)}, 'hex'), ${purpose}, ${expiresAt})
    on conflict (hash) do nothing returning hash`);

/** Reads a secret without using it up. */
export const peekOneTime = (db: Db, purpose: Purpose, secret: string): Promise<{ userId: string | null } | null> =>
  db.row<{ userId: string | null }>(sql`
    select user_id as "userId" from one_time_secrets
    where hash = decode(${hashStaffSecret(secret)}, 'hex') and purpose = ${purpose} and expires_at > now()`);

/** Deletes every secret of a purpose and user, such as the links that a new password makes useless. */
export const dropOneTimes = (db: Db, purpose: Purpose, userId: string): Promise<unknown> =>
  db.rows(sql`delete from one_time_secrets where purpose = ${purpose} and user_id = ${userId}`);

/** Deletes a user's links to set a password, with those of emails that wait. */
export async function dropPasswordLinks(db: Db, { id, email }: Pick<User, "id" | "email">): Promise<void> {
  await db.rows(deletePasswordEmails(email.toLowerCase()));
  await dropOneTimes(db, "set_password", id);
}

/** Deletes all links for the first owner, if this is one of them: of two links, the first that is used wins. */
export async function takeFirstOwner(db: Db, secret: string): Promise<boolean> {
  const taken = await db.rows<{ hash: string; current: boolean }>(sql`
    delete from one_time_secrets where purpose = 'first_owner' and exists (
      select from one_time_secrets s where s.hash = decode(${hashStaffSecret(secret)}, 'hex') and s.purpose = 'first_owner')
    returning encode(hash, 'hex') as hash, expires_at > now() as current`);
  return taken.some((one) => one.hash === hashStaffSecret(secret) && one.current);
}
