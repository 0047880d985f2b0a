import type { ChainMint, RecipientKind } from "../../chain/port.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import type { RecordedDeployment } from "./deployment.ts";

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

interface DeploymentRow {
  slot: string;
  authority: string;
  arbiter: string;
  pending_authority: string | null;
  pending_arbiter: string | null;
  upgrade_authority: string;
  program_slot: string;
  program_hash: string;
  confirmed_arbiter: string;
  confirmed_upgrade_authority: string;
  confirmed_program_hash: string;
}

const readDeploymentRow = (row: DeploymentRow): RecordedDeployment => ({
  slot: Number(row.slot),
  facts: {
    authority: row.authority,
    arbiter: row.arbiter,
    pendingAuthority: row.pending_authority,
    pendingArbiter: row.pending_arbiter,
    upgradeAuthority: row.upgrade_authority,
    programSlot: Number(row.program_slot),
    programHash: row.program_hash,
  },
  confirmed: {
    arbiter: row.confirmed_arbiter,
    upgradeAuthority: row.confirmed_upgrade_authority,
    programHash: row.confirmed_program_hash,
  },
});

export async function findDeployment(db: Db, environment: Environment): Promise<RecordedDeployment | null> {
  const row = await db.row<DeploymentRow>(sql`select * from deployments where environment = ${environment}`);
  return row === null ? null : readDeploymentRow(row);
}

/** No read takes this long: an answer that comes later is of the chain as it is, whatever slot a lying node once named. */
const OUTDATED_SECONDS = 60;

/**
 * That of an environment that has one, locked until the transaction ends. `outdatedUntil`: an answer up to this slot may be
 * from before the last change.
 */
export async function lockDeployment(
  db: Db,
  environment: Environment,
): Promise<RecordedDeployment & { readonly outdatedUntil: number }> {
  const row = await db.row<DeploymentRow & { recent: boolean }>(sql`
    select *, changed_at > now() - make_interval(secs => ${OUTDATED_SECONDS}::double precision) as recent
    from deployments where environment = ${environment} for update`);
  const recorded = readDeploymentRow(row!);
  return { ...recorded, outdatedUntil: row!.recent ? recorded.slot : -1 };
}

/** False: there is one already. */
export async function insertDeployment(
  db: Db,
  environment: Environment,
  { facts, confirmed, slot }: RecordedDeployment,
): Promise<boolean> {
  const row = await db.row(sql`
    insert into deployments (environment, slot, authority, arbiter, pending_authority, pending_arbiter, upgrade_authority,
      program_slot, program_hash, confirmed_arbiter, confirmed_upgrade_authority, confirmed_program_hash)
    values (${environment}, ${slot}, ${facts.authority}, ${facts.arbiter}, ${facts.pendingAuthority}, ${facts.pendingArbiter},
      ${facts.upgradeAuthority}, ${facts.programSlot}, ${facts.programHash}, ${confirmed.arbiter},
      ${confirmed.upgradeAuthority}, ${confirmed.programHash})
    on conflict (environment) do nothing returning environment`);
  return row !== null;
}

/** Writes nothing where nothing differs. */
export const updateDeployment = (
  db: Db,
  environment: Environment,
  { facts, confirmed, slot }: RecordedDeployment,
  changes: number,
) =>
  db.rows(sql`
    update deployments set slot = ${slot}, authority = ${facts.authority}, arbiter = ${facts.arbiter},
      pending_authority = ${facts.pendingAuthority}, pending_arbiter = ${facts.pendingArbiter},
      upgrade_authority = ${facts.upgradeAuthority}, program_slot = ${facts.programSlot}, program_hash = ${facts.programHash},
      confirmed_arbiter = ${confirmed.arbiter}, confirmed_upgrade_authority = ${confirmed.upgradeAuthority},
      confirmed_program_hash = ${confirmed.programHash}, changes = changes + ${changes}::integer,
      changed_at = case when ${changes}::integer > 0 then now() else changed_at end
    where environment = ${environment} and (${changes}::integer > 0
      or (confirmed_arbiter, confirmed_upgrade_authority, confirmed_program_hash)
        is distinct from (${confirmed.arbiter}::text, ${confirmed.upgradeAuthority}::text, ${confirmed.programHash}::text))`);

/** Unties the database from the environment's chain, with what it knows of it; false: there are intents, so it stays tied. */
export async function deleteChain(db: Db, environment: Environment): Promise<boolean> {
  const row = await db.row(sql`
    with gone as (
      delete from chains where environment = ${environment}
        and not exists (select from intents where environment = ${environment})
        and not exists (select from events where environment = ${environment})
      returning environment),
    inbox as (delete from chain_inbox using gone where chain_inbox.environment = gone.environment),
    assets as (delete from known_assets using gone where known_assets.environment = gone.environment),
    recipients as (delete from known_recipients using gone where known_recipients.environment = gone.environment),
    unmatched as (delete from unmatched_payments using gone where unmatched_payments.environment = gone.environment)
    select environment from gone`);
  return row !== null;
}

/** How far everything is processed at `finalized`; null: no pass is through yet. */
export interface SweepProgress {
  readonly watermark: Date | null;
  readonly watermarkSlot: number | null;
}

export async function findProgress(db: Db, environment: Environment): Promise<SweepProgress> {
  const row = await db.row<{ watermark: Date | null; watermark_slot: string | null }>(
    sql`select watermark, watermark_slot from chains where environment = ${environment}`,
  );
  const slot = row?.watermark_slot ?? null;
  return { watermark: row?.watermark ?? null, watermarkSlot: slot === null ? null : Number(slot) };
}

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

/** The decimals of a mint that the environment's chain has shown; null: it has shown none at this address. */
export async function findDecimals(db: Db, environment: Environment, mint: string): Promise<number | null> {
  const row = await db.row<{ decimals: number }>(
    sql`select decimals from known_assets where environment = ${environment} and address = ${mint} and is_mint`,
  );
  return row?.decimals ?? null;
}

/** The mints that were read longest ago, if that was more than a day. */
export const listOutdatedMints = (db: Db, environment: Environment, limit: number) =>
  db.rows<{ address: string; decimals: number; tokenProgram: string; riskyExtensions: string[] }>(sql`
    select address, decimals, token_program as "tokenProgram", risky_extensions as "riskyExtensions" from known_assets
    where environment = ${environment} and is_mint and read_at < now() - interval '1 day'
    order by read_at limit ${limit}::integer`);

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
