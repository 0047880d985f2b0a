import { createHash, timingSafeEqual } from "node:crypto";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { fallbackCounts } from "../../lib/fallback.ts";
import type { App, Reply, Request } from "./app.ts";
import { hasLoopbackHost } from "./loopback.ts";

/** A figure that is read on request, usually from the database: its values by label. */
export interface Figure {
  readonly name: string;
  /** A counter's name ends in `_total`; it only grows while the process runs. */
  readonly kind?: "gauge" | "counter";
  readonly help: string;
  readonly labels: readonly string[];
  readonly read: () => Promise<
    readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
  >;
}

/** A figure that is not read in time is left out, so that the others are available while the database is down. */
const READ_MS = 2_000;
/** Seconds. A request that waits for events may take 25. */
const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];
/** Gauges of prom-client whose names end like a counter's. Each is the sum of another gauge, which is reported by kind. */
const MISNAMED = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

/** The figures of this process (CPU, memory, event loop, counters) and those added to it. */
export interface Metrics {
  readonly registry: Registry;
  readonly countRequest: () => void;
  readonly observe: (request: Request, reply: Reply) => void;
}

export function createMetrics(figures: readonly Figure[], version = "unknown"): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  new Gauge({
    name: "holdfast_build_info",
    help: "Always 1, with the version that runs.",
    labelNames: ["version"],
    registers: [registry],
  }).set({ version }, 1);
  const durations = new Histogram({
    name: "holdfast_request_duration_seconds",
    help: "Time from the headers of a request to the end of its answer, by method, route and status. Includes waits for events.",
    labelNames: ["method", "route", "status"],
    buckets: BUCKETS,
    registers: [registry],
  });
  const failures = new Counter({
    name: "holdfast_figure_failures_total",
    help: "Failed reads of a figure, which was left out then, as while the database is away.",
    labelNames: ["figure"],
    registers: [registry],
  });
  const requests = new Counter({
    name: "holdfast_requests_total",
    help: "HTTP requests to this process, including those for health and metrics.",
    registers: [registry],
  });
  new Counter({
    name: "holdfast_batch_fallbacks_total",
    help: "Batches that failed as a whole and were retried item by item; the log has the reasons.",
    labelNames: ["batch"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [batch, count] of fallbackCounts) this.inc({ batch }, count);
    },
  });
  for (const { name, kind, help, labels, read } of figures) {
    const labelNames = [...labels];
    const values = () =>
      inTime(read).catch(() => {
        failures.inc({ figure: name });
        return [];
      });
    // After a reset, adding to a gauge sets it, like a counter.
    const collect = async (metric: Counter | Gauge) => {
      const found = await values();
      metric.reset();
      for (const { labels: of, value } of found) metric.inc({ ...of }, value);
    };
    const options = { name, help, labelNames, registers: [registry] };
    if (kind === "counter")
      new Counter({
        ...options,
        collect() {
          return collect(this);
        },
      });
    else
      new Gauge({
        ...options,
        collect() {
          return collect(this);
        },
      });
  }
  return {
    registry,
    countRequest: () => requests.inc(),
    observe: (request, reply) =>
      durations.observe(
        {
          method: METHODS.has(request.method) ? request.method : "other",
          route: request.route ?? "none",
          status: String(reply.statusCode),
        },
        reply.elapsedMs / 1_000,
      ),
  };
}

/** Clients may send any method: only those of routes become a label. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

async function inTime(read: Figure["read"]) {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The figure was not read in time.")), READ_MS);
  try {
    return await Promise.race([read(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Serves /metrics in Prometheus's text form. The token gives access; without a token only this machine has it, and never
 * through a proxy, which would make every caller appear local.
 */
export function registerMetrics(app: App, { registry, countRequest, observe }: Metrics, token: string | null): void {
  app.beforeEach(countRequest);
  app.afterEach(observe);
  app.get("/metrics", async (request, reply) => {
    if (!mayRead(request, token))
      return reply.code(403).type("text/plain; charset=utf-8").send("Send Authorization: Bearer <METRICS_TOKEN>.\n");
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function mayRead({ headers, raw }: Request, token: string | null): boolean {
  if (token !== null) return isSame(headers.authorization ?? "", `Bearer ${token}`);
  const proxied = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  return !proxied && /^(::1|127\.|::ffff:127\.)/.test(raw.socket.remoteAddress ?? "") && hasLoopbackHost(headers.host);
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const isSame = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));
