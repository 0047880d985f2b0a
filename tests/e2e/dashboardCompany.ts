import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { type CompanyWorld, startCompany } from "../../server/features/staff/testing/company.ts";
import { PASSWORD } from "../../server/process/testing/staffServer.ts";
import { findBarriers, lookAt, openBrowser, type TestBrowser } from "./browser.ts";
import { signIn } from "./dashboardPages.ts";

/** The company sign-in in a real browser, by a real provider on this machine. */
let world: CompanyWorld;
let browser: TestBrowser;
let url: string;
before(async () => {
  [world, browser] = await Promise.all([startCompany(true), openBrowser()]);
  url = world.server.ctx.dashboardUrl;
});
after(() => world?.[Symbol.asyncDispose]());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });

test("§13.24 a person signs in by the company, and comes back to the dashboard alone", async () => {
  const { server, provider } = world;
  const shop = await server.addBusiness("Fernweh Coffee", { [await server.addUser("owner@shop.example")]: "owner" });
  world.map("team", { [shop]: "developer" });
  world.addPerson("ada", { name: "Ada", groups: ["team"] });
  provider.next = "ada";
  const { page, context } = await browser.open();
  // A page of others as the page to return to leads home.
  await page.goto(`${url}/sign-in?next=//evil.example/`);
  await button(page, "Sign in with Acme").waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await lookAt(page, "company-sign-in");
  await button(page, "Sign in with Acme").click();
  await heading(page, "Home").waitFor();
  assert.ok(page.url().startsWith(`${url}/${shop}/`), page.url());
  await page.getByRole("link", { name: "Members" }).click();
  await page.getByText("by group").waitFor();
  await lookAt(page, "company-members");
  // The answer of the provider, opened again, signs nobody in.
  await page.goto(`${url}/sign-in/company?code=used&state=old`);
  await page.getByText("You are not signed in").waitFor();
  await page.getByText(/was not begun here/).waitFor();
  assert.equal(new URL(page.url()).search, "");
  await lookAt(page, "company-refused");
  await context.close();
});

test("§13.24 a user links the company, confirms by it, and unlinks it", async () => {
  const { server, provider } = world;
  await server.addUser("kim@shop.example");
  world.addPerson("kim");
  provider.next = "kim";
  const { page, context } = await browser.open();
  await signIn(page, url, { email: "kim@shop.example", password: PASSWORD }, "/account");
  await lookAt(page, "company-account");
  await button(page, "Link Acme").click();
  await page.getByText("Linked", { exact: true }).waitFor();
  await server.age();
  await button(page, "Unlink").click();
  await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
  await button(page, "Confirm with Acme").waitFor();
  await lookAt(page, "company-proof");
  await button(page, "Confirm with Acme").click();
  await heading(page, "Your account").waitFor();
  await button(page, "Unlink").click();
  await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
  await button(page, "Link Acme").waitFor();
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByText("Company sign-in unlinked").first().waitFor();
  await context.close();
});

test("§13.24 the page says that the provider is away, and a password signs in", async () => {
  const { provider, server } = world;
  await server.addUser("away@shop.example");
  await provider.close();
  const { page, context } = await browser.open();
  await page.goto(`${url}/sign-in`);
  await button(page, "Sign in with Acme").click();
  await page.getByRole("alert").getByText("Acme cannot be reached.").waitFor();
  await lookAt(page, "company-away");
  await signIn(page, url, { email: "away@shop.example", password: PASSWORD }, "/sign-in?next=%2Faccount");
  await heading(page, "Your account").waitFor();
  await context.close();
});
