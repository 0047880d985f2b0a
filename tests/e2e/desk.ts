import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { admin } from "../harness/admin.ts";
import { act, advance, rpc, vaultBalance } from "../harness/chain.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import type { Service } from "../harness/service.ts";
import { Browser as StaffBrowser } from "../harness/staffBrowser.ts";
import { eventually } from "../harness/wait.ts";
import type { Receiver } from "../harness/webhookReceiver.ts";
import { lookAt, openBrowser, pressKey, type Tab, type TestBrowser, tabTo } from "./browser.ts";
import { heading, slowPerson } from "./buyer.ts";
import { HOOKS_HOST, openChainWorld } from "./chainWorld.ts";
import { addUser, isExpected, readDashboard, signIn } from "./dashboardPages.ts";
import {
  announcementOf,
  aPhoto,
  type DisputedBuyer,
  makeSignedOffer,
  openDispute,
  prove,
  sendFile,
  writeOpening,
} from "./disputedBuyer.ts";
import { TestWallet } from "./wallet.ts";

/** The arbiter's desk, on a real chain: queue, dispute, decision, and what the buyer sees of it. */
const DAY_SECONDS = 86_400;
const WIDE = { width: 1440, height: 900 } as const;
const REASONS = `Both sides agree that the Sidamo arrived torn, so its price of 12.50 USDC goes back.

The photo of the Huila shows an open seal, but it was taken two days after delivery, and the shop's picture shows the same bag closed when it was packed. That it arrived open is not shown.`;

let receiver: Receiver;
let service: Service;
let shop: Merchant;
let browser: TestBrowser;
let dashboardUrl: string;
const logins: Record<string, Awaited<ReturnType<typeof addUser>>> = {};
before(async () => {
  [{ service, receiver }, browser] = await Promise.all([openChainWorld(), openBrowser()]);
  shop = await newMerchant(service, { name: "Fernweh Coffee" });
  ({ dashboardUrl } = await readDashboard(service));
  for (const [email, name] of [
    ["jonas@desk.example", "Jonas Wiek"],
    ["mara@desk.example", "Mara Lind"],
  ] as const)
    logins[name] = await addUser(service, email, null, "--arbiter", "--name", name);
  const owner = { business: shop.business, role: "owner" };
  logins["Ada Owner"] = await addUser(service, "ada@fernweh.example", owner, "--arbiter", "--name", "Ada Owner");
});
const aDispute = (terms = {}) => openDispute({ service, shop, browser }, {}, terms);
/** What a browser complained of, but for its own lines about refused requests. */
const unexpected = ({ complaints }: Tab) =>
  complaints.filter((one) => !isExpected(one) && !/status of (403|409)/.test(one));

/** What the shop's server sends to the dispute, by its key. */
async function send({ dispute }: DisputedBuyer, below: string, body?: unknown): Promise<Wire> {
  const answer = await shop.call("POST", `/disputes/${dispute}${below}`, body);
  assert.ok(answer.status < 300, answer.text);
  return answer.json;
}

/** An offer that a member of the shop makes, or with an id accepts. */
async function offerOf({ dispute }: DisputedBuyer, below: string, body?: unknown): Promise<Wire> {
  const ada = new StaffBrowser(`http://localhost:${service.port}`, new URL(dashboardUrl).origin);
  assert.equal((await ada.post("/sign-in", logins["Ada Owner"])).status, 200);
  const answer = await ada.post(`/businesses/${shop.business}/test/disputes/${dispute}/offers${below}`, body);
  assert.ok(answer.status < 300, answer.text);
  return answer.json;
}

async function sendFileOfShop(buyer: DisputedBuyer, name: string, bytes: Buffer): Promise<void> {
  const { uploadUrl } = await send(buyer, "/files", announcementOf(name, bytes));
  const put = await fetch(uploadUrl, { method: "PUT", body: new Uint8Array(bytes) });
  assert.equal(put.status, 201, await put.text());
}

interface Arbiter extends Tab {
  readonly wallet: TestWallet;
}

/** An arbiter with the wallet that signs rulings, in front of the queue. */
async function anArbiter(name: string): Promise<Arbiter> {
  const tab = await browser.open({ viewport: WIDE });
  const wallet = await TestWallet.attach(tab.context, service, { wallet: service.wallets.arbiter });
  await signIn(tab.page, dashboardUrl, logins[name]!, "/desk");
  await heading(tab.page, "Arbiter's desk");
  return { ...tab, wallet };
}

