import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { makeOwnerLink } from "../../server/features/staff/actions.ts";
import { readBase32, stepAt, totpCode } from "../../server/features/staff/signIn/totp.ts";
import { addPasskey } from "../../server/features/staff/testing/passkey.ts";
import { PASSWORD, type StaffServer, startStaffServer } from "../../server/process/testing/staffServer.ts";
import { eventually } from "../harness/wait.ts";
import { findBarriers, lookAt, openBrowser, type Tab, type TestBrowser } from "./browser.ts";
import { isExpected, signIn } from "./dashboardPages.ts";
import { openStaff } from "./dashboardWorld.ts";

/** The dashboard in a real browser, on the real staff API, without a chain. */
let staff: StaffServer;
let browser: TestBrowser;
let url: string;
/** A tab in which the operator is signed in, who made themselves by the link of the log. */
let owner: Tab;
before(async () => {
  [staff, browser] = await Promise.all([openStaff(), openBrowser()]);
  url = staff.ctx.dashboardUrl;
  owner = await browser.open();
});
after(() => owner?.context.close());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name, level: 1 });
/** Returns the link in the last email to the address. */
const linkTo = (email: string): Promise<string> =>
  eventually("the email was sent", async () => {
    await staff.sendEmails();
    return staff.emails
      .filter(({ to }) => to === email)
      .flatMap(({ text }) => text.match(/http\S+#\S+/) ?? [])
      .at(-1);
  });
const statusOf = (page: Page, method: string, path: string, body: unknown): Promise<number> =>
  page.evaluate(
    async ([method, path, body]) => {
      const headers = { "Content-Type": "application/json" };
      return (await fetch(`/staff/v1${path}`, { method, headers, body })).status;
    },
    [method, path, JSON.stringify(body)] as const,
  );

test("§13.2.1 the first user signs up by its link, adds a business and invites; a role ends where it ends", async () => {
  const { page } = owner;
  await page.goto(`${url}/sign-up#owner=${await makeOwnerLink(staff.database)}`);
  await page.getByLabel("Email").fill("ada@shop.example");
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("New password").fill("short");
  await button(page, "Create user").click();
  await page.getByRole("alert").getByText(/12/).waitFor();
  await page.getByLabel("New password").fill(PASSWORD);
  await button(page, "Create user").click();
  await heading(page, "Businesses").waitFor();
  await page.getByText("No businesses").waitFor();
  await page.getByText("member add <business id> ada@shop.example --role owner").waitFor();
  await button(page, "Add business").click();
  await page.getByLabel("Name").fill("Fernweh Coffee");
  await page.getByRole("dialog").getByRole("button", { name: "Add business" }).click();
  await heading(page, "Home").waitFor();

  await page.getByRole("link", { name: "Members" }).click();
  await button(page, "Invite member").click();
  await page.getByLabel("Email").fill("sam@shop.example");
  await page.getByRole("combobox", { name: "Role" }).selectOption("developer");
  await button(page, "Send invitation").click();
  await page.getByText("Invitation sent.").waitFor();
  await page.getByRole("cell", { name: "sam@shop.example" }).waitFor();

  const sam = await browser.open();
  await sam.page.goto(await linkTo("sam@shop.example"));
  await heading(sam.page, "Join Fernweh Coffee").waitFor();
  await sam.page.getByLabel("Your name").fill("Sam");
  await sam.page.getByLabel("New password").fill(PASSWORD);
  await button(sam.page, "Join").click();
  await heading(sam.page, "Home").waitFor();
  const [, business] = /(biz_[0-9a-f]{32})/.exec(sam.page.url())!;
  assert.equal(await sam.page.getByRole("link", { name: "Audit log" }).count(), 0);
  await sam.page.getByRole("link", { name: "Members" }).click();
  await sam.page.getByText("Sam (you)").waitFor();
  assert.equal(await button(sam.page, "Invite member").count(), 0);
  const invitation = { email: "x@shop.example", role: "owner" };
  assert.equal(await statusOf(sam.page, "POST", `/businesses/${business}/invitations`, invitation), 403);
  const key = { name: "Server" };
  assert.equal(await statusOf(sam.page, "POST", `/businesses/${business}/test/keys`, key), 201);

  await page.reload();
  await button(page, "Actions for Sam").click();
  await button(page, "Change role").click();
  await page.getByRole("combobox", { name: "Role" }).selectOption("read_only");
  await button(page, "Change role").click();
  await page.getByRole("cell", { name: "Read-only" }).waitFor();
  assert.equal(await statusOf(sam.page, "POST", `/businesses/${business}/test/keys`, key), 403);

  await page.getByRole("link", { name: "Audit log" }).click();
  for (const action of ["member.role_changed", "key.issued", "business.added"])
    await page.getByText(action, { exact: true }).first().waitFor();
  const rows = page.getByRole("table", { name: "Audit log" }).getByRole("row");
  await rows.filter({ hasText: "Member role changed" }).getByText("read_only").waitFor();
  await page.getByText("Filters").click();
  await page.getByRole("combobox", { name: "Action" }).selectOption("API key created");
  await page.getByLabel("Actor").fill("sam@shop.example");
  await button(page, "Apply").click();
  await page.getByText("member.role_changed", { exact: true }).waitFor({ state: "detached" });
  assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), {
    action: "key.issued",
    actor: "sam@shop.example",
  });
  // Exactly one: of several, this would fail.
  await rows.filter({ hasText: "key.issued" }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.reload();
  await rows.filter({ hasText: "sam@shop.example" }).waitFor();
  await button(page, "Clear filters").click();
  await page.getByText("member.role_changed", { exact: true }).waitFor();
  await sam.context.close();
});

test("§13.5.8 where no mail is set up, who invites copies the link from a dialog, once", async () => {
  await using alone = await startStaffServer({ pages: true, mail: false });
  const business = await alone.addBusiness("no mail", { [await alone.addUser("owner@alone.example")]: "owner" });
  const { page, context, complaints } = await browser.open();
  const login = { email: "owner@alone.example", password: PASSWORD };
  await signIn(page, alone.ctx.dashboardUrl, login, `/${business}/test/members`);
  await button(page, "Invite member").click();
  await page.getByLabel("Email").fill("sam@alone.example");
  await button(page, "Send invitation").click();
  await page.getByText("This deployment sends no email. Send the link to sam@alone.example yourself").waitFor();
  const link = (await page.locator("[data-secret]").textContent()) ?? "";
  await lookAt(page, "invitation-link");
  await button(page, "Done").click();
  await page.getByRole("cell", { name: "sam@alone.example" }).waitFor();
  assert.equal((await page.content()).includes(link.split("#")[1]!), false);
  await button(page, "Invite member").click();
  await page.getByLabel("Email").waitFor();
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one)),
    [],
  );
  const sam = await browser.open();
  await sam.page.goto(link);
  await heading(sam.page, "Join no mail").waitFor();
  await sam.context.close();
  await context.close();
});

