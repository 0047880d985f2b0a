import assert from "node:assert/strict";
import { test } from "node:test";
import { agreedTotal } from "@holdfast/ui/disputeStatus.ts";
import type { DisputeAction, DisputeOffer, DisputeWithTexts } from "../api/schema.ts";
import {
  acceptable,
  answerOnceUntil,
  barOf,
  buyersWish,
  dueOf,
  entriesOf,
  hasAsked,
  isBareOffer,
  isSpent,
  missingOf,
  parseTotal,
  stepsOf,
  trackOf,
  wordsOf,
} from "./dispute.ts";

const at = (day: number): string => `2026-11-${String(day).padStart(2, "0")}T09:00:00.000Z`;
const anOffer = (changes: Partial<DisputeOffer>): DisputeOffer => ({
  id: "of_1",
  by: "buyer",
  total: "18500000",
  text: null,
  until: at(28),
  status: "open",
  createdAt: at(24),
  ...changes,
});
const action = (name: DisputeAction["action"], by: DisputeAction["by"] = "merchant"): DisputeAction => ({
  action: name,
  by,
  until: null,
  otherwise: "nothing",
});
const aDispute = (changes: Partial<DisputeWithTexts>): DisputeWithTexts => ({
  object: "dispute",
  questions: [],
  decidingAt: null,
  usualOutcome: null,
  ownArbiter: false,
  id: "dp_test_1",
  environment: "test",
  payment: "payment",
  intent: "pi_test_1",
  merchantReference: "Order 1042",
  status: "talking",
  reason: "not_as_described",
  requestedTotal: null,
  openedAt: at(23),
  turn: "merchant",
  answerBy: at(28),
  decideBy: null,
  questionUntil: null,
  failedAgreement: null,
  resolveBy: at(30),
  offers: [],
  statements: [],
  agreement: null,
  files: [],
  decision: null,
  closedAt: null,
  erasedAt: null,
  createdAt: at(23),
  nextActions: [],
  ...changes,
});
const agreement = {
  offer: "of_1",
  total: "1",
  refundTotal: "0",
  until: at(29),
  buyer: at(24),
  merchant: at(25),
  executes: ["refund", "release"] as const,
};
/** The arbiter's question is open. */
const asked = { status: "deciding", decideBy: at(29), questionUntil: at(27) } as const;
const toBuyer = [
  { number: 1, text: "When?", askedSide: "buyer", askedAt: at(24), until: at(27), erasedAt: null },
] as const;

const failedAgreement = { total: "1", agreedAt: at(25), until: at(27), failedAt: at(27) };

test("the bar reads the dispute as its merchant does: who was asked last, an agreement that failed, one answer more", () => {
  const deciding = { status: "deciding", turn: "arbiter", decideBy: at(29) } as const;
  for (const [changes, head, until, silence] of [
    [{ nextActions: [action("write")] }, "yours", at(28), "yours"],
    [{}, "yours", at(28), "spent"],
    [{ ...deciding, resolveBy: at(28) }, "lapsed", at(29), "lapsed"],
    [{ ...deciding, failedAgreement }, "arbiter", at(29), "failed"],
    [{ ...asked, turn: "merchant" }, "asked", at(27), "asked"],
    [{ ...asked, turn: "merchant", questions: toBuyer }, "yours", at(27), "reply"],
    [{ status: "agreed", turn: "merchant", agreement }, "agreedYours", at(29), "agreedYours"],
  ] as const)
    assert.deepEqual(barOf(aDispute(changes), at(28)), { head, until, silence, canWriteToo: false });
  const others = (by: "buyer" | "merchant") =>
    barOf(aDispute({ ...asked, turn: "buyer", nextActions: [action("write", by)] }), at(26)).canWriteToo;
  assert.deepEqual([others("merchant"), others("buyer")], [true, false]);
  assert.equal(barOf(aDispute(deciding), at(29)).head, "overdue");
  const writes = (until: string) => ({ nextActions: [{ ...action("write"), until }] });
  assert.equal(answerOnceUntil(aDispute({ ...deciding, ...writes(at(26)) }), "merchant"), at(26));
  assert.equal(answerOnceUntil(aDispute({ ...deciding, ...writes(at(26)) }), "buyer"), null);
  const open = { ...asked, turn: "arbiter", ...writes(at(27)) } as const;
  assert.equal(answerOnceUntil(aDispute(open), "merchant"), null, "both may write while a question is open");
});

test("a step of the agreement is next, and nothing but its total is refunded, only while the dispute stands at it", () => {
  const holds = aDispute({ status: "agreed", agreement });
  assert.deepEqual([stepsOf(holds), agreedTotal(holds)], [["refund", "release"], "1"]);
  const missing = ([["refund", "release"], ["refund"], ["release"], []] as const).map((executes) =>
    missingOf(aDispute({ status: "agreed", agreement: { ...agreement, executes: [...executes] } })),
  );
  assert.deepEqual(missing, ["both", "refund", "release", null]);
  for (const status of ["paused", "decided", "closed"] as const) {
    const ended = aDispute({ status, agreement });
    assert.deepEqual([stepsOf(ended), agreedTotal(ended), missingOf(ended)], [[], null, null], status);
  }
});

