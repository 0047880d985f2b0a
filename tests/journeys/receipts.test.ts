import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { admin, receiptCli } from "../harness/admin.ts";
import { askCheckout, buildFor } from "../harness/buyer.ts";
import { act, advance, control, newBuyer, newPayer, pay, rpc } from "../harness/chain.ts";
import { awaitPaid, awaitPayment } from "../harness/expectEvents.ts";
import { inForm } from "../harness/form.ts";
import { exchange } from "../harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

const DAY_SECONDS = 86_400;
const PYUSD = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo";

let service: RunningService;
let shop: Merchant;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-receipts-"));
  service = await standingService();
  shop = await newMerchant(service);
});
after(() => rm(folder, { recursive: true }));

/** The JSON receipt behind a payment's `receiptUrl`, or behind its address alone. */
async function fetchReceipt({ id, receiptUrl }: Wire, hasKey = true): Promise<Wire> {
  const { search } = new URL(receiptUrl);
  const answer = await exchange("GET", `${service.checkoutUrl}/pay/p/${id}.json${hasKey ? search : ""}`);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(
    [answer.headers["cache-control"], answer.headers["referrer-policy"]],
    ["no-store", "no-referrer"],
    "nobody keeps it, and its address goes nowhere",
  );
  return answer.json;
}

let files = 0;
/** Runs `npm run receipt -- verify` on a receipt. */
async function verify(receipt: unknown, ...options: readonly string[]): Promise<{ code: number; output: string }> {
  const file = join(folder, `${++files}.json`);
  await writeFile(file, JSON.stringify(receipt, null, 2));
  return receiptCli(service, "verify", file, ...options);
}

/** Pays an intent by what its checkout builds, so that its terms are known. */
async function payByCheckout(): Promise<Wire> {
  const buyer = await newPayer(service);
  const intent = await shop.create({ merchantReference: "order-of-receipts", description: "A blue lamp" });
  return sign(intent, buyer, () => buildFor(service, intent, buyer.address));
}

/** Signs what is built for an intent and has it sent, anew if the blockhash ends before that. */
async function sign(intent: Wire, buyer: LocalWallet, build: () => Promise<Wire>): Promise<Wire> {
  await eventually("it is sent before its blockhash ends", async () => {
    const { transaction } = signWith((await build()).transaction, buyer);
    const answer = await askCheckout(service, intent, "submit", { transaction });
    if (answer.json.error?.code === "expired") return false;
    assert.equal(answer.status, 202, answer.text);
    return true;
  });
  return (await awaitPaid(shop, intent.id)).payment;
}

test("§15 the receipt of a payment verifies, alone and with nodes, and its key shows the order", async () => {
  const payment = await payByCheckout();
  const receipt = await fetchReceipt(payment);
  assert.deepEqual(receipt.order, {
    intent: payment.intent,
    reference: "order-of-receipts",
    description: "A blue lamp",
    business: { name: "Test shop", domain: null, contact: null },
  });
  assert.deepEqual(receipt.transactions, [{ kind: "created", signature: payment.signature }]);
  assert.equal(receipt.payment.termsHash, payment.termsHash);
  assert.ok(receipt.terms.text.includes(`"paymentId":"${receipt.payment.paymentId}"`));

  const alone = await verify(receipt);
  assert.deepEqual([alone.code, alone.output.split("\n")[0]], [0, `Consistent. Signed by ${service.checkoutUrl}.`]);
  assert.match(alone.output, /does not show that the payment is on chain/);
  const confirmed = await verify(receipt, "--rpc", service.rpcUrl, "--rpc", `${service.rpcUrl}/other`);
  assert.equal(confirmed.code, 0, confirmed.output);
  assert.match(confirmed.output, /^Confirmed by 2 nodes at slot \d+\. Signed by \S+\.\n$/, "the program is the same");

  const { order, ...others } = await fetchReceipt(payment, false);
  assert.equal(order, null);
  const shown = JSON.stringify(others);
  for (const secret of [
    payment.intent,
    "order-of-receipts",
    "A blue lamp",
    new URL(payment.receiptUrl).searchParams.get("key")!,
  ])
    assert.ok(!shown.includes(secret), secret);
  assert.equal((await verify({ ...others, order })).code, 0);
  const wrong = await fetchReceipt({ ...payment, receiptUrl: `${payment.receiptUrl.slice(0, -1)}!` });
  assert.equal(wrong.order, null, "another key opens nothing");
});

