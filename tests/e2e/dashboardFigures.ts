import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { StaffServer } from "../../server/process/testing/staffServer.ts";
import { sql } from "../../server/store/sql.ts";
import { DESKTOP, lookAt, PHONE, type Tab } from "./browser.ts";
import { isExpected } from "./dashboardPages.ts";
import { openSignedIn, openStaff } from "./dashboardWorld.ts";

/** The charts of webhooks in a real browser, from hours that are in the database. */
let staff: StaffServer;
let member: Tab;
let business: string;
let endpoints: readonly string[];
const EMAIL = "dev@figures.example";

before(async () => {
  staff = await openStaff();
  business = await staff.addBusiness("figures", { [await staff.addUser(EMAIL)]: "developer" });
  const api = await staff.signIn(EMAIL);
  const add = async (url: string) => (await api.post(`/businesses/${business}/test/endpoints`, { url })).json.id;
  endpoints = [await add("https://shop.example.com/"), await add("https://books.example.com/")];
  member = await openSignedIn(EMAIL);
});
after(() => member?.context.close());

const addHours = (endpoint: string, agoHours: number, attempts: number, succeeded: number) =>
  staff.database.rows(sql`
    insert into webhook_hours (business_id, endpoint_id, hour, attempts, succeeded, took_ms, took_ms_max, first_attempts, waited_ms)
    values (${business}, ${endpoint}, date_trunc('hour', now()) - make_interval(hours => ${agoHours}::integer),
      ${attempts}::integer, ${succeeded}::integer, ${attempts * 200}::bigint, 900, ${attempts}::integer, ${attempts * 40}::bigint)`);
const placeOf = (path: string) => `${staff.ctx.dashboardUrl}/${business}/test/${path}`;
const drawn = (tab: Tab) => tab.page.locator(".uplot canvas").nth(2).waitFor();
/** Returns true when the first chart has anything but background. */
const hasInk = (tab: Tab) =>
  tab.page.evaluate(`(() => {
    const canvas = document.querySelector(".uplot canvas");
    return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value !== 0);
  })()`);

test("§13.8.6 charts of one endpoint and of all show the hours of the span, and a table has each of them", async () => {
  const { page } = member;
  await page.goto(placeOf("webhooks"));
  await page.getByText("Nothing sent in the last 7 days").waitFor();
  const [shop, books] = endpoints as [string, string];
  await addHours(shop, 3, 10, 5);
  await addHours(shop, 2, 10, 10);
  await addHours(books, 2, 20, 20);
  await addHours(books, 100, 60, 60);
  await page.goto(placeOf("webhooks"));
  await drawn(member);
  assert.equal(await hasInk(member), true);
  await page.getByText("95 %").waitFor();
  await page.getByRole("button", { name: "24 hours" }).click();
  await page.waitForURL("**/webhooks?days=1");
  await page.getByText("87.5 %").waitFor();
  await page.goto(placeOf(`webhooks/${shop}?days=1`));
  await drawn(member);
  await page.getByText("75 %").waitFor();
  await page.getByText("View as table").click();
  const rows = page.getByRole("region", { name: "Attempts by the hour" }).locator("tbody tr");
  assert.deepEqual(
    (await rows.allInnerTexts()).map((text) => text.split("\t").slice(1).join(" ")),
    ["10 100 % 200 ms 900 ms 40 ms", "10 50 % 200 ms 900 ms 40 ms"],
  );
  const box = (await page.locator(".u-over").first().boundingBox())!;
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
  await page.getByText("in the hour of").first().waitFor();
});

test("§13.8.6 the span of charts ends by the service's clock, not by the device's", async () => {
  const { page, context } = await openSignedIn(EMAIL);
  await page.clock.setFixedTime(Date.now() + 40 * 86_400_000);
  await page.goto(placeOf("webhooks"));
  await page.getByText("95 %").waitFor();
  await context.close();
});

