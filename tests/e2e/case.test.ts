import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { aPng } from "../../server/lib/pictures/testing/pictures.ts";
import { act, advance, PAST_BLOCKHASHES, rpc } from "../harness/chain.ts";
import { startMailServer } from "../harness/mailServer.ts";
import { type Merchant, merchantOf, type Wire } from "../harness/merchant.ts";
import { localChain, type Service, startService } from "../harness/service.ts";
import { Browser } from "../harness/staffBrowser.ts";
import { eventually } from "../harness/wait.ts";
import { DESKTOP, findBarriers, PHONE, type Tab, type TabOptions, TestBrowser } from "./browser.ts";
import { complaintsOf, heading } from "./buyer.ts";
import { isExpected, signIn } from "./dashboardPages.ts";
import { type DisputedBuyer, makeSignedOffer, openDispute, prove, writeOpening } from "./disputedBuyer.ts";
import { roadOf } from "./road.ts";
import { TestWallet } from "./wallet.ts";

/** Slots so long that a blockhash, which lives for 150, outlasts what a person takes to sign on a busy machine. */
const SETTINGS = { ...localChain({ slotMs: 1_000 }), HOLD: "keeper" };

let mail: Awaited<ReturnType<typeof startMailServer>>;
let service: Service;
let shop: Merchant;
let owner: Browser;
let browser: TestBrowser;
/** A member who answers disputes in the dashboard, with the recipient's wallet. */
let staff: Tab;
let ready: { readonly dashboardUrl: string; readonly dashboardLogin: Parameters<typeof signIn>[2] };
before(async () => {
  mail = await startMailServer("127.0.0.1");
  const env = { ...SETTINGS, SMTP_URL: mail.url, MAIL_FROM: "Fernweh <no-reply@shop.example>" };
  [service, browser] = await Promise.all([startService({ env }), TestBrowser.launch()]);
  shop = merchantOf(service, service.business, "", service.testKey);
  ready = JSON.parse(await readFile(join(service.dataDir, "ready.json"), "utf8"));
  owner = new Browser(`http://localhost:${service.port}`, new URL(ready.dashboardUrl).origin);
  assert.equal((await owner.post("/sign-in", ready.dashboardLogin)).status, 200);
  staff = await browser.open();
  await TestWallet.attach(staff.context, service, { wallet: service.wallets.recipient });
  await signIn(staff.page, ready.dashboardUrl, ready.dashboardLogin);
});
after(async () => {
  await browser?.close();
  await service?.remove();
  await mail?.[Symbol.asyncDispose]();
});

interface Buyer extends DisputedBuyer {
  /** The path of its dispute in the staff API. */
  readonly path: string;
}

/** A buyer who has opened a dispute, in front of the receipt. */
async function aBuyer(viewport?: TabOptions["viewport"]): Promise<Buyer> {
  const buyer = await openDispute({ service, shop, browser }, viewport && { viewport });
  return { ...buyer, path: `/businesses/${service.business}/test/disputes/${buyer.dispute}` };
}

