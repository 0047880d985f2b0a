import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { connected, migrateSchema, schemaOf } from "./cellPlaces.ts";

/** A move of a cell to another server by PostgreSQL's logical replication. */
export interface CellMove {
  readonly number: number;
  readonly main: pg.ClientConfig;
  /** The server on which the cell lies, as the server to which it moves reaches it too. */
  readonly source: { readonly connectionString: string };
  readonly target: pg.ClientConfig;
  /** The name of the target in CELL_SERVERS. */
  readonly server: string;
  /** Tells the person at the command line how far the move is. */
  readonly say: (progress: string) => void;
  /** Breaks the move off, and undoes it, as long as the cell's writes go on. */
  readonly signal: AbortSignal;
}

export interface MovedCell {
  /** The time in which the cell took no writes. */
  readonly stoppedMs: number;
  /** The schema that stays at the source, for the operator to drop; null: a move before this one left it. */
  readonly left: string | null;
}

interface Ends {
  readonly schema: string;
  /** The name of the publication, the subscription and its slot. */
  readonly name: string;
  readonly source: pg.Client;
  readonly target: pg.Client;
}

const POLL_MS = 250;
const SAY_MS = 5_000;
/** The copies lag behind the source by no more than this when writes are stopped. */
const LAG_BYTES_MAX = 1_000_000;
const LOCK_WAIT_MS = 2_000;
const LOCK_TRIES_MAX = 20;
const CAUGHT_UP_MS_MAX = 10_000;
/** Tables with more rows are not counted while writes are stopped. */
const COUNTED_ROWS_MAX = 1_000_000;
/** Marks a schema that a move fills: a later one may replace it. */
const MARK = "a move of Holdfast fills this schema";

/**
 * Moves a cell. Its tables are copied while it works; then its writes wait until the copy has caught up, and its schema is
 * renamed at the source, which refuses every later statement there. A move that was broken off is begun anew, or finished if
 * the schema was renamed already. Throws an error that says what to do; then the cell works where it was.
 */
export function moveCell(move: CellMove): Promise<MovedCell> {
  const schema = schemaOf(move.number)!;
  return connected(move.source, (source) =>
    connected(move.target, async (target) => {
      const ends: Ends = { schema, name: `holdfast_${schema}`, source, target };
      await requireOtherCluster(ends);
      if (await hasSchema(source, schema)) return copyAndStop(move, ends);
      // Without the renamed schema this is another database than the one that had the cell, and the copy may not be whole.
      if (!(await hasSchema(target, schema)) || !(await wasMoved(source, schema)))
        throw new Error(
          `The server that the directory names for cell ${move.number} does not have the schema ${schema}.`,
        );
      await finish(move, ends);
      return { stoppedMs: 0, left: null };
    }),
  );
}

const hasSchema = async (client: pg.Client, schema: string): Promise<boolean> =>
  (await client.query("select to_regnamespace($1) is not null as is_there", [schema])).rows[0].is_there;

const wasMoved = async (client: pg.Client, schema: string): Promise<boolean> =>
  (await client.query("select from pg_namespace where starts_with(nspname, $1)", [`${schema}_moved_`])).rowCount !== 0;

async function requireOtherCluster({ source, target }: Ends): Promise<void> {
  const read = async (client: pg.Client) =>
    (
      await client.query(
        "select system_identifier::text as id, current_setting('wal_level') as wal from pg_control_system()",
      )
    ).rows[0] as { id: string; wal: string };
  const [from, to] = [await read(source), await read(target)];
  if (from.id === to.id) throw new Error("The cell is on this server already; a move goes to another server.");
  if (from.wal !== "logical")
    throw new Error(
      `The server that has the cell runs with wal_level = ${from.wal}. Set it to logical, and restart that server.`,
    );
}

async function copyAndStop(move: CellMove, ends: Ends): Promise<MovedCell> {
  await removeLeftovers(ends);
  try {
    await prepareTarget(ends);
    const tables = await listTables(ends.source, ends.schema);
    await subscribe(move, ends, tables);
    await awaitCopies(move, ends);
    const moved = await stopAndRename(move, ends, tables);
    await finish(move, ends);
    return moved;
  } catch (error) {
    // After the renaming the next move finishes this one.
    if (await hasSchema(ends.source, ends.schema).catch(() => false))
      await removeLeftovers(ends).catch(() => undefined);
    throw error;
  }
}

