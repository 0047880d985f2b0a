import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { recordPayment } from "../../server/features/overview/testing.ts";
import { valueEntries } from "../../server/features/rates/value.ts";
import { insertIntent } from "../../server/features/staff/testing/objects.ts";
import type { StaffServer } from "../../server/process/testing/staffServer.ts";
import { sql } from "../../server/store/sql.ts";
import { eventually } from "../harness/wait.ts";
import { findBarriers, lookAt, type Tab } from "./browser.ts";
import { isExpected } from "./dashboardPages.ts";
import { EURC, openSignedIn, openStaff, USDC } from "./dashboardWorld.ts";

/** The first page of a business, on the real staff API, from payments that were recorded as the sweep records them. */
let staff: StaffServer;
let reader: Tab;
let user: string;
const EMAIL = "reader@home.example";
const DAY_MS = 86_400_000;

before(async () => {
  staff = await openStaff();
  user = await staff.addUser(EMAIL, { isOperator: true });
  reader = await openSignedIn(EMAIL);
  // Timers of the page can be run ahead; until then its clock goes as any other.
  await reader.page.clock.install();
});
after(() => reader?.context.close());

async function newShop(name: string) {
  const businessId = await staff.addBusiness(`home ${name}`, { [user]: "owner" });
  const pay = async (amount: number, reference: string, changes = {}, asset = USDC) => {
    const terms = { asset, amount: String(amount * 1_000_000), merchantReference: reference } as const;
    const made = await insertIntent(
      staff.database,
      { businessId, environment: "test" },
      { ...terms, protectionPeriod: "sevenDays" },
    );
    return { intent: made.intent, payment: await recordPayment(staff.database, made.intent, changes) };
  };
  return { businessId, pay, url: `${staff.ctx.dashboardUrl}/${businessId}/test` };
}

/** All days count from this moment, so that no midnight is between two of them. */
const STARTED_MS = Date.now();
const daysAgo = (days: number) => new Date(Math.floor((STARTED_MS - days * DAY_MS) / 1_000) * 1_000);

/** Payments of twelve weeks, of which those of the last seven days are in the escrow. */
async function fill({ businessId, pay }: Awaited<ReturnType<typeof newShop>>): Promise<void> {
  for (let days = 160; days > 7; days -= 3)
    await pay(20 + ((days * 7) % 90), `old ${days}`, {
      createdAt: daysAgo(days),
      status: "released",
      outcome: "settled",
      amountReleased: String((20 + ((days * 7) % 90)) * 1_000_000),
      settledAt: daysAgo(days - 7),
    });
  for (let days = 6; days >= 0; days--)
    await pay(48 + 31 * ((days * 5) % 7), `new ${days}`, { createdAt: daysAgo(days) });
  await pay(310, "euro", { createdAt: daysAgo(4) }, EURC);
  await pay(61, "Order 1029", { createdAt: daysAgo(3), status: "disputed", disputedAt: daysAgo(1) });
  const { intent } = await pay(20, "Order 1035", { createdAt: daysAgo(6) });
  await recordPayment(staff.database, intent, { createdAt: daysAgo(5.5) });
  const other = await insertIntent(
    staff.database,
    { businessId, environment: "test" },
    { asset: USDC, amount: "48000000", protectionPeriod: "sevenDays" },
  );
  await recordPayment(staff.database, other.intent, { amount: "40000000" });
  await staff.database.rows(sql`
    insert into webhook_endpoints (business_id, id, environment, slot, url, api_version, secret, created_at, failing_since, last_error)
    values (${businessId}, ${`we_test_0000${businessId.slice(4)}`}, 'test', 1, 'https://shop.fernweh.example/hooks', '2026-01-01', 'v1.none', now(), ${daysAgo(1)}, 'the connection was refused')`);
}

test("§13.17 Home says what needs a person and where the money is, on a phone too, without barriers", async () => {
  const shop = await newShop("full");
  await fill(shop);
  // A loop opens the dispute; until then Home leads to the payment.
  await eventually("the payment has its dispute", async () => {
    const found = await staff.database.rows(sql`select from disputes where business_id = ${shop.businessId}`);
    return found.length > 0;
  });
  const { page, complaints } = reader;
  await page.goto(shop.url);
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  await page.getByRole("list", { name: "Needs you now" }).waitFor();
  await page.getByText("5 things need you now.").waitFor();
  const titles = await page.getByRole("list", { name: "Needs you now" }).getByRole("heading").allTextContents();
  assert.deepEqual(titles, [
    "The keeper's wallet is low",
    "Order 1035 was paid twice",
    "Order 1029 is in dispute",
    "40.00 USDC match no order",
    "Your webhook fails",
  ]);
  assert.equal(await page.getByRole("button", { name: "New payment" }).count(), 1);
  const money = page.getByRole("region", { name: "Money" });
  // 7 payments of the last days, the two of Order 1035, and the one in dispute.
  await money.getByText("1,088.00 USDC").first().waitFor();
  await page.getByText("Show releases as a table").click();
  assert.equal(await page.getByRole("region", { name: "Releases of the next 30 days" }).locator("tbody tr").count(), 7);
  await page.locator(".uplot").nth(1).waitFor();
  await lookAt(page, "home");
  await page.getByRole("link", { name: "Open: Order 1029 is in dispute" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "What both sides said" }).waitFor();
  await page.goBack();
  await page.getByRole("group", { name: "Token" }).getByRole("button", { name: "EURC" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("310.00 EURC").first().waitFor();
  assert.equal(new URL(page.url()).searchParams.get("token"), EURC);
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one)),
    [],
  );
});

