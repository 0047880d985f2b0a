import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { after, before, beforeEach, test } from "node:test";
import type { Chain } from "../../chain/chain.ts";
import type { DuePart, PayOutAnswer } from "../../chain/port.ts";
import { ORDERED_PLANNING } from "../../store/planSettings.ts";
import { sql } from "../../store/sql.ts";
import { type OpenTestDatabase, openTestDatabase } from "../../store/testing.ts";
import { setClockAhead } from "../chains/queries.ts";
import { holdOf } from "../payments/payoutHold.ts";
import { settlementFigures } from "./figures.ts";
import { endWaitOfParts } from "./fragments.ts";
import { type Answer, aDuePayment, hoursAgo, KeptPayments, outage, SENT } from "./testing.ts";
import { RENEWALS_PER_DAY } from "./waits.ts";

let opened: OpenTestDatabase;
let kept: KeptPayments;
before(async () => {
  opened = await openTestDatabase(ORDERED_PLANNING, { connectionsMax: 4 });
});
after(() => opened?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await opened.database.rows(sql`truncate payments, unmatched_payments`);
  await setClockAhead(opened.database, 0);
  kept = new KeptPayments(opened.database);
});

const SPLIT = { status: "disputed", disputedAt: hoursAgo(3), outcome: "resolved", refundTotal: "400" } as const;
const many = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => aDuePayment(`${name}-${index}`));
const is = (part: DuePart, name: string) => part.payment.address.startsWith(name);
/** Refuses every transaction with a payment of this name, and names the part, unless `asWhole`. */
const refusing =
  (name: string, { asWhole = false, reason = "token program error 17: the account is frozen" } = {}): Answer =>
  (parts): PayOutAnswer => {
    const part = parts.find((one) => is(one, name));
    return part === undefined ? SENT : { kind: "refused", part: asWhole ? null : part, reason };
  };
const timesSent = (part: string) => kept.sent.filter((parts) => parts.includes(part)).length;

test("both parts of a split leave in one transaction, and the payment then waits for it to land", async () => {
  await kept.add(await kept.addBusiness(), [aDuePayment("one", SPLIT)]);
  await kept.workOff();
  await kept.workOff();
  assert.deepEqual(kept.sent, [["one sender", "one recipient"]]);
});

test("§3.2.12 a payment whose account no node gives waits, longer each time, and keeps no other's from leaving", async () => {
  await kept.add(await kept.addBusiness(), many(9, "good"));
  const [bad] = many(1, "bad");
  await kept.add(await kept.addBusiness(), [bad!]);
  kept.unreadable.add(bad!.address);
  await kept.workOff();
  assert.equal(kept.sent.flat().length, 9);
  const state = (await kept.state(bad!.address))!;
  assert.deepEqual([state.keeper_tries, state.keeper_refusal], [1, "no node gives its account"]);
  await kept.pass(70);
  await kept.workOff();
  assert.equal((await kept.state(bad!.address))!.keeper_tries, 2);
  assert.equal(kept.logged.filter((line) => line.includes(bad!.address)).length, 1, "the log names it once");

  kept.unreadable.clear();
  await kept.pass(130);
  await kept.workOff();
  assert.equal(timesSent(`${bad!.address} recipient`), 1);
});

test("a part that cannot reach one side is no reason to keep the other's", async () => {
  await kept.add(await kept.addBusiness(), [aDuePayment("one", SPLIT)]);
  kept.answer = (parts) => {
    const part = parts.find(({ side }) => side === "recipient");
    return part === undefined ? SENT : { kind: "refused", part, reason: "destination_missing" };
  };
  await kept.workOff();
  assert.deepEqual(kept.sent, [["one sender", "one recipient"], ["one recipient"], ["one sender"]]);
  assert.equal(kept.logged.length, 1);
  assert.match(
    kept.logged[0]!,
    /^test keeper: parts for \w+ cannot be paid out now, such as of one: destination_missing\.$/,
  );
  const { keeper_refusal, keeper_refused_side } = (await kept.state("one"))!;
  assert.deepEqual([keeper_refusal, keeper_refused_side], ["destination_missing", "recipient"]);
});

