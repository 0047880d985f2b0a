export const requests = {
  title: "Requests",
  text: (environment: string, days: number) => `API requests made with ${environment} keys in the last ${days} days.`,
  empty: { title: "No requests", text: "Requests made with one of your keys appear here a moment after the response." },
  filters: {
    failed: { label: "Result", choices: { true: "Error", false: "No error" } },
    error_code: { label: "Error code", placeholder: "invalid_request" },
    key: "API key",
    about: { label: "Object", placeholder: "pi_test_…" },
    arrived_after: "Sent after",
    arrived_before: "Sent before",
  },
  keyOption: (name: string | null, last4: string) => `${name ?? "Unnamed"} …${last4}`,

  one: "Request",
  id: "Request-Id",
  unknownTitle: "No request with this Request-Id",
  unknownText: (environment: string, days: number) =>
    `The requests of the last ${days} days in ${environment} do not include {id}. A request that was just answered may take a moment.`,
  error: "Error",
  key: "API key",

  refusedTitle: "Why the request was refused",
  field: "Field",
  reason: "Reason",
  mismatch: "Terms that differ",
  meaning: "Meaning",

  sentTitle: "Request body",
  sentText: "Without metadata and description. Headers are not stored.",
  noBody: "The request had no body, or a body too long to store.",
} as const;
