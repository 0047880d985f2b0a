import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { admin } from "../harness/admin.ts";
import { pay } from "../harness/chain.ts";
import { type Merchant, newMerchant, someTerms } from "../harness/merchant.ts";
import type { RunningService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import { DESKTOP, lookAt, openBrowser, PHONE, type Tab } from "./browser.ts";
import { isExpected, memberStates, openService, readDashboard } from "./dashboardPages.ts";

/** These tests paste what a developer has when something is wrong, on the real service with its chain. */
let service: RunningService;
let shop: Merchant;
let developer: Tab;
let base: string;
before(async () => {
  const browser = await openBrowser();
  service = await openService();
  shop = await newMerchant(service, { name: "Inspected shop" });
  const { dashboardUrl } = await readDashboard(service);
  base = `${dashboardUrl}/${shop.business}/test`;
  developer = await browser.open({ storageState: await memberStates(service)(shop.business, "developer") });
});
after(() => developer?.context.close());

const dialog = (page: Page) => page.getByRole("dialog", { name: "Find by ID" });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1, exact: true });

/** By keyboard alone. */
async function paste(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await dialog(page).locator("input:focus").waitFor();
  await page.keyboard.insertText(text);
  await page.keyboard.press("Enter");
}

test("§13.13 a create that failed is found by its Request-Id, and the page says why", async () => {
  const { page } = developer;
  const refused = await shop.call("POST", "/payment-intents", someTerms(service, { amount: "0" }));
  assert.equal(refused.status, 400);
  const id = String(refused.headers["request-id"]);
  await page.goto(`${base}/keys`);
  await heading(page, "API keys").waitFor();
  // The log is written behind the answer.
  await eventually("the request is found", async () => {
    await paste(page, id);
    const found = await Promise.race([
      heading(page, "Request")
        .waitFor()
        .then(() => true),
      dialog(page)
        .getByText("Nothing found")
        .first()
        .waitFor()
        .then(() => false),
    ]);
    if (!found) await page.keyboard.press("Escape");
    return found;
  });
  await page.getByRole("note").getByText(refused.json.error.message).waitFor();
  await page.getByRole("heading", { name: "Why the request was refused" }).waitFor();
  await page.getByText("amount", { exact: true }).first().waitFor();
  await lookAt(page, "the refused request");

  const held = await shop.create();
  const second = await shop.call(
    "POST",
    "/payment-intents",
    someTerms(service, { merchantReference: held.merchantReference }),
  );
  assert.equal(second.json.error.code, "reference_in_use");
  await eventually("the second is in the log", async () => {
    await page.goto(`${base}/requests/${second.headers["request-id"]}`);
    await page
      .getByText(/Why the request was refused|No request with/)
      .first()
      .waitFor();
    return (await page.getByText("Why the request was refused").count()) > 0;
  });
  await page.getByRole("link", { name: held.id }).first().click();
  await heading(page, "Payment intent").waitFor();
});