/** A dispute that waits for the arbiter, since both sides asked for it. */
async function deciding(terms = {}): Promise<DisputedBuyer> {
  const buyer = await aDispute(terms);
  await prove(buyer);
  await writeOpening(buyer);
  await send(buyer, "/ask-arbiter");
  await buyer.page.getByText("Ask for the arbiter", { exact: true }).click();
  await buyer.page.getByText("The shop has asked. If you ask too, talking ends now").waitFor();
  await buyer.page.getByRole("button", { name: "Yes, ask for the arbiter" }).click();
  await heading(buyer.page, "The arbiter is to decide");
  return buyer;
}

async function openDeskPage({ page }: Tab, { dispute }: DisputedBuyer): Promise<void> {
  await page.goto(`${dashboardUrl}/desk/${dispute}`);
  await page.getByText("At stake").waitFor();
}

const claim = async ({ page }: Tab) => {
  await page.getByRole("button", { name: "Claim dispute" }).click();
  await page.getByText("You hold the dispute.").waitFor();
};

/** Freezes a decision in the form, up to its signature. */
async function freeze({ page }: Tab, total: string): Promise<void> {
  await page.getByLabel("Exact amount").fill(total);
  await page.getByLabel("Reasons").fill("The photos show it.");
  await page.getByLabel("I have no interest in this dispute.").check();
  await page.getByRole("button", { name: "Preview decision" }).click();
  await heading(page, "Sign the decision");
}

const sharesOf = async ({ payment }: DisputedBuyer) => {
  const { outcome, amountRefunded, amountReleased } = await shop.payment(payment);
  return [outcome, amountRefunded, amountReleased];
};

/** Asserts that no page complained, and closes them. */
async function close(...tabs: readonly Tab[]): Promise<void> {
  for (const tab of tabs) {
    assert.deepEqual(unexpected(tab), []);
    await tab.context.close();
  }
}

const disputeLink = (page: Page, { dispute }: DisputedBuyer) => page.locator(`a[href$="/desk/${dispute}"]`);
const rowOf = (page: Page, buyer: DisputedBuyer) => page.getByRole("row").filter({ has: disputeLink(page, buyer) });
/** A part of a dispute by its whole title. */
const part = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

/** Run in the page; as text, since these tests' types know no browser. */
const markerOf = () => new Function("one", "return getComputedStyle(one).listStyleType") as () => string;
const isShown = () => new Function("one", "return one.decode().then(() => one.naturalWidth === 640)") as () => boolean;

const awaitClosed = ({ dispute }: DisputedBuyer): Promise<Wire> =>
  eventually("the dispute is closed", async () => {
    const { json } = await shop.get(`/disputes/${dispute}`);
    return json.status === "closed" && json;
  });

