import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LANGUAGES } from "../../server/app/languages/languages.ts";
import { PSEUDO } from "../../server/app/languages/pseudo.ts";
import { draftLanguage } from "../../server/features/checkout/languages/language.ts";
import { inForm } from "../harness/form.ts";
import { DESKTOP, doubleLetters, findBarriers, findOverlaps, PHONE, type Tab, TestBrowser } from "./browser.ts";
import { PAGE_NAMES, SAMPLE_NAMES } from "./pages.ts";
import { servePage } from "./pictures.ts";

const DARK_PHONE = { viewport: PHONE, device: "phone", colorScheme: "dark" } as const;
const LIGHT_DESKTOP = { viewport: DESKTOP, device: "desktop", colorScheme: "light" } as const;
const LOOKS = inForm({ short: [DARK_PHONE], long: [DARK_PHONE, LIGHT_DESKTOP] });
/** The sample has every kind of element; `server/features/checkout/pages.test.ts` checks the text of every page. */
const LOOKED_AT = inForm({ short: SAMPLE_NAMES, long: PAGE_NAMES });

const CASES = PAGE_NAMES.filter((name) => /^(?:receipt-d|case-)/.test(name));

let browser: TestBrowser;
/** Tabs that show one page after another, in the order of {@link LOOKS}. */
let tabs: readonly Tab[];
before(async () => {
  browser = await TestBrowser.launch();
  tabs = await Promise.all(LOOKS.map((look) => browser.open(look)));
  await Promise.all(tabs.map(({ page }) => page.addInitScript(SHIFTS)));
});
after(() => browser?.close());

const SHIFTS = `(() => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
})()`;

/** A text of a line's length that moves by less than a pixel; a tenth is the least that Chromium calls poor. */
const UNSEEN = 0.000_1;

for (const name of LOOKED_AT)
  test(`§12.2 the page "${name}" has no barrier, no complaint and no shift in a browser`, async () => {
    for (const [index, { viewport, device }] of LOOKS.entries()) {
      const { page, context, complaints } = tabs[index]!;
      const earlier = complaints.length;
      await page.goto(await servePage(context, name, device));
      assert.deepEqual(await findBarriers(page), [], device);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), viewport.width, "nothing is too wide");
      const shift = Number(await page.evaluate("window.shifts"));
      assert.ok(shift < UNSEEN, `nothing that can be seen moved while it loaded, not ${shift}`);
      assert.equal(
        await page.evaluate("localStorage.length + sessionStorage.length"),
        0,
        "the next page starts afresh",
      );
      // The page's stream ends before its address stops being served.
      await page.goto("about:blank");
      await context.unrouteAll();
      assert.deepEqual(complaints.slice(earlier), []);
    }
  });

test("§12.3 without a script the page says the terms, and how to pay from a wallet's app", async () => {
  const { page, context } = await browser.open({ javaScriptEnabled: false, viewport: PHONE });
  await page.goto(await servePage(context, "waiting", "phone"));
  const isShown = (text: string) => page.getByText(text, { exact: false }).first().isVisible();
  for (const text of [
    "Fernweh Coffee",
    "24.50",
    "7 days to object",
    "Nordlicht Mediation",
    "needs JavaScript",
    "Open in Phantom",
  ])
    assert.ok(await isShown(text), `it shows ${text}`);
  assert.equal(await page.locator("#pay").isVisible(), false, "no button that does nothing");
  await context.close();
});

test("§16 until the script has loaded, what a buyer wrote of a dispute is lost by no press and no key", async () => {
  const { page, context } = await browser.open();
  const address = await servePage(context, "case-unsaid");
  await page.route("**/*.js", (route) => route.abort());
  await page.goto(address);
  const sent = "[...document.querySelectorAll('form')].filter(({ method }) => method !== 'dialog').length";
  assert.equal(await page.evaluate(sent), 0, "the browser itself sends no form of this page");
  await page.fill("#text", "Nothing has arrived.");
  await page.press("#want", "Enter");
  await page.press('[data-form="opening"] button', "Space");
  await page.click('[data-form="opening"] button');
  await page.waitForLoadState("load");
  assert.equal(await page.inputValue("#text"), "Nothing has arrived.");
  await context.close();
});

test("§12.17 without a script the shop's proof, and that it has none, stand as with one", async () => {
  for (const name of ["waiting", "waiting-plain"]) {
    const shown: string[] = [];
    for (const javaScriptEnabled of [true, false]) {
      const { page, context } = await browser.open({ javaScriptEnabled, viewport: PHONE });
      await page.goto(await servePage(context, name, "phone"));
      assert.equal(await page.locator(".proof").isVisible(), true, name);
      shown.push((await page.locator(".proof").textContent()) ?? "");
      await context.close();
    }
    assert.equal(shown[0], shown[1]);
  }
});

