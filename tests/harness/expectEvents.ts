import assert from "node:assert/strict";
import type { Merchant, Wire } from "./merchant.ts";
import { Mirror } from "./mirror.ts";
import { eventually } from "./wait.ts";

/** The events of an intent and its payments, in `sequence` order. */
export const listEvents = async (merchant: Merchant, intentId: string): Promise<Wire[]> =>
  (await merchant.walk(`/events?intent=${intentId}`, 100)).toReversed();

const isOfDispute = (type: string): boolean => type.startsWith("dispute.");

/**
 * Waits until the intent has as many events as there are types, and checks that it has exactly these: each in its
 * envelope, later than the one before, with what changed. Events of disputes are compared only where the types name some.
 */
export async function expectEvents(merchant: Merchant, intentId: string, types: readonly string[]): Promise<Wire[]> {
  const isMeant = ({ type }: Wire) => types.some(isOfDispute) || !isOfDispute(type);
  const list = async () => (await listEvents(merchant, intentId)).filter(isMeant);
  const wait = eventually("the events are recorded", async () => (await list()).length >= types.length);
  // The comparison below names missing events better.
  await wait.catch(() => undefined);
  const events = await list();
  assert.deepEqual(
    events.map((event) => event.type),
    types,
  );
  checkEvents(events);
  return events;
}

/** The members of an event, in their order (§6.6). */
export const ENVELOPE = [
  "object",
  "id",
  "type",
  "apiVersion",
  "environment",
  "sequence",
  "occurredAt",
  "createdAt",
  "data",
] as const;

/** §6.5 and §6.6 for the events of one intent and its payments, in `sequence` order. */
function checkEvents(events: readonly Wire[]): void {
  const mirror = new Mirror();
  let last = "";
  for (const event of events) {
    assert.deepEqual(Object.keys(event), ENVELOPE);
    assert.match(event.id, /^evt_test_[0-9a-z]{4}[0-9a-f]{32}$/);
    assert.deepEqual([event.object, event.apiVersion, event.environment], ["event", "2026-11-20", "test"]);
    assert.ok(event.occurredAt > last, `${event.type} occurred at ${event.occurredAt}, not after ${last}`);
    last = event.occurredAt;
    mirror.take(event.type, event.data);
  }
}

/** Asserts that a business's events carry 1, 2, 3 … without a gap; returns their number. */
export async function checkSequences(merchant: Merchant): Promise<number> {
  const sequences = (await merchant.walk("/events", 100)).map(({ sequence }) => Number(sequence)).toReversed();
  assert.deepEqual(
    sequences,
    sequences.map((_, index) => index + 1),
  );
  return sequences.length;
}

/** Waits until the intent is paid by the sweep. */
export const awaitPaid = (merchant: Merchant, intentId: string): Promise<Wire> =>
  eventually("the intent is paid", async () => {
    const intent = await merchant.intent(intentId);
    return intent.status === "paid" && intent;
  });

/** Waits until the payment is recorded with this status. */
export const awaitPayment = (merchant: Merchant, id: string, status = "protected"): Promise<Wire> =>
  eventually(`the payment is ${status}`, async () => {
    const answer = await merchant.get(`/payments/${id}`);
    return answer.status === 200 && answer.json.status === status && answer.json;
  });
