import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { newMerchant } from "../harness/merchant.ts";
import { findBarriers, openBrowser, PHONE, type TestBrowser } from "./browser.ts";
import { type ChainWorld, DOMAIN, openChainWorld } from "./chainWorld.ts";
import { memberStates, readDashboard } from "./dashboardPages.ts";

/** A service with a real server behind the domain. */
let world: ChainWorld;
let browser: TestBrowser;
before(async () => {
  [world, browser] = await Promise.all([openChainWorld(), openBrowser()]);
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function assertOpenToAll(page: Page, place: string): Promise<void> {
  assert.deepEqual(await findBarriers(page), [], place);
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), PHONE.width, `${place} is too wide`);
}

test("§13.12 a domain is claimed, proven and removed here, and a buyer is shown it in between alone", async () => {
  const { service } = world;
  const shop = await newMerchant(service, { name: "Fernweh Coffee" });
  const { checkoutUrl } = await shop.create();
  const { dashboardUrl } = await readDashboard(service);
  const storageState = await memberStates(service)(shop.business, "admin");
  const { page, context } = await browser.open({ viewport: PHONE, storageState });
  const buyer = await browser.open();
  const isShown = async () => {
    await buyer.page.goto(checkoutUrl);
    await buyer.page.getByText("Fernweh Coffee").first().waitFor();
    return (await buyer.page.getByText(`${DOMAIN} Verified domain`).count()) > 0;
  };

  await page.goto(`${dashboardUrl}/${shop.business}/test/profile`);
  await page.getByLabel("Domain").fill("co.uk");
  await button(page, "Add domain").click();
  await page.getByText("Expected a public name such as shop.com").waitFor();
  await page.getByLabel("Domain").fill(`https://${DOMAIN.toUpperCase()}/`);
  await button(page, "Add domain").click();
  await page.getByText("Not verified").waitFor();
  await assertOpenToAll(page, "a domain that is not proven");
  world.proof = await page.locator("[data-copy=proof]").textContent();
  assert.match(world.proof!, /^holdfast-domain=/);
  assert.equal(await isShown(), false);
  await button(page, "Check now").click();
  await page.getByText("Verified", { exact: true }).waitFor();
  await assertOpenToAll(page, "a proven domain");
  assert.equal(await isShown(), true);

  await button(page, "Remove domain").click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove domain" }).click();
  await page.getByText("Domain removed.").waitFor();
  await page.getByLabel("Domain").waitFor();
  assert.equal(await isShown(), false);
  await buyer.context.close();
  await context.close();
});
