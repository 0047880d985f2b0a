import { type StaffServer, startStaffServer } from "../../server/process/testing/staffServer.ts";
import { sql } from "../../server/store/sql.ts";
import { closeBrowser, openBrowser, type Tab, type TabOptions } from "./browser.ts";
import { cookiesOf } from "./dashboardPages.ts";

/**
 * The suites of one test file share its process, one browser, and one staff server on one database. Each suite has users
 * and businesses of its own, opens what it needs in its `before`, and closes its tabs, since an open page reads on.
 */
let staff: Promise<StaffServer> | undefined;

export const openStaff = (): Promise<StaffServer> => {
  staff ??= startStaff();
  return staff;
};

export async function closeWorld(): Promise<void> {
  await closeBrowser();
  await (await staff)?.[Symbol.asyncDispose]();
}

/** Tokens with six decimals that the chain has shown. */
export const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
export const EURC = "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr";
const KEEPER = "5ZWj7a1f8tWkjBESHKgrLmXshuXxqeY9SYcfbshpAqPG";

async function startStaff(): Promise<StaffServer> {
  // Operators read of it on their first page.
  const low = [{ kind: "keeper_low" as const, address: KEEPER, lamports: 12_000_000n }];
  const server = await startStaffServer({
    pages: true,
    countLook: () => undefined,
    watchOf: (environment) => ({ isHeld: environment === "live", low }),
  });
  await server.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    select 'test', a, true, 6, 'any', '{}', now() from unnest(array[${USDC}, ${EURC}]) a`);
  return server;
}

/** A tab in which the user is signed in; no page is open yet. */
export async function openSignedIn(email: string, options: TabOptions = {}): Promise<Tab> {
  const [opened, server] = [await openBrowser(), await openStaff()];
  const tab = await opened.open(options);
  await tab.context.addCookies(cookiesOf(await server.signIn(email)));
  return tab;
}
