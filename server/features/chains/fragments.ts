import type { Environment } from "../../domain/terms.ts";
import type { FieldsOf } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { CHAINS } from "./chain.ts";

/** The chain of each environment that has one. */
export const listChains = (db: Db) =>
  db.rows<FieldsOf<typeof CHAINS.columns>>(sql`select ${selected(CHAINS.columns, "chains")} from chains`);

/** True if the environment has a chain. Without one it has no payments and events, and accepts no keys and endpoints. */
export const isChainConfigured = (db: Db, environment: Environment): Promise<boolean> =>
  db.has(sql`select 1 from chains where environment = ${environment}`);

/** A token that the chain has shown. */
interface KnownAsset {
  readonly address: string;
  readonly decimals: number;
}

/** The mints among `of` that the chain has shown and whose extensions put no payment at risk. */
export const listKnownAssets = (db: Db, environment: Environment, of: readonly string[]) =>
  db.rows<KnownAsset>(sql`
    select address, decimals from known_assets
    where environment = ${environment} and address = any(${[...of]}::text[]) and is_mint and risky_extensions = '{}'
    order by address`);

/** The decimals of the mints among `of` that the chain has shown. */
export async function listDecimals(
  db: Db,
  environment: Environment,
  of: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows<KnownAsset>(sql`
    select k.address, k.decimals from unnest(${[...of]}::text[]) a (address)
      join known_assets k on k.environment = ${environment} and k.address = a.address
    where k.is_mint`);
  return new Map(rows.map(({ address, decimals }) => [address, decimals]));
}

/** The time up to which everything final is processed; null before the first pass ends. */
export const watermarkOf = (environment: Environment): Sql =>
  sql`(select c.watermark from chains c where c.environment = ${environment})`;

/** The relation `c` of the environments that have a chain. */
export const EACH_CHAIN: Sql = sql`chains c`;
