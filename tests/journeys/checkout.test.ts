import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { advance, pay } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { type Answer, exchange } from "../harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let shop: Merchant;
const NAME = `Tom & "Jerry's" <script>alert(1)</script>`;
before(async () => {
  service = await startService();
  shop = await newMerchant(service, { name: NAME });
});
after(() => service?.remove());

/** What a browser sends: the merchant API would refuse it, a buyer's page must not. */
const BROWSER = [
  ["Sec-Fetch-Site", "none"],
  ["Cookie", "a=b"],
] as const;
const open = (intent: Wire, checkoutUrl = intent.checkoutUrl): Promise<Answer> =>
  exchange("GET", checkoutUrl, { headers: BROWSER });

function assertSafePage(page: Answer, status = 200): void {
  assert.equal(page.status, status);
  assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
  assert.equal(page.headers["x-content-type-options"], "nosniff");
  assert.equal(page.headers["referrer-policy"], "no-referrer");
  assert.equal(page.headers["cache-control"], "no-store");
  const style = /<style>(.*?)<\/style>/s.exec(page.text)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  assert.deepEqual(String(page.headers["content-security-policy"]).split("; ").toSorted(), [
    "base-uri 'none'",
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    `style-src 'sha256-${hash}'`,
  ]);
  assert.ok(
    !/<script|javascript:|\son\w+\s*=|style=|<iframe|<img|<link/i.test(page.text),
    "nothing but text and style",
  );
}

test("§2.1 the checkout page shows the terms, the time left and how to pay, without a script", async () => {
  const intent = await shop.create({ amount: "12500000", merchantReference: "Bestellung № 7 <b>&" });
  assert.equal(intent.checkoutUrl, `${service.checkoutUrl}/pay/i/${intent.id}`);
  await advance(service, 90);
  const page = await open(intent);
  assertSafePage(page);
  for (const words of [
    "12.5 USDC",
    "Waiting for payment",
    "Pay within 23 h 58 min.",
    "7 days",
    intent.recipient,
    intent.asset,
    intent.paymentId,
    `npm run pay -- ${intent.id}`,
  ])
    assert.ok(page.text.includes(words), `the page says ${words}`);
  assert.ok(page.text.includes("Bestellung № 7 &lt;b&gt;&amp;"), "a merchant's text is text");
  assert.ok(page.text.includes("Tom &amp; &quot;Jerry&#39;s&quot; &lt;script&gt;alert(1)&lt;/script&gt;"));
});

test("§2.1 the page stays at its address and shows the intent's status", async () => {
  const [paid, canceled, expired] = [await shop.create(), await shop.create(), await shop.create()];
  await pay(service, paid);
  await awaitPaid(shop, paid.id);
  await shop.cancel(canceled.id);
  const paidPage = await open(paid);
  assertSafePage(paidPage);
  assert.match(paidPage.text, /Paid and protected/);
  assert.ok(!paidPage.text.includes("npm run pay"));
  const canceledPage = await open(canceled);
  assertSafePage(canceledPage);
  assert.match(canceledPage.text, /Canceled/);
  await advance(service, 86_402);
  const expiredPage = await open(expired);
  assertSafePage(expiredPage);
  assert.match(expiredPage.text, /Expired/);
});

test("§2.1 an unknown or malformed id gets a page that says so, as safe as any other", async () => {
  const unknown = `pi_test_${"0".repeat(32)}`;
  for (const id of [unknown, "pi_test_1", "x", "%3Cscript%3E", "a".repeat(200)])
    assertSafePage(await exchange("GET", `${service.checkoutUrl}/pay/i/${id}`), 404);
});
