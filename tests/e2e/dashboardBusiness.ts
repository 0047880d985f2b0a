import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, test } from "node:test";
import { aPng } from "../../server/lib/pictures/testing/pictures.ts";
import { admin } from "../harness/admin.ts";
import { exchange } from "../harness/http.ts";
import { newMerchant } from "../harness/merchant.ts";
import type { RunningService } from "../harness/service.ts";
import { doubleLetters, findBarriers, lookAt, openBrowser, PHONE, type TestBrowser } from "./browser.ts";
import {
  addUser,
  type DashboardAddress,
  isExpected,
  memberStates,
  openService,
  readDashboard,
  signIn,
} from "./dashboardPages.ts";

let service: RunningService;
let browser: TestBrowser;
let dashboard: DashboardAddress;
let stateOf: ReturnType<typeof memberStates>;
before(async () => {
  [service, browser] = await Promise.all([openService(), openBrowser()]);
  dashboard = await readDashboard(service);
  stateOf = memberStates(service);
});

test("§13.1 who is not signed in signs in, and comes back to the page that was asked for", async () => {
  const { page, context, complaints } = await browser.open();
  await signIn(page, dashboard.dashboardUrl, dashboard.dashboardLogin, `/${service.business}/test/keys`);
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  assert.equal(page.url(), `${dashboard.dashboardUrl}/${service.business}/test/keys`);
  await page.getByText("Test environment: no real money moves.").waitFor();
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one)),
    [],
  );
  await context.close();
});

test("§13.5.7 an environment without a chain is not offered, and its address says so in place of empty lists", async () => {
  const { page, context } = await browser.open();
  await signIn(page, dashboard.dashboardUrl, dashboard.dashboardLogin, `/${service.business}/test/keys`);
  await page.getByText("Live is not set up").waitFor();
  assert.equal(await page.getByRole("link", { name: "Live" }).count(), 0);
  for (const folder of ["keys", "webhooks", "events", "recipients"]) {
    await page.goto(`${dashboard.dashboardUrl}/${service.business}/live/${folder}`);
    await page.getByRole("heading", { name: "Live is not set up", level: 1 }).waitFor();
    assert.equal(await page.getByText("real money").count(), 0);
    assert.deepEqual(await findBarriers(page), []);
  }
  await page.goto(`${dashboard.dashboardUrl}/${service.business}/live/profile`);
  await page.getByRole("heading", { name: "Profile", level: 1 }).waitFor();
  await page.goto(`${dashboard.dashboardUrl}/${service.business}/live/events`);
  await page.getByRole("link", { name: "Go to Test" }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.goto(`${dashboard.dashboardUrl}/${service.business}/live`);
  await page.waitForURL(`**/${service.business}/test`);
  await context.close();
});

test("§2.3.1 a profile that is changed here is what a buyer reads at the checkout", async () => {
  const shop = await newMerchant(service, { name: "Corner shop" });
  const { page, context } = await browser.open({ storageState: await stateOf(shop.business, "admin") });
  await page.goto(`${dashboard.dashboardUrl}/${shop.business}/test/profile`);
  const save = page.getByRole("button", { name: "Save", exact: true });
  const field = (label: string) => page.getByRole("textbox", { name: label, exact: true });
  await field("Name").fill("Fernweh Coffee");
  await field("Refund policy").fill("30 days.\nUnused.");
  await field("Support contact").fill("help");
  await field("Return URL").fill("http://shop.example");
  await save.click();
  await page.getByText("Expected https://").waitFor();
  await page.getByText("Expected an email address").waitFor();
  await field("Support contact").fill("");
  await field("Return URL").fill("https://shop.example");
  await page.getByLabel("Logo").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: aPng(64, 64) });
  await field("Colour").fill("#5B3A8C");
  await page.getByRole("combobox", { name: "Time to pay" }).selectOption("15 minutes");
  await save.click();
  await page.getByText("Profile saved.").waitFor();
  await page.getByText(createHash("sha256").update("30 days.\nUnused.").digest("hex")).waitFor();
  assert.equal(await field("Return URL").inputValue(), "https://shop.example/");
  await page.getByRole("button", { name: "Fernweh Coffee" }).waitFor();
  await lookAt(page, "profile");
  await page.setViewportSize(PHONE);
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), PHONE.width);
  assert.equal(await doubleLetters(page), 28, "letters are as large as the reader's browser has them");
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), PHONE.width);
  await field("Name").fill("Fernweh Coffee Ltd");
  await save.click();
  const toast = page.getByText("Profile saved.").last();
  await toast.waitFor();
  // The message may be that of the save before; the button does nothing until this one is done.
  await page.locator("button[aria-busy]").waitFor({ state: "detached" });
  const [message, form] = await Promise.all([toast.boundingBox(), save.boundingBox()]);
  assert.ok(message!.y + message!.height < form!.y, "the message does not cover the button");
  await field("Name").fill("Fernweh Coffee");
  await save.click();
  await page.getByRole("button", { name: "Navigation" }).click();
  await page.getByRole("button", { name: "Fernweh Coffee", exact: true }).waitFor();
  const { checkoutUrl, createdAt, expiresAt } = await shop.create({ amount: "24500000" });
  assert.equal(Math.floor((Date.parse(expiresAt) - Date.parse(createdAt)) / 60_000), 15);
  await page.goto(checkoutUrl);
  assert.equal(await page.title(), "24.50 USDC to Fernweh Coffee");
  assert.equal(await page.evaluate("document.querySelector('img.logo').naturalWidth"), 64);
  const color = await page.evaluate("getComputedStyle(document.querySelector('#pay')).backgroundColor");
  assert.equal(color, "rgb(91, 58, 140)");
  await context.close();
});

