/** Waiting deliveries of an endpoint are counted up to this number. */
export const HELD_COUNTED_MAX = 1_000;
