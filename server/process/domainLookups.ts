import { readFile } from "node:fs/promises";
import { Connections } from "../features/webhooks/sending/connections.ts";
import { type FetchOptions, fetchFile } from "../features/webhooks/sending/fetchFile.ts";
import { resolveByDns, textsWithDevHosts, withDevHosts } from "../features/webhooks/sending/resolver.ts";
import type { Run } from "./run.ts";

/** Opens the look-ups of businesses' domains, and of rates: with the rules, and the development names, of webhook deliveries. */
export async function openLookups({ config, shutdown }: Run) {
  const { devHosts, caFile } = config.webhooks;
  const connections = new Connections({ ca: caFile === null ? null : await readFile(caFile, "utf8") });
  const resolve = withDevHosts(devHosts, resolveByDns);
  shutdown.add("domain lookups", async () => connections.close());
  return {
    fetchFile: (name: string, path: string, options?: FetchOptions) =>
      fetchFile({ connections, resolve }, name, path, options),
    resolveTexts: textsWithDevHosts(devHosts),
  };
}
export type Lookups = Awaited<ReturnType<typeof openLookups>>;
