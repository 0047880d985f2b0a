import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ARBITRATION_SECONDS,
  acceptArbiterInstruction,
  closePaymentInstruction,
  createPaymentInstruction,
  createPaymentInstructions,
  decodePaymentAccount,
  openDisputeInstruction,
  PERIOD_SECONDS,
  PERIODS,
  proposeArbiterInstruction,
  RETENTION_SECONDS,
  refundInstruction,
  refundUnresolvedInstruction,
  releaseInstruction,
  resolveInstruction,
  settleInstruction,
  TOMBSTONE_ACCOUNT_SIZE,
} from "@holdfast/escrow-client";
import {
  AMOUNT,
  anyAddress,
  aPayment,
  aWorld,
  DECIMALS,
  give,
  type Paid,
  pay,
  START,
  tokenAccountOf,
} from "./chain.ts";

const DAY = BigInt(PERIOD_SECONDS.oneDay);
const ARBITRATION = BigInt(ARBITRATION_SECONDS);
const RETENTION = BigInt(RETENTION_SECONDS);

const dispute = (paid: Paid) => openDisputeInstruction({ programId: paid.chain.programId, payment: paid.payment });
const close = (paid: Paid) => closePaymentInstruction({ programId: paid.chain.programId, payment: paid.payment });
const payout = (paid: Paid) => ({
  programId: paid.chain.programId,
  payment: paid.payment,
  payer: paid.chain.feePayer,
});
const resolve = (paid: Paid, to: "recipient" | "sender", arbiter = paid.arbiter) =>
  resolveInstruction({ ...payout(paid), arbiter, to });

/** What the payment's account says became of it, and who has the money. */
async function outcomeOf(paid: Paid) {
  const { status, outcome, disputedAt, resolvedAt } = paid.chain.payment(paid.payment.address);
  const recipientHas = paid.chain.tokens(await tokenAccountOf(paid.token, paid.payment.recipient));
  const vaultOpen = paid.chain.exists(paid.vault);
  return { status, outcome, disputedAt, resolvedAt, recipientHas, vaultOpen };
}

test("a payment records its terms and holds exactly its amount", async () => {
  const paid = await aPayment();
  const { bump: _, ...account } = paid.chain.payment(paid.payment.address);
  assert.deepEqual(account, {
    kind: "payment",
    status: "protected",
    period: "oneDay",
    decimals: DECIMALS,
    outcome: null,
    paymentId: 1n,
    amount: AMOUNT,
    createdAt: START,
    deadline: START + DAY,
    disputedAt: null,
    resolvedAt: null,
    sender: paid.sender,
    recipient: paid.recipient,
    mint: paid.token.mint,
    tokenProgram: paid.token.tokenProgram,
    operator: paid.operator,
  });
  assert.equal(paid.chain.tokens(paid.vault), AMOUNT);
});

test("each protection period sets its own deadline", async () => {
  const world = await aWorld();
  for (const [index, period] of PERIODS.entries()) {
    const paid = await pay(world, { period, paymentId: BigInt(index + 10), amount: 1n });
    assert.equal(world.chain.payment(paid.payment.address).deadline, START + BigInt(PERIOD_SECONDS[period]));
  }
});

test("not_after is the last second at which the payment may be made", async () => {
  const world = await aWorld();
  world.chain.setTime(START + 60n);
  await pay(world, { notAfter: START + 60n });
  const late = await createPaymentInstruction({ ...world.offer, paymentId: 2n, notAfter: START + 59n });
  assert.equal(world.chain.refused(late), "offer_expired");
});

test("a payer other than the sender can pay for the accounts", async () => {
  const world = await aWorld();
  const before = world.chain.balance(world.sender);
  await pay(world, { payer: world.chain.feePayer });
  assert.equal(world.chain.balance(world.sender), before);
});

test("released by the sender, before the deadline and in a dispute", async () => {
  for (const disputed of [false, true]) {
    const paid = await aPayment();
    if (disputed) paid.chain.done(dispute(paid));
    paid.chain.setTime(START + 5n);
    paid.chain.done(await releaseInstruction(payout(paid)));
    assert.deepEqual(await outcomeOf(paid), {
      status: "released",
      outcome: "released_by_sender",
      disputedAt: disputed ? START : null,
      resolvedAt: START + 5n,
      recipientHas: AMOUNT,
      vaultOpen: false,
    });
  }
});

