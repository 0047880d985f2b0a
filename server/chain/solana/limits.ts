/** The bounds of everything this folder sends, waits for and reads. */

/** One read, all its nodes together (§5: `chain_unavailable` within 5 s). */
export const deadlineMsDefault = 5_000;
/** A scan of every payment may take longer: it runs once a day and nobody waits for it. */
export const scanDeadlineMsMin = 60_000;

export const bodyBytesMax = 16 * 2 ** 20;
/** getProgramAccounts: about 520 bytes of JSON a payment, so about 128,000 payments, of all times once and then of 18 hours. */
export const scanBodyBytesMax = 64 * 2 ** 20;

/** §5: a node further behind the best known slot is not believed when it says that something is not there. */
export const lagSlotsMax = 150;
/** A slot seen longer ago than this gives way to a lower one: a node that jumped ahead by mistake does not stay the best for ever. */
export const sightingMsMax = 60_000;

/** What nodes accept in one request. */
export const accountsPerRequest = 100;
export const standingsPerRequest = 256;
export const signaturesPerRequest = 1_000;
/** Requests of one read on their way at the same time. */
export const requestsAtOnce = 4;
/** Accounts of a scan decoded without a pause: about 15 ms of work. */
export const accountsPerTurn = 200;

/** How long a node that failed stands at the back of the queue; doubled with every failure in a row. */
export const restMsMin = 1_000;
export const restMsMax = 30_000;

/** The subscription that wakes the sweep. */
export const reconnectMsMin = 250;
export const reconnectMsMax = 30_000;
export const pingMs = 20_000;
export const handshakeMsMax = 5_000;
export const notificationBytesMax = 2 ** 20;
