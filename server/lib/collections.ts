import { setFlagsFromString } from "node:v8";

/**
 * How V8 collects garbage; to be called once, before anything is served.
 *
 * V8 guesses from what outlived a young collection which places in the code should allocate in the old space from then
 * on. In a server, what outlives one is what a request holds at that instant: the next request's objects are then old at
 * birth, dead a moment later, and until the next full collection they keep alive all young ones they point to. That was a
 * tenth of everything allocated, and most of the time of each collection.
 *
 * And it collects on several threads, which on a small machine take the CPUs of PostgreSQL, and wait for one themselves.
 */
export function tuneCollections(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
  setFlagsFromString("--single-threaded-gc");
}
