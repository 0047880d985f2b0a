import assert from "node:assert/strict";
import { test } from "node:test";
import {
  acceptInstruction,
  createPaymentInstruction,
  createPaymentInstructions,
  decodePaymentAccount,
  PERIOD_SECONDS,
  PERIODS,
  payOutInstructions,
  proposeInstruction,
  TOMBSTONE_ACCOUNT_SIZE,
} from "@holdfast/escrow-client";
import {
  AMOUNT,
  anyAddress,
  aPayment,
  aWorld,
  DECIMALS,
  FUNDS,
  give,
  type Paid,
  pay,
  START,
  tokenAccountOf,
} from "./chain.ts";
import { ARBITRATION, close, DAY, dispute, has, payOut, RETENTION, refund, release, resolve } from "./scenario.ts";

const PART = 10_000_000n;

/** Returns the payment's state by its account, and the balances of both sides. */
async function fateOf(paid: Paid) {
  const account = paid.chain.payment(paid.payment.address);
  const { status, outcome, disputedAt, settledAt, refundedAt } = account;
  const [recipientHas, senderHas] = [await has(paid, paid.payment.recipient), await has(paid, paid.payment.sender)];
  const back = senderHas - (FUNDS - AMOUNT);
  assert.equal(account.amountReleased, recipientHas);
  assert.equal(account.amountRefunded, back);
  return {
    status,
    outcome,
    disputedAt,
    settledAt,
    refundedAt,
    recipientHas,
    back,
    vault: paid.chain.exists(paid.vault),
  };
}

test("a payment records its terms, its arbiter and its rent payer, and holds exactly its amount", async () => {
  const world = await aWorld();
  const paid = await pay(world, { payer: world.chain.feePayer, termsHash: "0a".repeat(32) });
  const { bump: _, ...account } = paid.chain.payment(paid.payment.address);
  assert.deepEqual(account, {
    kind: "payment",
    status: "protected",
    period: "oneDay",
    decimals: DECIMALS,
    outcome: null,
    tokenProgram: paid.token.tokenProgram,
    paymentId: 1n,
    amount: AMOUNT,
    refundTotal: 0n,
    amountRefunded: 0n,
    amountReleased: 0n,
    createdAt: START,
    deadline: START + DAY,
    disputedAt: null,
    settledAt: null,
    refundedAt: null,
    sender: paid.sender,
    recipient: paid.recipient,
    mint: paid.token.mint,
    operator: paid.operator,
    arbiter: paid.arbiter,
    rentPayer: paid.chain.feePayer,
    termsHash: "0a".repeat(32),
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
    paid.chain.done(release(paid), await payOut(paid, "recipient"));
    assert.deepEqual(await fateOf(paid), {
      status: "released",
      outcome: "released_by_sender",
      disputedAt: disputed ? START : null,
      settledAt: START + 5n,
      refundedAt: null,
      recipientHas: AMOUNT,
      back: 0n,
      vault: false,
    });
  }
});

test("refunded by the recipient, before the deadline and in a dispute", async () => {
  for (const disputed of [false, true]) {
    const paid = await aPayment();
    if (disputed) paid.chain.done(dispute(paid));
    paid.chain.done(refund(paid, AMOUNT), await payOut(paid, "sender"));
    assert.deepEqual(await fateOf(paid), {
      status: "refunded",
      outcome: "refunded_by_recipient",
      disputedAt: disputed ? START : null,
      settledAt: null,
      refundedAt: START,
      recipientHas: 0n,
      back: AMOUNT,
      vault: false,
    });
  }
});

test("settled by anyone from the deadline on", async () => {
  const paid = await aPayment();
  paid.chain.setTime(START + DAY);
  paid.chain.done(await payOut(paid, "recipient"));
  const { status, outcome, settledAt, recipientHas, vault } = await fateOf(paid);
  assert.deepEqual(
    [status, outcome, settledAt, recipientHas, vault],
    ["released", "settled", START + DAY, AMOUNT, false],
  );
});

test("refunds in parts, each a total: what was given back leaves, the rest stays protected and is settled", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  chain.done(refund(paid, 4n), await payOut(paid, "sender"));
  chain.done(refund(paid, PART));
  assert.equal(chain.payment(paid.payment.address).amountRefunded, 4n);
  chain.setTime(START + 9n);
  chain.done(await payOut(paid, "sender"));
  const half = await fateOf(paid);
  assert.deepEqual([half.status, half.outcome, half.back, half.refundedAt], ["protected", null, PART, START + 9n]);
  chain.setTime(START + DAY);
  chain.done(await payOut(paid, "recipient"));
  const whole = await fateOf(paid);
  assert.deepEqual([whole.status, whole.outcome, whole.recipientHas], ["released", "settled", AMOUNT - PART]);
  assert.equal(whole.vault, false);
});

