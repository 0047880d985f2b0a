import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePorts } from "./ports.ts";
import { type RunningService, spawnService, testChain } from "./service.ts";
import { eventually } from "./wait.ts";

/** Another API process on a running service's database and chain. */
export interface ApiProcess {
  /** The service as this process shows it: same data, other address. */
  readonly service: RunningService;
  kill(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** The address of the service's database, for another process of the service. */
export const databaseUrlOf = async (service: Pick<RunningService, "dataDir">): Promise<string> =>
  (JSON.parse(await readFile(join(service.dataDir, "database.json"), "utf8")) as { url: string }).url;

export async function startApiProcess(
  service: RunningService,
  env: Readonly<Record<string, string>> = {},
): Promise<ApiProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), "holdfast-api-"));
  const url = await databaseUrlOf(service);
  const port = await findFreePorts(1);
  const settings = {
    ROLE: "api",
    ...testChain({ rpcUrl: service.rpcUrl, programId: service.programId, operator: service.operator }),
    ...env,
  };
  const child = spawnService({ dataDir, databaseUrl: url, env: settings }, port);
  const kill = async (signal: "SIGTERM" | "SIGKILL") => {
    child.process.kill(signal);
    await child.ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  let over = false;
  void child.ended.then(() => {
    over = true;
  });
  const isReady = async () => {
    if (over) throw new Error(`The API process ended at its start: ${child.errors()}`);
    return (await fetch(`http://localhost:${port}/readyz`).catch(() => null))?.status === 200;
  };
  await eventually("another API process is ready", isReady).catch(async (error: unknown) => {
    await kill("SIGKILL");
    throw error;
  });
  return {
    service: { ...service, port, apiUrl: `http://localhost:${port}/api/v1` },
    kill,
  };
}