test("§17 order 1042: both sides speak, nobody agrees, the arbiter asks, rules a part and signs by keyboard; both are paid, and the buyer reads why", async () => {
  await admin(service, "webhook", "add", shop.business, "--url", `https://${HOOKS_HOST}/`);
  const buyer = await aDispute({ merchantReference: "1042" });
  const camera = await browser.open({ viewport: { width: 640, height: 480 } });
  await prove(buyer);
  await writeOpening(buyer, {
    text: "I ordered two bags of coffee as a present. The Sidamo arrived torn and half empty, and the other bag smells of the carton. I cannot give it away like this.",
    total: "24.50",
  });
  await sendFile(buyer, "bag-torn.jpg", await aPhoto(camera.page, "#b58d63,#6d4c33", "Sidamo, torn"));
  await sendFile(buyer, "carton.jpg", await aPhoto(camera.page, "#d9cfc1,#8d7d6b", "Carton"));
  await shop.call("POST", `/payment-intents/${buyer.intent.id}/fulfillments`, {
    ...{ carrier: "Postrunner", trackingNumber: "00340-7712" },
  });
  await send(buyer, "/statements", {
    text: "I am sorry. The Sidamo was torn in the post; that is ours to mend. The Huila comes in a sealed bag, which keeps the smell of a carton out.",
  });
  await sendFileOfShop(buyer, "1042-packed.jpg", await aPhoto(camera.page, "#c7b79a,#5f7468", "Packed"));
  await camera.context.close();
  await offerOf(buyer, "", { total: "12500000", text: "The buyer keeps the Huila." });
  await buyer.page.getByText("The buyer keeps the Huila.").waitFor();
  await makeSignedOffer(buyer, "18.50", "I keep both bags.");
  const jonas = await anArbiter("Jonas Wiek");
  const { page } = jonas;
  await openDeskPage(jonas, buyer);
  await page.getByText("Questions and a decision are possible after that.").waitFor();
  await advance(service, 5 * DAY_SECONDS + 3_600);
  await heading(buyer.page, "The arbiter is to decide");

  await page.goto(`${dashboardUrl}/desk`);
  await disputeLink(page, buyer).waitFor();
  await lookAt(page, "desk-queue", WIDE);
  await pressKey(page, disputeLink(page, buyer));
  await page.getByRole("heading", { name: "Fernweh Coffee · 1042" }).waitFor();
  await page.getByText("You are no member of this shop").waitFor();
  await pressKey(page, page.getByRole("button", { name: "Claim dispute" }));
  await page.getByText("You hold the dispute.").waitFor();
  const told = page.getByRole("list", { name: "What happened, in order" });
  const [theirs, ours] = ["buyer", "merchant"].map((by) => told.locator(`[data-by="${by}"]`)) as [Locator, Locator];
  await page.getByRole("link", { name: "Open the receipt" }).waitFor();
  await page.getByText("Pictures of what arrived, and when they were taken.").waitFor();
  assert.equal(await page.getByRole("button", { pressed: true }).count(), 0, "nothing is chosen beforehand");
  await theirs.getByText(/The Sidamo arrived torn and half empty/).waitFor();
  await ours.getByText(/The Sidamo was torn in the post/).waitFor();
  for (const [side, names] of [
    [theirs, ["bag-torn.jpg", "carton.jpg"]],
    [ours, ["1042-packed.jpg"]],
  ] as const)
    for (const name of names)
      assert.ok(await side.getByRole("link", { name }).locator("img").evaluate(isShown()), name);
  await lookAt(page, "desk-dispute", WIDE);

  await pressKey(page, page.getByRole("button", { name: "Ask a question" }));
  await page.getByRole("dialog").getByLabel("Question").waitFor();
  await tabTo(page, page.getByRole("dialog").getByLabel("Question"));
  await page.keyboard.type("When was the photo of the seal taken?");
  await pressKey(page, page.getByRole("dialog").getByRole("button", { name: "Send question" }));
  await told.getByText("When was the photo of the seal taken?").waitFor();
  await page.getByText("Both sides have until", { exact: false }).waitFor();
  await page.getByText(/neither has\.$/).waitFor();
  await buyer.page.getByText("When was the photo of the seal taken?").waitFor();
  await buyer.page.getByLabel("Add to the dispute").fill("On the day it arrived.");
  await buyer.page.getByRole("button", { name: "Send", exact: true }).click();
  await send(buyer, "/statements", { text: "Two days after the delivery, as its data says." });
  await page.getByText("On the day it arrived.").waitFor();

  const drafts = "Object.keys(localStorage).filter((key) => key.startsWith('draft:')).length";
  const amount = page.getByLabel("Exact amount");
  assert.equal(await amount.inputValue(), "", "nothing is chosen beforehand");
  await pressKey(page, page.getByRole("button", { name: "Nothing back" }));
  assert.equal(await amount.inputValue(), "0.00");
  await tabTo(page, amount);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("12.50");
  await tabTo(page, page.getByLabel("Reasons"));
  await page.keyboard.type(REASONS);
  await pressKey(page, page.getByRole("button", { name: "Preview decision" }));
  await page.getByText("Confirm that you have no interest in this dispute.").waitFor();
  await pressKey(page, page.getByLabel("I have no interest in this dispute."), "Space");
  assert.equal(await page.evaluate(drafts), 2, "amount and reasons");
  await lookAt(page, "desk-decision", WIDE);
  await pressKey(page, page.getByRole("button", { name: "Preview decision" }));
  await page.getByRole("heading", { name: "Sign the decision" }).waitFor();
  await page.getByText("The buyer gets 12.50 USDC, and the shop gets 12.00 USDC.").waitFor();
  await lookAt(page, "desk-sign", WIDE);
  await pressKey(page, page.getByRole("button", { name: "Change" }));
  await page.getByLabel("Reasons").waitFor();
  assert.deepEqual([await amount.inputValue(), await page.getByLabel("Reasons").inputValue()], ["12.50", REASONS]);
  await pressKey(page, page.getByRole("button", { name: "Preview decision" }));
  await part(page, "Sign the decision").waitFor();
  await pressKey(page, page.getByRole("button", { name: "Sign with Test wallet" }));
  await part(page, "The decision").waitFor();
  const focused = "document.activeElement.textContent";
  await eventually(
    "the focus is not lost with the form",
    async () => (await page.evaluate(focused)) === "The decision",
  );
  await eventually("no draft is left on the device", async () => (await page.evaluate(drafts)) === 0);

  const closed = await awaitClosed(buyer);
  assert.deepEqual([closed.decision.memo, closed.decision.reasons], ["record", REASONS]);
  const paid = await shop.payment(buyer.payment);
  assert.deepEqual([paid.outcome, paid.amountRefunded, paid.amountReleased], ["resolved", "12500000", "12000000"]);
  assert.equal(await vaultBalance(service, paid), 0n);
  await page.getByText("Closed", { exact: true }).waitFor();
  for (const text of ["At stake", "What to look for"]) assert.equal(await page.getByText(text).count(), 0, text);
  await lookAt(page, "desk-decided", WIDE);
  await page.goto(`${dashboardUrl}/desk`);
  await heading(page, "Arbiter's desk");
  await page.getByText("Nothing to decide").waitFor();
  await pressKey(page, page.getByRole("link", { name: "Closed" }));
  await disputeLink(page, buyer).waitFor();
  await page.getByText(/^Ended disputes of all businesses/).waitFor();

  const [why] = REASONS.split("\n");
  for (const text of ["This dispute has ended. The receipt shows who got what.", why!])
    await buyer.page.getByText(text).filter({ visible: true }).first().waitFor();
  const receipt = await browser.open();
  await receipt.page.goto(paid.receiptUrl);
  for (const text of ["The arbiter decided", why!, "12.50 USDC went back to you", "12.00 USDC went to Fernweh Coffee"])
    await receipt.page.getByText(text).filter({ visible: true }).first().waitFor();
  await lookAt(receipt.page, "desk-receipt");
  // Deliveries may overtake each other, and come twice.
  const types = ["dispute.opened", "dispute.decided", "dispute.closed"];
  const arrived = await eventually("all events have arrived", () => {
    const bodies = receiver.received.filter(({ body }) => body !== "").map(({ body }) => JSON.parse(body));
    const ofDispute = bodies.filter(({ type, data }) => types.includes(type) && data.object.id === buyer.dispute);
    const all = new Map<string, Wire>(ofDispute.map((event) => [event.id, event]));
    return all.size >= types.length && [...all.values()];
  });
  const inOrder = arrived.toSorted((one, other) => Number(one.sequence) - Number(other.sequence));
  assert.deepEqual(
    inOrder.map(({ type }) => type),
    types,
  );
  await close(jonas, buyer, receipt);
});

