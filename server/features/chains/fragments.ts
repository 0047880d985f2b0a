import type { Environment } from "../../domain/terms.ts";
import { type FieldsOf, pick } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { needed, part, rowPart } from "../../store/parts.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { jsonRow, selected } from "../../store/table.ts";
import { ASSETS, CHAINS } from "./chain.ts";

/** The chain of the environment: without one, nothing of it is shown. */
export const CHAIN = needed(
  rowPart(
    pick(CHAINS.columns, "genesisHash", "programId", "operator"),
    "c",
    ({ environment }) => sql`chains c where c.environment = ${environment}`,
  ),
);

/** The same with the program's hash. The order of the members is that of a receipt. */
const deployedChain = (environment: Sql): Sql => sql`(
    select json_build_object('genesisHash', c.genesis_hash, 'programId', c.program_id, 'programHash', d.program_hash, 'operator', c.operator)
    from chains c join deployments d on d.environment = c.environment where c.environment = ${environment})`;
interface DeployedChain {
  readonly genesisHash: string;
  readonly programId: string;
  readonly programHash: string;
  readonly operator: string;
}
export const DEPLOYED_CHAIN = needed(part<DeployedChain>(({ environment }) => deployedChain(environment)));

/** The deployment's chains, by environment. */
export async function listDeployments(db: Db): Promise<Record<string, DeployedChain>> {
  const rows = await db.rows<{ environment: string; chain: DeployedChain }>(sql`
    select e.environment, ${deployedChain(sql`e.environment`)} as chain
    from deployments e join chains using (environment) order by e.environment desc`);
  return Object.fromEntries(rows.map(({ environment, chain }) => [environment, chain]));
}

const TOKEN_COLUMNS = pick(ASSETS.columns, "decimals", "tokenProgram");
/** The facts that the chain has shown of the token. */
export const TOKEN = part<FieldsOf<typeof TOKEN_COLUMNS>>(
  ({ environment, asset }) => sql`(
    select ${jsonRow("a", TOKEN_COLUMNS)} from known_assets a where a.environment = ${environment} and a.address = ${asset})`,
  (json) => (json ?? { decimals: null, tokenProgram: null }) as FieldsOf<typeof TOKEN_COLUMNS>,
);

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

/** The decimals of a mint; null until the chain has shown it. */
export const decimalsOf = (environment: Sql, mint: Sql): Sql => sql`(
    select k.decimals from known_assets k where k.environment = ${environment} and k.address = ${mint} and k.is_mint)`;

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
