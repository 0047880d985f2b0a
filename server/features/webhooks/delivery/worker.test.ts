import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { inForm } from "../../../../tests/harness/form.ts";
import { HUNG_MS } from "../../../../tests/harness/wait.ts";
import { startReceiver } from "../../../../tests/harness/webhookReceiver.ts";
import type { Database } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { insertEndpoint, markDisabled, markEnabled, replaceSecret } from "../endpoints/queries.ts";
import { newKeyRing, sealSecret } from "../sending/secret.ts";
import { openEventFixture } from "../testing/eventFixture.ts";
import { type Delivery, HOST, startDelivery, startTestWorker, testAuthority, until } from "../testing/worker.ts";
import { LEASE_MS } from "./claims.ts";
import { CONCURRENCY_LIMIT_START } from "./endpointLease.ts";
import { queueObjectResend, queueReplayPart, queueResend, queueTest } from "./queueQueries.ts";

/** How often the connections are cut. */
const CUTS = inForm({ short: 4, long: 12 });

const stripe = new Stripe("sk_unused");
/** An independent check of the same scheme; throws unless the signature is right. */
const verify = (body: string, header: unknown, secret: string) =>
  stripe.webhooks.signature!.verifyHeader(body, String(header), secret, 300);

test("§6.2, §6.3 a delivery is a POST of the stored bytes with the documented headers, and its signature verifies", async () => {
  await using delivery = await startDelivery();
  const { fixture, receiver, issued } = delivery;
  const [id] = await fixture.recordEvents(1);
  await until("it arrives", () => receiver.received.length === 1);
  const [request] = receiver.received;
  assert.equal(request!.path, "/hooks?shop=1");
  const { headers, body } = request!;
  assert.equal(headers["content-type"], "application/json");
  assert.equal(headers["user-agent"], "Service-Webhooks/1.0");
  assert.equal(headers["service-event-id"], id);
  assert.equal(headers["service-event-type"], "payment_intent.created");
  assert.equal(headers["service-api-version"], "2026-11-20");
  assert.equal(headers["service-event-sequence"], "1");
  assert.equal(headers.host, "hooks.shop-demo.com");
  assert.match(String(headers["service-signature"]), /^t=\d{10},v1=[0-9a-f]{64}$/);
  assert.equal(verify(body, headers["service-signature"], issued.secret), true);
  assert.throws(() => verify(`${body} `, headers["service-signature"], issued.secret));
  const stored = await fixture.database.row<{ body: string }>(sql`select body from events where id = ${id}`);
  assert.equal(body, stored!.body);
  await until("it is written down", async () => {
    const row = await fixture.database.row<{ status: string }>(
      sql`select status from webhook_deliveries where event_id = ${id}`,
    );
    return row?.status === "succeeded";
  });
});

test("§6.3.4 while a rolled secret is valid the header holds one v1 per secret, the newest first", async () => {
  await using delivery = await startDelivery();
  const { fixture, receiver, issued, ring } = delivery;
  const rolled = await replaceSecret(fixture.database, ring, issued.endpoint, "1h");
  await fixture.recordEvents(1);
  await until("it arrives", () => receiver.received.length === 1);
  const header = String(receiver.received[0]!.headers["service-signature"]);
  assert.equal(header.split(",").length, 3);
  for (const secret of [rolled!.secret, issued.secret])
    assert.equal(verify(receiver.received[0]!.body, header, secret), true);
  const newest = header.replace(/,v1=[0-9a-f]{64}$/, "");
  assert.equal(verify(receiver.received[0]!.body, newest, rolled!.secret), true);

  const again = await replaceSecret(fixture.database, ring, issued.endpoint, "none");
  await fixture.recordEvents(1);
  await until("it arrives", () => receiver.received.length === 2);
  const alone = String(receiver.received[1]!.headers["service-signature"]);
  assert.match(alone, /^t=\d+,v1=[0-9a-f]{64}$/);
  assert.equal(verify(receiver.received[1]!.body, alone, again!.secret), true);
});

