import type { StaffEvent } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";

type Change = keyof typeof texts.objects.disputeChanges;

/** What changed in a dispute, by an event's names of members. */
export function changeText({ changed }: Pick<StaffEvent, "changed">): string {
  const names = Object.keys(texts.objects.disputeChanges) as Change[];
  return texts.objects.disputeChanges[names.find((name) => changed.includes(name)) ?? "other"];
}

/** An event in a sentence. An event type of the API without a text in the catalogue does not compile. */
export const eventText = (event: Pick<StaffEvent, "type" | "changed">): string =>
  event.type === "dispute.updated" ? `${changeText(event)}.` : texts.objects.eventTypes[event.type];

export const EVENT_TYPES: readonly string[] = Object.keys(texts.objects.eventTypes);
