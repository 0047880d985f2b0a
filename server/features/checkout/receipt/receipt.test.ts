import assert from "node:assert/strict";
import { test } from "node:test";
import { RECEIPT_VIEWS } from "../../../../tests/e2e/receiptViews.ts";
import type { Html } from "../../../edge/html/page.ts";
import { atHour } from "../../intents/fixtures.ts";
import { ENGLISH } from "../languages/english.ts";
import {
  actionsOf,
  isFinal,
  nextActionsOf,
  partsOf,
  type ReceiptState,
  type ReceiptView,
  type ShownAgreement,
  stateOf,
} from "./receipt.ts";
import { datesOf, storyOf, sumsOf } from "./story.ts";
import { draftRefunds } from "./view.ts";

const viewOf = (name: string): ReceiptView => RECEIPT_VIEWS[name]!;
const tell = (name: string) => storyOf(ENGLISH.receipt, viewOf(name));

/** Each view with its state, the ways that it offers, whether it is final, and who holds how much: buyer, escrow, shop. */
const TABLE: Readonly<Record<string, readonly [ReceiptState, ways: string, final: boolean, holds: string]>> = {
  protected: ["protected", "dispute release", false, "0 24.5 0"],
  "protected-address-alone": ["protected", "dispute release", false, "0 24.5 0"],
  "protected-no-terms": ["protected", "dispute release", false, "0 24.5 0"],
  "protected-part-sent": ["protected", "dispute release", false, "12.25 12.25 0"],
  "protected-part-due": ["protected", "dispute release pay_out_sender", false, "0 24.5 0"],
  "protected-sponsored": ["protected", "dispute release", false, "0 24.5 0"],
  late: ["protected", "dispute release", false, "0 24.5 0"],
  duplicate: ["protected", "dispute release", false, "0 24.5 0"],
  "unknown-payment-id": ["protected", "dispute release", false, "0 24.5 0"],
  "terms-differ": ["protected", "dispute release", false, "0 24 0"],
  settling: ["settling", "settle", false, "0 24.5 0"],
  "settling-held": ["settling", "settle", false, "0 24.5 0"],
  disputed: ["disputed", "case release", false, "0 24.5 0"],
  "disputed-agreed": ["disputed", "case", false, "0 24.5 0"],
  "disputed-part-sent": ["disputed", "case release", false, "12.25 12.25 0"],
  "disputed-unmatched": ["disputed", "release", false, "0 24.5 0"],
  lapsed: ["lapsed", "refund_unresolved", false, "0 24.5 0"],
  "decided-split": ["decided", "pay_out_sender pay_out_recipient", false, "0 24.5 0"],
  "decided-address-alone": ["decided", "pay_out_sender pay_out_recipient", false, "0 24.5 0"],
  "decided-part-left": ["decided", "pay_out_sender", false, "0 12.25 12.25"],
  "decided-to-buyer": ["decided", "pay_out_sender", false, "0 24.5 0"],
  "decided-to-shop": ["decided", "pay_out_recipient", false, "0 24.5 0"],
  "decided-as-agreed": ["decided", "pay_out_sender pay_out_recipient", false, "0 24.5 0"],
  "decided-elsewhere": ["decided", "pay_out_sender", false, "0 24.5 0"],
  settled: ["settled", "", true, "0 0 24.5"],
  "partly-refunded": ["partly_refunded", "", true, "12.25 0 12.25"],
  refunded: ["refunded", "", true, "24.5 0 0"],
  "refunded-unresolved": ["refunded", "", true, "24.5 0 0"],
  "deposit-due": ["refunded", "close", false, "24.5 0 0"],
  "deposit-of-sponsor": ["refunded", "", true, "24.5 0 0"],
  "deposit-back": ["refunded", "", true, "24.5 0 0"],
  closed: ["settled", "", true, "0 0 24500000"],
  vanished: ["vanished", "", false, "0 0 0"],
};

test("§14.3 each payment has its state, its ways, and each part of the money with who has it", () => {
  assert.deepEqual(Object.keys(TABLE), Object.keys(RECEIPT_VIEWS));
  const found = Object.keys(RECEIPT_VIEWS).map((name) => {
    const view = viewOf(name);
    const { back, inEscrow, paid } = sumsOf(ENGLISH.receipt, view);
    const holds = [back, inEscrow, paid].map((part) => Number(part) / 10 ** (view.decimals ?? 0)).join(" ");
    const ways = tell(name).ways.map(({ action }) => action);
    return [name, [stateOf(view), ways.join(" "), isFinal(view), holds]];
  });
  assert.deepEqual(Object.fromEntries(found), TABLE);
});

