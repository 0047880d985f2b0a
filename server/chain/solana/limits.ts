/** The limits of everything this folder sends, waits for and reads. */

/** Deadline of one read over all its nodes (§4.5.9: `chain_unavailable` within 5 s). */
export const DEADLINE_MS_DEFAULT = 5_000;
/** A scan of all payments may take longer: it runs once a day and no request waits for it. */
export const SCAN_DEADLINE_MS_MIN = 60_000;

export const BODY_BYTES_MAX = 16 * 2 ** 20;
/** getProgramAccounts: about 520 bytes of JSON a payment, so about 128,000 payments. The first scan reads all payments, later ones those of 18 hours. */
export const SCAN_BODY_BYTES_MAX = 64 * 2 ** 20;

/** §4.5.9: a node further behind the best known slot is not believed when it says that an item does not exist. */
export const LAG_SLOTS_MAX = 150;
/**
 * A jump of less than this, by the time of slots, needs one node's word only; otherwise a lagging node that answered first
 * could keep the others from being believed. A larger jump needs a second node.
 */
export const ALONE_MS_MAX = 3_600_000;
/** No chain has shorter slots, whatever a node that catches up shows for a while. */
export const SLOT_MS_MIN = 100;
/** Wait for a second node's slot. */
export const SECOND_MS = 1_000;
/** A node whose newest final block is older than this, by its own account, is no evidence of how far the chain is. */
export const WITNESS_AGE_MS_MAX = 1_200_000;
/** For this long a node is believed to be of the chain that it named. */
export const IDENTITY_MS_MAX = 60_000;
/**
 * A slot observed longer ago than this is replaced by a lower one: a node that jumped ahead by mistake does not stay the
 * best forever.
 */
export const SLOT_AGE_MS_MAX = 60_000;

/** The highest counts that nodes accept in one request. */
export const ACCOUNTS_PER_REQUEST = 100;
export const STATUSES_PER_REQUEST = 256;
export const SIGNATURES_PER_REQUEST = 1_000;
/** Parallel requests of one read. */
export const REQUESTS_AT_ONCE = 4;
/** Accounts of a scan decoded without a pause: about 15 ms of work. */
export const ACCOUNTS_PER_TURN = 200;

/** A failed node is asked last for this long; doubled with every failure in a row. */
export const REST_MS_MIN = 1_000;
export const REST_MS_MAX = 30_000;

/** Limits of the subscription that wakes the sweep. */
export const RECONNECT_MS_MIN = 250;
export const RECONNECT_MS_MAX = 30_000;
export const PING_MS = 20_000;
export const HANDSHAKE_MS_MAX = 5_000;
export const NOTIFICATION_BYTES_MAX = 2 ** 20;
