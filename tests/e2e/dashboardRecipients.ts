import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { newWalletAddress } from "../../server/features/staff/testing/walletAddress.ts";
import { act, pay } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { assertError, newMerchant, someTerms } from "../harness/merchant.ts";
import type { RunningService } from "../harness/service.ts";
import { findBarriers, openBrowser, PHONE, type TestBrowser } from "./browser.ts";
import { type DashboardAddress, memberOf, memberStates, openService, readDashboard } from "./dashboardPages.ts";

let service: RunningService;
let browser: TestBrowser;
let dashboard: DashboardAddress;
let stateOf: ReturnType<typeof memberStates>;
before(async () => {
  [service, browser] = await Promise.all([openService(), openBrowser()]);
  dashboard = await readDashboard(service);
  stateOf = memberStates(service);
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function assertOpenToAll(page: Page, place: string): Promise<void> {
  assert.deepEqual(await findBarriers(page), [], place);
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), PHONE.width, `${place} is too wide`);
}

test("§13.11 a wallet is compared, kept and tried: it counts as tried only once its owner found the money", async () => {
  const shop = await newMerchant(service, { name: "Roastery" });
  // The token of the test payment is one that the chain has shown.
  await shop.create();
  const { page, context } = await browser.open({
    viewport: PHONE,
    storageState: await stateOf(shop.business, "admin"),
  });
  await page.goto(`${dashboard.dashboardUrl}/${shop.business}/test/recipients`);
  await page.getByText("No recipients").waitFor();
  await assertOpenToAll(page, "the empty page");
  await button(page, "Add recipient").click();
  await page.getByLabel("Label").fill("Treasury");
  await page.getByLabel("Address").fill(service.asset);
  await button(page, "Check address").click();
  await page.getByText("This is a token account or a mint.").waitFor();
  const address = newWalletAddress();
  await page.getByLabel("Address").fill(address);
  await button(page, "Check address").click();
  await page.getByRole("heading", { name: "Compare the address" }).waitFor();
  await assertOpenToAll(page, "the comparison");
  await button(page, "Add recipient").click();
  await page.getByText("Compare the address, then confirm").waitFor();
  await page.getByRole("button", { name: "Back", exact: true }).waitFor();
  await page.getByLabel("Every group matches my wallet").check();
  await button(page, "Add recipient").click();
  await page.getByText("Read each warning").waitFor();
  await page.getByLabel("The address is correct anyway").check();
  await button(page, "Add recipient").click();

  await page.getByRole("heading", { name: "Treasury was added. Test it now?" }).waitFor();
  await page.getByLabel("Amount").fill("a little");
  await button(page, "Create test payment").click();
  await page.getByText("Expected an amount such as 0.01.").waitFor();
  await page.getByLabel("Amount").fill("0.01");
  // Other files make intents in other tokens, and any of them may stand first.
  await page.getByLabel("Token").selectOption(service.asset);
  await assertOpenToAll(page, "the offer of a test payment");
  await button(page, "Create test payment").click();
  await page.getByRole("heading", { name: "Test payment ready" }).waitFor();
  const link = (await page.getByRole("link", { name: "Open checkout" }).first().getAttribute("href"))!;
  await button(page, "Later").click();
  await page.getByText("Test payment open").waitFor();
  const intent = await shop.intent(link.split("/").at(-1)!);
  assert.deepEqual([intent.recipient, intent.amount, intent.checkoutUrl], [address, "10000", link]);

  await pay(service, intent);
  const { payment } = await awaitPaid(shop, intent.id);
  await page.getByText("Test payment in escrow").waitFor();
  assert.equal(await button(page, "Confirm receipt").count(), 0);
  await act(service, service.wallets["buyer-1"], "release", payment.id);
  await page.getByText("Check your wallet").waitFor();
  await button(page, "Confirm receipt").click();
  await page.getByRole("dialog").getByRole("button", { name: "Confirm receipt" }).click();
  await page.getByText(`${memberOf("admin")} confirmed the test payment`).waitFor();
  await assertOpenToAll(page, "the list");

  await button(page, "Actions for Treasury").click();
  await button(page, "Rename").click();
  await page.getByLabel("Label").fill("Vault");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await page.getByText("Vault", { exact: true }).waitFor();
  await button(page, "Actions for Vault").click();
  await button(page, "Remove recipient").click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove recipient" }).click();
  await page.getByText("No recipients").waitFor();
  await context.close();
});

test("§13.11.5 an owner has API keys name saved recipients only, asks to end it, and keeps it; others see it", async () => {
  const shop = await newMerchant(service, { name: "Teahouse" });
  const { page, context } = await browser.open({
    viewport: PHONE,
    storageState: await stateOf(shop.business, "owner"),
  });
  await page.goto(`${dashboard.dashboardUrl}/${shop.business}/test/recipients`);
  await page.getByText("API keys can use any wallet").waitFor();
  assert.equal(await button(page, "Allow saved recipients only").count(), 0, "there is none to name yet");
  const add = async (label: string) => {
    await button(page, "Add recipient").click();
    await page.getByLabel("Label").fill(label);
    await page.getByLabel("Address").fill(newWalletAddress());
    await button(page, "Check address").click();
    await page.getByLabel("Every group matches my wallet").check();
    await page.getByLabel("The address is correct anyway").check();
    await button(page, "Add recipient").click();
    await page.getByRole("heading", { name: `${label} was added` }).waitFor();
  };
  await add("Treasury");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Later|Cancel/ })
    .click();
  await button(page, "Allow saved recipients only").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Treasury", { exact: true }).waitFor();
  await assertOpenToAll(page, "the dialog that begins it");
  await dialog.getByRole("button", { name: "Allow saved recipients only" }).click();
  await page.getByText("API keys can use saved recipients only, since").waitFor();
  const refused = await shop.call("POST", "/payment-intents", someTerms(service));
  assertError(refused, 400, "invalid_request", "recipient");
  await add("Vault");
  await page.getByText("It can be paid from").first().waitFor();
  await button(page, "Done").click();
  await page.getByText("New", { exact: true }).waitFor();
  await assertOpenToAll(page, "the list with a new recipient");
  await button(page, "Allow any recipient").click();
  await dialog.getByRole("button", { name: "Allow any recipient in 24 hours" }).click();
  await page.getByText("API keys can use saved recipients only until").waitFor();
  await assertOpenToAll(page, "the page with the end");
  const other = await browser.open({ storageState: await stateOf(shop.business, "read_only") });
  await other.page.goto(`${dashboard.dashboardUrl}/${shop.business}/test/recipients`);
  await other.page.getByText("API keys can use saved recipients only until").waitFor();
  assert.equal(await button(other.page, "Keep saved recipients only").count(), 0);
  await other.context.close();
  await button(page, "Keep saved recipients only").click();
  await page.getByText("API keys can use saved recipients only, since").waitFor();
  await context.close();
});
