import type { App } from "../http/app.ts";
import { registerFixedBytes, registerFixedText } from "../http/fixedText.ts";
import { html, renderPage } from "./page.ts";

const STYLES =
  ":root{color-scheme:light dark}body{font:17px/1.6 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}li{margin:.4rem 0}";

/** Serves the page at the root, which links to the others, and the icon of all of them. */
export function registerFrontPage(app: App, dashboardUrl: string): void {
  registerFixedBytes(app, "/favicon.ico", "image/x-icon", Buffer.from(ICON, "base64"));
  // A dashboard with its own host may use the root.
  if (new URL(dashboardUrl).pathname === "/") return;
  const { text, headers } = renderPage({
    title: "Holdfast",
    styles: STYLES,
    script: null,
    body: html`<main>
<h1>Holdfast</h1>
<p>Payment intents with buyer protection on Solana.</p>
<ul>
<li><a href="${dashboardUrl}">Dashboard</a></li>
<li><a href="/docs">The API, described</a>, and its <a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/llms.txt">All documents, as Markdown</a></li>
<li><a href="/readyz">Whether everything works</a></li>
</ul>
</main>`,
  });
  registerFixedText(app, "/", "text/html; charset=utf-8", text, headers);
}

/** A shield with an H, 32 by 32. */
const ICON =
  "AAABAAEAICAAAAEACACZAAAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgDAAAARKSKxgAAAAlQTFRFAAAACmtS////raBtwQAAAAF0Uk" +
  "5TAEDm2GYAAAA+SURBVHjaY2CgE2DECgajAiYmJkYUxlBVAAe0U0C+IxmwKWCgrgIGTAUEUyWhdMtAsgIGQvKoKgjkHwb6AgBXFgJvByCnxwAA" +
  "AABJRU5ErkJggg==";
