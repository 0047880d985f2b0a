export const events = {
  title: "Events",
  text: (environment: string) =>
    `Changes to intents and payments in ${environment}. Webhooks send these events, and the API lists them.`,
  empty: { title: "No events", text: "The first event is recorded when you create an intent." },
  filters: {
    type: "Type",
    intent: { label: "Intent", placeholder: "pi_test_…" },
    payment: { label: "Payment", placeholder: "Address on chain" },
    occurred_after: "Occurred after",
    occurred_before: "Occurred before",
    after_sequence: { label: "After sequence", hint: "Shows the events just above this number." },
  },
  sequence: "Sequence",
  occurred: "Occurred",

  recorded: "Recorded",
  payment: "Payment",
  cause: "Caused by",
  noCause: "No known request",
  restored: "Restored",
  isRestored: "Occurred before the service was restored from a copy.",
  deliveries: {
    title: "Deliveries",
    text: "One delivery for each endpoint that receives the event.",
    empty: { title: "No endpoint", text: "No endpoint subscribes to this event." },
  },
  bodyText: "As the API and each delivery show it.",
} as const;
