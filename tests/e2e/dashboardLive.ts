import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Tenant } from "../../server/domain/callers.ts";
import { draftEvent } from "../../server/features/events/event.ts";
import { aLoggedRequest } from "../../server/features/requests/fixtures.ts";
import { insertRequests } from "../../server/features/requests/queries.ts";
import { insertIntent } from "../../server/features/staff/testing/objects.ts";
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

/** Pages that follow what happens, on the real staff API and a real worker, without a chain. */
let staff: StaffServer;
let receiver: Receiver;
let worker: Worker;
let reader: Tab;
let user: string;
const EMAIL = "live@shop.example";
before(async () => {
  [staff, receiver] = await Promise.all([
    openStaff(),
    startReceiver(testAuthority().issue([HOST]), (_request, response) => void response.writeHead(200).end()),
  ]);
  const hosts = new Map([[HOST, { address: "127.0.0.1", port: receiver.port }]]);
  worker = startTestWorker(staff, staff.ring, hosts);
  user = await staff.addUser(EMAIL);
  reader = await openSignedIn(EMAIL);
  // Timers of the page can be run ahead; until then its clock goes as any other.
  await reader.page.clock.install();
});
after(async () => {
  await reader?.context.close();
  await worker?.stop();
  await receiver?.[Symbol.asyncDispose]();
  // No worker of another suite sends what is left.
  await staff?.database.rows(sql`delete from webhook_queue`);
});

/** A business of its own for a test. */
async function newTenant(name: string): Promise<Tenant & { readonly place: (path: string) => string }> {
  const businessId = await staff.addBusiness(`live ${name}`, { [user]: "developer" });
  return { businessId, environment: "test", place: (path) => `${staff.ctx.dashboardUrl}/${businessId}/test/${path}` };
}

/** The time between two reads for new rows. */
const LOOK_MS = 5_000;
const rowsOf = (page: Page) => page.locator("tbody tr");
const pill = (page: Page, text: string) => page.getByRole("button", { name: text, exact: true });

test("§13.14.1 new rows are counted above a list, and nothing moves until the reader asks", async () => {
  const tenant = await newTenant("list");
  for (let count = 0; count < 30; count++) await insertIntent(staff.database, tenant);
  const { page } = reader;
  await page.goto(tenant.place("events"));
  await rowsOf(page).nth(19).waitFor();
  const link = rowsOf(page).nth(15).getByRole("link").first();
  await link.scrollIntoViewIfNeeded();
  await link.focus();
  const where = () =>
    link.evaluate("(one) => [one.getBoundingClientRect().top, document.activeElement === one, scrollY]");
  const before = await where();
  const texts = await rowsOf(page).allTextContents();

  for (let count = 0; count < 3; count++) await insertIntent(staff.database, tenant);
  await page.clock.runFor(LOOK_MS);
  await pill(page, "3 new").waitFor();
  assert.deepEqual(await where(), before, "place, focus and scroll");
  assert.deepEqual(await rowsOf(page).allTextContents(), texts);
  await page.getByRole("status").getByText("New rows are available.").waitFor();
  await lookAt(page, "list-with-new-rows");
  await pill(page, "3 new").click();
  await pill(page, "3 new").waitFor({ state: "detached" });
  assert.deepEqual((await rowsOf(page).allTextContents()).slice(3, 23), texts);
  assert.equal(await page.evaluate("document.activeElement.contains(document.querySelector('table'))"), true);
  // Older rows follow behind them, each once.
  assert.equal(new Set(await rowsOf(page).allTextContents()).size, 33);
});

test("§13.14.1 an empty list fills by itself", async () => {
  const tenant = await newTenant("empty");
  const { page } = reader;
  await page.goto(tenant.place("requests"));
  await page.getByText("No requests").waitFor();
  const { businessId, environment } = tenant;
  await insertRequests(staff.database, [aLoggedRequest({ businessId, environment })]);
  await page.clock.runFor(LOOK_MS);
  await page.getByRole("link", { name: "GET /api/v1/me" }).waitFor();
});