/** Enters an address in the case, and opens the link of the email as a mail program does. */
async function confirmEmail(page: Page, email: string): Promise<void> {
  await page.getByText("Emails about this dispute").click();
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Send confirmation link" }).click();
  await page.getByText(`Open the link that we send to ${email}`).waitFor();
  const received = () => mail.taken.join("\n").replaceAll("=\n", "").replaceAll("=3D", "=");
  await eventually("the email came", async () => received().includes("#confirm="));
  assert.ok(mail.lines.includes(`RCPT TO:<${email}>`));
  await page.goto("about:blank");
  await page.goto(/http\S+#confirm=[\w-]+/.exec(received())![0]);
  await page.getByText(`Your email address is confirmed. ${email}`).waitFor();
}

const post = async ({ path }: Buyer, below: string, body: object = {}): Promise<Wire> => {
  // A busy machine may take longer than the ten minutes of a proof.
  assert.equal((await owner.post("/proof", { password: ready.dashboardLogin.password })).status, 200);
  const answer = await owner.post(`${path}${below}`, body);
  assert.ok(answer.status < 300, answer.text);
  return answer.json;
};
const openInDashboard = ({ path }: Buyer) => staff.page.goto(`${ready.dashboardUrl}${path.replace("/businesses", "")}`);
const totalsOf = async (payment: string) => {
  const { refundTotal, amountReleased, amountRefunded } = await shop.payment(payment);
  return { refundTotal, amountReleased, amountRefunded };
};

const PDF = Buffer.from("%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF\n");
const chosen = (name: string, buffer: Buffer, mimeType = "application/octet-stream") => ({ name, mimeType, buffer });

async function sendFiles(page: Page, ...files: readonly ReturnType<typeof chosen>[]): Promise<void> {
  await page.getByLabel("Files to send").setInputFiles([...files]);
  await page.getByRole("button", { name: "Send files" }).click();
}
/** Waits until a picture is drawn, so many pixels wide. */
const drawn = (picture: Locator, width: number) =>
  eventually(
    "the picture is drawn",
    async () => (await picture.evaluate((one) => (one as never as { naturalWidth: number }).naturalWidth)) === width,
  );
const bytesOf = async (page: Page, name: string): Promise<Buffer> => {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name, exact: true }).click(),
  ]);
  assert.equal(download.suggestedFilename(), name);
  return readFile(await download.path());
};
/** A picture of a page for a person to look at, in the folder that PICTURES names. */
async function picture(page: Page, name: string): Promise<void> {
  assert.deepEqual(await findBarriers(page), [], name);
  const folder = process.env.PICTURES;
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth > innerWidth"), false, name);
    if (folder !== undefined)
      await page.screenshot({ path: `${folder}/${name}-${viewport.width}.png`, fullPage: true });
  }
}
const TYPES = "Send a PNG, JPEG or WebP picture, a PDF, or plain text.";
const PIXELS = "This picture has more than 40 megapixels. Send a smaller one.";
const SIZE = "A file has 1 byte to 5 megabytes.";