test("§17.2 both agreed and neither acts on chain: the arbiter rules exactly that in one act, with the wallet", async () => {
  const buyer = await aDispute();
  await prove(buyer);
  await writeOpening(buyer);
  await makeSignedOffer(buyer, "18.50", "I keep both bags.");
  const [offer] = (await shop.get(`/disputes/${buyer.dispute}`)).json.offers;
  assert.equal((await offerOf(buyer, `/${offer.id}/accept`)).status, "agreed");
  await advance(service, 3 * DAY_SECONDS);

  const jonas = await anArbiter("Jonas Wiek");
  const { page } = jonas;
  const inQueue = rowOf(page, buyer).getByText(/^Both agreed, and can carry it out until .*[AP]M UTC$/);
  await inQueue.filter({ visible: true }).waitFor();
  await openDeskPage(jonas, buyer);
  await claim(jonas);
  const next =
    /^Both agreed\. The shop’s refund is next, then the buyer’s release, until .+\. If the chain does not show/;
  await page.getByText(next).waitFor();
  const looked = page.getByRole("listitem").filter({ hasText: "Pictures of what arrived" });
  assert.equal(await looked.evaluate(markerOf()), "disc");
  await page.getByText("Both agreed that the buyer gets 18.50 USDC and the shop gets 6.00 USDC.").waitFor();
  assert.equal(await page.getByLabel("Exact amount").count(), 0, "no other total is ruled");
  assert.equal(await page.getByText("Asks for").count(), 0, "no wish stands beside what both agreed");
  const rule = page.getByRole("button", { name: "Rule as agreed" });
  assert.equal(await rule.isDisabled(), true);
  await page.getByLabel("I have no interest in this dispute.").check();
  await lookAt(page, "desk-agreed", WIDE);
  await rule.click();
  await page.getByText("As both sides agreed.").waitFor();
  await page.getByRole("button", { name: "Sign with Test wallet" }).click();
  await page.getByText("Ruled as both sides agreed.").waitFor();
  assert.equal(jonas.wallet.asked.length, 1);
  const { decision } = await awaitClosed(buyer);
  assert.deepEqual([decision.memo, decision.agreement, decision.reasons], ["record", offer.id, null]);
  assert.deepEqual(await sharesOf(buyer), ["resolved", "18500000", "6000000"]);
  const ada = await browser.open();
  await signIn(ada.page, dashboardUrl, logins["Ada Owner"]!, `/${shop.business}/test/disputes/${buyer.dispute}`);
  await ada.page.getByText("Ruled as both sides agreed.").waitFor();
  await ada.page.getByText(/^Demo arbiter \w+$/).waitFor();
  await lookAt(ada.page, "dispute-ruled");
  await close(jonas, buyer, ada);
});

