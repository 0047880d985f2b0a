import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { renderPage } from "../../server/edge/html/page.ts";
import { ENGLISH } from "../../server/features/checkout/languages/english.ts";
import { linkPage } from "../../server/features/checkout/link/document.ts";
import type { SeenLink } from "../../server/features/checkout/link/start.ts";
import { findIntents } from "../../server/features/intents/queries.ts";
import { draftLink } from "../../server/features/links/link.ts";
import { recordPayment } from "../../server/features/overview/testing.ts";
import { newWalletAddress } from "../../server/features/staff/testing/walletAddress.ts";
import type { StaffServer } from "../../server/process/testing/staffServer.ts";
import { sql } from "../../server/store/sql.ts";
import { lookAt, openBrowser, type Tab } from "./browser.ts";
import { isExpected } from "./dashboardPages.ts";
import { openSignedIn, openStaff, USDC } from "./dashboardWorld.ts";

/** Payments that people create in the dashboard, on the real staff API. */
let staff: StaffServer;
let reader: Tab;
let user: string;
const EMAIL = "kim@new.example";

before(async () => {
  staff = await openStaff();
  user = await staff.addUser(EMAIL);
  reader = await openSignedIn(EMAIL);
});
after(() => reader?.context.close());

async function newShop(name: string, recipients = 1) {
  const businessId = await staff.addBusiness(`new ${name}`, { [user]: "owner" });
  for (let slot = 1; slot <= recipients; slot++)
    await staff.database.rows(sql`
      insert into saved_recipients (business_id, environment, address, label, slot, added_at)
      values (${businessId}, 'test', ${newWalletAddress()}, ${`Treasury ${slot}`}, ${slot}::smallint, now())`);
  return { businessId, url: `${staff.ctx.dashboardUrl}/${businessId}/test` };
}

test("§13.18 a payment is created by keyboard, and its link, code and state follow it", async () => {
  const shop = await newShop("creates");
  const { page, complaints } = reader;
  await page.goto(shop.url);
  await page.getByText("No payments yet").waitFor();
  await page.getByRole("button", { name: "New payment" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "New payment" });
  await dialog.getByLabel("Amount").waitFor();
  await dialog.getByText("It can be paid for seven days.").waitFor();
  await lookAt(reader.page, "new-payment");
  await dialog.getByRole("button", { name: "Create payment" }).focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("Expected an amount such as 48.50").waitFor();
  await lookAt(reader.page, "new-payment-refused");
  await dialog.getByLabel("Amount").fill("48.5");
  await dialog.getByLabel("What is it for?").fill("Order 1043");
  await dialog.getByLabel("Note to the buyer").fill("Two bags,\nwhole beans");
  await dialog.getByLabel("Paid to").focus();
  for (const _ of ["file", "cancel", "create"]) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const ready = page.getByRole("dialog", { name: "Ready to be paid" });
  await ready.getByText("48.50 USDC").waitFor();
  await ready.getByRole("img", { name: "QR code of the payment's link" }).waitFor();
  const url = await ready.getByText(/^https:\/\/pay\.shop\.example\/pay\/i\/pi_test_/).textContent();
  await ready.getByText("Waiting for the payment").waitFor();
  await lookAt(reader.page, "new-payment-ready");
  await reader.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await ready.getByRole("button", { name: "Copy link" }).click();
  await ready.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), url);
  const tenant = { businessId: shop.businessId, environment: "test" } as const;
  const [found] = await findIntents(staff.database, [{ tenant, id: url!.split("/").at(-1)! }]);
  assert.equal(found!.intent.description, "Two bags, whole beans");
  await recordPayment(staff.database, found!.intent);
  await ready.getByText("The money is in escrow.").waitFor();
  await lookAt(reader.page, "new-payment-paid");
  await ready.getByRole("link", { name: "View payment" }).click();
  await page.getByText("Order 1043").first().waitFor();
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one) && !/status of 400/.test(one)),
    [],
  );
});

