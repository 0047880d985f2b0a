const seconds = (count: number): number => count * 1_000;
const hours = (count: number): number => count * 3_600_000;

/**
 * After a try, the keeper leaves a payment alone for this time; the wait doubles each time. Every transaction costs a fee,
 * and a recipient may refund unit by unit. The wait is also the lease of the
 * claim: after it, other workers may take the payment of one that was killed.
 */
export const SENT_WAIT_FIRST_MS = seconds(90);
export const SENT_WAIT_MAX_MS = hours(1);

/**
 * A part that left ends the wait of its payment at once, this many times a day, for a fee each time. Beyond that, the
 * waits above hold.
 */
export const RENEWALS_PER_DAY = 12;

/**
 * A record that cannot be closed is given up after this many tries, some four days. Only its rent is locked, and only
 * a person can help.
 */
export const CLOSING_TRIES_MAX = 24;

const REFUSED_WAIT_FIRST_MS = seconds(60);
const REFUSED_WAIT_MAX_MS = hours(6);

/** The wait after `tries` tries that sent nothing, because its token account is frozen, say. */
export const refusedWaitMs = (tries: number): number =>
  Math.min(REFUSED_WAIT_FIRST_MS * 2 ** (tries - 1), REFUSED_WAIT_MAX_MS);
