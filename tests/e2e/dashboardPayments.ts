import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { recordPayment } from "../../server/features/overview/testing.ts";
import {
  insertIntent,
  insertPayment,
  someAddress,
  someSignature,
} from "../../server/features/staff/testing/objects.ts";
import type { StaffServer } from "../../server/process/testing/staffServer.ts";
import { type Sql, sql } from "../../server/store/sql.ts";
import { eventually } from "../harness/wait.ts";
import { DESKTOP, lookAt, PHONE, type Tab } from "./browser.ts";
import { isExpected } from "./dashboardPages.ts";
import { EURC, openSignedIn, openStaff, USDC } from "./dashboardWorld.ts";

/** The lists of payments and intents, their filters, views and search, from rows that are in the database. */
let staff: StaffServer;
let reader: Tab;
let user: string;
const EMAIL = "reader@lists.example";
const LOOK_MS = 5_000;

before(async () => {
  staff = await openStaff();
  user = await staff.addUser(EMAIL);
  reader = await openSignedIn(EMAIL);
});
after(() => reader?.context.close());

async function newBusiness(name: string) {
  const businessId = await staff.addBusiness(`lists ${name}`, { [user]: "read_only" });
  return { businessId, place: (path: string) => `${staff.ctx.dashboardUrl}/${businessId}/test/${path}` };
}

interface Terms {
  readonly amount?: string;
  readonly asset?: string;
  readonly merchantReference: string;
}
/** A paid intent whose payment is as the changes say. */
async function addPayment(businessId: string, terms: Terms, changes: Sql = sql`finalized = true`) {
  const tenant = { businessId, environment: "test" } as const;
  const { intent } = await insertIntent(staff.database, tenant, { amount: "48000000", asset: USDC, ...terms });
  const payment = await insertPayment(staff.database, intent, someSignature());
  await staff.database.rows(sql`update payments set ${changes} where address = ${payment}`);
  await staff.database.rows(
    sql`update intents set status = 'paid', holds_reference = false, payment_address = ${payment} where id = ${intent.id}`,
  );
  return { intent: intent.id, payment };
}

const FULL: readonly (readonly [Terms, Sql])[] = [
  [
    { merchantReference: "Order 1026", amount: "27500000" },
    sql`status = 'released', outcome = 'settled', settled_at = now() - interval '2 days', amount_released = amount,
      created_at = now() - interval '9 days', protection_deadline = now() - interval '2 days'`,
  ],
  [
    { merchantReference: "Order 1027", amount: "12000000" },
    sql`status = 'refunded', outcome = 'refunded_by_recipient', refunded_at = now(), amount_refunded = amount, refund_total = amount`,
  ],
  [
    { merchantReference: "Order 1029, a reference that is much longer than the others are", amount: "61000000" },
    sql`status = 'disputed', disputed_at = now() - interval '1 day'`,
  ],
  [
    { merchantReference: "Order 1031", amount: "35200000", asset: EURC },
    sql`status = 'disputed', disputed_at = now(), outcome = 'resolved', refund_total = 5000000`,
  ],
  [{ merchantReference: "Order 1034", amount: "104000000" }, sql`protection_deadline = now() - interval '1 minute'`],
  [{ merchantReference: "Order 1035", amount: "19900000" }, sql`role = 'duplicate'`],
  [{ merchantReference: "Order 1036", amount: "40000000" }, sql`late_reason = 'paid_after_expiry'`],
  [
    { merchantReference: "Order 1038", amount: "86000000" },
    sql`amount_refunded = 36000000, refund_total = 36000000, refunded_at = now()`,
  ],
  [{ merchantReference: "Order 1040", amount: "5000000", asset: someAddress() }, sql`finalized = true`],
  [
    { merchantReference: "Order 1041" },
    sql`created_at = now() - interval '4 days', protection_deadline = now() + interval '3 days'`,
  ],
];
async function fill(name: string) {
  const business = await newBusiness(name);
  for (const [terms, changes] of FULL) await addPayment(business.businessId, terms, changes);
  return business;
}

/** The columns of a payment that a second one of its intent has, too. */
const COPIED = sql`business_id, environment, intent_id, generation, status, sender, recipient, amount, asset, protection_period,
  merchant_reference, created_at, protection_deadline, checked_at, observed_slot, finalized, refund_total, amount_refunded,
  amount_released, arbiter, receipt_key`;

