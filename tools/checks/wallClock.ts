import { readText } from "./files.ts";

const PRODUCT = /^(server|devnet|embedded-postgres|receipt|escrow-client|sdk|cli|mcp|web)\/.*\.(ts|tsx)$/;
const TEST = /\.test\.ts$|\/(testing|tests)\/|\/testing\.ts$/;

/** A time of the machine as a number. It is set forward and back: a wait or a limit that counts by it ends at once, or late. */
const WALL_CLOCK = /\bDate\.now\(\)|\bnew Date\(\)\.(getTime|valueOf)\(\)|[+-]\s*new Date\(\)|\bNumber\(new Date\(\)\)/;

/** The files that need it, since it is compared with a date of somewhere else or shown, with the reason. */
const NEEDED: Readonly<Record<string, string>> = {
  "server/chain/solana/pool.ts": "the time of a node's block",
  "server/process/machine.ts": "the clock is what is measured, and the end of a certificate",
  "sdk/request.ts": "a date in Retry-After",
  "cli/commands/doctor.ts": "the clock is what is measured",
  "web/checkout/casePage.ts": "the service's clock, by its distance",
  "web/checkout/doubt.ts": "kept by the browser, for other tabs",
  "web/dashboard/shell/environmentTime.ts": "a time since the library's own read",
};

/** Finds limits and waits that count by the clock of the machine. */
export function checkWallClock(root: string, files: readonly string[]): string[] {
  const read = files.filter((path) => PRODUCT.test(path) && !TEST.test(path));
  const found = read.flatMap((path) =>
    readText(root, path)
      .split("\n")
      .flatMap((line, index) => {
        const clock = WALL_CLOCK.exec(line)?.[0];
        return clock === undefined ? [] : [{ path, line: index + 1, clock }];
      }),
  );
  const unused = Object.keys(NEEDED).filter((path) => files.includes(path) && !found.some((one) => one.path === path));
  return [
    ...found
      .filter(({ path }) => !Object.hasOwn(NEEDED, path))
      .map(
        ({ path, line, clock }) =>
          `${path}:${line}: ${clock} can jump. Count by performance.now(), or say in tools/checks/wallClock.ts why not.`,
      ),
    ...unused.map((path) => `tools/checks/wallClock.ts: ${path} needs no exception.`),
  ];
}
