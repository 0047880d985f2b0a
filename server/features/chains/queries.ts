import type { Lifetimes } from "../../chain/lifetime.ts";
import type { ChainMint, RecipientKind } from "../../chain/port.ts";
import type { Environment } from "../../domain/terms.ts";
import { type FieldsOf, nullable, omit, pick, slot, time } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { assignments, assignmentsFrom, columnNames, columnValues, insertion, selected } from "../../store/table.ts";
import { ASSETS, CHAINS } from "./chain.ts";
import { CONFIRMED_COLUMNS, DEPLOYMENTS, type RecordedDeployment } from "./deployment.ts";

export type ChainRow = FieldsOf<typeof CHAINS.columns>;

export const findChain = (db: Db, environment: Environment) =>
  db.row<ChainRow>(sql`select ${selected(CHAINS.columns, "c")} from chains c where environment = ${environment}`);

const insertChains = insertion(CHAINS);
/** Records the environment's chain. This ties the database to it. */
export const saveChain = (db: Db, chain: ChainRow) =>
  db.rows(sql`${insertChains([chain])} on conflict (environment) do nothing`);

type DeploymentRow = FieldsOf<typeof DEPLOYMENTS.columns>;

function readDeploymentRow({ environment: _, slot, ...row }: DeploymentRow): RecordedDeployment {
  const { confirmedArbiter, confirmedUpgradeAuthority, confirmedProgramHash, ...facts } = row;
  const confirmed = {
    arbiter: confirmedArbiter,
    upgradeAuthority: confirmedUpgradeAuthority,
    programHash: confirmedProgramHash,
  };
  return { slot, facts, confirmed };
}

const rowOf = (environment: Environment, { facts, confirmed, slot }: RecordedDeployment): DeploymentRow => ({
  environment,
  slot,
  ...facts,
  confirmedArbiter: confirmed.arbiter,
  confirmedUpgradeAuthority: confirmed.upgradeAuthority,
  confirmedProgramHash: confirmed.programHash,
});

const DEPLOYMENT = selected(DEPLOYMENTS.columns, "d");

export async function findDeployment(db: Db, environment: Environment): Promise<RecordedDeployment | null> {
  const row = await db.row<DeploymentRow>(
    sql`select ${DEPLOYMENT} from deployments d where environment = ${environment}`,
  );
  return row === null ? null : readDeploymentRow(row);
}

/** No read takes longer. An answer after this time shows the chain's current state, even if a lying node once named a higher slot. */
const OUTDATED_SECONDS = 60;

/**
 * The environment's deployment, if it has one, locked until the transaction ends. An answer up to the slot
 * `outdatedUntil` may be older than the last change.
 */
export async function lockDeployment(
  db: Db,
  environment: Environment,
): Promise<RecordedDeployment & { readonly outdatedUntil: number }> {
  const row = await db.row<DeploymentRow & { recent: boolean }>(sql`
    select ${DEPLOYMENT}, changed_at > now() - make_interval(secs => ${OUTDATED_SECONDS}::double precision) as recent
    from deployments d where environment = ${environment} for update`);
  const { recent, ...deployment } = row!;
  return { ...readDeploymentRow(deployment), outdatedUntil: recent ? deployment.slot : -1 };
}

const insertDeployments = insertion(DEPLOYMENTS);
/** Returns false if there already is one. */
export const insertDeployment = (db: Db, environment: Environment, recorded: RecordedDeployment): Promise<boolean> =>
  db.has(sql`
    ${insertDeployments([rowOf(environment, recorded)])} on conflict (environment) do nothing returning environment`);

const changes = assignments(omit(DEPLOYMENTS.columns, "environment"));
const confirmedValues = columnValues(CONFIRMED_COLUMNS);

/** Writes nothing if nothing differs. */
export const updateDeployment = (db: Db, environment: Environment, recorded: RecordedDeployment, changed: number) =>
  db.rows(sql`
    update deployments set ${changes(rowOf(environment, recorded))}, changes = changes + ${changed}::integer,
      changed_at = case when ${changed}::integer > 0 then now() else changed_at end
    where environment = ${environment} and (${changed}::integer > 0
      or (${columnNames(CONFIRMED_COLUMNS)}) is distinct from (${confirmedValues(rowOf(environment, recorded))}))`);

/**
 * Unties the database from the environment's chain and deletes what was read of it. Returns false if there are
 * intents, or payments without one that the keeper has yet to settle; then the tie stays.
 */
export const deleteChain = (db: Db, environment: Environment): Promise<boolean> =>
  db.has(sql`
    with gone as (
      delete from chains where environment = ${environment}
        and not exists (select from intents where environment = ${environment})
        and not exists (select from events where environment = ${environment})
        and not exists (
          select from unmatched_payments where environment = ${environment} and status in ('protected', 'disputed'))
      returning environment),
    inbox as (delete from chain_inbox using gone where chain_inbox.environment = gone.environment),
    assets as (delete from known_assets using gone where known_assets.environment = gone.environment),
    recipients as (delete from known_recipients using gone where known_recipients.environment = gone.environment),
    unmatched as (delete from unmatched_payments using gone where unmatched_payments.environment = gone.environment)
    select environment from gone`);

/** Old lifetimes that each new one prunes, at most. */
const PRUNED_MAX = 10;

