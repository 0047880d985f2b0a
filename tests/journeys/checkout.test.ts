import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, test } from "node:test";
import { checkBuyerAnswer } from "../harness/buyerDocument.ts";
import { advance, pay } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { type Answer, exchange } from "../harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

let service: RunningService;
let shop: Merchant;
const NAME = `Tom & "Jerry's" <script>alert(1)</script>`;
before(async () => {
  service = await standingService();
  shop = await newMerchant(service, { name: NAME });
});

/** A browser's headers: the merchant API would refuse them, a buyer's page must not. */
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
  assert.equal(page.headers["set-cookie"], undefined);
  const style = /<style>(.*?)<\/style>/s.exec(page.text)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  const rules = [
    "base-uri 'none'",
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    `style-src 'sha256-${hash}'`,
  ];
  const scripted = ["connect-src 'self'", "img-src data:", "script-src 'self'"];
  assert.deepEqual(
    String(page.headers["content-security-policy"]).split("; ").toSorted(),
    status === 200 ? [...rules, ...scripted].toSorted() : rules,
  );
  // The page loads its own script and that script's data, and nothing else that runs or loads.
  const scripts = [...page.text.matchAll(/<script[^>]*>/g)].map(([tag]) =>
    tag.replace(/checkout-[\w-]+|sha256-[^"]+/g, "…"),
  );
  assert.deepEqual(
    scripts,
    status === 200
      ? [
          '<script type="module" src="/pay/assets/….js" integrity="…" crossorigin>',
          '<script type="application/json" id="data">',
        ]
      : [],
  );
  assert.ok(
    !/javascript:|\son\w+\s*=|style=|<iframe|<img|<link|http-equiv/i.test(page.text),
    "nothing but text and style",
  );
}

test("§12.2 the checkout page shows the terms, the time left and the protection, without a script", async () => {
  const intent = await shop.create({ amount: "12500000", merchantReference: "Bestellung № 7 <b>&" });
  assert.equal(intent.checkoutUrl, `${service.checkoutUrl}/pay/i/${intent.id}`);
  await advance(service, 90);
  const page = await open(intent);
  assertSafePage(page);
  for (const words of [
    "12.50",
    "USDC",
    "Pay within",
    "23 hours 58 minutes",
    "7 days to object",
    "This does not limit your statutory rights.",
    `This site is run by <bdi translate="no">Tom &amp; Payments</bdi>`,
    intent.recipient,
    intent.asset,
    intent.paymentId,
  ])
    assert.ok(page.text.includes(words), `the page says ${words}`);
  assert.ok(page.text.includes("Bestellung № 7 &lt;b&gt;&amp;"), "a merchant's text is text");
  assert.ok(page.text.includes("Tom &amp; &quot;Jerry&#39;s&quot; &lt;script&gt;alert(1)&lt;/script&gt;"));
});

test("§12.2 the page names the network's cost before a wallet is asked, and what comes back when the payment ends", async () => {
  const intent = await shop.create();
  // The first page of a process starts the read of the network's costs, and does not wait for it.
  const cost =
    /You need no SOL: this site may pay .* about 0\.0051 SOL\. 0\.002 SOL come back to your wallet by themselves/;
  await eventually("the price of rent is read", async () => cost.test((await open(intent)).text));
});

test("§12.14 a payment on other terms is said on its order's page, and stops nobody from paying", async () => {
  const intent = await shop.create({ amount: "12500000" });
  const says = async (text: string) => (await open(intent)).text.includes(text);
  assert.ok(!(await says("but not its terms")));
  await pay(service, intent, { amount: "999" });
  await eventually("the page says it", () => says("A payment arrived that names this order but not its terms"));
  assert.ok(await says('id="pay"'));
  await pay(service, intent, { buyer: service.wallets["buyer-2"] });
  await awaitPaid(shop, intent.id);
  assert.ok(!(await says("but not its terms")), "it is paid");
});

test("§12.1 the page stays at its address and shows the intent's status", async () => {
  const [paid, canceled, expired] = [await shop.create(), await shop.create(), await shop.create()];
  await pay(service, paid);
  await awaitPaid(shop, paid.id);
  await shop.cancel(canceled.id);
  const paidPage = await open(paid);
  assertSafePage(paidPage);
  assert.match(paidPage.text, /Paid and protected/);
  assert.ok(!paidPage.text.includes("Pay within"));
  const canceledPage = await open(canceled);
  assertSafePage(canceledPage);
  assert.match(canceledPage.text, /Canceled by the shop/);
  await advance(service, 86_402);
  const expiredPage = await open(expired);
  assertSafePage(expiredPage);
  assert.match(expiredPage.text, /The time to pay is over/);
});

test("§12.1 an unknown or malformed id gets a page that says so, as safe as any other", async () => {
  const unknown = `pi_test_${"0".repeat(36)}`;
  for (const id of [unknown, "pi_test_1", "x", "%3Cscript%3E", "a".repeat(200)])
    assertSafePage(await exchange("GET", `${service.checkoutUrl}/pay/i/${id}`), 404);
});

test("§12.2 the page, its data and its state hold nothing of the merchant's own: no metadata, no key, no other intent", async () => {
  const other = await shop.create({ merchantReference: "somebody-else" });
  const intent = await shop.create({ metadata: { note: "customer is difficult" } });
  for (const path of ["", "/state"]) {
    const { text } = await open(intent, `${intent.checkoutUrl}${path}`);
    for (const secret of [
      "difficult",
      "metadata",
      "sk_test",
      "whsec_",
      shop.keyId,
      other.id,
      other.paymentId,
      "somebody-else",
    ])
      assert.ok(!text.includes(secret), `${path || "the page"} says nothing of ${secret}`);
  }
});

const askState = async (id: string): Promise<Answer> => {
  const path = `/pay/i/${id}/state`;
  const answer = await exchange("GET", `${service.checkoutUrl}${path}`, { headers: BROWSER });
  checkBuyerAnswer("GET", path, answer);
  return answer;
};
const stateOf = async (intent: Wire): Promise<Wire> => {
  const answer = await askState(intent.id);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers["cache-control"], "no-store");
  assert.equal(answer.headers["access-control-allow-origin"], "*", "a shop's own page may read it");
  return answer.json;
};

