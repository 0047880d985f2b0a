import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics, type Figure, type ReadFigures, registerMetrics } from "./metrics.ts";
import { createServer } from "./server.ts";

const figure: Figure = {
  name: "holdfast_test_figure",
  help: "A figure.",
  labels: ["environment"],
  of: "service",
  read: async () => [{ labels: { environment: "test" }, value: 7 }],
};

const sent: Figure = { ...figure, name: "holdfast_test_sent_total", of: "process" };

const ask = async (
  token: string | null,
  headers: Record<string, string>,
  remoteAddress = "127.0.0.1",
  others: readonly ReadFigures[] = [],
) => {
  const { app } = createServer();
  registerMetrics(app, createMetrics("main", [figure, sent]), token, async () => others);
  return app.inject({ method: "GET", url: "/metrics", headers, remoteAddress });
};

test("/metrics holds the process's figures and those given", async () => {
  const answer = await ask(null, {});
  assert.equal(answer.statusCode, 200);
  assert.match(answer.body, /^holdfast_test_figure\{environment="test"\} 7$/m);
  assert.match(answer.body, /^process_resident_memory_bytes\{process="main"\} \d+$/m);
});

test("/metrics tells the figures of several processes apart and those they share once, whichever is asked", async () => {
  const other = JSON.parse(JSON.stringify(await createMetrics("api-1", [figure, sent]).readOwn()));
  const { body } = await ask(null, {}, "127.0.0.1", [other]);
  const lines = (start: string) => body.split("\n").filter((line) => line.startsWith(start));
  assert.deepEqual(lines("holdfast_test_figure"), ['holdfast_test_figure{environment="test"} 7']);
  assert.deepEqual(lines("holdfast_test_sent_total"), [
    'holdfast_test_sent_total{environment="test",process="main"} 7',
    'holdfast_test_sent_total{environment="test",process="api-1"} 7',
  ]);
  assert.equal(lines("# TYPE process_start_time_seconds ").length, 1);
  for (const name of ["main", "api-1"]) {
    assert.equal(lines(`process_start_time_seconds{process="${name}"}`).length, 1);
    assert.equal(lines(`nodejs_eventloop_lag_p99_seconds{process="${name}"}`).length, 1);
  }
});

test("without a token /metrics is for this machine alone, and never through a proxy", async () => {
  assert.equal((await ask(null, {}, "203.0.113.7")).statusCode, 403);
  assert.equal((await ask(null, { "x-forwarded-for": "203.0.113.7" })).statusCode, 403);
  assert.equal((await ask(null, { forwarded: "for=203.0.113.7" })).statusCode, 403);
});

test("with a token /metrics is for whoever holds it, from anywhere", async () => {
  assert.equal((await ask("secret", {})).statusCode, 403);
  assert.equal((await ask("secret", { authorization: "Bearer wrong" })).statusCode, 403);
  assert.equal((await ask("secret", { authorization: "Bearer secret" }, "203.0.113.7")).statusCode, 200);
});
