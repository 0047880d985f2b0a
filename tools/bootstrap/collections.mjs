/**
 * How V8 collects garbage, in all our processes; it has to be told before it starts.
 *
 * It guesses from what outlived a young collection which places in the code should allocate in the old space from then
 * on. In a server, what outlives one is what a request holds at that instant: the next request's objects are then old at
 * birth, dead a moment later, and until the next full collection they keep alive all young ones they point to. That was a
 * tenth of everything allocated, and most of the time of each collection.
 *
 * It collects on several threads, which on a small machine take the CPUs of PostgreSQL, and wait for one themselves.
 *
 * And it lets the young space grow to twice 64 MB where a lot survives, and shrink where little is asked, so that a
 * process under the same load all day has now one size, now twice that.
 *
 * Of the old space it collects all, which holds up everybody for a tenth of a second, as soon as it has grown by 8 MB where
 * little grows, since there that costs little in all: every few seconds on a busy server. By half of what was alive instead.
 */
export const collectionFlags = [
  "--no-allocation-site-pretenuring",
  "--single-threaded-gc",
  "--min-semi-space-size=64",
  "--max-semi-space-size=64",
  "--heap-growing-percent=50",
];
