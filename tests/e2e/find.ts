import assert from "node:assert/strict";
import { before, test } from "node:test";
import { pay } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { type Merchant, newMerchant } from "../harness/merchant.ts";
import type { RunningService } from "../harness/service.ts";
import { findBarriers, openBrowser, PHONE, type TestBrowser } from "./browser.ts";
import { complaintsOf } from "./buyer.ts";
import { openService } from "./dashboardPages.ts";
import { fundAccount, TestWallet } from "./wallet.ts";

let service: RunningService;
let shop: Merchant;
let browser: TestBrowser;
before(async () => {
  [service, browser] = await Promise.all([openService(), openBrowser()]);
  shop = await newMerchant(service, { name: "Fernweh Coffee" });
});
test("§14.7 a buyer finds payments by the wallet that paid, then the receipt, by the keyboard alone", async () => {
  const tab = await browser.open({ viewport: PHONE });
  const { page, context } = tab;
  const { key } = await TestWallet.attach(context, service);
  await fundAccount(service, key.address, service.asset, "10000000");
  const intents = [await shop.create({ amount: "1000000" }), await shop.create({ amount: "2000000" })];
  for (const intent of intents) {
    await pay(service, intent, { buyer: key });
    await awaitPaid(shop, intent.id);
  }
  await page.goto(`${service.checkoutUrl}/pay`);
  const connect = page.getByRole("button", { name: "Payments of Test wallet" });
  await connect.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/pay?query=${key.address}`);
  const found = page.locator(".found a");
  assert.equal(await found.count(), 2);
  assert.deepEqual(await findBarriers(page), []);
  await found.first().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Paid and protected" }).waitFor();
  assert.deepEqual(complaintsOf(tab), []);
  await context.close();
});

test("§14.7 without a script the page finds a payment by what was pasted", async () => {
  const intent = await shop.create();
  const { signature, payment } = await pay(service, intent);
  await awaitPaid(shop, intent.id);
  const { page, context } = await browser.open({ javaScriptEnabled: false });
  await page.goto(`${service.checkoutUrl}/pay`);
  assert.equal(await page.getByText("Or ask the wallet").isVisible(), false);
  await page.getByLabel("Signature, payment, order or wallet").fill(signature);
  await page.getByRole("button", { name: "Find" }).click();
  await page.waitForURL(`**/pay/p/${payment}`);
  assert.equal(await page.getByText("What can be done here needs JavaScript").isVisible(), true);
  await context.close();
});
