/** The state of an order or a payment, as `GET …/state` and the stream send it. */
export interface LiveState {
  readonly state: string;
  readonly final: boolean;
  /** The time of its last event; `at` is the time of the read, by the database's clock. The newer state has the higher pair. */
  readonly version: number;
  readonly at: number;
  /** Only of an order. */
  readonly inFlight?: {
    readonly kind: "built" | "reported" | "sent" | "ended";
    readonly signature: string | null;
    readonly until: string;
  } | null;
  readonly parts: string | null;
}

type Known = Pick<LiveState, "state" | "final" | "version" | "at">;

/**
 * Returns true if the state that arrived is newer than the one shown. Answers overtake each other; and a final state is
 * only replaced after a further event, such as a late payment of an expired order, or after a payment was reported or sent
 * since.
 */
export function isNewer(shown: Known, arrived: Known): boolean {
  if (arrived.version !== shown.version) return arrived.version > shown.version;
  const canFollow = arrived.final || !shown.final || arrived.state === shown.state || arrived.state === "in_flight";
  return arrived.at > shown.at && canFollow;
}
