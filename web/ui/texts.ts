/** The texts of the parts themselves. All others come from the page that uses a part. */
export const PART_TEXTS = {
  copy: "Copy",
  copied: "Copied",
  close: "Close",
  closeMessage: "Close message",
  requestId: (id: string) => `Request-Id: ${id}`,
  retry: "Try again",
  loading: "Loading",
  chartFailed: "The chart could not be loaded. The table has its values.",
} as const;