test("§13.13.3 an underpayment is explained by its signature, rule by rule; so is what paid", async () => {
  const { page } = developer;
  const intent = await shop.create({ amount: "5000000", merchantReference: "order-underpaid" });
  const { signature } = await pay(service, intent, { amount: "4999999" });
  await page.goto(`${base}/events`);
  await heading(page, "Events").waitFor();
  await paste(page, signature);
  await heading(page, "Transaction").waitFor();
  await page.getByText("Result for order-underpaid").waitFor();
  await page.getByText("The amount is 4.999999 USDC; expected 5.00 USDC: 0.000001 USDC less.").waitFor();
  const rule = page.getByRole("row", { name: /The amount is the intent's/ });
  await rule.getByText("Fail").waitFor();
  assert.equal(await rule.getByText("4.999999 USDC", { exact: true }).getAttribute("title"), "4999999");
  await page.getByText("Not bound", { exact: true }).waitFor();
  await lookAt(page, "the underpayment");
  await page.getByRole("link", { name: intent.id }).click();
  await heading(page, "Payment intent").waitFor();
  await page.getByText("Requires payment", { exact: true }).waitFor();
  const amount = page.getByText("5.00 USDC", { exact: true });
  assert.match(String(await amount.getAttribute("title")), /^5000000 smallest units of /);

  const other = await shop.create();
  const paid = await pay(service, other);
  await paste(page, `https://explorer.solana.com/tx/${paid.signature}?cluster=custom`);
  await page.getByText(/The transaction pays this intent|The transaction is recorded as a payment/).waitFor();
  // The same transaction, asked for the intent that it did not pay.
  await page.getByLabel("Should it have paid another intent?").fill(intent.id);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("The transaction made no payment for this intent.").waitFor();
  // Another business gets 404 for it.
  const stranger = await newMerchant(service);
  const strange = await stranger.create();
  const theirs = await pay(service, strange);
  await paste(page, theirs.signature);
  await page.getByText("No transaction found").waitFor();
});

test("§13.13.1 the inspector finds by keyboard and on a phone, says what it cannot find, and sends no secret", async () => {
  const { page, complaints } = developer;
  const intent = await shop.create({ merchantReference: "order by name" });
  await page.goto(`${base}/webhooks`);
  await heading(page, "Webhooks").waitFor();
  await paste(page, "order by name");
  await heading(page, "Payment intent").waitFor();
  await page.getByText(intent.id).first().waitFor();
  await paste(page, `pi_live_${"0".repeat(36)}`);
  await dialog(page).getByText("This ID belongs to live").first().waitFor();
  await lookAt(page, "the inspector");
  await page.keyboard.press("Escape");
  await paste(page, shop.keyId);
  await page.waitForURL(`**/requests?key=${shop.keyId}`);
  await heading(page, "Requests").waitFor();

  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  await page.setViewportSize(PHONE);
  // The page has a button of the same name, for a Request-Id.
  await page.getByRole("banner").getByRole("button", { name: "Find", exact: true }).click();
  await dialog(page).getByRole("textbox").fill(`Bearer ${shop.key}`);
  await dialog(page).getByRole("button", { name: "Find" }).click();
  await dialog(page).getByText("This is a secret").first().waitFor();
  assert.equal(await dialog(page).getByRole("textbox").inputValue(), "");
  assert.deepEqual(
    sent.filter((one) => one.includes(shop.key)),
    [],
  );
  assert.equal((await page.content()).includes(shop.key), false);
  await dialog(page)
    .getByRole("textbox")
    .fill(`req_${"0".repeat(32)}`);
  await page.keyboard.press("Enter");
  await dialog(page).getByText("Nothing found").first().waitFor();
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "hidden" });
  // On a page without a business it searches the first one.
  await page.setViewportSize(DESKTOP);
  await page.goto(base.replace(/\/biz_.*/, "/account"));
  await page.getByRole("heading", { level: 1 }).waitFor();
  await paste(page, intent.id);
  await heading(page, "Payment intent").waitFor();
  assert.deepEqual(
    // The browser itself also logs the 404.
    complaints.filter((one) => !isExpected(one) && !/status of 404/.test(one)),
    [],
  );
});

test("§13.6.2, §13.9.1 a key and a signing secret are on no page, whatever was sent with them", async () => {
  const { page } = developer;
  const endpoint = await admin(service, "webhook", "add", shop.business, "--url", "https://hooks.shop-demo.com/in");
  const secrets = [shop.key, endpoint.secret];
  for (const secret of secrets) {
    await shop.get(`/payment-intents/${encodeURIComponent(secret)}?key=${encodeURIComponent(secret)}`);
    const refused = await shop.call("POST", "/payment-intents", { ...someTerms(service), [secret]: secret });
    assert.equal(refused.status, 400);
    const id = String(refused.headers["request-id"]);
    await eventually("the request is in the log", async () => {
      await page.goto(`${base}/requests/${id}`);
      await page
        .getByText(/Why the request was refused|No request with/)
        .first()
        .waitFor();
      return (await page.getByText("Why the request was refused").count()) > 0;
    });
    for (const one of secrets) assert.equal((await page.content()).includes(one), false, "the request");
  }
  for (const path of ["keys", "webhooks", `webhooks/${endpoint.id}`, "events", "requests", "members"]) {
    await page.goto(`${base}/${path}`);
    await page.locator("#main h1").waitFor();
    await page.waitForLoadState("networkidle");
    for (const secret of secrets) assert.equal((await page.content()).includes(secret), false, path);
  }
});
