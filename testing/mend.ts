/** The frameworks in which each mistake is mended. */
export const FRAMEWORKS = ["Express", "Fastify", "Hono", "Next"] as const;
export type Framework = (typeof FRAMEWORKS)[number];
type Mend = Readonly<Record<Framework, string>>;

/** The route's first lines: the body as it arrived, verified. */
const VERIFY: Mend = {
  Express: `app.post("/hooks", express.raw({ type: "application/json", limit: "1mb" }), async (request, response) => {
  const event = await verifyWebhook(request.body, request.headers, secrets); // throws WebhookError: answer 400
  // …`,
  Fastify: `app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
app.post("/hooks", async (request, reply) => {
  const event = await verifyWebhook(request.body, request.headers, secrets); // throws WebhookError: answer 400`,
  Hono: `app.post("/hooks", async (context) => {
  const event = await verifyWebhook(await context.req.arrayBuffer(), context.req.raw, secrets); // throws: answer 400
  // …`,
  Next: `export async function POST(request) {
  const event = await verifyWebhook(await request.arrayBuffer(), request, secrets); // throws: answer 400
  // …`,
};

const LIMIT: Mend = {
  Express: `express.raw({ type: "application/json", limit: "1mb" })`,
  Fastify: `Fastify({ bodyLimit: 1_048_576 })`,
  Hono: `app.use("/hooks", bodyLimit({ maxSize: 1_048_576 })) // or no limit of your own`,
  Next: `await request.arrayBuffer() // a route handler has no limit of its own; raise that of your proxy`,
};

const answer = (says: string): Mend => ({
  Express: `response.status(204).end(); // ${says}`,
  Fastify: `return reply.code(204).send(); // ${says}`,
  Hono: `return context.body(null, 204); // ${says}`,
  Next: `return new Response(null, { status: 204 }); // ${says}`,
});

/** A mistake behind the route: the same lines in every framework. */
const everywhere = (lines: string): Mend => ({ Express: lines, Fastify: lines, Hono: lines, Next: lines });

const ONCE =
  everywhere(`// One statement decides, under a unique key on the intent's id, whatever arrives twice or at once:
const { rowCount } = await db.query("insert into fulfilled (intent) values ($1) on conflict do nothing", [event.data.object.id]);
if (rowCount === 1) await ship(order);`);

const CONDITION = everywhere(`import { shouldFulfill } from "@holdfast/sdk/webhooks";
// All events that you have stored of this payment: a refund may have arrived first. Or \`intent\`, read from the API now.
const others = await db.listEvents(event.data.object.payment?.id);
if (shouldFulfill(event, { environment: "live", others })) await shipOnce(event.data.object.id);`);

const SAVED = everywhere(`// One transaction stores the event and what it does; the answer comes after its commit.
await db.transaction(() => handle(event));
// Only now: answer 204.`);

const ROLE = everywhere(`const { object } = event.data;
const payment = object.object === "payment" ? object : object.payment;
if (payment?.role !== "primary") return; // a duplicate's events carry the order's reference, too`);

const WHOLE =
  everywhere(`// Only payment.refunded says that all of it went back; of a part, the amounts are in refundTotal and amountRefunded.
if (event.type === "payment.refunded" && event.data.object.role === "primary") await takeBack(event.data.object.intent);
if (event.type === "payment.partially_refunded") await note(event.data.object.refundTotal);`);

const KNOWN = answer("a type or an order that you do not know is no error");
const AT_ONCE = answer("store the event, answer, then work");
const AGAIN = answer("a repeat is no error: it has been dealt with");
const HERE = answer("answer under this very address; a redirect is never followed");

export const MENDS = { VERIFY, LIMIT, ONCE, CONDITION, SAVED, ROLE, WHOLE, KNOWN, AT_ONCE, AGAIN, HERE };
export type { Mend };