test("a case on a computer, until both sides are paid as agreed", async (t) => {
  const step = roadOf(t);
  const buyer = await aBuyer();
  const { page, context, payment, wallet } = buyer;

  await step("§16 dispute, proof, and the buyer's side of the story, with emails about it", async () => {
    await prove(buyer);
    assert.match(wallet.texts[0]!, /^Holdfast\nHost: localhost:\d+\nGenesis: /);
    assert.deepEqual(await findBarriers(page), []);
    await writeOpening(buyer);
    await heading(page, "The shop’s turn");
    const look = page.getByText("No email goes to you: look in each day. The shop’s turn ends on");
    await look.waitFor();
    const [calendar] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Add the dates to your calendar" }).click(),
    ]);
    const dates = await readFile(await calendar.path(), "utf8");
    assert.match(dates.replaceAll("\r\n ", ""), /SUMMARY:Dispute about 24\.50 USDC to Demo shop: the shop’s turn ends/);
    assert.equal(dates.split("BEGIN:VEVENT").length, 3, "the end of the turn, and that of the arbiter's time");
    await confirmEmail(page, "kim@buyer.example");
    assert.equal(await look.count(), 0, "now emails go");
  });
  await step(
    "§16.9 both sides send files and see all of them: pictures are drawn, others are saved, live and without a script",
    async () => {
      await page.getByText("0 of 10 sent").waitFor();
      await sendFiles(page, chosen("parcel.png", aPng(100, 75)), chosen("invoice.html", PDF, "text/html"));
      await page.getByText("2 of 10 sent").waitFor();
      await page.getByText("invoice.html: sent.").waitFor();
      const own = page.getByRole("link", { name: "parcel.png" }).locator("img");
      await drawn(own, 100);
      assert.match(
        (await own.getAttribute("src"))!,
        new RegExp(`^/pay/p/${payment}/case/files/df_test_[0-9a-z]{4}[0-9a-f]{32}$`),
      );
      assert.deepEqual(await bytesOf(page, "invoice.html.pdf"), PDF);

      await openInDashboard(buyer);
      await drawn(staff.page.getByRole("link", { name: "parcel.png" }).locator("img"), 100);
      assert.deepEqual(await bytesOf(staff.page, "invoice.html.pdf"), PDF);
      await staff.page.getByText("0 of 10 sent").waitFor();
      await page.getByLabel("Files to send").setInputFiles(chosen("later.txt", Buffer.from("Not sent yet.")));
      await sendFiles(staff.page, chosen("label.png", aPng(60, 80)));
      await staff.page.getByText("1 of 10 sent").waitFor();
      await staff.page.getByText("Files sent.").waitFor();
      await drawn(page.getByRole("link", { name: "label.png" }).locator("img"), 60);
      await heading(page, "Your turn");
      assert.equal(await page.getByLabel("Files to send").inputValue(), "C:\\fakepath\\later.txt", "it is kept");
      await picture(staff.page, "dispute-files");

      const plain = await browser.open({ javaScriptEnabled: false, storageState: await context.storageState() });
      await plain.page.goto(page.url());
      await drawn(plain.page.getByRole("link", { name: "label.png" }).locator("img"), 60);
      assert.equal(await plain.page.getByLabel("Files to send").isVisible(), false);
      await plain.context.close();
      assert.deepEqual([...complaintsOf(buyer), ...complaintsOf(staff).filter((one) => !isExpected(one))], []);
    },
  );
  await step("§4.20 a file that is refused is refused in words, on both pages, and none is kept", async () => {
    const namesOf = async () => (await owner.get(buyer.path)).json.files.map(({ name }: Wire) => name);
    const earlier = await namesOf();
    const refused = [
      [
        chosen("a\u202egnp.exe", PDF),
        "Give the file a plain name of up to 100 characters.",
        /without slashes, control characters/,
      ],
      [chosen("photo.png", Buffer.from("<svg onload=alert(1)/>"), "image/png"), TYPES, TYPES],
      [chosen("huge.png", aPng(50_000, 50_000)), PIXELS, PIXELS],
      [chosen("empty.txt", Buffer.alloc(0)), SIZE, SIZE],
    ] as const;
    for (const [file, words, toShop] of refused) {
      await sendFiles(page, file);
      await page.getByText(words).waitFor();
      await sendFiles(staff.page, file);
      await staff.page.getByText(toShop).waitFor();
    }
    await sendFiles(page, chosen("fine.txt", Buffer.from("Fine.")), ...refused.map(([file]) => file));
    await page.getByText(/exe: Give the file a plain name/).waitFor();
    await picture(page, "case-files-refused");
    assert.deepEqual(await namesOf(), [...earlier, "fine.txt"], "those before it are sent");
  });
  await step("§16 two tabs of a buyer: an offer that was withdrawn cannot be accepted in the other", async () => {
    const other = await context.newPage();
    await other.goto(page.url());
    const offered = await post(buyer, "/offers", { total: "10000000", text: "A little." });
    const accept = other.getByRole("button", { name: "Accept: get 10.00 USDC" });
    await accept.waitFor();
    const withdraw = `/disputes/${buyer.dispute}/offers/${offered.offers.at(-1).id}/withdraw`;
    assert.equal((await shop.call("POST", withdraw)).status, 200, "a key ends an offer");
    for (const tab of [other, page]) await tab.getByText("Withdrawn").waitFor();
    assert.equal(await accept.count(), 0);
    await other.close();
  });
  await step("§13.4.6 a statement whose answer was lost and that is sent again is there once", async () => {
    const statements = "**/case/statements";
    await page.getByLabel("Add to the dispute").fill("Both bags were wet.");
    await page.route(statements, (route) => route.fetch().then(() => route.abort()), { times: 1 });
    const send = page.getByRole("button", { name: "Send", exact: true });
    const lost = page.waitForEvent("requestfailed");
    await send.click();
    await page.getByText("Both bags were wet.").first().waitFor();
    await lost;
    await page.getByLabel("Add to the dispute").fill("Both bags were wet.");
    const again = page.waitForResponse(statements);
    await send.click();
    assert.equal((await again).status(), 409);
    await eventually("the browser has its line about it", () => buyer.complaints.some((line) => / 409 /.test(line)));
    const all = (await owner.get(buyer.path)).json.statements as Wire[];
    assert.equal(all.filter(({ text }) => text === "Both bags were wet.").length, 1);
  });
  await step(
    "§16 answer, offer, counter-offer, and an agreement: one press of the shop refunds, and minutes later one of the buyer releases",
    async () => {
      // The browser has a line for each file that was refused.
      const earlier = buyer.complaints.length;
      await post(buyer, "/statements", { text: "I am sorry. <b>It was the post.</b>" });
      await page.getByText("I am sorry. <b>It was the post.</b>").waitFor();
      await page.getByLabel("Add to the dispute").fill("Not sent yet");
      await post(buyer, "/offers", { total: "12500000", text: "Keep the other bag." });
      await page.getByRole("button", { name: "Accept: get 12.50 USDC" }).waitFor();
      assert.equal(await page.getByLabel("Add to the dispute").inputValue(), "Not sent yet", "typing goes on");
      assert.deepEqual(await findBarriers(page), []);

      await makeSignedOffer(buyer, "18.50", "I keep both bags.");
      assert.match(wallet.texts.at(-1)!, /\nYou have in the end: 18\.5\nThe shop has in the end: 6\nTotal: 18500000\n/);
      const offers = (await owner.get(buyer.path)).json.offers as Wire[];
      const own = offers.find(({ by }) => by === "buyer");
      assert.deepEqual([own?.total, own?.status], ["18500000", "open"]);

      const agreed = await post(buyer, `/offers/${own!.id}/accept`);
      assert.equal(agreed.status, "agreed");
      await heading(page, "Agreed: you get 18.50 USDC");
      await page.getByText("The shop is next: it refunds your part on chain.").waitFor();
      await heading(staff.page, "Both agreed. Your refund is next");
      const panel = staff.page.getByRole("region", { name: "Refund", exact: true });
      await panel.waitFor();
      assert.equal(await panel.locator(":focus").count(), 0, "what opens by itself takes no focus");
      await picture(staff.page, "dispute-agreed-refund");
      await staff.page.getByRole("button", { name: "Refund 18.50 USDC", exact: true }).click();
      await heading(staff.page, "Both agreed. The buyer’s release is next");

      await page.getByText("You are next: the shop has refunded your part on chain.").waitFor();
      // Nothing that one side signed waits for the other, so no blockhash has to outlive the time between them.
      await rpc(service, "devnet_tick", { slots: PAST_BLOCKHASHES });
      await advance(service, 300);
      const release = page.getByRole("button", { name: "Release with Test wallet" });
      await release.waitFor();
      assert.equal(await page.locator("#action :focus").count(), 0);
      await picture(page, "case-agreed-release");
      await release.click();
      await eventually("both sides are paid", async () => (await totalsOf(payment)).amountReleased === "6000000");
      assert.equal((await totalsOf(payment)).amountRefunded, "18500000");
      await page.getByText("This dispute has ended. The receipt shows who got what.", { exact: true }).waitFor();
      for (const tab of [page, staff.page]) await tab.getByText("Both sides did as agreed").waitFor();
      await staff.page.getByText("The release of 6.00 USDC to you is on chain").waitFor();
      await page.getByRole("link", { name: "Back to the receipt" }).click();
      await page.getByText("As you both agreed.").waitFor();
      await page.getByRole("link", { name: "Read the dispute" }).waitFor();
      const told = (await page.locator(".line").textContent())!;
      assert.match(
        told,
        /You both agreed.*18\.50 USDC went back to you.*You released the money.*6\.00 USDC went to Demo shop/s,
      );
      assert.deepEqual(complaintsOf({ complaints: buyer.complaints.slice(earlier) }), []);
    },
  );
  await context.close();
});