test("§13.7 a key is made, shown once and used; it is rolled, revoked, and 401 at once", async () => {
  const { id } = await admin(service, "business", "add", "Key shop");
  const { page, context } = await browser.open({ storageState: await stateOf(id, "developer") });
  await page.goto(`${dashboard.dashboardUrl}/${id}/test/keys`);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const keepSecret = async (): Promise<string> => {
    const secret = (await page.locator('[data-secret="API key"]').textContent())!;
    await button("Done").click();
    await page.getByText(secret).waitFor({ state: "detached" });
    return secret;
  };
  const askWith = async (key: string) =>
    (await exchange("GET", `${service.apiUrl}/me`, { headers: [["Authorization", `Bearer ${key}`]] })).status;

  await button("Create key").click();
  await page.getByLabel("Name").fill("Shop server");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  const first = await keepSecret();
  assert.equal(await askWith(first), 200);
  await page.getByRole("button", { name: "Actions for Shop server" }).click();
  await page.locator("[popover]:popover-open").getByRole("button", { name: "Roll" }).click();
  await page.getByRole("dialog", { name: "Roll Shop server" }).getByRole("button", { name: "Roll" }).click();
  const second = await keepSecret();
  await page.getByText("Expiring").waitFor();
  assert.deepEqual([await askWith(first), await askWith(second)], [200, 200]);
  await page.getByRole("button", { name: `Actions for Shop server …${second.slice(-4)}` }).click();
  await page.locator("[popover]:popover-open").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog", { name: "Revoke Shop server?" }).getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Key revoked.").waitFor();
  assert.deepEqual([await askWith(first), await askWith(second)], [401, 401]);
  await page.getByText("Expiring").waitFor({ state: "hidden" });
  assert.deepEqual(await findBarriers(page), []);
  await context.close();
});

test("§13.5.1 a member who may only read sees no link to what needs more, and why at its address", async () => {
  const storageState = await stateOf(service.business, "read_only");
  const { page, context } = await browser.open({ viewport: PHONE, storageState });
  await page.goto(`${dashboard.dashboardUrl}/${service.business}/test`);
  await page.getByRole("button", { name: "Navigation" }).click();
  await page.getByRole("link", { name: "API keys" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Audit log" }).count(), 0);
  await page.goto(`${dashboard.dashboardUrl}/${service.business}/test/audit`);
  await page.getByText("Your role does not allow this").waitFor();
  await context.close();
});

test("§13.5.1 a member who may only read sees the profile as text, without a field or a button", async () => {
  const shop = await newMerchant(service, { name: "Quiet shop" });
  await admin(service, "business", "set", shop.business, "--support", "help@shop.example", "--intent-lifetime", "2160");
  const { page, context } = await browser.open({ storageState: await stateOf(shop.business, "read_only") });
  await page.goto(`${dashboard.dashboardUrl}/${shop.business}/test/profile`);
  await page.getByText("Owners and admins can edit the profile.").waitFor();
  const facts = page.getByRole("definition");
  assert.deepEqual(await facts.allTextContents(), [
    "Quiet shop",
    "None",
    "None",
    "help@shop.example",
    "None",
    "None",
    "36 hours",
    "None",
    "UTC",
    ...["None", "None", "None", "None"],
  ]);
  const main = page.getByRole("main");
  assert.equal((await main.getByRole("textbox").count()) + (await main.getByRole("button").count()), 0);
  assert.deepEqual(await findBarriers(page), []);
  await context.close();
});

test("a link to another site is no way on from the sign-in, which leads to the user's first business", async () => {
  // Other files add businesses to the user of the local run, so this test has a user of its own.
  const { id: first } = await admin(service, "business", "add", "A first shop");
  const member = { business: service.business, role: "developer" };
  const login = await addUser(service, "elsewhere@dashboard.example", member);
  await admin(service, "member", "add", first, login.email);
  const { page, context } = await browser.open();
  const next = encodeURIComponent("//evil.example/x");
  await signIn(page, dashboard.dashboardUrl, login, `/sign-in?next=${next}`);
  await page.getByRole("heading", { name: "Home" }).waitFor();
  assert.equal(page.url(), `${dashboard.dashboardUrl}/${first}/test`);
  await context.close();
});

test("all parts of the pages in every state: no barrier, no complaint, nothing too wide", async () => {
  const { page, context, complaints } = await browser.open();
  await page.goto(`${dashboard.dashboardUrl}/parts`);
  await page.getByRole("heading", { name: "Parts" }).waitFor();
  await lookAt(page, "parts");
  // Elsewhere colours are checked by their names: here a browser says what it draws.
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await findBarriers(page, { colours: true }), [], colorScheme);
  }
  await page.getByRole("button", { name: "Open the dialog" }).click();
  await page.getByRole("dialog", { name: "Revoke the key?" }).waitFor();
  await lookAt(page, "parts-with-a-dialog");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByRole("tab", { name: "Second" }).click();
  await page.waitForURL("**/parts?tab=second");
  assert.deepEqual(complaints, [], "no violation of the content security policy either");
  await context.close();
});
