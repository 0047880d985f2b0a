import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Span, type SpanContext, type Tracer, trace } from "@opentelemetry/api";
import { createEndpoint } from "../chain/solana/endpoint.ts";
import { createServer } from "../edge/http/server.ts";
import { createBatch } from "../lib/batch.ts";
import { traceBy, traced } from "../lib/trace.ts";
import { traceIfAsked } from "./tracing.ts";

interface Shown {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  error?: string | undefined;
  ended: boolean;
}
const spans: Shown[] = [];

/** The least that an SDK is: it records what it is told. */
function recordSpans(): void {
  const startSpan = (name: string, options: { attributes?: object } = {}): Span => {
    const shown: Shown = { name, attributes: { ...options.attributes }, ended: false };
    spans.push(shown);
    const spanContext: SpanContext = { traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 };
    const span = {
      spanContext: () => spanContext,
      setAttributes: (more: object) => Object.assign(shown.attributes, more),
      setStatus: ({ message }: { message?: string }) => {
        shown.error = message;
      },
      end: () => {
        shown.ended = true;
      },
    };
    return span as unknown as Span;
  };
  const startActiveSpan = (name: string, options: object, work: (span: Span) => unknown) =>
    work(startSpan(name, options));
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) as unknown as Tracer });
}
after(() => {
  traceBy(null);
  trace.disable();
});

test("nothing is traced without an SDK, and one of an older API is named; with one, requests, batches and chain calls are, without what is secret in them", async () => {
  assert.equal(traceIfAsked(), null);
  assert.equal(await traced("unheard", {}, async () => 1), 1);
  const registry = globalThis as Record<symbol, object>;
  const key = Symbol.for("opentelemetry.js.api.1");
  registry[key] = { version: "1.0.0", trace: {} };
  assert.match(traceIfAsked() ?? "", /^Nothing is traced: .* version 1\.0\.0 /);
  delete registry[key];
  recordSpans();
  assert.match(traceIfAsked() ?? "", /are traced/);
  spans.length = 0;

  const batch = createBatch<number, number>({
    name: "sums",
    runAll: async (items) => items.map((value) => ({ ok: true, value })),
    runOne: async (item) => item,
    itemsMax: 10,
    batchesMax: 1,
    waitingMax: 10,
    waitMsMax: 60_000,
  });
  const { app } = createServer([]);
  app.get("/pay/i/:id", async () => {
    await Promise.all([batch(1), batch(2)]);
    return "secret-body";
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  await (await fetch(`${app.localUrl}/pay/i/pi_secret?key=secret`, { headers: { authorization: "secret" } })).text();
  await app.close();

  const fails = createEndpoint("http://user:secret@127.0.0.1:1/secret", 0, async () => {
    throw new Error("secret");
  });
  await assert.rejects(fails("getSlot", ["secret"], { bytesMax: 10, signal: AbortSignal.timeout(1_000) }));

  assert.deepEqual(spans, [
    {
      name: "GET /pay/i/:id",
      attributes: { "http.request.method": "GET", "http.route": "/pay/i/:id", "http.response.status_code": 200 },
      ended: true,
    },
    { name: "batch sums", attributes: { items: 2 }, ended: true },
    { name: "rpc getSlot", attributes: { node: 0 }, error: "NodeError", ended: true },
  ]);
});
