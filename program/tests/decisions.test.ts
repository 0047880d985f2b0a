import assert from "node:assert/strict";
import { test } from "node:test";
import {
  acceptInstruction,
  createPaymentInstruction,
  findDue,
  proposeInstruction,
  TOKEN_2022_PROGRAM_ID,
} from "@holdfast/escrow-client";
import {
  AMOUNT,
  aMint,
  anotherAccount,
  anyAddress,
  aPayment,
  FUNDS,
  freeze,
  give,
  type Paid,
  pay,
  START,
  tokenAccountOf,
} from "./chain.ts";
import {
  ARBITRATION,
  close,
  closeTokenAccount,
  DAY,
  dispute,
  emptyWallet,
  has,
  makeExecutable,
  makeHuge,
  payOut,
  RETENTION,
  refund,
  release,
  resolve,
} from "./scenario.ts";

const PART = 10_000_000n;

const proposal = ({ chain, operator, authority }: Paid, role: "authority" | "arbiter", key = anyAddress()) => ({
  key,
  propose: proposeInstruction({ programId: chain.programId, operator, authority, role, key }),
  accept: acceptInstruction({ programId: chain.programId, operator, role, key }),
});

test("a decision binds with every account but the payment's missing, frozen, closed or executable", async () => {
  const paid = await aPayment({ token: (chain) => aMint(chain, TOKEN_2022_PROGRAM_ID) });
  const { chain, token, sender, recipient, arbiter, vault } = paid;
  chain.done(freeze(token, vault), dispute(paid), refund(paid, 1n));
  for (const owner of [sender, recipient]) await closeTokenAccount(chain, token, owner);
  emptyWallet(chain, recipient);
  await makeExecutable(chain, sender);
  makeHuge(chain, arbiter);
  chain.setRent(69_600n);
  chain.setTime(START + ARBITRATION - 1n);
  chain.done(resolve(paid, PART));
  const { outcome, refundTotal } = chain.payment(paid.payment.address);
  assert.deepEqual([outcome, refundTotal], ["resolved", PART]);
});

test("after a ruling nothing but more from the recipient changes what is bound, no matter who tries, at any time", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  chain.done(dispute(paid), resolve(paid, PART));
  for (const time of [START, START + DAY, START + ARBITRATION, START + 400n * DAY]) {
    chain.setTime(time);
    for (const again of [dispute(paid), resolve(paid, AMOUNT), resolve(paid, 0n), release(paid)]) {
      assert.equal(chain.refused(again), "already_decided");
    }
  }
  chain.done(await payOut(paid, "sender"), await payOut(paid, "recipient"));
  assert.deepEqual(
    [await has(paid, paid.sender), await has(paid, paid.recipient)],
    [FUNDS - AMOUNT + PART, AMOUNT - PART],
  );
});

test("at every second around the deadline exactly one of dispute and settlement is valid", async () => {
  for (const offset of [-2n, -1n, 0n, 1n]) {
    const [one, other] = [await aPayment(), await aPayment()];
    for (const paid of [one, other]) paid.chain.setTime(START + DAY + offset);
    const [early, late] = [dispute(one), await payOut(other, "recipient")];
    if (offset < 0n) one.chain.done(early);
    else assert.equal(one.chain.refused(early), "protection_over");
    if (offset >= 0n) other.chain.done(late);
    else assert.equal(other.chain.refused(late), "protection_running");
  }
});

test("at every second around the 90th day exactly one of ruling and lapse is valid", async () => {
  for (const offset of [-1n, 0n, 1n]) {
    const [one, other] = [await aPayment(), await aPayment()];
    for (const paid of [one, other]) {
      paid.chain.setTime(START + 10n);
      paid.chain.done(dispute(paid));
      paid.chain.setTime(START + 10n + ARBITRATION + offset);
    }
    const [ruling, lapse] = [resolve(one, 0n), await payOut(other, "sender")];
    if (offset < 0n) one.chain.done(ruling);
    else assert.equal(one.chain.refused(ruling), "arbitration_over");
    if (offset >= 0n) other.chain.done(lapse);
    else assert.equal(other.chain.refused(lapse), "arbitration_running");
  }
});

test("M4: a thief of the authority rules on no payment made before", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  chain.done(dispute(paid));
  const crook = proposal(paid, "arbiter");
  chain.done(crook.propose, crook.accept);
  assert.equal(chain.operator(paid.operator).arbiter, crook.key);
  const ruling = resolve(paid, AMOUNT);
  const byCrook = { ...ruling, accounts: ruling.accounts.with(2, { ...ruling.accounts[2]!, address: crook.key }) };
  assert.equal(chain.refused(byCrook), "wrong_arbiter");
  chain.done(resolve(paid, 0n));
  const stolen = await createPaymentInstruction({ ...paid.offer, paymentId: 2n });
  assert.equal(chain.refused(stolen), "arbiter_changed", "and gets no new one from a buyer who was told of another");
});

