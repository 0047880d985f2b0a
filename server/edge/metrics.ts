import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AggregatorRegistry, collectDefaultMetrics, Gauge, type MetricObject, Registry } from "prom-client";

/** A figure read when it is asked for: its values by label. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Each process has its own value, told apart by the label `process`; or all read the same one. */
  readonly of: "process" | "service";
  readonly read: () => Promise<
    readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
  >;
}

/** Figures on their way from one process to another: plain JSON. */
export type ReadFigures = readonly MetricObject[];

export interface Metrics {
  /** This process's own: CPU, memory, event loop, and the figures given that are `of` it. */
  readonly readOwn: () => Promise<ReadFigures>;
  readonly readShared: () => Promise<ReadFigures>;
  readonly countRequest: () => void;
}

/** `process`: the name this process has among those that answer together. */
export function createMetrics(process: string, figures: readonly Figure[]): Metrics {
  const own = new Registry();
  own.setDefaultLabels({ process });
  collectDefaultMetrics({ register: own });
  const shared = new Registry();
  let requests = 0;
  const counted: Figure = {
    name: "holdfast_requests_total",
    help: "HTTP requests that came to this process, those for health and figures included.",
    labels: [],
    of: "process",
    read: async () => [{ labels: {}, value: requests }],
  };
  for (const { name, help, labels, of, read } of [...figures, counted])
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [of === "process" ? own : shared],
      async collect() {
        this.reset();
        for (const { labels: values, value } of await read()) this.set({ ...values }, value);
      },
    });
  return {
    readOwn: () => own.getMetricsAsJSON(),
    readShared: () => shared.getMetricsAsJSON(),
    countRequest: () => {
      requests++;
    },
  };
}

/**
 * /metrics in Prometheus's text form: the figures of every process, whichever of them is asked, and those of the service.
 * For whoever holds the token; without one for this machine alone, and never through a proxy, which would make everybody
 * look local.
 */
export function registerMetrics(
  app: FastifyInstance,
  { readOwn, readShared, countRequest }: Metrics,
  token: string | null,
  readOthers: () => Promise<readonly ReadFigures[]> = async () => [],
): void {
  app.addHook("onRequest", (_request, _reply, done) => {
    countRequest();
    done();
  });
  app.get("/metrics", async (request, reply) => {
    if (!mayRead(request, token)) return reply.code(403).type("text/plain; charset=utf-8").send("Not for you.\n");
    const [own, shared, others] = await Promise.all([readOwn(), readShared(), readOthers()]);
    // No two have the same labels, so that nothing is really added up: left to themselves some would be dropped.
    const summed = [own, ...others, shared].map((read) => read.map((one) => ({ ...one, aggregator: "sum" })));
    const registry = AggregatorRegistry.aggregate(summed);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function mayRead({ headers, ip }: FastifyRequest, token: string | null): boolean {
  if (token !== null) return isSame(headers.authorization ?? "", `Bearer ${token}`);
  const proxied = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  return !proxied && /^(::1|127\.|::ffff:127\.)/.test(ip);
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const isSame = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));
