import { type AdminAnswer, type AdminCall, AdminError, type AdminVerb, TEXT } from "../../edge/admin.ts";
import { countBusinesses } from "../../features/businesses/queries.ts";
import { addCell, connected, MAIN_SERVER, readCells, type Servers } from "../../store/cellPlaces.ts";
import { cellsOf } from "../../store/cells.ts";
import { moveCell } from "../../store/moveCell.ts";
import { DatabaseUnavailableError } from "../../store/unavailable.ts";

export interface CellVerbDeps {
  /** The servers of the settings, that of the main database among them. */
  readonly servers: () => Promise<Servers>;
  /** Prints a line while a command runs. */
  readonly say: (text: string) => void;
}

/** Cells of the deployment (docs/how-to/add-cells.md). */
export const cellVerbs = (deps: CellVerbDeps): readonly AdminVerb[] => [
  {
    usage: "cells list",
    does: "Lists the cells with their servers and the number of their businesses.",
    run: (call) => list(call, deps),
  },
  {
    usage: "cells add --server <name>",
    does: "Adds a cell on a server of CELL_SERVERS, or on main. Restart every process afterwards; then new businesses go there.",
    options: { server: TEXT },
    run: (call) => add(call, deps),
  },
  {
    usage: "cells move <number> --to <name>",
    does: "Moves a cell to another server while it works. For some seconds its writes are answered with 503 and Retry-After.",
    more: `PostgreSQL's logical replication copies the cell: the server that has it needs wal_level = logical, and the new one reaches
it by its address in CELL_SERVERS. Every process needs both names in CELL_SERVERS before. The schema stays at the old
server under another name, which the command prints. A move that was broken off is begun anew by the same command.`,
    options: { to: TEXT },
    run: (call) => move(call, deps),
  },
];

const nameServers = (servers: Servers): string => [...servers.keys()].join(", ");

async function list(
  { database, cells = cellsOf([database]) }: AdminCall,
  { servers }: CellVerbDeps,
): Promise<AdminAnswer> {
  const rows = await connected((await servers()).get(MAIN_SERVER)!, readCells);
  const data = await Promise.all(
    [{ number: 0, server: MAIN_SERVER, isServed: true }, ...rows].map(async (row) => ({
      object: "cell",
      ...row,
      businesses: await countBusinesses(cells.all[row.number]!).catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailableError)) throw error;
        return null;
      }),
    })),
  );
  return {
    result: { object: "list", data },
    text: data
      .map(
        ({ number, server, businesses, isServed }) =>
          `${number}  ${server}  ${businesses === null ? "away" : `${businesses} businesses`}${isServed ? "" : "; no process serves it yet: restart every process"}`,
      )
      .join("\n"),
  };
}

async function add({ options }: AdminCall, deps: CellVerbDeps): Promise<AdminAnswer> {
  const servers = await deps.servers();
  const server = String(options.server ?? "");
  const connection = servers.get(server);
  if (connection === undefined) throw new AdminError(`--server takes one of ${nameServers(servers)}.`);
  const number = await addCell(servers.get(MAIN_SERVER)!, server, connection);
  return {
    result: { object: "cell", number, server },
    text: `Added cell ${number} on ${server}. Restart every process: then it is served, and new businesses go there.`,
  };
}

async function move(
  { options, positionals: [given] }: AdminCall,
  { servers: read, say }: CellVerbDeps,
): Promise<AdminAnswer> {
  const servers = await read();
  const main = servers.get(MAIN_SERVER)!;
  const cell = (await connected(main, readCells)).find(({ number }) => String(number) === given);
  if (cell === undefined) throw new AdminError("Name a cell other than 0: cells move <number> --to <name>.");
  const server = String(options.to ?? "");
  const [source, target] = [servers.get(cell.server), servers.get(server)];
  if (target === undefined || source?.connectionString === undefined)
    throw new AdminError(`Both ${cell.server} and --to have to be among ${nameServers(servers)}.`);
  const { number } = cell;
  const breakOff = new AbortController();
  const stop = () =>
    breakOff.abort(new AdminError(`The move of cell ${number} was broken off. The cell is where it was.`));
  process.once("SIGINT", stop);
  try {
    const { connectionString } = source;
    const moved = await moveCell({
      number,
      main,
      source: { connectionString },
      target,
      server,
      say,
      signal: breakOff.signal,
    });
    return {
      result: { object: "cell", number, server, ...moved },
      text: `Cell ${number} is on ${server}; its writes waited ${Math.round(moved.stoppedMs)} ms.${moved.left === null ? "" : ` At ${cell.server} its tables stay as they were. Once you need them no more: drop schema ${moved.left} cascade`}`,
    };
  } finally {
    process.off("SIGINT", stop);
  }
}