const UNPAID = { amount: "1000", amountReleased: "0", amountRefunded: "0", settledAt: null, refundedAt: null };
test("a dispute that has ended shows when the last part left, not when the service found it", () => {
  const closed = aDispute({ status: "closed", turn: "nobody", closedAt: at(29) });
  const endOf = (payment: Parameters<typeof trackOf>[1]) => trackOf(closed, payment, null).at(-1)?.at;
  assert.equal(endOf(UNPAID), null);
  assert.equal(endOf({ ...UNPAID, amountReleased: "1000", settledAt: at(26) }), at(26));
});

test("the merchant has sent all statements with the twentieth, and answers by a file as well, not by a bare offer", () => {
  const statement = { number: 1, by: "merchant", text: "x", createdAt: at(24), erasedAt: null } as const;
  const sent = (count: number) => aDispute({ statements: Array.from({ length: count }, () => statement) });
  assert.deepEqual([isSpent(sent(19)), isSpent(sent(20))], [false, true]);
  const file = { side: "merchant", createdAt: at(25) } as DisputeWithTexts["files"][number];
  const said = wordsOf(aDispute({ offers: [anOffer({})], files: [file] }));
  assert.deepEqual(said, [{ side: "merchant", at: at(25) }]);
});

test("an agreement ends the talking at its own time, also once it has failed", () => {
  const talkedUntil = (changes: Partial<DisputeWithTexts>) =>
    trackOf(aDispute(changes), UNPAID, null).find(({ step }) => step === "talked")?.at;
  const deciding = { status: "deciding", turn: "arbiter", decidingAt: at(29), decideBy: at(30) } as const;
  assert.equal(talkedUntil({ status: "agreed", agreement }), at(25));
  assert.equal(talkedUntil(deciding), at(28));
  assert.equal(talkedUntil({ ...deciding, failedAgreement }), at(25));
});

test("the desk keeps apart what the buyer demanded and would take, and an offer from words", () => {
  const offers = [anOffer({})];
  assert.deepEqual(buyersWish({ requestedTotal: "24500000", offers }), { asked: "24500000", takes: "18500000" });
  assert.deepEqual(
    [null, "Half?"].map((text) => entriesOf(aDispute({ offers: [anOffer({ text })] })).map(isBareOffer)),
    [[true], [false]],
  );
});

test("a side has asked for the arbiter only while talking goes on, which its request does not end", () => {
  const asks = [action("ask_arbiter"), action("ask_arbiter", "buyer")] as const;
  const asked = [asks, asks.slice(0, 1), []].map((nextActions) => hasAsked(aDispute({ nextActions }), "buyer"));
  assert.deepEqual(asked, [false, true, true]);
  assert.equal(hasAsked(aDispute({ status: "deciding" }), "buyer"), false);
});

test("the buyer's offer can be accepted only if the service says that the merchant can", () => {
  const offers = [anOffer({ status: "replaced" }), anOffer({ id: "of_2" })];
  assert.equal(acceptable(aDispute({ offers, nextActions: [action("accept_offer")] }))?.id, "of_2");
  assert.equal(acceptable(aDispute({ offers, nextActions: [action("accept_offer", "buyer")] })), null);
});

test("statements, offers and questions stand in the order in which they were sent", () => {
  const statements = [24, 26].map((day, number) => ({
    number,
    by: "merchant" as const,
    text: "x",
    createdAt: at(day),
    erasedAt: null,
  }));
  const offers = [anOffer({ createdAt: at(25) })];
  const questions = [{ number: 1, text: "When?", askedSide: null, askedAt: at(27), until: at(30), erasedAt: null }];
  assert.deepEqual(
    entriesOf(aDispute({ statements, offers, questions })).map(({ kind }) => kind),
    ["statement", "offer", "statement", "question"],
  );
});

test("a dispute of the list is due by its status", () => {
  const due = (changes: Partial<DisputeWithTexts>) =>
    dueOf({ ...aDispute(changes), statements: { buyer: 0, merchant: 0 }, files: { buyer: 0, merchant: 0 } });
  assert.deepEqual(
    [
      due({}),
      due({ status: "deciding", turn: "arbiter", decideBy: at(29) }),
      due({ ...asked, turn: "merchant" }),
      due({ status: "agreed", agreement }),
      due({ status: "closed", closedAt: at(27) }),
    ],
    [at(28), at(29), at(27), at(29), at(27)],
  );
});

test("the total of an offer is between what went back already and the whole amount", () => {
  const money = { amount: "24500000", refundTotal: "5000000" };
  for (const [text, total] of [
    ["5", "5000000"],
    ["24.50", "24500000"],
    ["4.999999", null],
    ["24.500001", null],
    ["5.0000001", null],
    ["1e1", null],
    ["-5", null],
    ["", null],
  ] as const)
    assert.equal(parseTotal(text, 6, money), total, text);
  assert.equal(parseTotal("0", 6, { ...money, refundTotal: "0" }), "0");
});
