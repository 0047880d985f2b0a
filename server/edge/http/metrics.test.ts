import assert from "node:assert/strict";
import { test } from "node:test";
import inject from "light-my-request";
import { reportFallback } from "../../lib/fallback.ts";
import { createMetrics, type Figure, registerMetrics } from "./metrics.ts";
import { createServer } from "./server.ts";

const figure: Figure = {
  name: "holdfast_test_figure",
  help: "A figure.",
  labels: ["environment"],
  read: async () => [{ labels: { environment: "test" }, value: 7 }],
};

const ask = async (token: string | null, headers: Record<string, string>, remoteAddress = "127.0.0.1") => {
  const { app } = createServer([]);
  registerMetrics(app, createMetrics([figure]), token);
  return inject(app.dispatch, { method: "GET", url: "/metrics", headers, remoteAddress });
};

test("/metrics holds the process's figures and those given", async () => {
  const answer = await ask(null, {});
  assert.equal(answer.statusCode, 200);
  assert.match(answer.body, /^holdfast_test_figure\{environment="test"\} 7$/m);
  assert.match(answer.body, /^process_resident_memory_bytes \d+$/m);
});

test("/metrics counts the batches that were done item by item, by name", async () => {
  for (let times = 0; times < 2; times++) reportFallback("test_batch", 3, new Error("it failed"), () => undefined);
  assert.match((await ask(null, {})).body, /^holdfast_batch_fallbacks_total\{batch="test_batch"\} 2$/m);
});

test("without a token /metrics is for this machine alone, and never through a proxy", async () => {
  assert.equal((await ask(null, {}, "203.0.113.7")).statusCode, 403);
  assert.equal((await ask(null, { "x-forwarded-for": "203.0.113.7" })).statusCode, 403);
  assert.equal((await ask(null, { forwarded: "for=203.0.113.7" })).statusCode, 403);
});

test("without a token /metrics is not for a page on a name that was led to this machine", async () => {
  for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost@evil.example"])
    assert.equal((await ask(null, { host })).statusCode, 403, host);
  for (const host of ["localhost", "localhost:3000", "LOCALHOST:3000", "127.0.0.1:3000", "127.9.9.9", "[::1]:3000"])
    assert.equal((await ask(null, { host })).statusCode, 200, host);
  assert.equal((await ask("secret", { host: "pay.example", authorization: "Bearer secret" })).statusCode, 200);
});

test("with a token /metrics is for every holder of it, from anywhere", async () => {
  assert.equal((await ask("secret", {})).statusCode, 403);
  assert.equal((await ask("secret", { authorization: "Bearer wrong" })).statusCode, 403);
  assert.equal((await ask("secret", { authorization: "Bearer secret" }, "203.0.113.7")).statusCode, 200);
});

test("/metrics leaves out and counts what cannot be read, as while the database is away, and holds the rest", async () => {
  const away: Figure = { ...figure, name: "holdfast_away", read: () => Promise.reject(new Error("away")) };
  const { app } = createServer([]);
  registerMetrics(app, createMetrics([away, figure], "1.2.3"), null);
  const ask = () => inject(app.dispatch, { method: "GET", url: "/metrics", remoteAddress: "127.0.0.1" });
  await ask();
  const { statusCode, body } = await ask();
  assert.equal(statusCode, 200);
  assert.match(body, /^holdfast_test_figure\{environment="test"\} 7$/m);
  assert.doesNotMatch(body, /^holdfast_away\{/m);
  assert.match(body, /^holdfast_figure_failures_total\{figure="holdfast_away"\} [12]$/m);
  assert.match(body, /^holdfast_build_info\{version="1\.2\.3"\} 1$/m);
});

test("/metrics has the duration of each request by its route and status, however many paths there are", async () => {
  const { app } = createServer([]);
  registerMetrics(app, createMetrics([]), null);
  app.get("/things/:id", async () => "a thing");
  const ask = (url: string) => inject(app.dispatch, { method: "GET", url, remoteAddress: "127.0.0.1" });
  for (const url of ["/things/1", "/things/2", "/nothing"]) await ask(url);
  const { body } = await ask("/metrics");
  assert.match(body, /^holdfast_request_duration_seconds_count\{method="GET",route="\/things\/:id",status="200"\} 2$/m);
  assert.match(body, /^holdfast_request_duration_seconds_count\{method="GET",route="none",status="404"\} 1$/m);
});
