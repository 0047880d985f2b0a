import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { fallbackCounts } from "../../lib/fallback.ts";
import { hasLoopbackHost } from "./loopback.ts";

/** A figure read from the database when it is asked for: its values by label. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly read: () => Promise<
    readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
  >;
}

/** The figures of this process (CPU, memory, event loop, counters) and those given. */
export interface Metrics {
  readonly registry: Registry;
  readonly countRequest: () => void;
}

export function createMetrics(figures: readonly Figure[]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "holdfast_requests_total",
    help: "HTTP requests that came to this process, those for health and figures included.",
    registers: [registry],
  });
  new Counter({
    name: "holdfast_batch_fallbacks_total",
    help: "Batches that failed as a whole and were done item by item; the log says why.",
    labelNames: ["batch"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [batch, count] of fallbackCounts) this.inc({ batch }, count);
    },
  });
  for (const { name, help, labels, read } of figures)
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        this.reset();
        for (const { labels: values, value } of await read()) this.set({ ...values }, value);
      },
    });
  return { registry, countRequest: () => requests.inc() };
}

/**
 * /metrics in Prometheus's text form. Readable with the token; without a token only from this machine, and never through
 * a proxy, which would make every caller look local.
 */
export function registerMetrics(app: FastifyInstance, { registry, countRequest }: Metrics, token: string | null): void {
  app.addHook("onRequest", (_request, _reply, done) => {
    countRequest();
    done();
  });
  app.get("/metrics", async (request, reply) => {
    if (!mayRead(request, token))
      return reply.code(403).type("text/plain; charset=utf-8").send("Send Authorization: Bearer <METRICS_TOKEN>.\n");
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function mayRead({ headers, ip }: FastifyRequest, token: string | null): boolean {
  if (token !== null) return isSame(headers.authorization ?? "", `Bearer ${token}`);
  const proxied = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  return !proxied && /^(::1|127\.|::ffff:127\.)/.test(ip) && hasLoopbackHost(headers.host);
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const isSame = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));