test("§14.3 each second belongs to one state: the deadline, the end of the arbiter's time and the closing of the record", () => {
  const before = (at: Date) => new Date(at.getTime() - 1);
  const [{ payment }, disputed, ended] = [viewOf("protected"), viewOf("disputed"), viewOf("deposit-due")];
  const deadline = payment.protectionDeadline!;
  const states = [before(deadline), deadline].map((now) => stateOf({ ...viewOf("protected"), now }));
  assert.deepEqual(states, ["protected", "settling"]);
  const lapse = new Date(disputed.payment.disputedAt!.getTime() + 90 * 86_400_000);
  assert.deepEqual(
    [before(lapse), lapse].map((now) => stateOf({ ...disputed, now })),
    ["disputed", "lapsed"],
  );
  const closable = new Date(ended.payment.refundedAt!.getTime() + 90 * 86_400_000);
  assert.deepEqual(
    [before(closable), closable].map((now) => actionsOf({ ...ended, now })),
    [[], ["close"]],
  );
});

test("§14.3 what silence leads to is said wherever something can still happen, and nowhere else", () => {
  const silent = Object.keys(RECEIPT_VIEWS).filter((name) => tell(name).silence === null);
  assert.deepEqual(silent, [
    ...["settled", "partly-refunded", "refunded", "refunded-unresolved", "deposit-due", "deposit-of-sponsor"],
    ...["deposit-back", "closed", "vanished"],
  ]);
});

/** An agreement on three quarters for the buyer. */
const agreed = (change: Partial<ShownAgreement> = {}): ShownAgreement => ({
  ...{ total: "18375000", agreedAt: atHour(27), until: atHour(27 + 7 * 24) },
  ...{ failedAt: null, executedAt: null, ...change },
});

test("§14.3 while both have agreed, the receipt says who gets what, who is next and until when, and leads there for the release", () => {
  const [disputed, agreement] = [viewOf("disputed"), agreed()];
  const told = storyOf(ENGLISH.receipt, { ...disputed, agreement });
  assert.deepEqual(
    told.steps.slice(-3).map(({ title }) => title),
    [
      "You both agreed",
      "If that fails, the arbiter decides",
      "If nobody has decided by then, what is in the escrow goes back to you",
    ],
  );
  assert.deepEqual(
    [tell("disputed").ways, told.ways].map((all) => all.some(({ action }) => action === "release")),
    [true, false],
  );
  const gets = "You get 18.375 USDC, and the shop gets 6.125 USDC.";
  assert.deepEqual([told.title, told.text], ["You both agreed", `${gets} The shop is next: it refunds your part.`]);
  assert.deepEqual(told.clock, {
    ...{ label: "Time to carry it out", began: "Agreed {time}", from: agreement.agreedAt, until: agreement.until },
  });
  assert.equal(told.silence, "If the chain does not show it by then, the agreement fails, and the arbiter decides.");
  const [date] = datesOf(ENGLISH.receipt, { ...disputed, agreement });
  assert.match(`${date!.title} ${date!.at.toISOString()}`, /^The time to carry out your agreement ends: .*2026-/);
  const payment = { ...disputed.payment, refundTotal: agreement.total, amountRefunded: agreement.total };
  const { text } = storyOf(ENGLISH.receipt, { ...disputed, agreement, payment });
  assert.equal(text, `${gets} You are next: release the shop’s part on your dispute’s page.`);
});

test("§14.3 an agreement whose time is the arbiter's too leads to no decision: then the escrow goes back", () => {
  const view = viewOf("disputed");
  const until = new Date(view.payment.disputedAt!.getTime() + 90 * 86_400_000);
  const { silence, steps } = storyOf(ENGLISH.receipt, { ...view, agreement: agreed({ until }) });
  assert.equal(silence, "If the chain does not show it by then, what is in the escrow goes back to you.");
  assert.ok(!steps.some(({ title }) => /arbiter/.test(title)));
});

test("§14.3 after an agreement that failed the arbiter decides, and the receipt says that it failed", () => {
  const until = atHour(80);
  const agreement = agreed({ until, failedAt: atHour(81) });
  const { title, clock, steps } = storyOf(ENGLISH.receipt, { ...viewOf("disputed"), agreement });
  assert.deepEqual([title, clock?.label], [tell("disputed").title, tell("disputed").clock?.label]);
  assert.deepEqual(
    steps.slice(1, -1).map((step) => `${step.mark}: ${step.title}`),
    ["done: You opened a dispute", "done: You both agreed", "done: The agreement failed", "ahead: The arbiter decides"],
  );
  assert.match((steps[3]!.text as Html).html, new RegExp(until.toISOString()));
});

