import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fundBuyer, latestBlockhash } from "@holdfast/devnet/buyer.ts";
import { awaitSignature, sendWire } from "@holdfast/devnet/client.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import {
  acceptInstruction,
  createPaymentInstruction,
  openDisputeInstruction,
  proposeInstruction,
  TOKEN_PROGRAM_ID,
} from "@holdfast/escrow-client";
import { AccountRole, type Address, type Instruction } from "@solana/kit";
import { admin } from "../harness/admin.ts";
import { BuyerBrowser } from "../harness/buyerBrowser.ts";
import { advance, PAST_BLOCKHASHES, readPlain, rpc } from "../harness/chain.ts";
import { awaitPaid, awaitPayment } from "../harness/expectEvents.ts";
import { type Merchant, merchantOf, type Wire } from "../harness/merchant.ts";
import { localChain, type Service, startService } from "../harness/service.ts";
import { aSmartWallet, SMART_WALLET_PROGRAMS, type SmartWallet } from "../harness/smartWallet.ts";
import { Browser } from "../harness/staffBrowser.ts";
import { eventually } from "../harness/wait.ts";

const AMOUNT = 5_000_000n;
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr" as Address;
/** The key of a member of the smart wallet, who pays the network. */
const key = newWallet();
let service: Service;
let shop: Merchant;
let owner: Browser;
let smart: SmartWallet;
before(async () => {
  service = await startService({ env: { ...localChain({ programs: SMART_WALLET_PROGRAMS }), HOLD: "keeper" } });
  shop = merchantOf(service, service.business, "", service.testKey);
  const { dashboardUrl, dashboardLogin } = JSON.parse(await readFile(join(service.dataDir, "ready.json"), "utf8"));
  owner = new Browser(`http://localhost:${service.port}`, new URL(dashboardUrl).origin);
  assert.equal((await owner.post("/sign-in", dashboardLogin)).status, 200);
  smart = await aSmartWallet(key);
  for (const one of [key.address, smart.account]) await fundBuyer(service.rpcUrl, one, service.asset, 2n * AMOUNT);
});
after(() => service?.remove());

/** Sends instructions, paid for by the key. Returns the signature once it is confirmed. */
async function send(instructions: readonly Instruction[], ...cosigners: readonly LocalWallet[]): Promise<string> {
  const blockhash = await latestBlockhash(service.rpcUrl);
  const { wire, signature } = signTransaction({ instructions, wallets: [key, ...cosigners], blockhash });
  await sendWire(service.rpcUrl, wire);
  await awaitSignature(service.rpcUrl, signature, "confirmed");
  return signature;
}
const memoOf = (address: Address, text: string): Instruction => ({
  programAddress: MEMO,
  accounts: [{ address, role: AccountRole.READONLY_SIGNER }],
  data: new TextEncoder().encode(text),
});

/** A disputed payment of the smart wallet, paid and opened by its own program, without any page of ours. */
async function disputed(
  arbiter = service.wallets.arbiter.address,
): Promise<{ readonly payment: string; readonly dispute: Wire }> {
  const { programId, operator } = service;
  const { account, wrap } = smart;
  const intent = await shop.create({ amount: String(AMOUNT) });
  const terms = { programId, operator, sender: account, payer: account, paymentId: BigInt(intent.paymentId) };
  const pays = await createPaymentInstruction({
    ...{ ...terms, recipient: intent.recipient, mint: intent.asset, tokenProgram: TOKEN_PROGRAM_ID, amount: AMOUNT },
    ...{ period: intent.protectionPeriod, arbiter },
  });
  await send([wrap(pays)]);
  const { payment } = await awaitPaid(shop, intent.id);
  assert.equal(payment.sender, account);
  const opens = openDisputeInstruction({
    programId,
    payment: { address: payment.id, operator, sender: account } as never,
  });
  await send([wrap(opens)]);
  await awaitPayment(shop, payment.id, "disputed");
  const [dispute] = (await shop.get(`/disputes?payment=${payment.id}`)).json.data;
  return { payment: payment.id, dispute };
}

