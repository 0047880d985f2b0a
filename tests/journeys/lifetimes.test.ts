import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { admin } from "../harness/admin.ts";
import { askCheckout, askPayment, assertRefused, buildAction, buildFor } from "../harness/buyer.ts";
import { act, advance, control, newBuyer, newPayer, pay, rpc } from "../harness/chain.ts";
import { awaitPaid, awaitPayment } from "../harness/expectEvents.ts";
import { type Merchant, merchantOf, newMerchant, type Wire } from "../harness/merchant.ts";
import { localChain, type Service, startService } from "../harness/service.ts";
import { Browser } from "../harness/staffBrowser.ts";
import { eventually } from "../harness/wait.ts";

/** Slots so long that a life ends only where a test lets it: it passes them at once. */
const SETTINGS = localChain({ slotMs: 1_000 });
const LATE = "Too much time passed; nothing was sent. Press again.";

let service: Service;
let shop: Merchant;
before(async () => {
  service = await startService({ env: SETTINGS });
  shop = await newMerchant(service);
  // A sponsor pays for no account of the recipient.
  await control(service, "/faucet", { address: service.recipient, asset: service.asset, amount: "1" });
});
after(() => service?.remove());

/** Passes the blocks in which what was built can land, those until the last is final, and the time for which a build is kept. */
async function endLives(): Promise<void> {
  await rpc(service, "devnet_tick", { slots: 170 });
  await advance(service, 3);
}

