import type pg from "pg";
import { CELLS_MAX } from "../domain/ids.ts";
import { createConnector } from "./connection.ts";
import type { Db } from "./database.ts";
import { migrate } from "./migrate.ts";
import type { Place } from "./place.ts";
import { piece } from "./sql.ts";

/** The servers by name; `main` is that of the main database. */
export type Servers = ReadonlyMap<string, pg.ClientConfig>;
export const MAIN_SERVER = "main";

/** `further`: the addresses of the setting CELL_SERVERS. */
export const serversOf = (main: pg.ClientConfig, further: ReadonlyMap<string, string>): Servers =>
  new Map<string, pg.ClientConfig>([
    [MAIN_SERVER, main],
    ...[...further].map(([name, connectionString]): [string, pg.ClientConfig] => [name, { connectionString }]),
  ]);

/** A row of the directory. */
export interface CellRow {
  readonly number: number;
  readonly server: string;
  /** False: no process has started since it was added. */
  readonly isServed: boolean;
}

export const schemaOf = (number: number): string | null => (number === 0 ? null : `cell_${number}`);

/** Runs `work` on a connection of its own. */
export async function connected<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  // A lost connection fails the running query, which reports it.
  const client = await createConnector(connection).connect({}, () => undefined);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The directory in the main database, in the order of the numbers, which have no gaps. */
const CELLS = `select number, server, served_at is not null as "isServed" from cells order by number`;
export const listCells = (main: Db): Promise<readonly CellRow[]> => main.rows<CellRow>(piece(CELLS));

/** The same for a command. A database of an older version, which a command may migrate, has no directory. */
export async function readCells(main: pg.Client): Promise<readonly CellRow[]> {
  const { rows } = await main.query<{ isThere: boolean }>(`select to_regclass('cells') is not null as "isThere"`);
  return rows[0]!.isThere ? (await main.query<CellRow>(CELLS)).rows : [];
}

/** A process serves all cells of the directory from its start on. */
export const markServed = (main: pg.Client) => main.query("update cells set served_at = now() where served_at is null");

/** Returns the place of a cell. Throws if the settings do not name its server. */
export function placeOf({ number, server }: Pick<CellRow, "number" | "server">, servers: Servers): Place {
  const connection = servers.get(server);
  if (connection === undefined)
    throw new Error(`Cell ${number} is on the server ${server}, which CELL_SERVERS does not name.`);
  return { connection, schema: schemaOf(number) };
}

/** Brings a cell's schema up to date. Throws if it is not there. */
export const migrateCell = ({ connection, schema }: Place): Promise<string[]> =>
  connected(connection, async (client) => {
    const { rows } = await client.query("select to_regnamespace($1) is null as missing", [schema]);
    if (rows[0].missing) throw new Error(`There is no schema ${schema} on the server that CELL_SERVERS names for it.`);
    return migrateSchema(client, schema!);
  });

export async function migrateSchema(client: pg.Client, schema: string): Promise<string[]> {
  await client.query(`set search_path to ${schema}`);
  return migrate(client);
}

/** Makes the next cell, on a server, with its schema. Processes serve it from their next start on. Returns its number. */
export const addCell = (main: pg.ClientConfig, server: string, connection: pg.ClientConfig): Promise<number> =>
  connected(main, async (client) => {
    // Two commands at once add one after the other.
    await client.query("begin");
    await client.query("lock table cells in share row exclusive mode");
    const number = (await readCells(client)).length + 1;
    if (number >= CELLS_MAX) throw new Error(`There are ${CELLS_MAX} cells, and there can be no more.`);
    const schema = schemaOf(number)!;
    await connected(connection, async (there) => {
      await there.query(`create schema ${schema}`);
      await migrateSchema(there, schema);
    });
    await client.query("insert into cells (number, server) values ($1, $2)", [number, server]);
    await client.query("commit");
    return number;
  });
