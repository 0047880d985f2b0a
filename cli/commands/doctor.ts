import { isLoopback } from "@holdfast/receipt/loopback";
import type { Chain } from "@holdfast/sdk";
import type { Command } from "commander";
import { command } from "../command.ts";
import { CommandError, EXIT } from "../exit.ts";
import { type Common, type Context, openContext, tone } from "../output.ts";

interface Check {
  readonly check: string;
  readonly verdict: "ok" | "warn" | "fail";
  readonly says: string;
}

const SKEW_WARN_MS = 30_000;
/** A webhook's signature is refused beyond this. */
const SKEW_FAIL_MS = 300_000;
const BEHIND_WARN_SECONDS = 60;
const API_VERSION = "2026-11-20";

/** A service that is older than these commands does not say it. */
function heldBy(hold: Chain["heldBy"] | undefined): string {
  if (!hold) return "";
  return `, held by ${hold.signature === null ? hold.reason : `${hold.reason} ${hold.signature}`}`;
}

async function examine({ client, instance }: Context): Promise<Check[]> {
  const sentAt = Date.now();
  const { data: me, response } = await client.me.retrieve({ maxRetries: 1 }).withResponse();
  const chain = await client.chain.retrieve();
  const date = Date.parse(response.headers.get("date") ?? "");
  // The header has whole seconds.
  const skewMs = Number.isNaN(date) ? 0 : Math.max(0, Math.abs(date - (sentAt + Date.now()) / 2) - 1_000);
  const version = response.headers.get("service-api-version") ?? "unknown";
  const url = new URL(instance.url);
  const isLocal = isLoopback(url.hostname);
  const { healthy, total } = chain.nodes;
  const behind = chain.behindSeconds;
  return [
    {
      check: "key",
      verdict: "ok",
      says: `${me.name} (${me.id}), ${me.environment}, scope ${me.apiKey.scope}, from ${instance.from}`,
    },
    {
      check: "clock",
      verdict: skewMs > SKEW_FAIL_MS ? "fail" : skewMs > SKEW_WARN_MS ? "warn" : "ok",
      says: `this machine is ${Math.round(skewMs / 1000)} s off the service`,
    },
    {
      check: "connection",
      verdict: url.protocol === "https:" || isLocal ? "ok" : "warn",
      says:
        url.protocol === "https:"
          ? "https"
          : isLocal
            ? "http, on this machine"
            : "http: anyone on the way can read the key",
    },
    {
      check: "version",
      verdict: version === API_VERSION ? "ok" : "warn",
      says: `the API is ${version}, these commands know ${API_VERSION}`,
    },
    {
      check: "nodes",
      verdict: healthy === 0 ? "fail" : healthy < total ? "warn" : "ok",
      says: `${healthy} of ${total} nodes of the chain answer`,
    },
    {
      check: "chain",
      verdict: behind === null || behind > BEHIND_WARN_SECONDS ? "warn" : "ok",
      says: `${behind === null ? "nothing is read yet" : `read up to ${behind} s ago`}${heldBy(chain.heldBy)}`,
    },
  ];
}

export function addDoctor(program: Command): void {
  command(program, "doctor", "Check the key, the clocks, the connection and the chain.", "holdfast doctor").action(
    async (options: Common) => {
      const context = openContext(options);
      const checks = await examine(context);
      for (const one of checks)
        context.print(
          one,
          ({ check, verdict, says }) => `${tone(verdict, verdict.padEnd(4))}  ${check.padEnd(10)}  ${says}`,
        );
      if (checks.some(({ verdict }) => verdict === "fail")) throw new CommandError("", EXIT.refused);
    },
  );
}
