import { createServer as createHttpServer, type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ApiError, showError } from "../../domain/errors.ts";
import { newRequestId } from "../../domain/ids.ts";
import { HEADER_BYTES_MAX, HEADERS_WAIT_MS } from "../../domain/limits.ts";
import { API_VERSION } from "../../domain/version.ts";
import { App } from "./app.ts";
import { type Connections, followConnections } from "./connections.ts";

/** A request that is not finished after this long ends with its connection. */
const REQUEST_MS = 30_000;
/** The interval of the check for requests that take too long. */
const LATE_CHECK_MS = 1_000;
/** A connection may be idle for this long between two requests. */
const KEEP_ALIVE_MS = 72_000;
/** The time for which a connection stays half open after its last answer. */
const LINGER_MS = 1_000;
/** The wait for the answer to a client that has shut its sending side. */
const HALF_OPEN_MS = REQUEST_MS;
const NOT_HTTP = "The request is not valid HTTP/1.1: its first line, a header or the framing of its body is malformed.";
const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The request's headers are larger than ${HEADER_BYTES_MAX} bytes. Send fewer or shorter ones.`,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "The body's chunks carry too many extensions. Send it without.",
  ERR_HTTP_REQUEST_TIMEOUT: `The request did not arrive in time: its headers within ${HEADERS_WAIT_MS / 1000} seconds, all of it within ${REQUEST_MS / 1000}.`,
};
/** Matches an absolute-form target (§11.3) up to its path, except targets with credentials. */
const ORIGIN = /^https?:\/\/[^\s/?#@]+(?=[/?]|$)/i;

export interface ServerOptions {
  /** Deadline of a request's headers; tests shorten it. */
  readonly headersWaitMs?: number;
  /** The time for which a connection stays open after its client has shut its sending side. */
  readonly halfOpenMs?: number;
  readonly logError?: (message: string, error: unknown) => void;
}

/**
 * Makes the HTTP server that all doors share, with its connections. It answers malformed requests before any route.
 * `prefixes` are those of the doors: a path that cannot be decoded gets the 404 of the door whose prefix it has.
 */
export function createServer(
  prefixes: readonly string[],
  { headersWaitMs = HEADERS_WAIT_MS, halfOpenMs = HALF_OPEN_MS, logError = () => undefined }: ServerOptions = {},
): { app: App; connections: Connections } {
  const server = createHttpServer({
    maxHeaderSize: HEADER_BYTES_MAX,
    // The doors check that there is a Host: Node.js would answer with its own text.
    requireHostHeader: false,
    headersTimeout: headersWaitMs,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: Math.min(LATE_CHECK_MS, headersWaitMs),
  });
  // A client that sends nothing more still gets its answer (§11.16).
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  const connections = followConnections(server, halfOpenMs);
  server.on("clientError", (error: Error & { code?: string }, socket: Socket) => {
    // The answer to no request would be read as that to the next one: browsers open connections ahead (§11.16).
    if (socket.bytesRead === 0) return void socket.destroy();
    const refuse = () => {
      if (socket.writable) endWith(socket, new ApiError("bad_request", MESSAGES[error.code ?? ""] ?? NOT_HTTP));
      else socket.destroy();
    };
    // An error sent before the answer to a whole request would be read as that answer.
    if (connections.isAfterAnswer(socket, refuse)) return;
    if (connections.isAnswering(socket) && socket.bytesWritten > 0) return void socket.destroy();
    refuse();
  });
  // An expectation other than 100-continue may be ignored (§11.13); Node.js would refuse it with an empty 417.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("checkContinue", (request, response) => {
    // A door asks for the body itself, once it is needed.
    if (!prefixes.some((prefix) => request.url?.includes(`${prefix}/`))) response.writeContinue();
    server.emit("request", request, response);
  });
  server.prependListener("request", (request, response) => {
    // HTTP/1.0 has no chunks: a proxy may have read another end of this body, and read the following bytes as a request
    // (§11.11).
    if (request.httpVersion === "1.0" && request.headers["transfer-encoding"] !== undefined)
      response.shouldKeepAlive = false;
  });
  // Node.js would close without an answer.
  server.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    endWith(socket, new ApiError("not_found", "There is no tunnel here. /docs has all endpoints with their methods."));
  });
  // The doors count headers: Node.js drops those beyond its own limit without an error.
  server.maxHeadersCount = 0;
  const pathOf = (target: string) => {
    const path = target.startsWith("/") ? target : pathOfTarget(target);
    return isDecodable(path) ? path : `${prefixes.find((prefix) => path.startsWith(`${prefix}/`)) ?? ""}/-`;
  };
  return { app: new App(server, { pathOf, logError }), connections };
}

/** Answers on a connection that has no route, and closes it. */
function endWith(socket: Duplex, error: ApiError): void {
  // A client that does not hang up after the answer, or keeps sending, is cut off.
  const hangUp = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(hangUp));
  const envelope = showError(error);
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\nContent-Type: application/json; charset=utf-8\r\nRequest-Id: ${newRequestId(new Date())}\r\n` +
      `Service-Api-Version: ${API_VERSION}\r\nContent-Length: ${Buffer.byteLength(envelope)}\r\nConnection: close\r\n\r\n${envelope}`,
  );
}

/** Returns the path and query of a target that starts with an origin; the target itself otherwise. */
function pathOfTarget(target: string): string {
  const origin = ORIGIN.exec(target)?.[0];
  if (origin === undefined) return target;
  const path = target.slice(origin.length);
  return path.startsWith("/") ? path : `/${path}`;
}

function isDecodable(url: string): boolean {
  // A fragment is not part of a target: clients do not send it.
  if (!url.startsWith("/") || url.includes("#")) return false;
  if (!url.includes("%")) return true;
  try {
    decodeURIComponent(url.split("?", 1)[0]!);
    return true;
  } catch {
    return false; // It throws only for a stray % and for bytes that are not UTF-8.
  }
}