test("§16 on a phone: the buyer accepts, the shop refunds its part by another tool, and the buyer releases the rest", async () => {
  const buyer = await aBuyer(PHONE);
  const { page, context, payment } = buyer;
  await prove(buyer);
  await writeOpening(buyer);
  await post(buyer, "/offers", { total: "12500000", text: null });
  await page.getByRole("button", { name: "Accept: get 12.50 USDC" }).click();
  await heading(page, "Agreed: you get 12.50 USDC");
  const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  assert.equal(isWide, false, "nothing is wider than the phone");

  await act(service, service.wallets.recipient, "refund", payment, { total: 12_500_000n });
  const release = page.getByRole("button", { name: "Release the rest, as agreed" });
  await release.waitFor();
  const receipt = await page.evaluate<string>(
    "fetch(document.querySelector('.crumb a').href).then((answer) => answer.text())",
  );
  assert.match(
    receipt,
    /You opened a dispute.*You both agreed.*The shop sent a part back.*If that fails, the arbiter/s,
  );
  assert.doesNotMatch(receipt, /data-action="release"/);
  const box = page.locator("#action");
  await box.getByRole("button", { name: "Cancel" }).click();
  await box.waitFor({ state: "detached" });
  await release.click();
  await box.getByText("Releasing pays the shop 12.00 USDC now; 12.50 USDC stay yours.").waitFor();
  assert.doesNotMatch((await page.locator("main").textContent())!, /No shop needs this|for a promise/);
  await page.getByRole("button", { name: "Release with Test wallet" }).click();
  await page.getByText("This dispute has ended. The receipt shows who got what.", { exact: true }).waitFor();
  assert.equal((await totalsOf(payment)).refundTotal, "12500000");
  assert.deepEqual(complaintsOf(buyer), []);
  await context.close();
});

