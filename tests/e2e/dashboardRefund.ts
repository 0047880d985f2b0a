import assert from "node:assert/strict";
import { before, test } from "node:test";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import type { Locator, Page } from "playwright-core";
import { act, newPayer, PAST_BLOCKHASHES, pay, rpc, sendPlain } from "../harness/chain.ts";
import { awaitPaid, awaitPayment } from "../harness/expectEvents.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import type { Service } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import { findBarriers, lookAt, openBrowser, type Tab, type TestBrowser, tabOf } from "./browser.ts";
import { slowPerson } from "./buyer.ts";
import { openChainWorld } from "./chainWorld.ts";
import { isExpected, memberStates, readDashboard } from "./dashboardPages.ts";
import { TestWallet, type TestWalletOptions } from "./wallet.ts";

/** Refunds in the dashboard, by the recipient's wallet, on the real service with its chain. */
const AMOUNT = "86000000";

let service: Service;
let shop: Merchant;
let browser: TestBrowser;
let dashboardUrl: string;
let stateOf: ReturnType<typeof memberStates>;
before(async () => {
  [{ service }, browser] = await Promise.all([openChainWorld(), openBrowser()]);
  shop = await newMerchant(service, { name: "Fernweh Coffee" });
  ({ dashboardUrl } = await readDashboard(service));
  stateOf = memberStates(service);
});

interface Staff extends Tab {
  readonly wallet: TestWallet;
}

/** A member in front of a page of the shop, with the recipient's wallet in the browser unless another is given. */
async function aMember(
  path: string,
  { role = "admin", isTimed = false, ...options }: TestWalletOptions & { role?: string; isTimed?: boolean } = {},
): Promise<Staff> {
  const tab = await browser.open({ storageState: await stateOf(shop.business, role) });
  const wallet = await TestWallet.attach(tab.context, service, { wallet: service.wallets.recipient, ...options });
  if (isTimed) await tab.page.clock.install();
  await tab.page.goto(`${dashboardUrl}/${shop.business}/test/${path}`);
  await tab.page.locator("#main h1").waitFor();
  return { ...tab, wallet };
}

async function paid(terms: Readonly<Record<string, unknown>> = {}): Promise<Wire> {
  const intent = await shop.create({ amount: AMOUNT, ...terms });
  await pay(service, intent, { buyer: await newPayer(service) });
  return (await awaitPaid(shop, intent.id)).payment;
}

const panel = (page: Page) => page.getByRole("region", { name: "Refund", exact: true });
const openRefund = (page: Page) => page.getByRole("button", { name: "Refund", exact: true }).click();
const press = (page: Page, name: string) => panel(page).getByRole("button", { name }).click();
const done = (page: Page) =>
  panel(page)
    .getByText(/^Refunded\. /)
    .waitFor();
/** Stops the clock of all pages of the context: from now on it goes only as far as the test lets it. */
const stopClock = (page: Page) => page.clock.pauseAt(Date.now() + 60_000);
/** Lets five seconds pass on the page, and waits for what they bring. An answer is shown by timers of a moment. */
async function passFiveSeconds(page: Page, shown: Locator): Promise<void> {
  await page.clock.runFor(5_000);
  await eventually("the page shows it", async () => {
    await page.clock.runFor(1);
    return shown.isVisible();
  });
}
const complaintsOf = ({ complaints }: Tab) => complaints.filter((one) => !isExpected(one));

