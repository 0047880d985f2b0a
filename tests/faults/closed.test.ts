import assert from "node:assert/strict";
import { test } from "node:test";
import { type ActOptions, actOnPayment, type PaymentAction } from "@holdfast/devnet/buyer.ts";
import { listUnfinalized } from "../../server/features/recording/finality/queries.ts";
import { checkPayments } from "../../server/features/recording/finality/recheck.ts";
import { createSettleableStep } from "../../server/features/settlement/settleable.ts";
import { sql } from "../../server/store/sql.ts";
import { SteppedService } from "./steppedService.ts";

// These tests cover payments whose record was closed on chain while the service was away, and queues whose head no read can
// ever finish.

const DAY_SECONDS = 86_400;
const RETENTION_SECONDS = 91 * DAY_SECONDS;

async function act(
  stepped: SteppedService,
  who: "buyer-1" | "arbiter" | "recipient",
  action: PaymentAction,
  payment: string,
  options: ActOptions = {},
): Promise<void> {
  await actOnPayment(stepped.net, stepped.net.wallets[who], action, payment as never, { ...options, until: "none" });
  stepped.tick(2);
}

/** Ninety days later anybody closes the record. */
async function close(stepped: SteppedService, payment: string): Promise<void> {
  await stepped.advance(RETENTION_SECONDS);
  stepped.tick(2);
  await act(stepped, "recipient", "close", payment);
}

async function splitByRuling(stepped: SteppedService, payment: string): Promise<void> {
  await act(stepped, "buyer-1", "dispute", payment);
  await stepped.advance(60);
  await act(stepped, "arbiter", "resolve_split", payment, { total: 2_000_000n });
}

interface Kept {
  readonly reason: string;
  readonly payment_id: string;
  readonly status: string;
  readonly outcome: string;
  readonly amount: string;
  readonly amount_refunded: string;
  readonly amount_released: string;
  readonly sender: string | null;
  readonly asset: string | null;
  readonly signature: string | null;
  readonly created_at: Date | null;
  readonly disputed_at: Date;
  readonly settled_at: Date;
}

const unmatched = (stepped: SteppedService, address: string) =>
  stepped.database.row<Kept>(sql`select * from unmatched_payments where address = ${address}`);

test("a payment that was closed before it was ever observed is unmatched, with how it ended and nothing made up", async () => {
  await using stepped = await SteppedService.open();
  const intent = await stepped.create();
  const { payment, signature } = await stepped.pay(intent);
  stepped.tick(2);
  await splitByRuling(stepped, payment);
  await close(stepped, payment);
  await stepped.settle();
  const kept = await unmatched(stepped, payment);
  assert.ok(kept !== null);
  const { reason, status, outcome, amount, amount_refunded, amount_released, payment_id } = kept;
  assert.deepEqual(
    { reason, status, outcome, amount, amount_refunded, amount_released, payment_id },
    {
      reason: "closed",
      status: "released",
      outcome: "resolved",
      amount: intent.amount,
      amount_refunded: "2000000",
      amount_released: "3000000",
      payment_id: intent.paymentId,
    },
  );
  assert.deepEqual([kept.sender, kept.asset, kept.created_at], [null, null, null]);
  assert.equal(kept.signature, signature);
  assert.ok(kept.disputed_at < kept.settled_at);
  assert.deepEqual(await stepped.eventTypes(intent), ["payment_intent.created"]);
  assert.equal((await stepped.intent(intent)).status, "requires_payment");
  assert.equal(await stepped.confirm(intent, signature), "signature_unverified", "its terms cannot be compared");
  const left = await stepped.database.rows(sql`select from chain_inbox where not processed`);
  assert.deepEqual(left, [], "its transactions are worked off");
  await stepped.assertSound();
});

for (const [how, look] of [
  ["the sweep", (stepped: SteppedService) => stepped.catchUp()],
  ["the recheck", (stepped: SteppedService) => stepped.recheck()],
  ["finality", (stepped: SteppedService) => stepped.finalize()],
  ["confirm", (stepped: SteppedService, made: Paid) => stepped.confirm(made.intent, made.signature)],
] as const)
  test(`§3.2.11 a recorded payment that was closed meanwhile goes to its end by ${how}, with every step`, async () => {
    await using stepped = await SteppedService.open();
    const intent = await stepped.create();
    const made = { intent, ...(await stepped.pay(intent)) };
    stepped.tick(2);
    // The sweep sees only the payment's account, so the payment is not final and has no signature.
    await stepped.reconcile();
    assert.equal((await stepped.payment(made.payment))?.status, "protected");
    await splitByRuling(stepped, made.payment);
    await close(stepped, made.payment);
    stepped.tick(12);
    await look(stepped, made);
    const ended = await stepped.payment(made.payment);
    assert.deepEqual([ended?.status, ended?.outcome, ended?.amount_refunded], ["released", "resolved", "2000000"]);
    const steps = ["payment_intent.created", "payment.protected", "payment_intent.paid", "payment.disputed"];
    assert.deepEqual(await stepped.eventTypes(intent), [...steps, "payment.released"]);
    await stepped.settle();
    assert.deepEqual(await listUnfinalized(stepped.database, "test", 2, 1), [], "and is final");
    assert.equal((await unmatched(stepped, made.payment)) === null, true);
    await stepped.assertSound();
  });

