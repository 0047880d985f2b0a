import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Devnet, startDevnet } from "@holdfast/devnet/start.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@holdfast/embedded-postgres/postgres.ts";
import { newKeyRing, showKeyRing } from "../../server/features/webhooks/sending/secret.ts";
import { type Database, openDatabase } from "../../server/store/database.ts";
import { findFreePorts } from "../harness/ports.ts";
import { type Spawned, spawnService, testChain } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import { seedBusinesses } from "./seed.ts";

const BUSINESSES = 20;
const START_MS_MAX = 120_000;

/** A build of the service with a database and a chain of its own. */
export interface Stage {
  readonly name: string;
  readonly root: string;
  readonly devnet: Devnet;
  readonly postgres: EmbeddedPostgres;
  readonly database: Database;
  readonly keys: readonly string[];
  readonly apiPort: number;
  readonly apiPid: number;
  startWorker(): Promise<Spawned>;
  remove(): Promise<void>;
}

export async function setStage(name: string, root: string): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), "holdfast-bench-"));
  const devnet = await startDevnet({ dataDir: join(dataDir, "chain"), slotMs: 40, finalizedAfter: 32 });
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, "database"), log: () => undefined });
  const env = {
    ...testChain({
      rpcUrl: devnet.rpcUrl,
      wsUrls: devnet.wsUrl,
      programId: devnet.programId,
      operator: devnet.operator,
    }),
    WEBHOOK_KEYS: JSON.stringify(showKeyRing(newKeyRing())),
  };
  const start = async (role: "api" | "worker") => {
    const folder = await mkdtemp(join(dataDir, `${role}-`));
    const setting = { dataDir: folder, databaseUrl: postgres.url, env: { ...env, ROLE: role } };
    const spawned = spawnService(setting, await findFreePorts(4), root);
    const isReady = () => {
      if (spawned.process.exitCode !== null) throw new Error(`The service ended at its start: ${spawned.errors()}`);
      return fetch(`http://localhost:${spawned.port}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      );
    };
    await eventually(`${name}: ${role} is ready`, isReady, START_MS_MAX);
    return spawned;
  };
  const api = await start("api");
  const database = openDatabase({
    connection: { connectionString: postgres.url },
    connectionsMax: 2,
    statementTimeoutMs: 120_000,
    log: () => undefined,
  });
  return {
    name,
    root,
    devnet,
    postgres,
    database,
    keys: await seedBusinesses(database, BUSINESSES),
    apiPort: api.port,
    apiPid: api.process.pid!,
    startWorker: () => start("worker"),
    remove: async () => {
      await database.close();
      api.process.kill("SIGTERM");
      await api.ended;
      await postgres.stop();
      await devnet.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