const rowsOf = (page: Page) => page.locator("tbody tr");
/** The address changes before the rows do. */
const hasRows = (page: Page, count: number) =>
  eventually(`the list has ${count} rows`, async () => (await rowsOf(page).count()) === count);
const view = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Views" }).getByRole("link", { name, exact: true });

test("§13.10.7 payments are a list of amounts, states and the rest of their periods, two lines a row on a phone", async () => {
  const { place } = await fill("full");
  const { page, complaints } = reader;
  await page.goto(place("payments"));
  await rowsOf(page)
    .nth(FULL.length - 1)
    .waitFor();
  await page.getByText("19.90 USDC").waitFor();
  const states = await rowsOf(page).locator("td:nth-child(2) > span > span:first-child").allTextContents();
  assert.deepEqual(states, [
    "Protected",
    "Protected",
    "Protected in part",
    "Paid late",
    "Paid twice",
    "Protected",
    "Decided",
    "Disputed",
    "Refunded",
    "Released",
  ]);
  assert.match((await rowsOf(page).nth(0).textContent())!, /2 d 23 h/);
  assert.match((await rowsOf(page).nth(5).textContent())!, /Due now/);
  assert.match((await rowsOf(page).nth(7).textContent())!, /At most 88 d 23 h/);
  await lookAt(page, "payments");
  // No column is beyond the edge of the table.
  for (const width of [1280, 1360, PHONE.width]) {
    await page.setViewportSize({ width, height: 900 });
    const table = "document.querySelector('table').parentElement";
    assert.equal(await page.evaluate(`${table}.scrollWidth - ${table}.clientWidth`), 0, String(width));
  }
  await page.setViewportSize(PHONE);
  const heights = (await page.evaluate(
    "[...document.querySelectorAll('tbody tr')].map((row) => row.offsetHeight)",
  )) as number[];
  assert.ok(Math.max(...heights) < 70, String(heights));
  await page.setViewportSize(DESKTOP);
  await page.goto(place("intents"));
  await rowsOf(page)
    .nth(FULL.length - 1)
    .waitFor();
  await lookAt(page, "intents");
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one)),
    [],
  );
});

test("§13.10.7 filters and views are in the address, and lead to their rows by keyboard alone", async () => {
  const { place } = await fill("filters");
  const { page } = reader;
  await page.goto(place("payments"));
  await rowsOf(page)
    .nth(FULL.length - 1)
    .waitFor();
  await view(page, "Disputed").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\?status=disputed$/);
  await hasRows(page, 2);
  assert.equal(await view(page, "Disputed").getAttribute("aria-current"), "page");
  assert.equal(await view(page, "All").getAttribute("aria-current"), null);

  await view(page, "All").click();
  await page.getByText("Filters", { exact: true }).click();
  await page.getByLabel("Token").selectOption({ label: "EURC" });
  await page.getByRole("button", { name: "Apply" }).click();
  await page.waitForURL(new RegExp(`asset=${EURC}`));
  await hasRows(page, 1);
  await page.getByText("35.20 EURC").waitFor();

  await page.goto(place("payments?amount_min=48&amount_max=61"));
  await page.getByText("48.00 USDC").waitFor();
  assert.equal(await rowsOf(page).count(), 2);
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByLabel("Name").fill("Around fifty");
  await page.keyboard.press("Enter");
  await view(page, "Around fifty").waitFor();
  await view(page, "Released").click();
  await page.getByText("27.50 USDC").waitFor();
  await page.reload();
  await view(page, "Around fifty").click();
  await page.waitForURL(/amount_min=48&amount_max=61/);
  await page.getByText("61.00 USDC").waitFor();
  await page.getByRole("button", { name: "Remove view" }).click();
  await view(page, "Around fifty").waitFor({ state: "detached" });

  // A day is its first moment in the reader's zone.
  await page.goto(place("payments?status=released"));
  await page.getByLabel("Created before").fill("2026-01-02");
  await page.keyboard.press("Enter");
  await page.waitForURL(/created_before=2026-01-02T00%3A00%3A00\.000Z/);
  await page.getByText("No results", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Payments that match no order" }).waitFor();

  await page.goto(place("payments?sender=nobody"));
  await page.getByText("Expected an address on chain").waitFor();
  await page.goto(place(`payments?sender=${someAddress()}`));
  await page.getByText("No results", { exact: true }).waitFor();
});