test("a cause at one wallet is one line of the log, however many payments wait for it", async () => {
  const [first, second] = [await kept.addBusiness(), await kept.addBusiness()];
  await kept.add(first, [aDuePayment("a", { recipient: "frozen" }), aDuePayment("b", { recipient: "frozen" })]);
  await kept.add(second, [aDuePayment("c", { recipient: "frozen" }), aDuePayment("d", { recipient: "other" })]);
  kept.answer = (parts) => ({ kind: "refused", part: parts[0]!, reason: "The account is frozen." });
  const work = kept.worker();
  while (await work());
  assert.deepEqual(
    kept.logged.map((line) => line.replace(/such as of \w/, "…")).toSorted(),
    ["frozen", "other"].map(
      (wallet) => `test keeper: parts for ${wallet} cannot be paid out now, …: The account is frozen.`,
    ),
  );
  assert.deepEqual(holdOf({ refusal: "token program error 36: x", refusedSide: "recipient" }), {
    side: "recipient",
    reason: "memo_required",
  });
});

test("a part that somebody else sent first is no error: the payment is checked", async () => {
  await kept.add(await kept.addBusiness(), [aDuePayment("one", SPLIT)]);
  kept.answer = (parts) => ({ kind: "overtaken", part: parts[0]! });
  await kept.workOff();
  assert.deepEqual([kept.checked, kept.logged], [["one"], []]);
});

test("a payment of which nothing is due on chain is left to the sweep", async () => {
  await kept.add(await kept.addBusiness(), [aDuePayment("one")]);
  kept.change("one", { protectionDeadline: hoursAgo(-1) });
  await kept.workOff();
  assert.deepEqual(kept.sent, []);
});

for (const [state, fields] of [
  ["an undecided payment", { protectionDeadline: hoursAgo(-100) }],
  ["a disputed payment", { status: "disputed", disputedAt: hoursAgo(2) }],
  ["a decided payment", { ...SPLIT, amountReleased: "600", settledAt: hoursAgo(1) }],
] as const)
  test(`refunds of ${state} unit by unit are sent ever more rarely, by any worker`, async () => {
    await kept.add(await kept.addBusiness(), [aDuePayment("one", { refundTotal: "1", ...fields })]);
    const waitsS: number[] = [];
    for (let waited = 0; waited <= 300; waited += 10) {
      const before = kept.sent.length;
      await kept.passTo(waited);
      await kept.workOff(); // a new worker each time, as after a restart
      if (kept.sent.length > before) waitsS.push(waited);
    }
    assert.deepEqual(waitsS, [0, 100, 290]); // Waits of 90 and 180 seconds, plus the three by which the chain's clock may lag.
  });

test("the wait after a transaction grows to an hour, that of a refusal to six", async () => {
  const business = await kept.addBusiness();
  await kept.add(business, [aDuePayment("sent"), aDuePayment("refused")]);
  kept.answer = refusing("refused");
  await opened.database.rows(sql`update payments set keeper_tries = 20`);
  await kept.workOff();
  const rows = await opened.database.rows<{ address: string; minutes: number }>(sql`
    select address, round(extract(epoch from keeper_waits_until - now()) / 60)::integer as minutes from payments order by address`);
  assert.deepEqual(rows, [
    { address: "refused", minutes: 360 },
    { address: "sent", minutes: 60 },
  ]);
});

test("where a transaction fails as a whole each payment goes alone, and only the one that fails alone waits for it", async () => {
  await kept.add(await kept.addBusiness(), [...many(3, "good"), aDuePayment("large")]);
  kept.answer = refusing("large", { asWhole: true, reason: "MaxLoadedAccountsDataSizeExceeded" });
  await kept.workOff();
  assert.deepEqual(kept.sent.map((parts) => parts.length).sort(), [1, 1, 1, 1, 4]);
  assert.equal((await kept.state("large"))!.keeper_refusal, "MaxLoadedAccountsDataSizeExceeded");
  for (const { address } of many(3, "good")) assert.equal((await kept.state(address))!.keeper_refusal, null);
});

