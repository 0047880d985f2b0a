import fastify, { type FastifyInstance } from "fastify";
import { ApiError, showError } from "../../domain/errors.ts";
import { newRequestId } from "../../domain/ids.ts";
import { BODY_BYTES_MAX, HEADER_BYTES_MAX } from "../../domain/limits.ts";
import { API_VERSION } from "../../domain/version.ts";
import { type Connections, followConnections } from "./connections.ts";

/** A request that is not finished after this long ends with its connection. */
const REQUEST_MS = 30_000;
/** How long a connection stays half open after its last answer. */
const LINGER_MS = 1_000;
const NOT_HTTP = "The request is not valid HTTP/1.1: its first line, a header or the framing of its body is malformed.";
const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The request's headers are larger than ${HEADER_BYTES_MAX} bytes. Send fewer or shorter ones.`,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "The body's chunks carry too many extensions. Send it without.",
  ERR_HTTP_REQUEST_TIMEOUT: `The request did not arrive within ${REQUEST_MS / 1000} seconds.`,
};

/**
 * The HTTP server that all doors share, with its connections. Malformed requests are answered here, before any route.
 * `prefixes` are those of the doors: a path that cannot be decoded gets the 404 of the door it begins with.
 */
export function createServer(prefixes: readonly string[]): { app: FastifyInstance; connections: Connections } {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: "idle",
    // A request that arrives on an open connection during a stop is answered as ever, and the connection ends with the answer.
    return503OnClosing: false,
    requestTimeout: REQUEST_MS,
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      // As long as a path can be: an id of any length is an unknown id, not an error of the router.
      maxParamLength: HEADER_BYTES_MAX,
    },
    rewriteUrl: ({ url = "" }) =>
      isDecodable(url) ? url : `${prefixes.find((prefix) => url.startsWith(`${prefix}/`)) ?? ""}/-`,
    // The doors check that there is a Host: Node.js would answer in words of its own.
    http: { maxHeaderSize: HEADER_BYTES_MAX, requireHostHeader: false },
    clientErrorHandler: (error, socket) => {
      const isAnswering = connections.isAnswering(socket) && socket.bytesWritten > 0;
      if (!socket.writable || isAnswering) return void socket.destroy();
      // A client that does not hang up after the answer, or goes on sending, is cut off.
      const hangUp = setTimeout(() => socket.destroy(), LINGER_MS);
      socket.once("close", () => clearTimeout(hangUp));
      const envelope = showError(new ApiError("bad_request", MESSAGES[error.code] ?? NOT_HTTP));
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nRequest-Id: ${newRequestId(new Date())}\r\n` +
          `Service-Api-Version: ${API_VERSION}\r\nContent-Length: ${Buffer.byteLength(envelope)}\r\nConnection: close\r\n\r\n${envelope}`,
      );
    },
  });
  const connections = followConnections(app.server);
  // An expectation other than 100-continue may be ignored (§11.13); Node.js would refuse it with an empty 417.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  // The doors count headers: Node.js drops those beyond its own limit without an error.
  app.server.maxHeadersCount = 0;
  app.setNotFoundHandler((_request, reply) => reply.code(404).type("text/plain; charset=utf-8").send("Not found.\n"));
  // Fastify's own refusals are for the client to read; an error of ours is not.
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const isRefusal = error.statusCode !== undefined && error.statusCode < 500;
    return reply
      .code(isRefusal ? error.statusCode! : 500)
      .type("text/plain; charset=utf-8")
      .send(isRefusal ? `${error.message}\n` : "The service failed.\n");
  });
  return { app, connections };
}

function isDecodable(url: string): boolean {
  if (!url.startsWith("/")) return false;
  if (!url.includes("%")) return true;
  try {
    decodeURIComponent(url.split("?", 1)[0]!);
    return true;
  } catch {
    return false; // It throws for a stray % and for bytes that are not UTF-8, and for nothing else.
  }
}