test("§14.3 without the key nothing says whether both have agreed, and every sentence holds in either case", () => {
  const keyless = { ...viewOf("disputed"), key: null, mine: null };
  const { steps, ways } = storyOf(ENGLISH.receipt, keyless);
  const { releaseInDispute, releaseIfAgreed, outcomeTexts } = ENGLISH.receipt;
  const textOf = (all: typeof ways) => all.find(({ action }) => action === "release")?.text;
  assert.equal(textOf(ways), `${releaseInDispute} ${releaseIfAgreed}`);
  assert.equal(textOf(tell("disputed").ways), releaseInDispute);
  const titles = (all: typeof steps) => all.map(({ title }) => title).filter((title) => /arbiter/.test(title));
  for (const shown of [steps, tell("disputed").steps])
    assert.deepEqual(titles(shown), ["Unless you both carry out an agreement, the arbiter decides"]);
  for (const text of [outcomeTexts.released_by_sender, outcomeTexts.refunded_by_recipient])
    assert.doesNotMatch(text, /own decision/);
});

test("§14.3 what decided stands with its time before what followed: the lapse, and the agreement before its refund", () => {
  const [opened, part] = [atHour(26), "18500000"];
  const lapsesAt = new Date(opened.getTime() + 90 * 86_400_000);
  const lapsed = viewOf("refunded-unresolved");
  const refundedAt = new Date(lapsesAt.getTime() + 60_000);
  const { amount } = lapsed.payment;
  const payment = { ...lapsed.payment, disputedAt: opened, refundedAt };
  const ends = storyOf(ENGLISH.receipt, { ...lapsed, payment, refunds: [{ amount, at: refundedAt }] }).steps.slice(-2);
  assert.deepEqual(
    ends.map(({ title }) => title),
    ["Nobody decided in time", "24.50 USDC went back to you"],
  );
  const said = ({ text }: (typeof ends)[number]) => (typeof text === "string" ? text : text.html);
  assert.ok(said(ends[0]!).includes(lapsesAt.toISOString()));
  const disputed = viewOf("disputed");
  const agreedAt = atHour(30);
  const told = storyOf(ENGLISH.receipt, {
    ...disputed,
    agreement: agreed({ agreedAt }),
    payment: { ...disputed.payment, disputedAt: opened, refundTotal: part, amountRefunded: part },
    // The chain's clock may be a little behind.
    refunds: [{ amount: part, at: new Date(agreedAt.getTime() - 1_000) }],
  }).steps;
  assert.deepEqual(told.map(({ title, mark }) => `${mark}: ${title}`).slice(1, 5), [
    "done: You opened a dispute",
    "done: You both agreed",
    "done: The shop sent a part back",
    "ahead: If that fails, the arbiter decides",
  ]);
  assert.ok(said(told[2]!).includes(agreedAt.toISOString()));
});

test("§4.6.2 a part that cannot leave says why and who ends that, and no page promises that it leaves by itself within minutes", () => {
  assert.match(tell("settling").silence!, /by itself within minutes/);
  const { text, tone, silence, steps } = tell("settling-held");
  assert.match(text, /asks for a memo with each transfer\. The shop has to turn that off/);
  assert.deepEqual([tone, /within minutes/.test(JSON.stringify([silence, steps]))], ["wait", false]);
  const held = viewOf("settling-held");
  assert.deepEqual(
    nextActionsOf(held).map(({ action, blockedBy }) => [action, blockedBy]),
    [
      ["release", null],
      ["refund", null],
      ["settle", "memo_required"],
    ],
  );
  assert.notEqual(partsOf(held), partsOf(viewOf("settling")), "an open page shows it");
  const ofBuyer = { ...held, hold: { side: "sender", reason: "account_frozen" } } as const;
  assert.match(storyOf(ENGLISH.receipt, ofBuyer).silence!, /by itself within minutes/, "nothing is due to the buyer");
});

test("§14.3 what a payment is to its order is said in every state, the advice only while it can be followed", () => {
  const [open, disputed] = [tell("terms-differ"), tell("disputed-unmatched")];
  assert.match(open.note!, /does not pay the order\. Ask the shop to send it back/);
  assert.match(disputed.note!, /does not pay the order\.$/);
  assert.deepEqual(
    ["duplicate", "unknown-payment-id", "terms-differ", "late"].map((name) => tell(name).title),
    [
      "This order was paid twice",
      "This payment matches no order",
      "This payment matches no order",
      "Paid late, and protected",
    ],
  );
  assert.equal(storyOf(ENGLISH.receipt, { ...viewOf("late"), lateReason: "found_after_expiry" }).note, null);
});

