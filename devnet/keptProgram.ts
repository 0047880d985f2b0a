import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The folder's chain was made with another build of the escrow program. */
class ProgramChangedError extends Error {
  override readonly name = "ProgramChangedError";
}

/**
 * A kept chain holds accounts as the program of its time wrote them, and a service has books of them: neither is read by
 * another program, so the chain does not go on under one. A folder without a chain takes the program as it is.
 */
export function keepToProgram(dataDir: string, programFile: string): void {
  const file = join(dataDir, "program.sha256");
  const hash = createHash("sha256").update(readFileSync(programFile)).digest("hex");
  if (!existsSync(join(dataDir, "ledger.log"))) {
    writeFileSync(file, `${hash}\n`);
    return;
  }
  if (existsSync(file) && readFileSync(file, "utf8").trim() === hash) return;
  throw new ProgramChangedError(
    `The chain in ${dataDir} was made with another version of the escrow program. Stop the service and delete its data folder: chain and books then begin empty.`,
  );
}
