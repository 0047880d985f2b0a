import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Route } from "playwright-core";
import { recordPayment } from "../../server/features/overview/testing.ts";
import { insertIntent } from "../../server/features/staff/testing/objects.ts";
import type { StaffServer } from "../../server/process/testing/staffServer.ts";
import { lookAt, type Tab } from "./browser.ts";
import { openBlank, openRenderer, type Render, show } from "./dashboardRender.ts";
import { openSignedIn, openStaff } from "./dashboardWorld.ts";

/** Every page of a business while it reads, when it cannot, and once it can. */
let staff: StaffServer;
let blank: Tab;
let render: Render;
let business: string;
const EMAIL = "ada@states.example";
const REFUSAL = {
  status: 429,
  error: { code: "rate_limited", message: "Too many at once." },
  requestId: "req_1",
} as const;

before(async () => {
  staff = await openStaff();
  business = await staff.addBusiness("states", { [await staff.addUser(EMAIL)]: "owner" });
  blank = await openBlank();
  render = await openRenderer(await staff.signIn(EMAIL));
});
after(() => blank?.context.close());

/** Each page, and what it says of a new business. */
const PAGES = [
  ["", "No payments yet"],
  ["payments", "No payments"],
  ["intents", "No payment intents"],
  ["unmatched", "All money in the escrow pays one of your intents"],
  ["books", "No payments yet"],
  ["links", "No payment links"],
  ["keys", "No API keys"],
  ["webhooks", "No endpoints"],
  ["events", "No events"],
  ["requests", "No requests"],
  ["profile", "Buyers see it at the checkout"],
  ["recipients", "No recipients"],
  ["members", "ada (you)"],
  ["audit", "No entries"],
] as const;

async function checkStates(path: string, there: string): Promise<void> {
  const { page } = blank;
  const { loading, read } = await render(`/${business}/test/${path}`);
  const { read: failing } = await render(`/${business}/test/${path}`, REFUSAL);
  const name = `states-${path.split("/")[0]}`;
  await show(page, loading);
  await page.locator("#main h1").waitFor();
  await page.getByRole("status", { name: "Loading" }).first().waitFor();
  await lookAt(page, `${name}-loading`);
  await show(page, failing);
  const failed = page.getByRole("alert").filter({ hasText: "This could not be loaded" }).first();
  await failed.getByText("Too many at once.").waitFor();
  await failed.getByText("Request-Id: req_1").waitFor();
  await failed.getByRole("button", { name: "Try again" }).waitFor();
  await lookAt(page, `${name}-failing`);
  await show(page, read);
  await page.getByText(there).first().waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
  await lookAt(page, name);
}

test("every page of a business says that it reads, that it cannot, and what is there once it can", async () => {
  for (const [path, there] of PAGES) await checkStates(path, there);
  // A token that the chain has not shown: its amounts name its mint, here as wide as one can be.
  const asset = "W".repeat(43);
  const { intent } = await insertIntent(staff.database, { businessId: business, environment: "test" }, { asset });
  const payment = await recordPayment(staff.database, intent);
  await checkStates(`payments/${payment}`, "Where the money is");
  await checkStates(`intents/${intent.id}`, "Where the money is");
});

test("what could not be read is read again at a press", async () => {
  const { page, context } = await openSignedIn(EMAIL);
  const reads = `**/staff/v1/businesses/${business}/**`;
  const refuse = (route: Route) => route.fulfill({ status: REFUSAL.status, json: { error: REFUSAL.error } });
  const again = page.getByRole("button", { name: "Try again" });
  // A page that is read at once, and a list that goes on page by page. Neither reads again by itself.
  for (const [path, there] of [
    ["keys", "No API keys"],
    ["requests", "No requests"],
  ] as const) {
    await page.route(reads, refuse);
    await page.goto(`${staff.ctx.dashboardUrl}/${business}/test/${path}`);
    await again.first().waitFor();
    await page.unroute(reads);
    for (let left = await again.count(); left > 0; left--) {
      await again.nth(left - 1).click();
      await again.nth(left - 1).waitFor({ state: "detached" });
    }
    await page.getByText(there).first().waitFor();
  }
  await context.close();
});
