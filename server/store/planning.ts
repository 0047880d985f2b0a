type Way =
  | "seqscan"
  | "indexscan"
  | "indexonlyscan"
  | "bitmapscan"
  | "sort"
  | "incremental_sort"
  | "hashjoin"
  | "mergejoin";

/** Options of connections that plan each statement once, for all values, without these ways where there is another. */
export const plannedOnce = (avoided: readonly Way[], ...settings: readonly string[]): string =>
  ["plan_cache_mode=force_generic_plan", ...avoided.map((way) => `enable_${way}=off`), ...settings]
    .map((setting) => `-c ${setting}`)
    .join(" ");

/**
 * For the connections of lists and loops: every statement there walks an index in its order and stops when the page is
 * full. PostgreSQL's plan for any business is made for an average one, and would read, and sort, all rows of the largest
 * for each of its pages. So that way is taken from it; and with it the reason to plan anew for each call, which for a
 * month of partitions takes longer than to read the page.
 */
export const ORDERED_PLANNING = plannedOnce([
  "seqscan",
  "bitmapscan",
  "sort",
  "incremental_sort",
  "hashjoin",
  "mergejoin",
]);

/**
 * For the connections of requests: every statement there finds its rows by keys, so one plan serves all values. Left to
 * itself PostgreSQL guesses that a batch of unknown size costs more than the one at hand, and plans each anew, which takes
 * longer than to run it; and while a table is small it would read all of it for each.
 */
export const KEYED_PLANNING = plannedOnce(["seqscan"]);
