import type { App } from "./app.ts";
import { DATA_HEADERS } from "./headers.ts";
import { hasLoopbackHost, nameOf } from "./loopback.ts";

/** A public address of the deployment, with the routes that answer only there. */
export interface PublicAddress {
  readonly url: string;
  /** Returns true for the pattern of an own route: a path has many spellings. */
  readonly owns: (route: string) => boolean;
}

/** A year. It does not include subdomains, which may belong to others. */
const STRICT_TRANSPORT = "max-age=31536000";

/**
 * Restricts routes to the host name of their own address (§10.15), so that pages of different addresses never share an
 * origin, and a foreign name that points here shows none. Routes without an address, such as health, figures and the API
 * of a key, answer under any name. `apiUrl` tells if that is reached by https.
 */
export function guardAddresses(app: App, addresses: readonly PublicAddress[], apiUrl: string): void {
  const isOtherSecure = apiUrl.startsWith("https:");
  const parsed = addresses.map(({ url, owns }) => ({ url: new URL(url), owns }));
  /** Addresses by route, of which there are few. */
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

/**
 * Compares names only: a proxy may listen on another port, and cookies ignore ports. A local run answers under every
 * loopback name; of two `*.localhost` each answers under its own.
 */
function answersFor({ hostname }: URL, host: string | undefined): boolean {
  const name = nameOf(host);
  const isOtherSite = hostname.endsWith(".localhost") && name.endsWith(".localhost");
  return name === hostname || (hasLoopbackHost(hostname) && hasLoopbackHost(host) && !isOtherSite);
}