const lifeOf = async (intent: Wire, body: Readonly<Record<string, unknown>>): Promise<Wire> => {
  const answer = await askCheckout(service, intent, "life", body);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

test("§4.14.11 a payment that comes too late is refused at once, by a process that did not build it, too", async () => {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  const built = await buildFor(service, intent, buyer.address);
  const height = await rpc<number>(service, "getBlockHeight", { commitment: "processed" });
  assert.ok(built.lastValidBlockHeight > height && built.lastValidBlockHeight <= height + 150);
  const { transaction } = signWith(built.transaction, buyer);
  const asked = { transaction: built.transaction, payment: built.payment };
  const { object, status, msLeft } = await lifeOf(intent, asked);
  assert.deepEqual([object, status], ["transaction_life", "live"]);
  assert.ok(msLeft > 0);

  await service.end("SIGTERM");
  service = await service.restart();
  shop = merchantOf(service, shop.business, shop.keyId, shop.key);
  await endLives();
  const refusal = assertRefused(await askCheckout(service, intent, "submit", { transaction }), 409, "expired");
  assert.equal(refusal.message, LATE);
  for (const one of [asked, { ...asked, transaction }])
    assert.deepEqual(await lifeOf(intent, one), { object: "transaction_life", status: "ended", msLeft: null });
  assertRefused(await askCheckout(service, intent, "life", { transaction: "AQ==" }), 400, "invalid_transaction");

  const again = signWith((await buildFor(service, intent, buyer.address)).transaction, buyer);
  assert.equal((await askCheckout(service, intent, "submit", { transaction: again.transaction })).status, 202);
  assert.equal((await awaitPaid(shop, intent.id)).payment.signature, again.signature);
  await endLives();
  assert.equal((await lifeOf(intent, asked)).status, "landed", "the payment is there, whatever its signature");
});

test("§4.14.9 a sponsor says that time ran out, and not that SOL is missing", async () => {
  const buyer = newWallet();
  await control(service, "/faucet", { address: buyer.address, asset: service.asset, amount: "1000000000" });
  await rpc(service, "devnet_tick", { slots: 3 });
  const intent = await shop.create();
  const ask = async () =>
    (await askCheckout(service, intent, "build", { account: buyer.address, sponsored: true })).json;
  const { transaction, sponsored } = await ask();
  assert.equal(sponsored, true);
  await endLives();
  const late = { transaction: signWith(transaction, buyer).transaction };
  assert.equal(assertRefused(await askCheckout(service, intent, "submit", late), 409, "expired").message, LATE);
  const again = { transaction: signWith((await ask()).transaction, buyer).transaction };
  assert.equal((await askCheckout(service, intent, "submit", again)).status, 202);
  const { payment } = await awaitPaid(shop, intent.id);

  const asked = { action: "dispute", account: buyer.address, sponsored: true };
  const built = await buildAction(service, payment.id, asked);
  assert.equal(built.sponsored, true);
  await endLives();
  const dispute = { transaction: signWith(built.transaction, buyer).transaction };
  assert.equal(assertRefused(await askPayment(service, payment.id, "submit", dispute), 409, "expired").message, LATE);
});

async function paid(buyer: LocalWallet): Promise<Wire> {
  const intent = await shop.create();
  await pay(service, intent, { buyer });
  return (await awaitPaid(shop, intent.id)).payment;
}

test("§4.15.6 a buyer's action that comes too late is refused, and the next one lands", async () => {
  const buyer = await newBuyer(service);
  const payment = await paid(buyer);
  const build = async () => {
    const built = await buildAction(service, payment.id, { action: "dispute", account: buyer.address });
    return { transaction: signWith(built.transaction, buyer).transaction };
  };
  const late = await build();
  await endLives();
  assert.equal(assertRefused(await askPayment(service, payment.id, "submit", late), 409, "expired").message, LATE);
  assert.equal((await askPayment(service, payment.id, "life", late)).json.status, "ended");
  assert.equal((await askPayment(service, payment.id, "submit", await build())).status, 202);
  await awaitPayment(shop, payment.id, "disputed");
});

/** The dashboard's API, for a user who has signed in. */
async function signIn(login: { readonly email: string; readonly password: string }, link?: string): Promise<Browser> {
  const { dashboardUrl } = JSON.parse(await readFile(join(service.dataDir, "ready.json"), "utf8"));
  const browser = new Browser(`http://localhost:${service.port}`, new URL(dashboardUrl).origin);
  if (link !== undefined)
    await browser.post("/password-resets/complete", { link: link.split("#link=")[1], password: login.password });
  assert.equal((await browser.post("/sign-in", login)).status, 200);
  return browser;
}

async function addUser(email: string, ...options: readonly string[]): Promise<Browser> {
  const { link } = await admin(service, "user", "add", email, ...options);
  if (options.length === 0) await admin(service, "member", "add", shop.business, email, "--role", "owner");
  return signIn({ email, password: "correct horse battery" }, link);
}

test("§13.16.1 a refund that comes too late is refused", async () => {
  const owner = await addUser("owner@late.example");
  const payment = await paid(await newBuyer(service));
  const path = `/businesses/${shop.business}/test/payments/${payment.id}/refund`;
  const { recipient } = service.wallets;
  const built = await owner.post(path, { total: "1", account: recipient.address });
  assert.equal(built.status, 200, built.text);
  const { transaction } = signWith(built.json.transaction, recipient);
  assert.equal((await owner.post(`${path}/life`, { transaction })).json.status, "live");
  await endLives();
  const late = await owner.post(`${path}/submit`, { transaction });
  assert.deepEqual([late.status, late.json.error], [409, { code: "expired", message: LATE }]);
  assert.equal((await owner.post(`${path}/life`, { transaction })).json.status, "ended");
  const { error } = (await owner.post(`${path}/life`, { transaction: "AQ==" })).json;
  assert.deepEqual([error.code, error.reason], ["action_refused", "transaction_invalid"]);
});

test("§17.5 a ruling that comes too late is refused: no arbiter hears that one is on its way that never lands", async () => {
  const buyer = await newBuyer(service);
  const payment = await paid(buyer);
  await act(service, buyer, "dispute", payment.id);
  await awaitPayment(shop, payment.id, "disputed");
  const arbiter = await addUser("arbiter@late.example", "--arbiter");
  await advance(service, 6 * 86_400);
  const dispute = await eventually("the arbiter decides", async () => {
    const [found] = (await shop.get(`/disputes?payment=${payment.id}`)).json.data;
    return found?.status === "deciding" && found;
  });
  assert.equal((await arbiter.post(`/desk/disputes/${dispute.id}/claim`)).status, 200);
  const path = `/desk/disputes/${dispute.id}/decisions`;
  const frozen = await arbiter.post(path, { total: "1", reasons: "One unit.", noInterest: true });
  assert.equal(frozen.status, 201, frozen.text);
  const decision = `${path}/${frozen.json.id}`;
  const sign = (built: Wire) => ({ transaction: signWith(built.transaction, service.wallets.arbiter).transaction });
  await endLives();
  const late = await arbiter.post(`${decision}/submit`, sign(frozen.json));
  assert.deepEqual([late.status, late.json.error], [409, { code: "expired", message: LATE }]);
  assert.equal((await arbiter.post(`${decision}/life`, sign(frozen.json))).json.status, "ended");
  const again = sign((await arbiter.post(`${decision}/build`)).json);
  assert.equal((await arbiter.post(`${decision}/submit`, again)).status, 200);
  await eventually("the ruling lands", async () => (await shop.payment(payment.id)).outcome === "resolved");
});
