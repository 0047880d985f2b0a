import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after, before, type TestFn, test } from "node:test";
import type { Page } from "playwright-core";
import { control } from "../harness/chain.ts";
import { inForm } from "../harness/form.ts";
import { exchange } from "../harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { localChain, type Service, startService } from "../harness/service.ts";
import { ANDROID, findBarriers, PHONE, type Tab, TestBrowser } from "./browser.ts";
import { AMOUNT, heading, openBuyers, says } from "./buyer.ts";
import { servePage } from "./pictures.ts";
import { fundAccount } from "./wallet.ts";
import { AppRefusal, WalletApp, type WalletAppOptions } from "./walletApp.ts";

let service: Service;
let shop: Merchant;
let browser: TestBrowser;
before(async () => {
  const env = localChain({ walletApps: true, slotMs: 150 });
  [service, browser] = await Promise.all([startService({ env }), TestBrowser.launch()]);
  shop = await newMerchant(service, { name: "Fernweh Coffee" });
});
after(async () => {
  await browser?.close();
  await service?.remove();
});

const { paymentsOf } = openBuyers(() => ({ service, shop, browser }));

interface Phone extends Tab {
  readonly app: WalletApp;
  readonly intent: Wire;
}

interface PhoneOptions extends WalletAppOptions {
  readonly lamports?: number;
}

/** A phone in front of an order's page, with a wallet's app that has enough. */
async function aPhone({ lamports, ...options }: PhoneOptions = {}): Promise<Phone> {
  const intent = await shop.create({ amount: AMOUNT });
  const app = new WalletApp(service, options);
  await fundAccount(service, app.key.address, intent.asset, AMOUNT, lamports);
  const tab = await browser.open({ viewport: PHONE, userAgent: ANDROID });
  await app.install(tab.page);
  await tab.page.goto(intent.checkoutUrl);
  return { ...tab, app, intent };
}

/** On the local chain the demo wallet stands first, and apps are among the others. */
async function pressApp(page: Page): Promise<void> {
  const row = page.getByRole("button", { name: "An app on this phone" });
  if (!(await row.isVisible())) await page.getByText("Another wallet").click();
  await row.click();
}

async function leave({ context, app }: Phone): Promise<void> {
  await context.close();
  await app.close();
}

test("§12.12 a wallet's app on the phone pays: it signs, or signs and sends, in every form of the protocol", async () => {
  const kinds: readonly WalletAppOptions[] = [
    {},
    { features: [] },
    { features: [], cannotSend: true },
    { encoding: "base64", pings: true },
    { version: "legacy" },
    { features: null },
    { nullErrors: true },
  ];
  for (const options of inForm({ short: kinds.slice(0, 1), long: kinds })) {
    const phone = await aPhone(options);
    const { page, app, intent } = phone;
    await pressApp(page);
    await heading(page, "Paid and protected");
    const [payment, ...more] = await paymentsOf(intent);
    assert.deepEqual([payment.sender, payment.role, more.length], [app.key.address, "primary", 0]);
    assert.deepEqual(app.complaints, []);
    assert.equal(app.links.length, 1);
    assert.equal(`${app.links[0]!.protocol}${app.links[0]!.pathname}`, "solana-wallet:/v1/associate/local");
    const { params } = app.calls.find(({ method }) => method === "authorize")!;
    assert.deepEqual(params.identity, { name: "Fernweh Coffee", icon: "pay/icon.svg", uri: service.checkoutUrl });
    assert.equal(options.version === "legacy" ? params.cluster : params.chain, "solana:localnet");
    await leave(phone);
  }
});

/** A test of the long form alone. */
const inLong = inForm<(name: string, run: TestFn) => unknown>({ short: () => undefined, long: test });

inLong("§12.12 a buyer without SOL pays by a sponsor, where the app can sign without sending", async () => {
  await control(service, "/faucet", { address: service.recipient, asset: service.asset, amount: "1" });
  const phone = await aPhone({ lamports: 0 });
  await pressApp(phone.page);
  await heading(phone.page, "Paid and protected");
  assert.equal((await paymentsOf(phone.intent))[0].sender, phone.app.key.address);
  await leave(phone);
});

