// The acts of both sides and of the arbiter, as their pages do them, on any chain.
import assert from "node:assert/strict";
import { asVersion1, signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import type { LocalWallet } from "@holdfast/devnet/wallets.ts";
import { admin } from "../harness/admin.ts";
import { askCheckout, askPayment, buildAction, buildFor } from "../harness/buyer.ts";
import { BuyerBrowser } from "../harness/buyerBrowser.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import type { Merchant, Wire } from "../harness/merchant.ts";
import type { RunningService } from "../harness/service.ts";
import { Browser } from "../harness/staffBrowser.ts";
import { eventually, HUNG_MS } from "../harness/wait.ts";

/** A service on a chain, and a shop of it. */
export interface Scene {
  readonly service: RunningService;
  readonly shop: Merchant;
}

export const AMOUNT = 5_000_000n;
export const PART = "2000000";
export const REASONS = "The parcel came three weeks late.\nSo each side bears a part.";

/** Pays by the checkout: it builds, the wallet signs, it sends. */
export async function payByCheckout(scene: Scene, buyer: LocalWallet, terms = {}, version: 0 | 1 = 0): Promise<Wire> {
  const intent = await scene.shop.create({ amount: String(AMOUNT), ...terms });
  await submitPayment(scene, intent, buyer, version);
  return awaitPaid(scene.shop, intent.id);
}

export async function submitPayment(
  { service }: Scene,
  intent: Wire,
  buyer: LocalWallet,
  version: 0 | 1 = 0,
): Promise<void> {
  const built = await buildFor(service, intent, buyer.address);
  const { transaction } = signWith(version === 1 ? asVersion1(built.transaction) : built.transaction, buyer);
  const answer = await askCheckout(service, intent, "submit", { transaction });
  assert.equal(answer.status, 202, answer.text);
}

/** Acts by the receipt's page: it builds, the wallet signs, it sends. */
export async function actByReceipt(
  { service }: Scene,
  { id }: Wire,
  action: string,
  wallet: LocalWallet,
  total?: string,
) {
  const account = wallet.address;
  const built = await buildAction(service, id, { action, account, ...(total === undefined ? {} : { total }) });
  const { transaction } = signWith(built.transaction, wallet);
  const answer = await askPayment(service, id, "submit", { transaction });
  assert.equal(answer.status, 202, answer.text);
}

export const partsOf = ({ amountRefunded, amountReleased }: Wire) => [amountRefunded, amountReleased];
export const restOf = (total: string) => String(AMOUNT - BigInt(total));

/** The dispute of a payment, once the service has it. */
export const awaitDispute = ({ shop }: Scene, { id }: Wire, msMax = HUNG_MS): Promise<Wire> =>
  eventually("the dispute is there", async () => (await shop.get(`/disputes?payment=${id}`)).json.data[0], msMax);

/** The buyer's page of a dispute, after a proof of the wallet. Returns what writes there. */
export async function openCase({ service }: Scene, { id }: Wire, buyer: LocalWallet) {
  const page = new BuyerBrowser(service.checkoutUrl);
  const path = `/pay/p/${id}/case`;
  const { nonce, text } = (await page.post(`${path}/challenge`, { way: "message", act: "open_session" })).json;
  const signature = Buffer.from(buyer.sign(Buffer.from(text))).toString("base64");
  assert.equal((await page.post(`${path}/session`, { nonce, signature })).status, 201);
  return async (act: string, body?: object): Promise<void> => {
    const { status, json } = await page.post(`${path}/${act}`, body);
    assert.equal(status, 200, JSON.stringify(json));
  };
}

export async function askArbiterAsBuyer(scene: Scene, payment: Wire, buyer: LocalWallet): Promise<void> {
  const write = await openCase(scene, payment, buyer);
  await write("ask-arbiter");
}

/** An arbiter of the operator's, signed in. */
async function anArbiter({ service }: Scene): Promise<Browser> {
  const login = { email: "arbiter@desk.example", password: "correct horse battery" };
  const { link } = await admin(service, "user", "add", login.email, "--arbiter");
  const origin = `http://localhost:${service.port}`;
  const arbiter = new Browser(origin, origin);
  const completed = { link: link.split("#link=")[1], password: login.password };
  assert.equal((await arbiter.post("/password-resets/complete", completed)).status, 200);
  assert.equal((await arbiter.post("/sign-in", login)).status, 200);
  return arbiter;
}

/** The shop asks for the arbiter, too, who splits the payment at the desk with reasons; both parts leave. */
export async function ruleAtDesk(
  scene: Scene,
  { id }: Wire,
): Promise<{ readonly closed: Wire; readonly frozen: Wire }> {
  const { service, shop } = scene;
  // A real chain's clock cannot be moved to the end of talking.
  assert.equal((await shop.call("POST", `/disputes/${id}/ask-arbiter`)).status, 200);
  const arbiter = await anArbiter(scene);
  const desk = `/desk/disputes/${id}`;
  assert.equal((await arbiter.post(`${desk}/claim`)).status, 200);
  const frozen = await arbiter.post(`${desk}/decisions`, { total: PART, reasons: REASONS, noInterest: true });
  assert.equal(frozen.status, 201, frozen.text);
  const { transaction } = signWith(frozen.json.transaction, service.wallets.arbiter);
  const handed = await arbiter.post(`${desk}/decisions/${frozen.json.id}/submit`, { transaction });
  assert.equal(handed.status, 200, handed.text);
  const closed = await eventually("the dispute is closed", async () => {
    const { json } = await shop.get(`/disputes/${id}`);
    return json.status === "closed" && json.decision !== null && json;
  });
  return { closed, frozen: frozen.json };
}
