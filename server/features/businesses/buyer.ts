import { ApiError, showError } from "../../domain/errors.ts";
import type { App, Handler, Request } from "../../edge/http/app.ts";
import { DATA_HEADERS } from "../../edge/http/headers.ts";
import { STAFF_PREFIX } from "../../edge/staff/description.ts";
import { DatabaseUnavailableError } from "../../store/unavailable.ts";
import type { Context } from "../context.ts";
import { LOGOS } from "./business.ts";
import { findLogoByHash } from "./queries.ts";

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * §2.3.7: serves the logos of businesses, to buyers' pages and below the dashboard's own address. `limit` is the one that all
 * pages of buyers share: it counts a request, and returns null, or the seconds until the next one is allowed.
 */
export function registerLogos(
  app: App,
  { database }: Pick<Context, "database">,
  limit: { readonly count: (request: Request) => number | null },
): void {
  const handler: Handler = async (request, reply) => {
    reply.headers({ ...DATA_HEADERS, "cross-origin-resource-policy": "same-origin" });
    const refuse = (error: ApiError, waitSeconds: number | null) => {
      if (waitSeconds !== null) reply.header("retry-after", waitSeconds);
      return reply.code(error.status).type("application/json; charset=utf-8").send(showError(error));
    };
    const waitSeconds = limit.count(request);
    if (waitSeconds !== null) return refuse(new ApiError("rate_limited", "Too many requests."), waitSeconds);
    try {
      const hash = request.params.sha256!;
      const logo = SHA256.test(hash) ? await findLogoByHash(database, hash) : null;
      if (logo === null) return refuse(new ApiError("not_found", "There is no such logo."), null);
      // The hash is of these bytes, so they never change.
      return reply.type(logo.type).header("cache-control", "public, max-age=31536000, immutable").send(logo.bytes);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      return refuse(new ApiError("unavailable", "The service cannot answer now. Try again."), 2);
    }
  };
  for (const path of [LOGOS, `${STAFF_PREFIX}/logos`]) app.get(`${path}/:sha256`, handler);
}
