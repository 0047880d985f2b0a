import { type Command, Option } from "commander";

/** Makes a command with the options and the form that all have. */
export function command(parent: Command, usage: string, description: string, example: string): Command {
  return parent
    .command(usage)
    .description(description)
    .addOption(new Option("--profile <name>", "the profile to use"))
    .addOption(new Option("--json", "print JSON, a line for each object"))
    .addHelpText("after", `\nExample:\n  $ ${example}`);
}