test("§13.8.6 charts are open to all on a screen and a phone, light and dark, and the page keeps its policy", async () => {
  // Hours of yesterday have dates in the table, which is then wider than a phone. The rate of all stays.
  await addHours(endpoints[0]!, 22, 2, 1);
  await addHours(endpoints[0]!, 21, 2, 2);
  await member.page.goto(placeOf(`webhooks/${endpoints[0]}?days=1`));
  await member.page.getByText("View as table").click();
  for (const colorScheme of ["dark", "light"] as const)
    for (const viewport of [DESKTOP, PHONE]) {
      await member.page.emulateMedia({ colorScheme });
      await member.page.setViewportSize(viewport);
      await drawn(member);
      assert.equal(await hasInk(member), true, "drawn again in the other colours");
    }
  await lookAt(member.page, "figures");
  assert.deepEqual(
    member.complaints.filter((one) => !isExpected(one)),
    [],
  );
  await member.page.setViewportSize(DESKTOP);
});

/** The pixels of the first chart that have the colour of its values. */
const colouredPixels = (tab: Tab) =>
  tab.page.evaluate<number>(`(() => {
    const canvas = document.querySelector(".uplot canvas");
    const spot = document.createElement("canvas").getContext("2d");
    spot.fillStyle = getComputedStyle(canvas).getPropertyValue("--accent");
    spot.fillRect(0, 0, 1, 1);
    const [red, green, blue] = spot.getImageData(0, 0, 1, 1).data;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4)
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255) count++;
    return count;
  })()`);

test("§13.8.6 a single hour is a bar that is seen, also where nothing succeeded", async () => {
  const api = await staff.signIn(EMAIL);
  const young = await api.post(`/businesses/${business}/test/endpoints`, { url: "https://young.example.com/" });
  await addHours(young.json.id, 0, 340, 0);
  for (const viewport of [DESKTOP, PHONE]) {
    await member.page.setViewportSize(viewport);
    await member.page.goto(placeOf(`webhooks/${young.json.id}`));
    await drawn(member);
    await member.page.getByText("0 %", { exact: true }).first().waitFor();
    const count = await colouredPixels(member);
    assert.ok(count >= 60, `${count} pixels at ${viewport.width}`);
  }
  await member.page.setViewportSize(DESKTOP);
});

test("§13.8.6 without the script that draws, the figures and the table are there; a failed read says so and is tried again", async () => {
  const { page } = member;
  await page.route(/uPlot/, (route) => route.abort());
  await page.goto(placeOf(`webhooks/${endpoints[0]}`));
  await page.getByText("The chart could not be loaded.").first().waitFor();
  await page.getByText("75 %").waitFor();
  await page.route(/\/hours\?/, (route) =>
    route.fulfill({ status: 400, json: { error: { code: "no", message: "Not now." } } }),
  );
  await page.goto(placeOf(`webhooks/${endpoints[0]}?days=30`));
  await page.getByText("Not now.").waitFor();
  await page.unroute(/\/hours\?/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("75 %").waitFor();
});

test("§13.8.3 the state has its times in the reader's zone; on a phone the filters are folded behind a button that counts them", async () => {
  const { page } = member;
  await staff.database.rows(sql`
    update webhook_endpoints set status = 'failing', disabled_at = '2026-11-20T08:30:00Z', abandoned_in_a_row = 5, times_failing = 1
    where id = ${endpoints[0]}`);
  await page.setViewportSize(PHONE);
  await page.goto(placeOf(`webhooks/${endpoints[0]}?status=abandoned&type=payment.protected`));
  const state = page.getByText("Failing since Nov 20, 2026, 8:30");
  await state.waitFor();
  assert.equal(await page.getByText(/\d{4}-\d\d-\d\dT/).count(), 0);
  assert.equal(await state.locator("time").getAttribute("datetime"), "2026-11-20T08:30:00.000Z");
  const field = page.getByLabel("Event type");
  await page.getByText("Filters (2)").waitFor();
  assert.equal(await field.isVisible(), false);
  await page.getByText("Filters (2)").click();
  await field.selectOption("");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByText("Filters (1)").waitFor();
  assert.equal(await field.isVisible(), false, "folded again, so that the list is seen");
});
