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
const PREFIX = "/api/v1";
const NOT_HTTP = "The request is not valid HTTP/1.1: its first line, a header or the framing of its body is malformed.";
const PROBLEMS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The request's headers are larger than ${HEADER_BYTES_MAX} bytes. Send fewer or shorter ones.`,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "The body's chunks carry too many extensions. Send it without.",
  ERR_HTTP_REQUEST_TIMEOUT: `The request did not arrive within ${REQUEST_MS / 1000} seconds.`,
};

/** The HTTP server all doors share, with its connections; what a malformed request gets before any route is decided here. */
export function createServer(): { app: FastifyInstance; connections: Connections } {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: "idle",
    // What still comes on an open connection while we stop is answered as ever, and the connection ends with it.
    return503OnClosing: false,
    requestTimeout: REQUEST_MS,
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      // As long as a path can be: an id of any length is an id that does not exist.
      maxParamLength: HEADER_BYTES_MAX,
    },
    rewriteUrl: ({ url = "" }) => (isDecodable(url) ? url : url.startsWith(`${PREFIX}/`) ? `${PREFIX}/-` : "/-"),
    // Whether there is a Host is for the doors to say: Node.js would answer in words of its own.
    http: { maxHeaderSize: HEADER_BYTES_MAX, requireHostHeader: false },
    clientErrorHandler: (error, socket) => {
      const isAnswering = connections.isAnswering(socket) && socket.bytesWritten > 0;
      if (!socket.writable || isAnswering) return void socket.destroy();
      // Whoever does not hang up after the answer, or goes on sending, is hung up on.
      const hangUp = setTimeout(() => socket.destroy(), LINGER_MS);
      socket.once("close", () => clearTimeout(hangUp));
      const envelope = showError(new ApiError("bad_request", PROBLEMS[error.code] ?? NOT_HTTP));
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nRequest-Id: ${newRequestId(new Date())}\r\n` +
          `Service-Api-Version: ${API_VERSION}\r\nContent-Length: ${Buffer.byteLength(envelope)}\r\nConnection: close\r\n\r\n${envelope}`,
      );
    },
  });
  const connections = followConnections(app.server);
  // An expectation other than 100-continue may be passed over; Node.js would refuse it with an empty 417.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  // Headers are counted by the doors: Node drops those beyond its own limit without a word.
  app.server.maxHeadersCount = 0;
  app.setNotFoundHandler((_request, reply) => reply.code(404).type("text/plain; charset=utf-8").send("Not found.\n"));
  // What Fastify itself refuses is the client's to know; what went wrong inside is not.
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
    return false; // A stray % or bytes that are no UTF-8: the only thing it throws for.
  }
}
