import { ABANDONED_IN_A_ROW_MAX } from "../delivery/schedule.ts";
import type { Endpoint } from "../webhook.ts";
import { HELD_COUNTED_MAX } from "./limits.ts";

/** The deliveries that wait for an endpoint. */
export interface Held {
  readonly endpointId: string;
  /** Deliveries that have not ended, counted up to {@link HELD_COUNTED_MAX}. */
  readonly pending: number;
  /** The creation time of the oldest; null if none waits. */
  readonly oldestAt: Date | null;
}

const inWords = (count: number): string => {
  if (count === 0) return "No delivery";
  if (count === 1) return "One delivery";
  return `${count >= HELD_COUNTED_MAX ? `${HELD_COUNTED_MAX} or more` : count} deliveries`;
};

/** The endpoint's state in sentences (§6.7): its time and reason, the waiting deliveries, and the effect of enabling it. */
export function describeState(endpoint: Endpoint, { pending }: Held): string {
  const { status, disabledAt, abandonedInARow, failingSince, lastError } = endpoint;
  const count = inWords(pending);
  if (status === "enabled") {
    const abandoned =
      abandonedInARow === 0
        ? ""
        : ` ${abandonedInARow} of the last deliveries ${abandonedInARow === 1 ? "was" : "were"} abandoned; ${ABANDONED_IN_A_ROW_MAX} in a row disable the endpoint.`;
    const health =
      failingSince === null ? "" : ` Every attempt since ${failingSince.toISOString()} has failed: ${lastError}.`;
    return `Enabled.${health} ${count} ${pending > 1 ? "wait" : "waits"} to be sent.${abandoned}`;
  }
  const since = disabledAt!.toISOString();
  const why =
    status === "failing"
      ? `Failing since ${since}: ${ABANDONED_IN_A_ROW_MAX} deliveries in a row were abandoned after all their attempts${lastError === null ? "" : `, the newest with: ${lastError}`}.`
      : `Disabled by a person since ${since}.`;
  const held = `${count} ${pending > 1 ? "are" : "is"} held, and new events are held as they come.`;
  return `${why} ${held} Enabling it sends what is held, each from the attempt it had reached, and sets the count of abandoned deliveries to 0.`;
}
