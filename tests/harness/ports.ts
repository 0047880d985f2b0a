import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

/** Below the range the kernel takes for outgoing connections, so that nothing of ours is in the way by chance. */
const LOWEST = 12_000;
const BLOCKS = 1_187;
/** Ports are given out in blocks. The last port of a block is its lock, which this process holds. */
const BLOCK = 16;
const TRIES_MAX = 50;
/** The latest of this process. A program that is older than so many others has long begun to listen. */
const LOCKS_MAX = 64;
const locks: Server[] = [];

/**
 * Finds a port that is free along with the `count` − 1 ports after it, and that no other test finds as well. A program of
 * others may still take one: a process that starts there must be ready to try again.
 */
export async function findFreePorts(count: number): Promise<number> {
  if (count >= BLOCK) throw new Error(`A block has ${BLOCK - 1} ports, not ${count}.`);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const first = LOWEST + BLOCK * randomInt(BLOCKS);
    const lock = await listenAt(first + BLOCK - 1);
    if (lock === null) continue;
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)));
    if (free.every(Boolean)) {
      locks.push(lock.unref());
      if (locks.length > LOCKS_MAX) locks.shift()!.close();
      return first;
    }
    lock.close();
  }
  throw new Error(`No ${count} free ports in a row were found.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = await listenAt(port);
  if (server === null) return false;
  return new Promise((done) => server.close(() => done(true)));
}

/** Null: something listens there. */
function listenAt(port: number): Promise<Server | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(null));
    server.listen({ port, host: "localhost" }, () => done(server));
  });
}
