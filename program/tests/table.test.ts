import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createPaymentInstruction,
  decodePaymentAccount,
  PAYMENT_ACCOUNT_SIZE,
  type ProgramErrorName,
  type ProgramInstruction,
} from "@holdfast/escrow-client";
import { AccountRole, type Address, type MaybeEncodedAccount } from "@solana/kit";
import { anyAddress, aWorld, give, type Paid, pay, START, tokenAccountOf } from "./chain.ts";
import { ARBITRATION, close, DAY, dispute, payOut, RETENTION, refund, release, resolve } from "./scenario.ts";
import { type Action, consult, letterOf, type State, stateOf, violations } from "./table.ts";

const AMOUNT = 3n;
const TOTALS = [0n, 1n, 2n, 3n, 4n];
const GIFT = 5n;
/** Every state, instruction and verdict that occurs, except those of T. */
const CELLS = 45;
const ACTIONS: readonly Action[] = [
  { kind: "create_payment" },
  { kind: "open_dispute" },
  ...(["resolve", "release", "refund"] as const).flatMap((kind) => TOTALS.map((total) => ({ kind, total }))),
  { kind: "pay_out", side: "sender" },
  { kind: "pay_out", side: "recipient" },
  { kind: "close_payment", signed: false },
  { kind: "close_payment", signed: true },
];
const DECIDES = { open_dispute: "sender", resolve: "arbiter", release: "sender", refund: "recipient" } as const;
const WRONG = { sender: "wrong_sender", arbiter: "wrong_arbiter", recipient: "wrong_recipient" } as const;

/** A state that can be put back as it was: the accounts of payment and vault. */
interface Kept {
  readonly state: State;
  readonly payment: MaybeEncodedAccount;
  readonly vault: MaybeEncodedAccount;
}

async function aSponsoredPayment(): Promise<Paid & { readonly sponsor: Address }> {
  const world = await aWorld();
  const sponsor = anyAddress();
  world.chain.fund(sponsor);
  return { ...(await pay(world, { amount: AMOUNT, payer: sponsor })), sponsor };
}

async function instructionOf(paid: Paid & { sponsor: Address }, action: Action): Promise<ProgramInstruction> {
  switch (action.kind) {
    case "create_payment":
      return createPaymentInstruction({ ...paid.offer, amount: AMOUNT, payer: paid.sponsor });
    case "open_dispute":
      return dispute(paid);
    case "resolve":
      return resolve(paid, action.total);
    case "release":
      return release(paid, action.total);
    case "refund":
      return refund(paid, action.total);
    case "pay_out":
      return payOut(paid, action.side);
    case "close_payment":
      return close(paid, action.signed);
  }
}

function keep(paid: Paid): Kept {
  const { chain, payment, vault } = paid;
  const account = decodePaymentAccount(chain.data(payment.address)!);
  assert.ok(account?.kind === "payment");
  const tokens = chain.exists(vault) ? chain.tokens(vault) : null;
  const state = stateOf(account, tokens);
  return { state, payment: chain.svm.getAccount(payment.address), vault: chain.svm.getAccount(vault) };
}

function putBack(paid: Paid, kept: Kept): void {
  for (const account of [kept.payment, kept.vault]) {
    if (account.exists) paid.chain.svm.setAccount(account);
    else if (paid.chain.exists(account.address)) paid.chain.svm.setAccount(gone(account.address));
  }
}

const gone = (at: Address) => ({
  address: at,
  programAddress: "11111111111111111111111111111111" as Address,
  data: new Uint8Array(),
  executable: false,
  space: 0n,
  lamports: 0n as never,
});

/** The seconds at which a verdict can change, and those just before; none before the last event of the record. */
function timesOf({ deadline, disputedAt, settledAt, refundedAt }: State): bigint[] {
  const latest = [START, disputedAt, settledAt, refundedAt].reduce<bigint>(
    (one, other) => ((other ?? 0n) > one ? other! : one),
    0n,
  );
  const bounds = [deadline, (disputedAt ?? START) + ARBITRATION, latest + RETENTION];
  return [...new Set([latest, ...bounds.flatMap((bound) => [bound - 1n, bound])])]
    .filter((time) => time >= latest)
    .sort();
}