test("§13.10.14 an intent's page has its payments, who is due what, its receipt, and its checkout page until it is paid", async () => {
  const { businessId, place } = await newBusiness("intent");
  const { page } = reader;
  const { intent, payment } = await addPayment(businessId, { merchantReference: "Order 1041" });
  await staff.database.rows(sql`
    insert into payments (address, recorded_sequence, role, ${COPIED})
    select ${someAddress()}, recorded_sequence + 1, 'duplicate', ${COPIED} from payments where address = ${payment}`);
  await page.goto(place(`intents/${intent}`));
  const money = page.getByRole("table", { name: "Where the money is" });
  await money.getByText("48.00").first().waitFor();
  const payments = page.getByRole("table", { name: "Payments" });
  await payments.getByText("Paid twice").waitFor();
  assert.equal(await payments.getByRole("row").count(), 3);
  assert.match(
    String(await page.getByRole("link", { name: "View receipt" }).getAttribute("href")),
    new RegExp(`/pay/p/${payment}\\?key=`),
  );
  assert.equal(await page.getByText("Checkout page").count(), 0);
  await lookAt(page, "intent-paid");
  await payments.getByRole("link", { name: "48.00 USDC" }).last().click();
  await page.waitForURL(new RegExp(`/payments/${payment}$`));

  const open = await insertIntent(staff.database, { businessId, environment: "test" }, { asset: USDC });
  await page.goto(place(`intents/${open.intent.id}`));
  await page.getByText("No payments", { exact: true }).waitFor();
  await page.locator("[data-copy='Checkout page']").getByText(`/pay/i/${open.intent.id}`).waitFor();
  assert.equal(await money.count(), 0);
  await lookAt(page, "intent-open");
});

test("§13.10.15 payments that match no order are a list of what differs, and lead to their pages", async () => {
  const { businessId, place } = await newBusiness("unmatched");
  const { page } = reader;
  await page.goto(place("payments"));
  await page.getByRole("link", { name: "Payments that match no order" }).click();
  await page.getByText(/^All money in the escrow pays one of your intents\./).waitFor();
  const tenant = { businessId, environment: "test" } as const;
  const { intent } = await insertIntent(staff.database, tenant, { asset: USDC, amount: "48000000" });
  const underpaid = await recordPayment(staff.database, intent, { amount: "40000000" });
  await recordPayment(staff.database, { ...intent, protectionPeriod: "sevenDays" }, { recipient: someAddress() });
  await page.reload();
  await page.getByText("40.00 USDC").waitFor();
  const cells = await rowsOf(page).locator("td:nth-child(2)").allTextContents();
  assert.deepEqual(cells, ["Amount", "Recipient, Protection period"]);
  await lookAt(page, "unmatched");
  await page.getByRole("link", { name: "40.00 USDC" }).click();
  await page.waitForURL(new RegExp(`/payments/${underpaid}$`));
  await page.getByText("Matches no order").first().waitFor();
});

test("§13.13.5 a search leads to the one payment, to the list of several, and says when there is none", async () => {
  const { businessId, place } = await fill("search");
  const { page } = reader;
  const { payment, intent } = await addPayment(businessId, { merchantReference: "Unique 7", amount: "7250000" });
  const { sender, signature } = (await staff.database.row<{ sender: string; signature: string }>(
    sql`select sender, signature from payments where address = ${payment}`,
  ))!;
  const search = async (text: string, url: RegExp) => {
    await page.goto(place("payments"));
    await page.getByLabel("Order, amount, wallet").fill(text);
    await page.keyboard.press("Enter");
    await page.waitForURL(url);
  };
  const ofPayment = new RegExp(`/payments/${payment}$`);
  await search("Uniq", ofPayment);
  await search("7,25 USDC", ofPayment);
  await search(payment, ofPayment);
  await search("Unique 7", new RegExp(`/intents/${intent}$`));
  await search(sender, new RegExp(`sender=${sender}`));
  await search(signature, new RegExp(`/transactions/${signature}$`));
  await search("Order 10", /reference_prefix=Order\+10/);
  await rowsOf(page)
    .nth(FULL.length - 1)
    .waitFor();
  await insertIntent(staff.database, { businessId, environment: "test" }, { merchantReference: "open-1" });
  await search("open-", /\/intents\/pi_test_/);
  await search("que 7", ofPayment);

  await page.goto(place("intents"));
  await page.getByLabel("Order, amount, wallet").fill("nothing like it");
  await page.keyboard.press("Enter");
  await page.getByText("No results", { exact: true }).waitFor();
  await lookAt(page, "nothing-found");
  await page.getByRole("button", { name: "Show all" }).click();
  await rowsOf(page).first().waitFor();
});