test("refunded by the recipient, before the deadline and in a dispute", async () => {
  for (const disputed of [false, true]) {
    const paid = await aPayment();
    if (disputed) paid.chain.done(dispute(paid));
    const source = await tokenAccountOf(paid.token, paid.sender);
    const before = paid.chain.tokens(source);
    paid.chain.done(await refundInstruction(payout(paid)));
    const { status, outcome, vaultOpen } = await outcomeOf(paid);
    assert.deepEqual([status, outcome, vaultOpen], ["refunded", "refunded_by_recipient", false]);
    assert.equal(paid.chain.tokens(source), before + AMOUNT);
  }
});

test("settled by anyone from the deadline on", async () => {
  const paid = await aPayment();
  paid.chain.setTime(START + DAY);
  paid.chain.done(await settleInstruction(payout(paid)));
  assert.deepEqual(await outcomeOf(paid), {
    status: "released",
    outcome: "settled",
    disputedAt: null,
    resolvedAt: START + DAY,
    recipientHas: AMOUNT,
    vaultOpen: false,
  });
});

test("at every second around the deadline exactly one of dispute and settle is valid", async () => {
  for (const offset of [-2n, -1n, 0n, 1n]) {
    const [one, other] = [await aPayment(), await aPayment()];
    for (const paid of [one, other]) paid.chain.setTime(START + DAY + offset);
    if (offset < 0n) {
      one.chain.done(dispute(one));
      assert.equal(other.chain.refused(await settleInstruction(payout(other))), "protection_running");
    } else {
      assert.equal(one.chain.refused(dispute(one)), "protection_over");
      other.chain.done(await settleInstruction(payout(other)));
    }
  }
});

test("resolved by the arbiter to either side", async () => {
  for (const to of ["recipient", "sender"] as const) {
    const paid = await aPayment();
    paid.chain.done(dispute(paid));
    paid.chain.setTime(START + 100n);
    paid.chain.done(await resolve(paid, to));
    assert.deepEqual(await outcomeOf(paid), {
      status: to === "recipient" ? "released" : "refunded",
      outcome: "resolved",
      disputedAt: START,
      resolvedAt: START + 100n,
      recipientHas: to === "recipient" ? AMOUNT : 0n,
      vaultOpen: false,
    });
  }
});

test("at every second around the 90th day exactly one of resolve and refund_unresolved is valid", async () => {
  for (const offset of [-1n, 0n]) {
    const [one, other] = [await aPayment(), await aPayment()];
    for (const paid of [one, other]) {
      paid.chain.setTime(START + 10n);
      paid.chain.done(dispute(paid));
      paid.chain.setTime(START + 10n + ARBITRATION + offset);
    }
    if (offset < 0n) {
      one.chain.done(await resolve(one, "recipient"));
      assert.equal(other.chain.refused(await refundUnresolvedInstruction(payout(other))), "arbitration_running");
    } else {
      assert.equal(one.chain.refused(await resolve(one, "recipient")), "arbitration_over");
      other.chain.done(await refundUnresolvedInstruction(payout(other)));
      const { status, outcome } = await outcomeOf(other);
      assert.deepEqual([status, outcome], ["refunded", "refunded_unresolved"]);
    }
  }
});

test("a new arbiter takes office on accepting, and from then on decides old disputes too", async () => {
  const paid = await aPayment();
  const { chain, authority, operator } = paid;
  const { programId } = chain;
  const next = anyAddress();
  chain.done(dispute(paid));
  chain.done(await proposeArbiterInstruction({ programId, authority, arbiter: next }));
  assert.equal(chain.refused(await resolve(paid, "sender", next)), "wrong_arbiter", "proposed is not in office");
  chain.done(acceptArbiterInstruction({ programId, operator, arbiter: next }));
  assert.equal(chain.refused(await resolve(paid, "sender")), "wrong_arbiter", "the old key is out");
  chain.done(await resolve(paid, "sender", next));
  assert.deepEqual([chain.operator(operator).arbiter, chain.operator(operator).pendingArbiter], [next, null]);
});

test("a withdrawn proposal cannot be accepted", async () => {
  const { chain, authority, operator } = await aWorld();
  const { programId } = chain;
  const next = anyAddress();
  chain.done(await proposeArbiterInstruction({ programId, authority, arbiter: next }));
  chain.done(await proposeArbiterInstruction({ programId, authority, arbiter: null }));
  assert.equal(chain.refused(acceptArbiterInstruction({ programId, operator, arbiter: next })), "not_proposed");
});

