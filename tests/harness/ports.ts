import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/** Below the range the kernel takes for outgoing connections, so that nothing of ours is in the way by chance. */
const LOWEST = 12_000;
const HIGHEST = 31_000;
const TRIES_MAX = 50;

/**
 * Finds a port that is free along with the `count` − 1 ports after it, and keeps the other processes of the test run from
 * finding them too, as long as this one lives.
 */
export async function findFreePorts(count: number): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const first = randomInt(LOWEST, HIGHEST);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const isOurs = (await Promise.all(ports.map(reserve))).every(Boolean);
    if (isOurs && (await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
  throw new Error(`No ${count} free ports in a row were found.`);
}

/** Takes the UDP port of the same number, which no service uses: the kernel frees it when this process ends, however that happens. */
function reserve(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = createSocket("udp4").unref();
    socket.once("error", () => socket.close(() => done(false)));
    socket.bind({ port, address: "127.0.0.1" }, () => done(true));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(false));
    server.listen({ port, host: "localhost" }, () => server.close(() => done(true)));
  });
}
