import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Tenant } from "../../server/domain/callers.ts";
import { newRequestId } from "../../server/domain/ids.ts";
import { draftEvent } from "../../server/features/events/event.ts";
import { aLoggedRequest } from "../../server/features/requests/fixtures.ts";
import { insertRequests } from "../../server/features/requests/queries.ts";
import type { Worker } from "../../server/features/webhooks/delivery/worker.ts";
import { recordEvents } from "../../server/features/webhooks/fragments.ts";
import { HOST, startTestWorker, testAuthority } from "../../server/features/webhooks/testing/worker.ts";
import type { StaffServer } from "../../server/process/testing/staffServer.ts";
import { sql } from "../../server/store/sql.ts";
import { eventually } from "../harness/wait.ts";
import { type Receiver, startReceiver } from "../harness/webhookReceiver.ts";
import { lookAt, type Tab } from "./browser.ts";
import { isExpected } from "./dashboardPages.ts";
import { openSignedIn, openStaff } from "./dashboardWorld.ts";

/** The pages of webhooks on the real staff API, a real worker and a merchant's server, without a chain. */
let staff: StaffServer;
let receiver: Receiver;
let worker: Worker;
let owner: Tab;
/** Two businesses: tests of the one leave the other alone. */
let business: string;
let other: string;
/** The status that the merchant's server answers. */
let status = 200;

before(async () => {
  [staff, receiver] = await Promise.all([
    openStaff(),
    startReceiver(testAuthority().issue([HOST]), (_request, response) => void response.writeHead(status).end()),
  ]);
  const hosts = new Map([[HOST, { address: "127.0.0.1", port: receiver.port }]]);
  worker = startTestWorker(staff, staff.ring, hosts);
  const user = await staff.addUser(EMAIL);
  business = await staff.addBusiness("hooks", { [user]: "developer" });
  other = await staff.addBusiness("other hooks", { [user]: "developer" });
  owner = await openSignedIn(EMAIL);
});
after(async () => {
  await owner?.context.close();
  await worker?.stop();
  await receiver?.[Symbol.asyncDispose]();
  // No worker of another suite sends what is left.
  await staff?.database.rows(sql`delete from webhook_queue`);
});

const EMAIL = "dev@shop.example";
const URL_OF_SHOP = `https://${HOST}/hooks`;
const placeOf = (id: string, path: string) => `${staff.ctx.dashboardUrl}/${id}/test/${path}`;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const choose = async (page: Page, item: string) => {
  await button(page, `Actions for ${URL_OF_SHOP}`).click();
  await button(page, item).click();
};

/** Records one event, as the creation of an intent does. */
async function recordEvent(tenant: Tenant): Promise<void> {
  const id = `pi_test_${"0".repeat(36)}`;
  const about = { objectId: id, generation: 1, transition: "created", intentId: id, paymentAddress: null };
  const object = { object: '"payment_intent"', id: `"${id}"` };
  const now = new Date();
  const draft = draftEvent(
    tenant,
    { type: "payment_intent.created", ...about, occurredAt: now, object, before: null },
    now,
  );
  await staff.database.rows(sql`with ${recordEvents([draft])} select sequence from recorded_events`);
}

test("§13.8 an endpoint is judged while it is typed, added, tested, rolled, disabled and enabled; its secret is seen once", async () => {
  const { page } = owner;
  await page.goto(placeOf(business, "webhooks"));
  await page.getByText("No endpoints").waitFor();
  await button(page, "Add endpoint").click();
  await page.getByLabel("URL").fill("http://127.0.0.1/hooks");
  await page.locator("input[name=url][aria-invalid=true]").waitFor();
  await page.getByLabel("URL").fill(URL_OF_SHOP);
  await page.getByText("Events can be sent to this URL.").waitFor();
  await page.getByLabel("Events").selectOption("some");
  await page.getByLabel("payment.protected").check();
  await page.getByLabel("payment_intent.created").check();
  await lookAt(page, "the dialog that adds");
  await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
  const secret = (await page.locator("[data-secret]").textContent()) ?? "";
  assert.match(secret, /^whsec_/);
  await button(page, "Done").click();
  await page.getByText("payment_intent.created, payment.protected").waitFor();
  assert.equal((await page.content()).includes(secret), false);

  await button(page, "Send test").click();
  await button(page, "Send").click();
  await page.getByText("Received: your server answered 200").waitFor();
  status = 500;
  await button(page, "Send again").click();
  await page.getByText("Failed after").waitFor();
  status = 200;
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();

  await choose(page, "Roll secret");
  await button(page, "Roll").click();
  assert.notEqual(await page.locator("[data-secret]").textContent(), secret);
  await button(page, "Done").click();
  await page.getByText("Old secret until").waitFor();
  await choose(page, "Disable");
  await page.getByText("Disabled by").waitFor();
  await lookAt(page, "the endpoints");
  await button(page, "Enable").click();
  await button(page, "Enable").waitFor({ state: "detached" });
});

