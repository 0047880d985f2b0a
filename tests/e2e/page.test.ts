import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { askCheckout } from "../harness/buyer.ts";
import { act, pay } from "../harness/chain.ts";
import { type Merchant, newMerchant } from "../harness/merchant.ts";
import { type RunningService, sharedService } from "../harness/service.ts";
import { findBarriers, PHONE, TestBrowser } from "./browser.ts";

let service: RunningService;
let shop: Merchant;
let browser: TestBrowser;
before(async () => {
  [service, browser] = await Promise.all([sharedService(), TestBrowser.launch()]);
  shop = await newMerchant(service, { name: "Fernweh Coffee" });
});
after(async () => {
  await browser?.close();
  await service?.remove();
});

test("§12.13 a new state is said in a live region that stays, and the focus moves to its heading", async () => {
  const intent = await shop.create({ amount: "24500000" });
  const { page, context, complaints } = await browser.open();
  await page.goto(intent.checkoutUrl);
  await page.locator("#pay").focus();
  await page.evaluate("window.region = document.querySelector('[role=status]')");
  assert.equal(await page.locator("[role=status]").count(), 1);
  const { payment } = await pay(service, intent);
  await page.getByRole("heading", { name: "Paid and protected" }).waitFor();
  const found = await page.evaluate(`({
    focused: document.activeElement.textContent,
    tag: document.activeElement.tagName,
    isSame: window.region === document.querySelector('[role=status]'),
    isOutside: window.region.closest('main') === null,
    said: window.region.textContent,
  })`);
  assert.deepEqual(found, {
    focused: "Paid and protected",
    tag: "H2",
    isSame: true,
    isOutside: true,
    said: "Paid and protected. The shop knows. Your money waits in the escrow.",
  });
  await act(service, service.wallets.recipient, "refund", payment, { total: 4_500_000n });
  await page.locator("[role=status]").getByText("4.50 USDC of it went back to you.").waitFor();
  assert.equal(await page.evaluate("window.region === document.querySelector('[role=status]')"), true);
  assert.equal(await page.evaluate("document.activeElement.tagName"), "H2");
  assert.deepEqual(await findBarriers(page), []);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("§12.13 a page that is replaced takes no focus that was not in it", async () => {
  const intent = await shop.create({ amount: "24500000" });
  const { page, context } = await browser.open();
  await page.goto(intent.checkoutUrl);
  await pay(service, intent);
  await page.getByRole("heading", { name: "Paid and protected" }).waitFor();
  assert.equal(await page.evaluate("document.activeElement.tagName"), "BODY");
  await context.close();
});

test("§12.5 the page in a browser follows the payment by itself, and its stream is not cut", async () => {
  const intent = await shop.create({ amount: "24500000" });
  const { page, context, complaints } = await browser.open({ viewport: PHONE });
  await page.goto(intent.checkoutUrl);
  assert.equal(await page.title(), "24.50 USDC to Fernweh Coffee");
  await pay(service, intent);
  await page.getByRole("heading", { name: "Paid and protected" }).waitFor();
  assert.deepEqual(await context.cookies(), []);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("§12.4 a new state is shown, though the page could not be loaded when it arrived", async () => {
  const intent = await shop.create({ amount: "24500000" });
  const { page, context } = await browser.open();
  await page.goto(intent.checkoutUrl);
  await page.route(intent.checkoutUrl, (route) => route.fulfill({ status: 503 }), { times: 1 });
  const refused = page.waitForResponse((response) => response.status() === 503);
  await pay(service, intent);
  await refused;
  await page.getByRole("heading", { name: "Paid and protected" }).waitFor({ timeout: 10_000 });
  await context.close();
});

test("§12.4 a part that is due without an event is shown, too", async () => {
  const intent = await shop.create({ amount: "24500000" });
  const { page, context } = await browser.open();
  await page.goto(intent.checkoutUrl);
  await pay(service, intent);
  await page.getByRole("heading", { name: "Paid and protected" }).waitFor();
  await page.route(`${intent.checkoutUrl}/state`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), parts: "0/0/4500000" } });
  });
  const again = page.waitForRequest(intent.checkoutUrl, { timeout: 10_000 });
  await page.evaluate("dispatchEvent(new Event('online'))");
  await again;
  await context.close();
});

test("§12.8 a page of a canceled order shows what its buyer's wallet reports then", async () => {
  const intent = await shop.create({ amount: "24500000" });
  await shop.call("POST", `/payment-intents/${intent.id}/cancel`);
  const { page, context } = await browser.open();
  await page.goto(intent.checkoutUrl);
  await page.getByRole("heading", { name: "Canceled by the shop" }).waitFor();
  const { status } = await askCheckout(service, intent, "seen", { signature: SIGNATURE });
  assert.equal(status, 202);
  await page.evaluate("dispatchEvent(new Event('online'))");
  await page.locator(".note").getByText("Somebody reported a payment").waitFor({ timeout: 10_000 });
  assert.ok(!(await page.locator("#live").textContent())?.includes("You can pay"));
  await context.close();
});

const SIGNATURE = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";