test("§4.21.1 a payment is created with a price, which its link, the list and its page show beside the amount", async () => {
  const shop = await newShop("priced");
  const { page } = reader;
  await page.goto(`${shop.url}/intents`);
  await page.getByRole("button", { name: "New payment" }).click();
  const dialog = page.getByRole("dialog", { name: "New payment" });
  await dialog.getByLabel("Priced in").selectOption("USD");
  await dialog.getByText("Refunds are in tokens.").waitFor();
  await dialog.getByLabel("What is it for?").fill("Order 1044");
  await dialog.getByRole("button", { name: "Create payment" }).click();
  await dialog.getByText("The amount is a decimal number").waitFor();
  await dialog.getByLabel("Price", { exact: true }).fill("48.5");
  await lookAt(page, "new-payment-priced");
  await dialog.getByRole("button", { name: "Create payment" }).click();
  const ready = page.getByRole("dialog", { name: "Ready to be paid" });
  await ready.getByText("48.50 USDC").waitFor();
  await ready.getByText(/USD.48\.50/).waitFor();
  await ready.getByRole("button", { name: "Done" }).click();
  await page
    .getByText(/USD.48\.50/)
    .first()
    .waitFor();
  await lookAt(page, "intents-priced");
  await page.getByRole("link", { name: "48.50 USDC" }).first().click();
  await page.getByText("1 USD = 1 USDC (Token at par).").waitFor();
  await page.getByText("Refunds are in USDC").waitFor();
  await lookAt(page, "intent-priced");
});

