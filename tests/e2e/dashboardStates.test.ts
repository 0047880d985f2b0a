import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { recordPayment } from "../../server/features/overview/testing.ts";
import { insertIntent } from "../../server/features/staff/testing/objects.ts";
import { PASSWORD, type StaffServer, startStaffServer } from "../../server/process/testing/staffServer.ts";
import { DESKTOP, findBarriers, PHONE, TestBrowser } from "./browser.ts";
import { signIn } from "./dashboardPages.ts";

let staff: StaffServer;
let browser: TestBrowser;
before(async () => {
  [staff, browser] = await Promise.all([startStaffServer({ pages: true }), TestBrowser.launch()]);
});
after(async () => {
  await browser?.close();
  await staff?.[Symbol.asyncDispose]();
});

const EMAIL = "ada@shop.example";

/** Each page of money, and what it says of a new business. */
const MONEY = [
  ["", "No payments yet"],
  ["payments", "No payments"],
  ["intents", "No payment intents"],
  ["unmatched", "All money in the escrow pays one of your intents"],
  ["books", "No payments yet"],
  ["links", "No payment links"],
] as const;
const OTHERS = [
  ["keys", "No API keys"],
  ["webhooks", "No endpoints"],
  ["events", "No events"],
  ["requests", "No requests"],
  ["profile", "Buyers see it at the checkout"],
  ["recipients", "No recipients"],
  ["members", "ada (you)"],
  ["audit", "No entries"],
] as const;

const STYLES = { phone: [PHONE, "dark"], desktop: [DESKTOP, "light"] } as const;

async function lookAtStates(
  business: string,
  style: keyof typeof STYLES,
  pages: readonly (readonly [path: string, there: string])[],
): Promise<void> {
  const [viewport, colorScheme] = STYLES[style];
  const { page, context } = await browser.open({ viewport, colorScheme });
  await signIn(page, staff.deps.dashboardUrl, { email: EMAIL, password: PASSWORD }, `/${business}/test/keys`);
  for (const [path, there] of pages) {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    // Requests below the business. The frame reads the business itself.
    const reads = `**/staff/v1/businesses/${business}/**`;
    const body = JSON.stringify({ error: { code: "rate_limited", message: "Too many at once." } });
    await page.route(reads, async (route) => {
      await held;
      await route.fulfill({ status: 429, contentType: "application/json", headers: { "request-id": "req_1" }, body });
    });
    await page.goto(`${staff.deps.dashboardUrl}/${business}/test/${path}`);
    await page.locator("#main h1").waitFor();
    await page.getByRole("status", { name: "Loading" }).first().waitFor();
    assert.deepEqual(await findBarriers(page), [], `${path} that reads`);
    release();
    const failed = page.getByRole("alert").filter({ hasText: "This could not be loaded" }).first();
    await failed.getByText("Too many at once.").waitFor();
    await failed.getByText("Request-Id: req_1").waitFor();
    assert.deepEqual(await findBarriers(page), [], `${path} that could not be read`);
    await page.unroute(reads);
    const again = page.getByRole("button", { name: "Try again" });
    for (let left = await again.count(); left > 0; left--) {
      await again.nth(left - 1).click();
      await again.nth(left - 1).waitFor({ state: "detached" });
    }
    await page.getByText(there).first().waitFor();
    assert.deepEqual(await findBarriers(page), [], `${path} once it can`);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), viewport.width, `${path} is too wide`);
  }
  await context.close();
}

test("every page of a business says that it reads, that it cannot, and what is there once it can", async () => {
  const user = await staff.addUser(EMAIL);
  const business = await staff.addBusiness("shop", { [user]: "owner" });
  await lookAtStates(business, "phone", [...MONEY, ...OTHERS]);
  await lookAtStates(business, "desktop", MONEY);
  // A token that the chain has not shown: its amounts name its mint, here as wide as one can be.
  const asset = "W".repeat(43);
  const { intent } = await insertIntent(staff.database, { businessId: business, environment: "test" }, { asset });
  const payment = await recordPayment(staff.database, intent);
  const objects = [
    [`payments/${payment}`, "Where the money is"],
    [`intents/${intent.id}`, "Where the money is"],
  ] as const;
  await lookAtStates(business, "phone", objects);
  await lookAtStates(business, "desktop", objects);
});