/** Removes what a move made that was broken off. */
async function removeLeftovers({ schema, name, source, target }: Ends): Promise<void> {
  const { rows } = await target.query("select from pg_subscription where subname = $1", [name]);
  if (rows.length > 0) {
    await target.query(`alter subscription ${name} disable`);
    await target.query(`alter subscription ${name} set (slot_name = none)`);
    await target.query(`drop subscription ${name}`);
  }
  await source.query(
    `select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = $1 and active_pid is not null`,
    [name],
  );
  await source.query("select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1", [
    name,
  ]);
  await source.query(`drop publication if exists ${name}`);
  if (!(await hasSchema(target, schema))) return;
  const mark = await target.query("select obj_description(to_regnamespace($1), 'pg_namespace') as text", [schema]);
  if (mark.rows[0].text !== MARK)
    throw new Error(`The server has a schema ${schema} that no move made. Drop or rename it there first.`);
  await target.query(`drop schema ${schema} cascade`);
}

/** Makes the schema with the migrations and the partitions of the source, and without rows. */
async function prepareTarget({ schema, source, target }: Ends): Promise<void> {
  await target.query(`create schema ${schema}`);
  await target.query(`comment on schema ${schema} is '${MARK}'`);
  await migrateSchema(target, schema);
  const MIGRATIONS = `select name, hash from ${schema}.migrations order by name`;
  const [there, here] = [await source.query(MIGRATIONS), await target.query(MIGRATIONS)];
  if (JSON.stringify(there.rows) !== JSON.stringify(here.rows))
    throw new Error(
      "The cell's schema is of another version. Start the service of this version once, then move the cell.",
    );
  const tables = await listTables(target, schema);
  await target.query(`truncate ${tables.map(({ name }) => name).join(", ")}`);
  for (const { partition, parent, bounds } of await listPartitions(source, schema))
    if (!(await hasTable(target, schema, partition)))
      await target.query(`create table ${partition} partition of ${parent} ${bounds}`);
}

const hasTable = async (client: pg.Client, schema: string, table: string): Promise<boolean> =>
  (await client.query("select to_regclass($1) is not null as is_there", [`${schema}.${table}`])).rows[0].is_there;

const listPartitions = async (client: pg.Client, schema: string) =>
  (
    await client.query<{ partition: string; parent: string; bounds: string }>(
      `select c.relname as partition, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bounds
       from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
       where p.relnamespace = $1::text::regnamespace and p.relkind = 'p' and c.relkind in ('r', 'p') order by c.relname`,
      [schema],
    )
  ).rows;

interface CellTable {
  readonly name: string;
  readonly isLogged: boolean;
  readonly rows: number;
}

/** The tables that hold a cell's rows: of partitioned ones the whole. */
const listTables = async (client: pg.Client, schema: string): Promise<readonly CellTable[]> =>
  (
    await client.query<CellTable>(
      `select relname as name, relpersistence = 'p' as "isLogged", greatest(reltuples, 0)::float8 as rows
       from pg_class
       where relnamespace = $1::text::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'migrations'
       order by relname`,
      [schema],
    )
  ).rows;

async function subscribe({ source: { connectionString } }: CellMove, ends: Ends, tables: readonly CellTable[]) {
  const { schema, name, source, target } = ends;
  const logged = tables.filter(({ isLogged }) => isLogged).map((table) => `${schema}.${table.name}`);
  await source.query(
    `create publication ${name} for table ${logged.join(", ")} with (publish_via_partition_root = true)`,
  );
  const address = target.escapeLiteral(connectionString);
  await target.query(`create subscription ${name} connection ${address} publication ${name}`);
}

/** Waits until every table is copied and the source is hardly ahead. */
async function awaitCopies({ say, signal }: CellMove, { name, source, target }: Ends): Promise<void> {
  for (let saidAtMs = 0; ; ) {
    signal.throwIfAborted();
    const { rows } = await target.query<{ all: number; copied: number; errors: number }>(
      `select count(*)::integer as all, count(*) filter (where r.srsubstate = 'r')::integer as copied,
         (select apply_error_count + sync_error_count from pg_stat_subscription_stats where subname = $1)::integer as errors
       from pg_subscription s join pg_subscription_rel r on r.srsubid = s.oid where s.subname = $1`,
      [name],
    );
    const { all, copied, errors } = rows[0]!;
    if (errors > 0) throw new Error("The target refuses rows of the cell. Its log says which and why.");
    const lag = await readLag(source, name);
    if (copied === all && lag < LAG_BYTES_MAX) return;
    if (performance.now() - saidAtMs > SAY_MS) {
      say(`${copied} of ${all} tables are copied${copied === all ? `; ${Math.ceil(lag / 1e6)} MB to catch up` : ""}.`);
      saidAtMs = performance.now();
    }
    await sleep(POLL_MS);
  }
}