inLong("§12.18 a buyer without SOL releases the money by a wallet's app, and a sponsor pays the fee", async () => {
  const phone = await aPhone({ lamports: 0 });
  const { page, app } = phone;
  await pressApp(page);
  await heading(page, "Paid and protected");
  await page.getByRole("link", { name: "View your receipt" }).click();
  // A press before the page's script would be lost.
  await page.waitForURL("**/pay/p/**");
  await page.getByRole("button", { name: "Release the money now" }).click();
  const links = await page.getByRole("link", { name: /^Open in/ }).evaluateAll((all) => all.map(String));
  assert.ok(links.length === 3 && !links.some((link) => link.includes("key")), "links leave the receipt's key out");
  await page.getByRole("button", { name: "An app on this phone" }).click();
  await heading(page, "The shop was paid");
  assert.deepEqual(app.complaints, []);
  assert.equal(app.links.length, 2);
  await leave(phone);
});

inLong(
  "§12.12 who declines in the app, before or after it saw the payment, has paid nothing and may press again",
  async () => {
    let isDeclined = true;
    const handle = (bytes: Buffer) => {
      if (isDeclined) throw new AppRefusal(-3, "not signed");
      return bytes;
    };
    for (const features of [["solana:signTransactions"], []]) {
      isDeclined = true;
      const phone = await aPhone({ features, handle });
      const { page, app, intent } = phone;
      await pressApp(page);
      await says(page, "You declined");
      assert.deepEqual(await paymentsOf(intent), []);
      isDeclined = false;
      await pressApp(page);
      await heading(page, "Paid and protected");
      assert.equal((await paymentsOf(intent)).length, 1);
      const [first, second] = app.links.map(({ searchParams }) => searchParams);
      for (const name of ["association", "port"])
        assert.notEqual(first!.get(name), second!.get(name), `another ${name}`);
      await leave(phone);
    }
    const shy = await aPhone({ networks: ["solana:localnet"], refuses: new AppRefusal(-1, "authorization declined") });
    await pressApp(shy.page);
    await says(shy.page, "You declined");
    assert.ok(!shy.app.calls.some(({ method }) => method.startsWith("sign")));
    await leave(shy);
  },
);

inLong("§12.12 an app on another network is shown nothing to sign, and the page says why", async () => {
  for (const options of [{ networks: ["solana:mainnet"] }, { chains: ["solana:mainnet"] }]) {
    const phone = await aPhone(options);
    await pressApp(phone.page);
    await says(phone.page, "on another network");
    assert.ok(!phone.app.calls.some(({ method }) => method.startsWith("sign")));
    assert.deepEqual(await paymentsOf(phone.intent), []);
    await leave(phone);
  }
});

inLong(
  "§12.12 a message that was changed, repeated or left out on its way ends the session, and nothing was paid",
  async () => {
    const flip = (at: number) => (message: Buffer, number: number) => {
      if (number === at) message[message.length - 1]! ^= 1;
      return message;
    };
    let last: Buffer = Buffer.alloc(0);
    const repeat = (message: Buffer, number: number) => {
      const sent = number === 2 ? last : message;
      last = message;
      return sent;
    };
    const skip = (message: Buffer, number: number) => {
      if (number === 1) message.writeUInt32BE(7);
      return message;
    };
    // 0 is the answer to the hello, 1 and 2 those of the account, 3 the signed payment.
    for (const tamper of [flip(1), flip(3), repeat, skip]) {
      const phone = await aPhone({ tamper });
      await pressApp(phone.page);
      await says(phone.page, "The connection to your wallet app broke");
      assert.deepEqual(await paymentsOf(phone.intent), []);
      await leave(phone);
    }
    const unknown = await aPhone({ tamper: flip(0) });
    await pressApp(unknown.page);
    await says(unknown.page, "No wallet app answered");
    await leave(unknown);
  },
);

