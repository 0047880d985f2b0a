import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signWith, withInstructions } from "@holdfast/devnet/testing/wireTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { address } from "@solana/kit";
import { askPayment, assertRefused, buildAction } from "../harness/buyer.ts";
import { act, advance, control, newBuyer, newPayer, pay, rpc, vaultBalance, whilePaused } from "../harness/chain.ts";
import { awaitPaid, awaitPayment, expectEvents } from "../harness/expectEvents.ts";
import { exchange } from "../harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { LASTING, localChain, type Service, startService } from "../harness/service.ts";
import { request, scan, sign } from "../harness/solanaPay.ts";
import { eventually } from "../harness/wait.ts";

const DAY = 86_400;
const PAID = ["payment_intent.created", "payment.protected", "payment_intent.paid"] as const;
const MEMO = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");

// Without a keeper, so that nobody else pays anything out. Slots so long that a blockhash outlasts a busy machine.
let service: Service;
let shop: Merchant;
before(async () => {
  service = await startService({
    env: { HOLD: "keeper", CLIENT_ADDRESS_HEADER: "X-Forwarded-For", ...localChain(LASTING) },
  });
  shop = await newMerchant(service);
  await control(service, "/faucet", { address: service.recipient, asset: service.asset, amount: "1" });
});
after(() => service?.remove());

const recipient = () => service.wallets.recipient;

interface Paid {
  readonly intent: Wire;
  readonly payment: Wire;
  readonly buyer: LocalWallet;
}

async function paid(terms: Readonly<Record<string, unknown>> = {}): Promise<Paid> {
  const buyer = await newBuyer(service);
  const intent = await shop.create(terms);
  await pay(service, intent, { buyer });
  return { intent, payment: (await awaitPaid(shop, intent.id)).payment, buyer };
}

const submit = (payment: string, transaction: string) => askPayment(service, payment, "submit", { transaction });

/** Builds an action, signs and hands it in, as a page with a wallet that only signs does. Returns what was built. */
async function take(payment: string, wallet: LocalWallet, action: string, total?: string): Promise<Wire> {
  const asked = { action, account: wallet.address, ...(total === undefined ? {} : { total }) };
  const built = await buildAction(service, payment, asked);
  const { transaction, signature } = signWith(built.transaction, wallet);
  const answer = await submit(payment, transaction);
  assert.equal(answer.status, 202, answer.text);
  assert.deepEqual(answer.json, { signature });
  return built;
}

const refusalOf = async (payment: string, wallet: LocalWallet, action: string, total?: string) =>
  assertRefused(
    await askPayment(service, payment, "build", { action, account: wallet.address, total }),
    409,
    "not_possible",
  ).details;

test("§4.15 a buyer releases: built, signed, handed in, and the shop has its money", async () => {
  const { intent, payment, buyer } = await paid();
  const built = await take(payment.id, buyer, "release");
  assert.deepEqual(Object.keys(built), [
    "object",
    "action",
    "payment",
    "transaction",
    "total",
    "fee",
    "returns",
    "sponsored",
    "lastValidBlockHeight",
    "instructions",
  ]);
  assert.deepEqual(
    [built.object, built.action, built.payment, built.total],
    ["action_transaction", "release", payment.id, "0"],
  );
  assert.deepEqual([built.sponsored, built.returns.to], [false, buyer.address]);
  assert.equal(built.instructions.length, 2);
  const ended = await awaitPayment(shop, payment.id, "released");
  assert.deepEqual([ended.outcome, ended.amountReleased], ["released_by_sender", ended.amount]);
  await expectEvents(shop, intent.id, [...PAID, "payment.released"]);
  assert.deepEqual(await refusalOf(payment.id, buyer, "dispute"), { reason: "already_paid_out" });
});

