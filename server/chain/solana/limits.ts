/** The bounds of everything this folder sends, waits for and reads. */

/** One read, all its nodes together (§4.5.9: `chain_unavailable` within 5 s). */
export const DEADLINE_MS_DEFAULT = 5_000;
/** A scan of every payment may take longer: it runs once a day and nobody waits for it. */
export const SCAN_DEADLINE_MS_MIN = 60_000;

export const BODY_BYTES_MAX = 16 * 2 ** 20;
/** getProgramAccounts: about 520 bytes of JSON a payment, so about 128,000 payments. The first scan reads all payments, later ones those of 18 hours. */
export const SCAN_BODY_BYTES_MAX = 64 * 2 ** 20;

/** §4.5.9: a node further behind the best known slot is not believed when it says that something is not there. */
export const LAG_SLOTS_MAX = 150;
/**
 * An hour of slots. One node's word is enough for less, or a node that lags, and was heard of first, could keep the others
 * from being believed; a second node is asked about more.
 */
export const ALONE_SLOTS_MAX = 9_000;
/** A second node has so long to say how far it is. */
export const SECOND_MS = 1_000;
/** A node whose newest final block is older than this, by its own account, says nothing of how far the chain is. */
export const WITNESS_AGE_MS_MAX = 1_200_000;
/** A node is believed for so long to be of the chain that it named. */
export const IDENTITY_MS_MAX = 60_000;
/** A slot observed longer ago than this gives way to a lower one: a node that jumped ahead by mistake does not stay the best for ever. */
export const SLOT_AGE_MS_MAX = 60_000;

/** The most that nodes accept in one request. */
export const ACCOUNTS_PER_REQUEST = 100;
export const STATUSES_PER_REQUEST = 256;
export const SIGNATURES_PER_REQUEST = 1_000;
/** Requests of one read under way at the same time. */
export const REQUESTS_AT_ONCE = 4;
/** Accounts of a scan decoded without a pause: about 15 ms of work. */
export const ACCOUNTS_PER_TURN = 200;

/** How long a node that failed stands at the back of the queue; doubled with every failure in a row. */
export const REST_MS_MIN = 1_000;
export const REST_MS_MAX = 30_000;

/** The subscription that wakes the sweep. */
export const RECONNECT_MS_MIN = 250;
export const RECONNECT_MS_MAX = 30_000;
export const PING_MS = 20_000;
export const HANDSHAKE_MS_MAX = 5_000;
export const NOTIFICATION_BYTES_MAX = 2 ** 20;
