import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";

/** A passkey as its user sees it. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export const PASSKEYS_MAX = 10;

/** The columns of a {@link Passkey}. */
export const PASSKEY = sql`id, name, created_at as "createdAt", last_used_at as "lastUsedAt"`;

export const listPasskeysOfUser = (db: Db, userId: string): Promise<Passkey[]> =>
  db.rows<Passkey>(
    sql`select ${PASSKEY} from passkeys where user_id = ${userId} order by id desc limit ${PASSKEYS_MAX}::integer`,
  );

export const listCredentialIds = async (db: Db, userId: string): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(
      sql`select credential_id as id from passkeys where user_id = ${userId} limit ${PASSKEYS_MAX}::integer`,
    )
  ).map(({ id }) => id);

/** Removes all passkeys of a user but those with these ids. */
export const deletePasskeys = (
  db: Db,
  userId: string,
  butIds: readonly string[],
): Promise<{ readonly id: string; readonly name: string }[]> =>
  db.rows<{ id: string; name: string }>(
    sql`delete from passkeys where user_id = ${userId} and not id = any(${[...butIds]}::text[]) returning id, name`,
  );