test("§13.10.12 a duplicate is refunded whole by a wallet that only signs, and the page shows it once the chain does", async () => {
  const intent = await shop.create({ amount: AMOUNT });
  for (let buyers = 0; buyers < 2; buyers++) await pay(service, intent, { buyer: await newPayer(service) });
  const [duplicate] = await eventually("both are recorded", async () => {
    const all: Wire[] = (await shop.get(`/payments?intent=${intent.id}&role=duplicate`)).json.data;
    return all.length === 1 && all;
  });
  const member = await aMember(`payments/${duplicate.id}`);
  const { page } = member;
  await page.getByText("Refund this payment, or accept it as a second order.").waitFor();
  await openRefund(page);
  await panel(page).getByText("After this the buyer has all 86.00 USDC back and nothing stays in escrow.").waitFor();
  await panel(page).getByText("Connected").waitFor();
  await press(page, "Refund 86.00 USDC");
  await done(page);
  await page.getByText("Refunded", { exact: true }).waitFor();
  const ended = await awaitPayment(shop, duplicate.id, "refunded");
  assert.deepEqual([ended.outcome, ended.amountRefunded], ["refunded_by_recipient", AMOUNT]);
  assert.equal(member.wallet.asked.length, 1);
  await press(page, "Done");
  assert.equal(await page.getByRole("button", { name: "Refund", exact: true }).count(), 0);
  assert.deepEqual(complaintsOf(member), []);
  await member.context.close();
});

test("§13.10.12 a part is refunded, then another, by a wallet that signs and sends; the outcome is said before, exactly", async () => {
  const payment = await paid();
  const member = await aMember(`payments/${payment.id}`, { sends: true });
  const { page } = member;
  await openRefund(page);
  await panel(page).getByLabel("A part").check();
  const field = panel(page).getByLabel("Part to refund, in USDC");
  for (const wrong of ["", "0", "86.000001", "1,5", "1.0000001"]) {
    await field.fill(wrong);
    await press(page, "Refund");
    await panel(page).getByText("Enter an amount up to 86.00 USDC").waitFor();
    assert.equal(await page.evaluate("document.activeElement.name"), "amount", wrong);
  }
  assert.equal(member.wallet.asked.length, 0);
  await field.fill("20.000001");
  await panel(page)
    .getByText("After this the buyer has 20.000001 USDC back and 65.999999 USDC stays in escrow for you.")
    .waitFor();
  await press(page, "Refund 20.000001 USDC");
  await done(page);
  await page.getByText("Protected, partly refunded", { exact: true }).waitFor();
  await page.getByRole("row", { name: /^The buyer 20\.000001 20\.000001 0\.00/ }).waitFor();
  await press(page, "Done");
  await openRefund(page);
  await panel(page).getByLabel("A part").check();
  await panel(page).getByLabel("Part to refund, in USDC").fill("15.999999");
  await panel(page)
    .getByText("After this the buyer has 36.00 USDC back and 50.00 USDC stays in escrow for you.")
    .waitFor();
  await press(page, "Refund 15.999999 USDC");
  await done(page);
  const shown = await eventually("both parts have left", async () => {
    const one = await shop.payment(payment.id);
    return one.amountRefunded === "36000000" && one;
  });
  assert.deepEqual([shown.status, shown.outcome, shown.refundTotal], ["protected", null, "36000000"]);
  await page.getByText("36.00 USDC has gone back in all.").waitFor();
  assert.deepEqual(complaintsOf(member), []);
  await member.context.close();
});

test("§13.10.12 another wallet than the recipient's is told which one is needed; who declines has refunded nothing", async () => {
  const payment = await paid();
  const other = await aMember(`payments/${payment.id}`, { wallet: newWallet() });
  await openRefund(other.page);
  assert.equal(await panel(other.page).getByText("Connected").count(), 0);
  await press(other.page, "Refund 86.00 USDC");
  const refusal = panel(other.page).getByText(/^This needs the wallet .* gave /);
  await refusal.waitFor();
  for (const address of [other.wallet.key.address, payment.recipient])
    assert.ok((await refusal.textContent())?.includes(address));
  assert.equal(other.wallet.asked.length, 0);
  await other.context.close();

  const member = await aMember(`payments/${payment.id}`);
  const { page, wallet } = member;
  wallet.handle = () => {
    throw new Error("User rejected the request.");
  };
  await openRefund(page);
  await press(page, "Refund 86.00 USDC");
  await panel(page).getByText("You declined in the wallet. Nothing was refunded.").waitFor();
  wallet.handle = () => {
    throw new Error("Ledger device: Incorrect length (0x6700)");
  };
  await press(page, "Refund 86.00 USDC");
  await panel(page)
    .getByText("could not finish (Ledger device: Incorrect length (0x6700)). Nothing was refunded.")
    .waitFor();
  assert.equal((await shop.payment(payment.id)).refundTotal, "0");
  await member.context.close();
});

