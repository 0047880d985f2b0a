import type { StaffEvent } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";

type Change = keyof typeof texts.objects.disputeChanges;

/** The changes of a dispute by the members that change with each: the first of which all did tells what happened. */
const CHANGES: readonly (readonly [change: Change, ...members: string[]])[] = [
  ["landedAgain", "openedAt"],
  ["reverted", "status", "closedAt"],
  ["reverted", "status", "decision"],
  ["opening", "reason"],
  ["decision", "decision"],
  // The offer that is accepted changes with its agreement; no offer is open beside one that fails.
  ["agreement", "agreement", "offers"],
  ["failure", "agreement", "status"],
  ["refund", "agreement"],
  ["deciding", "decidingAt"],
  ["reverted", "status"],
  ["statement", "statements"],
  ["file", "files"],
  // The arbiter's own date moves with a question, not with its end.
  ["question", "questionUntil", "decideBy"],
  ["questionEnd", "questionUntil"],
  // Only a new offer is its side's last word.
  ["offer", "offers", "turn"],
  ["offer", "offers", "answerBy"],
  ["offers", "offers"],
  ["other"],
];

function changeText({ changed }: Pick<StaffEvent, "changed">): string {
  // A dispute in an event has no member that says who asked for the arbiter.
  if (changed.length === 0) return texts.objects.disputeChanges.asked;
  const [change] = CHANGES.find(([, ...members]) => members.every((member) => changed.includes(member)))!;
  return texts.objects.disputeChanges[change];
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
