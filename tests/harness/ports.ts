import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the range the kernel takes for outgoing connections, so that nothing of ours is in the way by chance. */
const LOWEST = 12_000;
const HIGHEST = 31_000;
const TRIES_MAX = 50;

/**
 * Finds a port that is free along with the `count` − 1 ports after it. Another process may still take one: a process that
 * starts there must be ready to try again.
 */
export async function findFreePorts(count: number): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const first = randomInt(LOWEST, HIGHEST);
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)));
    if (free.every(Boolean)) return first;
  }
  throw new Error(`No ${count} free ports in a row were found.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(false));
    server.listen({ port, host: "localhost" }, () => server.close(() => done(true)));
  });
}
