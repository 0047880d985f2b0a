import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { askCheckout } from "../harness/buyer.ts";
import { act, pay } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { type Merchant, merchantOf, type Wire } from "../harness/merchant.ts";
import { type RunningService, sharedService } from "../harness/service.ts";
import { DESKTOP, findBarriers, PHONE, type Tab, type TabOptions, TestBrowser } from "./browser.ts";
import { AMOUNT, complaintsOf, heading } from "./buyer.ts";
import { roadOf } from "./road.ts";

let service: RunningService;
let shop: Merchant;
let browser: TestBrowser;
before(async () => {
  [service, browser] = await Promise.all([sharedService(), TestBrowser.launch()]);
  shop = merchantOf(service, service.business, "", service.testKey);
});
after(async () => {
  await browser?.close();
  await service?.remove();
});

async function open({ checkoutUrl }: Wire, options?: TabOptions): Promise<Tab> {
  const tab = await browser.open(options);
  await tab.page.goto(checkoutUrl);
  return tab;
}

test("pages of one order follow it", async (t) => {
  const step = roadOf(t);
  const intent = await shop.create({ amount: AMOUNT });
  const focused = await open(intent);
  const unfocused = await open(intent, { viewport: PHONE });
  const cutOff = await browser.open();
  await cutOff.page.route(`${intent.checkoutUrl}/events`, (route) => route.fulfill({ status: 503 }), { times: 1 });
  const unavailable = cutOff.page.waitForResponse(/events$/);
  await cutOff.page.goto(intent.checkoutUrl);
  assert.equal((await unavailable).status(), 503);
  // A proxy that passes a stream's head and holds its body.
  const holding = createServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
  }).listen(0, "127.0.0.1");
  await once(holding, "listening");
  const heldBack = await browser.open();
  await heldBack.page.route(`${intent.checkoutUrl}/events`, (route) =>
    route.continue({ url: `http://127.0.0.1:${(holding.address() as AddressInfo).port}/` }),
  );
  const asked = once(holding, "request");
  await heldBack.page.goto(intent.checkoutUrl);
  await asked;
  const tabs = [focused, unfocused, cutOff];

  assert.equal(await unfocused.page.title(), "24.50 USDC to Demo shop");
  const { page } = focused;
  await page.locator("#pay").focus();
  await page.evaluate("window.region = document.querySelector('[role=status]')");
  assert.equal(await page.locator("[role=status]").count(), 1);
  await unfocused.page.route(intent.checkoutUrl, (route) => route.fulfill({ status: 503 }), { times: 1 });
  const refused = unfocused.page.waitForResponse(
    (answer) => answer.url() === intent.checkoutUrl && answer.status() === 503,
  );
  const { payment } = await pay(service, intent);

  await step("§12.5 the page in a browser follows the payment by itself, and its stream is not cut", async () => {
    await heading(page, "Paid and protected");
    assert.deepEqual(await focused.context.cookies(), []);
  });
  await step("§12.4 a new state is shown, though the page could not be loaded when it arrived", async () => {
    await refused;
    await heading(unfocused.page, "Paid and protected");
  });
  await step("§12.5 a page whose stream was refused once asks for the state instead, and recovers by itself", () =>
    heading(cutOff.page, "Paid and protected"),
  );
  await step(
    "§12.5 a page whose stream is connected and brings nothing asks for the state, and says nothing else",
    async () => {
      await heading(heldBack.page, "Paid and protected");
      assert.deepEqual(complaintsOf(heldBack), []);
      await heldBack.context.close();
      holding.closeAllConnections();
      holding.close();
    },
  );
  await step("§12.13 a new state is said in a live region that stays, and the focus moves to its heading", async () => {
    const found = await page.evaluate(`({
      focused: document.activeElement.textContent,
      tag: document.activeElement.tagName,
      isSame: window.region === document.querySelector('[role=status]'),
      isOutside: window.region.closest('main') === null,
      said: window.region.textContent,
    })`);
    const { said, ...rest } = found as Readonly<Record<string, unknown>>;
    assert.match(String(said), /^Paid and protected\. .*The shop can see it\.$/);
    assert.deepEqual(rest, {
      focused: "Paid and protected",
      tag: "H2",
      isSame: true,
      isOutside: true,
    });
    await act(service, service.wallets.recipient, "refund", payment, { total: 4_500_000n });
    await page.locator("[role=status]").getByText("4.50 USDC of your payment went back to you.").waitFor();
    assert.equal(await page.evaluate("window.region === document.querySelector('[role=status]')"), true);
    assert.equal(await page.evaluate("document.activeElement.tagName"), "H2");
    assert.deepEqual(await findBarriers(page), []);
  });
  await step("§12.13 a page that is replaced takes no focus that was not in it", async () => {
    assert.equal(await unfocused.page.evaluate("document.activeElement.tagName"), "BODY");
  });
  await step("§12.4 a part that is due without an event is shown, too", async () => {
    await page.route(`${intent.checkoutUrl}/state`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), parts: "0/0/9000000" } });
    });
    const again = page.waitForRequest(intent.checkoutUrl);
    await page.evaluate("dispatchEvent(new Event('online'))");
    await again;
  });
  for (const tab of tabs) {
    assert.deepEqual(complaintsOf(tab), []);
    await tab.context.close();
  }
});

test("§12.8 a page of a canceled order shows what its buyer's wallet reports then", async () => {
  const intent = await shop.create({ amount: AMOUNT });
  await shop.call("POST", `/payment-intents/${intent.id}/cancel`);
  const { page, context } = await open(intent);
  await heading(page, "Canceled by the shop");
  const { status } = await askCheckout(service, intent, "seen", { signature: SIGNATURE });
  assert.equal(status, 202);
  await page.evaluate("dispatchEvent(new Event('online'))");
  await page.locator(".note").getByText("Somebody reported a payment").waitFor();
  assert.ok(!(await page.locator("#live").textContent())?.includes("You can pay"));
  await context.close();
});

test("§12.16 piles of marks and other giants in a shop's texts widen no page of a buyer, and cover nothing", async () => {
  const giants = `Tea${"\u0489\u0316".repeat(120)} ${"\ufdfd".repeat(20)} ${"x".repeat(60)}`;
  const merchantReference = `giant-${"\u0489\u0316".repeat(100)}`;
  const intent = await shop.create({ amount: AMOUNT, description: giants, merchantReference });
  const { payment } = await pay(service, intent);
  const { receiptUrl } = (await awaitPaid(shop, intent.id)).payment;
  const other = await shop.create({ amount: AMOUNT, description: giants });
  for (const viewport of [PHONE, DESKTOP])
    for (const url of [
      other.checkoutUrl,
      `${service.checkoutUrl}/pay/i/${intent.id}`,
      receiptUrl,
      `${service.checkoutUrl}/pay/p/${payment}`,
    ]) {
      const { page, context } = await browser.open({ viewport });
      await page.goto(url);
      // What a page shows of a dispute came before its texts had this rule.
      await page.evaluate(
        `document.querySelector("main").insertAdjacentHTML("beforeend",
          '<ol class="talk"><li class="buyer"><p class="text">' + ${JSON.stringify(giants)} + "</p></li></ol>")`,
      );
      const [width, height] = (await page.evaluate(
        "[document.documentElement.scrollWidth, document.querySelector('.talk').scrollHeight]",
      )) as [number, number];
      assert.ok(width <= viewport!.width, `${url} is ${width} wide on ${viewport!.width}`);
      assert.ok(height < 2_000, `${height}`);
      await context.close();
    }
});

const SIGNATURE = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";