test("a case in which the shop says nothing", async (t) => {
  const step = roadOf(t);
  const buyer = await aBuyer();
  const { page, context } = buyer;
  await prove(buyer);
  await writeOpening(buyer);
  const other = await context.newPage();
  await other.goto(page.url());

  await step(
    "§4.18.4 an offer that nobody accepts expires, and a silent shop leaves the case to the arbiter, on both pages",
    async () => {
      await other.getByText("Emails about this dispute").click();
      await other.getByLabel("Email address").fill("sam@");
      await makeSignedOffer(buyer, "18.50", "I keep both bags.");
      await other.getByText("I keep both bags.").waitFor();
      assert.equal(await other.getByLabel("Email address").inputValue(), "sam@", "typing goes on");
      await openInDashboard(buyer);
      await staff.page.getByRole("button", { name: /^Accept/ }).waitFor();
      // The offer is open for seven days, both sides talk for five.
      await advance(service, 5 * 86_400 + 3_600);
      for (const tab of [page, staff.page]) await heading(tab, "The arbiter is to decide");
      assert.equal(
        await page.getByRole("button", { name: "Send", exact: true }).count(),
        0,
        "the shop had no word to answer",
      );
      await advance(service, 2 * 86_400);
      for (const tab of [page, staff.page]) await tab.getByText("Ended", { exact: true }).waitFor();
      assert.equal(await staff.page.getByRole("button", { name: /^Accept/ }).count(), 0);
      assert.deepEqual(await findBarriers(page), []);
      assert.deepEqual(complaintsOf(buyer), []);
    },
  );
  await step("§16 neither a stranger's browser nor an ended session reads anything", async () => {
    // Whoever copies the address reads nothing: not the page, and not its states.
    const stranger = await browser.open();
    await stranger.page.goto(page.url());
    await heading(stranger.page, "Show that you paid");
    assert.equal(await stranger.page.getByText("The bag arrived torn.").count(), 0);
    for (const path of ["state", "calendar"]) assert.equal((await fetch(`${page.url()}/${path}`)).status, 404);
    await stranger.context.close();

    await other.getByText("Browsers with access").click();
    await other.getByRole("button", { name: "End", exact: true }).click();
    await heading(other, "Show that you paid");
    // The tab that stayed open asks as it does when the network is back, and learns that this is no outage.
    await page.evaluate("dispatchEvent(new Event('online'))");
    await heading(page, "This browser’s access has ended");
    assert.equal(await page.getByText(/The bag arrived torn\.|The arbiter decides|connection is gone/).count(), 0);
    await picture(page, "case-access-ended");
    await page.getByRole("link", { name: "Open again with your wallet" }).click();
    await heading(page, "Show that you paid");
  });
  await context.close();
});