test("§13.16.1 a wallet that takes longer than the network allows has refunded nothing, and one press does", async () => {
  const payment = await paid();
  const person = slowPerson();
  const { page, wallet, context } = await aMember(`payments/${payment.id}`, { handle: person.handle });
  await openRefund(page);
  await press(page, "Refund 86.00 USDC");
  await person.asked;
  await panel(page)
    .getByText(/^\d+ seconds left\./)
    .waitFor();
  await rpc(service, "devnet_tick", { slots: 190 });
  await panel(page).getByText("Your wallet took too long for the network. Nothing was refunded").waitFor();
  assert.equal(
    await panel(page)
      .getByText(/seconds left/)
      .count(),
    0,
  );
  wallet.handle = (bytes) => bytes;
  person.decide();
  await press(page, "Refund 86.00 USDC");
  await done(page);
  assert.equal(wallet.asked.length, 2);
  await context.close();
});

test("§13.10.12 a browser without a wallet is told so, and on a local chain which command refunds", async () => {
  const payment = await paid();
  const { page, context } = await browser.open({ storageState: await stateOf(shop.business, "admin") });
  await page.goto(`${dashboardUrl}/${shop.business}/test/payments/${payment.id}`);
  await openRefund(page);
  await panel(page).getByText("No wallet was found in this browser.").waitFor();
  assert.equal(await panel(page).getByRole("button", { name: "Refund 86.00 USDC" }).isEnabled(), false);
  const command = panel(page).getByText(`npm run pay -- ${payment.intent} --refund ${AMOUNT}`, { exact: true });
  await command.waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await context.close();
});

test("§13.10.12 a hostile answer of another total, payment or cost never reaches the wallet", async () => {
  const [payment, foreign] = [await paid(), await paid()];
  const member = await aMember(`payments/${payment.id}`);
  const { page, wallet } = member;
  const change = async (asked: Wire, answer: Wire, of = payment.id) => {
    await page.route("**/refund", async (route) => {
      const request = route.request();
      const postData = JSON.stringify({ ...request.postDataJSON(), ...asked });
      const response = await route.fetch({ url: request.url().replace(payment.id, of), postData });
      const json = await response.json();
      await route.fulfill({ response, json: { ...json, ...answer, fee: { ...json.fee, ...answer.fee } } });
    });
    await openRefund(page);
    await press(page, "Refund 86.00 USDC");
    await panel(page).getByText("is not what this page shows").waitFor();
    await page.unroute("**/refund");
    await press(page, "Cancel");
  };
  await change({ total: "1" }, { total: AMOUNT });
  await change({}, { payment: payment.id }, foreign.id);
  await change({}, { fee: { tokenAccountLamports: "2039280" } });
  await change({}, { fee: { networkLamports: "4999" } });
  assert.equal(wallet.asked.length, 0);
  await member.context.close();
});

test("§13.10.12 a refund whose answer is lost may be on its way: the page asks for no second one, and shows it once the chain does", async () => {
  const payment = await paid();
  const { page, context } = await aMember(`payments/${payment.id}`);
  await page.route("**/refund/submit", (route) => route.abort());
  await openRefund(page);
  await panel(page).getByLabel("A part").check();
  await panel(page).getByLabel("Part to refund, in USDC").fill("20");
  await press(page, "Refund 20.00 USDC");
  await panel(page).getByText("It is not certain whether it was sent.").waitFor();
  await act(service, service.wallets.recipient, "refund", payment.id, { total: 20_000_000n });
  await done(page);
  await context.close();
});