test("§13.17 Home follows what happens, and keeps its figures while the service cannot be reached", async () => {
  const shop = await newShop("follows");
  const { page } = reader;
  await page.goto(shop.url);
  await page.getByText("No payments yet").waitFor();
  assert.equal(await page.getByRole("link", { name: "Home" }).getAttribute("aria-current"), "page");
  await shop.pay(24.5, "first");
  await page.clock.runFor(15_000);
  await page.getByRole("region", { name: "Money" }).getByText("24.50 USDC").first().waitFor();
  const reads = "**/overview";
  await page.route(reads, (route) => route.fulfill({ status: 503, contentType: "application/json", body: "{}" }));
  await page.clock.runFor(60_000);
  await page.getByText("may be out of date").waitFor();
  assert.equal(await page.getByRole("region", { name: "Money" }).getByText("24.50 USDC").first().isVisible(), true);
  await page.unroute(reads);
  await page.clock.runFor(15_000);
  await page.getByText("may be out of date").waitFor({ state: "detached" });
});

/** The result of a check of the shop's books, as the worker keeps it: one vault has dust, and with `short` another lacks an amount. */
async function keepCheck({ businessId }: Awaited<ReturnType<typeof newShop>>, open: string, short: string | null) {
  const { database } = staff;
  const ofTenant = sql`business_id = ${businessId}`;
  for (const statement of [
    sql`delete from books_findings where ${ofTenant}`,
    sql`delete from books_assets where ${ofTenant}`,
    sql`insert into books_checks (business_id, environment, began_at, checked_at, differences)
      values (${businessId}, 'test', now(), now(), ${short === null ? 0 : 1}::integer)
      on conflict (business_id, environment) do update set differences = excluded.differences, asked_at = null`,
    sql`insert into books_assets select business_id, 'test', asset, due_payments, due, due + 7 - ${short === null ? 0 : 12_000_000}::integer,
        7, 1, 381204970, 381204977
      from payment_days where ${ofTenant} and day = 'infinity' and due > 0`,
    sql`insert into books_findings values (${businessId}, 'test', ${USDC}, ${open}, 'gift', 7, null, 381204975, now())`,
  ])
    await database.rows(statement);
  if (short !== null)
    await database.rows(
      sql`insert into books_findings values (${businessId}, 'test', ${USDC}, ${short}, 'vault_short', 12000000, null, 381204975, now())`,
    );
}