async function readLag(source: pg.Client, slot: string): Promise<number> {
  const { rows } = await source.query<{ lag: number }>(
    `select (pg_current_wal_insert_lsn() - confirmed_flush_lsn)::float8 as lag from pg_replication_slots where slot_name = $1`,
    [slot],
  );
  return rows[0]?.lag ?? Number.POSITIVE_INFINITY;
}

/**
 * Locks all tables against writes until the copy has every row, then renames the schema. A statement that waited for a lock
 * is parsed again after the renaming, since that makes all cached plans invalid, and finds no table.
 */
async function stopAndRename(move: CellMove, ends: Ends, tables: readonly CellTable[]): Promise<MovedCell> {
  const { schema, source } = ends;
  const left = `${schema}_moved_${new Date().toISOString().slice(0, 19).replaceAll(/\D/g, "")}`;
  await lockAll(ends, tables, move.signal);
  const stoppedAtMs = performance.now();
  try {
    await awaitCaughtUp(move, ends);
    await requireSameCounts(ends, tables);
    await source.query(`alter schema ${schema} rename to ${left}`);
    await source.query("commit");
  } catch (error) {
    await source.query("rollback").catch(() => undefined);
    throw error;
  }
  return { stoppedMs: performance.now() - stoppedAtMs, left };
}

async function lockAll({ schema, source }: Ends, tables: readonly CellTable[], signal: AbortSignal): Promise<void> {
  const names = tables.map(({ name }) => `${schema}.${name}`).join(", ");
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    await source.query("begin");
    try {
      await source.query(`set local lock_timeout = ${LOCK_WAIT_MS}`);
      await source.query("set local idle_in_transaction_session_timeout = 0");
      await source.query(`lock table ${names} in exclusive mode`);
      return;
    } catch (error) {
      await source.query("rollback");
      // 55P03, 40P01: a transaction has not ended in time, or waits for the locks itself.
      const { code = "" } = error as { code?: string };
      if (!["55P03", "40P01"].includes(code) || tries === LOCK_TRIES_MAX) throw error;
    }
  }
}

/** A message that is committed after the last write shows where the copy has to be. */
async function awaitCaughtUp({ source: connection }: CellMove, { name }: Ends): Promise<void> {
  await connected(connection, async (apart) => {
    const { rows } = await apart.query("select pg_logical_emit_message(true, 'holdfast', '')::text as lsn");
    for (const until = performance.now() + CAUGHT_UP_MS_MAX; performance.now() < until; await sleep(20)) {
      const reached = await apart.query(
        "select confirmed_flush_lsn >= $2::text::pg_lsn as is_there from pg_replication_slots where slot_name = $1",
        [name, rows[0].lsn],
      );
      if (reached.rows[0]?.is_there === true) return;
    }
    throw new Error(
      "The copy did not catch up within ten seconds. The cell goes on where it was; move it at a quieter time.",
    );
  });
}

async function requireSameCounts({ schema, source, target }: Ends, tables: readonly CellTable[]): Promise<void> {
  for (const { name, isLogged, rows } of tables) {
    if (!isLogged || rows > COUNTED_ROWS_MAX) continue;
    const count = async (client: pg.Client) =>
      (await client.query(`select count(*)::text as count from ${schema}.${name}`)).rows[0].count as string;
    const [there, here] = await Promise.all([count(source), count(target)]);
    if (there !== here)
      throw new Error(`The copy of ${name} has ${here} rows, not ${there}. The cell goes on where it was.`);
  }
}

/** Names the new server in the directory, and removes the replication. */
async function finish({ main, number, server }: CellMove, { schema, name, source, target }: Ends): Promise<void> {
  await connected(main, (client) =>
    client.query("update cells set server = $2, moved_at = now() where number = $1", [number, server]),
  );
  await target.query(`comment on schema ${schema} is null`);
  const { rows } = await target.query("select from pg_subscription where subname = $1", [name]);
  if (rows.length > 0) await target.query(`drop subscription ${name}`);
  await source.query(`drop publication if exists ${name}`);
}
