import type { Db } from "./database.ts";
import { type Sql, sql } from "./sql.ts";

/** The secret of the deployment by which its nonces say what they are for. */
export const NONCE_SECRET: Sql = sql`(select secret from nonce_secret)`;

/** The secret, and the time by the database. */
export const findNonceSecret = async (db: Db): Promise<{ readonly secret: Buffer; readonly now: Date }> =>
  (await db.row<{ secret: Buffer; now: Date }>(sql`select ${NONCE_SECRET} as secret, now() as now`))!;