test("§13.4.2 a change asks for a proof when the last is too old, goes on with it, and is dropped without", async () => {
  const { page } = owner;
  await page.getByRole("link", { name: "Members" }).click();
  await staff.age();
  await button(page, "Invite member").click();
  await page.getByLabel("Email").fill("late@shop.example");
  await button(page, "Send invitation").click();
  await page.getByRole("dialog", { name: "Confirm that it is you" }).getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog", { name: "Confirm that it is you" }).waitFor({ state: "hidden" });
  await button(page, "Send invitation").click();
  const proof = page.getByRole("dialog", { name: "Confirm that it is you" });
  await proof.getByLabel("Password").fill("wrong password here");
  await button(page, "Continue").click();
  await proof.getByRole("alert").waitFor();
  await proof.getByLabel("Password").fill(PASSWORD);
  await button(page, "Continue").click();
  await page.getByRole("cell", { name: "late@shop.example" }).waitFor();
});

/** A device that says yes to everything, in the place of a person's finger. */
async function plugAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function signOut(page: Page, email: string): Promise<void> {
  await page.getByRole("button", { name: email }).click();
  await button(page, "Sign out").click();
  await heading(page, "Sign in").waitFor();
}

test("§13.1.5 a passkey is added, signs in, proves, and is removed", async () => {
  const email = "pia@shop.example";
  await staff.addUser(email);
  const { page, context, complaints } = await browser.open();
  await plugAuthenticator(context, page);
  await signIn(page, url, { email, password: PASSWORD }, "/account");
  await button(page, "Add passkey").click();
  await page.getByLabel("Name").fill("Laptop");
  await button(page, "Continue").click();
  await page.getByRole("cell", { name: "Laptop", exact: true }).waitFor();
  await signOut(page, email);
  await button(page, "Sign in with a passkey").click();
  await heading(page, "Businesses").or(heading(page, "Your businesses")).waitFor();
  await page.goto(`${url}/account`);
  await staff.age();
  await button(page, "Remove Laptop").click();
  await button(page, "Remove passkey").click();
  await button(page, "Use a passkey").click();
  await page.getByText("No passkeys").waitFor();
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one) && !/status of 403/.test(one)),
    [],
  );
  await context.close();
});

