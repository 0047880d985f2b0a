import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The interval of the search for idle connections while a server closes. */
const LOOK_MS = 20;
/** The longest time for requests in flight; then their connections are cut. */
const DRAIN_MS = 2_500;

export interface Connections {
  /** Returns true while an answer is being sent on the connection: further bytes written now would become part of it. */
  isAnswering(socket: Socket): boolean;
  /**
   * Returns true while a whole request on the connection still waits for its answer; then calls back once, when that is
   * sent.
   */
  isAfterAnswer(socket: Socket, onAnswered: () => void): boolean;
  /** Closes the server: answers the requests in flight, cuts idle connections at once, and the others after `drainMs`. */
  drain(close: () => Promise<unknown>, drainMs?: number): Promise<void>;
}

/** Gives a client that has shut its sending side time for its answer, within a bound. A stream would never end. */
function cutHalfOpen(socket: Socket, response: ServerResponse | null, halfOpenMs: number): void {
  const isStream = response?.headersSent && !response.writableFinished && !response.hasHeader("content-length");
  if (isStream) return void socket.destroy();
  const cutting = setTimeout(() => socket.destroy(), halfOpenMs);
  socket.once("close", () => clearTimeout(cutting));
}

/**
 * Tracks a server's connections, so that it can close in time. Node.js itself waits for the slowest client, and for every
 * connection without a whole request, even one that was opened and never used.
 */
export function followConnections(server: Server, halfOpenMs: number): Connections {
  /** The latest answer on each connection; null before its first request. */
  const latest = new Map<Socket, ServerResponse | null>();
  server.on("connection", (socket) => {
    latest.set(socket, null);
    socket.once("close", () => latest.delete(socket));
    socket.once("end", () => cutHalfOpen(socket, latest.get(socket) ?? null, halfOpenMs));
  });
  server.on("request", ({ socket }, response) => void latest.set(socket, response));
  const waiting = new WeakSet<Socket>();
  const isAnswering = (socket: Socket) => latest.get(socket)?.writableFinished === false;
  const cutIdle = () => {
    for (const socket of latest.keys()) if (!isAnswering(socket)) socket.destroy();
  };
  return {
    isAnswering,
    isAfterAnswer(socket, onAnswered) {
      const response = latest.get(socket);
      if (!response?.req.complete || response.writableFinished) return false;
      if (!waiting.has(socket)) response.once("finish", onAnswered);
      waiting.add(socket);
      return true;
    },
    async drain(close, drainMs = DRAIN_MS) {
      const looking = setInterval(cutIdle, LOOK_MS);
      const cutting = setTimeout(() => server.closeAllConnections(), drainMs);
      const closed = close();
      cutIdle();
      await closed.finally(() => {
        clearInterval(looking);
        clearTimeout(cutting);
      });
    },
  };
}
