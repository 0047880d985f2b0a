// The shop's part: what an event does to an order. It is the same behind every framework.
import { createServer } from "node:http";
import { shouldFulfill } from "@holdfast/sdk/webhooks";

const environment = process.env.ENVIRONMENT ?? "live";

// Stands for your database. There, each of these is a table with a unique key, and `handle` is one transaction.
const events = new Map();
const fulfilled = new Map();
const refunded = new Map();

/** Deals with an event once. Events may come twice, at once, and in any order. */
export function handle(event) {
  if (events.has(event.id)) return;
  events.set(event.id, event);
  const { object } = event.data;
  // Fulfil once per intent. `others` are the stored events of its payment: the refund may have come first. Before goods that
  // cannot be called back, read the intent, and give it as `intent`.
  if (shouldFulfill(event, { environment, others: events.values() }))
    once(fulfilled, object.id, object.merchantReference);
  // The events of a duplicate carry the order's reference, too: only the primary payment is the order's.
  if (event.type === "payment.refunded" && object.role === "primary")
    once(refunded, object.intent, object.merchantReference);
}

function once(done, intent, reference) {
  if (!done.has(intent)) done.set(intent, reference);
}

/** The number of times something was done for an order. */
const countOf = (done, reference) => [...done.values()].filter((one) => one === reference).length;

// For `holdfast conform --probe`, while you try the handler.
const { PROBE_PORT } = process.env;
if (PROBE_PORT !== undefined)
  createServer((request, response) => {
    const reference = decodeURIComponent(request.url.slice(1));
    response.end(JSON.stringify({ fulfilled: countOf(fulfilled, reference), refunded: countOf(refunded, reference) }));
  }).listen(Number(PROBE_PORT), "127.0.0.1");
