import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";

/** A figure read when it is asked for: its values by label. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly read: () => Promise<
    readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
  >;
}

/**
 * /metrics in Prometheus's text form: the process (CPU, memory, event loop) and the figures given. For whoever holds the
 * token; without one for this machine alone, and never through a proxy, which would make everybody look local.
 */
export function registerMetrics(app: FastifyInstance, figures: readonly Figure[], token: string | null): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
  app.get("/metrics", async (request, reply) => {
    if (!mayRead(request, token)) return reply.code(403).type("text/plain; charset=utf-8").send("Not for you.\n");
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
