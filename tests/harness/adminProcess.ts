// The admin CLI and the receipts' one, run again and again in one process: a message is one command line, its answer what the
// CLI wrote. Only the start of Node.js is saved; every command is the CLI's own entry, evaluated again.
import { fileURLToPath } from "node:url";

export interface AdminCommand {
  readonly number: number;
  readonly cli: keyof typeof ENTRIES;
  readonly dataDir: string;
  readonly words: readonly string[];
}

export interface AdminOutcome {
  readonly number: number;
  readonly output: string;
  readonly errors: string;
  readonly code: number;
}

const ENTRIES = {
  admin: fileURLToPath(new URL("../../server/admin.ts", import.meta.url)),
  receipt: fileURLToPath(new URL("../../receipt/main.ts", import.meta.url)),
};

const written = { output: "", errors: "" };
process.stdout.write = (text) => {
  written.output += text;
  return true;
};
process.stderr.write = (text) => {
  written.errors += text;
  return true;
};

async function run({ number, cli, dataDir, words }: AdminCommand): Promise<void> {
  Object.assign(written, { output: "", errors: "" });
  process.exitCode = 0;
  process.env.DATA_DIR = dataDir;
  process.argv = [process.execPath, ENTRIES[cli], ...words];
  await import(`${ENTRIES[cli]}?command=${number}`);
  const outcome: AdminOutcome = { number, ...written, code: Number(process.exitCode) };
  process.exitCode = 0;
  process.send!(outcome);
}

let last = Promise.resolve();
process.on("message", (command: AdminCommand) => {
  last = last.then(() => run(command));
});
process.once("disconnect", () => process.exit());
