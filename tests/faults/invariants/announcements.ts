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
  wrong: (words: string) => void,
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

/** What the clock, or a check that found nothing new, moves between two events. */
const MOVES_BY_ITSELF = new Set(["checkedAt", "settleable", "checkoutUrl", "signature", "resolveBy"]);
/** Of a decided payment, what the recipient's part moves when it leaves before the sender's. */
const MOVES_ONCE_DECIDED = new Set(["amountReleased", "settledAt"]);
/** An intent that nobody pays turns from one to the other by the clock alone. */
const UNPAID = new Set<unknown>(["requires_payment", "expired"]);

/** `previousAttributes`: none for an object not shown before, else what each changed field held in the snapshot before. */
export function checkPrevious({ data }: Body, before: Shown | null, wrong: (words: string) => void): void {
  const { object, previousAttributes } = data;
  if (before === null) {
    if (previousAttributes !== undefined) wrong("has previousAttributes, and nothing was shown before");
    return;
  }
  if (previousAttributes === undefined) {
    wrong("has no previousAttributes");
    return;
  }
  const now = object as unknown as Readonly<Record<string, unknown>>;
  const then = before as unknown as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries(previousAttributes))
    if (isDeepStrictEqual(value, now[name])) wrong(`says ${name} changed, and it did not`);
  for (const name of Object.keys(now)) {
    if (MOVES_BY_ITSELF.has(name) || (MOVES_ONCE_DECIDED.has(name) && then.outcome)) continue;
    const held = name in previousAttributes ? previousAttributes[name] : now[name];
    if (!isSame(name, held, then[name]))
      wrong(`${name} was ${JSON.stringify(then[name])}, by the event ${JSON.stringify(held)}`);
  }
}

function isSame(name: string, one: unknown, other: unknown): boolean {
  if (name === "status" && UNPAID.has(one) && UNPAID.has(other)) return true;
  // A refund that is bound has no event; only a fork takes one back, and that has.
  if (name === "refundTotal") return BigInt(one as string) >= BigInt(other as string);
  // The payment within an intent goes on living between the intent's own events.
  if (name === "payment") return (one as Shown | null)?.id === (other as Shown | null)?.id;
  return isDeepStrictEqual(one, other);
}
