import { readFile } from "node:fs/promises";
import { Connections } from "../features/webhooks/sending/connections.ts";
import { type FetchOptions, fetchFile } from "../features/webhooks/sending/fetchFile.ts";
import { resolveByDns, textsWithDevHosts, withDevHosts } from "../features/webhooks/sending/resolver.ts";
import type { Run, Stop } from "./run.ts";

/** Opens the look-ups of businesses' domains, and of rates: with the rules, and the development names, of webhook deliveries. */
export async function openLookups(run: Run): Promise<Stop> {
  const { devHosts, caFile } = run.config.webhooks;
  const connections = new Connections({ ca: caFile === null ? null : await readFile(caFile, "utf8") });
  const resolve = withDevHosts(devHosts, resolveByDns);
  run.lookups = {
    fetchFile: (name: string, path: string, options?: FetchOptions) =>
      fetchFile({ connections, resolve }, name, path, options),
    resolveTexts: textsWithDevHosts(devHosts),
  };
  return async () => connections.close();
}
