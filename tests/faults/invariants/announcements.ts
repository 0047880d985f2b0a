import { isDeepStrictEqual } from "node:util";
import type { EventRow } from "../databaseSnapshot.ts";

/** An object as an event shows it. */
export interface Shown {
  readonly id: string;
  readonly status: string;
  readonly role?: string;
  readonly recipient?: string;
  readonly amount?: string;
  readonly asset?: string;
  readonly sender?: string;
  readonly lateReason?: string | null;
  readonly createdAt?: string;
  readonly protectionDeadline?: string;
  readonly canceledAt?: string | null;
  readonly disputedAt?: string | null;
  readonly settledAt?: string | null;
  readonly refundedAt?: string | null;
  readonly outcome?: string | null;
  readonly refundTotal?: string;
  readonly amountRefunded?: string;
  readonly amountReleased?: string;
  readonly payment?: Shown | null;
}

export interface Body {
  readonly occurredAt: string;
  readonly data: {
    readonly object: Shown;
    readonly previousAttributes?: Readonly<Record<string, unknown>>;
    readonly observed?: { readonly sender: string };
  };
}

/** The columns that lists and filters use must say what the body says. */
export function checkEnvelope(
  row: EventRow,
  body: Readonly<Record<string, unknown>>,
  wrong: (text: string) => void,
): void {
  const same: readonly (readonly [string, unknown])[] = [
    ["object", "event"],
    ["id", row.id],
    ["type", row.type],
    ["environment", row.environment],
    ["sequence", row.sequence],
    ["occurredAt", row.occurred_at.toISOString()],
    ["createdAt", row.created_at.toISOString()],
  ];
  for (const [name, value] of same) if (body[name] !== value) wrong(`${name} is ${body[name]}, its row says ${value}`);
}

/**
 * Checks `previousAttributes` (§6.6): the value that each changed field had when an event last showed the object. It is
 * absent if no event did or no field changed. A field that came with an upgrade was not shown before.
 */
export function checkPrevious({ data }: Body, before: Shown | null, wrong: (text: string) => void): void {
  const { object, previousAttributes = {} } = data;
  if (before === null) {
    if (data.previousAttributes !== undefined) wrong("has previousAttributes, and nothing was shown before");
    return;
  }
  const now = object as unknown as Readonly<Record<string, unknown>>;
  const then = before as unknown as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries(previousAttributes))
    if (isSame(value, now[name])) wrong(`says ${name} changed, and it did not`);
  for (const name of Object.keys(now)) {
    // An older release has shown the object without a member that a newer one added.
    if (name === "checkedAt" || !(name in then)) continue;
    const held = name in previousAttributes ? previousAttributes[name] : now[name];
    if (!isSame(held, then[name]))
      wrong(`${name} was ${JSON.stringify(then[name])}, by the event ${JSON.stringify(held)}`);
  }
}

const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(withoutCheck(one), withoutCheck(other));

/** A payment within an intent, without the time of its check, which is no change. */
const withoutCheck = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "checkedAt" in value ? { ...value, checkedAt: null } : value;
