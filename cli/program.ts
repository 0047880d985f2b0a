import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { addCompletion } from "./commands/completion.ts";
import { addConform } from "./commands/conform.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addEvents } from "./commands/events.ts";
import { addIntents } from "./commands/intents.ts";
import { addListen } from "./commands/listen.ts";
import { addLogin } from "./commands/login.ts";
import { addPayments } from "./commands/payments.ts";
import { addPlayers } from "./commands/players.ts";
import { addReceipt } from "./commands/receipt.ts";
import { addTrigger } from "./commands/trigger.ts";
import { addWhoami } from "./commands/whoami.ts";
import { describeError, EXIT, type ExitCode } from "./exit.ts";

/** The version of the package: its manifest is beside the sources, and above what is built of them. */
function readVersion(): string {
  const isBuilt = import.meta.url.endsWith(".js");
  const manifest = readFileSync(new URL(isBuilt ? "../package.json" : "./package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

function createProgram(): Command {
  const program = new Command("holdfast")
    .description(
      "Holdfast on the command line. It finds its service by --profile, HOLDFAST_API_KEY and HOLDFAST_API_URL, holdfast login, HOLDFAST_DATA, or the instance that runs in this folder.",
    )
    .version(readVersion())
    .exitOverride()
    .showSuggestionAfterError()
    .helpCommand(false)
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 not in time, 4 no key, 5 not reached.\nExample:\n  $ holdfast listen --forward-to http://localhost:4000/hooks",
    );
  const groups = [addLogin, addWhoami, addDoctor, addListen, addEvents, addIntents, addPayments, addReceipt];
  for (const add of [...groups, addConform, addTrigger, addPlayers, addCompletion]) add(program);
  return program;
}

/** Runs a command line; returns the exit code. */
export async function runCommand(words: readonly string[]): Promise<ExitCode> {
  try {
    await createProgram().parseAsync([...words], { from: "user" });
    return EXIT.done;
  } catch (error) {
    // Commander has printed its sentence.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const described = describeError(error);
    if (described === null) throw error;
    if (described.text !== "") process.stderr.write(`${described.text}\n`);
    return described.exitCode;
  }
}