test("an arbiter whom the old authority proposed cannot take office under the new one", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  const [bomb, next] = [proposal(paid, "arbiter"), proposal(paid, "authority")];
  chain.done(bomb.propose, next.propose, next.accept);
  assert.equal(chain.refused(bomb.accept), "not_proposed");
  assert.equal(chain.refused(next.accept), "not_proposed");
  const { authority, arbiter, pendingAuthority, pendingArbiter } = chain.operator(paid.operator);
  assert.deepEqual([authority, arbiter, pendingAuthority, pendingArbiter], [next.key, paid.arbiter, null, null]);
});

test("accepting the one role leaves a proposal for the authority standing", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  const [arbiter, authority] = [proposal(paid, "arbiter"), proposal(paid, "authority")];
  chain.done(authority.propose, arbiter.propose, arbiter.accept, authority.accept);
  assert.equal(chain.operator(paid.operator).authority, authority.key);
  assert.equal(chain.operator(paid.operator).arbiter, arbiter.key);
});

test("B6: a release before the refund that was agreed does nothing", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  assert.equal(chain.refused(release(paid, PART)), "less_bound");
  const other = await pay(paid, { paymentId: 2n });
  assert.equal(chain.refused(refund(other, PART), release(paid, PART)), "less_bound", "nor with another's refund");
  assert.equal(chain.payment(paid.payment.address).outcome, null);
});

test("repeats and races of totals pay nobody twice", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  chain.done(refund(paid, PART));
  assert.equal(chain.refused(refund(paid, PART)), "invalid_total");
  chain.done(await payOut(paid, "sender"));
  assert.equal(chain.refused(await payOut(paid, "sender")), "nothing_due");
  chain.done(dispute(paid), resolve(paid, PART));
  assert.equal(
    chain.refused(await payOut(paid, "sender")),
    "nothing_due",
    "the ruling's total is what they have already",
  );
  chain.done(await payOut(paid, "recipient"));
  assert.deepEqual(
    [await has(paid, paid.sender), await has(paid, paid.recipient)],
    [FUNDS - AMOUNT + PART, AMOUNT - PART],
  );
});

test("the loser who closes, freezes out or gives away their account delays neither ruling nor the other side", async () => {
  const paid = await aPayment();
  const { chain, token, sender, recipient } = paid;
  chain.done(dispute(paid));
  await closeTokenAccount(chain, token, sender);
  chain.done(resolve(paid, PART), await payOut(paid, "recipient"));
  assert.equal(await has(paid, recipient), AMOUNT - PART);
  assert.equal(chain.refused(await payOut(paid, "sender")), "destination_missing");
  const destination = anotherAccount(chain, token, sender);
  chain.done(await payOut(paid, "sender", { destination }));
  assert.equal(chain.tokens(destination), PART);
});

test("a payout sends to the sides' own accounts alone, whatever other account its sender names", async () => {
  const paid = await aPayment();
  const { chain, token, sender, recipient, arbiter, authority } = paid;
  chain.done(dispute(paid), resolve(paid, PART));
  for (const thief of [anyAddress(), arbiter, authority, sender]) {
    const destination = anotherAccount(chain, token, thief);
    for (const side of ["sender", "recipient"] as const) {
      if (thief === paid[side]) continue;
      assert.equal(chain.refused(await payOut(paid, side, { destination })), "wrong_destination");
    }
  }
  assert.equal(
    chain.refused(await payOut(paid, "recipient", { destination: await tokenAccountOf(token, sender) })),
    "wrong_destination",
  );
  assert.equal(await has(paid, recipient), 0n);
});

test("a stranger who makes the vault of a finished payment again delays its closing at their own cost", async () => {
  const paid = await aPayment();
  const { chain, token, sender } = paid;
  chain.done(release(paid), await payOut(paid, "recipient"));
  chain.setTime(START + RETENTION);
  await give(chain, token, paid.payment.address, 0n);
  assert.equal(chain.refused(await close(paid)), "vault_open");
  const [had, rent] = [chain.balance(sender), chain.balance(paid.vault)];
  chain.done(await payOut(paid, "recipient"), await close(paid));
  assert.ok(chain.balance(sender) - had > rent);
});

test("findDue says what a payout would send, before it is sent", async () => {
  const paid = await aPayment();
  const { chain } = paid;
  const due = (at: bigint) => findDue(chain.payment(paid.payment.address), at);
  assert.deepEqual(due(START + DAY - 1n), { sender: 0n, recipient: 0n });
  assert.deepEqual(due(START + DAY), { sender: 0n, recipient: AMOUNT });
  chain.done(refund(paid, PART));
  assert.deepEqual(due(START + DAY), { sender: PART, recipient: AMOUNT - PART });
  chain.done(dispute(paid));
  assert.deepEqual(due(START + ARBITRATION - 1n), { sender: PART, recipient: 0n });
  assert.deepEqual(due(START + ARBITRATION), { sender: AMOUNT, recipient: 0n });
  chain.done(resolve(paid, 0n), await payOut(paid, "recipient"));
  assert.deepEqual(due(START), { sender: PART, recipient: 0n });
  chain.done(await payOut(paid, "sender"));
  assert.deepEqual(due(START + ARBITRATION), { sender: 0n, recipient: 0n });
});