test("§6.8 a secret of the form of before still verifies and adds no header; after its roll both schemes are there", async () => {
  await using delivery = await startDelivery();
  const { fixture, receiver, issued, ring } = delivery;
  const before = `whsec_${"A_-9".repeat(10)}abc`;
  const { id } = issued.endpoint;
  await fixture.database.rows(
    sql`update webhook_endpoints set secret = ${sealSecret(ring, id, before)}, secret_form = 'opaque' where id = ${id}`,
  );
  const arrival = async () => {
    const { length } = receiver.received;
    await fixture.recordEvents(1);
    await until("it arrives", () => receiver.received.length > length);
    return receiver.received[length]!;
  };
  const old = await arrival();
  assert.equal(verify(old.body, old.headers["service-signature"], before), true);
  assert.deepEqual(
    Object.keys(old.headers).filter((name) => name.startsWith("webhook-")),
    [],
  );

  const rolled = (await replaceSecret(fixture.database, ring, issued.endpoint, "1h"))!;
  const during = await arrival();
  for (const secret of [rolled.secret, before])
    assert.equal(verify(during.body, during.headers["service-signature"], secret), true);
  new Webhook(rolled.secret).verify(during.body, during.headers as Record<string, string>);
  assert.match(String(during.headers["webhook-signature"]), /^v1,[A-Za-z0-9+/]{43}=$/, "none of the old secret");
});

test("§6.1.1 an endpoint gets only the types it chose", async () => {
  await using delivery = await startDelivery({ eventTypes: ["payment.disputed"] });
  await delivery.fixture.recordEvents(3, "payment.protected");
  const [wanted] = await delivery.fixture.recordEvents(1, "payment.disputed");
  await until("it arrives", () => delivery.receiver.received.length > 0);
  assert.deepEqual(
    delivery.receiver.received.map((one) => one.headers["service-event-id"]),
    [wanted],
  );
});

test("§6.1.4 a test is signed like any other, has no sequence, and is neither recorded nor counted", async () => {
  await using delivery = await startDelivery({ eventTypes: ["payment.disputed"] });
  const { fixture, receiver, issued } = delivery;
  const id = await queueTest(fixture.database, issued.endpoint);
  delivery.worker.wake();
  await until("it arrives", () => receiver.received.length === 1);
  const { headers, body } = receiver.received[0]!;
  assert.equal(verify(body, headers["service-signature"], issued.secret), true);
  assert.equal(headers["service-event-type"], "webhook.test");
  assert.equal("service-event-sequence" in headers, false);
  const event = JSON.parse(body);
  assert.deepEqual(
    { id: event.id, sequence: event.sequence, object: event.data.object },
    { id, sequence: null, object: { object: "webhook_test", endpoint: issued.endpoint.id } },
  );
  assert.equal((await fixture.database.rows(sql`select from events`)).length, 0);
  assert.equal((await fixture.database.rows(sql`select from webhook_deliveries`)).length, 0);
});

test("§6.2 any 2xx is a success; any other status and a redirect are failures that are put back, with a reason", async () => {
  const answers = [200, 201, 204, 299, 301, 302, 304, 400, 404, 410, 429, 500, 503];
  const asked = new Map<unknown, number>();
  await using delivery = await startDelivery({
    answer: (request, response) => {
      const status = answers[asked.size]!;
      asked.set(request.headers["service-event-id"], status);
      response.writeHead(status, { location: "https://169.254.169.254/latest/meta-data" }).end();
    },
  });
  // This receiver never answers.
  await using silent = await startDelivery({ answer: () => undefined, attemptMs: 300 });
  await delivery.fixture.recordEvents(answers.length);
  await silent.fixture.recordEvents(1);
  const rows = ({ fixture }: Delivery) =>
    fixture.database.rows<{ event_id: string; succeeded: boolean; error: string | null }>(
      sql`select event_id, succeeded, error from webhook_attempts`,
    );
  await until("all are written down", async () => (await rows(delivery)).length === answers.length);
  await until("the silence is written down", async () => (await rows(silent)).length === 1);
  const [late] = await rows(silent);
  assert.deepEqual([late!.succeeded, late!.error], [false, "no answer within 0.3 s"]);
  for (const row of await rows(delivery)) {
    const status = asked.get(row.event_id)!;
    assert.equal(row.succeeded, status >= 200 && status < 300, `${status}`);
    if (status === 301) assert.equal(row.error, "answered 301; redirects are not followed");
    else if (!row.succeeded) assert.match(row.error!, new RegExp(`^answered ${status}`));
  }
});

