import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The interval of the search for idle connections while a server closes. */
const LOOK_MS = 20;
/** The longest time for requests in flight; then their connections are cut. */
const DRAIN_MS = 2_500;
/** The limits of a refused body that is dropped before its connection closes: its time and its bytes. */
const DROPPED_MS = 1_000;
const DROPPED_BYTES_MAX = 1_048_576;

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
 * Closes a connection on which a refused body still comes: it is dropped for a moment, since a client that is reset while it
 * sends does not read its answer (§11.7). Nothing of it is parsed any more.
 */
function closeGently(socket: Socket): void {
  socket.end();
  const readMax = socket.bytesRead + DROPPED_BYTES_MAX;
  const drop = () => {
    if (socket.bytesRead > readMax) socket.destroy();
  };
  // A listener of one's own takes the bytes from the parser of Node.js, which has one as well.
  socket.on("data", drop);
  for (const other of socket.listeners("data")) if (other !== drop) socket.off("data", other as () => void);
  const cutting = setTimeout(() => socket.destroy(), DROPPED_MS);
  socket.once("end", () => socket.destroy()).once("close", () => clearTimeout(cutting));
  socket.resume();
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
    const destroySoon = socket.destroySoon.bind(socket);
    // Node.js calls it after the last answer.
    socket.destroySoon = () => {
      if (latest.get(socket)?.req.complete === false) closeGently(socket);
      else destroySoon();
    };
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
