/** What waits for an endpoint is counted no further than this. */
export const HELD_COUNTED_MAX = 1_000;
