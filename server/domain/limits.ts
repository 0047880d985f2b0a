/** The bounds of the service, in the document's order (§8) and then our own. Units last in each name. */
export const BODY_BYTES_MAX = 16_384;
export const BODY_WAIT_MS = 10_000;
export const HEADERS_MAX = 100;
export const HEADER_BYTES_MAX = 16_384;
/** §8: of a key, unless the operator gives it another; `api_keys.rate_per_minute` has it as its default. */
export const REQUESTS_A_MINUTE = 120;
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255;
export const IDEMPOTENCY_HOURS = 24;
export const PAGE_LIMIT_MAX = 100;
export const PAGE_LIMIT_DEFAULT = 20;
/** How long an intent can be paid, at the most; an operator chooses within it. */
export const INTENT_LIFETIME_MINUTES_MAX = 10_080;
/** Active API keys, per business and environment. The slots of `api_keys` enforce it. */
export const ACTIVE_KEYS_MAX = 5;
/** Webhook endpoints, per business and environment. The slots of `webhook_endpoints` enforce it. */
export const ENDPOINTS_MAX = 5;
/** A request's reads of the chain, all nodes together; beyond it the answer is 503 (§4.5). */
export const CHAIN_READ_MS = 4_500;
/** Looking at an unknown recipient of a known asset may not hold a create up for longer. */
export const RECIPIENT_READ_MS = 1_000;
/**
 * Batches of one kind under way at once. One more would make all of them smaller, and what a batch costs beside its items
 * is half of what a small one costs; one less, and a row that somebody else has locked would hold up everybody.
 */
export const BATCHES_MAX = 2;
/** Calls that wait for the next batch, or for a connection, and how long for a batch; beyond it the answer is 503. */
export const WAITING_MAX = 2_000;
export const WAITING_MS_MAX = 10_000;
/** Connections to the database of one process: for requests, and for lists, sweeps and figures. */
export const CONNECTIONS_MAX = 16;
export const SLOW_CONNECTIONS_MAX = 8;