inLong("§12.8 where the app says yes and its answer is lost, the page does not invite a second payment", async () => {
  const tamper = (message: Buffer, number: number) => (number === 3 ? Buffer.alloc(40) : message);
  const keeping = await aPhone({ features: [], tamper, keeps: true });
  await pressApp(keeping.page);
  await says(keeping.page, "It is not certain whether the payment was sent");
  await keeping.page.getByRole("button", { name: "Pay anyway with Demo wallet" }).waitFor();
  await leave(keeping);
  // The app fails on its own node's answer, so it may have sent the transaction.
  const handle = () => {
    throw new AppRefusal(-32_603, "internal error");
  };
  const failing = await aPhone({ features: [], handle });
  await pressApp(failing.page);
  await says(failing.page, "It is not certain whether the payment was sent");
  await leave(failing);
  const sending = await aPhone({ features: [], tamper });
  await pressApp(sending.page);
  await heading(sending.page, "Paid and protected");
  assert.equal((await paymentsOf(sending.intent)).length, 1);
  await leave(sending);
});

inLong("§12.7 bytes that are not what the page shows never reach the app", async () => {
  const phone = await aPhone();
  const { page, app, intent } = phone;
  await page.route("**/build", async (route) => {
    const answer = await route.fetch();
    const built = await answer.json();
    const bytes = Buffer.from(built.transaction, "base64");
    const at = bytes.indexOf(Buffer.from(BigInt(AMOUNT).toString(16).padStart(16, "0"), "hex").reverse());
    bytes.writeBigUInt64LE(BigInt(AMOUNT) * 2n, at);
    await route.fulfill({ response: answer, json: { ...built, transaction: bytes.toString("base64") } });
  });
  await pressApp(page);
  await says(page, /not what this page shows.*amount is another/);
  assert.deepEqual(app.calls.map(({ method }) => method).sort(), ["authorize", "get_capabilities"]);
  assert.deepEqual(await paymentsOf(intent), []);
  await leave(phone);
});

inLong("§12.12 where no app is opened the page says so soon, and offers the other ways again", async () => {
  const { page, context } = await browser.open({ viewport: PHONE, userAgent: ANDROID });
  const intent = await shop.create({ amount: AMOUNT });
  await page.goto(intent.checkoutUrl);
  await pressApp(page);
  await says(page, "No wallet app answered");
  await page
    .getByRole("button", { name: "Pay with Demo wallet" })
    .and(page.locator('[aria-disabled="false"]'))
    .waitFor();
  assert.deepEqual(await paymentsOf(intent), []);
  await context.close();
});

inLong(
  "§12.12 a port that another program listens on is passed over; after one that an app cannot have, a press goes on",
  async (context) => {
    const held: Socket[] = [];
    const listener = createServer((socket) => void held.push(socket)).listen(0, "localhost");
    await once(listener, "listening");
    const taken = (listener.address() as AddressInfo).port;
    // It has a port that no program can listen on.
    const connection = connect(taken, "localhost");
    await once(connection, "connect");
    context.after(() => {
      for (const socket of [connection, ...held]) socket.destroy();
      listener.close();
    });
    const phone = await aPhone({ givesUp: true });
    const { page, app, intent } = phone;
    let drawn: number[] = [];
    await page.route(intent.checkoutUrl, async (route) => {
      if (!route.request().isNavigationRequest()) return route.continue();
      const answer = await route.fetch();
      const [text, headers] = [await answer.text(), answer.headers()];
      drawn = JSON.parse(/"ports":(\[[\d,]+\])/.exec(text)![1]!);
      const inUse = (of: string) =>
        of.replaceAll(`${drawn[0]}`, `${taken}`).replaceAll(`${drawn[1]}`, `${connection.localPort}`);
      const policy = inUse(headers["content-security-policy"]!);
      await route.fulfill({ headers: { ...headers, "content-security-policy": policy }, body: inUse(text) });
    });
    // The browser does not know where a changed page came from.
    await answerBrowser(page, "granted", new URL(intent.checkoutUrl).origin);
    await page.reload();
    await pressApp(page);
    await says(page, "No wallet app answered");
    assert.match(app.complaints.join(), /EADDRINUSE/);
    await pressApp(page);
    await heading(page, "Paid and protected");
    assert.deepEqual(
      app.links.map(({ searchParams }) => Number(searchParams.get("port"))),
      [connection.localPort, drawn[2]],
    );
    assert.equal((await paymentsOf(intent)).length, 1);
    await leave(phone);
  },
);

