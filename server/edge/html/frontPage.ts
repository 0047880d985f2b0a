import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { App } from "../http/app.ts";
import { registerFixedBytes, registerFixedText } from "../http/fixedText.ts";
import { type Html, html, renderPage } from "./page.ts";

const STYLES = `${readFileSync(fileURLToPath(import.meta.resolve("@holdfast/ui/tokens.css")), "utf8")}
main{max-width:44rem;margin:0 auto;padding:var(--s6) var(--s4) var(--s7)}
.brand{display:flex;gap:var(--s2);align-items:center;font-weight:650;margin:0 0 var(--s6)}
.brand::before{content:"";width:24px;height:24px;border-radius:7px;background:var(--accent)}
h1{font:650 1.75rem/2.25rem var(--font);letter-spacing:-.01em;margin:0 0 var(--s3)}
h2{font:600 var(--t-lead) var(--font);margin:var(--s6) 0 var(--s2)}
p,li{max-width:60ch}p{margin:0 0 var(--s3)}ul,ol{margin:0 0 var(--s3);padding-inline-start:var(--s5)}li{margin:var(--s1) 0}
.soft{color:var(--soft)}.ways{display:flex;flex-wrap:wrap;gap:var(--s3);margin:var(--s5) 0}
.button{border:1px solid var(--line);border-radius:10px;padding:12px 20px;background:var(--card);color:var(--ink);font-weight:600;text-decoration:none}
.button.first{background:var(--accent);color:var(--accent-ink);border-color:transparent}`;

/** The pages at the root: the face of the site, and what a shop owner asks first. */
export function registerFrontPage(app: App, dashboardUrl: string): void {
  registerFixedBytes(app, "/favicon.ico", "image/x-icon", Buffer.from(ICON, "base64"));
  const register = (path: string, title: string, body: Html) => {
    const { text, headers } = renderPage({ title, styles: STYLES, script: null, body });
    registerFixedText(app, path, "text/html; charset=utf-8", text, headers);
  };
  register("/shops", "For shop owners", SHOPS);
  // A dashboard with its own host may use the root.
  if (new URL(dashboardUrl).pathname === "/") return;
  register(
    "/",
    "Holdfast",
    html`<main>
<p class="brand">Holdfast</p>
<h1>Pay a shop, and object for a time before it gets the money</h1>
<p>A payment waits in an escrow program on Solana. If nothing is wrong, the shop is paid by itself; if something is, the buyer opens a dispute, and an arbiter who is named before the payment decides.</p>
<p class="ways"><a class="button first" href="/pay">Find a payment</a><a class="button" href="/shops">For shop owners</a><a class="button" href="${dashboardUrl}">Sign in</a></p>
<h2>For developers</h2>
<ul>
<li><a href="/docs">API reference</a>, and its <a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/llms.txt">Documents as Markdown</a></li>
<li><a href="/readyz">Service status</a></li>
</ul>
</main>`,
  );
}

/** Answers the first questions of a shop owner. The page describes the mechanism, and promises nothing. */
const SHOPS = html`<main>
<p class="brand">Holdfast</p>
<h1>For shop owners</h1>
<h2>What it costs</h2>
<p>The software and its program take no fee. Whoever signs pays Solana’s fee and rent:</p>
<ul>
<li>A payment binds about 0.0037 SOL at today’s rent. About 0.0009 of it never come back: a small record that keeps the payment’s address from being used again. The rest returns when the payment ends and its record is closed. The site may pay all of it for buyers who have no SOL.</li>
<li>A refund costs your wallet the network’s fee, usually far below a cent.</li>
<li>The first payment to a new wallet of yours opens its account for the token, about 0.0015 SOL, which stay in that account.</li>
</ul>
<p>The operator of this site may charge more, by a contract of its own.</p>
<h2>Who decides disputes, and can I choose?</h2>
<p>One arbiter for the whole site. Its name and address stand on the checkout before the buyer pays, and a payment keeps the arbiter it was made with. A shop cannot choose another. The operator can let a shop decide its own disputes; then every buyer reads so before paying.</p>
<p>You usually have five days to answer a dispute: its page says until when. You answer with text, files and offers. If both sides agree, no arbiter is needed. If nobody decides within 90 days, all of it goes back to the buyer.</p>
<h2>How the money becomes euros</h2>
<p>A recipe, not a promise; prices, times and conditions are those of others:</p>
<ol>
<li>When the protection ends, the tokens arrive in the wallet that you named. Books in the dashboard say which order each belongs to.</li>
<li>Open an account in your business’s name at an exchange that takes this token on Solana.</li>
<li>Send a small amount first, then the rest, to the address that it gives you.</li>
<li>Sell for euros, and withdraw to your bank account.</li>
<li>Give the export of Books, with its values in your currency, to your tax adviser.</li>
</ol>
<h2>Who is liable for what</h2>
<ul>
<li><b>The program</b> sends a payment to its buyer or to its recipient, and nowhere else. It has not been audited. Who holds its upgrade authority could replace it.</li>
<li><b>This site</b> has no key that decides where a payment goes. It shows, records and tells. If it is down, payments on chain go on.</li>
<li><b>The arbiter</b> decides how much of a disputed payment goes to which of the two, and is bound by its own terms.</li>
<li><b>You</b> answer for your goods, for the law of sale, and for the keys of your wallet: nobody can replace them.</li>
<li><b>The token’s issuer</b> can freeze its token, and answers for its price.</li>
</ul>
<p class="soft">This is no legal advice. Statutory rights of buyers stand. <a href="/">Back</a></p>
</main>`;

/** A shield with an H, 32 by 32. */
const ICON =
  "AAABAAEAICAAAAEACACZAAAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgDAAAARKSKxgAAAAlQTFRFAAAACmtS////raBtwQAAAAF0Uk" +
  "5TAEDm2GYAAAA+SURBVHjaY2CgE2DECgajAiYmJkYUxlBVAAe0U0C+IxmwKWCgrgIGTAUEUyWhdMtAsgIGQvKoKgjkHwb6AgBXFgJvByCnxwAA" +
  "AABJRU5ErkJggg==";
