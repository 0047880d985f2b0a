import type { Event } from "./schema.ts";

/**
 * Stands for the types that this version does not know: only with a literal does `event.type === "…"` narrow. The value is
 * the type's real name.
 */
export type NewerType = "(a newer type)";

/** An event of a type that a newer service has. */
export interface UnknownEvent {
  readonly object: "event";
  readonly id: string;
  readonly type: NewerType;
  readonly apiVersion: string;
  readonly environment: string;
  readonly sequence: string | null;
  readonly occurredAt: string;
  readonly createdAt: string;
  readonly restored?: true;
  readonly data: {
    readonly object: Readonly<Record<string, unknown>>;
    readonly previousAttributes?: Readonly<Record<string, unknown>>;
  };
}

/** An event as the events API has it. */
export type AnyEvent = Event | (UnknownEvent & { readonly sequence: string });
