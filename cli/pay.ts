// `npm run pay -- <intent id> …`: the players of the command line as options of one command, for the run of this folder.
import { runCommand } from "./program.ts";

/** For each option its command, and the option that takes the word after it. */
const COMMANDS: Readonly<Record<string, readonly [command: string, valueOption?: string]>> = {
  "--dispute": ["dispute"],
  "--release": ["release"],
  "--refund": ["refund", "--total"],
  "--resolve": ["rule", "--to"],
  "--close": ["close"],
};
const VALUE = /^(\d+|release|refund)$/;

function commandOf(words: readonly string[]): string[] {
  const at = words.findIndex((word) => Object.hasOwn(COMMANDS, word));
  if (at === -1) return ["pay", ...words];
  const [command, valueOption] = COMMANDS[words[at]!]!;
  const value = words[at + 1] ?? "";
  const isGiven = valueOption !== undefined && VALUE.test(value);
  return [command, ...words.toSpliced(at, isGiven ? 2 : 1), ...(isGiven ? [valueOption, value] : [])];
}

const { HOLDFAST_API_KEY: _, HOLDFAST_API_URL: __, ...env } = process.env;
process.env = { ...env, HOLDFAST_DATA: env.DATA_DIR || ".data" };
process.exitCode = await runCommand(commandOf(process.argv.slice(2)));
