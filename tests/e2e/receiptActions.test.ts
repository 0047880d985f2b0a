import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import type { Page } from "playwright-core";
import { act, advance, control, PAST_BLOCKHASHES, pay, rpc, sendPlain } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { inForm } from "../harness/form.ts";
import { type Merchant, merchantOf, type Wire } from "../harness/merchant.ts";
import { localChain, type Service, startService } from "../harness/service.ts";
import { aSmartWallet, SMART_WALLET_PROGRAMS } from "../harness/smartWallet.ts";
import { eventually } from "../harness/wait.ts";
import {
  DESKTOP,
  findBarriers,
  lookAt,
  PHONE,
  type Tab,
  TestBrowser,
  tabOf,
  tabTo as tabToElement,
} from "./browser.ts";
import { AMOUNT, complaintsOf, heading, openBuyers, payButton, says, slowPerson } from "./buyer.ts";
import { roadOf } from "./road.ts";
import { fundAccount, TestWallet, type TestWalletOptions } from "./wallet.ts";

/**
 * Slots so long that a blockhash, which lives for 150, outlasts what a busy machine takes to sign. Without the keeper nothing
 * leaves the escrow by itself, so that people do what is still possible.
 */
const SETTINGS = { ...localChain({ programs: SMART_WALLET_PROGRAMS, slotMs: 1_000 }), HOLD: "keeper" };
const HALF = 12_000_000n;
const DISPUTE_SECONDS = 90 * 86_400;

let service: Service;
let shop: Merchant;
let browser: TestBrowser;
before(async () => {
  [service, browser] = await Promise.all([startService({ env: SETTINGS }), TestBrowser.launch()]);
  shop = merchantOf(service, service.business, "", service.testKey);
});
after(async () => {
  await browser?.close();
  await service?.remove();
});

const { aBuyer, paymentsOf } = openBuyers(() => ({ service, shop, browser }));

interface Reader extends Tab {
  readonly payment: string;
  readonly wallet: TestWallet;
}

interface ReaderOptions extends TestWalletOptions {
  /** What is paid in place of the intent's amount: such a payment matches no order. */
  readonly amount?: string;
  /** The page below the receipt; default: the receipt itself. */
  readonly path?: string;
}

/** A buyer who has paid, in front of the receipt. */
async function aReader({ amount, path = "", ...options }: ReaderOptions = {}): Promise<Reader> {
  const intent = await shop.create({ amount: AMOUNT });
  const tab = await browser.open();
  const wallet = await TestWallet.attach(tab.context, service, options);
  await fundAccount(service, wallet.key.address, intent.asset, AMOUNT);
  const { payment } = await pay(service, intent, { buyer: wallet.key, ...(amount && { amount }) });
  if (amount === undefined) await awaitPaid(shop, intent.id);
  const address = `${service.checkoutUrl}/pay/p/${payment}`;
  await eventually("the receipt is there", async () => (await fetch(address)).status === 200);
  await tab.page.goto(`${address}${path}`);
  return { ...tab, payment, wallet };
}

/** A button of a page whose script runs: a press before it would be lost. */
const button = (page: Page, name: string) => page.locator(".ready").getByRole("button", { name });
const release = (page: Page) => button(page, "Release the money now");
const openDispute = (page: Page) => page.locator(".ready #open-dispute");
/** Waits until the field has this text: the script fills it once it has loaded. */
const hasText = (page: Page, text: string) =>
  eventually(`the text is "${text}"`, async () => (await page.locator("#text").inputValue()) === text);
