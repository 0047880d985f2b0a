/** The limits of the service: first those of §8 in its order, then our own. Units come last in each name. */
export const BODY_BYTES_MAX = 16_384;
/** Deadline of a request's headers, and then of its body. */
export const HEADERS_WAIT_MS = 10_000;
export const BODY_WAIT_MS = 10_000;
export const HEADERS_MAX = 100;
export const HEADER_BYTES_MAX = 16_384;
/** §8.1: the rate of a key unless the operator sets another; also the default of `api_keys.rate_per_minute`. */
export const REQUESTS_A_MINUTE = 120;
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255;
export const IDEMPOTENCY_HOURS = 24;
export const PAGE_LIMIT_MAX = 100;
export const PAGE_LIMIT_DEFAULT = 20;
/** The range of an intent's lifetime that an operator or a business can set. A check of `businesses` has the same numbers. */
export const INTENT_LIFETIME_MINUTES_MIN = 15;
export const INTENT_LIFETIME_MINUTES_MAX = 10_080;
/** The most active API keys of a business in an environment. The slots of `api_keys` enforce it. */
export const ACTIVE_KEYS_MAX = 5;
/** The most webhook endpoints of a business in an environment. The slots of `webhook_endpoints` enforce it. */
export const ENDPOINTS_MAX = 5;
/** The deadline of all chain reads of a request, over all nodes; after it the answer is 503 (§4.5.9). */
export const CHAIN_READ_MS = 4_500;
/** The longest wait of a create for the check of an unknown recipient, if the asset is known (§4.1.3). */
export const RECIPIENT_READ_MS = 1_000;
/**
 * Batches of one kind in flight at once. With three, each would be smaller, and half of the cost of a small batch is
 * fixed. With one, a single locked row would hold up every call.
 */
export const BATCHES_MAX = 2;
/**
 * The most calls that wait for the next batch or for a connection, and the longest wait for a batch; beyond that the
 * answer is 503.
 */
export const WAITING_MAX = 2_000;
export const WAITING_MS_MAX = 10_000;
/**
 * Transactions of one tenant's requests that hold a connection at once, in one process. Most wait for one lock, that of the
 * tenant's last sequence: without a bound they would hold every connection, and the requests of all tenants would wait.
 */
export const TRANSACTIONS_AT_ONCE = 4;
/** Connections of one process to the database: for requests, and for lists, sweeps and figures. */
export const CONNECTIONS_MAX = 16;
export const SLOW_CONNECTIONS_MAX = 8;
