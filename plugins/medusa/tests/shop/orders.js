// The plugin's orders in a real Medusa, with an API in this process that knows intents: what buyers, staff and a killed process
// do between the order and its payment.
const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const { createServer } = require("node:http");
const flows = require("@medusajs/medusa/core-flows");
const { ContainerRegistrationKeys, Modules } = require("@medusajs/framework/utils");
const { cancelCheckout, openCheckout } = require("@holdfast/medusa/orders/attempts");
const { storeEvent } = require("@holdfast/medusa/orders/events");
const { bringUpToDate } = require("@holdfast/medusa/orders/progress");
const { saveSettings } = require("@holdfast/medusa/orders/settings");
const { paidBy } = require("@holdfast/medusa/session");

const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const OTHER_WAY = "pp_system_default";
const EMPTY = { protectionDeadline: "2027-01-01T00:00:00.000Z", receiptUrl: "http://localhost/receipt" };

const intents = new Map();
let events = 0;

/** The part of the API that the plugin asks. */
async function answer(request, response) {
  const say = (status, body) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  const [, , , what, id, act] = new URL(request.url, "http://localhost").pathname.split("/");
  if (what === "assets") return say(200, { symbol: "USDC", decimals: 6 });
  if (id === undefined) {
    const terms = JSON.parse((await request.toArray()).join(""));
    const made = {
      object: "payment_intent",
      id: `pi_test_${intents.size}`,
      status: "requires_payment",
      price: null,
      payment: null,
    };
    intents.set(made.id, { ...made, ...terms, checkoutUrl: `http://localhost/pay/i/${made.id}` });
    return say(200, intents.get(made.id));
  }
  const intent = intents.get(id);
  if (act === "cancel" && intent.payment !== null)
    return say(409, { error: { code: "intent_not_cancelable", message: "It is paid." } });
  if (act === "cancel") Object.assign(intent, { status: "canceled", checkoutUrl: null });
  return say(200, intent);
}

