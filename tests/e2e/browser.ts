import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { AxeResults } from "axe-core";
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import { eventually, HUNG_MS } from "../harness/wait.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const UNPACK_MS_MAX = 180_000;
/**
 * The package's own list has --single-process, with which the browser dies when a context is closed. V8's optimising compilers
 * change no result; pages that live for seconds never earn back the time that they take.
 */
const ARGS = [
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--headless=shell",
  "--font-render-hinting=none",
  "--js-flags=--no-maglev,--no-turbofan",
];

export const PHONE = { width: 390, height: 844 } as const;
/** The user agent of Chrome on a phone. */
export const ANDROID =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Mobile Safari/537.36";
export const DESKTOP = { width: 1360, height: 900 } as const;

export interface TabOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  readonly javaScriptEnabled?: boolean;
  readonly userAgent?: string;
  readonly locale?: string;
  /** Cookies and storage that another context had, with which this one starts. */
  readonly storageState?: BrowserState;
}

export type BrowserState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** A page with a context of its own. It remembers what the browser complained of. */
export interface Tab {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Uncaught errors, console errors and violations of the content security policy, in the browser's words. */
  readonly complaints: readonly string[];
}

/** The browser of the tests: Chromium from an npm package, so that a machine needs nothing but npm. */
export class TestBrowser {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async launch(): Promise<TestBrowser> {
    const { executablePath, env } = await findBrowser();
    return new TestBrowser(await chromium.launch({ executablePath, env, args: ARGS, headless: true }));
  }

  async open({ viewport = DESKTOP, colorScheme = "light", ...options }: TabOptions = {}): Promise<Tab> {
    // Without a locale, the browser reports "en-US@posix", which is no language tag and which no user's browser reports.
    const settled = { viewport, colorScheme, timezoneId: "UTC", locale: "en-US", ...options };
    const context = await this.#browser.newContext(settled);
    context.setDefaultTimeout(HUNG_MS);
    return tabOf(context);
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}

let opened: Promise<TestBrowser> | undefined;
/** The one browser of a test file, for all of its suites. The file closes it in its last `after`. */
export function openBrowser(): Promise<TestBrowser> {
  opened ??= TestBrowser.launch();
  return opened;
}
export const closeBrowser = async (): Promise<void> => (await opened)?.close();

/** The smallest build: every new document parses it. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/**
 * Returns the violations that axe finds on the page, a line each. The page must be accessible as it stands. Colours are
 * left out: `web/ui/contrast.test.ts` holds all of them, of both schemes. `colours`: this page is checked for them too.
 */
export async function findBarriers(page: Page, { colours = false } = {}): Promise<string[]> {
  if (await page.evaluate("window.axe === undefined")) await page.evaluate(AXE);
  const options = { resultTypes: ["violations"], rules: { "color-contrast": { enabled: colours } } };
  const found = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  return found.violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.html).join(" ")})`);
}

/**
 * Checks a page at both widths: it is accessible, and nothing is wider than the window. With `PICTURES`, a folder, it keeps
 * a picture of each, light and dark.
 */
export async function lookAt(page: Page, name: string, wide: TabOptions["viewport"] = DESKTOP): Promise<void> {
  for (const viewport of [PHONE, wide]) {
    await page.setViewportSize(viewport);
    assert.deepEqual(await findBarriers(page), [], `${name} ${viewport.width}`);
    // Charts are drawn again in a later frame.
    const fits = async () => (await page.evaluate("document.documentElement.scrollWidth")) === viewport.width;
    await eventually(`${name} is as wide as the window, ${viewport.width}`, fits);
    await keepPictures(page, `${name}-${viewport.width}`);
  }
}

async function keepPictures(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder === undefined) return;
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, fullPage: true });
  }
}

/** A page has fewer places that the Tab key reaches. */
const TABS_MAX = 150;

/** Runs in the page; as text, since these tests' types know no browser. */
const isFocused = () => new Function("element", "return element === document.activeElement") as () => boolean;

/** Moves the focus to an element by the Tab key alone. */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    if (await element.evaluate(isFocused())) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`The Tab key never reaches ${element}.`);
}

/** Presses a button or follows a link by keyboard alone. */
export async function pressKey(page: Page, element: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, element);
  await page.keyboard.press(key);
}

/** Doubles the browser's font size, as a user can; returns the page's own size afterwards, in pixels. */
export const doubleLetters = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    document.documentElement.style.fontSize = "32px";
    return parseFloat(getComputedStyle(document.body).fontSize);
  })()`);

/** Returns the texts of a page that are drawn over another one. */
export const findOverlaps = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    const drawn = [];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const { parentElement } = text;
      if (!parentElement.checkVisibility() || getComputedStyle(parentElement).clipPath !== "none") continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const { left, right, top, bottom } of range.getClientRects())
        if (right - left > 2) drawn.push({ text, left, right, top, bottom });
    }
    // Lines of one text may touch.
    const isOver = (a, b) => a.text !== b.text &&
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
    return drawn.flatMap((a, at) => drawn.slice(at + 1).filter((b) => isOver(a, b)).map((b) => a.text.data + " | " + b.text.data));
  })()`);

/** Opens another page in a context. */
export async function tabOf(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return { page, context, complaints };
}

interface FoundBrowser {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

async function findBrowser(): Promise<FoundBrowser> {
  const own = process.env.BROWSER_PATH;
  if (own !== undefined) return { executablePath: own, env: inherited() };
  assert.equal(
    process.arch,
    "x64",
    "The bundled browser is for x64. Set BROWSER_PATH to a Chromium of this machine and run again.",
  );
  const folder = await unpack();
  const executablePath = join(folder, "chromium");
  const env = { ...inherited(), FONTCONFIG_FILE: await writeFontConfig(folder) };
  const runs = await run(executablePath, ["--version"], { env }).then(
    () => true,
    () => false, // the machine lacks a library: the package's own are used
  );
  return { executablePath, env: runs ? env : { ...env, LD_LIBRARY_PATH: join(folder, "al2023", "lib") } };
}

/**
 * The browser's own fonts, so that a page is the same on every machine. The package's configuration searches only folders of
 * /tmp; without any font, text has no height and counts as hidden.
 */
async function writeFontConfig(folder: string): Promise<string> {
  const path = join(folder, "fonts.conf");
  const part = `${path}.${process.pid}`;
  const text = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`;
  await writeFile(part, `<?xml version="1.0"?>\n${text}\n`);
  await rename(part, path);
  return path;
}

const inherited = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** Unpacks the browser once per installed version. Several processes may do so at once: the first to finish wins. */
async function unpack(): Promise<string> {
  const manifest = JSON.parse(await readFile(join(ROOT, "node_modules/@sparticuz/chromium/package.json"), "utf8"));
  const cache = join(ROOT, "node_modules/.cache");
  const folder = join(cache, `chromium-${manifest.version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const part = await mkdtemp(`${folder}-`);
  await run(process.execPath, [...process.execArgv, join(import.meta.dirname, "unpackBrowser.ts")], {
    env: { ...inherited(), TMPDIR: part },
    timeout: UNPACK_MS_MAX,
  });
  await rename(part, folder).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    await rm(part, { recursive: true }); // another process was faster
  });
  return folder;
}
