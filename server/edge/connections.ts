import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How often connections are looked at while a server closes. */
const LOOK_MS = 20;
/** How long requests under way may take; then their connections are cut. */
const DRAIN_MS = 2_500;

/**
 * Follows a server's connections, so that it can close in time. Node.js waits for every connection that it has not seen
 * a whole request on, also one that was opened and never spoken on, and for the slowest client.
 */
export function followConnections(
  server: Server,
  drainMs = DRAIN_MS,
): { drain(close: () => Promise<unknown>): Promise<void> } {
  /** Null: nothing was asked on it yet. */
  const latest = new Map<Socket, ServerResponse | null>();
  server.on("connection", (socket) => {
    latest.set(socket, null);
    socket.once("close", () => latest.delete(socket));
  });
  server.on("request", ({ socket }, response) => void latest.set(socket, response));
  const cutResting = () => {
    for (const [socket, response] of latest) if (response === null || response.writableFinished) socket.destroy();
  };
  return {
    /** Closes, answers what is under way, and cuts what rests. */
    async drain(close) {
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
