// A small shop on the SDK: a cart, the checkout, fulfilment once, and a duplicate that is refunded.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { CallError, fromDecimal, Holdfast } from "@holdfast/sdk";
import { shouldFulfill, verifyWebhook, WebhookError } from "@holdfast/sdk/webhooks";

const { HOLDFAST_API_URL, HOLDFAST_API_KEY, RECIPIENT, ASSET, HOLDFAST_WEBHOOK_SECRET } = process.env;
const { ENVIRONMENT = "live", PORT = "4242" } = process.env;
const holdfast = new Holdfast({ apiKey: HOLDFAST_API_KEY, baseUrl: HOLDFAST_API_URL });
const BEANS = { yirgacheffe: { name: "Yirgacheffe", price: "12.50" }, huila: { name: "Huila", price: "11" } };

// Stands for your database. There, a change and the new cursor are one transaction.
const path = process.env.SHOP_FILE ?? "shop.json";
const shop = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { cursor: "0", orders: {} };
function save() {
  writeFileSync(`${path}.part`, JSON.stringify(shop, null, 2));
  renameSync(`${path}.part`, path);
}

const { decimals } = await holdfast.assets.retrieve(ASSET);

/** An order is made once; its id is the reference, and the key of the first attempt to pay it. */
async function checkOut(cart) {
  const id = `order-${crypto.randomUUID()}`;
  const amount = cart.reduce((sum, bean) => sum + BigInt(fromDecimal(BEANS[bean].price, decimals)), 0n).toString();
  shop.orders[id] = { cart, amount, state: "open", intent: null, shipments: 0, refunds: {} };
  save();
  return { reference: id, checkoutUrl: await payFor(id) };
}

/** For a day a key gives the same intent, also once that has ended unpaid: then the order needs another one, by another key. */
async function payFor(id, idempotencyKey = id) {
  const { cart, amount } = shop.orders[id];
  const terms = { recipient: RECIPIENT, asset: ASSET, amount, protectionPeriod: "sevenDays", merchantReference: id };
  const description = cart.map((bean) => BEANS[bean].name).join(", ");
  const intent = await holdfast.paymentIntents.create({ ...terms, description }, { idempotencyKey });
  const { status } = await holdfast.paymentIntents.retrieve(intent.id);
  if (status === "expired" || status === "canceled") return payFor(id, `${id}/${intent.id}`);
  shop.orders[id].intent = intent.id;
  save();
  return intent.checkoutUrl;
}

/** Nothing that an event says is done twice, whichever way it came. */
async function handle(event) {
  const { object } = event.data;
  const order = Object.hasOwn(shop.orders, object.merchantReference)
    ? shop.orders[object.merchantReference]
    : undefined;
  if (order === undefined) return;
  if (event.type === "payment_intent.duplicate_payment") order.refunds[object.id] ??= "due";
  if (event.type === "payment.refunded" && object.role === "primary") order.state = "refunded";
  if (event.type === "payment.refunded" && object.role === "duplicate") order.refunds[object.id] = "refunded";
  if (event.type === "payment_intent.paid") await ship(order, event);
}

async function ship(order, event) {
  const { id } = event.data.object;
  if (order.state !== "open" || order.intent !== id) return;
  // Beans cannot be called back: read the intent, since the event shows it as it was.
  const intent = await holdfast.paymentIntents.retrieve(id);
  // The look and the change are one step: nothing is awaited between them.
  if (!shouldFulfill(event, { environment: ENVIRONMENT, intent }) || order.state !== "open") return;
  order.state = "shipped";
  order.shipments++;
}

/** Builds the refund's transaction anew each time, since it lives for a minute. The recipient's wallet signs it: a shop has no key to the funds. */
async function draftRefund(paymentId) {
  const { amount } = await holdfast.payments.retrieve(paymentId);
  const { signer, transaction } = await holdfast.payments.refund(paymentId, { total: amount });
  return { signer, transaction };
}

/** One event after the other, whether it came by webhook or was read. */
let last = Promise.resolve();
function inTurn(event) {
  const turn = last.then(() => handle(event)).then(save);
  last = turn.catch(() => undefined);
  return turn;
}

/** Reads what no webhook brought, also what came while this shop was down. */
async function follow() {
  for (;;)
    try {
      for await (const event of holdfast.events.follow({ after: shop.cursor })) {
        await inTurn(event);
        shop.cursor = event.sequence;
        save();
      }
    } catch (error) {
      // Any other error is for a person: events were deleted before this shop came back.
      if (!(error instanceof CallError)) throw error;
      console.error(error.message);
      await sleep(2_000);
    }
}

async function serve(request, response) {
  const json = (status, value) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
  const [, what, id, step] = request.url.split("/");
  if (request.method === "POST" && what === "hooks") {
    await inTurn(await verifyWebhook(await buffer(request), request.headers, HOLDFAST_WEBHOOK_SECRET));
    return response.writeHead(204).end();
  }
  if (request.method === "POST" && what === "orders") {
    const cart = JSON.parse(await text(request));
    if (
      !Array.isArray(cart) ||
      cart.length === 0 ||
      cart.length > 20 ||
      !cart.every((bean) => Object.hasOwn(BEANS, bean))
    )
      return json(400, { error: "Choose beans." });
    return json(201, await checkOut(cart));
  }
  const order = Object.hasOwn(shop.orders, id) ? shop.orders[id] : undefined;
  if (order !== undefined && step === "pay" && order.state === "open")
    return json(200, { checkoutUrl: await payFor(id) });
  if (order !== undefined && step === "refund") {
    const due = Object.keys(order.refunds).find((payment) => order.refunds[payment] === "due");
    return due === undefined
      ? json(404, { error: "Nothing to refund." })
      : json(200, { payment: due, ...(await draftRefund(due)) });
  }
  if (what === "orders") return json(order === undefined ? 404 : 200, order ?? { error: "No such order." });
  return json(200, BEANS);
}

createServer((request, response) => {
  serve(request, response).catch((error) => {
    if (!(error instanceof WebhookError)) console.error(error.message);
    response.writeHead(error instanceof WebhookError ? 400 : 503).end();
  });
}).listen(Number(PORT), "127.0.0.1", () => console.log(`http://localhost:${PORT}`));

follow().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
