#!/usr/bin/env node
import { EXIT, interruptedCode } from "./exit.ts";
import { runCommand } from "./program.ts";

// A reader that has seen enough, such as `head`, is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) =>
  process.exit(error.code === "EPIPE" ? EXIT.done : EXIT.refused),
);
process.once("SIGINT", () => process.exit(interruptedCode()));
process.exitCode = await runCommand(process.argv.slice(2));
