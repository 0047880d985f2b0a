import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { admin } from "../harness/admin.ts";
import { act, control, newBuyer, pay } from "../harness/chain.ts";
import { awaitPaid, awaitPayment } from "../harness/expectEvents.ts";
import { assertError, type Merchant, merchantOf, newMerchant, type Wire } from "../harness/merchant.ts";
import { LASTING, type RunningService, standingService } from "../harness/service.ts";
import { Browser } from "../harness/staffBrowser.ts";
import { eventually } from "../harness/wait.ts";

let service: RunningService;
let shop: Merchant;
let owner: Browser;
let tenant: string;
before(async () => {
  service = await standingService(LASTING);
  shop = merchantOf(service, service.business, "", service.testKey);
  tenant = `/businesses/${service.business}/test`;
  owner = await signIn((await readReady()).dashboardLogin);
});

const readReady = async (): Promise<{ dashboardUrl: string; dashboardLogin: Login }> =>
  JSON.parse(await readFile(join(service.dataDir, "ready.json"), "utf8"));

interface Login {
  readonly email: string;
  readonly password: string;
}

const aBrowser = async () =>
  new Browser(`http://localhost:${service.port}`, new URL((await readReady()).dashboardUrl).origin);

async function signIn(login: Login): Promise<Browser> {
  const browser = await aBrowser();
  const answer = await browser.post("/sign-in", login);
  assert.equal(answer.status, 200, answer.text);
  return browser;
}

/** A member of the business, signed in. */
async function member(role: string): Promise<Browser> {
  const login = { email: `${role}@shop.example`, password: "correct horse battery" };
  const { link } = await admin(service, "user", "add", login.email);
  const completed = { link: link.split("#link=")[1], password: login.password };
  assert.equal((await (await aBrowser()).post("/password-resets/complete", completed)).status, 200);
  await admin(service, "member", "add", service.business, login.email, "--role", role);
  return signIn(login);
}

async function paid(): Promise<Wire> {
  const intent = await shop.create();
  await pay(service, intent, { buyer: await newBuyer(service) });
  return (await awaitPaid(shop, intent.id)).payment;
}

const recipient = () => service.wallets.recipient;
const refundPath = (payment: string) => `${tenant}/payments/${payment}/refund`;
const refund = (payment: string, total: string, account: string = recipient().address, by = owner) =>
  by.post(refundPath(payment), { total, account });
const submit = (payment: string, transaction: string, by = owner) =>
  by.post(`${refundPath(payment)}/submit`, { transaction });

async function auditOf(payment: string): Promise<readonly [string, Wire][]> {
  const { data } = (await owner.get(`/businesses/${service.business}/audit`)).json;
  const own = data.filter(({ target }: Wire) => target === payment);
  return own.map(({ action, details }: Wire) => [action, details] as const);
}

test("§13.16.1 an owner builds a refund, the recipient's wallet signs it, and both are in the audit log", async () => {
  const payment = await paid();
  const built = await refund(payment.id, "2000000");
  assert.equal(built.status, 200, built.text);
  assert.deepEqual(
    [built.json.action, built.json.total, built.json.signer],
    ["refund", "2000000", recipient().address],
  );
  const { transaction, signature } = signWith(built.json.transaction, recipient());
  const sent = await submit(payment.id, transaction);
  assert.deepEqual([sent.status, sent.json], [200, { object: "submitted_refund", signature }]);
  await eventually("the part went back", async () => (await shop.payment(payment.id)).amountRefunded === "2000000");
  assert.deepEqual(await auditOf(payment.id), [
    ["payment.refund_sent", { total: "2000000", signature }],
    ["payment.refund_built", { total: "2000000", account: recipient().address }],
  ]);
});

