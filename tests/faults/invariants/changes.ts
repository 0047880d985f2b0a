import { createHash } from "node:crypto";
import type { Finding, Invariant } from "../checker.ts";
import type { DatabaseSnapshot, EventRow, IntentRow } from "../databaseSnapshot.ts";
import { Replay } from "./replay.ts";

/**
 * Replays each intent's events from the first. Each must follow from the one before by the specification, and the last must
 * match the tables in every field. Events and rows that are written once carry the transaction that wrote them, so an event
 * written in another transaction than its change shows even when nothing crashed.
 */
export const everyChangeHasEvents: Invariant = {
  id: "changes",
  promise: "every recorded change has exactly its events, in its transaction",
  check: ({ snapshot }) => {
    const violations: string[] = [];
    const eventsByIntent = Map.groupBy(snapshot.events, (event) => event.intent_id);
    const keys = new Map<string, string>();
    for (const intent of snapshot.intents) {
      const replay = new Replay(intent);
      for (const event of eventsByIntent.get(intent.id) ?? []) replay.apply(event);
      replay.end();
      compareIntent(intent, replay);
      comparePayments(snapshot, intent, replay);
      compareDisputes(snapshot, intent, replay);
      violations.push(...replay.violations.map((text) => `${intent.id}: ${text}`));
      for (const [key, xmin] of replay.keys) keys.set(key, xmin);
    }
    const known = new Set(snapshot.intents.map((intent) => intent.id));
    for (const [id, events] of eventsByIntent)
      if (id !== null && !known.has(id)) violations.push(`${events.length} events tell of ${id}, which does not exist`);
    violations.push(...compareKeys(snapshot, keys), ...compareTransactions(snapshot, eventsByIntent));
    const changes = snapshot.events.filter((event) => event.intent_id !== null).length;
    return { checked: { intents: snapshot.intents.length, events: changes }, violations } satisfies Finding;
  },
};

function compareIntent(row: IntentRow, replay: Replay): void {
  replay.expect("status", row.status, replay.status);
  replay.expect("payment", row.payment_address, replay.primary);
  replay.expect("canceledAt", iso(row.canceled_at), replay.canceledAt);
  replay.expect("generation", row.generation, replay.generation);
  replay.expect("mismatches announced", row.mismatch_count, replay.mismatches);
  replay.expect("time of the last event", iso(row.last_occurred_at), replay.last);
}

function comparePayments({ payments, reverted }: DatabaseSnapshot, intent: IntentRow, replay: Replay): void {
  const rows = payments.filter((row) => row.intent_id === intent.id);
  for (const row of rows) {
    const replayed = replay.payments.get(row.address);
    if (replayed === undefined) {
      replay.violations.push(`${row.address} is recorded and was never announced`);
      continue;
    }
    const expect = (what: string, held: unknown, is: unknown) => replay.expect(`${row.address} ${what}`, held, is);
    expect("status", row.status, replayed.status);
    expect("role", row.role, replayed.role);
    expect("generation", row.generation, replayed.generation);
    expect("sequence of recording", row.recorded_sequence, replayed.sequence);
    expect("settleable announced", row.settleable_event_sent, replayed.settleableEventSent);
    expect("lateReason", row.late_reason, replayed.shown.lateReason);
    expect("createdAt", iso(row.created_at), replayed.shown.createdAt);
    expect("protectionDeadline", iso(row.protection_deadline), replayed.shown.protectionDeadline);
    expect("disputedAt", iso(row.disputed_at), replayed.shown.disputedAt);
    // The recipient's part has no event of its own while the sender's has yet to leave.
    if (row.outcome === null || isPaidOut(row)) {
      expect("settledAt", iso(row.settled_at), replayed.shown.settledAt);
      expect("amountReleased", row.amount_released, replayed.shown.amountReleased);
    }
    if (isPaidOut(row)) expect("refundTotal", row.refund_total, replayed.shown.refundTotal);
    expect("outcome", row.outcome, replayed.shown.outcome);
    expect("amountRefunded", row.amount_refunded, replayed.shown.amountRefunded);
    expect("refundedAt", iso(row.refunded_at), replayed.shown.refundedAt);
    for (const name of ["sender", "recipient", "amount", "asset"] as const)
      expect(name, row[name], replayed.shown[name]);
  }
  const recorded = new Set(rows.map((row) => row.address));
  for (const address of replay.payments.keys())
    if (!recorded.has(address)) replay.violations.push(`${address} was announced and is not recorded`);
  const kept = reverted.filter((row) => row.intent_id === intent.id).map((row) => `${row.address} ${row.generation}`);
  replay.expect("reverted payments", kept.toSorted().join(), replay.reverted.toSorted().join());
}

function compareDisputes({ disputes }: DatabaseSnapshot, intent: IntentRow, replay: Replay): void {
  const rows = disputes.filter((row) => row.intent_id === intent.id);
  replay.expect("disputes", rows.length, replay.disputes.size);
  for (const { id, version, status } of rows) {
    replay.expect(`${id} version`, version, replay.disputes.get(id)?.version);
    replay.expect(`${id} status`, status, replay.disputes.get(id)?.shown.status);
  }
}

/** Compares the keys that make an event unique: each event but those of creations and expiries has exactly one. */
function compareKeys(
  { eventKeys, events }: DatabaseSnapshot,
  announcedOfIntents: ReadonlyMap<string, string>,
): string[] {
  const announced = [...announcedOfIntents].filter(([key]) => !/ payment_intent\.(created|expired)$/.test(key));
  const held = new Map(eventKeys.map((row) => [row.key.toString("hex"), row.xmin]));
  const holderOf = (key: string) => held.get(createHash("sha256").update(key).digest("hex").slice(0, 36));
  // Events without an intent have keys too. This check does not know the keys, only their number.
  const others = events.filter((event) => event.intent_id === null).length;
  const orphans = held.size - announced.filter(([key]) => holderOf(key) !== undefined).length - others;
  return [
    ...announced.filter(([key]) => holderOf(key) === undefined).map(([key]) => `the event "${key}" has no key`),
    ...(orphans === 0 ? [] : [`${orphans} more keys than events`]),
    ...announced.filter(([key, xmin]) => (holderOf(key) ?? xmin) !== xmin).map(([key]) => apart(`the key "${key}"`)),
  ];
}

const apart = (what: string): string => `${what} was written in another transaction than its event`;

/**
 * Pairs of rows that are written once and never changed, each with the event that announces it. A payment's row changes; it
 * has the sequence of its event, which only the statement that records both knows.
 */
function compareTransactions(
  snapshot: DatabaseSnapshot,
  eventsByIntent: ReadonlyMap<string | null, readonly EventRow[]>,
): string[] {
  const find = (intentId: string, type: string, address: string | null, back = 0): EventRow | undefined =>
    eventsByIntent
      .get(intentId)
      ?.filter((event) => event.type === type && (address === null || event.payment_address === address))
      .at(-1 - back);
  const differs = (row: { xmin: string }, event: EventRow | undefined) =>
    event !== undefined && event.xmin !== row.xmin;
  const lives = Map.groupBy(snapshot.reverted, (row) => row.address);
  const gone = snapshot.reverted.filter((row) => {
    const later = lives.get(row.address)!.filter((other) => other.generation > row.generation).length;
    return differs(row, find(row.intent_id, "payment.reverted", row.address, later));
  });
  return gone.map((row) => apart(`the end of ${row.address}`));
}

const isPaidOut = ({ status }: { readonly status: string }) => status === "released" || status === "refunded";

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
