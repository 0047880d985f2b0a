// A process that runs `npm run pay` for a test, again and again: a message is one command line, its answer what was written.
// Only the start of Node.js and the loading of modules are saved; the command itself is evaluated anew.
import { fileURLToPath } from "node:url";

export interface PayCommand {
  readonly number: number;
  readonly dataDir: string;
  readonly words: readonly string[];
}

export interface PayOutcome {
  readonly number: number;
  readonly output: string;
  readonly errors: string;
  readonly failed: boolean;
}

const ENTRY = fileURLToPath(new URL("../pay.ts", import.meta.url));

const written = { output: "", errors: "" };
console.log = (line: string) => {
  written.output += `${line}\n`;
};
console.error = (line: string) => {
  written.errors += `${line}\n`;
};

async function run({ number, dataDir, words }: PayCommand): Promise<void> {
  Object.assign(written, { output: "", errors: "" });
  process.exitCode = 0;
  process.env.DATA_DIR = dataDir;
  process.argv = [process.execPath, ENTRY, ...words];
  await import(`${ENTRY}?command=${number}`);
  process.send!({ number, ...written, failed: process.exitCode !== 0 } satisfies PayOutcome);
  process.exitCode = 0;
}

let last = Promise.resolve();
process.on("message", (command: PayCommand) => {
  last = last.then(() => run(command));
});
