import type { Command } from "commander";
import { command } from "../command.ts";
import { type Common, facts, openContext } from "../output.ts";

export function addWhoami(program: Command): void {
  command(
    program,
    "whoami",
    "Show the business, the environment and the scope of the key in use, and its rate limit.",
    "holdfast whoami",
  ).action(async (options: Common) => {
    const { client, instance, print } = openContext(options);
    const { data: me, response } = await client.me.retrieve().withResponse();
    const number = (header: string) => {
      const text = response.headers.get(header);
      return text === null ? null : Number(text);
    };
    const shown = {
      ...{ business: me.id, name: me.name, environment: me.environment, key: me.apiKey.id, scope: me.apiKey.scope },
      ...{ url: instance.url, from: instance.from },
      rateLimit: { limit: number("ratelimit-limit"), remaining: number("ratelimit-remaining") },
    };
    print(shown, ({ business, name, environment, key, scope, url, from, rateLimit }) =>
      facts([
        ["business", `${name} (${business})`],
        ["environment", environment],
        ["key", `${key}, scope ${scope}`],
        ["service", url],
        ["found by", from],
        ["requests left", `${rateLimit.remaining ?? "–"} of ${rateLimit.limit ?? "–"} this minute`],
      ]),
    );
  });
}
