import type { StaffEvent } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";

export type EventType = StaffEvent["type"];

/** An event in a sentence. An event type of the API without a text in the catalogue does not compile. */
export const eventText = (type: EventType): string => texts.objects.eventTypes[type];

export const EVENT_TYPES: readonly string[] = Object.keys(texts.objects.eventTypes);
