import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { admin } from "../harness/admin.ts";
import { act, control, pay, rpc, whilePaused } from "../harness/chain.ts";
import { DocumentCheck } from "../harness/document.ts";
import { awaitPaid, awaitPayment } from "../harness/expectEvents.ts";
import type { Answer } from "../harness/http.ts";
import { assertError, type Merchant, merchantOf, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

let service: RunningService;
let shop: Merchant;
let check: DocumentCheck;
before(async () => {
  service = await standingService();
  shop = await newMerchant(service);
  check = new DocumentCheck(JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8")));
});

/** Asks for a refund. Every answer is checked against the document. */
async function refund(
  id: string,
  body: unknown,
  headers: readonly (readonly [string, string])[] = [],
): Promise<Answer> {
  const path = `/payments/${id}/refund`;
  const answer = await shop.call("POST", path, body, headers);
  check.check("POST", path, answer);
  return answer;
}

async function aPayment(): Promise<Wire> {
  const intent = await shop.create();
  await pay(service, intent);
  return (await awaitPaid(shop, intent.id)).payment;
}

const recipient = () => service.wallets.recipient;
async function land({ transaction }: Wire): Promise<void> {
  const signed = signWith(transaction, recipient()).transaction;
  await rpc(service, "sendTransaction", signed, { encoding: "base64", preflightCommitment: "confirmed" });
}

test("§4.16 200: the recipient's wallet signs, and the payment is refunded in part and then whole", async () => {
  const payment = await aPayment();
  const part = await refund(payment.id, { total: "2000000" });
  assert.equal(part.status, 200, part.text);
  const { action, total, signer, sponsored, returns, fee, instructions } = part.json;
  assert.deepEqual([action, total, signer], ["refund", "2000000", recipient().address]);
  assert.deepEqual([sponsored, returns, fee.tokenAccountLamports], [false, null, "0"]);
  assert.equal(instructions.length, 2, "the decision and its part");
  await land(part.json);
  await eventually("the part went back", async () => (await shop.payment(payment.id)).amountRefunded === "2000000");

  const whole = await refund(payment.id, { total: payment.amount });
  assert.equal(whole.json.returns.to, payment.sender, "the vault's rent goes back to who paid it");
  await land(whole.json);
  const ended = await awaitPayment(shop, payment.id, "refunded");
  assert.equal(ended.outcome, "refunded_by_recipient");
});

test("§4.16.1 a duplicate and a disputed payment are refunded alike", async () => {
  const intent = await shop.create();
  await pay(service, intent);
  await awaitPaid(shop, intent.id);
  const { payment: second } = await pay(service, intent, { buyer: service.wallets["buyer-2"] });
  await awaitPayment(shop, second);
  await act(service, service.wallets["buyer-2"], "dispute", second);
  await awaitPayment(shop, second, "disputed");
  await land((await refund(second, { total: intent.amount })).json);
  assert.equal((await awaitPayment(shop, second, "refunded")).role, "duplicate");
});

test("§4.16.2 400: a total that is no amount, too much, or not more than what is bound", async () => {
  const payment = await aPayment();
  for (const total of [undefined, null, 5, "", "0", "01", "-1", "1.5", "1e3", "18446744073709551616", "5000001"])
    assertError(await refund(payment.id, { total }), 400, "invalid_request", "total");
  assertError(await refund(payment.id, { total: "1", account: "x" }), 400, "invalid_request", "account");
  await land((await refund(payment.id, { total: "3" })).json);
  await eventually("it is bound", async () => (await shop.payment(payment.id)).refundTotal === "3");
  for (const total of ["1", "3"]) assertError(await refund(payment.id, { total }), 400, "invalid_request", "total");
});

test("§4.16.2 404: another business's payment, one that no intent has, and what is no address", async () => {
  const payment = await aPayment();
  const other = await newMerchant(service);
  assertError(await other.call("POST", `/payments/${payment.id}/refund`, { total: "1" }), 404, "not_found");
  const intent = await shop.create();
  const { payment: less } = await pay(service, { ...intent, amount: "4999999" });
  await eventually("the sweep has seen it", async () => {
    const { data } = await admin(service, "unmatched", "list");
    return data.some(({ id }: Wire) => id === less);
  });
  for (const id of [less, service.operator, "x", "1".repeat(44)])
    assertError(await refund(id, { total: "1" }), 404, "not_found");
});

test("§4.16.2 409: the chain decides, also before the service has seen it, and the answer is not stored", async () => {
  const payment = await aPayment();
  const headers = [["Idempotency-Key", "refund-1"]] as const;
  await whilePaused(service, async () => {
    await act(service, service.wallets["buyer-1"], "release", payment.id);
    assert.equal((await shop.payment(payment.id)).status, "protected", "the service does not know yet");
    const error = assertError(await refund(payment.id, { total: "1" }, headers), 409, "dispute_changed");
    assert.equal(error.reason, "already_paid_out");
  });
  const again = await refund(payment.id, { total: "1" }, headers);
  assert.deepEqual([again.status, again.headers["idempotent-replayed"]], [409, undefined]);
});

test("§4.16.4 a repeat under its key gets the same transaction, another request under it is refused", async () => {
  const payment = await aPayment();
  const headers = [["Idempotency-Key", "refund-2"]] as const;
  const first = await refund(payment.id, { total: "5" }, headers);
  const again = await refund(payment.id, { total: "5" }, headers);
  assert.deepEqual([again.text, again.headers["idempotent-replayed"]], [first.text, "true"]);
  assertError(await refund(payment.id, { total: "6" }, headers), 409, "idempotency_conflict");
  const other = await refund(payment.id, { total: "5" }, [["Idempotency-Key", "refund-3"]]);
  assert.equal(other.status, 200);
});

test("§4.16.3 403: a key of the scope read builds no refund; a recipient without SOL gets the transaction untried", async () => {
  const { id, secret } = await admin(service, "key", "add", shop.business, "--scope", "read");
  const reader = merchantOf(service, shop.business, id, secret);
  const payment = await aPayment();
  assertError(await reader.call("POST", `/payments/${payment.id}/refund`, { total: "1" }), 403, "forbidden");
  const wallet = newWallet().address;
  const poor = await shop.create({ recipient: wallet });
  await pay(service, poor);
  const paid = (await awaitPaid(shop, poor.id)).payment;
  const answer = await refund(paid.id, { total: paid.amount });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.instructions.length, 1, "the decision alone");
  // The minimum of a wallet, and a fee without its priority.
  await rpc(service, "requestAirdrop", wallet, 890_880 + 5_000);
  await eventually(
    "the wallet has lamports",
    async () => (await rpc<{ value: number }>(service, "getBalance", wallet, { commitment: "confirmed" })).value > 0,
  );
  const little = await refund(paid.id, { total: paid.amount });
  assert.equal(little.status, 200, little.text);
});

test("§4.16.2 503: no node answers, and the next request after it is fine", async () => {
  const payment = await aPayment();
  await control(service, "/faults", { mode: "server_error" });
  try {
    const answer = await refund(payment.id, { total: "1" });
    assertError(answer, 503, "chain_unavailable");
    assert.equal(answer.headers["retry-after"], "2");
  } finally {
    await control(service, "/faults", { mode: "none" });
  }
  await eventually("nodes answer again", async () => (await refund(payment.id, { total: "1" })).status === 200);
});
