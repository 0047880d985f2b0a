import assert from "node:assert/strict";
import { test } from "node:test";
import { decodePaymentAccount, type PaymentAccount, type ProgramInstruction } from "@holdfast/escrow-client";
import { AccountRole, type Address, type MaybeEncodedAccount } from "@solana/kit";
import { aWorld, type Paid, pay, START } from "../../program/tests/chain.ts";
import { ARBITRATION, dispute, payOut, refund, release, resolve } from "../../program/tests/scenario.ts";
import { findObstacle, isPaidOut, PAYMENT_ACTIONS } from "../../server/chain/acts.ts";
import { aPayment } from "../../server/features/payments/fixtures.ts";
import { NEXT_ACTIONS, type NextAction, nextActions, type Payment } from "../../server/features/payments/payment.ts";

// Compares the next actions of `GET /payments/{id}` with the program itself: in every state that a payment of three units can
// reach, at every second at which a verdict can change and just before it.

const AMOUNT = 3n;
const TOTALS = [0n, 1n, 2n, 3n, 4n];
/** The states that the table's own test of the program finds too: protected, disputed and bound, and finished without a vault. */
const UNFINISHED = 51;

interface Try {
  readonly name: "dispute" | "release" | "refund" | "resolve" | "sender" | "recipient";
  readonly instruction: ProgramInstruction;
}

interface Kept {
  readonly account: PaymentAccount;
  readonly images: readonly MaybeEncodedAccount[];
}

function keep({ chain, payment, vault }: Paid): Kept {
  const account = decodePaymentAccount(chain.data(payment.address)!);
  assert.ok(account?.kind === "payment");
  return { account, images: [chain.svm.getAccount(payment.address), chain.svm.getAccount(vault)] };
}

function putBack({ chain }: Paid, { images }: Kept): void {
  for (const image of images) {
    if (image.exists) chain.svm.setAccount(image);
    else if (chain.exists(image.address)) chain.svm.setAccount(nothingAt(image.address));
  }
}

const nothingAt = (at: Address) => ({
  address: at,
  programAddress: "11111111111111111111111111111111" as Address,
  data: new Uint8Array(),
  executable: false,
  space: 0n,
  lamports: 0n as never,
});

const dateOf = (seconds: bigint): Date => new Date(Number(seconds) * 1_000);
const dateOrNull = (seconds: bigint | null): Date | null => (seconds === null ? null : dateOf(seconds));

const paymentOf = (account: PaymentAccount): Payment =>
  aPayment({
    status: account.status,
    outcome: account.outcome,
    amount: String(account.amount),
    refundTotal: String(account.refundTotal),
    amountRefunded: String(account.amountRefunded),
    amountReleased: String(account.amountReleased),
    createdAt: dateOf(account.createdAt),
    protectionDeadline: dateOf(account.deadline),
    disputedAt: dateOrNull(account.disputedAt),
    settledAt: dateOrNull(account.settledAt),
    refundedAt: dateOrNull(account.refundedAt),
  });

/** Names our action for an accepted instruction, by its effect. */
function actionOf(name: Try["name"], before: PaymentAccount, after: PaymentAccount): NextAction["action"] {
  if (name === "recipient") return before.outcome === null ? "settle" : "pay_out_recipient";
  if (name === "sender") return after.outcome === before.outcome ? "pay_out_sender" : "refund_unresolved";
  return name;
}

function timesOf({ deadline, disputedAt, settledAt, refundedAt }: PaymentAccount): bigint[] {
  const past = [START, disputedAt ?? 0n, settledAt ?? 0n, refundedAt ?? 0n];
  const latest = past.reduce((one, other) => (other > one ? other : one));
  const bounds = [deadline, (disputedAt ?? START) + ARBITRATION];
  return [...new Set([latest, ...bounds.flatMap((bound) => [bound - 1n, bound])])].filter((time) => time >= latest);
}

const keyOf = ({ status, outcome, refundTotal, amountRefunded, amountReleased }: PaymentAccount): string =>
  [status, outcome, refundTotal, amountRefunded, amountReleased].join(" ");

