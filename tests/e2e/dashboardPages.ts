import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Cookie, Page } from "playwright-core";
import { admin } from "../harness/admin.ts";
import { type RunningService, sharedService } from "../harness/service.ts";
import { Browser as StaffBrowser } from "../harness/staffBrowser.ts";
import type { BrowserState } from "./browser.ts";

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

let opened: Promise<RunningService> | undefined;
/** The service of the run, once for all suites of a file. */
export function openService(): Promise<RunningService> {
  opened ??= sharedService();
  return opened;
}
export const closeService = async (): Promise<void> => (await opened)?.remove();

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

/** The cookies of a session that began by the API alone. */
export const cookiesOf = ({ cookie, known }: StaffBrowser): Cookie[] =>
  [cookie, known].flatMap((pair) => {
    const [name, value] = pair?.split("=") ?? [];
    if (name === undefined || value === undefined) return [];
    return [
      {
        ...{ name, value, domain: "localhost", path: "/", expires: -1 },
        ...{ httpOnly: true, secure: false, sameSite: "Lax" as const },
      },
    ];
  });

const logins = new Map<string, Promise<Login>>();

/**
 * Returns the function that gives a role in a business to the user of that role, and returns the state of a browser in which
 * the user is signed in. A suite asks once for each session that it needs; the users are those of the whole file.
 */
export function memberStates(service: RunningService) {
  const states = new Map<string, Promise<BrowserState>>();
  const members = new Set<string>();
  const signInAs = async (role: string): Promise<BrowserState> => {
    const login = logins.get(role) ?? addUser(service, memberOf(role));
    logins.set(role, login);
    const { dashboardUrl } = await readDashboard(service);
    const browser = new StaffBrowser(`http://localhost:${service.port}`, new URL(dashboardUrl).origin);
    const { status, text } = await browser.post("/sign-in", await login);
    if (status !== 200) throw new Error(`The sign-in failed: ${text}`);
    return { cookies: cookiesOf(browser), origins: [] };
  };
  return async (business: string, role: string): Promise<BrowserState> => {
    const state = states.get(role) ?? signInAs(role);
    states.set(role, state);
    const found = await state;
    if (!members.has(`${business} ${role}`))
      await admin(service, "member", "add", business, memberOf(role), "--role", role);
    members.add(`${business} ${role}`);
    return found;
  };
}

/** The email of the user who has this role. */
export const memberOf = (role: string): string => `${role.replace("_", "-")}@members.example`;

/**
 * The browser's own line about a 401, which the first visit of one who is not signed in has, or about a 503, with which a busy
 * machine may answer once: the page asks again by itself.
 */
export const isExpected = (complaint: string): boolean => /status of (401|503)/.test(complaint);