test("§15 a changed receipt, unreachable keys and nodes, and a wrong command each end with their own code", async () => {
  const payment = await payByCheckout();
  const receipt = await fetchReceipt(payment);
  const changed = await verify({ ...receipt, payment: { ...receipt.payment, amount: "1" } });
  assert.equal(changed.code, 1);
  assert.match(changed.output, /payment\.amount is "1" in the receipt, and "\d+" by the signed text\./);
  const nowhere = "http://127.0.0.1:9";
  assert.equal((await verify(receipt, "--rpc", nowhere)).code, 3);
  assert.equal((await verify(receipt, "--keys", nowhere)).code, 3);
  assert.equal((await verify({ ...receipt, issuer: "http://shop.example" })).code, 3);
  assert.equal((await verify(receipt, "--rpc", "nowhere")).code, 2);
  const keys = join(folder, "keys.json");
  const published = await exchange("GET", `${service.checkoutUrl}/.well-known/holdfast.json`);
  await writeFile(keys, published.text);
  assert.equal((await verify(receipt, "--keys", keys)).code, 0);
  await writeFile(keys, JSON.stringify({ ...published.json, keys: [] }));
  assert.equal((await verify(receipt, "--keys", keys)).code, 1);
  const unknown = await exchange("GET", `${service.checkoutUrl}/pay/p/${service.asset}.json`);
  assert.deepEqual([unknown.status, unknown.json.error.code], [404, "not_found"]);
});

test("§15 after a rotation a new key signs, and receipts of before stay valid", async () => {
  const payment = await payByCheckout();
  const receipt = await fetchReceipt(payment);
  const { id, retired } = await admin(service, "receipt-key", "rotate");
  const { json } = await exchange("GET", `${service.checkoutUrl}/.well-known/holdfast.json`);
  assert.deepEqual([json.keys[0].kid, json.keys[0].retiredAt, json.keys[1].kid], [id, null, retired]);
  assert.ok(json.keys[1].retiredAt !== null);
  assert.deepEqual(Object.keys(json.environments), ["test"]);
  const later = await fetchReceipt(payment);
  for (const one of [receipt, later]) assert.equal((await verify(one)).code, 0);
  const signer = ({ signature }: Wire) => JSON.parse(Buffer.from(signature.protected, "base64url").toString()).kid;
  assert.deepEqual([signer(receipt), signer(later)], [retired, id]);
  const list = await admin(service, "receipt-key", "list");
  assert.deepEqual(list.data, json.keys);
});

test("§15 the receipt of a payment that matches no order has no order, with any key, also once it is closed", async () => {
  const [intent, buyer] = [await shop.create(), service.wallets["buyer-1"]];
  const { payment } = await pay(service, intent, { amount: "777" });
  const receipt = await eventually("it is known", async () => {
    const { status, json } = await exchange(
      "GET",
      `${service.checkoutUrl}/pay/p/${payment}.json?key=${"A".repeat(22)}`,
    );
    return status === 200 ? json : null;
  });
  assert.deepEqual([receipt.order, receipt.payment.amount, receipt.terms], [null, "777", null]);
  assert.equal((await verify(receipt, "--rpc", service.rpcUrl)).code, 0);
  await act(service, buyer, "release", payment);
  const unmatched = { id: payment, receiptUrl: `${service.checkoutUrl}/pay/p/${payment}` };
  const { data } = (await awaitBytes(unmatched)).account;
  await advance(service, 91 * DAY_SECONDS);
  await act(service, buyer, "close", payment);
  const closed = await awaitClosed(unmatched);
  assert.deepEqual([closed.account, closed.order], [{ data, slot: null }, null]);
  assert.match((await verify(closed)).output, /^Consistent, closed, ended as released\. /);
});

/** The account at an address in base64, as a node shows it. */
async function bytesOf(address: string): Promise<string> {
  const form = { encoding: "base64", commitment: "confirmed" };
  const { value } = await rpc<{ value: { data: string[] } }>(service, "getAccountInfo", address, form);
  return value.data[0]!;
}

/** Awaits a receipt with the chain's bytes: a receipt is kept for two seconds, and the keeper may pay out a part meanwhile. */
const awaitBytes = (payment: Wire): Promise<Wire> =>
  eventually("the receipt has the bytes of one moment", async () => {
    const before = await bytesOf(payment.id);
    const receipt = await fetchReceipt(payment);
    return before === (await bytesOf(payment.id)) && receipt.account.data === before ? receipt : null;
  });

/** The receipt of a payment once its record is closed. */
const awaitClosed = (payment: Wire): Promise<Wire> =>
  eventually("the record is closed", async () => {
    const receipt = await fetchReceipt(payment);
    return receipt.tombstone === null ? null : receipt;
  });