test("§14.3 a part that is bound to the buyer can leave in a dispute too, so it is not said to stay", () => {
  const disputed = viewOf("disputed");
  const part = { ...disputed, payment: { ...disputed.payment, refundTotal: "12250000" } };
  assert.match(storyOf(ENGLISH.receipt, disputed).text, /^24\.50 USDC stay in the escrow\./);
  const { text, ways } = storyOf(ENGLISH.receipt, part);
  assert.match(text, /^12\.25 USDC stay in the escrow\. Neither side can take them alone\.$/);
  assert.deepEqual(
    ways.map(({ action }) => action),
    ["case", "release", "pay_out_sender"],
  );
});

test("§14.3 each movement has a line in the order of the times, and an end that both agreed says so", () => {
  const view = viewOf("partly-refunded");
  const [opened, first, agreedAt, last] = [atHour(26), atHour(20), atHour(30), atHour(40)];
  const released = atHour(50);
  const payment = { ...view.payment, outcome: "released_by_sender", disputedAt: opened, settledAt: released } as const;
  const told = [
    { total: "4500000", atMs: first.getTime() },
    // What a fork took back, and brought again.
    { total: "4500000", atMs: opened.getTime() },
    { total: "24500000", atMs: opened.getTime() },
  ];
  const refunds = draftRefunds({ ...payment, refundedAt: last }, told);
  assert.deepEqual(
    refunds.map(({ amount, at }) => [amount, at]),
    [
      ["4500000", first],
      ["7750000", last],
    ],
  );
  const { steps } = storyOf(ENGLISH.receipt, {
    ...view,
    payment,
    refunds,
    agreement: agreed({ agreedAt, executedAt: atHour(55) }),
  });
  assert.deepEqual(
    steps.map(({ title }) => title),
    [
      "You paid",
      "4.50 USDC went back to you",
      "You opened a dispute",
      "You both agreed",
      "7.75 USDC went back to you",
      "You released the money",
      "12.25 USDC went to Fernweh Coffee",
    ],
  );
  const said = ({ text }: (typeof steps)[number]) => (typeof text === "string" ? text : text.html);
  assert.ok(said(steps[3]!).includes(agreedAt.toISOString()) && !said(steps[3]!).includes(ENGLISH.receipt.agreedText));
  assert.equal(said(steps[5]!), ENGLISH.receipt.asAgreed, "the service found it later than the chain had it");
  assert.ok(said(steps[6]!).includes(released.toISOString()));
  const { decision } = viewOf("decided-split");
  const ruled = { ...view, payment: { ...view.payment, disputedAt: opened, settledAt: last, refundedAt: last } };
  const late = { ...ruled, decision: { ...decision!, ruledAt: new Date(last.getTime() + 5_000) } };
  assert.deepEqual(
    storyOf(ENGLISH.receipt, { ...late, refunds: [{ amount: "12250000", at: last }] })
      .steps.map(({ title }) => title)
      .slice(2, 4),
    ["The arbiter decided", "12.25 USDC went back to you"],
    "the clock of the ruling's block may be ahead",
  );
  const open = { ...viewOf("disputed"), refunds };
  open.payment = { ...open.payment, disputedAt: opened, amountRefunded: "12250000", refundTotal: "12250000" };
  assert.deepEqual(
    storyOf(ENGLISH.receipt, open)
      .steps.map(({ title }) => title)
      .slice(0, 5),
    [
      "You paid",
      "The shop sent a part back",
      "You opened a dispute",
      "The shop sent a part back",
      "Unless you both carry out an agreement, the arbiter decides",
    ],
  );
});

test("§14.3 a state that a fork may still take back is not final", () => {
  assert.equal(isFinal({ ...viewOf("settled"), isFinalized: false }), false);
});

test("§14.3 the steps end in the present one, or all are done", () => {
  for (const name of Object.keys(RECEIPT_VIEWS)) {
    const marks = tell(name).steps.map(({ mark }) => mark);
    assert.match(marks.join(" "), /^(done )*(done|now( now)?)( ahead)*$/, name);
  }
  const at = { ...viewOf("protected"), now: atHour(100) };
  assert.equal(storyOf(ENGLISH.receipt, at).clock?.until, at.payment.protectionDeadline);
});
