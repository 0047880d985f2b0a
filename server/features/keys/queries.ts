import { newKeyId } from "../../domain/ids.ts";
import { ACTIVE_KEYS_MAX, REQUESTS_A_MINUTE } from "../../domain/limits.ts";
import { hashSecretKey, newSecretKey } from "../../domain/secretKeys.ts";
import type { Environment } from "../../domain/terms.ts";
import { type FieldsOf, omit } from "../../lib/columns.ts";
import type { Database, Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { columnNames, columnValues, selected } from "../../store/table.ts";
import { KEY_GRACES, KEYS, type Key, type KeyGrace, type KeyOptions } from "./key.ts";

const KEY = selected(KEYS.columns, "k");
const ISSUED = omit(KEYS.columns, "createdAt", "rolledAt", "expiresAt", "revokedAt");
const issuedNames = columnNames(ISSUED);
const issuedValues = columnValues(ISSUED);

/** A key and its secret, which is shown once and never stored. */
export interface IssuedKey {
  readonly key: Key;
  readonly secret: string;
}

/** Inserts a key in a free slot. Null if the business already has five active keys in this environment. */
export async function insertKey(
  db: Db,
  businessId: string,
  environment: Environment,
  { ratePerMinute = REQUESTS_A_MINUTE, name = null, scope = "full" }: KeyOptions = {},
): Promise<IssuedKey | null> {
  const free = sql`(
    select min(n) from generate_series(1, ${ACTIVE_KEYS_MAX}::integer) n where not exists (
      select from api_keys k where k.business_id = ${businessId} and k.environment = ${environment} and k.slot = n))`;
  // Another call may take the slot first; the next round tries another free one.
  for (let tries = 0; tries < ACTIVE_KEYS_MAX; tries++) {
    const issued = await insertKeyInSlot(db, { businessId, environment, ratePerMinute, name, scope }, free);
    if (issued !== null) return issued;
  }
  return null;
}

/** The fields that a successor takes from the key it replaces. */
type NewKey = Omit<FieldsOf<typeof ISSUED>, "id" | "last4">;

async function insertKeyInSlot(db: Db, fields: NewKey, slot: Sql): Promise<IssuedKey | null> {
  const id = newKeyId(fields, new Date());
  const secret = newSecretKey(fields);
  const hash = hashSecretKey(secret)!;
  const key = await db.row<Key>(sql`
    with inserted as (
      insert into api_keys as k (${issuedNames}, hash, slot, created_at)
      select ${issuedValues({ ...fields, id, last4: secret.slice(-4) })}, decode(${hash}, 'hex'), s.slot::smallint, now()
      from (select ${slot} as slot) s where s.slot is not null
      on conflict (business_id, environment, slot) where slot is not null do nothing
      returning k.*),
    hashed as (insert into api_key_hashes (hash, business_id, key_id) select hash, business_id, id from inserted)
    select ${KEY} from inserted k`);
  return key === null ? null : { key, secret };
}

/**
 * Inserts a successor in the key's own slot (§5.9.4). The old key works until its grace ends; the key before it stops
 * working at once. `alongside` writes in the same transaction. Null if there is no such active key.
 */
export function replaceKey(
  database: Database,
  businessId: string,
  id: string,
  grace: KeyGrace,
  alongside: (db: Db, issued: IssuedKey) => Promise<unknown> = async () => undefined,
): Promise<IssuedKey | null> {
  return database.transaction(async (db) => {
    const old = await db.row<Key & { slot: number }>(sql`
      select ${KEY}, k.slot from api_keys k
      where k.business_id = ${businessId} and k.id = ${id} and k.slot is not null for update`);
    if (old === null) return null;
    await db.rows(sql`
      update api_keys set expires_at = least(expires_at, now())
      where business_id = ${businessId} and successor_id = ${id} and expires_at > now()`);
    await db.rows(sql`
      update api_keys set slot = null, rolled_at = now(), successor_id = '',
        expires_at = now() + make_interval(secs => ${KEY_GRACES[grace]})
      where business_id = ${businessId} and id = ${id}`);
    const slot = sql`${old.slot}::integer`;
    const issued = await insertKeyInSlot(db, old, slot);
    if (issued === null) throw new Error("The slot of a rolled key was taken by another.");
    await db.rows(
      sql`update api_keys set successor_id = ${issued.key.id} where business_id = ${businessId} and id = ${id}`,
    );
    await alongside(db, issued);
    return issued;
  });
}

/**
 * Revokes a key and ends the grace of the key it replaced (§5.9.5); both fail on the next request. Returns false if
 * there is no such key, or it was revoked before.
 */
export async function endKey(db: Db, businessId: string, id: string): Promise<boolean> {
  const rows = await db.rows<{ id: string }>(sql`
    update api_keys set
      revoked_at = case when id = ${id} then now() else revoked_at end,
      slot = case when id = ${id} then null else slot end,
      expires_at = case when id = ${id} then expires_at else least(expires_at, now()) end
    where business_id = ${businessId} and (id = ${id} or (successor_id = ${id} and expires_at > now())) and revoked_at is null
    returning id`);
  return rows.some((row) => row.id === id);
}

/** The keys of both environments, newest first. */
export const listKeys = (db: Db, businessId: string): Promise<Key[]> =>
  db.rows<Key>(
    sql`select ${KEY} from api_keys k where k.business_id = ${businessId} order by k.created_at desc, k.id desc`,
  );

export const findKey = (db: Db, businessId: string, id: string): Promise<Key | null> =>
  db.row<Key>(sql`select ${KEY} from api_keys k where k.business_id = ${businessId} and k.id = ${id}`);

/** The minute in which each key was last used, if the rate counters still hold it: a crash empties them. */
export async function listLastUses(db: Db, businessId: string): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.rows<{ id: string; at: Date }>(
    sql`select key_id as id, minute as at from key_rates where business_id = ${businessId}`,
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** The business of a key, for a CLI verb that names the key alone. */
export async function findBusinessOfKey(db: Db, id: string): Promise<string | null> {
  const row = await db.row<{ business_id: string }>(sql`select business_id from api_keys where id = ${id}`);
  return row?.business_id ?? null;
}
