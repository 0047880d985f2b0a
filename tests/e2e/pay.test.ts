import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { getBase58Decoder } from "@solana/kit";
import type { Page } from "playwright-core";
import { askCheckout } from "../harness/buyer.ts";
import { advance, control, rpc } from "../harness/chain.ts";
import { type Merchant, merchantOf, someTerms, type Wire } from "../harness/merchant.ts";
import { localChain, type Service, startService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import { ANDROID, findBarriers, PHONE, pressKey, TestBrowser, tabOf } from "./browser.ts";
import {
  AMOUNT,
  complaintsOf,
  heading,
  openBuyers,
  payAgain,
  payAnyway,
  payButton,
  says,
  slowPerson,
} from "./buyer.ts";
import { roadOf } from "./road.ts";
import { insertGuards, TestWallet } from "./wallet.ts";

/** Slots so long that a blockhash, which lives for 150, outlasts what a busy machine takes to show a page and to sign. */
const SETTINGS = localChain({ slotMs: 1_000 });

/** The browser of a wallet on a phone that the service does not know by name. */
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";

let service: Service;
let shop: Merchant;
let browser: TestBrowser;
let rates: string;
before(async () => {
  rates = await mkdtemp(join(tmpdir(), "rates-"));
  const env = { ...SETTINGS, RATES_FILE: join(rates, "rates.csv") };
  [service, browser] = await Promise.all([startService({ env }), TestBrowser.launch()]);
  shop = merchantOf(service, service.business, "", service.testKey);
});
after(async () => {
  await browser?.close();
  await service?.remove();
  if (rates !== undefined) await rm(rates, { recursive: true });
});

const { aBuyer, paymentsOf } = openBuyers(() => ({ service, shop, browser }));

test("a buyer pays beside another tab", async (t) => {
  const step = roadOf(t);
  const buyer = await aBuyer();
  const { page, context, intent, wallet } = buyer;
  const other = await tabOf(context);
  await other.page.goto(intent.checkoutUrl);

  await step("§12.6 a buyer pays by the keyboard alone, by a wallet that signs; every tab follows", async () => {
    await pressKey(page, payButton(page));
    await heading(page, "Paid and protected");
    await heading(other.page, "Paid and protected");
    const [payment, ...more] = await paymentsOf(intent);
    assert.deepEqual([payment.sender, payment.role, more.length], [wallet.key.address, "primary", 0]);
    assert.ok(payment.termsKnown ?? true);
    assert.deepEqual(await context.cookies(), []);
  });
  await step(
    "§12.13 who has paid hears that, and nothing of a button that is gone; the focus is on the heading",
    async () => {
      // The transaction that was built for the wallet is still a hint for other tabs, once the signed one is recorded.
      const findHint = () => page.evaluate("fetch(location.pathname + '/state').then((answer) => answer.json())");
      await eventually("the rest is a hint", async () => ((await findHint()) as Wire).inFlight?.kind === "built");
      await page.evaluate(TAKE_STATE);
      const said = await page.locator("#live").textContent();
      assert.match(said ?? "", /^Paid and protected\. .*The shop can see it\.$/);
      const focused = "[document.activeElement.tagName, document.activeElement.textContent]";
      assert.deepEqual(await page.evaluate(focused), ["H2", "Paid and protected"]);
    },
  );
  assert.deepEqual([...complaintsOf(buyer), ...complaintsOf(other)], []);
  await context.close();
});

test("§4.21.1 a buyer reads price, rate and amount, and signs the terms that have all three", async () => {
  await writeFile(join(rates, "rates.csv"), `${new Date().toISOString()},${service.asset},EUR,0.86\n`);
  const terms = { amount: undefined, price: { currency: "EUR", amount: "4.30" } };
  const created = await eventually("there is a rate", async () => {
    const answer = await shop.call("POST", "/payment-intents", someTerms(service, terms));
    return answer.status === 201 ? answer.json : null;
  });
  const buyer = await aBuyer({ intent: created, viewport: PHONE });
  const { page, context, intent } = buyer;
  await page.getByText("€4.30").waitFor();
  await page.getByText("at 1 EUR = 1.17442 USDC. Refunds are in USDC.").waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await pressKey(page, payButton(page));
  await heading(page, "Paid and protected");
  const [payment] = await paymentsOf(intent);
  assert.deepEqual([payment.amount, payment.termsKnown], ["5050001", true]);
  await page.goto(payment.receiptUrl);
  await page.getByText("€4.30").waitFor();
  assert.deepEqual(complaintsOf(buyer), []);
  await context.close();
});

/** Makes the page ask for the state, and ends once the page has taken the answer. */
const TAKE_STATE = `new Promise((resolve) => {
  const { json } = Response.prototype;
  Response.prototype.json = async function () {
    const answer = await json.call(this);
    // The page goes on with the answer before the next task.
    setTimeout(resolve);
    return answer;
  };
  dispatchEvent(new Event("online"));
})`;

test("§12.6 a buyer without SOL pays by a sponsor on a phone, where the wallet can sign without sending", async () => {
  await control(service, "/faucet", { address: service.recipient, asset: service.asset, amount: "1" });
  const { page, context, intent, wallet } = await aBuyer({ lamports: 0, viewport: PHONE, userAgent: IPHONE });
  await payButton(page).click();
  await heading(page, "Paid and protected");
  const [payment] = await paymentsOf(intent);
  assert.equal(payment.sender, wallet.key.address);
  assert.equal(wallet.asked[0]![0], 2, "the sponsor signs, too");
  await context.close();
});

test("§12.7 a wallet that inserts instructions of its own is no obstacle, on a phone, where it signs and sends", async () => {
  const phone = { viewport: PHONE, userAgent: ANDROID };
  const buyer = await aBuyer({ sends: true, handle: insertGuards, ...phone });
  const { page, context, intent, wallet } = buyer;
  await payButton(page).click();
  await heading(page, "Paid and protected");
  const [payment, ...more] = await paymentsOf(intent);
  assert.deepEqual([payment.sender, payment.role, more.length], [wallet.key.address, "primary", 0]);
  assert.deepEqual(complaintsOf(buyer), []);
  await context.close();
});

test("§12.10 on Android, where no browser has a wallet, a link opens the page in a wallet's own browser, which pays and releases", async () => {
  const intent = await shop.create({ amount: AMOUNT });
  const phone = await browser.open({ viewport: PHONE, userAgent: ANDROID });
  const { page } = phone;
  // Only a local chain has it.
  await page.route("**/demoWallet-*", (route) => route.abort());
  await page.goto(intent.checkoutUrl);
  const links = page.getByRole("link", { name: /^Open in/ });
  /** The address that the first link opens in the wallet's browser. */
  const findTarget = async () => {
    await links.first().waitFor();
    const addresses = await links.evaluateAll((all) => all.map(String));
    assert.equal(addresses.length, 3);
    assert.ok(!addresses.some((address) => address.includes("key")), "links leave the receipt's key out");
    return decodeURIComponent(/^https:\/\/phantom\.app\/ul\/browse\/([^?]+)/.exec(addresses[0]!)![1]!);
  };
  assert.equal(await findTarget(), intent.checkoutUrl);
  assert.equal(await page.locator("#pay").isVisible(), false, "no button without a wallet");
  assert.deepEqual(await findBarriers(page), []);

  const app = await aBuyer({ intent, viewport: PHONE, userAgent: `${ANDROID} Phantom/android` });
  await payButton(app.page).click();
  for (const tab of [app, phone]) await heading(tab.page, "Paid and protected");
  await page.getByRole("link", { name: "Open your receipt" }).click();
  await page.waitForURL("**/pay/p/**");
  await page.getByRole("button", { name: "Release the money now" }).click();
  await app.page.goto(await findTarget());
  await app.page.getByRole("button", { name: "Release the money now" }).click();
  await app.page.getByRole("button", { name: "Release with Test wallet" }).click();
  for (const tab of [app, phone]) await heading(tab.page, "The shop was paid");
  // The demo wallet's file was refused.
  const complaints = complaintsOf(phone).filter((line) => !line.includes("ERR_FAILED"));
  assert.deepEqual([...complaintsOf(app), ...complaints], []);
  for (const { context } of [app, phone]) await context.close();
});

test("§12.6 a wallet on another network is named, alone and next to one that can pay", async () => {
  const { page, context } = await browser.open();
  // The page's own wallet can always pay here.
  await page.route("**/demoWallet-*", (route) => route.abort());
  await TestWallet.attach(context, service, { name: "Main wallet", chains: ["solana:mainnet"] });
  const intent = await shop.create({ amount: AMOUNT });
  await page.goto(intent.checkoutUrl);
  await page.getByRole("button", { name: "Main wallet is on another network", disabled: true }).waitFor();
  await page.getByText("Switch its network and load this page again").waitFor();
  await TestWallet.attach(context, service);
  await page.reload();
  await payButton(page).waitFor();
  await page.getByText("Another wallet").click();
  await page.locator("#wallets").getByText("Main wallet is on another network").waitFor();
  await context.close();
});

test("a buyer has too little, on a network that is away at first", async (t) => {
  const step = roadOf(t);
  // It cannot sign without sending, so no sponsor pays for it.
  const { page, context, intent, wallet } = await aBuyer({ funds: "4500000", lamports: 0, sends: true });

  await step("§12.8 where the network is away the page says so, and no wallet is asked", async () => {
    const methods = ["getLatestBlockhash", "getMultipleAccounts", "simulateTransaction"];
    await control(service, "/faults", { mode: "server_error", methods });
    await payButton(page).click();
    await says(page, AWAY);
    await control(service, "/faults", { mode: "none" });
  });
  await step(
    "§12.6 too little of the token or of SOL is said before the wallet is asked, with what is missing",
    async () => {
      await pressUntil(page, /has 4\.50 USDC; 24\.50 USDC are needed/);
      await wallet.fund(intent.asset, "20000000", 0);
      await pressUntil(page, /needs 0\.\d+ SOL more for fees and deposits/);
      assert.equal(wallet.asked.length, 0);
      assert.deepEqual(await paymentsOf(intent), []);
    },
  );
  await context.close();
});

const AWAY = /network cannot be reached/;
/** Presses until the page says it: the service lets a node that failed rest for a moment. */
const pressUntil = (page: Page, words: RegExp) =>
  eventually(`the page says ${words}`, async () => {
    await payButton(page).click();
    await says(page, new RegExp(`${words.source}|${AWAY.source}`));
    return words.test((await page.locator("#progress").textContent()) ?? "");
  });

test("a buyer meets one failure after the other, and pays once", async (t) => {
  const step = roadOf(t);
  const { page, context, intent, wallet } = await aBuyer();
  const isUnpaid = async () => assert.deepEqual(await paymentsOf(intent), []);
  /** Changes what the service answers to a build while the page asks. */
  const withBuilt = async (change: (built: Wire) => Wire, ask: () => Promise<void>) => {
    await page.route("**/build", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: change(await answer.json()) });
    });
    await ask();
    await page.unroute("**/build");
  };

  await step("§12.7 bytes that are not what the page shows never reach the wallet", async () => {
    const doubled = (built: Wire) => {
      const bytes = Buffer.from(built.transaction, "base64");
      const at = bytes.indexOf(Buffer.from(BigInt(AMOUNT).toString(16).padStart(16, "0"), "hex").reverse());
      bytes.writeBigUInt64LE(BigInt(AMOUNT) * 2n, at);
      return { ...built, transaction: bytes.toString("base64") };
    };
    await withBuilt(doubled, async () => {
      await payButton(page).click();
      await says(page, /not what this page shows.*amount is another/);
    });
    assert.equal(wallet.asked.length, 0);
    await isUnpaid();
  });
  await step("§12.8 an arbiter that changed is said first, and no wallet is asked", async () => {
    await withBuilt(
      (built) => ({ ...built, arbiter: wallet.key.address }),
      async () => {
        await payButton(page).click();
        await says(page, "The arbiter has changed or was not known");
      },
    );
    assert.equal(
      await page.evaluate("document.activeElement.id"),
      "pay",
      "the new button has the focus of the old one",
    );
    // The page that the server wrote again names the arbiter that it builds with.
    const built = page.waitForResponse(/build$/);
    await payButton(page).click();
    await built;
    await says(page, "The arbiter has changed or was not known");
    assert.equal(wallet.asked.length, 0);
  });
  await step(
    "§12.6 where a wallet fails before anything was signed, the page says so, and that nothing was paid",
    async () => {
      wallet.handle = () => {
        throw new Error("Ledger device: Incorrect length (0x6700)");
      };
      await payButton(page).click();
      await says(page, "The wallet could not finish (Ledger device: Incorrect length (0x6700)). Nothing was paid.");
      await isUnpaid();
    },
  );
  await step("§12.6 who declines in the wallet has paid nothing, and may press again", async () => {
    wallet.handle = () => {
      throw new Error("User rejected the request.");
    };
    await payButton(page).click();
    await says(page, "You declined");
    await isUnpaid();
  });
  const other = await browser.open();
  await step(
    "§12.8 while one buyer's payment is on its way, another reads so, and is asked before it pays",
    async () => {
      wallet.handle = (bytes) => bytes;
      const stranger = await TestWallet.attach(other.context, service);
      await other.page.goto(intent.checkoutUrl);
      await payButton(other.page).waitFor();
      await control(service, "/faults", { mode: "slow", ms: 300, count: 6 });
      // The node answers as if it took the payment, and no later read shows what became of it.
      await control(service, "/faults", { mode: "null_result", methods: ["sendTransaction"] });
      await control(service, "/faults", { mode: "server_error", methods: ["getSignatureStatuses"] });
      // The service lets a node that failed rest for a moment, so the first press may still be refused.
      await eventually("the wallet is asked", async () => {
        // A press that comes while the page still prepares the last one finds the button switched off.
        if (wallet.asked.length === 2)
          await payButton(page)
            .click({ timeout: 500 })
            .catch(() => null);
        return wallet.asked.length > 2;
      });
      await heading(page, "On its way");
      await heading(other.page, "On its way");
      assert.equal(await other.page.locator("#pay").isVisible(), false, "no button at first sight");
      await other.page.getByText("You did not send it?").click();
      await payAnyway(other.page).click();
      await says(other.page, "A payment may already be on its way");
      assert.equal(stranger.asked.length, 0);
    },
  );
  await step("§12.8 what a slow network lost is sent again, and lands once", async () => {
    await control(service, "/faults", { mode: "none" });
    for (const tab of [page, other.page]) await heading(tab, "Paid and protected");
    assert.equal((await paymentsOf(intent)).length, 1);
  });
  await other.context.close();
  await context.close();
});

