import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { exchange } from "../harness/http.ts";
import { findFreePorts } from "../harness/ports.ts";
import { spawnService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

test("LOG_FORMAT each line is JSON and holds no secret; LOG_REQUESTS a line for each request; Ctrl-C ends quietly", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "holdfast-logs-"));
  const env = { LOG_FORMAT: "json", LOG_REQUESTS: "on" };
  const spawned = spawnService({ dataDir, databaseUrl: null, env }, await findFreePorts(4));
  let output = "";
  spawned.process.stdout!.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  let isOver = false;
  void spawned.ended.then(() => {
    isOver = true;
  });
  try {
    const ready = await eventually("it is ready", async () => {
      assert.ok(!isOver, spawned.errors());
      const text = await readFile(join(dataDir, "ready.json"), "utf8").catch(() => null);
      return text === null ? null : JSON.parse(text);
    });
    const { headers } = await exchange("GET", `${ready.apiUrl}/payment-intents/pi_hush?limit=hush`, {
      headers: [["Authorization", "Bearer hush"]],
    });
    const requestId = headers["request-id"];
    await eventually("the request is a line", () => spawned.errors().includes(String(requestId)));
    spawned.process.kill("SIGINT");
    const { code } = await spawned.ended;
    const text = `${output}${spawned.errors()}`;
    // A machine that is too slow to stop its PostgreSQL in time says so.
    assert.ok(code === 0 || text.includes("did not stop in time"), text);
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const { message } of lines) assert.equal(typeof message, "string");
    const { time: _, ms: __, message: ___, ...request } = lines.find((line) => line.requestId === requestId);
    const route = "/api/v1/payment-intents/:id";
    assert.deepEqual(request, { level: "info", method: "GET", route, status: 401, requestId });
    for (const secret of ["hush", ready.testKey, ready.dashboardLogin.password, ready.arbiterLogin.password])
      assert.ok(!text.includes(secret), "a secret is in the log");
    assert.doesNotMatch(text, /Lost a connection/);
  } finally {
    spawned.process.kill("SIGKILL");
    await spawned.ended;
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("LOG_FORMAT what keeps the service from its start is a line of JSON too", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "holdfast-logs-"));
  const env = { LOG_FORMAT: "json", HOLD: "nothing" };
  const spawned = spawnService({ dataDir, databaseUrl: null, env }, await findFreePorts(4));
  assert.equal((await spawned.ended).code, 1);
  const { level, message } = JSON.parse(spawned.errors());
  assert.equal(level, "error");
  assert.match(message, /^Correct these settings:\nHOLD must be one of /);
  await rm(dataDir, { recursive: true });
});
