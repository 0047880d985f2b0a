type Way =
  | "seqscan"
  | "indexscan"
  | "indexonlyscan"
  | "bitmapscan"
  | "sort"
  | "incremental_sort"
  | "hashjoin"
  | "mergejoin";

/**
 * Returns the options of connections that plan each statement once for all values, and avoid these kinds of plan if there
 * is another.
 */
export const plannedOnce = (avoided: readonly Way[], ...settings: readonly string[]): string =>
  ["plan_cache_mode=force_generic_plan", ...avoided.map((way) => `enable_${way}=off`), ...settings]
    .map((setting) => `-c ${setting}`)
    .join(" ");

/**
 * Options of the connections of lists and loops: every statement there walks an index in its order and stops when the page
 * is full. PostgreSQL plans for an average business, and such a plan reads and sorts all rows of the largest one for each
 * of its pages. With these kinds of plan avoided, there is no reason to plan each call again, which for a month of
 * partitions takes longer than reading the page.
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
 * Options of the connections of requests: every statement there finds its rows by keys, so one plan serves all values. By
 * default PostgreSQL assumes that a batch of unknown size costs more than the current one, and plans every batch again,
 * which takes longer than running it. While a table is small it would also read the whole table for each.
 */
export const KEYED_PLANNING = plannedOnce(["seqscan"]);