test("a buyer has two tabs of one wallet", async (t) => {
  const step = roadOf(t);
  const person = slowPerson();
  const { page, context, intent } = await aBuyer({ handle: person.handle });
  const other = await tabOf(context);
  await other.page.goto(intent.checkoutUrl);

  await step(
    "§12.6 before the wallet signs, the page says what the network costs, what comes back, and when",
    async () => {
      const built = page.waitForResponse(/build$/);
      await payButton(page).click();
      const { fee } = await (await built).json();
      await person.asked;
      const sol = (lamports: number) => (lamports / 1e9).toPrecision(3).replace(/0+$/, "");
      const later = Number(fee.recordLamports) - Number(fee.tombstoneLamports);
      assert.equal(
        await page.locator("#cost").textContent(),
        `Plus ${sol(Number(fee.totalLamports))} SOL for the network. ${sol(Number(fee.vaultLamports))} SOL come back to your wallet by themselves.`,
      );
      await page.getByText("Why, and what comes back").click();
      await page.getByText(`and ${sol(later)} SOL more when the payment’s record on chain is closed`).waitFor();
    },
  );
  await step(
    "§12.8 while one tab pays, the others say so; loaded again or not, two tabs of one wallet pay once",
    async () => {
      await says(other.page, "Another tab is paying");
      for (const tab of [other.page, page]) {
        if (tab === page) await tab.reload();
        await payButton(tab).click();
        await says(tab, "Confirm in");
      }
      person.decide();
      for (const tab of [page, other.page]) await heading(tab, "Paid and protected");
      assert.equal((await paymentsOf(intent)).length, 1);
    },
  );
  await context.close();
});

