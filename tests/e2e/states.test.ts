import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, doubleLetters, findBarriers, PHONE, type Tab, TestBrowser } from "./browser.ts";
import { PAGE_NAMES, servePage } from "./pictures.ts";

const LOOKS = [
  { viewport: PHONE, device: "phone", colorScheme: "dark" },
  { viewport: DESKTOP, device: "desktop", colorScheme: "light" },
] as const;

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

for (const name of PAGE_NAMES)
  test(`§12.2 the page "${name}" has no barrier, no complaint and no shift, on a dark phone and a light desktop`, async () => {
    for (const [index, { viewport, device }] of LOOKS.entries()) {
      const { page, context, complaints } = tabs[index]!;
      const earlier = complaints.length;
      await page.goto(await servePage(context, name, device));
      assert.deepEqual(await findBarriers(page), [], device);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), viewport.width, "nothing is too wide");
      assert.equal(await page.evaluate("window.shifts"), 0, "nothing moved while it loaded");
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

test("§12.10 a computer is offered its wallets first and the code folded; a phone the wallets' apps, then the request", async () => {
  const desktop = await browser.open();
  await desktop.page.goto(await servePage(desktop.context, "waiting"));
  assert.equal(await desktop.page.locator("#pay").isVisible(), true);
  assert.equal(await desktop.page.getByRole("img", { name: "QR" }).isVisible(), false);
  await desktop.page.getByText("Pay from your phone").click();
  assert.equal(await desktop.page.getByRole("img", { name: "QR" }).isVisible(), true);
  await desktop.context.close();

  const phone = await browser.open({ viewport: PHONE });
  await phone.page.goto(await servePage(phone.context, "waiting", "phone"));
  const linkOf = (name: string) => phone.page.getByRole("link", { name }).getAttribute("href");
  const page = encodeURIComponent("https://pay.shop-demo.com/pay/i/pi_test_5szw01a1fbfeaecb562cb684bcc909ec4992");
  for (const [name, address] of [
    ["Open in Phantom", "https://phantom.app/ul/browse/"],
    ["Open in Solflare", "https://solflare.com/ul/v1/browse/"],
    ["Open in Backpack", "https://backpack.app/ul/v1/browse/"],
  ] as const)
    assert.equal(await linkOf(name), `${address}${page}?ref=${encodeURIComponent("https://pay.shop-demo.com")}`);
  assert.equal(
    await linkOf("Pay with a wallet’s app"),
    "solana:https://pay.shop-demo.com/pay/i/pi_test_5szw01a1fbfeaecb562cb684bcc909ec4992/request",
  );
  assert.equal(await phone.page.locator("#pay").isVisible(), false, "no button without a wallet");
  await phone.context.close();
});

test("§12.16 letters are as large as the reader's browser has them, down to the narrowest screen", async () => {
  const { page, context } = await browser.open();
  for (const name of ["waiting", "waiting-plain", "late", "disputed", "duplicate", "not-found"])
    for (const width of [320, 390, 1360]) {
      await context.unrouteAll();
      await page.setViewportSize({ width, height: 844 });
      await page.goto(await servePage(context, name, width < 400 ? "phone" : "desktop"));
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, `${name} at ${width}`);
      assert.equal(await doubleLetters(page), 30);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, `${name} at ${width}, doubled`);
    }
  await context.close();
});

test("§12.2 the arbiter's domain leads to its site", async () => {
  const { page, context } = await browser.open();
  await page.goto(await servePage(context, "waiting"));
  const link = page.getByRole("link", { name: "nordlicht.example" });
  assert.equal(await link.getAttribute("href"), "https://nordlicht.example");
  await context.close();
});

test("§12.15 the page names who runs the site, with a link", async () => {
  const { page, context } = await browser.open();
  await page.goto(await servePage(context, "waiting"));
  const footer = page.locator("footer");
  assert.match((await footer.textContent()) ?? "", /This site is run by Fernweh Payments/);
  const link = footer.getByRole("link", { name: "Fernweh Payments" });
  assert.equal(await link.getAttribute("href"), "https://fernweh-payments.example/imprint");
  await context.close();
});

test("§12.14 each state says what is still to be done in it, and no more; a payment's own story is on its receipt", async () => {
  const { page, context } = await browser.open();
  const STORY = "The shop is not paid yet";
  const ACT = "There you open a dispute, or release the money";
  const RECEIPT = "View your receipt";
  for (const [name, ...wanted] of [
    ["waiting", STORY],
    ["expired"],
    ["canceled"],
    ["protected", ACT, RECEIPT],
    ["late", ACT, RECEIPT],
    ["disputed", ACT, RECEIPT],
    ["settling", RECEIPT],
    ["settled", RECEIPT],
    ["refunded", RECEIPT],
  ] as const) {
    await page.goto(await servePage(context, name));
    const text = (await page.locator("body").textContent()) ?? "";
    const found = [STORY, ACT, RECEIPT].filter((words) => text.includes(words));
    assert.deepEqual(found, wanted, name);
    await context.unrouteAll();
  }
  await context.close();
});

test("§12.11 the way back to the shop is a button once it is paid, and in every final state; never before", async () => {
  const { page, context } = await browser.open();
  const back = page.getByRole("link", { name: "Back to Fernweh Coffee" });
  for (const name of [
    "protected",
    "late",
    "duplicate",
    "settled",
    "partly-refunded",
    "refunded",
    "expired",
    "canceled",
  ]) {
    await page.goto(await servePage(context, name));
    assert.equal(await back.getAttribute("href"), "https://fernweh.example/orders/1042", name);
    await context.unrouteAll();
  }
  for (const name of ["waiting", "on-its-way", "held"]) {
    await page.goto(await servePage(context, name));
    assert.equal(await back.count(), 0, name);
    await context.unrouteAll();
  }
  await context.close();
});
