import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Tenant } from "../../server/domain/callers.ts";
import { draftEvent } from "../../server/features/events/event.ts";
import { setDeliveryTimeAhead } from "../../server/features/webhooks/delivery/clock.ts";
import { RETRY_WAITS_MS } from "../../server/features/webhooks/delivery/schedule.ts";
import { recordEvents } from "../../server/features/webhooks/fragments.ts";
import { HOST, startTestWorker, testAuthority } from "../../server/features/webhooks/testing/worker.ts";
import type { StaffServer } from "../../server/process/testing/staffServer.ts";
import { sql } from "../../server/store/sql.ts";
import { eventually } from "../harness/wait.ts";
import { startReceiver } from "../harness/webhookReceiver.ts";
import { lookAt, type Tab } from "./browser.ts";
import { isExpected } from "./dashboardPages.ts";
import { openSignedIn, openStaff } from "./dashboardWorld.ts";

/** An endpoint that fails and is enabled again, and resends of many, in a real browser. */
let staff: StaffServer;
let member: Tab;
const EMAIL = "dev@resends.example";

before(async () => {
  staff = await openStaff();
  const user = await staff.addUser(EMAIL);
  for (const name of ["failing", "many"]) await staff.addBusiness(name, { [user]: "developer" });
  member = await openSignedIn(EMAIL);
});
after(async () => {
  setDeliveryTimeAhead(0);
  await member?.context.close();
  // No worker of another suite sends what is left.
  await staff?.database.rows(sql`delete from webhook_queue`);
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const tenantOf = async (name: string): Promise<Tenant> => {
  const row = await staff.database.row<{ id: string }>(sql`select id from businesses where name = ${name}`);
  return { businessId: row!.id, environment: "test" };
};
const addEndpoint = async ({ businessId }: Tenant): Promise<string> => {
  const api = await staff.signIn(EMAIL);
  return (await api.post(`/businesses/${businessId}/test/endpoints`, { url: `https://${HOST}/hooks` })).json.id;
};
const placeOf = ({ businessId }: Tenant, path: string) => `${staff.ctx.dashboardUrl}/${businessId}/test/${path}`;

let objects = 0;
/** Records events, each of an intent of its own; answers with their ids in order. */
async function record(tenant: Tenant, count: number): Promise<string[]> {
  const now = new Date();
  const drafts = Array.from({ length: count }, () => {
    const id = `pi_test_${String(++objects).padStart(36, "0")}`;
    const about = { objectId: id, generation: 1, transition: "created", intentId: id, paymentAddress: null };
    const object = { object: '"payment_intent"', id: `"${id}"` };
    return draftEvent(tenant, { type: "payment_intent.created", ...about, occurredAt: now, object, before: null }, now);
  });
  await staff.database.rows(sql`with ${recordEvents(drafts)} select sequence from recorded_events`);
  return drafts.map(({ id }) => id);
}

test("§6.4.3 §6.7 five deliveries are abandoned, the endpoint fails and holds its events; enabled, it gets them in order", async () => {
  const { page } = member;
  const tenant = await tenantOf("failing");
  const endpoint = await addEndpoint(tenant);
  let status = 500;
  await using receiver = await startReceiver(
    testAuthority().issue([HOST]),
    (_request, response) => void response.writeHead(status).end(),
  );
  const hosts = new Map([[HOST, { address: "127.0.0.1", port: receiver.port }]]);
  // The worker makes one attempt at a time, and claims new events with all that is due: deliveries arrive in the order of
  // the claims.
  const worker = startTestWorker(staff, staff.ring, hosts, { slots: 1 });
  try {
    await record(tenant, 5);
    // Days pass between the attempts, on the clock of the deliveries alone.
    let aheadMs = 0;
    for (const [done, waitMs] of [0, ...RETRY_WAITS_MS].entries()) {
      aheadMs += waitMs === 0 ? 0 : waitMs + 60_000;
      setDeliveryTimeAhead(aheadMs);
      worker.wake();
      await eventually(`attempt ${done + 1} of all five has failed`, async () => {
        const row = await staff.database.row<{ attempts: string }>(
          sql`select count(*) as attempts from webhook_attempts where endpoint_id = ${endpoint}`,
        );
        return Number(row!.attempts) === 5 * (done + 1);
      });
    }
    setDeliveryTimeAhead(0);
    await page.goto(placeOf(tenant, "webhooks"));
    await page.getByText("5 deliveries in a row were abandoned after all their attempts").waitFor();
    const before = receiver.received.length;
    const held: string[] = [];
    for (let count = 0; count < 4; count++) held.push(...(await record(tenant, 1)));
    await page.reload();
    // The event that says so is not sent to the endpoint that it is about.
    await page.getByText("4 deliveries are held").waitFor();
    assert.equal(receiver.received.length, before, "nothing is sent meanwhile");
    await lookAt(page, "the endpoint that fails");
    await page.getByRole("link", { name: "Deliveries" }).click();
    await page.getByRole("cell", { name: "Abandoned" }).nth(4).waitFor();
    await page.goBack();
    status = 200;
    await button(page, "Enable").click();
    await page.getByText("Held events are being sent.").waitFor();
    worker.wake();
    await eventually("what was held has arrived", () => receiver.received.length === before + held.length);
    const arrived = receiver.received.slice(before).map(({ headers }) => headers["service-event-id"]);
    assert.deepEqual(arrived, held);
    await page.reload();
    await page.getByText("Enabled. No delivery waits to be sent.").waitFor();
  } finally {
    await worker.stop();
  }
});

test("§13.8.5 what matches is resent after a question, goes on after a lost answer, and a double click sends nothing twice", async () => {
  const { page } = member;
  const tenant = await tenantOf("many");
  await record(tenant, 620);
  const endpoint = await addEndpoint(tenant);
  await staff.database.rows(sql`
    insert into webhook_deliveries (business_id, endpoint_id, event_id, event_type, event_recorded_at, intent_id, status, attempts,
      status_code, error_class, created_at, finished_at)
    select business_id, ${endpoint}, id, type, recorded_at, intent_id, 'abandoned', 9, 503, 'server_error', recorded_at, now()
    from events where business_id = ${tenant.businessId}`);
  const queued = () =>
    staff.database.row<{ rows: number; events: number }>(sql`
      select count(*)::integer as rows, count(distinct event_id)::integer as events
      from webhook_queue where endpoint_id = ${endpoint}`);
  await page.goto(placeOf(tenant, `webhooks/${endpoint}?status=abandoned`));
  await button(page, "Resend matches").click();
  await page.getByText("More than 20 deliveries match. Up to 10,000 are sent.").waitFor();
  await lookAt(page, "the question");
  assert.deepEqual(await queued(), { rows: 0, events: 0 });

  // The service does the second part, and its answer is lost.
  let calls = 0;
  await page.route(/\/resend$/, async (route) => {
    if (++calls !== 2) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await button(page, "Resend").dblclick();
  await page.getByText("500 are queued. Continuing sends none of them twice.").waitFor();
  await lookAt(page, "the part that failed");
  await button(page, "Continue").dblclick();
  await page.getByText("620 attempts are queued.").waitFor();
  await lookAt(page, "the outcome");
  assert.deepEqual(await queued(), { rows: 620, events: 620 });
  await button(page, "Close").last().click();
  const entries = await staff.database.rows<{ actor_name: string; count: string }>(sql`
    select actor_name, details::json ->> 'count' as count from audit_log
    where target = ${endpoint} and action = 'deliveries.resent' order by id`);
  assert.deepEqual(entries, [
    { actor_name: EMAIL, count: "500" },
    { actor_name: EMAIL, count: "120" },
  ]);
});

test("§13.8.5 all of an object, one delivery, and a replay since a time, each by a question that says how many", async () => {
  const { page } = member;
  const tenant = await tenantOf("many");
  await staff.database.rows(sql`delete from webhook_queue where business_id = ${tenant.businessId}`);
  const row = await staff.database.row<{ endpoint_id: string; intent_id: string }>(sql`
    select endpoint_id, intent_id from webhook_deliveries where business_id = ${tenant.businessId} limit 1`);
  const { endpoint_id: endpoint, intent_id: intent } = row!;
  const queued = async () =>
    (await staff.database.rows(sql`select event_id from webhook_queue where endpoint_id = ${endpoint}`)).length;
  await page.goto(placeOf(tenant, `webhooks/${endpoint}?object=${intent}`));
  await button(page, "Resend this object").click();
  await page.getByText("Up to 500 events are sent.").waitFor();
  await button(page, "Resend").click();
  await page.getByText("1 attempt is queued.").waitFor();
  assert.equal(await queued(), 1);
  await button(page, "Close").last().click();

  await page.getByRole("link", { name: "payment_intent.created" }).click();
  await button(page, "Resend").click();
  await page.getByText("A manual resend is already queued.").waitFor();
  assert.equal(await queued(), 1);

  await page.goto(placeOf(tenant, `webhooks/${endpoint}`));
  await button(page, "Replay events").click();
  assert.equal(await button(page, "Replay").isDisabled(), true);
  await page.getByRole("textbox", { name: "Since" }).fill("2036-01-01T00:00");
  await page.getByText("No events were recorded since then.").waitFor();
  await page.getByRole("textbox", { name: "Since" }).fill("2026-01-01T00:00");
  await page.getByText("Up to 620 events are sent.").waitFor();
  await lookAt(page, "the replay");
  await button(page, "Replay").dblclick();
  await page.getByText("620 attempts are queued.").waitFor();
  assert.equal(await queued(), 621);
  assert.deepEqual(
    member.complaints.filter((one) => !isExpected(one) && !/ERR_FAILED/.test(one)),
    [],
  );
});
