import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { type ApiProcess, databaseUrlOf, startApiProcess } from "../harness/apiProcess.ts";
import { findFreePorts } from "../harness/ports.ts";
import { PROJECT_ROOT, type RunningService, sharedService, spawnService, testChain } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

// An installation by `npm ci --omit=dev`: built pages, a database and a chain of the operator's own.
const NODE_OPTIONS = `--import ${join(PROJECT_ROOT, "tests/harness/withoutDevelopment.ts")}`;
let service: RunningService;
let production: ApiProcess;
before(async () => {
  [service] = await Promise.all([
    sharedService(),
    promisify(execFile)(process.execPath, [join(PROJECT_ROOT, "tools/build.ts")]),
  ]);
  production = await startApiProcess(service, { NODE_OPTIONS });
});
after(async () => {
  await production?.kill("SIGTERM");
  await service?.remove();
});

test("a production start needs no development packages: API, checkout and dashboard answer", async () => {
  const { port } = production.service;
  const get = (path: string) => fetch(`http://localhost:${port}${path}`);
  await eventually("it is ready", async () => (await get("/readyz")).status === 200);
  const page = await get("/dashboard/sign-in");
  assert.equal(page.status, 200);
  const script = /src="([^"]+)"/.exec(await page.text())?.[1];
  assert.equal((await get(script!)).status, 200);
  assert.equal((await get("/pay/i/pi_test_5szw00000000000000000000000000000000")).status, 404);
});

test("a start that needs development packages says so, and what to do", async () => {
  const start = async (databaseUrl: string | null, env: Readonly<Record<string, string>> = {}) => {
    const dataDir = await mkdtemp(join(tmpdir(), "holdfast-without-"));
    const child = spawnService({ dataDir, databaseUrl, env: { ...env, NODE_OPTIONS } }, await findFreePorts(4));
    const { code } = await child.ended;
    await rm(dataDir, { recursive: true });
    assert.equal(code, 1);
    return child.errors();
  };
  const { rpcUrl, programId, operator } = service;
  const chain = testChain({ rpcUrl, programId, operator });
  assert.match(await start(null, chain), /brings its own PostgreSQL, and .* Remedy: set DATABASE_URL/);
  assert.match(await start(await databaseUrlOf(service)), /starts a local chain, and .* or run npm run setup/);
});