module.exports.default = async ({ container }) => {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise((done) => server.listen(new URL(process.env.HOLDFAST_API_URL).port, "127.0.0.1", done));
  try {
    await tryOrders(container);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

async function tryOrders(container) {
  const { region, variant, option, provider } = JSON.parse(readFileSync(process.env.SHOP_FACTS, "utf8"));
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const database = container.resolve(ContainerRegistrationKeys.PG_CONNECTION);
  const payments = container.resolve(Modules.PAYMENT);
  const run = async (workflow, input) => (await workflow(container).run({ input })).result;
  await saveSettings(container, {
    ...{ recipient: MINT, protection_period: "sevenDays" },
    tokens: { usd: { mint: MINT, amounts: "amount" } },
  });
  const [channel] = (await query.graph({ entity: "sales_channel", fields: ["id"], filters: { name: "Shop" } })).data;

  const placed = [];

  /** An order for 24.50, as a storefront places it. */
  async function place() {
    const cart = await run(flows.createCartWorkflow, {
      ...{ region_id: region, sales_channel_id: channel.id, email: "buyer@shop.example" },
      items: [{ variant_id: variant, quantity: 1 }],
      shipping_address: {
        first_name: "Ada",
        last_name: "B",
        address_1: "2 Elm St",
        city: "Boston",
        country_code: "us",
      },
    });
    await run(flows.addShippingMethodToCartWorkflow, { cart_id: cart.id, options: [{ id: option }] });
    const collection = await run(flows.createPaymentCollectionForCartWorkflow, { cart_id: cart.id });
    await choose(collection.id, provider);
    const { id } = await run(flows.completeCartWorkflow, { id: cart.id });
    placed.push(id);
    return { id, collection: collection.id };
  }
  /** The workflow of the store's route, which anybody may call for any collection at any time. */
  const choose = (payment_collection_id, provider_id) =>
    run(flows.createPaymentSessionsWorkflow, { payment_collection_id, provider_id, data: {} });

  async function store(order, type, object) {
    const event = {
      object: "event",
      id: `evt_orders_${++events}`,
      type,
      environment: "test",
      sequence: String(events),
    };
    await storeEvent(container, { ...event, data: { object: { ...object, merchantReference: order } } });
  }
  async function tell(order, type, object) {
    await store(order, type, object);
    await bringUpToDate(container, order);
  }
  async function pay(order, id, say = tell) {
    const intent = intents.get(id);
    const payment = {
      object: "payment",
      id: `Pay${id}`,
      intent: id,
      role: "primary",
      amount: intent.amount,
      asset: MINT,
    };
    const state = {
      status: "protected",
      lateReason: null,
      disputedAt: null,
      refundTotal: "0",
      outcome: null,
      overLimit: false,
    };
    Object.assign(intent, { status: "paid", payment: { ...payment, ...state, ...EMPTY } });
    await say(order, "payment_intent.paid", intent);
  }
  async function change(order, id, type, changes) {
    const intent = intents.get(id);
    Object.assign(intent.payment, changes);
    await tell(order, type, intent.payment);
  }
  const refund = (order, id) =>
    change(order, id, "payment.refunded", { status: "refunded", refundTotal: intents.get(id).amount });

  /** Staff make it ten pieces. */
  async function raise(order_id) {
    await run(flows.beginOrderEditOrderWorkflow, { order_id });
    await run(flows.orderEditAddNewItemWorkflow, { order_id, items: [{ variant_id: variant, quantity: 9 }] });
    await run(flows.confirmOrderEditRequestWorkflow, { order_id });
  }
  /** A process enters a payment, and is killed before the order has it. */
  async function breakOff({ collection }, intent) {
    const [session] = await payments.listPaymentSessions({ payment_collection_id: collection });
    intents.get(intent).payment = { id: `Pay${intent}`, role: "primary" };
    const money = { amount: 24.5, currency_code: "usd" };
    await payments.updatePaymentSession({ id: session.id, ...money, data: paidBy(session.id, intent) });
    await payments.authorizePaymentSession(session.id, {});
  }

  async function read(id) {
    const fields = ["id", "status", "metadata", "summary.*", "payment_collections.payments.*"];
    const [order] = (await query.graph({ entity: "order", fields, filters: { id } })).data;
    const entered = order.payment_collections.flatMap((one) => one.payments ?? []).length;
    const { progress = "open", mayShip = false, owed = [] } = order.metadata?.holdfast ?? {};
    const reasons = owed.map(({ reason }) => reason);
    return [order.status, Number(order.summary.pending_difference), entered, progress, mayShip, ...reasons];
  }

  // A buyer who paid, then puts another way in the session's place, and disputes.
  const swapped = await place();
  const { intent: paid } = await openCheckout(container, swapped.id);
  await pay(swapped.id, paid);
  assert.deepEqual(await read(swapped.id), ["pending", 0, 1, "protected", true]);
  await choose(swapped.collection, OTHER_WAY);
  await change(swapped.id, paid, "payment.disputed", { status: "disputed", disputedAt: EMPTY.protectionDeadline });
  assert.deepEqual(await read(swapped.id), ["pending", 0, 1, "disputed", false]);
  await refund(swapped.id, paid);
  assert.deepEqual((await read(swapped.id)).slice(2), [1, "refunded", false]);

  // The same before the payment: it is entered all the same, and canceling cancels what is open.
  const early = await place();
  const { intent: open } = await openCheckout(container, early.id);
  await choose(early.collection, OTHER_WAY);
  await pay(early.id, open);
  assert.deepEqual(await read(early.id), ["pending", 0, 1, "protected", true]);
  const given = await place();
  const { intent: left } = await openCheckout(container, given.id);
  await choose(given.collection, OTHER_WAY);
  await cancelCheckout(container, given.id);
  assert.equal(intents.get(left).status, "canceled");
  await run(flows.cancelOrderWorkflow, { order_id: given.id });
  await pay(given.id, left);
  assert.deepEqual((await read(given.id)).slice(2), [0, "protected", false, "canceled"]);

  // A session of less than the order: Medusa compares them never.
  const cheap = await place();
  await database.raw("update payment_session set amount = 1, raw_amount = ? where payment_collection_id = ?", [
    ...[JSON.stringify({ value: "1", precision: 20 }), cheap.collection],
  ]);
  assert.equal(intents.get((await openCheckout(container, cheap.id)).intent).amount, "24500000");

  // Staff raise the total after the buyer has seen the checkout. The payment of the old one pays nothing, and goes back.
  const edited = await place();
  const { intent: old } = await openCheckout(container, edited.id);
  await raise(edited.id);
  await pay(edited.id, old);
  assert.deepEqual(await read(edited.id), ["pending", 245, 0, "protected", false, "other_total"]);
  await refund(edited.id, old);
  assert.deepEqual(await read(edited.id), ["pending", 245, 0, "refunded", false]);
  const { intent: next } = await openCheckout(container, edited.id);
  assert.equal(intents.get(next).amount, "245000000");
  await pay(edited.id, next);
  assert.deepEqual(await read(edited.id), ["pending", 0, 1, "protected", true]);

  // The process is killed after the payment was authorized, before the order has it.
  const killed = await place();
  const { intent: half } = await openCheckout(container, killed.id);
  await breakOff(killed, half);
  assert.equal((await read(killed.id))[1], 24.5);
  await pay(killed.id, half);
  assert.deepEqual(await read(killed.id), ["pending", 0, 1, "protected", true]);

  // The same, and the order is edited, or the session replaced, before the next run: the order has what was paid.
  const torn = await place();
  const { intent: piece } = await openCheckout(container, torn.id);
  await breakOff(torn, piece);
  await raise(torn.id);
  await choose(torn.collection, OTHER_WAY);
  await pay(torn.id, piece);
  assert.deepEqual(await read(torn.id), ["pending", 220.5, 1, "protected", false]);

  // Archived, a canceled order is a canceled one.
  const archived = await place();
  const { intent: buried } = await openCheckout(container, archived.id);
  await run(flows.cancelOrderWorkflow, { order_id: archived.id });
  await run(flows.archiveOrderWorkflow, { orderIds: [archived.id] });
  assert.equal((await openCheckout(container, archived.id)).state, "canceled");
  await pay(archived.id, buried);
  assert.deepEqual((await read(archived.id)).slice(2), [0, "protected", false, "canceled"]);

  // A refund waits until an open edit has ended, and is shown before.
  const busy = await place();
  const { intent: whole } = await openCheckout(container, busy.id);
  await pay(busy.id, whole);
  await run(flows.beginOrderEditOrderWorkflow, { order_id: busy.id });
  await assert.rejects(refund(busy.id, whole), /open change/);
  assert.deepEqual((await read(busy.id)).slice(2), [1, "refunded", false]);
  await run(flows.cancelBeginOrderEditWorkflow, { order_id: busy.id });
  await bringUpToDate(container, busy.id);
  const [books] = (await query.graph({ entity: "order", fields: ["summary.*"], filters: { id: busy.id } })).data;
  assert.deepEqual([Number(books.summary.refunded_total), Number(books.summary.pending_difference)], [24.5, 0]);

  // A payment that went back before the shop heard of it sold nothing.
  const unsold = await place();
  const { intent: back } = await openCheckout(container, unsold.id);
  await pay(unsold.id, back, store);
  await refund(unsold.id, back);
  assert.deepEqual((await read(unsold.id)).slice(2), [0, "refunded", false]);
  assert.equal((await read(unsold.id))[0], "canceled");

  // Events without a payment leave nothing.
  const watched = await place();
  await tell(watched.id, "payment_intent.created", { object: "payment_intent", id: "pi_test_none", payment: null });
  const { rows } = await database.raw("select from holdfast_event where order_id = ?", [watched.id]);
  assert.equal(rows.length, 0);

  // The shop that is played afterwards has none of them.
  await container.resolve(Modules.ORDER).deleteOrders(placed);
}
