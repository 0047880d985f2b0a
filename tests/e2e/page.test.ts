import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pay } from "../harness/chain.ts";
import { type Merchant, newMerchant } from "../harness/merchant.ts";
import { type RunningService, sharedService } from "../harness/service.ts";
import { PHONE, TestBrowser } from "./browser.ts";

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
