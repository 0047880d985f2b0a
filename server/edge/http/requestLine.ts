import { logRequest } from "../../lib/log.ts";
import type { App } from "./app.ts";

/** Logs a line for each answered request, without its headers, body, query, or the ids in its path. */
export function logRequests(app: App): void {
  app.afterEach((request, reply) => {
    const requestId = reply.getHeader("request-id");
    logRequest({
      method: request.method,
      route: request.route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedMs),
      requestId: typeof requestId === "string" ? requestId : null,
    });
  });
}
