import type { StaffEvent } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";

type Change = keyof typeof texts.objects.disputeChanges;

/** What changed in a dispute, by an event's names of members. */
function changeText({ changed }: Pick<StaffEvent, "changed">): string {
  const names = Object.keys(texts.objects.disputeChanges) as Change[];
  return texts.objects.disputeChanges[names.find((name) => changed.includes(name)) ?? "other"];
}

/** The texts of an event. A type of the API without a text in the catalogue does not compile. */
const textsOf = ({ type }: Pick<StaffEvent, "type">): { readonly text: string; readonly step?: string } =>
  texts.objects.eventTypes[type];

/** An event in a sentence. */
export const eventText = (event: Pick<StaffEvent, "type" | "changed">): string =>
  event.type === "dispute.updated" ? `${changeText(event)}.` : textsOf(event).text;

/** An event as a step of its payment. */
export const stepText = (event: Pick<StaffEvent, "type" | "changed">): string =>
  event.type === "dispute.updated" ? changeText(event) : (textsOf(event).step ?? textsOf(event).text);

export const EVENT_TYPES: readonly string[] = Object.keys(texts.objects.eventTypes);