test("§13.1.4 an authenticator app is set up by its code; the sign-in asks for one, or for a backup code", async () => {
  const email = "tom@shop.example";
  await staff.addUser(email);
  const { page, context } = await browser.open();
  await signIn(page, url, { email, password: PASSWORD }, "/account");
  await button(page, "Set up").click();
  await page.getByRole("img", { name: "QR code of the secret" }).waitFor();
  const secret = await page.getByText(/^[A-Z2-7]{32}$/).textContent();
  const code = (ahead: number) => totpCode(readBase32(secret!), stepAt(new Date()) + ahead);
  await page.getByRole("textbox", { name: "Code" }).fill(code(0));
  await button(page, "Confirm").click();
  await page.getByRole("dialog", { name: "Your backup codes" }).waitFor();
  const backup = (await page.locator('[data-secret="Backup codes"]').textContent())!.split("\n");
  assert.equal(backup.length, 10);
  assert.deepEqual(await findBarriers(page), []);
  await button(page, "Done").click();
  await page.getByText("10 backup codes left").waitFor();

  // A code works once: the second sign-in takes the next one, which counts already.
  for (const given of [() => code(1), () => backup[0]!]) {
    await signOut(page, email);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await button(page, "Sign in").click();
    await heading(page, "Enter your code").waitFor();
    await page.getByRole("textbox", { name: "Code" }).fill("000000x");
    await button(page, "Continue").click();
    await page.getByRole("alert").waitFor();
    await page.getByRole("textbox", { name: "Code" }).fill(given());
    await button(page, "Continue").click();
    await heading(page, "Your businesses").waitFor();
  }
  await page.goto(`${url}/account`);
  await page.getByText("9 backup codes left").waitFor();
  await context.close();
});

test("§13.3 a forgotten password is set by the email's link; §13.1.8 sessions ended elsewhere are over here", async () => {
  const email = "rita@shop.example";
  await staff.addUser(email);
  const [here, there] = [await browser.open(), await browser.open()];
  for (const { page } of [here, there]) {
    await signIn(page, url, { email, password: PASSWORD }, "/account");
    // The page has read everything by now, so any later read is caused by the test.
    await page.getByText("No passkeys").waitFor();
  }
  await here.page.getByRole("tab", { name: "Sessions" }).click();
  await button(here.page, "End").click();
  await here.page.getByText("Session ended.").waitFor();
  await there.page.getByRole("tab", { name: "Sessions" }).click();
  await heading(there.page, "Sign in").waitFor();

  await there.page.getByRole("link", { name: "Forgot your password?" }).click();
  // The page before it has a field of the same name.
  await heading(there.page, "Forgot your password?").waitFor();
  await there.page.getByLabel("Email").fill(email);
  await button(there.page, "Send link").click();
  await heading(there.page, "Check your email").waitFor();
  await there.page.goto(await linkTo(email));
  const password = "another horse battery";
  await there.page.getByLabel("New password").fill(password);
  await button(there.page, "Set password").click();
  await heading(there.page, "Your password is set").waitFor();
  await there.page.getByRole("link", { name: "Go to sign-in" }).click();
  await signIn(there.page, url, { email, password });
  await here.page.getByRole("tab", { name: "Security" }).click();
  await here.page.reload();
  await heading(here.page, "Sign in").waitFor();
  for (const { context } of [here, there]) await context.close();
});

test("§13.3.3 the page of the link shows what signs in; passkeys go unless they are kept", async () => {
  const email = "ivy@shop.example";
  await staff.addUser(email);
  const { page, context } = await browser.open();
  await plugAuthenticator(context, page);
  await signIn(page, url, { email, password: PASSWORD }, "/account");
  const ivy = await staff.signIn(email);
  await addPasskey(ivy, "Left by somebody");
  await addPasskey(ivy, "Mine");
  await staff.browser().post("/password-resets", { email });
  await page.goto(await linkTo(email));
  await page.getByText("These 2 sessions end.").waitFor();
  await page.getByLabel("Remove Mine").uncheck();
  await page.getByLabel("New password").fill("another horse battery");
  await button(page, "Set password").click();
  await page.getByText("All your sessions have ended, and one passkey was removed.").waitFor();
  await page.getByRole("link", { name: "Go to sign-in" }).click();
  await signIn(page, url, { email, password: "another horse battery" }, "/account");
  await page.getByRole("cell", { name: "Mine", exact: true }).waitFor();
  assert.equal(await page.getByRole("cell", { name: "Left by somebody" }).count(), 0);
  await context.close();
});