inLong(
  "§12.12 only a page that can open apps may connect to the device, at four ports of chance and one path",
  async () => {
    const { checkoutUrl, id } = await shop.create({ amount: AMOUNT });
    const policyFor = async (userAgent: string) => {
      const { headers } = await exchange("GET", checkoutUrl, { headers: [["User-Agent", userAgent]] });
      return /connect-src ([^;]+)/.exec(String(headers["content-security-policy"]))![1]!.split(" ");
    };
    const [self, ...others] = await policyFor(ANDROID);
    assert.equal(self, "'self'");
    assert.equal(others.length, 8);
    for (const one of others) assert.match(one, /^(ws|http):\/\/localhost:6[1-5]\d{3}\/solana-wallet$/);
    assert.notDeepEqual(await policyFor(ANDROID), [self, ...others], "another page has others");
    assert.deepEqual(await policyFor(ANDROID.replace("Android 10; K", "Android 14; Pixel 8 Build/UD1A; wv")), [
      "'self'",
    ]);
    assert.deepEqual(await policyFor("Mozilla/5.0 (X11; Linux x86_64) Chrome/153.0.0.0 Safari/537.36"), ["'self'"]);
    await shop.cancel(id);
    assert.deepEqual(await policyFor(ANDROID), ["'self'"], "a page with nothing to pay");
  },
);

/** A phone on a page of the public network, where only the app answers. */
async function aPublicPhone(options: WalletAppOptions): Promise<Tab & { readonly app: WalletApp }> {
  const tab = await browser.open({ viewport: PHONE, userAgent: ANDROID });
  const app = new WalletApp(null, options);
  await app.install(tab.page);
  await answerBrowser(tab.page, "granted");
  await tab.page.goto(await servePage(tab.context, "waiting-apps", "phone"));
  return { ...tab, app };
}

/** A person's answer to the browser's own question whether the page may reach the device. */
async function answerBrowser(
  page: Page,
  setting: "granted" | "denied" | "prompt",
  origin = "https://pay.shop-demo.com",
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { browserContextId } = (await session.send("Target.getTargetInfo")).targetInfo;
  const permission = { name: "loopback-network" };
  await session.send("Browser.setPermission", { permission, setting, origin, browserContextId: browserContextId! });
}

const appButton = (page: Page) => page.getByRole("button", { name: "Pay with your wallet app" });

inLong("§12.10 on Android the wallet's app stands first, and the links to other browsers are folded", async () => {
  const { page, context, app } = await aPublicPhone({ networks: [] });
  const phantom = page.getByRole("link", { name: "Open in Phantom" });
  assert.equal(await phantom.isVisible(), false);
  await page.getByText("Open in an app’s browser").click();
  await phantom.waitFor();
  await appButton(page).click();
  await says(page, "on another network");
  assert.equal(app.calls.find(({ method }) => method === "authorize")!.params.chain, "solana:devnet");
  assert.deepEqual(await findBarriers(page), []);
  assert.deepEqual(app.complaints, []);
  await context.close();
  await app.close();
});

inLong("§12.12 a browser that asks before a page reaches the device is asked before the app covers it", async () => {
  const { page, context, app } = await aPublicPhone({ networks: [] });
  await answerBrowser(page, "denied");
  await appButton(page).click();
  await says(page, "keeps this site from apps on this device");
  assert.equal(app.links.length, 0);

  await answerBrowser(page, "prompt");
  // The person takes longer than a tap counts.
  await page.evaluate("Object.defineProperty(navigator, 'userActivation', { value: { isActive: false } })");
  const asked = page.waitForRequest((request) => /^http:\/\/localhost:6\d{4}\/solana-wallet$/.test(request.url()));
  await context.route("http://localhost:*/solana-wallet", async (route) => {
    await answerBrowser(page, "granted");
    await route.abort();
  });
  await appButton(page).click();
  await asked;
  await says(page, "Press again to open your wallet app");
  assert.equal(app.links.length, 0);
  await appButton(page).click();
  await says(page, "on another network");
  assert.equal(app.links.length, 1);
  await context.close();
  await app.close();
});