test("§13.18 the dialog is on the lists of payments and intents, and says what is wrong where nothing can be chosen", async () => {
  const shop = await newShop("empty", 0);
  const { page } = reader;
  await page.route("**/payable-assets", (route) =>
    route.fulfill({
      status: 200,
      contentType: "application/json",
      body: '{"object":"list","data":[],"hasMore":false}',
    }),
  );
  for (const list of ["payments", "intents"]) {
    await page.goto(`${shop.url}/${list}`);
    await page.getByRole("button", { name: "New payment" }).click();
    await page.getByRole("dialog").getByText("The well-known tokens could not be read").waitFor();
  }
  await page.getByRole("dialog").getByText("The address of your wallet.").waitFor();
  await lookAt(reader.page, "new-payment-addresses");
  await page.unroute("**/payable-assets");
  await page.route("**/payable-assets", (route) =>
    route.fulfill({ status: 503, contentType: "application/json", body: "{}" }),
  );
  await page.reload();
  await page.getByRole("button", { name: "New payment" }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await lookAt(reader.page, "new-payment-failing");
  await page.unroute("**/payable-assets");
});

test("§13.18.5 a file is checked, created at one press, and its links are saved; the same file creates nothing again", async () => {
  const shop = await newShop("file");
  const { page } = reader;
  const choose = async (text: string) => {
    await page
      .getByLabel("CSV file")
      .setInputFiles({ name: "orders.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await page.getByRole("button", { name: "Check file" }).click();
  };
  await page.goto(`${shop.url}/intents`);
  await page.getByRole("button", { name: "New payment" }).click();
  await page.getByRole("button", { name: "Create several from a file" }).click();
  await page.getByLabel("CSV file").waitFor();
  await lookAt(reader.page, "batch");
  await choose("amount,reference\n1,a\nx,b\n1,a\n");
  await page.getByRole("dialog", { name: "2 rows are wrong" }).getByText("Line 3").waitFor();
  await lookAt(reader.page, "batch-wrong");
  await page.getByRole("button", { name: "Choose another file" }).click();
  const rows = Array.from({ length: 12 }, (_, n) => `${n + 1}.50,Order ${n},${n % 2 === 0 ? "USDC" : "EURC"}`).join(
    "\n",
  );
  await choose(`amount,reference,token\n${rows}`);
  await page.getByText("39.00 USDC").waitFor();
  await lookAt(reader.page, "batch-tried");
  await page.getByRole("button", { name: "Create 12 payments" }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download links" }).click();
  const text = await readFile(await (await saved).path(), "utf8");
  assert.match(text, /^Order 11,12\.5,EURC,https:\/\/pay\.shop\.example\/pay\/i\/pi_test_/m);
  await lookAt(reader.page, "batch-made");
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: /12\.50/ }).waitFor();
  await page.getByRole("button", { name: "New payment" }).click();
  await page.getByRole("button", { name: "Create several from a file" }).click();
  await choose(`amount,reference,token\n${rows}\n`);
  await page.getByText("These rows were uploaded before").waitFor();
  await lookAt(reader.page, "batch-repeated");
});

test("§13.19 payment links are listed, created by keyboard, shown as a code and closed", async () => {
  const shop = await newShop("links");
  const { page } = reader;
  await page.goto(`${shop.url}/links`);
  await page.getByText("No payment links").waitFor();
  await lookAt(reader.page, "links-empty");
  await page.getByRole("button", { name: "New payment link" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "New payment link" });
  await dialog.getByLabel("What is it for?").fill("Workshop");
  await lookAt(reader.page, "links-new");
  await dialog.getByLabel("How many may pay?").fill("0");
  await page.keyboard.press("Enter");
  await dialog.getByText("Expected a number of buyers from 1 to 10000.").waitFor();
  assert.equal(await page.evaluate("document.activeElement.name"), "seatsMax");
  await dialog.getByLabel("How many may pay?").fill("50");
  await dialog.getByLabel("Amount").fill("48.5");
  await page.keyboard.press("Enter");
  const ready = page.getByRole("dialog", { name: "Your link is ready" });
  await ready.getByText(/^https:\/\/pay\.shop\.example\/pay\/l\/pl_test_/).waitFor();
  await lookAt(reader.page, "links-ready");
  await ready.getByRole("button", { name: "Done" }).click();
  await page.getByText("0 of 50", { exact: true }).waitFor();
  assert.equal(await page.getByText("0 of 50 seats paid").count(), 1, "on a phone, below the amount");
  await lookAt(reader.page, "links");
  await page.getByRole("button", { name: "Actions for Workshop" }).click();
  await page.getByRole("button", { name: "Close link" }).click();
  await page.getByRole("dialog", { name: "Close Workshop?" }).getByRole("button", { name: "Close link" }).click();
  await page.getByText("Closed", { exact: true }).waitFor();
  await page.route("**/payment-links*", (route) =>
    route.fulfill({ status: 503, contentType: "application/json", body: "{}" }),
  );
  await page.reload();
  await page.getByRole("alert").first().waitFor();
  await lookAt(reader.page, "links-failing");
  await page.unroute("**/payment-links*");
});

const A_LINK: SeenLink = {
  ...draftLink(
    { businessId: "biz_1", environment: "test" },
    {
      ...{ title: "Roasting workshop", description: "Saturday, ten to four. Coffee and cake are included." },
      ...{ recipient: newWalletAddress(), asset: USDC, amount: "48500000", protectionPeriod: "sevenDays" },
      ...{ locale: null, price: null, seatsMax: 50, expiresAt: new Date("2026-12-24T12:00:00.000Z") },
    },
    new Date("2026-11-20T08:00:00.000Z"),
  ),
  business: {
    ...{ id: "biz_1", name: "Fernweh Coffee", domain: "fernweh.example", supportContact: null, refundPolicy: null },
    ...{ refundPolicyHash: null, returnUrl: null, intentLifetimeMinutes: null },
    ...{ reportingCurrency: null, timeZone: null, locale: null, color: null, logo: null },
    ...{ emailName: null, emailLine: null, emailReplyTo: null },
  },
  decimals: 6,
  paidSeats: 31,
  takenSeats: 38,
  now: new Date("2026-11-23T08:00:00.000Z"),
};

test("§13.19.2 the page of a link shows each state at both sizes, without a script and without barriers", async () => {
  const { page, context } = await (await openBrowser()).open();
  const views: Record<string, [Partial<SeenLink>, Parameters<typeof linkPage>[2]?]> = {
    open: [{}],
    amount: [{ amount: null, seatsMax: null }],
    wrong: [
      { amount: null, seatsMax: null },
      { kind: "amount", typed: "<1.5>" },
    ],
    held: [{ takenSeats: 50 }],
    full: [{ paidSeats: 50, takenSeats: 50 }],
    expired: [{ now: new Date("2027-01-01T00:00:00.000Z") }],
    closed: [{ closedAt: new Date("2026-11-22T08:00:00.000Z") }],
    refused: [{ business: { ...A_LINK.business, domain: null } }, { kind: "refused" }],
  };
  for (const [name, [given, problem = null]] of Object.entries(views)) {
    const { text, headers } = renderPage(
      linkPage(ENGLISH.link, { ...A_LINK, ...given }, problem, { siteOperator: null, choices: [] }),
    );
    await page.route("**/pay/l/*", (route) =>
      route.fulfill({ status: 200, headers: { ...headers, "content-type": "text/html; charset=utf-8" }, body: text }),
    );
    await page.goto(`${staff.url}/pay/l/${name}`);
    await lookAt(page, `link-${name}`);
    await page.unroute("**/pay/l/*");
  }
  await context.close();
});