test('§12.8 nothing to press stands beside "do not pay again", however long the page hears of no state', async () => {
  const { page, context, intent } = await aBuyer();
  const away = new RegExp(`${intent.id}/(?:state|events)$`);
  await page.route(away, (route) => route.fulfill({ status: 503 }));
  await page.reload();
  await payButton(page).click();
  await says(page, /do not pay again/);
  const shown = page.locator("#panel :is(button, a, summary)").filter({ visible: true });
  assert.deepEqual(await shown.allTextContents(), ["Details"]);
  await page.unroute(away);
  await page.evaluate("dispatchEvent(new Event('online'))");
  await heading(page, "Paid and protected");
  await context.close();
});

test("§12.8 where a wallet does not say what it sent, every tab asks before it pays again, also after a reload", async () => {
  const { page, context, intent, wallet } = await aBuyer({ sends: "silently" });
  const other = await tabOf(context);
  await other.page.goto(intent.checkoutUrl);
  await payButton(page).click();
  await says(page, "It is not certain whether the payment was sent");
  await payAnyway(other.page).waitFor();
  await page.reload();
  await payAnyway(page).click();
  await says(page, "A payment may already be on its way");
  assert.equal(wallet.asked.length, 1, "the first press only asks");
  await payAnyway(page).click();
  await says(page, "It is not certain");
  assert.equal(wallet.asked.length, 2);
  wallet.handle = () => {
    throw new Error("User rejected the request.");
  };
  await payAnyway(page).click();
  await says(page, "A payment may already be on its way");
  await payAnyway(page).click();
  await says(page, "You declined in the wallet. Nothing was paid. An earlier payment may still be on its way.");
  await page.locator("#life").filter({ hasText: "The network can still take it for" }).waitFor();
  await endLives();
  for (const tab of [page, other.page]) {
    await says(tab, "nothing was paid and nothing will be");
    await payAgain(tab).waitFor();
  }
  await context.close();
});