test("§4.15 a dispute, a refund in part by the merchant's API, and the release of the rest", async () => {
  const { intent, payment, buyer } = await paid();
  await take(payment.id, buyer, "dispute");
  await awaitPayment(shop, payment.id, "disputed");
  const answer = await shop.call("POST", `/payments/${payment.id}/refund`, { total: "2000000" });
  const signed = signWith(answer.json.transaction, recipient()).transaction;
  assert.equal((await submit(payment.id, signed)).status, 202);
  await eventually("the part went back", async () => (await shop.payment(payment.id)).amountRefunded === "2000000");
  // A page of before still shows a release that leaves the buyer with nothing.
  assert.deepEqual(await refusalOf(payment.id, buyer, "release", "0"), { reason: "invalid_total" });
  const built = await take(payment.id, buyer, "release", "2000000");
  assert.equal(built.total, "2000000");
  const ended = await awaitPayment(shop, payment.id, "released");
  assert.deepEqual([ended.amountRefunded, ended.amountReleased], ["2000000", "3000000"]);
  await expectEvents(shop, intent.id, [...PAID, "payment.disputed", "payment.partially_refunded", "payment.released"]);
});

test("§4.15 90 days after the dispute the buyer takes it back alone, and 90 days later the deposit", async () => {
  const { payment, buyer } = await paid({ protectionPeriod: "oneHour" });
  await take(payment.id, buyer, "dispute");
  await awaitPayment(shop, payment.id, "disputed");
  assert.deepEqual(await refusalOf(payment.id, buyer, "refund_unresolved"), { reason: "arbitration_running" });
  await advance(service, 90 * DAY);
  const lapsed = await take(payment.id, buyer, "refund_unresolved");
  assert.equal(lapsed.returns.to, buyer.address);
  assert.equal((await awaitPayment(shop, payment.id, "refunded")).outcome, "refunded_unresolved");

  assert.deepEqual(await refusalOf(payment.id, buyer, "close"), { reason: "retention_running" });
  await advance(service, 90 * DAY);
  const before = await lamportsOf(buyer);
  const closed = await take(payment.id, buyer, "close");
  assert.ok(BigInt(closed.returns.lamports) > 1_000_000n);
  const gained = BigInt(closed.returns.lamports) - BigInt(closed.fee.totalLamports);
  await eventually("the deposit is back", async () => (await lamportsOf(buyer)) - before === gained);
  await eventually("nothing is left to do", async () => {
    const answer = await askPayment(service, payment.id, "build", { action: "close", account: buyer.address });
    return answer.status === 409 && answer.json.error.details.reason === "payment_closed";
  });
});

const lamportsOf = async ({ address: owner }: LocalWallet): Promise<bigint> =>
  BigInt((await rpc<{ value: number }>(service, "getBalance", owner, { commitment: "confirmed" })).value);

test("§4.15.1 a payment that matches no order is disputed, refunded in part and settled like any other", async () => {
  const buyer = await newBuyer(service);
  const intent = await shop.create();
  const { payment } = await pay(service, { ...intent, amount: "4999999" }, { buyer });
  const build = (action: string, account: LocalWallet, total?: string) =>
    askPayment(service, payment, "build", { action, account: account.address, total, sponsored: true });
  const answer = await eventually("the sweep has seen it", async () => {
    const found = await build("dispute", buyer);
    return found.status === 200 && found;
  });
  assert.equal(answer.json.sponsored, false);
  assert.equal((await submit(payment, signWith(answer.json.transaction, buyer).transaction)).status, 202);
  await eventually("it is disputed", async () => (await refusedReason(build("dispute", buyer))) === "already_disputed");
  await take(payment, recipient(), "refund", "4999999");
  const ended = await eventually("it is over", async () => refusedReason(build("release", buyer)));
  assert.equal(ended, "already_paid_out");
});

const refusedReason = async (asked: ReturnType<typeof askPayment>): Promise<string | null> =>
  (await asked).json.error?.details?.reason ?? null;