test("§6.7.2, §6.7.3 events of a disabled endpoint are held, and sent when it is enabled; a test is sent all the same", async () => {
  await using delivery = await startDelivery();
  const { fixture, receiver, issued, worker } = delivery;
  await markDisabled(fixture.database, issued.endpoint);
  await fixture.recordEvents(5);
  await queueTest(fixture.database, issued.endpoint);
  worker.wake();
  await until("the test arrives", () => receiver.received.length === 1);
  assert.equal(receiver.received[0]!.headers["service-event-type"], "webhook.test");
  await markEnabled(fixture.database, issued.endpoint);
  worker.wake();
  await until("the held ones arrive", () => receiver.received.length === 6);
});

test("§6.7.5 a resend is one more attempt; the events of one object come in order; a replay makes the missing deliveries", async () => {
  await using delivery = await startDelivery();
  const { fixture, receiver, issued, worker } = delivery;
  const [id] = await fixture.recordEvents(1);
  await until("it arrives", () => receiver.received.length === 1);
  assert.notEqual(await queueResend(fixture.database, issued.endpoint, id!), null);
  worker.wake();
  await until("it arrives again", () => receiver.received.length === 2);
  assert.equal(receiver.received[1]!.body, receiver.received[0]!.body);
  assert.equal(await queueResend(fixture.database, issued.endpoint, "evt_test_unknown"), null);

  await fixture.database.rows(sql`update events set intent_id = 'pi_test_x'`);
  const more = await fixture.recordEvents(19);
  await until("all arrive", () => receiver.received.length === 21);
  await fixture.database.rows(sql`update events set intent_id = 'pi_test_x'`);
  assert.equal(await queueObjectResend(fixture.database, issued.endpoint, "pi_test_x", "res_1"), 20);
  worker.wake();
  await until("the object's events arrive", () => receiver.received.length === 41);
  assert.deepEqual(
    receiver.received.slice(21).map((one) => one.headers["service-event-id"]),
    [id, ...more],
  );
  assert.equal(Math.max(...receiver.received.slice(21).map((one) => one.inFlight)), 1, "one after the other");

  const other = await fixture.addTenant();
  await fixture.recordEvents(1, "payment_intent.created", other);
  await until("results are written", async () => {
    const row = await fixture.database.row<{ count: string }>(sql`select count(*) from webhook_queue`);
    return row?.count === "0";
  });
  await fixture.database.rows(sql`delete from webhook_deliveries where event_id = ${id}`);
  const all = { from: { afterSequence: 0n }, after: null, upTo: null, resend: "res_2" };
  const { resent, made } = await queueReplayPart(fixture.database, issued.endpoint, all);
  assert.deepEqual([resent, made], [19, 1]);
  worker.wake();
  await until("the replay arrives", () => receiver.received.length === 61);
});

test("a worker that is stopped gives back the deliveries under way, uncounted", async () => {
  await using delivery = await startDelivery({ answer: () => undefined });
  const { fixture, receiver, worker } = delivery;
  await fixture.recordEvents(2);
  await until("both are under way", () => receiver.received.length === 2);
  await worker.stop();
  const limits = await fixture.database.rows<{ limit: number }>(
    sql`select concurrency_limit as limit from webhook_leases`,
  );
  assert.deepEqual(
    limits,
    [{ limit: CONCURRENCY_LIMIT_START }],
    "the endpoint is not blamed for the end of the worker",
  );
  const rows = await fixture.database.rows<{ attempts: number; leased: boolean }>(
    sql`select attempts, lease_token is not null as leased from webhook_queue`,
  );
  assert.deepEqual(rows, [
    { attempts: 0, leased: false },
    { attempts: 0, leased: false },
  ]);
});

test("a backlog goes out as fast as the endpoint takes it, not one round of permits with each poll", async () => {
  // Slots become free during a claim; a worker that ignored this would wait for a poll, a dozen times.
  await using delivery = await startDelivery({
    answer: (_request, response) => void setTimeout(() => response.end(), 5),
    pollMs: HUNG_MS / 8,
  });
  const { fixture, receiver, worker } = delivery;
  await fixture.recordEvents(1);
  await until("the worker leases the endpoint", () => {
    worker.wake();
    return receiver.received.length === 1;
  });
  await fixture.recordEvents(100);
  // In place of a poll: on a busy machine, the claim of new events may come when they are a backlog already.
  worker.wake();
  await until("all arrive", () => receiver.received.length === 101);
});

