import assert from "node:assert/strict";
import { after, before, test } from "node:test";
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

test("§2.1 a browser shows the page as it is meant, on a phone, and finds nothing to complain of", async () => {
  const intent = await shop.create({ amount: "24500000" });
  const { page, context, complaints } = await browser.open({ viewport: PHONE });
  await page.goto(intent.checkoutUrl);
  assert.equal(await page.title(), "24.5 USDC to Fernweh Coffee");
  assert.match((await page.textContent("main")) ?? "", /Fernweh Coffee/);
  const widest = await page.evaluate("document.documentElement.scrollWidth");
  assert.equal(widest, PHONE.width, "nothing is wider than the phone");
  await shop.cancel(intent.id);
  await page.reload();
  assert.deepEqual(await findBarriers(page), []);
  assert.deepEqual(complaints, []);
  await context.close();
});