interface Paid {
  readonly intent: Awaited<ReturnType<SteppedService["create"]>>;
  readonly signature: string;
  readonly payment: string;
}

test("an unmatched payment that was closed meanwhile ends, and keeps its terms", async () => {
  await using stepped = await SteppedService.open();
  const intent = await stepped.create();
  const { payment } = await stepped.pay({ ...intent, amount: "1000" });
  await stepped.settle();
  await act(stepped, "buyer-1", "release", payment);
  await close(stepped, payment);
  await stepped.recheck();
  const kept = await unmatched(stepped, payment);
  assert.deepEqual([kept?.reason, kept?.status, kept?.outcome], ["terms_differ", "released", "released_by_sender"]);
  assert.deepEqual([kept?.amount, kept?.amount_released, kept?.asset], ["1000", "1000", intent.asset]);
  await stepped.assertSound();
});

test("a close that a fork drops is no end of what was never observed: the payment is found again, and bound", async () => {
  await using stepped = await SteppedService.open();
  const intent = await stepped.create(undefined, 200 * DAY_SECONDS * 1_000);
  const { payment } = await stepped.pay(intent);
  stepped.tick(2);
  await act(stepped, "buyer-1", "release", payment);
  await stepped.advance(RETENTION_SECONDS);
  stepped.tick(12);
  const closing = await actOnPayment(stepped.net, stepped.net.wallets.recipient, "close", payment as never, {
    until: "none",
  });
  stepped.tick(2);
  await stepped.catchUp();
  assert.equal((await unmatched(stepped, payment))?.reason, "closed");
  stepped.net.controls.drop(closing.signature);
  stepped.tick(4);
  await stepped.database.rows(sql`update chains set reconciled_at = null`);
  await stepped.reconcile();
  assert.equal((await stepped.payment(payment))?.status, "released");
  assert.equal(await unmatched(stepped, payment), null);
  await stepped.settle();
  await stepped.assertSound();
});

test("payments that cannot be announced as settleable do not stand in front of the others", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one"] });
  const [closed, hidden, due] = [await stepped.create(), await stepped.create(), await stepped.create()];
  const made = [];
  for (const intent of [closed, hidden, due]) made.push(await stepped.pay(intent));
  const [first, second, third] = made.map(({ payment }) => payment);
  await stepped.settle();
  await act(stepped, "buyer-1", "release", first!);
  await close(stepped, first!);
  stepped.net.controls.faults({ mode: "ignorant", node: "one", names: [second!] });
  const looked: string[] = [];
  const step = createSettleableStep(stepped.ctx, async (addresses) => {
    looked.push(...addresses);
    await checkPayments(stepped.ctx, addresses);
  });
  const never = new AbortController().signal;
  await step(never);
  assert.deepEqual(looked.toSorted(), [first!, second!].toSorted());
  assert.equal((await stepped.payment(first!))?.status, "released");
  assert.ok((await stepped.eventTypes(due)).includes("payment.settleable"), third);
  looked.length = 0;
  await step(never);
  assert.deepEqual(looked, [], "the one that is hidden waits");
});

test("§3.3.1 a payment without an account whose signature is known stays, and waits behind the others", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const hidden = await stepped.create();
  const { payment } = await stepped.pay(hidden);
  stepped.tick(2);
  await stepped.catchUp();
  for (const node of ["one", "two"]) stepped.net.controls.faults({ mode: "ignorant", node, names: [payment] });
  stepped.tick(40);
  const later = await stepped.create();
  const second = await stepped.pay(later);
  stepped.tick(2);
  await stepped.catchUp();
  for (let looks = 0; looks < 3; looks++) await stepped.finalize();
  const { status, suspected_at, finalized } = (await stepped.payment(payment))!;
  assert.deepEqual([status, suspected_at, finalized], ["protected", null, false]);
  const [head] = await listUnfinalized(stepped.database, "test", 2, 1);
  assert.equal(head?.id, second.payment);
  stepped.net.controls.faults({ mode: "none" });
  stepped.tick(40);
  await stepped.settle();
  assert.deepEqual(await listUnfinalized(stepped.database, "test", 2, 1), []);
  await stepped.assertSound();
});
