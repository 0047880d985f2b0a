import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { keepRequests } from "../features/requests/upkeep.ts";
import { keepHistory } from "../features/webhooks/delivery/upkeep.ts";
import { loadKeyRing, WEBHOOK_KEYS_NAME } from "../features/webhooks/sending/keyRing.ts";
import { log, say } from "../lib/log.ts";
import { startLoop } from "../lib/loop.ts";
import { writePrivate } from "../lib/privateFile.ts";
import { connected, listCells, markServed, migrateCell, placeOf, readCells, serversOf } from "../store/cellPlaces.ts";
import type { Place } from "../store/place.ts";
import { DatabaseUnavailableError } from "../store/unavailable.ts";
import type { Config } from "./config.ts";
import { limitsOf, migrateDatabase, openDatabases, requireSessions } from "./databases.ts";
import { needsDevelopment } from "./development.ts";
import { type LocalChain, startLocalChain } from "./local/chain.ts";
import { openDemo } from "./local/demo.ts";
import { removeStaleReady } from "./local/ready.ts";
import { requireFreePorts } from "./ports.ts";
import { CellRun, type Run, type Stop, stopAll } from "./run.ts";

/** True only if no chain is configured: with a real chain no part of a local run, such as its faucet, ever starts. */
const hasLocalChain = (config: Config): boolean => config.chains.length === 0;

export async function prepareFolder({ config, dataDir }: Run): Promise<undefined> {
  await mkdir(dataDir, { recursive: true });
  await removeStaleReady(dataDir);
  await requireFreePorts([
    { port: config.port, setting: "PORT" },
    ...(hasLocalChain(config)
      ? [0, 1, 2].map((offset) => ({ port: config.rpcPort + offset, setting: "RPC_PORT or PORT" }))
      : []),
  ]);
}

/** Starts both at once: each takes seconds. */
export async function startServers(run: Run): Promise<undefined> {
  [run.connection, run.local] = await Promise.all([openConnection(run), openLocalChain(run)]);
}

async function openConnection({ config, dataDir, shutdown }: Run): Promise<pg.ClientConfig> {
  if (config.databaseUrl !== null) {
    const connection = { connectionString: config.databaseUrl };
    await requireSessions(connection);
    await writePrivate(join(dataDir, "database.json"), { url: config.databaseUrl });
    return connection;
  }
  const postgres = await needsDevelopment(
    "Without DATABASE_URL the service brings its own PostgreSQL",
    async () => {
      const { startEmbeddedPostgres } = await import("@holdfast/embedded-postgres/postgres.ts");
      return startEmbeddedPostgres({ dataDir, log: say });
    },
    "set DATABASE_URL, or run npm run setup",
  );
  shutdown.add("PostgreSQL", () => postgres.stop(), postgres.exited);
  await writePrivate(join(dataDir, "database.json"), { url: postgres.url });
  return postgres.connection;
}

async function openLocalChain({ config, dataDir, shutdown }: Run): Promise<LocalChain | null> {
  if (!hasLocalChain(config)) return null;
  const local = await startLocalChain({ dataDir, rpcPort: config.rpcPort, ...config.localChain });
  shutdown.add("local chain", () => local.stop(), local.exited);
  return local;
}

/** Loads the keys; a local run makes them. Throws if a worker has none; a process that only answers needs none. */
export async function loadKeys(run: Run): Promise<undefined> {
  const { keys, keysFile } = run.config.webhooks;
  const localFile = run.local === null ? null : join(run.dataDir, WEBHOOK_KEYS_NAME);
  const isNeeded = run.config.role !== "api" || [keys, keysFile, localFile].some((one) => one !== null);
  if (isNeeded) run.ring = await loadKeyRing({ keys, keysFile, localFile });
}

/** Brings the schemas of all cells up to date, and opens their databases. */
export async function openStorage(run: Run): Promise<undefined> {
  const migrations = await migrateDatabase(run.connection);
  if (migrations.length > 0) say(`Database schema migrated (${migrations.join(", ")}).`);
  const servers = serversOf(run.connection, run.config.cellServers);
  const rows = await connected(run.connection, readCells);
  const places: readonly Place[] = [
    { connection: run.connection, schema: null },
    ...rows.map((row) => placeOf(row, servers)),
  ];
  run.limits = limitsOf(places.length);
  run.cells = places.map((place, number) => {
    const cell = new CellRun(run, number, place);
    cell.databases = openDatabases(cell);
    return cell;
  });
  await Promise.all(run.cells.slice(1).map(reach));
  if (rows.some(({ isServed }) => !isServed)) await connected(run.connection, markServed);
}

/** Brings the cell's schema up to date. Its parts wait if its server is away, so that the others can start without it. */
async function reach(cell: CellRun): Promise<void> {
  await migrateCell(cell.place).catch((error: unknown) => {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    cell.log("Its server cannot be reached. It is served once it can.", error);
    cell.postpone();
  });
}

const AWAY_MS = 2_000;

/** Starts cells whose server was away at the start. */
export function resumeCells({ cells }: Run): Stop {
  const away = cells.filter(({ isAway }) => isAway);
  const resume = async (cell: CellRun) => {
    if (!cell.isAway) return false;
    await migrateCell(cell.place);
    await cell.resume();
    cell.log("It is served now.", undefined, "info");
    return false;
  };
  return stopAll(away.map((cell) => startLoop(`start of cell ${cell.number}`, AWAY_MS, () => resume(cell), log)));
}

/** Between two looks at the directory: within this time a process follows a cell that was moved. */
const DIRECTORY_MS = 1_000;

/** Follows cells that are moved to other servers. */
export function followCells(run: Run): Stop {
  const { cells, main } = run;
  if (cells.length === 1) return undefined;
  const servers = serversOf(run.connection, run.config.cellServers);
  const follow = async () => {
    for (const row of await listCells(main.databases.slowDatabase)) {
      const cell = cells[row.number];
      // A cell that was added since is served after the next start.
      if (cell === undefined) continue;
      const place = placeOf(row, servers);
      if (place.connection === cell.place.connection) continue;
      cell.log(`It has moved to the server ${row.server}.`, undefined, "info");
      cell.place = place;
      for (const database of cell.movable) database.moveTo(place);
    }
    return false;
  };
  return stopAll([startLoop("places of cells", DIRECTORY_MS, follow, log)]);
}

/** The demo business of a local run is in cell 0. */
export async function openDemoBusiness(run: Run): Promise<undefined> {
  if (run.local !== null) run.demo = await openDemo(run.main.databases.database, run.dataDir);
}

/** Makes the partitions. If it fails, their upkeep retries; until then rows go into the default partitions. */
export async function makePartitions({ run: { config, shutdown }, databases, log }: CellRun): Promise<undefined> {
  const { slowDatabase } = databases;
  const complain = (what: string) => (error: unknown) => {
    if (!shutdown.begun) log(`The partitions of ${what} could not be created.`, error);
  };
  const { retentionDays } = config.webhooks;
  await keepHistory({ database: slowDatabase, retentionDays, log }).catch(complain("the coming days"));
  await keepRequests(slowDatabase, log).catch(complain("the request log"));
}