/** All processes share the lives of an environment's builds. Each is kept for a day, which no transaction outlives. */
export const lifetimesOf = (db: Db, environment: Environment): Lifetimes => ({
  save: (blockhash, lastValidBlockHeight) =>
    db.rows(sql`
      with pruned as (
        delete from blockhashes where (environment, blockhash) in (
          select environment, blockhash from blockhashes
          where environment = ${environment} and created_at < now() - interval '1 day'
          order by created_at limit ${PRUNED_MAX}::integer for update skip locked))
      insert into blockhashes (environment, blockhash, last_valid_block_height)
      values (${environment}, ${blockhash}, ${lastValidBlockHeight}::bigint)
      on conflict (environment, blockhash) do nothing`),
  find: async (blockhash) => {
    const row = await db.row<{ last: string }>(sql`
      select last_valid_block_height::text as last from blockhashes
      where environment = ${environment} and blockhash = ${blockhash}`);
    return row === null ? null : BigInt(row.last);
  },
});

const PROGRESS_COLUMNS = { watermark: nullable(time()), watermarkSlot: nullable(slot()) };
/** The time and slot up to which everything final is processed; null before the first pass ends. */
export type SweepProgress = FieldsOf<typeof PROGRESS_COLUMNS>;

export const findProgress = async (db: Db, environment: Environment): Promise<SweepProgress> =>
  (await db.row<SweepProgress>(
    sql`select ${selected(PROGRESS_COLUMNS, "c")} from chains c where environment = ${environment}`,
  )) ?? { watermark: null, watermarkSlot: null };

export const pauseSweep = (db: Db, environment: Environment, paused: boolean) =>
  db.rows(sql`update chains set sweep_paused = ${paused} where environment = ${environment}`);

/** Moves the clock of `test` this far ahead of real time. All statements read it from there. */
export const setClockAhead = (db: Db, aheadMs: number) =>
  db.rows(
    sql`update clocks set ahead = make_interval(secs => ${aheadMs / 1000}::double precision) where environment = 'test'`,
  );

const KNOWN_COLUMNS = pick(ASSETS.columns, "isMint", "decimals", "tokenProgram", "riskyExtensions");
export type KnownAsset = FieldsOf<typeof KNOWN_COLUMNS>;

/** A missing mint is read again after this time: it may exist by then. */
const NO_MINT_SECONDS = 60;

export const findAsset = (db: Db, environment: Environment, address: string) =>
  db.row<KnownAsset>(sql`
    select ${selected(KNOWN_COLUMNS, "a")} from known_assets a
    where environment = ${environment} and address = ${address}
      and (is_mint or read_at > now() - make_interval(secs => ${NO_MINT_SECONDS}::double precision))`);

/** The decimals of a mint that the environment's chain has shown; null if it has shown none at this address. */
export async function findDecimals(db: Db, environment: Environment, mint: string): Promise<number | null> {
  const row = await db.row<{ decimals: number }>(
    sql`select decimals from known_assets where environment = ${environment} and address = ${mint} and is_mint`,
  );
  return row?.decimals ?? null;
}

const MINT_COLUMNS = omit(ASSETS.columns, "environment", "isMint", "decimals");
/** Mints that were last read more than a day ago, longest ago first. */
export const listOutdatedMints = (db: Db, environment: Environment, limit: number) =>
  db.rows<FieldsOf<typeof MINT_COLUMNS> & { decimals: number; tokenProgram: string }>(sql`
    select ${selected(MINT_COLUMNS, "a")}, decimals from known_assets a
    where environment = ${environment} and is_mint and read_at < now() - interval '1 day'
    order by read_at limit ${limit}::integer`);

/** The known kind of an address. A mint that was once the asset of an intent is no wallet, either. */
export async function findRecipient(db: Db, environment: Environment, address: string): Promise<RecipientKind | null> {
  const row = await db.row<{ kind: RecipientKind }>(sql`
    select kind from known_recipients where environment = ${environment} and address = ${address}
    union all
    select 'token_program_account' from known_assets where environment = ${environment} and address = ${address} and is_mint
    limit 1`);
  return row?.kind ?? null;
}

const assetNames = columnNames(ASSETS.columns);
const assetValues = columnValues(ASSETS.columns);
const ASSET_CHANGES = assignmentsFrom(omit(ASSETS.columns, "environment", "address"), "excluded");

export const saveAsset = (db: Db, environment: Environment, address: string, mint: ChainMint | null) => {
  const { decimals, tokenProgram, riskyExtensions } = mint ?? NO_MINT;
  const values = assetValues({ environment, address, isMint: mint !== null, decimals, tokenProgram, riskyExtensions });
  return db.rows(sql`
    insert into known_assets (${assetNames}, read_at) values (${values}, now())
    on conflict (environment, address) do update set ${ASSET_CHANGES}, read_at = excluded.read_at`);
};
const NO_MINT = { decimals: null, tokenProgram: null, riskyExtensions: [] };

export const saveRecipient = (db: Db, environment: Environment, address: string, kind: RecipientKind) =>
  db.rows(sql`
    insert into known_recipients (environment, address, kind, read_at) values (${environment}, ${address}, ${kind}, now())
    on conflict (environment, address) do update set kind = excluded.kind, read_at = excluded.read_at`);
