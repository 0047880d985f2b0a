/**
 * V8's garbage collection in every process of ours (docs/decisions/0020-garbage-dies-young.md). The flags must be there
 * when the process starts. In their order:
 *
 * - V8 learns which places in the code allocate objects that survive a collection, and allocates there in the old space.
 *   In a server that is whatever requests hold at that moment, and it dies right after. Off.
 * - Collecting on several threads takes CPUs that PostgreSQL needs. One thread.
 * - The young space grows to twice 64 MB and shrinks again, so a process's memory varies under the same load. Fixed.
 * - The old space is collected after 8 MB of growth, on a busy server every two seconds. After growth by a half.
 */
export const collectionFlags = [
  "--no-allocation-site-pretenuring",
  "--single-threaded-gc",
  "--min-semi-space-size=64",
  "--max-semi-space-size=64",
  "--heap-growing-percent=50",
];
