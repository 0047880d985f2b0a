import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { createAuthority } from "../harness/certificates.ts";
import { newMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";
import { type Receiver, startReceiver } from "../harness/webhookReceiver.ts";
import { findBarriers, PHONE, TestBrowser } from "./browser.ts";
import { addUser, readDashboard, signIn } from "./dashboardPages.ts";

const DOMAIN = "www.shop-demo.com";

/** A service with a real server behind the domain. */
let service: Service;
let receiver: Receiver;
let browser: TestBrowser;
let folder: string;
/** The content of `/.well-known/holdfast-domain.txt` on the server; null if the file does not exist. */
let file: string | null = null;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-domain-"));
  const authority = createAuthority();
  receiver = await startReceiver(authority.issue([DOMAIN]), ({ path }, response) =>
    file !== null && path === "/.well-known/holdfast-domain.txt"
      ? void response.end(file)
      : void response.writeHead(404).end(),
  );
  writeFileSync(join(folder, "ca.pem"), authority.ca);
  const hosts = { [DOMAIN]: `127.0.0.1:${receiver.port}` };
  const env = { WEBHOOK_DEV_HOSTS: JSON.stringify(hosts), WEBHOOK_CA_FILE: join(folder, "ca.pem") };
  [service, browser] = await Promise.all([startService({ env }), TestBrowser.launch()]);
});
after(async () => {
  await browser?.close();
  await service?.remove();
  await receiver?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function assertOpenToAll(page: Page, place: string): Promise<void> {
  assert.deepEqual(await findBarriers(page), [], place);
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), PHONE.width, `${place} is too wide`);
}

test("§13.12 a domain is claimed, proven and removed here, and a buyer is shown it in between alone", async () => {
  const shop = await newMerchant(service, { name: "Fernweh Coffee" });
  const { checkoutUrl } = await shop.create();
  const { dashboardUrl } = await readDashboard(service);
  const login = await addUser(service, "domain@dashboard.example", { business: shop.business, role: "admin" });
  const { page, context } = await browser.open({ viewport: PHONE });
  const buyer = await browser.open();
  const isShown = async () => {
    await buyer.page.goto(checkoutUrl);
    await buyer.page.getByText("Fernweh Coffee").first().waitFor();
    return (await buyer.page.getByText(`${DOMAIN} Verified domain`).count()) > 0;
  };

  await signIn(page, dashboardUrl, login, `/${shop.business}/test/profile`);
  await page.getByLabel("Domain").fill("co.uk");
  await button(page, "Add domain").click();
  await page.getByText("Expected a public name such as shop.com").waitFor();
  await page.getByLabel("Domain").fill(`https://${DOMAIN.toUpperCase()}/`);
  await button(page, "Add domain").click();
  await page.getByText("Not verified").waitFor();
  await assertOpenToAll(page, "a domain that is not proven");
  file = await page.locator("[data-copy=proof]").textContent();
  assert.match(file!, /^holdfast-domain=/);
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