test("§13.16.1 only owners and admins refund, and only payments of their business", async () => {
  const payment = await paid();
  const permissions = async (browser: Browser) =>
    (await browser.get(`/businesses/${service.business}`)).json.permissions;
  for (const role of ["developer", "read_only"]) {
    const browser = await member(role);
    assertError(await refund(payment.id, "1", recipient().address, browser), 403, "forbidden");
    assertError(await submit(payment.id, "AA==", browser), 403, "forbidden");
    assert.ok(!(await permissions(browser)).includes("refund_payments"));
  }
  const admins = await member("admin");
  assert.equal((await refund(payment.id, "1", recipient().address, admins)).status, 200);
  assert.ok((await permissions(admins)).includes("refund_payments"));

  const other = await newMerchant(service);
  const intent = await other.create();
  await pay(service, intent);
  const { payment: foreign } = await awaitPaid(other, intent.id);
  for (const id of [foreign.id, service.operator, "x"]) {
    assertError(await refund(id, "1"), 404, "not_found");
    assertError(await submit(id, "AA=="), 404, "not_found");
  }
  assertError(
    await owner.post(refundPath(payment.id).replace("/test/", "/live/"), { total: "1", account: recipient().address }),
    404,
    "not_found",
  );
});

test("§13.16.2 another wallet, one without SOL, a wrong total and what is no signed refund are refused", async () => {
  const payment = await paid();
  const reasonOf = (answer: Wire, code = "action_refused") => assertError(answer, 409, code).reason;
  assert.equal(reasonOf(await refund(payment.id, "1", newWallet().address)), "wallet_not_recipient");
  assertError(await refund(payment.id, "5000001"), 400, "invalid_request", "total");
  assertError(await refund(payment.id, "1", "x"), 400, "invalid_request", "account");
  const poor = await shop.create({ recipient: newWallet().address });
  await pay(service, poor);
  const { payment: ofPoor } = await awaitPaid(shop, poor.id);
  assert.equal(reasonOf(await refund(ofPoor.id, "1", ofPoor.recipient)), "wallet_short");

  const { transaction } = (await refund(payment.id, "7")).json;
  for (const given of [transaction, "AAAA", "?"])
    assert.equal(reasonOf(await submit(payment.id, given)), "transaction_invalid");
  const signed = signWith(transaction, recipient()).transaction;
  assert.equal(reasonOf(await submit(ofPoor.id, signed)), "transaction_invalid");
  await control(service, "/sweep", { paused: true });
  try {
    await act(service, recipient(), "refund", payment.id);
    assert.equal(reasonOf(await submit(payment.id, signed)), "transaction_refused");
    assert.equal(reasonOf(await refund(payment.id, "1"), "dispute_changed"), "already_paid_out");
  } finally {
    await control(service, "/sweep", { paused: false });
  }
  await awaitPayment(shop, payment.id, "refunded");
});

test("§13.16.3 a payment that matches no order is seen by who is meant, and refunded by its recipient's wallet", async () => {
  const intent = await shop.create();
  const buyer = await newBuyer(service);
  const { payment } = await pay(service, { ...intent, amount: "4999999", protectionPeriod: "oneHour" }, { buyer });
  const read = (by = owner, path = tenant) => by.get(`${path}/unmatched-payments/${payment}`);
  const shown = await eventually("the sweep has seen it", async () => {
    const answer = await read();
    return answer.status === 200 && answer.json;
  });
  assert.deepEqual(
    [shown.reason, shown.intent, shown.mismatch],
    ["terms_differ", intent.id, ["amount", "protectionPeriod"]],
  );
  assert.deepEqual([shown.id, shown.sender, shown.amount], [payment, buyer.address, "4999999"]);
  assert.deepEqual(
    shown.nextActions.map(({ action }: Wire) => action),
    ["dispute", "release", "refund"],
  );
  // Another business sees it only once it has saved the recipient.
  const id = (await owner.post("/businesses", { name: "Second shop" })).json.id;
  const second = `/businesses/${id}/test`;
  assertError(await read(owner, second), 404, "not_found");
  const saved = await owner.post(`${second}/recipients`, {
    address: intent.recipient,
    label: "Till",
    accepted: ["unread", "off_curve", "unused", "owned_by_program"],
  });
  assert.equal(saved.status, 201, saved.text);
  assert.deepEqual([(await read(owner, second)).json.intent, (await read(owner, second)).json.mismatch], [null, []]);

  assertError(await refund(payment, "1", newWallet().address), 404, "not_found");
  const built = await refund(payment, "4999999");
  assert.equal(built.status, 200, built.text);
  assert.equal((await submit(payment, signWith(built.json.transaction, recipient()).transaction)).status, 200);
  await eventually("it is refunded", async () => (await read()).json.status === "refunded");
});