test("§13.19 Books say what came in and if the chain agrees, by period, on a phone too, without barriers", async () => {
  const shop = await newShop("books");
  const { page, complaints } = reader;
  const earlier = complaints.length;
  await page.goto(`${shop.url}/books`);
  await page.getByText("No payments yet").waitFor();
  assert.deepEqual(await findBarriers(page), []);
  // The payments of one day have a value, the one from before does not.
  const createdAt = daysAgo(0);
  const today = createdAt.toISOString().slice(0, 10);
  const currency = (code: string | null) =>
    staff.database.rows(sql`update businesses set reporting_currency = ${code}::text where id = ${shop.businessId}`);
  await currency("USD");
  const { payment: open } = await shop.pay(24.5, "Order 1041", { createdAt });
  const { payment: short } = await shop.pay(48, "Order 1042", { createdAt });
  const settledAt = daysAgo(40);
  const end = { status: "released", outcome: "settled", amountReleased: "61000000", settledAt } as const;
  await currency(null);
  await shop.pay(61, "Order 1002", { createdAt: daysAgo(47), ...end });
  await currency("USD");
  await valueEntries(staff.database, new Map([[USDC, { currency: "USD", promise: null }]]));
  await page.clock.runFor(15_000);
  await page.getByText("Not checked yet").first().waitFor();
  await keepCheck(shop, open, null);
  await page.clock.runFor(15_000);
  await page.getByText("Ties").first().waitFor();
  const table = page.getByRole("region", { name: "Books" });
  assert.deepEqual(await table.locator("tbody td").allTextContents(), [
    "USDC",
    "133.503 paymentsUSD\u00a072.501 payment without a value",
    "72.50",
    "61.001 paymentNo value in USD",
    "0.000 paymentsUSD\u00a00.00",
    "0.00",
    "72.50 Ties0.000007 USDC more, sent by others",
  ]);
  await page.getByRole("button", { name: "Check again" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Checking" }).waitFor();
  await keepCheck(shop, open, short);
  await page.clock.runFor(2_000);
  await page.getByText("12.00 USDC less than the books").first().waitFor();
  await page.getByText("The vault holds 12.00 USDC less than is still to leave.").waitFor();
  await lookAt(page, "books");
  await page.getByRole("button", { name: "Other dates" }).click();
  await page.getByLabel("First day").fill(today);
  await page.getByLabel("Last day").fill(today);
  assert.deepEqual(await findBarriers(page), []);
  await page.getByRole("button", { name: "Apply" }).click();
  await table.getByText("72.502 paymentsUSD").waitFor();
  assert.equal(new URL(page.url()).searchParams.get("from"), today);
  await page.goto(shop.url);
  await page.getByRole("link", { name: "Open: The books and the chain differ" }).click();
  await page.getByRole("heading", { name: "Books", level: 1 }).waitFor();
  await page.goto(`${shop.url}/payments/${open}`);
  const values = page.getByRole("region", { name: "Value in USD" });
  await values.waitFor();
  assert.deepEqual(await values.locator("tbody td").allTextContents(), [
    ...["Paid", "24.50 USDC", "USD\u00a024.50", "1", `Token at par, ${today}`],
  ]);
  await lookAt(page, "values");
  // A figure of the last check beside a row of now, and money that matched no order.
  await keepCheck(shop, open, null);
  await shop.pay(10, "Order 1043");
  const tenant = { businessId: shop.businessId, environment: "test" } as const;
  const terms = { asset: USDC, amount: "10000000", protectionPeriod: "sevenDays" } as const;
  const { intent } = await insertIntent(staff.database, tenant, terms);
  await recordPayment(staff.database, intent, { amount: "9990000" });
  await page.goto(`${shop.url}/books`);
  await page.getByText("Tied then").first().waitFor();
  assert.equal(await page.getByText("Ties", { exact: true }).count(), 0);
  await page.getByText("72.50 by the books at").first().waitFor();
  await page.getByText("in no sum above: 9.99 USDC paid, 0.00 USDC released, 0.00 USDC refunded, 1 payment.").waitFor();
  await lookAt(page, "books-edges");
  await staff.database.rows(sql`
    update payments set protection_deadline = now() - interval '1 hour', keeper_refusal = 'token program error 36: a memo',
      keeper_refused_side = 'recipient' where business_id = ${shop.businessId} and address = ${open}`);
  await page.goto(`${shop.url}/payments/${open}`);
  await page.getByText("token account asks for a memo with each transfer. Turn that off").waitFor();
  await lookAt(page, "payment-held");
  assert.deepEqual(
    complaints.slice(earlier).filter((one) => !isExpected(one)),
    [],
  );
});

test("§13.19.6 a list is exported with its filters by the keyboard, and a file for Xero asks for one token", async () => {
  const shop = await newShop("exported");
  await shop.pay(24.5, "Order 1041");
  await shop.pay(310, "Order 1042", {}, EURC);
  const { page } = reader;
  await page.goto(`${shop.url}/payments`);
  await page.getByRole("button", { name: "Export", exact: true }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("File", { exact: true }).selectOption("xero");
  await dialog.getByRole("button", { name: "Download" }).click();
  await dialog.getByText("Filter the page by one token first").waitFor();
  await lookAt(page, "export");
  await page.goto(`${shop.url}/payments?asset=${EURC}`);
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Download" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "payments.csv");
  const lines = readFileSync(await download.path(), "utf8")
    .trimEnd()
    .split("\r\n");
  assert.equal(lines.length, 2);
  assert.match(lines[1]!, /,310,310000000,/);
});

test("§13.10.16 a member notes the order of a payment that matches none by the keyboard, and its list shows the note", async () => {
  const shop = await newShop("noted");
  const tenant = { businessId: shop.businessId, environment: "test" } as const;
  const terms = { asset: USDC, amount: "48000000", protectionPeriod: "sevenDays" } as const;
  const { intent } = await insertIntent(staff.database, tenant, terms);
  const payment = await recordPayment(staff.database, intent, { amount: "40000000" });
  const { page } = reader;
  await page.goto(`${shop.url}/payments/${payment}`);
  await page.getByRole("button", { name: "Add note" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByLabel("Note").fill("Belongs to order 1036");
  await page.keyboard.press("Enter");
  await page.getByText("By reader@home.example").waitFor();
  await lookAt(page, "note");
  await page.goto(`${shop.url}/unmatched`);
  await page.getByText("Belongs to order 1036").waitFor();
});

test("§13.17 the navigation marks Home on its own page alone", async () => {
  const shop = await newShop("marks");
  const { page } = reader;
  await page.goto(`${shop.url}/keys`);
  const home = page.getByRole("link", { name: "Home" });
  await home.waitFor();
  assert.equal(await home.getAttribute("aria-current"), null);
  await home.click();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  assert.equal(await home.getAttribute("aria-current"), "page");
});
