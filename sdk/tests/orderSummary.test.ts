import assert from "node:assert/strict";
import { test } from "node:test";
import { summarizeOrder, type WebhookEvent } from "../index.ts";

type Changes = Readonly<Record<string, unknown>>;
let sequence = 0;

const aPayment = (id: string, changes: Changes = {}) => ({
  ...{ object: "payment", id, intent: `pi_${id}`, role: "primary", status: "protected", amount: "5000000" },
  ...{ disputedAt: null, outcome: null, refundTotal: "0", overLimit: false, late: false, lateReason: null, ...changes },
});
const eventOf = (type: string, object: unknown, environment = "live") =>
  ({ object: "event", type, sequence: String(++sequence), environment, data: { object } }) as unknown as WebhookEvent;
const paid = (id: string, changes: Changes = {}, type = "paid") =>
  eventOf(`payment_intent.${type}`, {
    ...{ object: "payment_intent", id: `pi_${id}` },
    ...{ payment: aPayment(id, changes) },
  });
const ofPayment = (type: string, id: string, changes: Changes = {}) =>
  eventOf(`payment.${type}`, aPayment(id, changes));

const DISPUTED = { status: "disputed", disputedAt: "2026-11-21T02:58:42.000Z" };
const REFUNDED = { status: "refunded", outcome: "refunded_by_recipient", refundTotal: "5000000" };
const LATE = { late: true, lateReason: "paid_after_cancel" };

/** The same summary comes from the events in order, backwards, and twice. */
function summarize(...events: WebhookEvent[]) {
  const once = summarizeOrder(events, { environment: "live" });
  assert.deepEqual(summarizeOrder([...events].reverse(), { environment: "live" }), once);
  assert.deepEqual(summarizeOrder([...events, ...events], { environment: "live" }), once);
  const { progress, payment, isPaid, mayShip, extras } = once;
  const owed = extras.filter(({ isOwed }) => isOwed).map((extra) => `${extra.payment.id} ${extra.reason}`);
  return [progress, payment?.id ?? null, isPaid, mayShip, ...owed];
}

test("an order is as its payment's newest event says, in whichever order the events came", () => {
  const [shown, pays] = [ofPayment("protected", "a"), paid("a")];
  assert.deepEqual(summarize(), ["open", null, false, false]);
  assert.deepEqual(summarize(shown), ["open", null, false, false]);
  assert.deepEqual(summarize(shown, pays), ["protected", "a", true, true]);
  const late = paid("a", { late: true, lateReason: "found_after_expiry" });
  assert.deepEqual(summarize(late), ["protected", "a", true, true]);
  const disputed = ofPayment("disputed", "a", DISPUTED);
  assert.deepEqual(summarize(shown, pays, disputed), ["disputed", "a", false, false]);
  const outcome = { ...DISPUTED, outcome: "resolved", refundTotal: "1000000" };
  const decided = ofPayment("decided", "a", outcome);
  assert.deepEqual(summarize(pays, disputed, decided), ["decided", "a", false, false]);
  const released = ofPayment("released", "a", { ...outcome, status: "released" });
  assert.deepEqual(summarize(pays, disputed, decided, released), ["released", "a", true, false]);
  assert.deepEqual(summarize(pays, ofPayment("refunded", "a", REFUNDED)), ["refunded", "a", false, false]);
  assert.deepEqual(summarize(pays, ofPayment("released", "a", { status: "released", outcome: "settled" })), [
    ...["released", "a", true, true],
  ]);
});

test("a payment that is late, a duplicate, over the limit or of a second attempt pays nothing, and is owed until it went back", () => {
  assert.deepEqual(summarize(ofPayment("protected", "a", LATE), paid("a", LATE, "paid_late")), [
    ...["open", null, false, false, "a late"],
  ]);
  const second = ofPayment("protected", "b", { role: "duplicate" });
  assert.deepEqual(summarize(paid("a"), second), ["protected", "a", true, true, "b duplicate"]);
  const back = ofPayment("refunded", "b", { ...REFUNDED, role: "duplicate" });
  assert.deepEqual(summarize(paid("a"), second, back), ["protected", "a", true, true]);
  assert.deepEqual(summarize(paid("a", { overLimit: true })), ["open", null, false, false, "a over_limit"]);
  assert.deepEqual(summarize(paid("a"), paid("b")), ["protected", "a", true, true, "b duplicate"]);
});

test("what all went back pays an order that was entered by it, and leaves another one to the next payment in time", () => {
  const events = [paid("a"), ofPayment("refunded", "a", REFUNDED), paid("b")];
  const of = (entered: string | null) => {
    const { progress, payment, extras } = summarizeOrder(events, { environment: "live", entered });
    return [progress, payment?.id, ...extras.map((extra) => `${extra.payment.id} ${extra.isOwed}`)];
  };
  assert.deepEqual(of("a"), ["refunded", "a", "b true"]);
  assert.deepEqual(of("b"), ["protected", "b", "a false"]);
  assert.deepEqual(of(null), ["protected", "b", "a false"]);
  assert.deepEqual(of("of another order"), ["refunded", "a", "b true"]);
  events.push(ofPayment("refunded", "b", REFUNDED));
  assert.deepEqual(of(null), ["refunded", "a", "b false"]);
});

test("a payment that the network took back is none, and the next one pays; another environment's never does", () => {
  const [first, gone] = [paid("a"), ofPayment("reverted", "a")];
  assert.deepEqual(summarize(first, gone), ["reverted", null, false, false]);
  assert.deepEqual(summarize(first, gone, paid("b")), ["protected", "b", true, true]);
  assert.deepEqual(summarize(first, gone, ofPayment("protected", "a"), paid("a")), ["protected", "a", true, true]);
  const other = eventOf("payment_intent.paid", { object: "payment_intent", payment: aPayment("c") }, "test");
  assert.deepEqual(summarize(other), ["open", null, false, false]);
});
