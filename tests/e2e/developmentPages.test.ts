import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { PASSWORD, type StaffServer, startStaffServer } from "../../server/process/testing/staffServer.ts";
import { servePages } from "../../tools/dev/pages.ts";
import { findFreePorts } from "../harness/ports.ts";
import { eventually } from "../harness/wait.ts";
import { type Tab, TestBrowser } from "./browser.ts";
import { isExpected, signIn } from "./dashboardPages.ts";

/** The pages of `npm run dev`, from a copy of their sources that the test edits. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const EMAIL = "dev@shop.example";
let staff: StaffServer;
let browser: TestBrowser;
let pages: Awaited<ReturnType<typeof servePages>>;
let folder: string;
let tab: Tab;

before(async () => {
  const port = await findFreePorts(1);
  // Inside the project, where the copy finds the packages.
  await mkdir(join(ROOT, ".data"), { recursive: true });
  folder = await mkdtemp(join(ROOT, ".data/pages-"));
  [staff, browser] = await Promise.all([startStaffServer({ pagesPort: port }), TestBrowser.launch()]);
  for (const name of ["dashboard", "ui"])
    await cp(join(ROOT, "web", name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.endsWith("node_modules"),
    });
  const [base, serviceUrl] = ["/dashboard", staff.url];
  pages = await servePages({
    web: folder,
    cache: join(ROOT, "node_modules/.cache/holdfast/vite-test"),
    host: "localhost",
    port,
    base,
    serviceUrl,
  });
  tab = await browser.open();
});
after(async () => {
  await browser?.close();
  await pages?.close();
  await staff?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

test("a saved change of a page shows without a reload, with its styles and what was typed", async () => {
  const path = join(folder, "dashboard/signIn/signInPage.tsx");
  const source = await readFile(path, "utf8");
  const { page, complaints } = tab;
  await page.goto(staff.ctx.dashboardUrl);
  const field = page.locator("input[name=email]");
  await field.fill("typed@shop.example");
  // A class that no page names: its style is made after the save.
  const paragraph = '<p className="max-w-[401px]">Saved</p>\n      <p>';
  await writeFile(path, source.replace("<p>", paragraph));
  await page.getByText("Saved", { exact: true }).waitFor();
  // The page's policy forbids the `eval` by which a browser would wait.
  const width = () => page.evaluate(`getComputedStyle(document.querySelector('p[class^="max-w-"]')).maxWidth`);
  await eventually("its style", async () => (await width()) === "401px");
  assert.equal(await field.inputValue(), "typed@shop.example");
  assert.deepEqual(
    complaints.filter((line) => !isExpected(line)),
    [],
  );
});

test("a user signs in through the development server, under the service's own rules for hosts, origins and cookies", async () => {
  const userId = await staff.addUser(EMAIL);
  await staff.addBusiness("home", { [userId]: "developer" });
  await signIn(tab.page, staff.ctx.dashboardUrl, { email: EMAIL, password: PASSWORD });
  assert.deepEqual(
    tab.complaints.filter((line) => !isExpected(line)),
    [],
  );
});
