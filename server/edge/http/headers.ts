import type { IncomingMessage } from "node:http";
import { ApiError } from "../../domain/errors.ts";
import { HEADERS_MAX, IDEMPOTENCY_KEY_CHARACTERS_MAX } from "../../domain/limits.ts";
import { API_VERSIONS } from "../../domain/version.ts";

/** The expectation that a server may answer (§11.15). */
export const CONTINUE = "100-continue";

/** Headers of answers that are data: browsers must not show them as a page, or run them as a script. */
export const DATA_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

/**
 * Returns a header's values as received. Node's `headers` has only the first of some headers, and `headersDistinct` copies
 * all.
 */
export function valuesOf({ rawHeaders }: IncomingMessage, name: Lowercase<string>): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at]!;
    if (given.length === name.length && given.toLowerCase() === name) values.push(rawHeaders[at + 1]!);
  }
  return values;
}

/**
 * Refuses too many headers, and headers that Node.js accepts though two servers in a row could understand them differently
 * (§11.8, §11.11).
 */
export function checkHeaders(request: IncomingMessage): void {
  const refuse = (message: string) => new ApiError("bad_request", message, {}, { closes: true });
  if (request.httpVersion !== "1.1" && request.httpVersion !== "1.0")
    throw refuse(`The request says HTTP/${request.httpVersion}. Send HTTP/1.1.`);
  if (request.rawHeaders.length / 2 > HEADERS_MAX)
    throw refuse(`The request has more than ${HEADERS_MAX} headers. Send fewer.`);
  const hosts = valuesOf(request, "host").length;
  if (hosts === 0 ? request.httpVersion !== "1.0" : hosts !== 1)
    throw refuse("The request must have exactly one Host header.");
  const transfer = request.headers["transfer-encoding"];
  if (transfer !== undefined && transfer.toLowerCase() !== "chunked")
    throw refuse("The only Transfer-Encoding understood is chunked. Send the body plainly or in chunks.");
  if (transfer !== undefined && request.httpVersion === "1.0")
    throw refuse("HTTP/1.0 has no Transfer-Encoding. Send a Content-Length, or HTTP/1.1.");
}

/** Matches the value without the blanks that HTTP allows around it. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7E](?:[\x20-\x7E]*[\x21-\x7E])?$/;

/** Parses the Idempotency-Key (§4.8.1). */
export function parseIdempotencyKey(request: IncomingMessage): string | null {
  const given = valuesOf(request, "idempotency-key");
  if (given.length === 0) return null;
  const [key] = given;
  if (given.length !== 1 || key!.length > IDEMPOTENCY_KEY_CHARACTERS_MAX || !IDEMPOTENCY_KEY.test(key!))
    throw new ApiError(
      "bad_request",
      `The Idempotency-Key must be given once, as 1 to ${IDEMPOTENCY_KEY_CHARACTERS_MAX} printable ASCII characters.`,
    );
  return key!;
}

/** Refuses a request for an unknown version (§9.3). */
export function checkVersion({ headers }: IncomingMessage): void {
  const given = headers["service-api-version"];
  // Two headers arrive joined by a comma, which is not a version.
  if (given !== undefined && !API_VERSIONS.some((version) => version === given))
    throw new ApiError(
      "invalid_request",
      `Expected one known version, or no such header. Known: ${API_VERSIONS.join(", ")}.`,
      { param: "Service-Api-Version" },
    );
}
