import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, findBarriers, PHONE, TestBrowser } from "./browser.ts";
import { PAGE_NAMES, servePage } from "./pictures.ts";

let browser: TestBrowser;
before(async () => {
  browser = await TestBrowser.launch();
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
    const looks = [
      { viewport: PHONE, device: "ios", colorScheme: "dark" },
      { viewport: DESKTOP, device: "desktop", colorScheme: "light" },
    ] as const;
    for (const { viewport, device, colorScheme } of looks) {
      const { page, context, complaints } = await browser.open({ viewport, colorScheme });
      await page.addInitScript(SHIFTS);
      await page.goto(await servePage(context, name, device));
      assert.deepEqual(await findBarriers(page), [], device);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), viewport.width, "nothing is too wide");
      assert.equal(await page.evaluate("window.shifts"), 0, "nothing moved while it loaded");
      assert.deepEqual(complaints, []);
      await context.close();
    }
  });

test("§12.3 without a script the page says the terms, and how to pay from a wallet's app", async () => {
  const { page, context } = await browser.open({ javaScriptEnabled: false, viewport: PHONE });
  await page.goto(await servePage(context, "waiting", "ios"));
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