/** The bytes of a record that hold its terms, which may never change. */
function termsOf(data: Uint8Array): string {
  const terms: readonly (readonly [from: number, to: number])[] = [
    [0, 3],
    [4, 6],
    [7, 24],
    [48, 64],
    [88, PAYMENT_ACCOUNT_SIZE],
  ];
  return terms.map(([from, to]) => Buffer.from(data.subarray(from, to)).toString("hex")).join(" ");
}

const show = (action: Action): string =>
  "total" in action ? `${action.kind} ${action.total}` : Object.values(action).join(" ");

const keyOf = ({ status, outcome, refundTotal, amountRefunded, amountReleased, vault, closed }: State): string =>
  [status, outcome, refundTotal, amountRefunded, amountReleased, vault, closed].join(" ");

test("in every reachable state every instruction does what the table says, at every boundary, to the last unit", async () => {
  const paid = await aSponsoredPayment();
  const { chain, sender, recipient, sponsor, token } = paid;
  const at = paid.payment.address;
  const accounts = { sender: await tokenAccountOf(token, sender), recipient: await tokenAccountOf(token, recipient) };
  const instructions = await Promise.all(ACTIONS.map((action) => instructionOf(paid, action)));
  const transactions = instructions.map((instruction) => chain.compile(chain.feePayer, instruction));
  const terms = termsOf(chain.data(at)!);
  const open = [keep(paid)];
  const found = new Map(open.map(({ state }) => [keyOf(state), state]));
  const met = new Set<string>();
  let isTouched = false;

  /** A stranger makes the vault of a finished payment again, with something in it or not. */
  const withVault = async (kept: Kept, gift: bigint) => {
    putBack(paid, kept);
    await give(chain, token, at, gift);
    return keep(paid);
  };

  for (let kept = open.shift(); kept !== undefined; kept = open.shift()) {
    const { state } = kept;
    putBack(paid, kept);
    for (const time of timesOf(state)) {
      chain.setTime(time);
      for (const [index, action] of ACTIONS.entries()) {
        if (isTouched) putBack(paid, kept);
        isTouched = false;
        const verdict = consult(state, action, time);
        const label = `${letterOf(state)} ${keyOf(state)} ${show(action)} at ${time}`;
        met.add(`${letterOf(state)} ${action.kind} ${"refusal" in verdict ? verdict.refusal : "done"}`);
        if ("refusal" in verdict) {
          // A refused transaction changes nothing, so there is nothing to put back.
          const sent = chain.submit(transactions[index]!);
          assert.equal(sent.ok ? "done" : (chain.nameOf(sent) ?? sent.text), verdict.refusal, label);
          continue;
        }
        const before = [chain.tokens(accounts.sender), chain.tokens(accounts.recipient)] as const;
        const lamports = chain.balance(sponsor) + chain.balance(at) + chain.balance(paid.vault);
        const sent = chain.submit(transactions[index]!);
        isTouched = true;
        assert.equal(sent.ok, true, `${label}: ${sent.ok ? "" : sent.text}`);
        const got = [chain.tokens(accounts.sender) - before[0], chain.tokens(accounts.recipient) - before[1]];
        assert.deepEqual(got, [verdict.sent.sender, verdict.sent.recipient], label);
        const after = chain.balance(sponsor) + chain.balance(at) + chain.balance(paid.vault);
        assert.equal(after, lamports, `${label}: lamports stay between the rent payer and what they paid for`);
        assert.deepEqual(violations(verdict.next, state), [], label);
        if (verdict.next.closed) {
          const { kind, bump: _, ...tombstone } = decodePaymentAccount(chain.data(at)!)!;
          const { status, outcome: how, amountReleased, amountRefunded, disputedAt, settledAt, refundedAt } = state;
          const rest = { status, outcome: how, amountReleased, amountRefunded, disputedAt, settledAt, refundedAt };
          assert.deepEqual([kind, tombstone], ["tombstone", { ...rest, paymentId: 1n }], label);
          if (found.has(keyOf(verdict.next))) continue;
          found.set(keyOf(verdict.next), verdict.next);
          for (const [again, transaction] of transactions.entries()) {
            const dead = ACTIONS[again]!.kind === "create_payment" ? "payment_exists" : "payment_closed";
            assert.equal(chain.nameOf(chain.submit(transaction)), dead, label);
          }
          continue;
        }
        const next = keep(paid);
        assert.deepEqual(next.state, verdict.next, label);
        assert.equal(termsOf(chain.data(at)!), terms, `${label}: the terms stay`);
        if (found.has(keyOf(next.state))) continue;
        found.set(keyOf(next.state), next.state);
        open.push(next);
        if (letterOf(next.state) !== "F" || next.state.vault !== null) continue;
        for (const gift of [0n, GIFT]) {
          const made = await withVault(next, gift);
          found.set(keyOf(made.state), made.state);
          open.push(made);
        }
      }
    }
  }
  const letters = [...found.values()].map(letterOf);
  const count = (letter: string) => letters.filter((one) => one === letter).length;
  // P and D by hand: refunded <= total < 3. The others as found, so that a change of the table shows here.
  assert.deepEqual(["P", "D", "B", "F", "T"].map(count), [6, 6, 39, 36, 36]);
  assert.equal(met.size, CELLS, "cells of the table with their verdicts");
});

