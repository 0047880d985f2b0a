import type { FastifyInstance } from "fastify";
import { logRequest } from "../../lib/log.ts";

/** Writes a line of the log for each request that is answered: nothing of its headers, body, query, or of the ids in its path. */
export function logRequests(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    const requestId = reply.getHeader("request-id");
    logRequest({
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      requestId: typeof requestId === "string" ? requestId : null,
    });
    done();
  });
}