test("§13.10.12 a dispute is refunded in part, by keyboard alone, and the rest stays frozen", async () => {
  const intent = await shop.create({ amount: AMOUNT });
  const buyer = await newPayer(service);
  await pay(service, intent, { buyer });
  const { payment } = await awaitPaid(shop, intent.id);
  await act(service, buyer, "dispute", payment.id);
  await awaitPayment(shop, payment.id, "disputed");
  const member = await aMember(`payments/${payment.id}`);
  const { page } = member;
  await page.getByRole("note").getByText("Until it is decided, you can refund it").waitFor();
  const button = page.getByRole("button", { name: "Refund", exact: true });
  await button.focus();
  await page.keyboard.press("Enter");
  const focused = () => page.evaluate("document.activeElement.textContent");
  await eventually("the panel has the focus", async () => (await focused()) === "Refund");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.type("36");
  await panel(page)
    .getByText(
      "After this the buyer has 36.00 USDC back and 50.00 USDC stays frozen until the buyer releases it or the arbiter decides.",
    )
    .waitFor();
  await page.keyboard.press("Enter");
  await done(page);
  await eventually("the part has left", async () => (await shop.payment(payment.id)).amountRefunded === "36000000");
  await panel(page).getByRole("status").getByText("Refunded. The buyer has 36.00 USDC back in all.").waitFor();
  assert.equal(await focused(), "Refund");
  await page.getByRole("row", { name: /^Not decided 50\.00 0\.00 50\.00/ }).waitFor();
  assert.equal((await shop.payment(payment.id)).status, "disputed");
  await member.context.close();
  // No dispute is left for the arbiter.
  await act(service, service.wallets.recipient, "refund", payment.id, { total: BigInt(AMOUNT) });
  await awaitPayment(shop, payment.id, "refunded");
});

test("§13.10.12 a wallet of several signers gets instructions, and may take longer than any blockhash", async () => {
  const payment = await paid();
  const member = await aMember(`payments/${payment.id}`);
  const { page } = member;
  await openRefund(page);
  await panel(page).getByText("Multisignature wallet", { exact: true }).click();
  await press(page, "Prepare instructions");
  const instructions = JSON.parse((await panel(page).locator("[data-copy=instructions]").textContent())!);
  assert.equal(instructions[0].programId, service.programId);
  assert.deepEqual(instructions[0].accounts[1], { address: payment.id, signer: false, writable: true });
  await lookAt(page, "refund-by-several");
  await rpc(service, "devnet_tick", { slots: PAST_BLOCKHASHES });
  await sendPlain(service, service.wallets.recipient, instructions);
  await awaitPayment(shop, payment.id, "refunded");
  await page.getByText("Refunded", { exact: true }).waitFor();
  assert.equal(member.wallet.asked.length, 0);
  await member.context.close();
});

test("§13.10.13 a payment that matches no order says what differs and who paid, and is refunded by the wallet that was paid", async () => {
  const intent = await shop.create({ amount: AMOUNT });
  const buyer = await newPayer(service);
  const { payment: address } = await pay(service, intent, { buyer, amount: "80000000", protectionPeriod: "oneDay" });
  const member = await aMember(`payments/${address}`);
  const { page } = member;
  await eventually("it is recorded", async () => {
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    return (await page.getByText("Matches no order", { exact: true }).count()) === 1;
  });
  await page.getByRole("heading", { name: "80.00 USDC", level: 1 }).waitFor();
  await page.getByRole("note").getByRole("link", { name: intent.id }).waitFor();
  await page.getByRole("row", { name: "Amount 86.00 USDC 80.00 USDC" }).waitFor();
  await page.getByRole("row", { name: "Protection period 7 days 1 day" }).waitFor();
  assert.equal(await page.getByRole("row", { name: /^Recipient/ }).count(), 0);
  await page.getByTitle(buyer.address).first().waitFor();
  await openRefund(page);
  await panel(page).getByText("After this the buyer has all 80.00 USDC back and nothing stays in escrow.").waitFor();
  await lookAt(page, "refund-of-no-order");
  await press(page, "Refund 80.00 USDC");
  await done(page);
  await page.getByText("Refunded", { exact: true }).waitFor();
  await page.getByRole("row", { name: /^The buyer 80\.00 80\.00 0\.00/ }).waitFor();
  // The browser itself also logs the 404 of the payment that is bound to no intent.
  assert.deepEqual(
    complaintsOf(member).filter((one) => !/status of 404/.test(one)),
    [],
  );
  await member.context.close();
  const stranger = await newMerchant(service);
  const tab = await browser.open({ storageState: await stateOf(stranger.business, "owner") });
  await tab.page.goto(`${dashboardUrl}/${stranger.business}/test/payments/${address}`);
  await tab.page.getByText("No payment with this address").waitFor();
  await tab.context.close();
});

