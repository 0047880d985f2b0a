import assert from "node:assert/strict";
import { test } from "node:test";
import { CHECKOUT_VIEWS } from "../../../../tests/e2e/checkoutViews.ts";
import { renderPage } from "../../../edge/html/page.ts";
import type { BusinessProfile } from "../../businesses/business.ts";
import { LATE_REASONS, type LateReason } from "../../payments/payment.ts";
import { ENGLISH } from "../languages/english.ts";
import { checkoutPage } from "./document.ts";
import { timeLeftText } from "./text.ts";

const SETTINGS = {
  language: ENGLISH,
  choices: [],
  device: "desktop",
  canPay: true,
  sendsEmails: false,
  url: "https://pay.shop-demo.com/pay/i/1",
  request: null,
  script: null,
  siteOperator: null,
} as const;

function pageOf(business: Partial<BusinessProfile>, environment: "test" | "live" = "live"): string {
  const view = CHECKOUT_VIEWS.protected!;
  const changed = {
    ...view,
    intent: { ...view.intent, environment },
    business: { ...view.business, ...business },
  };
  return renderPage(checkoutPage(changed, SETTINGS)).text;
}
const badgeOf = (page: string) => /<p class="proof.*?<\/p>/s.exec(page)?.[0];

test("§12.17 the proof is a drawn badge apart from the name, and its place says where there is none", () => {
  const proven = pageOf({ name: "fernweh.example Verified domain" });
  assert.match(
    badgeOf(proven)!,
    /^<p class="proof"><svg.*<b translate="no" dir="ltr">fernweh\.example<\/b> Verified domain/,
  );
  assert.match(
    proven,
    /<bdi translate="no" class="name">fernweh\.example Verified domain<\/bdi><\/div>\s*<p class="proof">/,
  );
  const unproven = pageOf({ domain: null, name: "PayPal · verified domain" });
  assert.match(badgeOf(unproven)!, /^<p class="proof none"><svg.*This shop has not proven a domain/);
  assert.doesNotMatch(unproven, /Verified domain/);
});

test("§2.3.7 an unproven shop's logo and colour stand beside the shield, and the page loads pictures of this site alone", () => {
  const logo = "ab".repeat(32);
  const view = CHECKOUT_VIEWS.waiting!;
  const pageWith = (business: Partial<BusinessProfile>) =>
    renderPage(checkoutPage({ ...view, business: { ...view.business, ...business } }, SETTINGS));
  const { text, headers } = pageWith({ logo, color: "#5b3a8c", domain: null });
  assert.match(text, new RegExp(`<img class="logo" src="/pay/logos/${logo}" alt="" width="40" height="40"><bdi`));
  assert.match(badgeOf(text)!, /This shop has not proven a domain/);
  assert.match(text, /\.pay:not\(\[aria-disabled="true"\]\),[^{]*\{background:#5b3a8c;color:#ffffff;/);
  assert.match(headers["Content-Security-Policy"]!, / img-src 'self';/);
  assert.match(pageWith({ color: "#ffd24a" }).text, /\{background:#ffd24a;color:#14211c;/);
  const bare = pageWith({});
  assert.match(bare.text, /<div class="logo" aria-hidden="true">F<\/div>/);
  assert.doesNotMatch(bare.headers["Content-Security-Policy"]!, /img-src/);
});

test("§3.1.8 a payment that was made in time and found after the expiry is not called late", () => {
  const view = CHECKOUT_VIEWS.protected!;
  const isCalledLate = (lateReason: LateReason | null) =>
    renderPage(checkoutPage({ ...view, payment: { ...view.payment!, lateReason } }, SETTINGS)).text.includes(
      "The shop may not deliver",
    );
  assert.deepEqual([null, ...LATE_REASONS].filter(isCalledLate), [
    "paid_after_expiry",
    "paid_after_cancel",
    "found_after_cancel",
  ]);
});

test("§12.17 the links show where they lead", () => {
  const contact = (supportContact: string) => /<a [^>]*>Contact the shop.*?<\/a>/.exec(pageOf({ supportContact }))![0];
  assert.match(contact("https://paypal.com.help.example/a?b"), /dir="ltr">paypal\.com\.help\.example<\/bdi>/);
  assert.match(contact("help@fernweh.example"), /dir="ltr">help@fernweh\.example<\/bdi>/);
  const back = pageOf({ returnUrl: "https://paypal.com.secure.example:8443/{intentId}" });
  assert.match(back, /<bdi translate="no" class="host" dir="ltr">paypal\.com\.secure\.example:8443<\/bdi><\/a>/);
});

test("§12.11 the intent's own return address stands in place of the business's; §12.2 its description is shown as text", () => {
  const view = CHECKOUT_VIEWS.protected!;
  const intent = {
    ...view.intent,
    description: "<b>Beans</b> & more",
    returnUrl: "https://www.fernweh.example/o/{intentId}",
  };
  const page = renderPage(checkoutPage({ ...view, intent }, SETTINGS)).text;
  assert.deepEqual(page.match(/href="https:[^"]*" rel="noreferrer"/g), [
    `href="https://www.fernweh.example/o/${intent.id}" rel="noreferrer"`,
  ]);
  assert.match(page, /<p class="what" dir="auto">&lt;b&gt;Beans&lt;\/b&gt; &amp; more<\/p>/);
  assert.doesNotMatch(renderPage(checkoutPage(view, SETTINGS)).text, /class="what"/);
});

test("§12.17 in live a way back that is not at the proven domain comes with a line that says so", () => {
  const says = (business: Partial<BusinessProfile>, environment: "test" | "live" = "live") =>
    /leads to ([^ ]*), which the shop has not proven/.exec(pageOf(business, environment))?.[1] ?? null;
  assert.equal(says({}), null);
  assert.equal(says({ returnUrl: "https://orders.fernweh.example/" }), null);
  assert.equal(says({ returnUrl: "https://notfernweh.example/" }), "notfernweh.example");
  assert.equal(says({ domain: null }), "fernweh.example");
  assert.equal(says({ domain: null }, "test"), null);
  assert.equal(says({ domain: null, returnUrl: null }), null);
});

test("§12.2 a time left has the whole words of its units, so that no language mixes them with short ones", () => {
  const texts = { ...ENGLISH.page, locale: "de-DE" };
  assert.deepEqual(
    [6 * 1_440 + 23 * 60, 23 * 60 + 59, 4, 0].map((minutes) => timeLeftText(texts, minutes * 60_000)),
    ["6 Tage 23 Stunden", "23 Stunden 59 Minuten", "4 Minuten", texts.lessThanAMinute],
  );
});
