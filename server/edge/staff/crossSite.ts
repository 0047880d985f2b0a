import type { IncomingMessage } from "node:http";
import { ApiError } from "../../domain/errors.ts";
import { valuesOf } from "../http/headers.ts";

const READS = new Set(["GET", "HEAD"]);

/**
 * Refuses requests that another site makes a browser send (§13.4). Browsers name the origin of a request, and no script
 * can change that: a write must name the dashboard in each of these headers that it has, and in one at least. A read may
 * have none.
 */
export function refuseCrossSite(request: IncomingMessage, origin: string): void {
  const isRead = READS.has(request.method ?? "");
  const sites = valuesOf(request, "sec-fetch-site");
  const origins = valuesOf(request, "origin");
  const fromDashboard =
    sites.every((site) => site === "same-origin" || (isRead && site === "none")) &&
    origins.every((one) => one === origin);
  if (!fromDashboard || (!isRead && sites.length + origins.length === 0))
    throw new ApiError(
      "cross_site_request",
      `The request does not show that it comes from the dashboard. Send it from a page of ${origin}, or with the header Origin: ${origin}. If the dashboard is at another address, the operator of the deployment sets DASHBOARD_URL to it.`,
    );
}
