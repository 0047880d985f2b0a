import { Type } from "typebox";
import {
  BODY_BYTES_MAX,
  BODY_WAIT_MS,
  HEADER_BYTES_MAX,
  HEADERS_MAX,
  IDEMPOTENCY_HOURS,
  IDEMPOTENCY_KEY_CHARACTERS_MAX,
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAX,
  REQUESTS_A_MINUTE,
} from "../../domain/limits.ts";
import { API_VERSION } from "../../domain/version.ts";
import type { DoorDescription } from "../http/openapi.ts";
import { MERCHANT_ERROR_DOCS } from "./errorDocs.ts";

export const MERCHANT_PREFIX = "/api/v1";

/** The rules that hold for every operation; they come first in the document. */
const INTRODUCTION = `Ask a buyer for an amount of a token, with a period in which the buyer may dispute; the funds wait in an escrow on chain.

**Requests** are JSON over HTTPS from your server, with \`Authorization: Bearer <API_KEY>\`. The key decides the business and the environment (\`test\` or \`live\`); no request names them. A key of the scope \`read\` may only look (GET, and verify), one of the scope \`disputes\` also write in disputes and record fulfillments; \`full\` may do all. Requests with browser headers (\`Origin\`, \`Sec-Fetch-Site\`, \`Cookie\`) get 403. A body is a JSON object of at most ${BODY_BYTES_MAX} bytes with \`Content-Type: application/json\`, sent within ${BODY_WAIT_MS / 1000} seconds; at most ${HEADERS_MAX} headers of ${HEADER_BYTES_MAX} bytes together. Paths are exact. HEAD answers as GET without the body.

**Amounts, ids and sequences** are strings; times are ISO 8601 in UTC. New fields may be added to answers: ignore what you do not know.

**Checks** run in this order, and the first that fails is the answer: 403 browser, 400 headers, 401 key, 429 rate, 404 endpoint, 403 scope, 415 type, 413 size, 400 body, 400 Idempotency-Key, 400 version, the key's earlier answer, 400 fields, and last the operation.

**Errors** have one shape: \`{"error": {"code", "param", "message"}}\`. Decide by \`code\`; \`param\` is there on \`invalid_request\` alone; \`message\` is for people and may change.

**Rate**: ${REQUESTS_A_MINUTE} requests per calendar minute and key, unless the operator set it otherwise. Every answer to a known key has the headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`.

**Idempotency**: every POST takes an \`Idempotency-Key\` of 1 to ${IDEMPOTENCY_KEY_CHARACTERS_MAX} printable ASCII characters, kept for ${IDEMPOTENCY_HOURS} hours per business and environment. The same request again gets the first answer byte for byte, with \`Idempotent-Replayed: true\`; another request with the key gets 409 \`idempotency_conflict\`. Server errors are never kept, so a retry runs again.

**Lists** are newest first: \`limit\` (1 to ${PAGE_LIMIT_MAX}, ${PAGE_LIMIT_DEFAULT} without it), then \`starting_after\` with the last id of the page while \`hasMore\` is true. An unknown, repeated or malformed parameter gets 400 with its name.

**Versions** are dates; the one of this document is \`${API_VERSION}\`. Every answer and every webhook names the one it is written in; a request may ask for a known one in \`Service-Api-Version\`.`;

/** The description of the merchant API in its document, without operations and objects. */
export const MERCHANT_DESCRIPTION: DoorDescription = {
  prefix: MERCHANT_PREFIX,
  title: "Holdfast API",
  summary: "Payment intents with buyer protection on Solana.",
  introduction: INTRODUCTION,
  tags: [
    { name: "Payment intents", description: "Requests to buyers to pay." },
    { name: "Payments", description: "Payments of buyers, as the chain has them." },
    { name: "Disputes", description: "Disputes of payments: texts, offers and clocks." },
    { name: "Events", description: "Everything that happened, to be listed or followed." },
    { name: "Chain", description: "The progress of the service in reading the chain." },
    { name: "x402", description: "Payments of agents to a server that sells by the call." },
    { name: "Keys", description: "The business and environment of a key." },
  ],
  securitySchemes: {
    apiKey: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "sk_test_… or sk_live_…",
      description: "An API key. It decides the business and the environment, and belongs on a server.",
    },
  },
  errors: [
    "bad_request",
    "invalid_request",
    "unauthorized",
    "browser_request",
    "rate_limited",
    "internal_error",
    "unavailable",
  ],
  errorDocs: MERCHANT_ERROR_DOCS,
  takesIdempotencyKeys: true,
  admittedHeaders: {
    "RateLimit-Limit": {
      required: true,
      description: `The key's requests per minute: ${REQUESTS_A_MINUTE} unless the operator set it otherwise.`,
      schema: Type.Integer({ minimum: 1 }),
      example: REQUESTS_A_MINUTE,
    },
    "RateLimit-Remaining": {
      required: true,
      description: "Requests left in this minute.",
      schema: Type.Integer({ minimum: 0 }),
      example: 119,
    },
    "RateLimit-Reset": {
      required: true,
      description: "Seconds until the minute ends.",
      schema: Type.Integer({ minimum: 1 }),
      example: 34,
    },
  },
  unauthorizedHeaders: {
    "WWW-Authenticate": {
      required: true,
      description: "The way to send a key.",
      schema: Type.Literal("Bearer"),
      example: "Bearer",
    },
  },
};