test("§17.5 a wallet that takes longer than the network allows has decided nothing, and one press does", async () => {
  const buyer = await deciding();
  const jonas = await anArbiter("Jonas Wiek");
  const { page, wallet } = jonas;
  const person = slowPerson();
  wallet.handle = person.handle;
  await openDeskPage(jonas, buyer);
  await claim(jonas);
  await freeze(jonas, "12.50");
  const sign = page.getByRole("button", { name: "Sign with Test wallet" });
  await sign.click();
  await person.asked;
  await page.getByText(/^\d+ seconds left\./).waitFor();
  await rpc(service, "devnet_tick", { slots: 190 });
  await page.getByText("Your wallet took too long for the network. Nothing was decided").waitFor();
  wallet.handle = (bytes) => bytes;
  person.decide();
  await sign.click();
  await part(page, "The decision").waitFor();
  await awaitClosed(buyer);
  assert.deepEqual([wallet.asked.length, await sharesOf(buyer)], [2, ["resolved", "12500000", "12000000"]]);
  await close(jonas, buyer);
});

test("§13.22.6 a member of the shop is refused with the reason; of two arbiters at once one holds the dispute, and only who holds it decides", async () => {
  const buyer = await deciding();
  const [ada, jonas, mara] = [
    await anArbiter("Ada Owner"),
    await anArbiter("Jonas Wiek"),
    await anArbiter("Mara Lind"),
  ];
  await rowOf(ada.page, buyer).getByText("Your business", { exact: true }).filter({ visible: true }).waitFor();
  await lookAt(ada.page, "desk-queue-conflict", WIDE);
  await openDeskPage(ada, buyer);
  await ada.page.getByText("You are a member of this business, so you cannot decide its disputes.").waitFor();
  assert.equal(await ada.page.getByRole("button", { name: "Claim dispute" }).count(), 0);
  await lookAt(ada.page, "desk-conflict", WIDE);

  for (const tab of [jonas, mara]) await openDeskPage(tab, buyer);
  await Promise.all([jonas, mara].map(({ page }) => page.getByRole("button", { name: "Claim dispute" }).click()));
  const isJonas = await eventually("one holds it", async () => {
    const [ours, theirs] = await Promise.all(
      [jonas, mara].map(({ page }) => page.getByText("You hold the dispute.").isVisible()),
    );
    return ours !== theirs && { first: ours };
  });
  const [first, second] = isJonas.first ? [jonas, mara] : [mara, jonas];
  const [firstName, secondName] = isJonas.first ? ["Jonas Wiek", "Mara Lind"] : ["Mara Lind", "Jonas Wiek"];
  await second.page.getByText(`${firstName} holds the dispute.`).waitFor();
  assert.equal(await second.page.getByRole("heading", { name: "Who gets what" }).count(), 0);
  await freeze(first, "12.50");

  const dialog = first.page.getByRole("dialog");
  await first.page.getByRole("button", { name: "Hand over" }).click();
  await dialog.getByLabel("To").selectOption({ label: "Ada Owner, 0 open disputes" });
  await dialog.getByRole("button", { name: "Hand over" }).click();
  await dialog.getByText("That arbiter has a conflict of interest in this dispute.").waitFor();
  await lookAt(first.page, "desk-hand-over", WIDE);
  await dialog.getByLabel("To").selectOption({ label: `${secondName}, 0 open disputes` });
  await dialog.getByRole("button", { name: "Hand over" }).click();
  await first.page.getByText(`${secondName} holds the dispute.`).waitFor();
  assert.equal(await first.page.getByRole("heading", { name: "Sign the decision" }).count(), 0, "nor what was frozen");

  await second.page.getByText("You hold the dispute.").waitFor();
  await freeze(second, "24.50");
  await second.page.getByRole("button", { name: "Sign with Test wallet" }).click();
  await part(second.page, "The decision").waitFor();
  await part(first.page, "The decision").waitFor();
  await awaitClosed(buyer);
  assert.deepEqual(await sharesOf(buyer), ["resolved", "24500000", "0"]);
  await close(ada, first, second, buyer);
});

