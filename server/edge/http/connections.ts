import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How often connections are looked at while a server closes. */
const LOOK_MS = 20;
/** How long requests under way may take; then their connections are cut. */
const DRAIN_MS = 2_500;

export interface Connections {
  /** Whether an answer is under way on the connection: what else is written meanwhile would be taken for a part of it. */
  isAnswering(socket: Socket): boolean;
  /** Closes the server, answers what is under way, and cuts what rests; what takes longer than `drainMs` is cut too. */
  drain(close: () => Promise<unknown>, drainMs?: number): Promise<void>;
}

/**
 * Follows a server's connections, so that it can close in time. Node.js waits for every connection that it has not seen
 * a whole request on, also one that was opened and never spoken on, and for the slowest client.
 */
export function followConnections(server: Server): Connections {
  /** The latest answer on each; null: nothing was asked yet. */
  const latest = new Map<Socket, ServerResponse | null>();
  server.on("connection", (socket) => {
    latest.set(socket, null);
    socket.once("close", () => latest.delete(socket));
  });
  server.on("request", ({ socket }, response) => void latest.set(socket, response));
  const isAnswering = (socket: Socket) => latest.get(socket)?.writableFinished === false;
  const cutResting = () => {
    for (const socket of latest.keys()) if (!isAnswering(socket)) socket.destroy();
  };
  return {
    isAnswering,
    async drain(close, drainMs = DRAIN_MS) {
      const looking = setInterval(cutResting, LOOK_MS);
      const cutting = setTimeout(() => server.closeAllConnections(), drainMs);
      const closed = close();
      cutResting();
      await closed.finally(() => {
        clearInterval(looking);
        clearTimeout(cutting);
      });
    },
  };
}