test("a payment that fails in company alone is paid out alone, in the same step", async () => {
  await kept.add(await kept.addBusiness(), many(4, "large"));
  kept.answer = (parts) =>
    parts.length > 2 ? { kind: "refused", part: null, reason: "MaxLoadedAccountsDataSizeExceeded" } : SENT;
  await kept.workOff();
  for (const { address } of many(4, "large")) {
    assert.ok(kept.sent.some((parts) => parts.length === 1 && parts[0] === `${address} recipient`));
    assert.equal((await kept.state(address))!.keeper_refusal, null);
  }
});

test("what goes alone after a failure in company goes at once, however many were done before", async () => {
  kept.concurrency = 4;
  await kept.add(await kept.addBusiness(), many(4, "one"));
  let [alone, release] = [0, () => {}];
  const allUnderWay = new Promise<void>((resolve) => {
    release = resolve;
  });
  kept.answer = async (parts) => {
    if (parts.length > 1) return { kind: "refused", part: null, reason: "MaxLoadedAccountsDataSizeExceeded" };
    if (++alone === 4) release();
    await allUnderWay;
    return SENT;
  };
  await kept.workOff();
  assert.equal(alone, 4);
});

test("one whose instruction uses up what another's needed does not have the other refused", async () => {
  await kept.add(await kept.addBusiness(), [aDuePayment("a greedy"), aDuePayment("b victim")]);
  kept.answer = (parts) => {
    const victim = parts.find((part) => is(part, "b victim"));
    return victim !== undefined && parts.length > 1
      ? { kind: "refused", part: victim, reason: "ComputationalBudgetExceeded" }
      : SENT;
  };
  await kept.workOff();
  assert.equal((await kept.state("b victim"))!.keeper_refusal, null);
  assert.ok(kept.sent.some((parts) => parts.length === 1 && parts[0] === "b victim recipient"));
});

test("what was tried before goes alone, so that others do not pay for what fails on chain only", async () => {
  const business = await kept.addBusiness();
  await kept.add(business, [...many(2, "old"), aDuePayment("split", SPLIT)]);
  await kept.workOff();
  await kept.pass(100);
  await kept.add(business, many(4, "new"));
  kept.sent.length = 0;
  await kept.workOff();
  assert.deepEqual(kept.sent.map((parts) => parts.length).sort(), [1, 1, 1, 1, 4]);
});

test("a hundred hopeless payments of one business, the longest due, do not keep another's waiting", async () => {
  const [bad, good] = [await kept.addBusiness(), await kept.addBusiness()];
  await kept.add(
    bad,
    Array.from({ length: 100 }, (_, index) => aDuePayment(`bad-${index}`, { protectionDeadline: hoursAgo(20) })),
  );
  await kept.add(good, many(5, "good"));
  kept.answer = refusing("bad", { asWhole: true });
  await kept.worker()();
  for (const { address } of many(5, "good")) assert.equal(timesSent(`${address} recipient`), 1);
});

test("businesses take turns: a step goes on where the last one ended", async () => {
  kept.concurrency = 1; // twelve payments a step
  const businesses = [await kept.addBusiness(), await kept.addBusiness(), await kept.addBusiness()].sort();
  for (const [index, business] of businesses.entries()) await kept.add(business, many(20, `shop${index}`));
  const step = kept.worker();
  await step();
  await step();
  for (const index of [0, 1, 2]) {
    const sent = kept.sent.flat().filter((part) => part.startsWith(`shop${index}`)).length;
    assert.equal(sent, 8, `shop${index}: ${sent}`);
  }
});

test("strangers' payments, as many as they are, take an eighth of a step from businesses that wait", async () => {
  kept.concurrency = 2;
  await kept.add(await kept.addBusiness(), many(40, "shop"));
  await kept.add(null, many(40, "stranger"));
  await kept.worker()();
  const count = (name: string) => kept.sent.flat().filter((part) => part.startsWith(name)).length;
  assert.deepEqual([count("shop"), count("stranger")], [24, 3]);
});

