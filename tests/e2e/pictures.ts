import type { BrowserContext } from "playwright-core";
import { renderPage } from "../../server/edge/html/page.ts";
import type { Language } from "../../server/features/checkout/languages/language.ts";
import type { Device } from "../../server/features/checkout/page/panel.ts";
import { buildCheckoutScript } from "../../server/process/checkoutScript.ts";
import { pageOf, SITE } from "./pages.ts";

/**
 * Serves one page to a browser at an https address that leads nowhere else: the HTML that the server would send for a view,
 * without a service, a chain or a network. Returns the address.
 */
export async function servePage(
  context: BrowserContext,
  name: string,
  device: Device = "desktop",
  language?: Language,
): Promise<string> {
  const assets = await buildCheckoutScript();
  const { text, headers } = renderPage(pageOf(name, { device, script: assets[0], ...(language && { language }) }));
  await context.route("**/*", async (route) => {
    const { pathname } = new URL(route.request().url());
    const asset = assets.find(({ path }) => path === pathname);
    if (asset !== undefined) return route.fulfill({ contentType: "text/javascript", body: asset.text });
    if (pathname === "/pay/i/1") return route.fulfill({ contentType: "text/html; charset=utf-8", headers, body: text });
    // Streams and polls stay silent: an empty answer would be taken for a lost connection.
    if (["eventsource", "fetch"].includes(route.request().resourceType())) return new Promise<void>(() => undefined);
    return route.abort();
  });
  return `${SITE}/pay/i/1`;
}