test("§12.10 a computer is offered its wallets first and the code folded; a phone the links to wallets' browsers, then the request", async () => {
  const { page, context } = await browser.open();
  await page.goto(await servePage(context, "waiting"));
  assert.equal(await page.locator("#pay").isVisible(), true);
  assert.equal(await page.getByRole("img", { name: "QR" }).isVisible(), false);
  await page.locator("summary", { hasText: "Pay from your phone" }).click();
  assert.equal(await page.getByRole("img", { name: "QR" }).isVisible(), true);

  await context.unrouteAll();
  await page.setViewportSize(PHONE);
  await page.goto(await servePage(context, "waiting", "phone"));
  const links = await page.getByRole("link").allTextContents();
  const ways = ["Open in Phantom", "Open in Solflare", "Open in Backpack", "Pay with a wallet’s app"];
  assert.deepEqual(links.slice(0, ways.length), ways);
  const request = await page.getByRole("link", { name: "Pay with a wallet’s app" }).getAttribute("href");
  assert.match(request!, /^solana:https/);
  assert.equal(await page.locator("#pay").isVisible(), false, "no button without a wallet");
  await context.close();
});

/** Sends a state to an open page, and waits until the page has read the new form of itself. */
async function sendState({ page, context }: Tab, name: string, at: number): Promise<void> {
  await context.unrouteAll();
  await servePage(context, name);
  await page.route(/\/state$/, (route) => route.fulfill({ json: { state: name, final: false, version: 1, at } }));
  // `void`: the promise is not awaited yet.
  await page.evaluate(`void (window.parsed = new Promise((resolve) => {
    const { parseFromString } = DOMParser.prototype;
    DOMParser.prototype.parseFromString = function (...given) {
      DOMParser.prototype.parseFromString = parseFromString;
      resolve();
      return this.parseFromString(...given);
    };
  }))`);
  await page.evaluate(`dispatchEvent(new Event("online"))`);
  await page.evaluate("window.parsed");
}

test("§12.4 a new state lets a press end first, so that its click is not lost, and waits no longer than two seconds", async () => {
  const tab = await browser.open();
  const { page, context } = tab;
  const beginsAt = Date.now();
  await page.clock.install({ time: beginsAt });
  await page.goto(await servePage(context, "waiting"));
  await page.clock.pauseAt(beginsAt + 3_600_000);
  const press = async () => {
    const box = (await page.locator("summary").first().boundingBox())!;
    await page.mouse.move(box.x + 10, box.y + 10);
    await page.mouse.down();
  };
  const title = () => page.locator("#checkout h2").first().textContent();
  const [waiting, sent, paid] = [await title(), "on-its-way", "protected"];
  await page.evaluate(
    `addEventListener("click", ({ target }) => { window.clicked = target.closest("summary") !== null; })`,
  );
  await press();
  await sendState(tab, sent, beginsAt + 1e9);
  assert.equal(await title(), waiting, "the pressed part is not replaced");
  await page.mouse.up();
  assert.equal(await page.evaluate("window.clicked"), true);
  await page.clock.runFor(1);
  assert.notEqual(await title(), waiting);

  const before = await title();
  await press();
  await sendState(tab, paid, beginsAt + 2e9);
  assert.equal(await title(), before);
  await page.clock.runFor(2_000);
  assert.notEqual(await title(), before, "its end was not heard");
  await context.close();
});

test("§12.16 letters are as large as the reader's browser has them, down to the narrowest screen", async () => {
  const { page, context } = await browser.open();
  const names = inForm({
    short: ["waiting-plain", "receipt-decided-split", "case-offered"],
    long: ["waiting", "waiting-plain", "late", "disputed", "duplicate", "not-found", "receipt-late", ...CASES],
  });
  for (const name of names)
    for (const width of [320, 390, 1360]) {
      await context.unrouteAll();
      await page.setViewportSize({ width, height: 844 });
      await page.goto(await servePage(context, name, width < 400 ? "phone" : "desktop"));
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, `${name} at ${width}`);
      assert.equal(await doubleLetters(page), 30);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, `${name} at ${width}, doubled`);
      assert.deepEqual(await findOverlaps(page), [], `${name} at ${width}, doubled`);
    }
  await context.close();
});

/** Long texts in both directions stand for every language; a whole run looks at each. */
const SPOKEN = inForm({
  short: [PSEUDO, { ...PSEUDO, direction: "rtl" as const }],
  long: [PSEUDO, { ...PSEUDO, direction: "rtl" as const }, ...LANGUAGES],
}).map(draftLanguage);

test("§12.19 no language is too wide, has a barrier or a complaint, from left to right and from right to left", async () => {
  const names = inForm({
    short: ["waiting", "receipt-disputed", "case-offered"],
    long: [
      "waiting",
      "protected",
      "expired",
      "receipt-protected",
      "receipt-decided-split",
      "case-offered",
      "find-found",
    ],
  });
  const { page, context, complaints } = await browser.open();
  for (const language of SPOKEN)
    for (const name of names)
      for (const width of [320, 1_440]) {
        // The page before asks on, where nothing answers it any more.
        await page.goto("about:blank");
        await context.unrouteAll();
        await page.setViewportSize({ width, height: 844 });
        await page.goto(await servePage(context, name, width < 400 ? "phone" : "desktop", language));
        const at = `${name} in ${language.tag} (${language.page.direction}) at ${width}`;
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, at);
        assert.deepEqual(await findBarriers(page), [], at);
      }
  assert.deepEqual(complaints, []);
  await context.close();
});