test("§13.14.2 states change in their places, and a row that the filter has no more says so", async () => {
  const tenant = await newTenant("states");
  const api = await staff.signIn(EMAIL);
  const path = `/businesses/${tenant.businessId}/test/endpoints`;
  const endpoint = (await api.post(path, { url: `https://${HOST}/hooks` })).json.id;
  await api.post(`${path}/${endpoint}/disable`, {});
  await insertIntent(staff.database, tenant);
  const { page } = reader;
  await page.goto(tenant.place(`webhooks/${endpoint}?status=pending`));
  await rowsOf(page).getByText("Pending").waitFor();
  const all = await reader.context.newPage();
  await all.clock.install();
  await all.goto(tenant.place(`webhooks/${endpoint}`));
  await rowsOf(all).getByText("Pending").waitFor();
  await api.post(`${path}/${endpoint}/enable`, {});
  worker.wake([tenant.businessId]);
  await eventually("the delivery has succeeded", async () => {
    const [one] = (await api.get(`${path}/${endpoint}/deliveries`)).json.data;
    return one?.status === "succeeded";
  });
  await all.clock.runFor(LOOK_MS);
  await rowsOf(all).getByText("Succeeded").waitFor();
  await page.clock.runFor(LOOK_MS);
  await rowsOf(page).getByText("Changed").waitFor();
  await all.close();
});

test("§13.14.3 nobody is asked while the page is hidden or left alone; the first look after it is at once", async () => {
  const tenant = await newTenant("hidden");
  await insertIntent(staff.database, tenant);
  const { page } = reader;
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/staff/v1/")) asked.push(request.url());
  });
  await page.goto(tenant.place("events"));
  await rowsOf(page).first().waitFor();
  const show = (state: "hidden" | "visible") =>
    page.evaluate(`
      Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));`);
  const followed = async (count: number) => {
    await insertIntent(staff.database, tenant);
    await pill(page, `${count} new`).waitFor();
  };
  await show("hidden");
  await page.clock.runFor(LOOK_MS);
  asked.length = 0;
  await page.clock.runFor(20 * LOOK_MS);
  assert.deepEqual(asked, [], "hidden");
  await insertIntent(staff.database, tenant);
  await show("visible");
  await pill(page, "1 new").waitFor();

  await page.clock.runFor(605_000);
  asked.length = 0;
  await page.clock.runFor(20 * LOOK_MS);
  assert.deepEqual(asked, [], "left alone");
  await insertIntent(staff.database, tenant);
  await page.mouse.click(5, 400);
  await pill(page, "2 new").waitFor();
  const next = page.clock.runFor(LOOK_MS);
  await followed(3);
  await next;
});

test("§13.14.2 an intent's page follows it, and says what happened to those who hear it", async () => {
  const tenant = await newTenant("object");
  const { intent } = await insertIntent(staff.database, tenant);
  const { page, complaints } = reader;
  await page.goto(tenant.place(`intents/${intent.id}`));
  await page.getByText("The intent was created.").waitFor();
  await page.getByRole("heading", { name: "Requests", exact: true }).waitFor();
  // §13.10.4: a token that the chain has not shown.
  await page.getByText(`5,000,000 smallest units of ${intent.asset}`).waitFor();
  const expired = {
    type: "payment_intent.expired",
    objectId: intent.id,
    generation: 1,
    transition: "expired",
    intentId: intent.id,
    paymentAddress: null,
    occurredAt: new Date(),
    object: { object: '"payment_intent"', id: `"${intent.id}"` },
    before: null,
  } as const;
  const draft = draftEvent(tenant, expired, new Date());
  await staff.database.rows(sql`with ${recordEvents([draft])} select sequence from recorded_events`);
  await page.clock.runFor(LOOK_MS);
  await page.getByRole("status").getByText("New: The intent expired unpaid.").waitFor();
  await page.getByRole("listitem").getByText("The intent expired unpaid.").waitFor();
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one)),
    [],
  );
});
