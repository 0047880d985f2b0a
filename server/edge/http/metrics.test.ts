import assert from "node:assert/strict";
import { test } from "node:test";
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
  return app.inject({ method: "GET", url: "/metrics", headers, remoteAddress });
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