test("§17.3 a release that lands while the arbiter signs: one of both wins, and the page says which", async () => {
  const jonas = await anArbiter("Jonas Wiek");
  const { page, wallet } = jonas;
  for (const isRace of [false, true]) {
    const buyer = await deciding();
    await openDeskPage(jonas, buyer);
    await claim(jonas);
    await freeze(jonas, "12.50");
    let released: Promise<unknown> = Promise.resolve();
    wallet.handle = async (bytes) => {
      released = act(service, buyer.wallet.key, "release", buyer.payment).catch((error: unknown) => error);
      if (!isRace) await released;
      return bytes;
    };
    await page.getByRole("button", { name: "Sign with Test wallet" }).click();
    const closed = await awaitClosed(buyer);
    await released;
    const [outcome, ...shares] = await sharesOf(buyer);
    if (outcome === "resolved") {
      assert.ok(isRace, "a release that has landed is never overruled");
      assert.deepEqual(shares, ["12500000", "12000000"]);
      await part(page, "The decision").waitFor();
      // The service may read the memo after the outcome.
      assert.equal((await awaitClosed(buyer)).decision.memo, "record");
    } else {
      assert.deepEqual([outcome, ...shares, closed.decision], ["released_by_sender", "0", "24500000", null]);
      await heading(page, "Ended without a decision");
      await page.getByText("The buyer released the money before a decision was on the chain.").waitFor();
      await page.getByText("The buyer has 0.00 USDC in the end, and the shop has 24.50 USDC.").waitFor();
    }
    assert.equal(await page.getByRole("heading", { name: "Sign the decision" }).count(), 0);
    await lookAt(page, isRace ? "desk-race" : "desk-released", WIDE);
    await buyer.context.close();
  }
  await close(jonas);
});

test("§13.22.2 nobody decides: the queue warns of the last day, and once all went back the dispute has left it", async () => {
  const buyer = await aDispute();
  await advance(service, 89.5 * DAY_SECONDS);
  const jonas = await anArbiter("Jonas Wiek");
  const { page } = jonas;
  await rowOf(page, buyer).getByText("Lapses within 1 day").waitFor();
  const { resolveBy } = (await shop.get(`/disputes/${buyer.dispute}`)).json;
  const shown = await rowOf(page, buyer).locator("time").getAttribute("datetime");
  assert.equal(shown, resolveBy, "the date is that of the warning");
  await lookAt(page, "desk-last-day", WIDE);
  await openDeskPage(jonas, buyer);
  await claim(jonas);
  await page.getByRole("button", { name: "Hand over" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Ask a question" }).count(), 0, "no time is left for answers");
  await advance(service, DAY_SECONDS);
  // The keeper may be first.
  await act(service, buyer.wallet.key, "refund_unresolved", buyer.payment).catch((error: unknown) =>
    assert.match(String(error), /already_paid_out/),
  );
  await heading(page, "Ended without a decision");
  await page.getByText("Nobody decided within 90 days, so all of it went back to the buyer.").waitFor();
  assert.deepEqual(await sharesOf(buyer), ["refunded_unresolved", "24500000", "0"]);
  assert.equal(await page.getByRole("button", { name: /Hand over|Ask a question/ }).count(), 0);
  await page.getByRole("link", { name: "Arbiter's desk" }).last().click();
  await page.getByText("Nothing to decide").waitFor();
  assert.equal(await disputeLink(page, buyer).count(), 0);
  await close(jonas, buyer);
});