test("§13.15 the account says what happened to it; §13.1.12 signing out everywhere leads to the sign-in", async () => {
  const email = "hal@shop.example";
  await staff.addUser(email);
  const [here, there] = [await browser.open(), await browser.open()];
  for (const { page } of [here, there]) await signIn(page, url, { email, password: PASSWORD }, "/account");
  const { page } = here;
  await button(page, "Change password").click();
  await page.getByLabel("Current password").fill("wrong password here");
  await page.getByLabel("New password").fill("another horse battery");
  await button(page, "Change password").click();
  await page.getByRole("alert").getByText("The current password is wrong.").waitFor();
  await page.getByLabel("Current password").fill(PASSWORD);
  await button(page, "Change password").click();
  await page.getByText("Password changed. Your other sessions have ended.").waitFor();
  await page.getByRole("tab", { name: "Activity" }).click();
  const rows = page.getByRole("table", { name: "Account activity" }).getByRole("row");
  await rows.filter({ hasText: "Password changed" }).waitFor();
  await rows.filter({ hasText: "with password, from a new browser" }).first().waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.getByRole("tab", { name: "Sessions" }).click();
  await button(page, "Sign out everywhere").click();
  await page.getByRole("dialog", { name: "Sign out everywhere?" }).getByRole("button", { name: "Sign out" }).click();
  await heading(page, "Sign in").waitFor();
  for (const { context } of [here, there]) await context.close();
});

test("§13.15 the account's activity waits, fails and is read again, in words", async () => {
  const email = "lee@shop.example";
  await staff.addUser(email);
  const { page, context } = await browser.open();
  await signIn(page, url, { email, password: PASSWORD }, "/account");
  let answer: "wait" | "fail" | "none" = "wait";
  const released = Promise.withResolvers<void>();
  await page.route("**/staff/v1/account/history*", async (route) => {
    if (answer === "wait") await released.promise;
    if (answer === "none") return route.fulfill({ json: { object: "list", data: [], hasMore: false } });
    return route.fulfill({ status: 403, json: { error: { code: "forbidden", message: "No." } } });
  });
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByRole("status", { name: "Loading" }).waitFor();
  answer = "fail";
  released.resolve();
  await page.getByRole("alert").waitFor();
  answer = "none";
  await page.reload();
  await page.getByText("No activity").waitFor();
  await context.close();
});

test("everything before and behind the sign-in goes by keyboard", async () => {
  const email = "kay@shop.example";
  await staff.addUser(email);
  const { page, context } = await browser.open();
  await page.goto(url);
  await heading(page, "Sign in").waitFor();
  for (const typed of [email, PASSWORD]) {
    await page.keyboard.press("Tab");
    await page.keyboard.type(typed);
  }
  await page.keyboard.press("Enter");
  await heading(page, "Your businesses").waitFor();
  const menu = page.getByRole("button", { name: email });
  await menu.focus();
  await page.keyboard.press("Enter");
  const item = button(page, "Your account");
  await item.waitFor();
  await page.locator("button:focus", { hasText: "Your account" }).waitFor();
  await page.keyboard.press("Escape");
  await item.waitFor({ state: "hidden" });
  await page.locator("button:focus", { hasText: email }).waitFor();
  await page.keyboard.press("Enter");
  // The menu takes the focus a moment after it is seen; a key before that is still the button's.
  await page.locator("button:focus", { hasText: "Your account" }).waitFor();
  await page.keyboard.press("Enter");
  await heading(page, "Your account").waitFor();
  await context.close();
});

test("no page has a barrier, or is too wide for a phone", async () => {
  const business = /(biz_[0-9a-f]{32})/.exec(owner.page.url())![1]!;
  const cookies = await owner.context.cookies();
  const ada = "ada@shop.example";
  await staff.browser().post("/password-resets", { email: ada });
  const [, link] = (await linkTo(ada)).split("#link=");
  const { page, context, complaints } = await browser.open();
  const look = async (path: string, title: string) => {
    await page.goto(`${url}${path}`);
    await heading(page, title).waitFor();
    const loading = page.getByRole("status", { name: "Loading" });
    await eventually(`${path} is read`, async () => (await loading.count()) === 0);
    await lookAt(page, `staff-${title}-${path.replaceAll(/\W/g, "-").slice(0, 20)}`);
  };
  await look("/sign-in", "Sign in");
  await look("/forgot", "Forgot your password?");
  await look("/sign-up#owner=x", "Create the first user");
  await look("/password", "This link does not work");
  await look("/invitation", "This link does not work");
  await look(`/password#link=${link}`, "Set your password");
  await context.addCookies(cookies);
  await look("/account", "Your account");
  await look("/account?tab=sessions", "Your account");
  await look("/account?tab=emails", "Your account");
  await look("/account?tab=history", "Your account");
  await look("/businesses?tab=all", "Businesses");
  await look(`/${business}/test/members`, "Members");
  await look(`/${business}/live/audit`, "Audit log");
  await look("/nowhere", "Page not found");
  assert.deepEqual(
    complaints.filter((one) => !isExpected(one)),
    [],
  );
  await context.close();
});
