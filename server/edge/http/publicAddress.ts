import type { App } from "./app.ts";
import { DATA_HEADERS } from "./headers.ts";
import { hasLoopbackHost } from "./loopback.ts";

/** A public address of the deployment, with the routes that answer there and nowhere else. */
export interface PublicAddress {
  readonly url: string;
  /** By the route's pattern: a path has many spellings. */
  readonly owns: (route: string) => boolean;
}

/** A year. Nothing is said of other names below the host, which may be somebody else's. */
const STRICT_TRANSPORT = "max-age=31536000";

/**
 * Has routes answer under the host name of their own address alone (§10.15), so that pages of one are never of the same origin
 * as another's, and a name that somebody leads here shows none. What has no such address, as health, figures and the API of a
 * key, answers under any name. `apiUrl` says whether that is reached by https.
 */
export function guardAddresses(app: App, addresses: readonly PublicAddress[], apiUrl: string): void {
  const isOtherSecure = apiUrl.startsWith("https:");
  const parsed = addresses.map(({ url, owns }) => ({ url: new URL(url), owns }));
  /** By route, of which there are few. */
  const known = new Map<string, URL | null>();
  function addressOf(route: string): URL | null {
    const found = known.get(route);
    if (found !== undefined) return found;
    const own = parsed.find(({ owns }) => owns(route))?.url ?? null;
    known.set(route, own);
    return own;
  }
  app.beforeEach((request, reply) => {
    const own = addressOf(request.route ?? "");
    if (own === null ? isOtherSecure : own.protocol === "https:")
      reply.header("strict-transport-security", STRICT_TRANSPORT);
    if (own === null || answersFor(own, request.headers.host)) return;
    reply
      .code(421)
      .headers({ ...DATA_HEADERS, "cache-control": "no-store" })
      .type("text/plain; charset=utf-8")
      .send(`This is not served under this name. Open ${own.origin}, or have the proxy pass the Host header on.\n`);
  });
}

/** By name alone: a proxy may listen on another port, and cookies know none. A local run answers under every name of the machine's own. */
function answersFor({ hostname }: URL, host: string | undefined): boolean {
  if (hasLoopbackHost(hostname) || hostname.endsWith(".localhost"))
    return hasLoopbackHost(host) || nameOf(host) === hostname;
  return nameOf(host) === hostname;
}

const nameOf = (host = ""): string => host.toLowerCase().replace(/:\d{1,5}$/, "");