test("§4.15.8 another wallet, an unknown payment, and what is no action are refused, in words that fit a wallet", async () => {
  const { payment, buyer } = await paid();
  const ask = (body: object, id = payment.id) => askPayment(service, id, "build", body);
  const account = buyer.address;
  const other = assertRefused(await ask({ action: "release", account: recipient().address }), 409, "other_wallet");
  assert.deepEqual(other.details, { wallet: account });
  assertRefused(await ask({ action: "refund", account, total: "1" }), 409, "other_wallet");
  for (const unknown of [service.operator, service.recipient, "x", "1".repeat(44)])
    assertRefused(await ask({ action: "release", account }, unknown), 404, "not_found");
  for (const action of [undefined, null, "resolve", "Release", 1, {}])
    assertRefused(await ask({ action, account }), 400, "invalid_request");
  for (const wrong of [undefined, 1, "", "x", "1".repeat(45)])
    assertRefused(await ask({ action: "release", account: wrong }), 400, "invalid_account");
  for (const total of ["", "-1", "01", "1.0", 1, {}, "18446744073709551616"])
    assertRefused(await ask({ action: "release", account, total }), 400, "invalid_request");
  const refund = { action: "refund", account: recipient().address };
  assertRefused(await ask(refund), 400, "invalid_request");
  for (const total of ["0", "5000001"])
    assert.equal(assertRefused(await ask({ ...refund, total }), 409, "not_possible").details.reason, "invalid_total");
  const poor = newWallet().address;
  assertRefused(await ask({ action: "pay_out_sender", account: poor }), 409, "not_possible");
  const foreign = [["Sec-Fetch-Site", "cross-site"]] as const;
  const body = { action: "release", account };
  assertRefused(await askPayment(service, payment.id, "build", body, foreign), 403, "browser_request");
});

test("§4.15.6 only a signed action on this payment is sent; a wallet may add instructions", async () => {
  const { payment, buyer } = await paid();
  const { payment: second, buyer: other } = await paid();
  const { transaction } = await buildAction(service, payment.id, { action: "dispute", account: buyer.address });
  const refuse = async (given: unknown, id = payment.id) =>
    assertRefused(await askPayment(service, id, "submit", { transaction: given }), 400, "invalid_transaction");
  const signed = signWith(transaction, buyer).transaction;
  await refuse(transaction);
  await refuse(signed, second.id);
  for (const given of [undefined, null, 5, "", "AAAA", signed.slice(0, -4), "A".repeat(5_000)]) await refuse(given);
  const memo = { programAddress: MEMO, data: new TextEncoder().encode("guard") };
  await refuse(
    signWith(
      withInstructions(transaction, () => [memo]),
      buyer,
    ).transaction,
  );
  const guarded = signWith(
    withInstructions(transaction, (all) => [memo, ...all, memo]),
    buyer,
  ).transaction;
  assert.equal((await submit(payment.id, guarded)).status, 202);
  await awaitPayment(shop, payment.id, "disputed");
  assert.equal((await shop.payment(second.id)).status, "protected");
  assert.ok(other.address !== buyer.address);
});

test("§4.15.6 a transaction that a node drops is sent again until it lands", async () => {
  const { payment, buyer } = await paid();
  const { transaction } = await buildAction(service, payment.id, { action: "dispute", account: buyer.address });
  const signed = signWith(transaction, buyer);
  await control(service, "/faults", { mode: "server_error", methods: ["sendTransaction"] });
  const answer = await submit(payment.id, signed.transaction);
  assert.equal(answer.status, 202, answer.text);
  assert.equal((await shop.payment(payment.id)).status, "protected");
  await control(service, "/faults", { mode: "none" });
  await awaitPayment(shop, payment.id, "disputed");
  assert.equal((await submit(payment.id, signed.transaction)).status, 202, "a repeat is the same");
});

