import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { pay } from "../harness/chain.ts";
import { type Merchant, newMerchant } from "../harness/merchant.ts";
import type { RunningService } from "../harness/service.ts";
import { lookAt, openBrowser, type Tab } from "./browser.ts";
import { isExpected, memberStates, openService, readDashboard } from "./dashboardPages.ts";

/** Events, and what they are about, on the real service with its chain. */
let service: RunningService;
let shop: Merchant;
let reader: Tab;
let base: string;
before(async () => {
  const browser = await openBrowser();
  service = await openService();
  shop = await newMerchant(service, { name: "Event shop" });
  const { dashboardUrl } = await readDashboard(service);
  base = `${dashboardUrl}/${shop.business}/test`;
  reader = await browser.open({ storageState: await memberStates(service)(shop.business, "read_only") });
});
after(() => reader?.context.close());

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1, exact: true });

test("§13.10 from an event to its intent, its payment and its request, and back", async () => {
  const { page, complaints } = reader;
  await page.goto(`${base}/events`);
  await page.getByText("No events").waitFor();
  const intent = await shop.create({ merchantReference: "order-of-events", metadata: { cart: "<b>1</b>" } });
  const { signature } = await pay(service, intent);
  const confirmed = await shop.confirm(intent.id, signature);
  assert.equal(confirmed.status, 200, confirmed.text);

  await page.goto(`${base}/events`);
  await page.getByRole("link", { name: "payment.protected" }).waitFor();
  await lookAt(page, "the events");
  // §13.14.4: one line a row; ids are folded for the eye alone.
  const row = page.getByRole("row", { name: /payment_intent\.created/ });
  const { height } = (await row.boundingBox())!;
  assert.ok(height <= 44, `a row is ${height} px high`);
  const id = row.getByRole("link", { name: intent.id, exact: true });
  assert.ok((await id.boundingBox())!.width < 160, "folded");
  await id.selectText();
  const copied = await page.evaluate("getSelection().toString()");
  assert.equal(copied, intent.id);
  assert.equal(await id.locator("[title]").getAttribute("title"), intent.id);
  const time = row.locator("time");
  const { occurredAt } = (await shop.get(`/events?intent=${intent.id}&type=payment_intent.created`)).json.data[0];
  assert.ok(String(await time.getAttribute("title")).endsWith(`(${occurredAt})`));
  await page.getByText("Filters").click();
  await page.getByLabel("Type").selectOption("payment_intent.created");
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.waitForURL("**/events?type=payment_intent.created");
  await page.getByRole("link", { name: "payment.protected" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "payment_intent.created" }).click();
  await heading(page, "Event").waitFor();
  await page.getByText('"cart": "<b>1</b>"').waitFor();
  await page.getByText("No endpoint", { exact: true }).waitFor();
  await lookAt(page, "the event");

  await page.getByRole("link", { name: intent.id }).click();
  await heading(page, "Payment intent").waitFor();
  await page.getByText("order-of-events").first().waitFor();
  for (const what of ["The intent was created.", "The intent was paid.", "The payment is protected"])
    await page.getByText(what).waitFor();
  await page.getByRole("link", { name: `POST /api/v1/payment-intents/${intent.id}/confirm` }).waitFor();
  await lookAt(page, "the intent");

  await page.getByRole("link", { name: confirmed.json.payment.id }).click();
  await page.getByRole("heading", { name: /USDC$/, level: 1 }).waitFor();
  await page.getByText(signature).first().waitFor();
  await lookAt(page, "the payment");
  await page.getByRole("link", { name: "payment_intent.paid" }).click();
  await page.getByText("No known request").waitFor();
  await page.getByRole("link", { name: intent.id }).click();
  await page.getByRole("link", { name: "payment_intent.created" }).click();
  await page.getByRole("link", { name: /^req_/ }).click();
  await heading(page, "Request").waitFor();
  await page.getByRole("link", { name: intent.id }).click();
  await heading(page, "Payment intent").waitFor();
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one)),
    [],
  );
});