/** Passes the blocks of a blockhash's life, those until the last is final, and the time for which a build is kept. */
async function endLives(): Promise<void> {
  await rpc(service, "devnet_tick", { slots: 190 });
  await advance(service, 3);
}

test("a wallet takes longer than the network allows", async (t) => {
  const step = roadOf(t);
  const person = slowPerson();
  const { page, context, intent, wallet } = await aBuyer({ handle: person.handle });
  const other = await tabOf(context);
  await other.page.goto(intent.checkoutUrl);
  await payButton(page).click();
  await person.asked;

  await step("§12.8 the page says how long the wallet has, and when it is over that nothing was paid", async () => {
    await page
      .locator("#life")
      .filter({ hasText: /^\d+ seconds left/ })
      .waitFor();
    await endLives();
    await says(page, "Your wallet took too long");
    await says(page, "nothing was paid and nothing will be");
    assert.equal(await page.locator("#life").textContent(), "");
  });
  await step("§12.8 an answer of the wallet after that does nothing, and one press pays", async () => {
    person.decide();
    wallet.handle = (bytes) => bytes;
    await payAgain(page).click();
    for (const tab of [page, other.page]) await heading(tab, "Paid and protected");
    assert.deepEqual([wallet.asked.length, (await paymentsOf(intent)).length], [2, 1]);
  });
  await context.close();
});