test("settled while a refund waits: either part leaves by itself, in either order", async () => {
  for (const order of [["sender", "recipient"] as const, ["recipient", "sender"] as const]) {
    const paid = await aPayment();
    const { chain } = paid;
    chain.done(refund(paid, PART));
    chain.setTime(START + DAY);
    for (const side of order) {
      assert.equal((await fateOf(paid)).status, "protected");
      chain.done(await payOut(paid, side));
    }
    const { status, outcome, back, recipientHas, vault } = await fateOf(paid);
    assert.deepEqual([status, outcome, back, recipientHas, vault], ["released", "settled", PART, AMOUNT - PART, false]);
  }
});

test("a ruling gives each side its part, binds at once, and waits for the parts without a time limit", async () => {
  for (const order of [["sender", "recipient"] as const, ["recipient", "sender"] as const]) {
    const paid = await aPayment();
    const { chain } = paid;
    chain.done(dispute(paid));
    chain.setTime(START + 100n);
    chain.done(resolve(paid, PART));
    const bound = await fateOf(paid);
    assert.deepEqual([bound.status, bound.outcome, bound.back, bound.recipientHas], ["disputed", "resolved", 0n, 0n]);
    chain.setTime(START + 1_000n * DAY);
    for (const side of order) chain.done(await payOut(paid, side));
    const { status, outcome, back, recipientHas, vault } = await fateOf(paid);
    assert.deepEqual(
      [status, outcome, back, recipientHas, vault],
      ["released", "resolved", PART, AMOUNT - PART, false],
    );
  }
});

test("a ruling never takes from the sender what the recipient has given, and its total counts earlier refunds", async () => {
  const less = await aPayment();
  less.chain.done(refund(less, PART), await payOut(less, "sender"), dispute(less), resolve(less, 0n));
  less.chain.done(await payOut(less, "recipient"));
  assert.equal((await fateOf(less)).back, PART);
  const more = await aPayment();
  more.chain.done(refund(more, PART), await payOut(more, "sender"), dispute(more), resolve(more, PART + 5n));
  more.chain.done(await payOut(more, "recipient"), await payOut(more, "sender"));
  assert.equal((await fateOf(more)).back, PART + 5n);
});

test("after a ruling the recipient may still give more, until their part has left", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  chain.done(dispute(paid), resolve(paid, PART), refund(paid, PART + 1n), await payOut(paid, "sender"));
  assert.equal((await fateOf(paid)).outcome, "resolved");
  chain.done(refund(paid, AMOUNT), await payOut(paid, "sender"));
  const { status, outcome, back } = await fateOf(paid);
  assert.deepEqual([status, outcome, back], ["refunded", "refunded_by_recipient", AMOUNT]);
});

test("90 days after a dispute nobody resolved, anyone sends all back", async () => {
  const paid = await aPayment();
  paid.chain.setTime(START + 10n);
  paid.chain.done(dispute(paid));
  paid.chain.setTime(START + 10n + ARBITRATION);
  paid.chain.done(await payOut(paid, "sender"));
  const { status, outcome, back, vault } = await fateOf(paid);
  assert.deepEqual([status, outcome, back, vault], ["refunded", "refunded_unresolved", AMOUNT, false]);
});

test("an agreement is the recipient's refund and then the sender's release, and leaves each its part", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  chain.done(dispute(paid));
  chain.done(refund(paid, PART), await payOut(paid, "sender"));
  chain.done(release(paid, PART), await payOut(paid, "recipient"));
  const { status, outcome, back, recipientHas } = await fateOf(paid);
  assert.deepEqual([status, outcome, back, recipientHas], ["released", "released_by_sender", PART, AMOUNT - PART]);
});