test("in every kind of state a decision is its own actor's, and signed", async () => {
  const paid = await aSponsoredPayment();
  const { chain, authority, sender, recipient, arbiter, sponsor } = paid;
  const wallets = { sender, recipient, arbiter, authority, sponsor, operator: paid.operator, stranger: anyAddress() };
  const stages: readonly (readonly ProgramInstruction[])[] = [
    [],
    [refund(paid, 1n)],
    [dispute(paid)],
    [resolve(paid, 2n)],
    [await payOut(paid, "recipient")],
    [await payOut(paid, "sender")],
  ];
  const decisions: readonly Action[] = [
    { kind: "open_dispute" },
    { kind: "resolve", total: 1n },
    { kind: "release", total: 0n },
    { kind: "refund", total: 3n },
  ];
  for (const stage of stages) {
    if (stage.length > 0) chain.done(...stage);
    const kept = keep(paid);
    for (const action of decisions) {
      const instruction = await instructionOf(paid, action);
      const actor = DECIDES[action.kind as keyof typeof DECIDES];
      for (const [name, address] of Object.entries(wallets)) {
        for (const role of [AccountRole.READONLY, AccountRole.READONLY_SIGNER]) {
          putBack(paid, kept);
          const accounts = instruction.accounts.with(2, { address, role });
          const sent = chain.send({ ...instruction, accounts });
          const verdict = consult(kept.state, action, chain.time);
          let expected: ProgramErrorName | "done" = "refusal" in verdict ? verdict.refusal : "done";
          if (role === AccountRole.READONLY) expected = "missing_signature";
          if (name !== actor) expected = WRONG[actor];
          const answer = sent.ok ? "done" : chain.nameOf(sent);
          assert.equal(answer, expected, `${letterOf(kept.state)} ${action.kind} by ${name}, ${role}`);
        }
      }
    }
    putBack(paid, kept);
  }
});

test("a payout or a closing does the same, no matter who sends it", async () => {
  const paid = await aSponsoredPayment();
  const { chain, sender, recipient, arbiter, authority, sponsor } = paid;
  const stranger = anyAddress();
  chain.fund(stranger);
  const wallets = [sender, recipient, arbiter, authority, sponsor, stranger];
  const steps = [
    { time: START, of: [refund(paid, 1n)], act: await payOut(paid, "sender") },
    { time: START + DAY, of: [], act: await payOut(paid, "recipient") },
    { time: START + DAY + RETENTION, of: [], act: await close(paid) },
  ];
  for (const { time, of, act } of steps) {
    chain.setTime(time);
    if (of.length > 0) chain.done(...of);
    const kept = keep(paid);
    const results = wallets.map((wallet) => {
      putBack(paid, kept);
      assert.equal(chain.sendAs(wallet, act).ok, true);
      return Buffer.from(chain.data(paid.payment.address)!).toString("hex");
    });
    assert.equal(new Set(results).size, 1);
  }
});
