// `npm run screenshots [-- <folder>]`: a picture of every page a buyer may see, on desktop and phone, light and dark.
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DESKTOP, PHONE, TestBrowser } from "./browser.ts";
import { PAGE_NAMES } from "./pages.ts";
import { servePage } from "./pictures.ts";

const folder = resolve(process.argv[2] ?? ".data/screenshots");
const wanted = process.argv.slice(3);
await mkdir(folder, { recursive: true });
const browser = await TestBrowser.launch();
for (const name of PAGE_NAMES.filter((one) => wanted.length === 0 || wanted.includes(one)))
  for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE }))
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, context } = await browser.open({ viewport, colorScheme });
      await page.goto(await servePage(context, name, size === "phone" ? "phone" : "desktop"));
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true });
      await context.close();
    }
await browser.close();
console.log(`The pictures are in ${folder}.`);