/** A payment of a buyer without SOL, whose rents the sponsor paid. */
async function paySponsored(): Promise<Wire> {
  const [buyer, intent] = [newWallet(), await shop.create({ amount: "2500000" })];
  await control(service, "/faucet", { address: buyer.address, asset: service.asset, amount: "2500000" });
  return sign(intent, buyer, () =>
    eventually("the tokens are confirmed", async () => {
      const { json } = await askCheckout(service, intent, "build", { account: buyer.address, sponsored: true });
      return json.sponsored === true ? json : null;
    }),
  );
}

test("§15 in every state a receipt has the chain's bytes, and those of before once the record is closed", async () => {
  const { "buyer-1": buyer, recipient, arbiter } = service.wallets;
  const create = async (given: Wire = {}) => {
    const intent = await shop.create({ amount: "900", ...given });
    await pay(service, intent, { buyer: given.asset === undefined ? buyer : await newBuyer(service, given.asset) });
    return (await awaitPaid(shop, intent.id)).payment;
  };
  const steps = [
    { acts: [] },
    { acts: [[buyer, "release"]] },
    { acts: [[recipient, "refund", { total: 300n }]] },
    { acts: [[recipient, "refund", { total: 300n, decideOnly: true }]] },
    { acts: [[recipient, "refund"]], asset: PYUSD },
    {
      acts: [
        [buyer, "dispute"],
        [arbiter, "resolve_split", { total: 400n, decideOnly: true }],
      ],
    },
    {
      acts: [
        [buyer, "dispute"],
        [arbiter, "resolve_refund"],
      ],
    },
    {
      acts: [
        [buyer, "dispute"],
        [recipient, "refund", { total: 1n }],
      ],
      protectionPeriod: "oneDay",
    },
  ] as const;
  const payments = [await paySponsored()];
  const played = inForm({ short: [1, 5, 7], long: [...steps.keys()] });
  for (const { acts, ...given } of played.map((number) => steps[number]!)) {
    const payment = await create(given);
    payments.push(payment);
    await awaitBytes(payment);
    for (const [wallet, action, options = {}] of acts) {
      await act(service, wallet, action, payment.id, options);
      await awaitBytes(payment);
    }
  }
  assert.equal((await awaitBytes(payments[0]!)).payment.rentPayer, service.wallets.sponsor.address);
  await advance(service, 91 * DAY_SECONDS);
  const ends = new Map<Wire, string>();
  for (const payment of payments) {
    await eventually("all has left", async () => /^re/.test((await shop.payment(payment.id)).status));
    ends.set(payment, (await awaitBytes(payment)).account.data);
  }
  await advance(service, 91 * DAY_SECONDS);
  for (const [payment, data] of ends) {
    // The keeper closes the sponsored one.
    if (payment !== payments[0]) await act(service, buyer, "close", payment.id);
    const receipt = await awaitClosed(payment);
    assert.deepEqual([receipt.account, receipt.tombstone.data], [{ data, slot: null }, await bytesOf(payment.id)]);
    assert.equal((await verify(receipt, "--rpc", service.rpcUrl)).code, 0);
  }
});

test("§15 a closed record's receipt is consistent with the bytes of before, and says that it ended as refunded", async () => {
  const buyer = service.wallets["buyer-1"];
  const intent = await shop.create();
  const done = await pay(service, intent);
  const { payment } = await awaitPaid(shop, intent.id);
  await act(service, buyer, "dispute", done.payment);
  await awaitPayment(shop, payment.id, "disputed");
  const disputed = await fetchReceipt(payment);
  await advance(service, 90 * DAY_SECONDS + 10);
  await awaitPayment(shop, payment.id, "refunded");
  const ended = await fetchReceipt(payment);
  await advance(service, 90 * DAY_SECONDS + 10);
  await act(service, buyer, "close", done.payment);
  const closed = await awaitClosed(payment);
  assert.deepEqual(
    [closed.account.data, closed.account.slot, closed.payment],
    [ended.account.data, null, ended.payment],
    "the bytes are those of before",
  );
  const { code, output } = await verify(closed);
  assert.equal(code, 0, output);
  assert.match(output, /^Consistent, closed, ended as refunded\. /);
  const asked = await verify(closed, "--rpc", service.rpcUrl);
  assert.match(asked.output, /^Confirmed by 1 node at slot \d+, closed, ended as refunded\. /);
  for (const earlier of [disputed, ended]) {
    const since = await verify(earlier, "--rpc", service.rpcUrl);
    assert.equal(since.code, 0, since.output);
    assert.match(since.output, /Today account is closed by node 1; the receipt has a record\./);
  }
});
