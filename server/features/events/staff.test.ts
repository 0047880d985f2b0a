import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "../../../tests/harness/staffBrowser.ts";
import type { Tenant } from "../../domain/callers.ts";
import { newRequestId } from "../../domain/ids.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import { aLoggedRequest } from "../requests/fixtures.ts";
import { insertRequests } from "../requests/queries.ts";
import type { LoggedRequest } from "../requests/request.ts";
import { insertIntent, insertPayment, someAddress } from "../staff/testing/objects.ts";
import { recordEvents } from "../webhooks/fragments.ts";
import { draftEvent, type PendingEvent } from "./event.ts";

let staff: StaffServer;
let browser: Browser;
let tenant: Tenant;
before(async () => {
  staff = await startStaffServer();
  const reader = await staff.addUser("reader@shop.com");
  tenant = { businessId: await staff.addBusiness("events", { [reader]: "read_only" }), environment: "test" };
  browser = await staff.signIn("reader@shop.com");
});
after(() => staff?.[Symbol.asyncDispose]());

const get = async (path: string) => {
  const answer = await browser.get(`/businesses/${tenant.businessId}/test/${path}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

async function record(pendingEvent: PendingEvent): Promise<string> {
  const draft = draftEvent(tenant, pendingEvent, new Date());
  await staff.database.rows(sql`with ${recordEvents([draft])} select sequence from recorded_events`);
  return draft.id;
}

const log = async (differs: Partial<LoggedRequest>, at = new Date()): Promise<string> => {
  const id = newRequestId(at);
  const request = { method: "POST", path: "/api/v1/payment-intents", status: 201 };
  await insertRequests(staff.database, [aLoggedRequest({ ...tenant, id, ...request, ...differs })]);
  return id;
};

test("§13.10.1 events are listed newest first by the filters of the API, and shown byte for byte", async () => {
  const { intent, eventId } = await insertIntent(staff.database, tenant, { metadata: '{"n":1e400,"note":"=cmd()"}' });
  const payment = someAddress();
  const about = { objectId: intent.id, generation: 1, intentId: intent.id, paymentAddress: payment };
  const mismatch = await record({
    ...about,
    type: "payment_intent.payment_mismatch",
    transition: "mismatch",
    occurredAt: new Date(),
    object: { object: '"payment_intent"', id: `"${intent.id}"` },
    before: { status: '"requires_payment"' },
    extra: { mismatch: '["amount"]', observed: `{"payment":"${payment}"}` },
  });
  const ids = async (query: string) => (await get(`events?${query}`)).data.map(({ id }: { id: string }) => id);
  assert.deepEqual(await ids(`intent=${intent.id}`), [mismatch, eventId]);
  assert.deepEqual(await ids(`payment=${payment}`), [mismatch]);
  assert.deepEqual(await ids(`intent=${intent.id}&type=payment_intent.created`), [eventId]);
  assert.deepEqual(await ids(`intent=${intent.id}&type=payment.*`), []);
  assert.deepEqual(await ids(`starting_after=${mismatch}&limit=1`), [eventId]);
  assert.deepEqual(await ids(`ending_before=${eventId}`), [mismatch]);
  assert.deepEqual(await ids("occurred_before=2020-01-01T00:00:00Z"), []);
  const [shown] = (await get(`events?payment=${payment}`)).data;
  assert.deepEqual(shown.about, { object: "payment_intent", id: intent.id });
  assert.deepEqual([shown.intent, shown.payment, shown.changed], [intent.id, payment, ["status"]]);
  assert.equal((await get("events?after_sequence=0&limit=1")).data[0].sequence, "1");

  const { body, event } = await get(`events/${eventId}`);
  const stored = await staff.database.row<{ body: string }>(
    sql`select body from events where business_id = ${tenant.businessId} and id = ${eventId}`,
  );
  assert.equal(body, stored!.body);
  assert.ok(body.includes('"metadata":{"n":1e400,"note":"=cmd()"}'));
  assert.equal(event.id, eventId);
  for (const wrong of ["wait=5", "limit=0", "type=payment", "after_sequence=x", "surprise=1"]) {
    const answer = await browser.get(`/businesses/${tenant.businessId}/test/events?${wrong}`);
    assert.equal(answer.json.error.code, "invalid_request", wrong);
  }
});

test("§13.10.2 the request that created or canceled an intent is named, and no other", async () => {
  const { intent, eventId } = await insertIntent(staff.database, tenant);
  const cancel = `/api/v1/payment-intents/${intent.id}/cancel`;
  assert.equal((await get(`events/${eventId}`)).request, null, "no request is known");
  const request = await log({ objectId: intent.id, path: "/api/v1/payment-intents?x=1" });
  // The stored answer, repeated under the Idempotency-Key, and requests that changed nothing.
  await log({ objectId: intent.id });
  await log({ objectId: intent.id, method: "GET", path: cancel });
  await log({ objectId: intent.id, path: cancel, status: 409, errorCode: "intent_not_cancelable" });
  assert.equal((await get(`events/${eventId}`)).request, request);
  const canceled = await record({
    objectId: intent.id,
    generation: 1,
    intentId: intent.id,
    paymentAddress: null,
    type: "payment_intent.canceled",
    transition: "payment_intent.canceled",
    occurredAt: new Date(),
    object: { object: '"payment_intent"', id: `"${intent.id}"` },
    before: null,
  });
  assert.equal((await get(`events/${canceled}`)).request, null, "that cancel was refused");
  const done = await log({ objectId: intent.id, path: cancel, status: 200 });
  await log({ ...{ environment: "live" }, objectId: intent.id, path: cancel, status: 200 });
  assert.equal((await get(`events/${canceled}`)).request, done);
});

test("§13.10.3 an intent and a payment are shown as the merchant API has them, to members who may only read", async () => {
  const { intent, eventId } = await insertIntent(staff.database, tenant, { metadata: '{"n":123456789012345678901}' });
  const address = await insertPayment(staff.database, intent);
  const shown = await get(`payment-intents/${intent.id}`);
  assert.equal(shown.intent.id, intent.id);
  assert.ok(shown.json.includes('"metadata":{"n":123456789012345678901}'), "no number is rounded");
  assert.deepEqual(JSON.parse(shown.json), shown.intent);
  const payment = await get(`payments/${address}`);
  assert.deepEqual([payment.object, payment.id, payment.intent], ["payment", address, intent.id]);
  assert.ok(payment.nextActions.length > 0);
  assert.deepEqual((await get(`events/${eventId}/deliveries`)).data, []);
});

test("§13.10.4 members read the symbol and decimals of a token that the environment's chain has shown, and of no other", async () => {
  const [usdc, unnamed, wallet] = ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", someAddress(), someAddress()];
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at) values
      ('test', ${usdc}, true, 6, 'any', '{}', now()), ('test', ${unnamed}, true, 0, 'any', '{}', now()),
      ('test', ${wallet}, false, null, null, '{}', now())`);
  const read = async (mint: string) => (await get(`assets?mint=${mint}`)).data;
  assert.deepEqual(await read(usdc), [{ object: "asset", id: usdc, symbol: "USDC", decimals: 6 }]);
  assert.deepEqual(await read(unnamed), [{ object: "asset", id: unnamed, symbol: null, decimals: 0 }]);
  for (const none of [wallet, someAddress(), "%00", ""]) assert.deepEqual(await read(none), [], none);
});
