import { resolve } from "node:path";
import { PHONE, TestBrowser } from "../e2e/browser.ts";
import { merchantOf } from "../harness/merchant.ts";
import { PROJECT_ROOT, type Service, startService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import { median } from "./startLoad.ts";

/** The page's code that returns the time of its first contentful paint; null before it. */
const PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null";

/**
 * First contentful paint of a checkout page in a new context, of this build and, by turns, of another one: `before` is the
 * folder of its working tree, with its packages installed.
 */
export async function benchPaint([count, before]: readonly string[]): Promise<void> {
  const rounds = Number(count ?? 40);
  const roots = before === undefined ? [PROJECT_ROOT] : [resolve(before), PROJECT_ROOT];
  const services: Service[] = [];
  const browser = await TestBrowser.launch();
  try {
    for (const root of roots) services.push(await startService({ embedded: true, root }));
    const pages = await Promise.all(services.map(createPage));
    const times = pages.map((): number[] => []);
    // The first round warms service and browser, and is not counted.
    for (let round = 0; round <= rounds; round++)
      for (const [index, url] of pages.entries()) {
        const ms = await paint(browser, url);
        if (round > 0) times[index]!.push(ms);
      }
    console.log("| build | first contentful paint, median ms | fastest | slowest |\n|---|---|---|---|");
    for (const [index, all] of times.entries()) {
      const cells = [median(all), Math.min(...all), Math.max(...all)].map((ms) => ms.toFixed(0));
      console.log(`| ${roots[index] === PROJECT_ROOT ? "this build" : "before"} | ${cells.join(" | ")} |`);
    }
  } finally {
    await browser.close();
    for (const service of services) await service.remove();
  }
}

async function createPage(service: Service): Promise<string> {
  const intent = await merchantOf(service, service.business, "", service.testKey).create({});
  return intent.checkoutUrl;
}

async function paint(browser: TestBrowser, url: string): Promise<number> {
  const { page, context } = await browser.open({ viewport: PHONE });
  // Buyers come from the page of another site, so the browser changes its process whatever the headers say.
  await page.goto(new URL("/", url.replace("localhost", "127.0.0.1")).href);
  await page.goto(url);
  const ms = await eventually("the page is painted", () => page.evaluate(PAINTED) as Promise<number | null>);
  await context.close();
  return ms;
}
