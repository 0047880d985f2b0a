import { readText } from "./files.ts";
import { type Import, readImports } from "./imports.ts";

/** Tests that see the service as its callers do, with what they share. */
const BLACK_BOX = /^tests\/(interface|journeys|harness)\/.*\.tsx?$/;
/** Node.js and the packages that play the buyer and check answers, but no module of the service. */
const PACKAGES =
  /^(node:.+|fast-check|standardwebhooks|stripe|ajv(-formats|\/.+)?|@seriousme\/.+|@solana\/kit|@solana-program\/.+)$/;
const FILES = /^(tests\/harness|devnet|escrow-client)\//;
/** The harness alone starts a service, on a PostgreSQL of the run. */
const STARTS = "embedded-postgres/testing.ts";
const CLI = "tests/harness/adminProcess.ts";

/** The imports by which a test of the interface or a journey would know the inside of the service. */
export function checkBlackBox(root: string, files: readonly string[]): string[] {
  return files
    .filter((path) => BLACK_BOX.test(path))
    .flatMap((path) => readImports(path, readText(root, path)))
    .filter((one) => !isAllowed(one))
    .map(
      ({ from, to }) =>
        `${from} imports ${to}: tests/interface and tests/journeys use HTTP and the admin CLI alone. A test that needs more belongs in tests/faults or in the feature's folder.`,
    );
}

function isAllowed({ from, to, isPackage }: Import): boolean {
  if (isPackage) return PACKAGES.test(to) || (from === CLI && to.startsWith("(computed"));
  return FILES.test(to) || (to === STARTS && from.startsWith("tests/harness/"));
}
