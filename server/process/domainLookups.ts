import { readFile } from "node:fs/promises";
import type { DomainCheckDeps } from "../features/domains/check.ts";
import { Connections } from "../features/webhooks/sending/connections.ts";
import { fetchFile } from "../features/webhooks/sending/fetchFile.ts";
import { resolveByDns, textsWithDevHosts, withDevHosts } from "../features/webhooks/sending/resolver.ts";
import type { WebhookSettings } from "./config.ts";

/** How the domains of businesses are looked at: by the rules, and with the development names, of webhook deliveries. */
export interface DomainLookups extends DomainCheckDeps {
  close(): void;
}

export async function openDomainLookups({ devHosts, caFile }: WebhookSettings): Promise<DomainLookups> {
  const connections = new Connections({ ca: caFile === null ? null : await readFile(caFile, "utf8") });
  const resolve = withDevHosts(devHosts, resolveByDns);
  return {
    fetchFile: (domain, path) => fetchFile({ connections, resolve }, domain, path),
    resolveTexts: textsWithDevHosts(devHosts),
    close: () => connections.close(),
  };
}
