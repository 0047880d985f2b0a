import type { ChainMint, RecipientKind } from "../../chain/port.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

export interface ChainRow {
  readonly environment: Environment;
  readonly genesis_hash: string;
  readonly program_id: string;
  readonly operator: string;
}

export const findChain = (db: Db, environment: Environment) =>
  db.row<ChainRow>(sql`select * from chains where environment = ${environment}`);

/** Remembers which chain an environment is; a database is tied to it from then on. */
export const saveChain = (db: Db, chain: ChainRow) =>
  db.rows(sql`
    insert into chains (environment, genesis_hash, program_id, operator)
    values (${chain.environment}, ${chain.genesis_hash}, ${chain.program_id}, ${chain.operator})
    on conflict (environment) do nothing`);

export const pauseSweep = (db: Db, environment: Environment, paused: boolean) =>
  db.rows(sql`update chains set sweep_paused = ${paused} where environment = ${environment}`);

/** Moves `test`'s clock to run this far ahead of real time; all statements read it from there. */
export const setClockAhead = (db: Db, aheadMs: number) =>
  db.rows(
    sql`update clocks set ahead = make_interval(secs => ${aheadMs / 1000}::double precision) where environment = 'test'`,
  );

export interface KnownAsset {
  readonly isMint: boolean;
  readonly riskyExtensions: readonly string[];
}

/** After this long a missing mint is looked up again: somebody may have made it since. */
const NO_MINT_SECONDS = 60;

export async function findAsset(db: Db, environment: Environment, address: string): Promise<KnownAsset | null> {
  const row = await db.row<{ is_mint: boolean; risky_extensions: string[] }>(sql`
    select is_mint, risky_extensions from known_assets
    where environment = ${environment} and address = ${address}
      and (is_mint or read_at > now() - make_interval(secs => ${NO_MINT_SECONDS}::double precision))`);
  return row === null ? null : { isMint: row.is_mint, riskyExtensions: row.risky_extensions };
}

/** The known kind of an address; a mint that somebody asked to be paid in is no wallet either. */
export async function findRecipient(db: Db, environment: Environment, address: string): Promise<RecipientKind | null> {
  const row = await db.row<{ kind: RecipientKind }>(sql`
    select kind from known_recipients where environment = ${environment} and address = ${address}
    union all
    select 'token_program_account' from known_assets where environment = ${environment} and address = ${address} and is_mint
    limit 1`);
  return row?.kind ?? null;
}

export const saveAsset = (db: Db, environment: Environment, address: string, mint: ChainMint | null) =>
  db.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    values (${environment}, ${address}, ${mint !== null}, ${mint?.decimals ?? null}::smallint, ${mint?.tokenProgram ?? null},
      ${[...(mint?.riskyExtensions ?? [])]}::text[], now())
    on conflict (environment, address) do update set is_mint = excluded.is_mint, decimals = excluded.decimals,
      token_program = excluded.token_program, risky_extensions = excluded.risky_extensions, read_at = excluded.read_at`);

export const saveRecipient = (db: Db, environment: Environment, address: string, kind: RecipientKind) =>
  db.rows(sql`
    insert into known_recipients (environment, address, kind, read_at) values (${environment}, ${address}, ${kind}, now())
    on conflict (environment, address) do update set kind = excluded.kind, read_at = excluded.read_at`);