test("a stranger warns of a payment", async (t) => {
  const step = roadOf(t);
  const { page, context, intent, wallet } = await aBuyer({ sends: true });
  await payButton(page).waitFor();

  await step("§12.8 what a stranger reports is a warning, and stops nobody from paying", async () => {
    const signature = getBase58Decoder().decode(new Uint8Array(64).fill(9));
    assert.equal((await askCheckout(service, intent, "seen", { signature })).status, 202);
    await says(page, "Somebody reported a payment that the network does not know");
    await payAnyway(page).click();
    await says(page, "A payment may already be on its way");
    assert.equal(wallet.asked.length, 0);
    await payAnyway(page).click();
    await eventually("the wallet was asked", () => wallet.asked.length === 1);
  });
  await step("§12.8 a page that is closed in the middle costs nothing, and what was signed is found", async () => {
    await page.close();
    const again = await tabOf(context);
    await again.page.goto(intent.checkoutUrl);
    await heading(again.page, "Paid and protected");
    assert.equal((await paymentsOf(intent)).length, 1);
  });
  await context.close();
});

test("§12.8 a second buyer's payment is shown as one, with where it waits", async () => {
  const intent = await shop.create({ amount: AMOUNT });
  const [one, two] = [slowPerson(), slowPerson()];
  const first = await aBuyer({ intent, handle: one.handle });
  const second = await aBuyer({ intent, handle: two.handle, sends: true });
  await payButton(first.page).click();
  await payButton(second.page).click();
  await Promise.all([one.asked, two.asked]);
  one.decide();
  await heading(first.page, "Paid and protected");
  two.decide();
  await second.page.getByText("Paid twice").waitFor();
  await first.page.getByText("Paid twice").waitFor();
  const text = (await second.page.locator("#panel").textContent()) ?? "";
  const duplicate = (await paymentsOf(intent)).find(({ role }) => role === "duplicate");
  assert.equal(duplicate.sender, second.wallet.key.address);
  assert.ok(text.includes(duplicate.sender.slice(0, 4)), "it names the wallet");
  // Its receipt says how the money comes back.
  await second.page.getByRole("link", { name: "24.50 USDC by" }).click();
  await heading(second.page, "This order was paid twice");
  await second.page.getByText("Ask the shop to send it back.").waitFor();
  assert.ok(second.page.url().endsWith(`/pay/p/${duplicate.id}`));
  // Its address alone names no order: after a proof the receipt has its key, in this visit and the next.
  const unlock = second.page.getByRole("link", { name: "Show the order and how to reach the shop" });
  await unlock.click();
  await second.page.getByRole("button", { name: "Sign with Test wallet" }).click();
  const order = second.page.getByRole("link", { name: "Open the checkout of this order" });
  await order.waitFor();
  assert.ok(second.page.url().includes(`/pay/p/${duplicate.id}?key=`));
  await second.page.goto(`${service.checkoutUrl}/pay/p/${duplicate.id}`);
  await unlock.click();
  await order.waitFor();
  for (const { context } of [first, second]) await context.close();
});

test("§12.9 the link of the start leads to an order, which the demo wallet pays without anything installed", async () => {
  const tab = await browser.open();
  const { page, context } = tab;
  await page.goto(`${service.checkoutUrl}/pay/demo`);
  const address = page.url();
  await page.getByText("Play money of the local chain").waitFor();
  await page.getByRole("button", { name: "Pay with Demo wallet" }).click();
  await heading(page, "Paid and protected");
  await page.goto(`${service.checkoutUrl}/pay/demo`);
  assert.notEqual(page.url(), address, "a paid order is not offered again");
  assert.deepEqual(complaintsOf(tab), []);
  await context.close();
});

test("§12.6 a time that ends while the wallet is open is refused, and nothing is paid", async () => {
  const person = slowPerson();
  const { page, context, intent } = await aBuyer({ handle: person.handle });
  await payButton(page).click();
  await person.asked;
  await advance(service, 660);
  person.decide();
  await says(page, /Too much time has passed/);
  assert.deepEqual(await paymentsOf(intent), []);
  await advance(service, 86_400);
  await heading(page, "The time to pay is over");
  await context.close();
});