test("§4.15 races: the chain decides, and who comes second gets 409", async () => {
  // Release against refund: both are built and signed while both are possible.
  const first = await paid();
  const release = await buildAction(service, first.payment.id, { action: "release", account: first.buyer.address });
  const refund = await buildAction(service, first.payment.id, {
    action: "refund",
    account: recipient().address,
    total: first.payment.amount,
  });
  const signed = [signWith(release.transaction, first.buyer), signWith(refund.transaction, recipient())];
  await Promise.all(signed.map((one) => submit(first.payment.id, one.transaction)));
  const ended = await eventually("one of them landed", async () => {
    const shown = await shop.payment(first.payment.id);
    return shown.outcome !== null && shown.status !== "protected" && shown;
  });
  assert.equal(BigInt(ended.amountReleased) + BigInt(ended.amountRefunded), BigInt(ended.amount));
  // The later one failed in its trial or on chain, and is no longer taken.
  const late = await submit(first.payment.id, signed[ended.status === "released" ? 1 : 0]!.transaction);
  assert.ok(late.status === 409 || late.status === 422, late.text);
  assert.deepEqual(await refusalOf(first.payment.id, first.buyer, "release"), { reason: "already_paid_out" });

  // A refund while it settles: the service does not know of the settlement yet.
  const second = await paid({ protectionPeriod: "oneHour" });
  await advance(service, 3_600);
  const dated = { action: "refund", account: recipient().address, total: "1" };
  const tooLate = await buildAction(service, second.payment.id, dated);
  await whilePaused(service, async () => {
    await act(service, service.wallets["buyer-3"], "settle", second.payment.id);
    const refused = await submit(second.payment.id, signWith(tooLate.transaction, recipient()).transaction);
    assert.equal(assertRefused(refused, 409, "not_possible").details.reason, "already_paid_out");
    assert.deepEqual(await refusalOf(second.payment.id, recipient(), "refund", "1"), { reason: "already_paid_out" });
    assert.equal((await shop.payment(second.payment.id)).status, "protected", "the service was not told");
  });
  await awaitPayment(shop, second.payment.id, "released");
});

test("§4.15.3 a dispute in the last second is the chain's to decide; after it, settling is all that is left", async () => {
  const { payment, buyer } = await paid({ protectionPeriod: "oneHour" });
  const account = buyer.address;
  const { transaction } = await buildAction(service, payment.id, { action: "dispute", account });
  const signed = signWith(transaction, buyer).transaction;
  assert.deepEqual(await refusalOf(payment.id, buyer, "settle"), { reason: "protection_running" });
  await advance(service, 3_600);
  assert.equal(assertRefused(await submit(payment.id, signed), 409, "not_possible").details.reason, "protection_over");
  assert.deepEqual(await refusalOf(payment.id, buyer, "dispute"), { reason: "protection_over" });
  const built = await take(payment.id, await newPayer(service), "settle");
  assert.equal(built.returns.to, account);
  assert.equal((await awaitPayment(shop, payment.id, "released")).outcome, "settled");
  assert.equal(await vaultBalance(service, payment), 0n);
});

test("§4.15 a wallet that scans a code gets the transaction and what it does in words, and nothing of the business", async () => {
  const { payment, buyer } = await paid();
  const link = (action: string) => `${service.checkoutUrl}/pay/p/${payment.id}/request/${action}`;
  assert.equal((await scan(link("release"))).label, "Protected payment");
  const given = await request(link("release"), buyer.address);
  assert.ok("transaction" in given, JSON.stringify(given));
  assert.equal(given.message, "Release 5.00 USDC to the shop");
  for (const [action, account] of [
    ["refund", recipient().address],
    ["resolve", buyer.address],
    ["release", recipient().address],
    ["close", buyer.address],
  ] as const)
    assert.ok("refused" in (await request(link(action), account)), action);
  await act(service, buyer, "dispute", payment.id);
  await awaitPayment(shop, payment.id, "disputed");
  const ending = await request(link("release"), buyer.address);
  assert.ok("transaction" in ending, JSON.stringify(ending));
  assert.equal(ending.message, "This ends your dispute. The shop gets 5.00 USDC, you get nothing back.");
  const { signature, transaction } = sign(ending, buyer);
  await rpc(service, "sendTransaction", transaction, { encoding: "base64", preflightCommitment: "confirmed" });
  assert.ok(signature.length > 0);
  await awaitPayment(shop, payment.id, "released");
  const unknown = await exchange("GET", `${service.checkoutUrl}/pay/p/${service.operator}/request/release`);
  assert.equal(unknown.status, 404);
});
