import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import { isLoopback } from "@holdfast/receipt/loopback";
import { Holdfast } from "@holdfast/sdk";
import type { Command } from "commander";
import { command } from "../command.ts";
import { CommandError, EXIT } from "../exit.ts";
import { type Common, outputOf } from "../output.ts";
import { DEFAULT_PROFILE, saveProfile } from "../profiles.ts";

interface Options extends Common {
  readonly url: string;
  readonly keyStdin?: boolean;
}

/** Asks for a key without showing it. */
async function askForKey(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new CommandError(
      "Without a terminal, give the key on standard input: holdfast login --key-stdin < file",
      EXIT.usage,
    );
  process.stderr.write("API key (not shown; a key with the scope read is enough to listen): ");
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: hidden, terminal: true });
  try {
    return await prompt.question("");
  } finally {
    prompt.close();
    process.stderr.write("\n");
  }
}

export function addLogin(program: Command): void {
  command(
    program,
    "login",
    "Check an API key and keep it for later commands, in a file that only you can read.",
    "holdfast login --url https://pay.example.com",
  )
    .requiredOption("--url <url>", "the address of the service")
    .option("--key-stdin", "read the key from standard input; it is never an argument")
    .action(async ({ url, keyStdin, profile = DEFAULT_PROFILE, json }: Options) => {
      const address = URL.parse(url);
      if (address?.protocol === "http:" && !isLoopback(address.hostname))
        process.stderr.write(`Warning: ${url} is plain http. Anyone on the way can read the key. Use https.\n`);
      const apiKey = (keyStdin ? await readAll(process.stdin) : await askForKey()).trim();
      if (!/^sk_(test|live)_\w+$/.test(apiKey))
        throw new CommandError("This is no API key: it begins with sk_test_ or sk_live_.", EXIT.noKey);
      const me = await new Holdfast({ apiKey, baseUrl: url }).me.retrieve();
      const path = saveProfile(profile, { url, apiKey });
      outputOf(json).print(
        { profile, business: me.id, name: me.name, environment: me.environment, scope: me.apiKey.scope, file: path },
        ({ name, environment, scope }) =>
          `Signed in to ${name} (${environment}, scope ${scope}) as the profile ${profile}: ${path}`,
      );
    });
}