test("§13.10.8 a rare match far down is found by reading on, and the page says where it stopped", async () => {
  const { businessId, place } = await newBusiness("far");
  const tenant = { businessId, environment: "test" } as const;
  await insertIntent(staff.database, tenant, { amount: "7770000", asset: USDC, merchantReference: "rare" });
  for (let n = 0; n < 120; n++) await insertIntent(staff.database, tenant, { asset: USDC });
  const { page } = reader;
  await page.goto(place("intents?amount_min=7.77&amount_max=7.77"));
  await page.getByText("7.77 USDC").waitFor();
  assert.equal(await rowsOf(page).count(), 1);
  // 1,100 more intents: ten pages do not reach it.
  await staff.database.rows(sql`
    insert into intents (business_id, id, environment, status, holds_reference, recipient, amount, asset, protection_period,
      merchant_reference, metadata, payment_id, created_at, expires_at, last_occurred_at, list_position)
    select i.business_id, 'pi_test_' || lpad(to_hex(n), 36, '0'), i.environment, i.status, false, i.recipient, i.amount, i.asset, i.protection_period,
      i.merchant_reference || n, i.metadata, i.payment_id / 2 + n, i.created_at, i.expires_at, i.last_occurred_at, i.list_position + n
    from (select * from intents where business_id = ${businessId} order by list_position desc limit 1) i, generate_series(1, 1100) n`);
  await page.reload();
  await page.getByText("No results yet").waitFor();
  await lookAt(page, "not-yet");
  const older = page.getByRole("button", { name: "Search older entries" });
  // A read that fails meanwhile leaves the button there for another press.
  await eventually("the match is found", async () => {
    // It may vanish under the press.
    if (await older.isVisible()) await older.click({ timeout: 2_000 }).catch(() => undefined);
    return page.getByText("7.77 USDC").isVisible();
  });
});

test("§13.14.1 the lists fill and follow, and say when they are empty, loading or failing", async () => {
  const { businessId, place } = await newBusiness("live");
  const { page, context } = await openSignedIn(EMAIL);
  await page.clock.install();
  await page.goto(place("payments"));
  await page.getByText("No payments", { exact: true }).waitFor();
  const { payment } = await addPayment(businessId, { merchantReference: "first" });
  await page.clock.runFor(LOOK_MS);
  await rowsOf(page).getByText("Protected").waitFor();
  await staff.database.rows(
    sql`update payments set status = 'disputed', disputed_at = now() where address = ${payment}`,
  );
  await addPayment(businessId, { merchantReference: "second" });
  await page.clock.runFor(LOOK_MS);
  await page.getByRole("button", { name: "1 new" }).waitFor();
  await rowsOf(page).getByText("Disputed").waitFor();
  await page.getByRole("button", { name: "1 new" }).click();
  await rowsOf(page).nth(1).waitFor();

  const isList = /\/payments\?|\/payments$/;
  await page.route(isList, (route) => (route.request().url().includes("/staff/v1/") ? undefined : route.continue()));
  await page.goto(place("payments"));
  await page.getByRole("heading", { name: "Payments" }).waitFor();
  await page.clock.runFor(1_000);
  await page.getByRole("status", { name: "Loading" }).waitFor();
  await page.unroute(isList);
  await page.route(isList, (route) =>
    route.request().url().includes("/staff/v1/") ? route.fulfill({ status: 503, body: "{}" }) : route.continue(),
  );
  await page.goto(place("payments"));
  await page.clock.runFor(20_000);
  await page.getByRole("alert").waitFor();
  await page.unroute(isList);
  await page.getByRole("button", { name: "Try again" }).click();
  await rowsOf(page).nth(1).waitFor();
  await context.close();
});