test("§12.4 the state names what the page shows, with a version that grows and counts no other order", async () => {
  for (let other = 0; other < 5; other++) await shop.create();
  const intent = await shop.create();
  const waiting = await stateOf(intent);
  assert.equal(waiting.version, Date.parse(intent.createdAt), "whatever else the business did");
  assert.deepEqual(
    { ...waiting, at: null },
    {
      object: "checkout_state",
      intent: intent.id,
      state: "waiting",
      final: false,
      version: waiting.version,
      at: null,
      expiresAt: intent.expiresAt,
      inFlight: null,
      parts: null,
    },
  );
  await pay(service, intent);
  await awaitPaid(shop, intent.id);
  const paid = await stateOf(intent);
  assert.equal(paid.state, "protected");
  assert.equal(paid.final, false);
  assert.ok(paid.version > waiting.version && paid.at > waiting.at, "newer");
  const unknown = await askState(`pi_test_${"0".repeat(36)}`);
  assert.equal(unknown.status, 404);
  assert.equal(unknown.json.error.code, "not_found");
});

/** The states that a stream sends, in order; it ends when the service ends it. */
async function* follow(intent: Wire): AsyncGenerator<Wire> {
  const answer = await fetch(`${service.checkoutUrl}/pay/i/${intent.id}/events`, {
    headers: { Accept: "text/event-stream" },
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/event-stream; charset=utf-8");
  assert.equal(answer.headers.get("access-control-allow-origin"), "*", "a shop's own page may read it");
  let text = "";
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop()!;
    for (const block of blocks) if (block.startsWith("data: ")) yield JSON.parse(block.slice(6));
  }
}

test("§12.5 a stream sends each state as it comes, to every tab, and ends with a final one", async () => {
  const [paid, canceled] = [await shop.create(), await shop.create()];
  const tabs = [follow(paid), follow(paid), follow(canceled)];
  const next = async (tab: AsyncGenerator<Wire>): Promise<string> => (await tab.next()).value?.state;
  assert.deepEqual(await Promise.all(tabs.map(next)), ["waiting", "waiting", "waiting"]);
  await pay(service, paid);
  await shop.cancel(canceled.id);
  assert.deepEqual(await Promise.all(tabs.map(next)), ["protected", "protected", "canceled"]);
  assert.equal((await tabs[2]!.next()).done, true, "nothing follows a final state");
  await Promise.all(tabs.map((tab) => tab.return(null)));
});

test("§12.5 a network has a bounded number of streams, so that nobody takes them all", async () => {
  const intents = await Promise.all(Array.from({ length: 11 }, () => shop.create()));
  const stop = new AbortController();
  const open = (intent: Wire) => fetch(`${service.checkoutUrl}/pay/i/${intent.id}/events`, { signal: stop.signal });
  const all = await Promise.all(intents.flatMap((intent) => Array.from({ length: 50 }, () => open(intent))));
  const refused = all.filter(({ status }) => status === 503).length;
  // Streams that earlier tests hung up may still count for a moment.
  assert.ok(refused >= 50 && refused <= 60, `${refused} of ${all.length} are refused`);
  stop.abort();
  await eventually("they are free again", async () => {
    const again = new AbortController();
    const { status } = await fetch(`${service.checkoutUrl}/pay/i/${intents[0].id}/events`, { signal: again.signal });
    again.abort();
    return status === 200;
  });
});