test("§13.8.4 a delivery that failed shows on its endpoint, is found by its state, shown with its attempt, and resent", async () => {
  const { page } = owner;
  const api = await staff.signIn(EMAIL);
  const path = `/businesses/${other}/test`;
  const endpoint = (await api.post(`${path}/endpoints`, { url: URL_OF_SHOP })).json.id;
  status = 500;
  await recordEvent({ businessId: other, environment: "test" });
  worker.wake([other]);
  const delivery = await eventually("the first attempt has failed", async () => {
    const [one] = (await api.get(`${path}/endpoints/${endpoint}/deliveries`)).json.data;
    return one?.statusCode === 500 && one.id;
  });
  // On a slow machine the retry after a minute would come into the way.
  await staff.database.rows(
    sql`update webhook_queue set due_at = due_at + interval '1 day' where business_id = ${other}`,
  );
  // §6.7.7: one refused attempt is enough.
  await page.goto(placeOf(other, "webhooks"));
  await page.getByText(/^Failing since/).waitFor();
  await page
    .getByText(/Every attempt since .* has failed: answered 500 Internal Server Error\. One delivery/)
    .waitFor();
  assert.equal(await page.getByText("Enabled", { exact: true }).count(), 0);
  await lookAt(page, "an endpoint that fails");
  status = 200;
  await page.goto(placeOf(other, `webhooks/${endpoint}?status=succeeded`));
  await page.getByText(/^Failing since/).waitFor();
  await page.getByText("No results").waitFor();
  await page.getByLabel("Status", { exact: true }).selectOption("pending");
  await button(page, "Apply").click();
  await page.waitForURL(`**/webhooks/${endpoint}?status=pending`);
  await page.getByRole("link", { name: "payment_intent.created" }).waitFor();
  await lookAt(page, "the deliveries");
  await page.getByRole("link", { name: "payment_intent.created" }).click();
  await page.getByText("Failed · 500").waitFor();
  await page.getByText("Service-Event-Type: payment_intent.created").waitFor();
  await button(page, "Resend").click();
  await page.getByText("One attempt is queued.").waitFor();
  worker.wake([other]);
  await eventually("the resend has succeeded", async () => {
    const { attemptLog } = (await api.get(`${path}/deliveries/${delivery}`)).json;
    return attemptLog.length === 2 && attemptLog[1].succeeded;
  });
  await page.getByText("Succeeded · 200").waitFor();
  await lookAt(page, "the delivery");
});

test("§13.9 a request that failed is found by its Request-Id, and by its error", async () => {
  const { page } = owner;
  const id = newRequestId(new Date());
  const request = { method: "POST", path: "/api/v1/payment-intents", status: 400, keyId: `key_test_${"0".repeat(36)}` };
  const error = { code: "invalid_request", param: "amount", message: "Expected digits." };
  const answer = { errorCode: error.code, body: '{"amount":"0"}', answer: JSON.stringify({ error }) };
  await insertRequests(staff.database, [aLoggedRequest({ businessId: other, id, ...request, ...answer })]);
  await page.goto(placeOf(other, "requests"));
  await page.getByLabel("Request-Id").fill(id);
  await button(page, "Find").click();
  await page.getByText('{"amount":"0"}').waitFor();
  await lookAt(page, "the request");
  await page.getByRole("link", { name: "invalid_request" }).click();
  await page.waitForURL("**/requests?error_code=invalid_request");
  await page.getByRole("link", { name: "POST /api/v1/payment-intents" }).waitFor();
  await lookAt(page, "the requests");
  await page.getByLabel("Result").selectOption("false");
  await button(page, "Apply").click();
  await page.getByText("No results").waitFor();
  await page.goto(placeOf(other, `requests/${newRequestId(new Date())}`));
  await page.getByText("No request with this Request-Id").waitFor();
});

test("§13.8 an endpoint is deleted after a question", async () => {
  const { page, complaints } = owner;
  await page.goto(placeOf(business, "webhooks"));
  await choose(page, "Delete");
  await page.getByRole("dialog", { name: "Delete endpoint?" }).waitFor();
  await button(page, "Delete").last().click();
  await page.getByText("No endpoints").waitFor();
  // The browser itself also logs the 404 of the unknown request.
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one) && !/status of 404/.test(one)),

    [],
  );
});
