import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { CpuMs } from "./cpu.ts";
import type { LoadPlan, LoadResult } from "./load.ts";

const LOAD = fileURLToPath(new URL("./load.ts", import.meta.url));

/** Runs a load in a process of its own. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const child = fork(LOAD, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  child.send(plan);
  const [result] = (await once(child, "message")) as [LoadResult];
  return result;
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/** The baseline of reads: Node's own HTTP server, answering the same body from memory. */
const BARE = `
const body = Buffer.from(process.argv[1]);
const server = require("node:http").createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": body.length });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit());
`;

/** Starts the bare server; it ends with this process or with `stop`. */
export async function startBare(body: string): Promise<{ port: number; stop: () => void }> {
  const child = spawn(process.execPath, ["-e", BARE, body], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [port] = (await once(child, "message")) as [number];
  return { port, stop: () => child.disconnect() };
}

/** The columns that every table of rounds begins with, and the cells under them. */
export const ROUND_COLUMNS = ["p50 ms", "p99 ms", "service CPU-ms each", "PostgreSQL", "load"] as const;
export const roundCells = (ours: LoadResult, used: CpuMs): string[] => [
  ours.p50Ms.toFixed(1),
  ours.p99Ms.toFixed(1),
  ...[used.service, used.postgres, ours.cpuMs].map((ms) => (ms / ours.good).toFixed(3)),
];