/** A due delivery, its receiver, and workers whose clock the test moves: `clock.frozenMs` is added to it. */
async function openFreezing(t: TestContext) {
  const clock = { frozenMs: 0 };
  const real = performance.now.bind(performance);
  t.mock.method(performance, "now", () => real() + clock.frozenMs);
  const opened = new AsyncDisposableStack();
  const fixture = opened.use(await openEventFixture());
  const receiver = opened.use(await startReceiver(testAuthority().issue([HOST])));
  const ring = newKeyRing();
  await insertEndpoint(fixture.database, ring, fixture.tenant, { url: `https://${HOST}/`, eventTypes: null });
  await fixture.recordEvents(1);
  const hosts = new Map([[HOST, { address: "127.0.0.1", port: receiver.port }]]);
  const start = (rows: Database["rows"], options = {}) =>
    startTestWorker({ database: { ...fixture.database, rows } }, ring, hosts, options);
  return { clock, fixture, receiver, start, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

test("a worker that was frozen between its claim and the answer sends nothing of it", async (t) => {
  await using freezing = await openFreezing(t);
  const { clock, fixture, receiver } = freezing;
  const worker = freezing.start(async <Row>(statement: Sql) => {
    const found = await fixture.database.rows<Row>(statement);
    if (!statement.strings.join("").includes("skip locked")) return found;
    if (clock.frozenMs > 0) return [];
    clock.frozenMs = found.length > 0 ? LEASE_MS : 0;
    return found;
  });
  try {
    const findLease = () =>
      fixture.database.row<{ leased: boolean }>(sql`select leased_until is not null as leased from webhook_queue`);
    // Its own clock jumps too.
    await until("it is given back", async () => clock.frozenMs > 0 && (await findLease())?.leased === false);
  } finally {
    await worker.stop();
  }
  assert.equal(receiver.received.length, 0);
});

test("a delivery that a frozen worker gave back is claimed again without a poll, though a claim before found nothing", async (t) => {
  await using freezing = await openFreezing(t);
  const { clock, fixture, receiver } = freezing;
  const { promise: emptyClaim, resolve: foundNothing } = Promise.withResolvers<void>();
  const rows: Database["rows"] = async <Row>(statement: Sql) => {
    const text = statement.strings.join("");
    if (text.includes("set lease_token = null")) await emptyClaim;
    const found = await fixture.database.rows<Row>(statement);
    if (!text.includes("skip locked")) return found;
    if (clock.frozenMs > 0) foundNothing();
    else if (found.length > 0) clock.frozenMs = LEASE_MS;
    return found;
  };
  const worker = freezing.start(rows, { pollMs: 2 * HUNG_MS });
  try {
    await until("it is sent", () => receiver.received.length === 1);
  } finally {
    foundNothing();
    await worker.stop();
  }
});

test("without the key that sealed a secret, its deliveries wait and no attempt is counted", async () => {
  await using delivery = await startDelivery();
  const { fixture, receiver, logged } = delivery;
  await fixture.database.rows(sql`update webhook_endpoints set secret = 'v9.' || substr(secret, 4)`);
  await fixture.recordEvents(1);
  await until("it is logged", () => logged.length > 0);
  assert.match(logged[0]!, /cannot be opened; its deliveries wait/);
  await until("the claim is given back", async () => {
    const row = await fixture.database.row<{ free: boolean }>(
      sql`select lease_token is null as free from webhook_queue where attempts = 0`,
    );
    return row!.free;
  });
  assert.equal(receiver.received.length, 0);
});

test("everything is delivered while connections to the database are cut again and again", async () => {
  await using delivery = await startDelivery();
  const { fixture, receiver } = delivery;
  const ids: string[] = [];
  const killer = await fixture.database.connect();
  for (let round = 0; round < CUTS; round++) {
    ids.push(...(await fixture.recordEvents(10)));
    // Waits until they are gone: no connection that is about to end is given to the next round.
    await killer.query(`
      select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await until("claims whose answer was lost run out", async () => {
    await killer.query(
      "update webhook_queue set leased_until = now() where leased_until > now() + interval '1 second'",
    );
    const left = await killer.query("select from webhook_queue");
    return left.length === 0;
  });
  await killer.end();
  assert.deepEqual(new Set(receiver.received.map((one) => one.headers["service-event-id"])), new Set(ids));
});