test("90 days after the payout, and not a second before, the sender gets the record's rent and a tombstone stays", async () => {
  const paid = await aPayment();
  const { chain, sender } = paid;
  chain.setTime(START + 7n);
  chain.done(await releaseInstruction(payout(paid)));
  chain.setTime(START + 7n + RETENTION - 1n);
  assert.equal(chain.refused(close(paid)), "retention_running");
  chain.setTime(START + 7n + RETENTION);
  const [before, held] = [chain.balance(sender), chain.balance(paid.payment.address)];
  chain.done(close(paid));
  const tombstone = chain.data(paid.payment.address)!;
  assert.equal(tombstone.length, TOMBSTONE_ACCOUNT_SIZE);
  const { kind, ...rest } = decodePaymentAccount(tombstone) as { kind: string; paymentId: bigint };
  assert.deepEqual([kind, rest.paymentId], ["tombstone", 1n]);
  assert.equal(chain.balance(paid.payment.address), chain.rent(TOMBSTONE_ACCOUNT_SIZE));
  assert.equal(chain.balance(sender) - before, held - chain.rent(TOMBSTONE_ACCOUNT_SIZE));
});

test("an address is never born twice: a tombstone refuses the same payment id, and everything else", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  chain.done(await releaseInstruction(payout(paid)));
  chain.setTime(START + RETENTION);
  chain.done(close(paid));
  assert.equal(chain.refused(await createPaymentInstruction(paid.offer)), "payment_exists");
  assert.equal(chain.refused(dispute(paid)), "payment_closed");
  assert.equal(chain.refused(await settleInstruction(payout(paid))), "payment_closed");
  assert.equal(chain.refused(close(paid)), "payment_closed");
});

test("the vault's rent goes to the payer of the beneficiary's token account, else to the sender", async () => {
  const waiting = await aPayment();
  const { chain, sender } = waiting;
  const vaultRent = chain.balance(waiting.vault);
  const keeper = anyAddress();
  chain.fund(keeper);
  chain.setTime(START + DAY);
  const before = [chain.balance(keeper), chain.balance(sender)];
  chain.done(await settleInstruction({ ...payout(waiting), payer: keeper }));
  assert.deepEqual([chain.balance(keeper), chain.balance(sender)], before, "the keeper is out of pocket by nothing");

  const second = await pay(waiting, { paymentId: 2n, amount: 1n });
  chain.setTime(START + DAY + DAY);
  const [keeperHad, senderHad] = [chain.balance(keeper), chain.balance(sender)];
  chain.done(await settleInstruction({ ...payout(second), payer: keeper }));
  assert.equal(chain.balance(keeper), keeperHad);
  assert.equal(chain.balance(sender), senderHad + vaultRent);
});

test("the checkout can make the recipient's token account in the payment's own transaction", async () => {
  const world = await aWorld();
  const instructions = await createPaymentInstructions({ ...world.offer, createRecipientAccount: true });
  world.chain.done(...instructions);
  assert.equal(world.chain.exists(await tokenAccountOf(world.token, world.recipient)), true);
  world.chain.done(
    ...(await createPaymentInstructions({ ...world.offer, createRecipientAccount: true, paymentId: 2n })),
  );
  assert.equal((await createPaymentInstructions(world.offer)).length, 1);
});

test("two senders may use the same payment id, and one sender many", async () => {
  const world = await aWorld();
  const other = anyAddress();
  world.chain.fund(other);
  await give(world.chain, world.token, other, AMOUNT);
  const first = await pay(world);
  const second = await pay(world, { sender: other });
  assert.notEqual(first.payment.address, second.payment.address);
  await pay(world, { paymentId: 2n ** 64n - 1n, amount: 1n });
});

test("every change is logged as the whole account", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  for (const instruction of [dispute(paid), await resolve(paid, "recipient")]) {
    const sent = chain.send(instruction);
    const line = `Program data: ${Buffer.from(chain.data(paid.payment.address)!).toString("base64")}`;
    assert.equal(sent.ok, true);
    assert.equal(sent.logs.filter((log) => log === line).length, 1);
  }
});