const said = (page: Page) => page.locator("#live").textContent();
const isFocused = (page: Page, selector: string) =>
  page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`) as Promise<boolean>;

/**
 * Waits until the element has the focus: what a key starts goes on after the key. The page's policy forbids the `eval` by
 * which a browser would wait.
 */
const hasFocus = (page: Page, selector: string) =>
  eventually(`${selector} has the focus`, () => isFocused(page, selector));

/** Moves the focus to an element by the Tab key alone, once the script runs. */
const tabTo = (page: Page, selector: string) => tabToElement(page, page.locator(`.ready ${selector}`).first());
const press = async (page: Page, selector: string, key = "Enter") => {
  await tabTo(page, selector);
  await page.keyboard.press(key);
};
const WALLET = '[data-wallet="Test wallet"]';
const rejects = () => {
  throw new Error("User rejected the request.");
};

test("a receipt is read by others before its buyer releases", async (t) => {
  const step = roadOf(t);
  const reader = await aReader();
  const { page, context, payment, wallet } = reader;
  const box = page.getByText("Instructions for a multisignature wallet");

  await step("§14.3 an address is folded to four and four letters, and copied whole by its button", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await button(page, `Copy ${payment.slice(0, 4)}…${payment.slice(-4)}`).click();
    await page.locator(".facts").getByText("Copied", { exact: true }).waitFor();
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), payment);
    const shown = page.locator(".facts code").filter({ hasText: payment });
    assert.equal(await shown.textContent(), payment, "a selection and a reader have all of it");
    assert.ok((await shown.boundingBox())!.width < 120);
    await page.emulateMedia({ media: "print" });
    assert.ok((await shown.boundingBox())!.width > 200, "and so has a print");
    await page.emulateMedia({ media: "screen" });
  });
  await step(
    "§12.18 another wallet than the one that paid is told which one is needed, and signs nothing",
    async () => {
      const stranger = await browser.open();
      const other = await TestWallet.attach(stranger.context, service);
      await stranger.page.goto(`${service.checkoutUrl}/pay/p/${payment}`);
      await release(stranger.page).click();
      await button(stranger.page, "Release with Test wallet").click();
      const short = ({ address }: { address: string }) => `${address.slice(0, 4)}…${address.slice(-4)}`;
      await says(stranger.page, `This needs the wallet ${short(wallet.key)}. Test wallet gave ${short(other.key)}`);
      assert.equal(other.asked.length, 0);
      await stranger.context.close();
    },
  );
  await step("§12.18 box and form have no barrier, and fit a phone and a desktop, light and dark", async () => {
    const check = async (what: string, { width }: { readonly width: number }) => {
      for (const colorScheme of inForm({ short: ["light"] as const, long: ["light", "dark"] as const })) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await findBarriers(page), [], `${what}, ${width}, ${colorScheme}`);
      }
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, what);
      const narrow = { width: 320, height: 700 };
      await page.setViewportSize(narrow);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), narrow.width, what);
    };
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      await page.goto(`${service.checkoutUrl}/pay/p/${payment}`);
      await release(page).click();
      await button(page, "Release with Test wallet").waitFor();
      await box.click();
      await check("receipt", viewport);
      await page.setViewportSize(viewport);
      await page.getByRole("link", { name: "Something is wrong" }).click();
      await openDispute(page).click();
      await page.getByText("A part", { exact: true }).click();
      await page.locator("#part").fill("3");
      await check("form", viewport);
    }
    await page.setViewportSize(DESKTOP);
    await page.goto(`${service.checkoutUrl}/pay/p/${payment}`);
  });
  await step("§12.18 a hostile answer never reaches the wallet, nor its plain form the person", async () => {
    const withBuilt = async (change: (built: Wire) => object, ask: () => Promise<void>) => {
      await page.route("**/build", async (route) => {
        const answer = await route.fetch();
        const built = await answer.json();
        await route.fulfill({ response: answer, json: { ...built, ...change(built) } });
      });
      await ask();
      await page.unroute("**/build");
    };
    await release(page).click();
    await withBuilt(
      ({ fee }) => ({ fee: { ...fee, networkLamports: "5000" } }),
      async () => {
        await button(page, "Release with Test wallet").click();
        await says(page, /not what this page shows/);
      },
    );
    assert.equal(wallet.asked.length, 0);
    await box.click();
    await withBuilt(
      ({ instructions: [first, ...rest] }) => ({ instructions: [{ ...first, data: "BgEAAAAAAAAA" }, ...rest] }),
      async () => {
        await button(page, "Prepare the instructions").click();
        const text = page.locator(".way .progress").filter({ hasText: /not what this page shows.*plain form/ });
        await text.waitFor();
      },
    );
    assert.equal(await page.locator(".copy").count(), 0);
  });
  await step("§12.18 the instructions work in a wallet of several signers, long after their blockhash", async () => {
    await button(page, "Prepare the instructions").click();
    const instructions = JSON.parse(await page.getByLabel("Instructions (JSON)").inputValue());
    await lookAt(page, "receipt-by-several");
    assert.equal(instructions[0].programId, service.programId);
    assert.equal(wallet.asked.length, 0);
    await rpc(service, "devnet_tick", { slots: PAST_BLOCKHASHES });
    await sendPlain(service, wallet.key, instructions);
    await heading(page, "The shop was paid");
    assert.deepEqual(complaintsOf(reader), []);
  });
  await context.close();
});

test("a smart wallet pays and releases", async (t) => {
  const step = roadOf(t);
  const key = newWallet();
  await control(service, "/faucet", { address: key.address, asset: "SOL", amount: "50000000" });
  const { account, handle } = await aSmartWallet(key);
  const { page, context, intent, wallet } = await aBuyer({ wallet: key, address: account, sends: true, handle });

  await step("§12.7 a smart wallet pays: its program signs inside, and another account pays the network", async () => {
    await payButton(page).click();
    await heading(page, "Paid and protected");
    const [payment, ...more] = await paymentsOf(intent);
    assert.deepEqual([payment.sender, more.length], [account, 0]);
  });
  await step(
    "§12.18 who declines has signed nothing, and may press again; a wallet that sends is asked to send",
    async () => {
      await page.getByRole("link", { name: "Open your receipt" }).click();
      await release(page).click();
      await page.getByText("Releasing pays the shop 24.50 USDC now. This cannot be undone.").waitFor();
      await hasFocus(page, "#action-title");
      wallet.handle = rejects;
      await button(page, "Release with Test wallet").click();
      await says(page, "You declined in the wallet. Nothing was changed.");
    },
  );
  await step("§12.18 paid, then the receipt: a smart wallet releases the money, and every page follows", async () => {
    const other = await tabOf(context);
    await other.page.goto(page.url());
    wallet.handle = handle;
    await button(page, "Release with Test wallet").click();
    await heading(page, "The shop was paid");
    await heading(other.page, "The shop was paid");
    assert.match((await said(page)) ?? "", /^The shop was paid/);
    await hasFocus(page, "h2");
    assert.equal(wallet.asked.length, 3, "the wallet was asked to pay, and twice to release");
    assert.equal(await page.locator("#action").count(), 0);
  });
  await context.close();
});

test("a buyer releases in two tabs, by the keyboard", async (t) => {
  const step = roadOf(t);
  const [person, later] = [slowPerson(), slowPerson()];
  const { page, context, payment, wallet } = await aReader({ handle: person.handle });
  const other = await tabOf(context);
  await other.page.goto(`${service.checkoutUrl}/pay/p/${payment}`);

  await step("§12.18 the focus stays where the person is: into the box, back to its button, and in again", async () => {
    await press(page, '[data-action="release"]');
    await hasFocus(page, "#action-title");
    await page.keyboard.press("Escape");
    await hasFocus(page, '[data-action="release"]');
    await page.keyboard.press("Enter");
  });
  await step("§12.18 two tabs: one says that the other acts", async () => {
    await release(other.page).click();
    await press(page, WALLET);
    await person.asked;
    await says(page, "Confirm in Test wallet");
    await says(other.page, "Another tab is doing this right now");
  });
  await step(
    "§12.18 a wallet that never answers holds nobody up: the box is closed, and another press acts",
    async () => {
      await button(page, "Cancel").click();
      await hasFocus(page, '[data-action="release"]');
      wallet.handle = rejects;
      await release(page).click();
      await button(page, "Release with Test wallet").click();
      await says(page, "You declined");
    },
  );
  await step(
    "§12.18 both tabs show the end, whichever answer comes first, and the second press changes nothing",
    async () => {
      wallet.handle = later.handle;
      await button(other.page, "Release with Test wallet").click();
      await later.asked;
      // The first answer comes after all: it is what the person agreed to, and the state shows it.
      person.decide();
      later.decide();
      for (const tab of [page, other.page]) await heading(tab, "The shop was paid");
    },
  );
  await context.close();
});

test("a buyer disputes, by the keyboard", async (t) => {
  const step = roadOf(t);
  const reader = await aReader({ path: "/dispute" });
  const { page, context, payment, wallet } = reader;
  const other = await tabOf(context);
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));

  await step("§12.18 the text of a dispute stays on this device, through reloads and two tabs", async () => {
    await press(page, 'input[name="reason"]', "Space");
    await page.keyboard.press("ArrowDown");
    await page.getByText("Keep the goods.").waitFor();
    await tabTo(page, "#text");
    await page.keyboard.type("The bag arrived torn.");
    await page.getByText("A part", { exact: true }).click();
    await page.locator("#part").fill("12.5");
    await page.getByText("You want 12.50 USDC back; the shop keeps 12.00 USDC.").waitFor();
    await page.locator("#part").fill("25");
    await page.getByText("Enter an amount above zero, of 24.50 USDC at most.").waitFor();
    await page.locator("#part").fill("12.5");
    await page.getByText(/Saved on this device/).waitFor();
    await other.page.goto(page.url());
    await hasText(other.page, "The bag arrived torn.");
    await other.page.locator("#text").fill("The bag arrived torn and wet.");
    await hasText(page, "The bag arrived torn and wet.");
    await page.reload();
    await hasText(page, "The bag arrived torn and wet.");
    // The browser fills the text of a reloaded page by itself, before the script checks the reason.
    await page.locator('input[value="not_as_described"]:checked').waitFor({ state: "attached" });
  });
  await step("§12.18 a form that is open names what can still come back, after the shop gave back a part", async () => {
    await act(service, service.wallets.recipient, "refund", payment, { total: 2_000_000n });
    await page.getByText("You want 12.50 USDC back; the shop keeps 10.00 USDC.").waitFor();
    await page.locator("#draft").getByText("22.50 USDC").waitFor();
    await hasText(page, "The bag arrived torn and wet.");
  });
  await step(
    "§12.18 the dispute is opened: its tab goes on to the text, which nobody has read, every other says so, and the text stays until it is deleted",
    async () => {
      await press(page, "#open-dispute");
      await page.getByText("This freezes 22.50 USDC at once.").waitFor();
      await press(page, WALLET, "Space");
      await heading(page, "Show that you paid");
      await page.getByText("What you wrote is on this device alone, and nobody has read it.").waitFor();
      await heading(other.page, "Your dispute is open");
      assert.match((await said(other.page)) ?? "", /Your dispute is open/);
      await page.getByRole("link", { name: "Back to the receipt" }).click();
      await page
        .getByText("What you wrote about your dispute is on this device alone, and nobody has read it.")
        .waitFor();
      await page.goto(`${service.checkoutUrl}/pay/p/${payment}/dispute`);
      await heading(page, "Your dispute is open");
      await hasText(page, "The bag arrived torn and wet.");
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await button(page, "Copy what I wrote").click();
      assert.equal(
        await page.evaluate("navigator.clipboard.readText()"),
        `Payment of 24.50 USDC: ${payment}\nReason: It is not as described\nI want back: 12.50 USDC\n\nThe bag arrived torn and wet.`,
      );
      assert.ok(!sent.some((one) => /torn|12\.5|not_as_described/.test(one)), "nothing of it was sent");
      await button(page, "Delete it from this device").click();
      await hasText(page, "");
      await hasText(other.page, "");
      assert.equal(await page.evaluate("Object.keys(localStorage).filter((name) => name.includes('draft')).length"), 0);
    },
  );
  await step("§12.18 disputed, given back in part by the shop, then released: the receipt says each step", async () => {
    await press(page, ".crumb a");
    await release(page).waitFor();
    await act(service, service.wallets.recipient, "refund", payment, { total: HALF });
    await page.getByText("12.00 USDC went back to you").first().waitFor();
    await press(page, '[data-action="release"]');
    await page.getByText("The shop gets 12.50 USDC, and you keep 12.00 USDC.").waitFor();
    const asked = wallet.asked.length;
    for (const typed of ["", "24.50"]) {
      await page.locator("#typed").fill(typed);
      await button(page, "Release with Test wallet").click();
      await says(page, "Type 12.50 first");
    }
    assert.equal(wallet.asked.length, asked, "a release in a dispute is typed first");
    await page.locator("#typed").fill("");
    await tabTo(page, "#typed");
    await page.keyboard.type("12.50");
    await press(page, WALLET);
    await heading(page, "The money was split");
    await page.goto(`${service.checkoutUrl}/pay/p/${payment}/dispute`);
    await heading(page, "No dispute can be opened now");
    assert.equal(await page.locator("#text").isVisible(), false, "nothing is kept");
    assert.deepEqual([...complaintsOf(reader), ...complaintsOf(other)], []);
  });
  await context.close();
});

test("§12.18 what changes while the box is open is confirmed anew: a dispute, a part that the shop gives back", async () => {
  const { page, context, payment, wallet } = await aReader();
  await release(page).click();
  await page.getByText("Releasing pays the shop 24.50 USDC now.").waitFor();
  await button(page, "Release with Test wallet").focus();
  await act(service, wallet.key, "dispute", payment);
  await page.getByText("This ends your dispute. The shop gets 24.50 USDC, and you get nothing back.").waitFor();
  await hasFocus(page, '[data-wallet="Test wallet"]');
  assert.equal(await page.getByText("Instructions for").isVisible(), false, "no way around the amount");
  await page.keyboard.press("Enter");
  await says(page, "Type 24.50 first");
  await page.locator("#typed").fill("24.50");
  await page.getByText("Instructions for").waitFor();
  await act(service, service.wallets.recipient, "refund", payment, { total: HALF });
  await page.getByText("The shop gets 12.50 USDC, and you keep 12.00 USDC.").waitFor();
  await button(page, "Release with Test wallet").click();
  await says(page, "Type 12.50 first");
  assert.equal(wallet.asked.length, 0);
  // §12.4: the page shows by itself what the chain shows, whoever did it.
  await act(service, wallet.key, "release", payment);
  await heading(page, "The money was split");
  assert.equal(await page.locator("#action").count(), 0, "the box is gone with its button");
  await hasFocus(page, "h2");
  await context.close();
});

test("a payment that matches no order is disputed, and comes back", async (t) => {
  const step = roadOf(t);
  const { page, context, wallet } = await aReader({ amount: "24000000" });

  await step("§12.18 a payment that matches no order is disputed like any other, by the keyboard alone", async () => {
    await heading(page, "This payment matches no order");
    await press(page, 'a[href*="/dispute"]');
    await openDispute(page).waitFor();
    await press(page, "#open-dispute");
    await press(page, WALLET, "Space");
    await heading(page, "Your dispute is open");
    assert.equal(wallet.asked.length, 1);
  });
  await step("§12.18 90 days without a decision are over: the buyer takes it back without anybody's help", async () => {
    await press(page, ".crumb a");
    await release(page).waitFor();
    await advance(service, DISPUTE_SECONDS + 60);
    await page.reload();
    await press(page, '[data-action="refund_unresolved"]');
    await page.getByText(/sends 24.00 USDC back to the wallet that paid/).waitFor();
    await press(page, WALLET);
    await heading(page, "You have your money back");
  });
  await context.close();
});