test("roles are handed over by proposal and acceptance; a withdrawn proposal cannot be accepted", async () => {
  const { chain, authority, operator } = await aWorld();
  const { programId } = chain;
  for (const role of ["arbiter", "authority"] as const) {
    const next = anyAddress();
    const propose = { programId, operator, authority, role };
    chain.done(proposeInstruction({ ...propose, key: next }), proposeInstruction({ ...propose, key: null }));
    assert.equal(chain.refused(acceptInstruction({ programId, operator, role, key: next })), "not_proposed");
    chain.done(
      proposeInstruction({ ...propose, key: next }),
      acceptInstruction({ programId, operator, role, key: next }),
    );
    assert.equal(chain.operator(operator)[role], next);
  }
  const { pendingAuthority, pendingArbiter } = chain.operator(operator);
  assert.deepEqual([pendingAuthority, pendingArbiter], [null, null]);
});

test("90 days after the last part, and not a second before, anyone closes: the rent payer gets the rent, a tombstone stays", async () => {
  const world = await aWorld();
  const { chain } = world;
  const sponsor = anyAddress();
  chain.fund(sponsor);
  const paid = await pay(world, { payer: sponsor });
  chain.done(dispute(paid), resolve(paid, PART), await payOut(paid, "recipient"));
  chain.setTime(START + 7n);
  chain.done(await payOut(paid, "sender"));
  chain.setTime(START + 7n + RETENTION - 1n);
  assert.equal(chain.refused(await close(paid)), "retention_running");
  chain.setTime(START + 7n + RETENTION);
  const [before, held] = [chain.balance(sponsor), chain.balance(paid.payment.address)];
  chain.done(await close(paid));
  const tombstone = chain.data(paid.payment.address)!;
  assert.equal(tombstone.length, TOMBSTONE_ACCOUNT_SIZE);
  const { kind, bump: _, ...rest } = decodePaymentAccount(tombstone)!;
  assert.equal(kind, "tombstone");
  assert.deepEqual(rest, {
    status: "released",
    outcome: "resolved",
    paymentId: 1n,
    amountReleased: AMOUNT - PART,
    amountRefunded: PART,
    disputedAt: START,
    settledAt: START,
    refundedAt: START + 7n,
  });
  assert.equal(chain.balance(paid.payment.address), chain.rent(TOMBSTONE_ACCOUNT_SIZE));
  assert.equal(chain.balance(sponsor) - before, held - chain.rent(TOMBSTONE_ACCOUNT_SIZE));
});

test("the checkout can make the recipient's token account in the payment's own transaction, and a settler in front of theirs", async () => {
  const world = await aWorld();
  const { chain } = world;
  const [recipient, other] = [anyAddress(), anyAddress()];
  const offer = { ...world.offer, recipient, createRecipientAccount: true };
  chain.done(...(await createPaymentInstructions(offer)));
  assert.equal(chain.exists(await tokenAccountOf(world.token, recipient)), true);
  chain.done(...(await createPaymentInstructions({ ...offer, paymentId: 2n })));
  assert.equal((await createPaymentInstructions(world.offer)).length, 1);

  const paid = await pay(world, { paymentId: 3n, recipient: other });
  chain.setTime(START + DAY);
  const payout = { programId: chain.programId, payment: paid.payment, side: "recipient" } as const;
  assert.equal(chain.refused(...(await payOutInstructions(payout))), "destination_missing");
  chain.done(...(await payOutInstructions({ ...payout, accountPayer: chain.feePayer })));
  assert.equal(await has(paid, other), AMOUNT);
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
  const changes = [refund(paid, 5n), await payOut(paid, "sender"), dispute(paid), resolve(paid, 7n)];
  for (const instruction of [...changes, await payOut(paid, "recipient")]) {
    const sent = chain.send(instruction);
    const line = `Program data: ${Buffer.from(chain.data(paid.payment.address)!).toString("base64")}`;
    assert.equal(sent.ok, true);
    assert.equal(sent.logs.filter((log) => log === line).length, 1);
  }
});