test("two workers at once share the work: everything is sent, nothing twice", async () => {
  for (let shop = 0; shop < 5; shop++) await kept.add(await kept.addBusiness(), many(30, `shop${shop}`));
  await kept.add(null, many(10, "stranger"));
  const worker = new AsyncLocalStorage<number>();
  const senders = new Set<number>();
  const both = Promise.withResolvers<void>();
  // The first worker's transactions wait until the other has sent one, too.
  kept.answer = async () => {
    senders.add(worker.getStore()!);
    if (senders.size === 2) both.resolve();
    await both.promise;
    return SENT;
  };
  const partsSent = () => kept.sent.flat().length;
  const run = async () => {
    const step = kept.worker();
    while (partsSent() < 160) await step();
  };
  await Promise.all([worker.run(0, run), worker.run(1, run)]);
  await kept.workOff();
  assert.equal(senders.size, 2);
  assert.equal(partsSent(), 160);
  assert.equal(new Set(kept.sent.flat()).size, 160);
});

test("a worker killed after it claimed, sent or not, leaves the payment to the others after the wait, once", async () => {
  await kept.add(await kept.addBusiness(), [aDuePayment("one")]);
  kept.answer = () => new Promise(() => {}); // it ends in here
  void kept.worker()();
  while (kept.sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
  kept.answer = () => SENT;
  await kept.workOff();
  assert.equal(timesSent("one recipient"), 1, "it may have been sent");
  await kept.pass(95);
  await kept.workOff();
  await kept.workOff();
  assert.equal(timesSent("one recipient"), 2);
  assert.equal((await kept.state("one"))!.keeper_tries, 2);
});

test("a transaction whose sending no node confirmed counts as sent", async () => {
  await kept.add(await kept.addBusiness(), [aDuePayment("one")]);
  kept.answer = () => ({ kind: "unknown", signature: "signature" });
  await kept.workOff();
  await kept.workOff();
  assert.equal(timesSent("one recipient"), 1);
});

test("while no node answers nothing counts as tried, and the work goes on as soon as one does", async () => {
  await kept.add(await kept.addBusiness(), many(6, "one"));
  const step = kept.worker();
  await step().catch(() => undefined);
  await opened.database.rows(sql`update payments set keeper_tries = 0, keeper_waits_until = null`);
  kept.isReadable = false;
  await assert.rejects(step(), { name: "ChainUnavailableError" });
  kept.isReadable = true;
  kept.answer = outage;
  kept.balance = () => Promise.reject(new Error("away"));
  await assert.rejects(step(), { name: "ChainUnavailableError" });
  for (const { address } of many(6, "one")) assert.equal((await kept.state(address))!.keeper_tries, 0);
  kept.sent.length = 0;
  kept.answer = () => SENT;
  await kept.workOff(step);
  assert.equal(new Set(kept.sent.flat()).size, 6);
});

test("a payment that makes nodes fail to answer waits like a refused one, and does not pass for an outage", async () => {
  await kept.add(await kept.addBusiness(), [...many(3, "good"), aDuePayment("poison")]);
  kept.answer = (parts) => (parts.some((part) => is(part, "poison")) ? outage(parts) : SENT);
  const step = kept.worker();
  await kept.workOff(step);
  assert.equal((await kept.state("poison"))!.keeper_refusal, "no node answers about it");
  // The payments that were in its transaction go alone, once.
  await kept.pass(65);
  await kept.workOff(step);
  for (const { address } of many(3, "good"))
    assert.ok(kept.sent.some((parts) => parts.join() === `${address} recipient`));
});

test("§3.2.12 a payment that was sent three times and has not left is a line and a figure, and so is how long one is due", async () => {
  await kept.add(await kept.addBusiness(), [aDuePayment("dropped")]);
  const figures = settlementFigures(opened.database, [{ environment: "test" } as Chain]);
  const read = async (name: string) =>
    Number((await figures.find((figure) => figure.name === `holdfast_keeper_${name}`)!.read())[0]!.value);
  const due = await read("oldest_due_seconds");
  assert.ok(due >= 3_600 && due < 3_700, `due for ${due} s`);
  for (const wait of [95, 185, 365]) {
    assert.deepEqual([await read("unlanded"), kept.logged], [0, []]);
    await kept.workOff();
    assert.equal(await read("oldest_due_seconds"), 0, "it waits");
    await kept.pass(wait);
  }
  assert.equal(await read("unlanded"), 1);
  await kept.workOff();
  assert.equal(kept.logged.length, 1);
  assert.match(kept.logged[0]!, /the payment dropped was sent 3 times and has not left/);
});

test("an error of the keeper's own over one payment concerns that payment alone", async () => {
  await kept.add(await kept.addBusiness(), [...many(3, "good"), aDuePayment("odd")]);
  kept.answer = (parts) => {
    if (parts.some((part) => is(part, "odd"))) throw new TypeError("odd");
    return SENT;
  };
  await kept.workOff();
  assert.equal((await kept.state("odd"))!.keeper_refusal, "TypeError: odd");
  assert.equal(new Set(kept.sent.filter((parts) => parts.length === 1).flat()).size, 4);
});

test("an empty fee payer stops the keeper without a mark on any payment, and the log says so once", async () => {
  await kept.add(await kept.addBusiness(), many(6, "one"));
  kept.answer = () => ({ kind: "fee_payer", reason: "InsufficientFundsForFee" });
  const step = kept.worker();
  for (let steps = 0; steps < 5; steps++) await step();
  assert.ok(kept.sent.length <= 2, "it does not go on asking");
  for (const { address } of many(6, "one")) assert.equal((await kept.state(address))!.keeper_tries, 0);
  assert.deepEqual(kept.logged, [
    "test keeper: the fee payer fee-payer cannot pay (InsufficientFundsForFee): nothing is paid out until it can.",
  ]);
});

test("the log says once that the balance of the fee payer is low", async (t) => {
  t.mock.timers.enable({ apis: ["Date"] });
  const step = kept.worker();
  kept.balance = async () => 999n;
  await step();
  await step();
  assert.equal(kept.logged.length, 1);
  assert.match(kept.logged[0]!, /the fee payer fee-payer holds 9.99e-7 SOL\. Send it more/);
});

test("a record whose rent the deployment paid is swept and closed from day 90, others are left alone", async () => {
  const business = await kept.addBusiness();
  const ended = { status: "released", outcome: "settled", amountReleased: "1000", amount: "1000" } as const;
  const sponsored = { ...ended, rentPayer: "fee-payer" };
  await kept.add(business, [
    aDuePayment("old", { ...sponsored, settledAt: hoursAgo(91 * 24), createdAt: hoursAgo(99 * 24) }),
    aDuePayment("young", { ...sponsored, settledAt: hoursAgo(89 * 24) }),
    aDuePayment("foreign", { ...ended, rentPayer: "somebody", settledAt: hoursAgo(91 * 24) }),
    aDuePayment("own", { ...ended, settledAt: hoursAgo(91 * 24) }),
  ]);
  kept.answer = (parts) => (parts[0]!.side === "record" ? SENT : { kind: "overtaken", part: parts[0]! }); // its vault is gone
  await kept.workOff();
  assert.deepEqual(kept.sent, [["old recipient", "old record"], ["old record"]]);
  assert.deepEqual(
    [
      (await kept.state("foreign"))!.keeper_done,
      (await kept.state("own"))!.is_due,
      (await kept.state("young"))!.is_due,
    ],
    [true, false, true],
  );
});

test("a payment that left and is not recorded yet is not read again and again", async () => {
  await kept.add(await kept.addBusiness(), [aDuePayment("left")]);
  kept.change("left", { status: "released", outcome: "settled" });
  const step = kept.worker();
  assert.deepEqual([await step(), await step()], [true, false]);
  assert.deepEqual([(await kept.state("left"))!.keeper_tries, kept.sent], [1, []]);
});

test("§3.2.13 a record that cannot be closed is given up after some days, with one line, and the reason stays", async () => {
  const ended = { status: "released", outcome: "settled", amountReleased: "1000", amount: "1000" } as const;
  await kept.add(await kept.addBusiness(), [
    aDuePayment("old", {
      ...{ ...ended, rentPayer: "fee-payer", settledAt: hoursAgo(91 * 24), createdAt: hoursAgo(99 * 24) },
    }),
  ]);
  kept.answer = (parts) => ({ kind: "refused", part: parts[0]!, reason: "destination_missing" });
  let hours = 0;
  for (; (await kept.state("old"))!.is_due && hours < 1_000; hours += 6) {
    await kept.workOff();
    await kept.pass(6 * 3_600);
  }
  assert.ok(hours >= 72 && hours <= 240, `${hours} hours`);
  const tried = kept.sent.length;
  await kept.pass(1_000 * 3_600);
  await kept.workOff();
  assert.equal(kept.sent.length, tried, "nothing is tried any more");
  assert.deepEqual(kept.logged, [
    "test keeper: parts for recipient cannot be paid out now, such as of old: destination_missing.",
    "test keeper: the record of the payment old stays open, and its rent bound, until a person closes it: destination_missing.",
  ]);
  const { keeper_refusal, keeper_done } = (await kept.state("old"))!;
  assert.deepEqual([keeper_refusal, keeper_done], ["destination_missing", true]);
});

test("§3.2.12 a part that has left ends its payment's wait, so often in a day and then as before", async () => {
  await kept.add(await kept.addBusiness(), [
    aDuePayment("one", { refundTotal: "1", protectionDeadline: hoursAgo(-1_000) }),
  ]);
  const goUp = async () => {
    await kept.workOff();
    const { refunded } = (await opened.database.row<{ refunded: number }>(sql`
      select amount_refunded::integer as refunded from payments`))!;
    await opened.database.rows(sql`
      update payments p set ${endWaitOfParts("test")}, amount_refunded = u.amount_refunded, refunded_at = now(), refund_total = u.refund_total
      from (values (${refunded + 1}::numeric, 0::numeric, ${refunded + 2}::numeric)) u (amount_refunded, amount_released, refund_total)`);
    kept.change("one", { amountRefunded: String(refunded + 1), refundTotal: String(refunded + 2) });
  };
  const sentIn = async (looks: number) => {
    const before = kept.sent.length;
    for (let look = 0; look < looks; look++) await goUp();
    return kept.sent.length - before;
  };
  assert.equal(await sentIn(RENEWALS_PER_DAY + 10), RENEWALS_PER_DAY + 1, "at once, as often as a day allows");
  await kept.pass(2 * 3_600 + 5);
  assert.equal(await sentIn(10), 2, "one more for each part of the day, and the one whose wait is over");
  await kept.pass(48 * 3_600);
  assert.equal(await sentIn(RENEWALS_PER_DAY + 10), RENEWALS_PER_DAY + 1, "two days later no more than on the first");
});

test("a record whose vault holds what cannot leave is not closed over it", async () => {
  await kept.add(await kept.addBusiness(), [
    aDuePayment("old", {
      ...{
        status: "refunded",
        outcome: "refunded_by_recipient",
        amount: "1000",
        refundTotal: "1000",
        amountRefunded: "1000",
      },
      ...{ rentPayer: "fee-payer", refundedAt: hoursAgo(91 * 24), createdAt: hoursAgo(99 * 24) },
    }),
  ]);
  kept.answer = (parts) => ({ kind: "refused", part: parts[0]!, reason: "destination_missing" });
  await kept.workOff();
  assert.deepEqual(kept.sent, [["old sender", "old record"]]);
  assert.equal((await kept.state("old"))!.keeper_refusal, "destination_missing");
});