test("§16.2 a smart wallet that disputed by another tool proves itself by memos on chain: opening, statement, offer, agreement", async () => {
  const { payment, dispute } = await disputed();
  assert.equal(dispute.reason, "not_given");
  const path = `/pay/p/${payment}/case`;
  const [browser, stranger] = [1, 2].map(() => new BuyerBrowser(new URL(service.checkoutUrl).origin)) as [
    BuyerBrowser,
    BuyerBrowser,
  ];
  const ask = (body: object, who = browser) =>
    who.post(`${path}/challenge`, { way: "memo", act: "open_session", ...body });
  const land = (text: string) => send([smart.wrap(memoOf(smart.account, text))]);
  const refusal = async (body: object, who = browser) => (await who.post(`${path}/session`, body)).json.error.code;

  const byText = await ask({ way: "message" });
  assert.deepEqual(
    [byText.status, byText.json.error.code],
    [400, "invalid_request"],
    "an account without a key signs no text",
  );
  const { nonce, text } = (await ask({})).json;
  // The member's key pays and signs, but it is not the account that paid.
  assert.equal(await refusal({ nonce, landed: await send([memoOf(key.address, text)]) }), "proof_refused");
  const landed = await land(text);
  const theirs = (await ask({}, stranger)).json;
  assert.equal(await refusal({ nonce, landed }, stranger), "proof_refused", "the challenge of another browser");
  assert.equal(
    await refusal({ nonce: theirs.nonce, landed }, stranger),
    "proof_refused",
    "the memo names another nonce",
  );
  const opened = await browser.post(`${path}/session`, { nonce, landed });
  assert.equal(opened.status, 201, JSON.stringify(opened.json));

  const write = async (below: string, body: object) => {
    const answer = await browser.post(`${path}/${below}`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.json));
  };
  await write("opening", { reason: "not_as_described", requestedTotal: "3000000", text: "The bag arrived torn." });
  await write("statements", { text: "Half of it is missing." });
  const terms = { total: "2000000", until: new Date(Date.now() + 86_400_000).toISOString() };
  const asked = (await ask({ act: "offer", ...terms })).json;
  const offered = { ...terms, text: "I keep it.", nonce: asked.nonce };
  const old = await browser.post(`${path}/offers`, { ...offered, landed });
  assert.equal(old.json.error.code, "proof_refused", "the memo of the session binds nothing");
  await write("offers", { ...offered, landed: await land(asked.text) });

  const ofShop = `/businesses/${service.business}/test/disputes/${dispute.id}`;
  const seen = (await owner.get(ofShop)).json;
  assert.deepEqual(
    [seen.reason, seen.statements.length, seen.offers.map(({ total }: Wire) => total)],
    ["not_as_described", 2, ["2000000"]],
  );
  const accepted = await owner.post(`${ofShop}/offers/${seen.offers[0].id}/accept`);
  assert.equal(accepted.json.status, "agreed", accepted.text);
  assert.equal(accepted.json.agreement.total, "2000000");
});

test("§17.5 an arbiter that is a vault of several keys collects its signatures for ten minutes, and its ruling lands with its record", async () => {
  const { programId, operator, wallets } = service;
  const { account, wrap } = smart;
  const office = { programId, operator, role: "arbiter", key: account } as const;
  const proposed = proposeInstruction({ ...office, authority: wallets.authority.address });
  await send([proposed, wrap(acceptInstruction(office))], wallets.authority);
  const { payment, dispute } = await disputed(account);
  await advance(service, 6 * 86_400);
  const shown = async (): Promise<Wire> => (await shop.get(`/disputes/${dispute.id}`)).json;
  await eventually("the arbiter decides", async () => (await shown()).status === "deciding");

  const login = { email: "vault@desk.example", password: "correct horse battery" };
  const { link } = await admin(service, "user", "add", login.email, "--arbiter");
  const arbiter = new Browser(`http://localhost:${service.port}`, owner.origin);
  await arbiter.post("/password-resets/complete", { link: link.split("#link=")[1], password: login.password });
  assert.equal((await arbiter.post("/sign-in", login)).status, 200);
  const path = `/desk/disputes/${dispute.id}`;
  assert.equal((await arbiter.post(`${path}/claim`)).status, 200);
  const asked = { total: "2000000", reasons: "Half of it is missing.", noInterest: true };
  const frozen = await arbiter.post(`${path}/decisions`, asked);
  assert.equal(frozen.status, 201, frozen.text);
  assert.equal(frozen.json.arbiter, account);

  // The vault's program keeps the instructions while its members sign, and passes them on in a transaction of that moment.
  await rpc(service, "devnet_tick", { slots: PAST_BLOCKHASHES });
  await advance(service, 600);
  const transaction = await send(frozen.json.plain.map((one: Wire) => wrap(readPlain(one as never))));
  const { decision } = await eventually("the ruling is read", async () => {
    const read = await shown();
    return read.decision !== null && read;
  });
  const { total, memo, sha256, reasons } = decision;
  assert.deepEqual(
    [decision.transaction, decision.arbiter, total, memo, sha256, reasons],
    [transaction, account, asked.total, "record", frozen.json.sha256, asked.reasons],
  );
  const { outcome, refundTotal } = await shop.payment(payment);
  assert.deepEqual([outcome, refundTotal], ["resolved", asked.total]);
});
