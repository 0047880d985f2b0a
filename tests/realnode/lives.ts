import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readPayment } from "@holdfast/devnet/buyer.ts";
import { callRpc, sendWire } from "@holdfast/devnet/client.ts";
import { runConformance } from "@holdfast/devnet/testing/conformance.ts";
import { signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import type { LocalWallet } from "@holdfast/devnet/wallets.ts";
import { findPaymentAddress } from "@holdfast/escrow-client";
import type { Address } from "@solana/kit";
import { assertSound } from "../faults/checker.ts";
import { awaitQuiet } from "../faults/quiet.ts";
import type { StandaloneService } from "../faults/standaloneService.ts";
import { receiptCli } from "../harness/admin.ts";
import { askCheckout, askPayment, buildAction } from "../harness/buyer.ts";
import { act, pay, rpc } from "../harness/chain.ts";
import { awaitPaid, awaitPayment, checkSequences } from "../harness/expectEvents.ts";
import { exchange } from "../harness/http.ts";
import { type Merchant, someTerms, untilTaken, type Wire } from "../harness/merchant.ts";
import { request, sign } from "../harness/solanaPay.ts";
import { eventually } from "../harness/wait.ts";
import {
  AMOUNT,
  actByReceipt,
  askArbiterAsBuyer,
  awaitDispute,
  PART,
  partsOf,
  payByCheckout,
  REASONS,
  restOf,
  ruleAtDesk,
} from "./acts.ts";
import type { RealNode } from "./realNode.ts";
import { compareUnits } from "./units.ts";

export interface Stage {
  readonly node: RealNode;
  readonly service: StandaloneService<RealNode>;
  readonly shop: Merchant;
  readonly programFile: string;
  /** For receipts. */
  readonly folder: string;
}

/** A claim, and what plays it: returns what was seen in words, or throws. */
export interface Life {
  readonly claim: string;
  readonly play: (stage: Stage) => Promise<string>;
}

const LOAD_SECONDS = 60;
const PAYMENTS_A_SECOND = 4;
const KILL_AT_SECONDS = 20;
const PAY_AGAIN_MS = 5_000;
/** Two passes of the sweep, and the slowest line. */
const BEHIND_SECONDS_MAX = 15;

/** Verifies the payment's receipt as its holder does: by the deployment's keys and the node. */
async function verifyReceipt({ service, folder }: Stage, { id, receiptUrl }: Wire): Promise<string> {
  const answer = await exchange("GET", `${service.checkoutUrl}/pay/p/${id}.json${new URL(receiptUrl).search}`);
  assert.equal(answer.status, 200, answer.text);
  const file = join(folder, `${id}.json`);
  const verify = async (receipt: unknown) => {
    await writeFile(file, JSON.stringify(receipt));
    const keys = `${service.checkoutUrl}/.well-known/holdfast.json`;
    return receiptCli(service, "verify", file, "--keys", keys, "--rpc", service.rpcUrl);
  };
  const { code, output } = await verify(answer.json);
  assert.deepEqual([code, /^Confirmed by 1 node/.test(output)], [0, true], output);
  const changed = { ...answer.json, payment: { ...answer.json.payment, amount: "1" } };
  assert.equal((await verify(changed)).code, 1, "a changed receipt is refused");
  return output;
}

async function balanceOf({ node }: Stage, address: Address): Promise<number> {
  const { value } = await rpc<{ value: number }>(node, "getBalance", address, { commitment: "confirmed" });
  return value;
}

/** A figure of the service; several lines of one name give the largest value. */
async function figureOf({ service }: Stage, name: string): Promise<number> {
  const { text } = await exchange("GET", `${service.checkoutUrl}/metrics`);
  const values = text.split("\n").filter((line) => new RegExp(`^${name}[ {]`).test(line));
  return Math.max(0, ...values.map((line) => Number(line.split(" ").at(-1))));
}

async function checkoutLife(stage: Stage): Promise<string> {
  const { service, shop } = stage;
  const buyer = await stage.node.newBuyer();
  const { id, payment } = await payByCheckout(stage, buyer);
  assert.deepEqual([payment.sender, payment.termsKnown], [buyer.address, true]);
  const verified = await shop.call("POST", `/payment-intents/${id}/verify`, { signature: payment.signature });
  assert.equal(verified.status, 200, verified.text);
  assert.ok(
    verified.json.rules.every(({ verdict }: Wire) => verdict === "pass"),
    verified.text,
  );

  const scanned = await shop.create({ amount: String(AMOUNT) });
  const requested = await request(`${service.checkoutUrl}/pay/i/${scanned.id}/request`, buyer.address);
  assert.ok("transaction" in requested, JSON.stringify(requested));
  const { transaction, signature } = sign(requested, buyer);
  await sendWire(service.rpcUrl, Buffer.from(transaction, "base64"));
  const { payment: second } = await awaitPaid(shop, scanned.id);
  assert.deepEqual([second.signature, second.termsKnown], [signature, true]);

  const intent = await shop.create({ amount: String(AMOUNT) });
  const sent = await pay(service, intent, { buyer });
  const confirmed = await shop.confirm(intent.id, sent.signature);
  assert.equal(confirmed.status, 200, confirmed.text);
  assert.ok(["bound", "already_recorded"].includes(confirmed.json.outcome), confirmed.text);
  return "paid by build and submit, by Solana Pay, and by `confirm`; `verify` passes its eight rules";
}

async function sponsorLife(stage: Stage): Promise<string> {
  const { node, service, shop } = stage;
  const buyer = await node.newBuyer({ hasSol: false });
  const intent = await shop.create({ amount: String(AMOUNT) });
  const built = await askCheckout(service, intent, "build", { account: buyer.address, sponsored: true });
  assert.equal(built.status, 200, built.text);
  const { transaction } = signWith(built.json.transaction, buyer);
  const answer = await askCheckout(service, intent, "submit", { transaction });
  assert.equal(answer.status, 202, answer.text);
  const { payment } = await awaitPaid(shop, intent.id);
  const paid = await balanceOf(stage, node.wallets.sponsor.address);
  const release = { action: "release", account: buyer.address, sponsored: true };
  const released = await buildAction(service, payment.id, release);
  const signed = signWith(released.transaction, buyer).transaction;
  assert.equal((await askPayment(service, payment.id, "submit", { transaction: signed })).status, 202);
  await awaitPayment(shop, payment.id, "released");
  assert.equal(await balanceOf(stage, buyer.address), 0);
  assert.ok((await balanceOf(stage, node.wallets.sponsor.address)) > paid, "the vault's rent came back");
  return "a buyer without SOL pays and releases; the keeper pays out, and the vault's rent comes back to the sponsor";
}

async function token2022Life(stage: Stage): Promise<string> {
  const { node, shop } = stage;
  const buyer = await node.newBuyer({ token: node.token2022 });
  const { payment } = await payByCheckout(stage, buyer, { asset: node.token2022.address });
  await actByReceipt(stage, payment, "release", buyer);
  const ended = await awaitPayment(shop, payment.id, "released");
  assert.deepEqual(partsOf(ended), ["0", String(AMOUNT)]);
  return "paid by the checkout, released, paid out";
}

async function refundLife(stage: Stage): Promise<string> {
  const { service, shop } = stage;
  const buyer = await stage.node.newBuyer();
  const { payment } = await payByCheckout(stage, buyer);
  await act(service, service.wallets.recipient, "refund", payment.id, { total: BigInt(PART), decideOnly: true });
  await eventually("the keeper sent the part", async () => (await shop.payment(payment.id)).amountRefunded === PART);
  await actByReceipt(stage, payment, "release", buyer);
  const ended = await awaitPayment(shop, payment.id, "released");
  assert.deepEqual(partsOf(ended), [PART, restOf(PART)]);
  const { payment: whole } = await payByCheckout(stage, buyer);
  await act(service, service.wallets.recipient, "refund", whole.id);
  await awaitPayment(shop, whole.id, "refunded");
  return "a part by the keeper, the rest released; another whole";
}

async function rulingLife(stage: Stage): Promise<string> {
  const buyer = await stage.node.newBuyer();
  const { payment } = await payByCheckout(stage, buyer);
  await actByReceipt(stage, payment, "dispute", buyer);
  const dispute = await awaitDispute(stage, payment);
  await askArbiterAsBuyer(stage, payment, buyer);
  const { closed, frozen } = await ruleAtDesk(stage, dispute);
  assert.deepEqual(
    [closed.decision.memo, closed.decision.sha256, closed.decision.reasons],
    ["record", frozen.sha256, REASONS],
  );
  const ended = await stage.shop.payment(payment.id);
  assert.deepEqual([ended.outcome, ...partsOf(ended)], ["resolved", PART, restOf(PART)]);
  assert.match(await verifyReceipt(stage, payment), /ruling with this memo and total is confirmed by 1 node\./);
  return "opened by the receipt's page, ruled at the desk with reasons, both parts paid by the keeper; the receipt's ruling verifies on the node";
}

async function receiptLife(stage: Stage): Promise<string> {
  const { payment } = await payByCheckout(stage, await stage.node.newBuyer());
  await verifyReceipt(stage, payment);
  return "`receipt verify` confirms it by the node, and refuses it with another amount";
}

async function version1Life(stage: Stage): Promise<string> {
  const { service, shop } = stage;
  const buyer = await stage.node.newBuyer();
  await payByCheckout(stage, buyer, {}, 1);
  const intent = await shop.create({ amount: String(AMOUNT) });
  const sent = await pay(service, intent, { buyer, options: { version: 1 } });
  const { payment } = await awaitPaid(shop, intent.id);
  assert.equal(payment.signature, sent.signature);
  await act(service, buyer, "dispute", payment.id, { version: 1 });
  await awaitPayment(shop, payment.id, "disputed");
  return "taken by `submit`, found by the sweep; a dispute, too";
}

async function requestsLife({ node }: Stage): Promise<string> {
  // The table asks about final transactions of the token.
  await node.newBuyer();
  await eventually("two are final", async () => {
    const lines = await callRpc<object[]>(node.rpcUrl, "getSignaturesForAddress", [node.ready.asset, { limit: 2 }]);
    return lines.length === 2;
  });
  const { rpcUrl, ready, mode: consensus } = node;
  const differences = await runConformance(rpcUrl, ready.programId, { mints: [ready.asset], consensus });
  const told = [...differences].map(([name, why]) => `${name}: ${why}`);
  assert.deepEqual(told, []);
  return "every request of the table that the local chain answers";
}

async function unitsLife({ node, programFile }: Stage): Promise<string> {
  const { compared, own, whole } = await compareUnits(node, programFile);
  assert.deepEqual(own, []);
  const calls =
    whole.length === 0 ? "with the token programs, too" : `with the token programs of the node: ${whole.join(", ")}`;
  return `${compared} transactions: the program itself takes the same to the unit; ${calls}`;
}

/** Pays as a person does who sees that nothing arrived: again, until the chain shows it as final. */
async function payUntilFinal({ node, service }: Stage, buyer: LocalWallet, intent: Wire): Promise<void> {
  const { programId, operator } = node.ready;
  const seeds = { programId, operator, sender: buyer.address, paymentId: BigInt(intent.paymentId) };
  const address = await findPaymentAddress(seeds);
  let sentAt = Number.NEGATIVE_INFINITY;
  await eventually("the payment is final", async () => {
    const form = { commitment: "finalized", encoding: "base64" };
    const final = await rpc<{ value: object | null }>(node, "getAccountInfo", address, form).catch(() => null);
    if (final !== null && final.value !== null) return true;
    const shown = await readPayment(node.rpcUrl, address).catch(() => null);
    if (shown !== null || performance.now() - sentAt < PAY_AGAIN_MS) return false;
    sentAt = performance.now();
    // The node may be away, or know the payment already.
    await pay(service, intent, { buyer, options: { until: "none" } }).catch(() => undefined);
    return false;
  });
}

/**
 * How long the node has had final blocks that the watermark lacks, in seconds. By slots and our own clock: the clock of a
 * node that is alone on a busy machine falls behind.
 */
class Behind {
  readonly all: number[] = [];
  readonly #stage: Stage;
  readonly #seen: { readonly at: number; readonly slot: number }[] = [];
  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async read(): Promise<number> {
    const final = [{ commitment: "finalized" }];
    const slot = await callRpc<number>(this.#stage.node.rpcUrl, "getSlot", final).catch(() => null);
    const at = performance.now();
    if (slot !== null) this.#seen.push({ at, slot });
    const { watermarkSlot } = (await this.#stage.shop.get("/chain")).json;
    const first = this.#seen.find((one) => one.slot > (watermarkSlot ?? 0));
    this.all.push(first === undefined ? 0 : Math.round((at - first.at) / 1_000));
    return this.all.at(-1)!;
  }
}

/** Payments at a steady rate until all are final and the gauges are at rest. */
async function load(stage: Stage, atSecond: (second: number) => Promise<void> = async () => undefined) {
  const { node, shop } = stage;
  const buyers = await Promise.all(Array.from({ length: 8 }, () => node.newBuyer()));
  const behind = new Behind(stage);
  const paidMs: number[] = [];
  const payments: Promise<Wire>[] = [];
  for (let second = 0; second < LOAD_SECONDS; second++) {
    const startedAt = performance.now();
    await atSecond(second);
    for (let index = 0; index < PAYMENTS_A_SECOND; index++) {
      const buyer = buyers[payments.length % buyers.length]!;
      payments.push(
        (async () => {
          const terms = someTerms(stage.service, { amount: "1000" });
          const created = await untilTaken(() => shop.call("POST", "/payment-intents", terms));
          assert.equal(created.status, 201, created.text);
          const intent: Wire = created.json;
          const sentAt = performance.now();
          const paid = awaitPaid(shop, intent.id).then(() => paidMs.push(performance.now() - sentAt));
          await payUntilFinal(stage, buyer, intent);
          await paid;
          return intent;
        })(),
      );
    }
    await behind.read();
    await sleep(Math.max(0, startedAt + 1_000 - performance.now()));
  }
  const intents = await Promise.all(payments);
  await awaitQuiet(stage.service);
  for (const { id } of intents) assert.equal((await shop.intent(id)).status, "paid");
  await assertSound(stage.service.database, stage.service.evidence);
  await checkSequences(shop);
  for (const name of [
    "holdfast_inbox_unread",
    "holdfast_inbox_unreadable",
    "holdfast_keeper_refused",
    "holdfast_keeper_unlanded",
    "holdfast_books_differences",
    "holdfast_figure_failures_total",
  ])
    await eventually(`${name} is 0`, async () => (await figureOf(stage, name)) === 0);
  await eventually("the watermark follows", async () => (await behind.read()) <= BEHIND_SECONDS_MAX);
  const p95 = paidMs.toSorted((a, b) => a - b)[Math.ceil(paidMs.length * 0.95) - 1]!;
  return { count: intents.length, worst: Math.max(...behind.all), p95 };
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

async function loadLife(stage: Stage): Promise<string> {
  const { count, worst, p95 } = await load(stage);
  assert.ok(worst <= BEHIND_SECONDS_MAX, `the watermark was ${worst} s behind, more than ${BEHIND_SECONDS_MAX}`);
  return `${count} payments, ${PAYMENTS_A_SECOND} a second: all bound, books tie to the chain; paid in the API ${seconds(p95)} after sending (p95); watermark at most ${worst} s behind the final block; nothing unread, unreadable or refused`;
}

async function killLife(stage: Stage): Promise<string> {
  const { node, shop } = stage;
  const before = (await shop.walk("/events?type=payment.reverted", 100)).length;
  const { count, worst } = await load(stage, async (second) => {
    if (second !== KILL_AT_SECONDS) return;
    await node.end("SIGKILL");
    await node.restart();
  });
  const reverted = (await shop.walk("/events?type=payment.reverted", 100)).length - before;
  return `the node killed and started again under ${PAYMENTS_A_SECOND} payments a second: all ${count} paid once, ${reverted} reverted and paid again, books tie to the chain; watermark at most ${worst} s behind, then as before`;
}

/** The golden lives, in the order in which they are played. */
export const LIVES: readonly Life[] = [
  { claim: "Compute units of each instruction, against the local chain", play: unitsLife },
  { claim: "Checkout", play: checkoutLife },
  { claim: "Sponsor", play: sponsorLife },
  { claim: "Token-2022", play: token2022Life },
  { claim: "Refunds", play: refundLife },
  { claim: "Dispute, ruling with reasons, keeper", play: rulingLife },
  { claim: "Receipt", play: receiptLife },
  { claim: "Transactions of version 1", play: version1Life },
  { claim: "Load and gauges", play: loadLife },
  { claim: "The node killed under load", play: killLife },
  { claim: "Table of requests", play: requestsLife },
];
