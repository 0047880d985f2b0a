/** Texts of every list and of every page of one object. */
export const pages = {
  filters: (count: number) => (count === 0 ? "Filters" : `Filters (${count})`),
  any: "Any",
  apply: "Apply",
  clearFilters: "Clear filters",
  refresh: "Refresh",
  noMatchTitle: "No results",
  noMatchText: "Change or clear the filters to see more.",
  newRows: (count: number, isMore: boolean) => `${count}${isMore ? "+" : ""} new`,
  newRowsHeard: "New rows are available. Use the button above the list to show them.",
  isBehind: "The list may be out of date: the service could not be reached just now.",
} as const;