test("§4.6.1 in every state and at every time, the program does each of the next actions and refuses every other", async () => {
  const paid = await pay(await aWorld(), { amount: AMOUNT });
  const { chain } = paid;
  const tries: readonly Try[] = [
    { name: "dispute", instruction: dispute(paid) },
    ...TOTALS.flatMap((total): Try[] => [
      { name: "release", instruction: release(paid, total) },
      { name: "refund", instruction: refund(paid, total) },
      { name: "resolve", instruction: resolve(paid, total) },
    ]),
    { name: "sender", instruction: await payOut(paid, "sender") },
    { name: "recipient", instruction: await payOut(paid, "recipient") },
  ];
  const transactions = tries.map(({ instruction }) => chain.compile(chain.feePayer, instruction));
  const open = [keep(paid)];
  const found = new Map(open.map((kept) => [keyOf(kept.account), kept.account]));
  const done = new Map<NextAction["action"], ProgramInstruction>();
  let [listed, refused] = [0, 0];
  for (let kept = open.shift(); kept !== undefined; kept = open.shift()) {
    const payment = paymentOf(kept.account);
    for (const time of timesOf(kept.account)) {
      putBack(paid, kept);
      chain.setTime(time);
      const allowed = new Set<NextAction["action"]>();
      for (const [index, { name, instruction }] of tries.entries()) {
        if (!chain.submit(transactions[index]!).ok) {
          refused++;
          continue;
        }
        const next = keep(paid);
        putBack(paid, kept);
        const action = actionOf(name, kept.account, next.account);
        allowed.add(action);
        done.set(action, instruction);
        if (found.has(keyOf(next.account))) continue;
        found.set(keyOf(next.account), next.account);
        open.push(next);
      }
      const actions = nextActions(payment, dateOf(time));
      const label: string = `${keyOf(kept.account)} at ${time}`;
      assert.deepEqual(new Set(actions.map(({ action }) => action)), allowed, label);
      listed += actions.length;
      for (const { action, until } of actions) checkUntil(payment, action, until, label);
      checkBuilder(payment, allowed, dateOf(time), label);
    }
  }
  const unfinished = [...found.values()].filter(({ status }) => status === "protected" || status === "disputed");
  assert.equal(unfinished.length, UNFINISHED);
  assert.deepEqual([...done.keys()].toSorted(), NEXT_ACTIONS.toSorted(), "each of them happened");
  assert.ok(listed > UNFINISHED && refused > listed);

  // Only their actor may take decisions. Anybody may take the other actions, signed by the payer of the fee alone.
  for (const { by, action } of [...found.values()].flatMap((account) =>
    timesOf(account).flatMap((time) => nextActions(paymentOf(account), dateOf(time))),
  )) {
    const signers = done.get(action)!.accounts.filter(({ role }) => role >= AccountRole.READONLY_SIGNER);
    assert.deepEqual(
      signers.map(({ address }) => address),
      by === "anyone" ? [] : [paid[by]],
      action,
    );
  }
});

/** An action stays possible up to the second before `until`, and not from then on; without a limit it stays possible for ever. */
function checkUntil(payment: Payment, action: NextAction["action"], until: Date | null, label: string): void {
  const isListedAt = (ms: number) => nextActions(payment, new Date(ms)).some((one) => one.action === action);
  if (until === null) assert.ok(isListedAt(Number.MAX_SAFE_INTEGER / 2), `${action}, ${label}`);
  else assert.ok(isListedAt(until.getTime() - 1) && !isListedAt(until.getTime()), `${action}, ${label}`);
}

/** The builder of actions offers what the program does, and says why it offers nothing else. */
function checkBuilder(payment: Payment, allowed: ReadonlySet<string>, now: Date, label: string): void {
  const bound = BigInt(payment.refundTotal);
  for (const action of PAYMENT_ACTIONS) {
    const total = action === "refund" ? bound + 1n : bound;
    const obstacle = findObstacle(payment, action, total, now);
    if (action === "close") assert.equal(obstacle === "not_paid_out", !isPaidOut(payment), label);
    // The chain's clock decides about the deadline, at the trial run.
    else if (action === "dispute" && now >= payment.protectionDeadline) assert.ok(!allowed.has(action), label);
    else assert.equal(obstacle === null, allowed.has(action), `${action}: ${obstacle}, ${label}`);
  }
}
