import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { admin } from "../harness/admin.ts";
import type { RunningService } from "../harness/service.ts";
import { Browser as StaffBrowser } from "../harness/staffBrowser.ts";

/** Parts that tests of the dashboard share: its address, their own users, and the sign-in. */

interface Login {
  readonly email: string;
  readonly password: string;
}

export interface DashboardAddress {
  readonly dashboardUrl: string;
  readonly dashboardLogin: Login;
}

export async function readDashboard(service: RunningService): Promise<DashboardAddress> {
  return JSON.parse(await readFile(join(service.dataDir, "ready.json"), "utf8")) as DashboardAddress;
}

const PASSWORD = "correct horse battery";

/** A user with a password, and with a role in a business where one is given. `flags`: further words of the command. */
export async function addUser(
  service: RunningService,
  email: string,
  member: { readonly business: string; readonly role: string } | null = null,
  ...flags: readonly string[]
): Promise<Login> {
  const { dashboardUrl } = await readDashboard(service);
  const { link } = await admin(service, "user", "add", email, ...flags);
  const browser = new StaffBrowser(`http://localhost:${service.port}`, new URL(dashboardUrl).origin);
  const set = await browser.post("/password-resets/complete", { link: link.split("#link=")[1], password: PASSWORD });
  if (set.status !== 200) throw new Error(`The password was not set: ${set.text}`);
  if (member !== null) await admin(service, "member", "add", member.business, email, "--role", member.role);
  return { email, password: PASSWORD };
}

/** Fills in the sign-in page and waits until the next page is there, with its title. */
export async function signIn(page: Page, dashboardUrl: string, { email, password }: Login, path = ""): Promise<void> {
  await page.goto(`${dashboardUrl}${path}`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.locator("#main h1").waitFor();
}

/** The browser's own line about a 401, which the first visit of one who is not signed in has. */
export const isExpected = (complaint: string): boolean => /status of 401/.test(complaint);
