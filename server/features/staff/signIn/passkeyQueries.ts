import { type FieldsOf, omit } from "../../../lib/columns.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { columnNames, columnValues, selected } from "../../../store/table.ts";
import { PASSKEYS, type Passkey, SHOWN_PASSKEY } from "../user.ts";

export const PASSKEYS_MAX = 10;

/** The columns of a {@link Passkey} of `p`. */
const PASSKEY = selected(SHOWN_PASSKEY, "p");

const ADDED = omit(PASSKEYS.columns, "createdAt", "lastUsedAt");
const addedNames = columnNames(ADDED);
const addedValues = columnValues(ADDED);

/** Inserts a passkey. Null if it exists already. */
export const insertPasskey = (
  db: Db,
  fields: FieldsOf<typeof ADDED>,
  transports: readonly string[],
): Promise<Passkey | null> =>
  db.row<Passkey>(sql`
    insert into passkeys as p (${addedNames}, transports, created_at)
    values (${addedValues(fields)}, ${[...transports]}::text[], now())
    on conflict (credential_id) do nothing
    returning ${PASSKEY}`);

export const listPasskeysOfUser = (db: Db, userId: string): Promise<Passkey[]> =>
  db.rows<Passkey>(
    sql`select ${PASSKEY} from passkeys p where user_id = ${userId} order by id desc limit ${PASSKEYS_MAX}::integer`,
  );

export const listCredentialIds = async (db: Db, userId: string): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(
      sql`select credential_id as id from passkeys where user_id = ${userId} limit ${PASSKEYS_MAX}::integer`,
    )
  ).map(({ id }) => id);

/** Deletes all passkeys of a user except those with these ids. */
export const deletePasskeys = (
  db: Db,
  userId: string,
  butIds: readonly string[],
): Promise<{ readonly id: string; readonly name: string }[]> =>
  db.rows<{ id: string; name: string }>(
    sql`delete from passkeys where user_id = ${userId} and not id = any(${[...butIds]}::text[]) returning id, name`,
  );
