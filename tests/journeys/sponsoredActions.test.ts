import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signWith, withInstructions } from "@holdfast/devnet/testing/wireTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { openDisputeInstruction, type PaymentRef, releaseInstruction } from "@holdfast/escrow-client";
import { askCheckout, askPayment, assertRefused, buildAction } from "../harness/buyer.ts";
import { control, newBuyer, pay, rpc } from "../harness/chain.ts";
import { awaitPaid, awaitPayment } from "../harness/expectEvents.ts";
import { exchange } from "../harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { LASTING, localChain, type Service, startService } from "../harness/service.ts";
import { request, sign } from "../harness/solanaPay.ts";
import { eventually } from "../harness/wait.ts";

let service: Service;
let shop: Merchant;
before(async () => {
  service = await startService({ env: { CLIENT_ADDRESS_HEADER: "X-Forwarded-For", ...localChain(LASTING) } });
  shop = await newMerchant(service);
  await control(service, "/faucet", { address: service.recipient, asset: service.asset, amount: "1" });
});
after(() => service?.remove());

const sponsorOf = () => service.wallets.sponsor.address;
const lamportsOf = async (address: string): Promise<bigint> =>
  BigInt((await rpc<{ value: number }>(service, "getBalance", address, { commitment: "confirmed" })).value);
const figureOf = async (name: string): Promise<bigint> => {
  const { text } = await exchange("GET", `http://localhost:${service.port}/metrics`);
  const line = text.split("\n").find((one) => one.startsWith(`${name}{environment="test"`));
  return BigInt(line?.split(" ").at(-1) ?? "-1");
};

interface Paid {
  readonly payment: Wire;
  readonly buyer: LocalWallet;
}

/** A payment that a sponsor paid for, of a buyer without SOL. */
async function paid(): Promise<Paid> {
  const buyer = newWallet();
  await control(service, "/faucet", { address: buyer.address, asset: service.asset, amount: "1000000000" });
  const intent = await shop.create();
  const built = await eventually("the tokens are confirmed", async () => {
    const answer = await askCheckout(service, intent, "build", { account: buyer.address, sponsored: true });
    return answer.status === 200 && answer.json;
  });
  const { transaction } = signWith(built.transaction, buyer);
  assert.equal((await askCheckout(service, intent, "submit", { transaction })).status, 202);
  return { payment: (await awaitPaid(shop, intent.id)).payment, buyer };
}

const build = ({ payment, buyer }: Paid, action: string) =>
  buildAction(service, payment.id, { action, account: buyer.address, sponsored: true });
const submit = ({ payment }: Paid, transaction: string) => askPayment(service, payment.id, "submit", { transaction });

test("§4.15.7 a buyer without SOL disputes and releases: the sponsor pays the fee alone, and the books have it", async () => {
  const one = await paid();
  const spent = { chain: await lamportsOf(sponsorOf()), lost: await figureOf("holdfast_sponsor_lost_lamports") };
  const asked = { action: "dispute", account: one.buyer.address };
  assertRefused(await askPayment(service, one.payment.id, "build", asked), 422, "insufficient_sol");
  const disputed = await build(one, "dispute");
  assert.deepEqual([disputed.sponsored, disputed.instructions.length, disputed.returns], [true, 1, null]);
  const signed = signWith(disputed.transaction, one.buyer).transaction;
  const answers = await Promise.all([submit(one, signed), submit(one, signed)]);
  for (const answer of answers) assert.equal(answer.status, 202, answer.text);
  assert.equal(new Set(answers.map(({ json }) => json.signature)).size, 1, "one signature, however often it is asked");
  await awaitPayment(shop, one.payment.id, "disputed");

  const released = await build(one, "release");
  assert.equal(released.instructions.length, 1, "the decision alone");
  assert.equal((await submit(one, signWith(released.transaction, one.buyer).transaction)).status, 202);
  // The keeper pays out.
  await awaitPayment(shop, one.payment.id, "released");
  assert.equal(await lamportsOf(one.buyer.address), 0n);
  const fees = BigInt(disputed.fee.totalLamports) + BigInt(released.fee.totalLamports);
  await eventually("both fees are booked as lost", async () => {
    const lost = (await figureOf("holdfast_sponsor_lost_lamports")) - spent.lost;
    return lost >= fees;
  });
  // The vault's rent came back to the sponsor.
  assert.ok((await lamportsOf(sponsorOf())) > spent.chain - fees);
});

test("§4.15.7 a sponsor pays for no other action, for no payment without an intent, and for no stranger's", async () => {
  const one = await paid();
  for (const action of ["settle", "pay_out_sender", "close", "refund_unresolved"]) {
    const answer = await askPayment(service, one.payment.id, "build", {
      action,
      account: one.buyer.address,
      sponsored: true,
    });
    assert.ok(answer.status === 409 || answer.status === 422, `${action}: ${answer.text}`);
  }
  const stranger = { action: "dispute", account: newWallet().address, sponsored: true };
  assertRefused(await askPayment(service, one.payment.id, "build", stranger), 409, "other_wallet");
});

test("§4.15.7 the sponsor signs what was built and nothing else", async () => {
  const one = await paid();
  const built = await build(one, "dispute");
  const { payment, buyer } = one;
  const ref = {
    address: payment.id,
    operator: service.operator,
    sender: buyer.address,
    recipient: payment.recipient,
    mint: payment.asset,
    arbiter: payment.arbiter,
  } as PaymentRef;
  const { programId } = service;
  const release = releaseInstruction({ programId, payment: ref, total: 0n });
  const dispute = openDisputeInstruction({ programId, payment: ref });
  for (const [what, changed] of [
    ["another decision", withInstructions(built.transaction, (all) => [...all.slice(0, -1), release])],
    ["a further decision", withInstructions(built.transaction, (all) => [...all, release])],
    ["the same twice", withInstructions(built.transaction, (all) => [...all, dispute])],
  ] as const) {
    const said = assertRefused(await submit(one, signWith(changed, buyer).transaction), 409, "not_sponsored");
    assert.ok(said.details.reason.length > 0, what);
  }
  const nothing = withInstructions(built.transaction, (all) => all.slice(0, -1));
  assertRefused(await submit(one, signWith(nothing, buyer).transaction), 400, "invalid_transaction");
  // What was offered for one payment is signed for no other of the same buyer.
  const other = await paid();
  const signed = signWith(built.transaction, buyer).transaction;
  assertRefused(await submit({ ...other, buyer }, signed), 409, "not_sponsored");
  assert.equal((await submit(one, signed)).status, 202);
  await awaitPayment(shop, payment.id, "disputed");
});

test("§4.15.7 a wallet that scans a code gets the transaction with the sponsor's signature", async () => {
  const one = await paid();
  const given = await request(`${service.checkoutUrl}/pay/p/${one.payment.id}/request/dispute`, one.buyer.address);
  assert.ok("transaction" in given, JSON.stringify(given));
  const { transaction } = sign(given, one.buyer);
  await rpc(service, "sendTransaction", transaction, { encoding: "base64", preflightCommitment: "confirmed" });
  await awaitPayment(shop, one.payment.id, "disputed");
});

test("§4.15.7 who has the SOL pays, also where a sponsor was asked for", async () => {
  const buyer = await newBuyer(service);
  const intent = await shop.create();
  await pay(service, intent, { buyer });
  const { payment } = await awaitPaid(shop, intent.id);
  assert.equal((await build({ payment, buyer }, "dispute")).sponsored, false);
});