test("§13.10.12 a release that lands while the wallet asks wins; every tab says so within five seconds", async () => {
  const intent = await shop.create({ amount: AMOUNT });
  const buyer = await newPayer(service);
  await pay(service, intent, { buyer });
  const { payment } = await awaitPaid(shop, intent.id);
  const { page, context, wallet } = await aMember(`payments/${payment.id}`);
  const other = await tabOf(context);
  await other.page.clock.install();
  await other.page.goto(page.url());
  await other.page.getByText("Protected", { exact: true }).waitFor();
  await stopClock(other.page);
  wallet.handle = async (bytes) => {
    await act(service, buyer, "release", payment.id);
    return bytes;
  };
  await openRefund(page);
  await press(page, "Refund 86.00 USDC");
  await awaitPayment(shop, payment.id, "released");
  await passFiveSeconds(other.page, other.page.getByText("Released", { exact: true }));
  await other.page.clock.resume();
  await panel(page).getByText("Nothing is left that could be refunded.").waitFor();
  await panel(page)
    .getByText(/The chain would refuse it/)
    .waitFor();
  await page.getByText("Released", { exact: true }).waitFor();
  const { amountRefunded, amountReleased } = await shop.payment(payment.id);
  assert.deepEqual([amountRefunded, amountReleased], ["0", AMOUNT]);
  await context.close();
});

test("§13.10.7 once all has left nothing can be refunded; roles without the right never see the button", async () => {
  const intent = await shop.create({ amount: AMOUNT });
  const buyer = await newPayer(service);
  await pay(service, intent, { buyer });
  const { payment } = await awaitPaid(shop, intent.id);
  const developer = await aMember(`payments/${payment.id}`, { role: "developer" });
  await developer.page.getByRole("heading", { name: "Details" }).waitFor();
  assert.equal(await developer.page.getByRole("button", { name: "Refund", exact: true }).count(), 0);
  await developer.context.close();

  const { page, context } = await aMember(`payments/${payment.id}`, { isTimed: true });
  const button = page.getByRole("button", { name: "Refund", exact: true });
  await button.waitFor();
  await stopClock(page);
  await act(service, buyer, "release", payment.id);
  await awaitPayment(shop, payment.id, "released");
  await passFiveSeconds(page, page.getByText("Released", { exact: true }));
  const card = page.getByRole("region", { name: "Pay the buyer back" });
  await card.getByText(payment.sender, { exact: true }).waitFor();
  assert.equal(await button.count(), 0);
  await context.close();
});

test("§13.10.12 the refund is open to all on a phone and on a desktop", async () => {
  const payment = await paid();
  const { page, context } = await aMember(`payments/${payment.id}`);
  await openRefund(page);
  await panel(page).getByLabel("A part").check();
  await panel(page).getByLabel("Part to refund, in USDC").fill("16");
  await panel(page).getByText("Connected").waitFor();
  await lookAt(page, "refund");
  await context.close();
});
