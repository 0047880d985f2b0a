import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";

/** Stores a secret that no code has confirmed yet. Returns false if the user already has an app. */
export const keepTotpSecret = (db: Db, userId: string, sealed: string): Promise<boolean> =>
  db.has(sql`
    update users set totp_secret = ${sealed} where id = ${userId} and totp_confirmed_at is null returning id`);

const RESEALED_MAX = 100;
/** The secrets of users' apps whose sealed text does not begin with `prefix`. */
export async function* eachOutdatedTotp(db: Db, prefix: string) {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const rows: { readonly id: string; readonly sealed: string }[] = await db.rows(sql`
      select id, totp_secret as sealed from users where not starts_with(totp_secret, ${prefix}) and id > ${after}
      order by id limit ${RESEALED_MAX}::integer`);
    yield* rows;
    after = rows.at(-1)?.id;
  }
}

/** Writes nothing if the secret has changed meanwhile. */
export const resealTotp = (db: Db, userId: string, before: string, sealed: string) =>
  db.rows(sql`update users set totp_secret = ${sealed} where id = ${userId} and totp_secret = ${before}`);

/** Returns false if the user already has an app, or the secret has changed since the code was checked. */
export const confirmTotpSecret = (db: Db, userId: string, sealed: string): Promise<boolean> =>
  db.has(sql`
    update users set totp_confirmed_at = now()
    where id = ${userId} and totp_confirmed_at is null and totp_secret = ${sealed} returning id`);

/** Returns false if the user has no app. */
export async function removeTotpSecret(db: Db, userId: string): Promise<boolean> {
  const row = await db.row(sql`
    update users set totp_secret = null, totp_confirmed_at = null
    where id = ${userId} and totp_confirmed_at is not null returning id`);
  await db.rows(sql`delete from backup_codes where user_id = ${userId}`);
  return row !== null;
}

export async function replaceBackupCodes(db: Db, userId: string, hashes: readonly string[]): Promise<void> {
  await db.rows(sql`delete from backup_codes where user_id = ${userId}`);
  await db.rows(sql`
    insert into backup_codes (user_id, hash)
    select ${userId}, decode(h, 'hex') from unnest(${[...hashes]}::text[]) as h`);
}

/** The ways in which a user signs in. */
export interface SignInWays {
  readonly hasPassword: boolean;
  readonly hasTotp: boolean;
  readonly backupCodesLeft: number;
  readonly passkeys: number;
  /** True if the user is linked to the company's provider. */
  readonly isLinked: boolean;
}

export async function findSignInWays(db: Db, userId: string, issuer: string | null): Promise<SignInWays> {
  const row = await db.row<SignInWays>(sql`
    select password is not null as "hasPassword", totp_confirmed_at is not null as "hasTotp",
      (select count(*)::integer from backup_codes where user_id = ${userId} and used_at is null) as "backupCodesLeft",
      (select count(*)::integer from passkeys where user_id = ${userId}) as passkeys,
      exists (select from company_identities where user_id = ${userId} and issuer = ${issuer}) as "isLinked"
    from users where id = ${userId}`);
  return row!;
}
