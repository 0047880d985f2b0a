const seconds = (count: number): number => count * 1_000;
const hours = (count: number): number => count * 3_600_000;

/**
 * A payment the keeper has set out for is left alone for so long, since what it sent may still land: twice as long each
 * time. Everything sent costs a fee, and a recipient may refund unit by unit. It is the lease of the claim, too: a worker
 * that was killed leaves the payment to the others after it.
 */
export const SENT_WAIT_FIRST_MS = seconds(90);
export const SENT_WAIT_MAX_MS = hours(1);

/** A part that has left ends the wait of its payment at once so often, for a fee each time. Beyond it the waits above hold. */
export const RENEWALS_PER_DAY = 12;

/** A record that cannot be closed is given up after so many tries: some four days. Only its rent is bound, and only a person can help. */
export const CLOSING_TRIES_MAX = 24;

const REFUSED_WAIT_FIRST_MS = seconds(60);
const REFUSED_WAIT_MAX_MS = hours(6);

/** The wait of a payment of which nothing could be sent (its token account is frozen, say), after so many tries. */
export const refusedWaitMs = (tries: number): number =>
  Math.min(REFUSED_WAIT_FIRST_MS * 2 ** (tries - 1), REFUSED_WAIT_MAX_MS);
