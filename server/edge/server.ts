import fastify, { type FastifyInstance } from "fastify";
import { ApiError, showError } from "../domain/errors.ts";
import { newRequestId } from "../domain/ids.ts";
import { API_VERSION } from "../domain/version.ts";
import { BODY_BYTES_MAX, HEADER_BYTES_MAX } from "../limits.ts";

/** A request that is not finished after this long ends with its connection. */
const REQUEST_MS = 30_000;
/** Stands for every path that cannot be decoded: it is no route, and gets the same answers as any other that is none. */
const NO_PATH = "/api/v1/-";

/** The HTTP server all doors share; what a malformed request gets before any route is decided here. */
export function createServer(): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: "idle",
    requestTimeout: REQUEST_MS,
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      // As long as a path can be: an id of any length is an id that does not exist.
      maxParamLength: HEADER_BYTES_MAX,
    },
    rewriteUrl: (request) => (isDecodable(request.url ?? "") ? request.url! : NO_PATH),
    http: { maxHeaderSize: HEADER_BYTES_MAX },
    clientErrorHandler: (_error, socket) => {
      const envelope = showError(
        new ApiError("bad_request", "The request is not valid HTTP, or its headers are larger than 16 KiB."),
      );
      if (!socket.writable || socket.bytesWritten > 0) return void socket.destroy();
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nRequest-Id: ${newRequestId(new Date())}\r\n` +
          `Service-Api-Version: ${API_VERSION}\r\nContent-Length: ${Buffer.byteLength(envelope)}\r\nConnection: close\r\n\r\n${envelope}`,
      );
    },
  });
  // Headers are counted by the doors: Node drops those beyond its own limit without a word.
  app.server.maxHeadersCount = 0;
  app.setNotFoundHandler((_request, reply) => reply.code(404).type("text/plain; charset=utf-8").send("Not found.\n"));
  return app;
}

function isDecodable(url: string): boolean {
  if (!url.startsWith("/")) return false;
  try {
    decodeURIComponent(url.split("?", 1)[0]!);
    return true;
  } catch {
    return false; // A stray % or bytes that are no UTF-8: the only thing it throws for.
  }
}
