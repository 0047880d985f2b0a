import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { admin } from "../harness/admin.ts";
import { createAuthority } from "../harness/certificates.ts";
import { advance, vaultBalance } from "../harness/chain.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { localChain, type Service, startService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import { type Receiver, startReceiver } from "../harness/webhookReceiver.ts";
import { lookAt, pressKey, type Tab, TestBrowser, tabTo } from "./browser.ts";
import { heading } from "./buyer.ts";
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

/** The arbiter's desk, on a real chain: queue, case, decision, and what the buyer sees of it. */
const HOST = "hooks.shop-demo.com";
const DAY_SECONDS = 86_400;
const WIDE = { width: 1440, height: 900 } as const;
const REASONS = `Both sides agree that the Sidamo arrived torn, so its price of 12.50 USDC goes back.

The photo of the Huila shows an open seal, but it was taken two days after delivery, and the shop's picture shows the same bag closed when it was packed. That it arrived open is not shown.`;

let folder: string;
let receiver: Receiver;
let service: Service;
let shop: Merchant;
let browser: TestBrowser;
let dashboardUrl: string;
const logins: Record<string, Awaited<ReturnType<typeof addUser>>> = {};
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-desk-"));
  const authority = createAuthority();
  await writeFile(join(folder, "ca.pem"), authority.ca);
  receiver = await startReceiver(authority.issue([HOST]));
  const env = {
    ...localChain({ slotMs: 150 }),
    WEBHOOK_CA_FILE: join(folder, "ca.pem"),
    WEBHOOK_DEV_HOSTS: JSON.stringify({ [HOST]: `127.0.0.1:${receiver.port}` }),
  };
  [service, browser] = await Promise.all([startService({ env }), TestBrowser.launch()]);
  shop = await newMerchant(service, { name: "Fernweh Coffee" });
  ({ dashboardUrl } = await readDashboard(service));
  for (const [email, name] of [
    ["jonas@desk.example", "Jonas Wiek"],
    ["mara@desk.example", "Mara Lind"],
  ] as const)
    logins[name] = await addUser(service, email, null, "--arbiter", "--name", name);
});
after(async () => {
  await browser?.close();
  await service?.remove();
  await receiver?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const aDispute = (terms = {}) => openDispute({ service, shop, browser }, {}, terms);
const unexpected = ({ complaints }: Tab) => complaints.filter((one) => !isExpected(one));

/** What the shop's server sends to the case, by its key. */
async function send({ dispute }: DisputedBuyer, below: string, body?: unknown): Promise<Wire> {
  const answer = await shop.call("POST", `/disputes/${dispute}${below}`, body);
  assert.ok(answer.status < 300, answer.text);
  return answer.json;
}

async function sendFileOfShop(buyer: DisputedBuyer, name: string, bytes: Buffer): Promise<void> {
  const { uploadUrl } = await send(buyer, "/files", announcementOf(name, bytes));
  const put = await fetch(uploadUrl, { method: "PUT", body: new Uint8Array(bytes) });
  assert.equal(put.status, 201, await put.text());
}

/** An arbiter in front of the queue. */
async function anArbiter(name: string): Promise<Tab> {
  const tab = await browser.open({ viewport: WIDE });
  await signIn(tab.page, dashboardUrl, logins[name]!);
  await heading(tab.page, "Arbiter's desk");
  return tab;
}

const caseLink = (page: Page, { dispute }: DisputedBuyer) => page.locator(`#main tbody a[href$="/desk/${dispute}"]`);

/** Runs in the page; as text, since these tests' types know no browser. */
const isShown = () => new Function("one", "return one.decode().then(() => one.naturalWidth === 640)") as () => boolean;

const awaitClosed = ({ dispute }: DisputedBuyer): Promise<Wire> =>
  eventually("the case is closed", async () => {
    const { json } = await shop.get(`/disputes/${dispute}`);
    return json.status === "closed" && json;
  });

test("§17 order 1042: both sides speak, nobody agrees, the arbiter asks, rules a part and signs by keyboard; both are paid, and the buyer reads why", async () => {
  await admin(service, "webhook", "add", shop.business, "--url", `https://${HOST}/`);
  const buyer = await aDispute({ merchantReference: "1042" });
  const camera = await browser.open({ viewport: { width: 640, height: 480 } });
  await prove(buyer);
  await writeOpening(buyer, {
    words:
      "I ordered two bags of coffee as a present. The Sidamo arrived torn and half empty, and the other bag smells of the carton. I cannot give it away like this.",
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
  await send(buyer, "/offers", { total: "12500000", text: "The buyer keeps the Huila." });
  await buyer.page.getByText("The buyer keeps the Huila.").waitFor();
  await makeSignedOffer(buyer, "18.50", "I keep both bags.");
  await advance(service, 5 * DAY_SECONDS + 3_600);
  await heading(buyer.page, "The arbiter decides");

  const jonas = await anArbiter("Jonas Wiek");
  const { page } = jonas;
  await caseLink(page, buyer).waitFor();
  await lookAt(page, "desk-queue", WIDE);
  await pressKey(page, caseLink(page, buyer));
  await page.getByRole("heading", { name: "Fernweh Coffee · 1042" }).waitFor();
  await page.getByText("No conflict of interest").waitFor();
  await pressKey(page, page.getByRole("button", { name: "Claim case" }));
  await page.getByText("You have the case.").waitFor();
  const [theirs, ours] = [page.getByRole("region", { name: "Buyer" }), page.getByRole("region", { name: "Fernweh" })];
  await theirs.getByText(/The Sidamo arrived torn and half empty/).waitFor();
  await ours.getByText(/The Sidamo was torn in the post/).waitFor();
  for (const [side, names] of [
    [theirs, ["bag-torn.jpg", "carton.jpg"]],
    [ours, ["1042-packed.jpg"]],
  ] as const)
    for (const name of names)
      assert.ok(await side.getByRole("link", { name }).locator("img").evaluate(isShown()), name);
  await lookAt(page, "desk-case", WIDE);

  await pressKey(page, page.getByRole("button", { name: "Ask both sides" }));
  await page.getByRole("dialog").getByLabel("Question").waitFor();
  await tabTo(page, page.getByRole("dialog").getByLabel("Question"));
  await page.keyboard.type("When was the photo of the seal taken?");
  await pressKey(page, page.getByRole("dialog").getByRole("button", { name: "Send question" }));
  await page.getByRole("heading", { name: "Your questions to both sides" }).waitFor();
  await buyer.page.getByText("When was the photo of the seal taken?").waitFor();
  await buyer.page.getByLabel("Add to the case").fill("On the day it arrived.");
  await buyer.page.getByRole("button", { name: "Send", exact: true }).click();
  await send(buyer, "/statements", { text: "Two days after the delivery, as its data says." });
  await page.getByText("On the day it arrived.").waitFor();

  const amount = page.getByLabel("Exact amount");
  await pressKey(page, page.getByRole("button", { name: "Nothing back" }));
  assert.equal(await amount.inputValue(), "0.00");
  await tabTo(page, amount);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("12.50");
  await tabTo(page, page.getByLabel("Reasons"));
  await page.keyboard.type(REASONS);
  await pressKey(page, page.getByRole("button", { name: "Preview decision" }));
  await page.getByText("Confirm that you have no interest in this case.").waitFor();
  await pressKey(page, page.getByLabel("I have no interest in this case."), "Space");
  await lookAt(page, "desk-decision", WIDE);
  await pressKey(page, page.getByRole("button", { name: "Preview decision" }));
  await page.getByRole("heading", { name: "Sign the decision" }).waitFor();
  await page.getByText("The buyer has 12.50 USDC in the end, and the shop has 12.00 USDC.").waitFor();
  await lookAt(page, "desk-sign", WIDE);
  await pressKey(page, page.getByRole("button", { name: "Sign with the local chain's key" }));
  await page.getByRole("heading", { name: "The decision" }).waitFor();

  const closed = await awaitClosed(buyer);
  assert.deepEqual([closed.decision.memo, closed.decision.reasons], ["record", REASONS]);
  const paid = await shop.payment(buyer.payment);
  assert.deepEqual([paid.outcome, paid.amountRefunded, paid.amountReleased], ["resolved", "12500000", "12000000"]);
  assert.equal(await vaultBalance(service, paid), 0n);
  await page.getByText("Closed", { exact: true }).waitFor();
  await lookAt(page, "desk-decided", WIDE);
  await page.goto(`${dashboardUrl}/desk`);
  await heading(page, "Arbiter's desk");
  await page.getByText("Nothing to decide").waitFor();
  await pressKey(page, page.getByRole("link", { name: "Closed" }));
  await caseLink(page, buyer).waitFor();

  await buyer.page.getByText("This case has ended. The receipt shows who got what.", { exact: true }).waitFor();
  const receipt = await browser.open();
  await receipt.page.goto(paid.receiptUrl);
  await receipt.page.getByText("12.50 USDC").first().waitFor();
  await lookAt(receipt.page, "desk-receipt");
  const arrived = await eventually("the last event has arrived", () => {
    const types = receiver.received
      .map(({ body }) => JSON.parse(body))
      .filter(({ type, data }) => type.startsWith("dispute.") && data.object.id === buyer.dispute)
      .map(({ type }) => type as string);
    return types.includes("dispute.closed") && types;
  });
  const order = arrived.filter((type) => type !== "dispute.updated");
  assert.deepEqual(order, ["dispute.opened", "dispute.decided", "dispute.closed"]);
  for (const tab of [jonas, buyer, receipt]) {
    assert.deepEqual(unexpected(tab), []);
    await tab.context.close();
  }
});
