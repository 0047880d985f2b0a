import assert from "node:assert/strict";
import { test } from "node:test";
import {
  canWriteToo,
  dueOf,
  isDecisionLate,
  isOverdue,
  lastPartLeftAt,
  questionState,
  silentOn,
  statusLine,
  stepsOf,
  trackOf,
  unansweredBy,
  untilOf,
  writingUntil,
} from "./disputeStatus.ts";
import { ARBITER_TEXTS, BUYER_TEXTS, MERCHANT_TEXTS } from "./disputeTexts.ts";

const CLOCKS = {
  ...{ openedAt: 1, answerBy: 5, questionUntil: 8, decideBy: 14, resolveBy: 90 },
  ...{
    agreement: { until: 7 },
    decidingAt: 4,
    agreedAt: null,
    ruledAt: null,
    leftAt: null,
    isCarriedOut: false,
    now: 4,
  },
};

test("§13.20 the status line names the reader's turn or the other's, and what follows, in every state", () => {
  const line = { askedSide: null, hasFailed: false, isOverdue: false, isLapsed: false, canWrite: true } as const;
  for (const [facts, ofBuyer, ofMerchant] of [
    [{ status: "talking", turn: "buyer" }, ["yours", "yours"], ["others", "others"]],
    [{ status: "talking", turn: "buyer", canWrite: false }, ["yours", "spent"], ["others", "others"]],
    [{ status: "deciding", turn: "arbiter" }, ["arbiter", "arbiter"], ["arbiter", "arbiter"]],
    [{ status: "deciding", turn: "arbiter", hasFailed: true }, ["arbiter", "failed"], ["arbiter", "failed"]],
    [{ status: "deciding", turn: "arbiter", isOverdue: true }, ["overdue", "arbiter"], ["overdue", "arbiter"]],
    [
      { status: "deciding", turn: "arbiter", isOverdue: true, isLapsed: true, hasFailed: true },
      ["lapsed", "lapsed"],
      ["lapsed", "lapsed"],
    ],
    [{ status: "deciding", turn: "buyer" }, ["asked", "asked"], ["others", "othersAsked"]],
    [
      { status: "deciding", turn: "buyer", askedSide: "buyer" },
      ["asked", "askedAlone"],
      ["others", "othersAskedAlone"],
    ],
    [{ status: "deciding", turn: "buyer", askedSide: "merchant" }, ["yours", "reply"], ["others", "othersReply"]],
    [{ status: "agreed", turn: "buyer" }, ["agreedYours", "agreedYours"], ["agreedOthers", "agreedOthers"]],
    [
      { status: "agreed", turn: "buyer", endsWithLapse: true },
      ["agreedYours", "agreedYoursLast"],
      ["agreedOthers", "agreedOthersLast"],
    ],
    [{ status: "decided", turn: "nobody" }, ["decided", "decided"], ["decided", "decided"]],
    [{ status: "paused", turn: "nobody" }, ["paused", "paused"], ["paused", "paused"]],
    [{ status: "closed", turn: "nobody" }, ["closed", "closed"], ["closed", "closed"]],
  ] as const) {
    const read = (reader: "buyer" | "merchant") =>
      Object.values(statusLine({ ...line, endsWithLapse: false, ...facts, reader }));
    assert.deepEqual([read("buyer"), read("merchant")], [ofBuyer, ofMerchant], JSON.stringify(facts));
  }
  assert.match(BUYER_TEXTS.head.agreedYours, /Your release is next/);
  assert.match(MERCHANT_TEXTS.head.agreedYours, /Your refund is next/);
});

test("while a dispute is open, each text says what follows from silence, and the arbiter's own date is no promise", () => {
  for (const texts of [BUYER_TEXTS, MERCHANT_TEXTS]) {
    const { decided: _, paused: __, closed: ___, ...open } = texts.silence;
    for (const [key, text] of Object.entries(open)) assert.match(text, /the arbiter decides|goes back/i, key);
    assert.match(texts.head.arbiter, /is to decide by/);
    for (const step of ["decide", "decideElse", "decideLate"] as const) assert.match(texts.track[step].text, /^Due by/);
  }
});

test("without the title of a step, the lapse is said with its condition", () => {
  assert.match(ARBITER_TEXTS.lapse.ahead, /^If nobody decides by \{time\}, .* then /);
  assert.match(ARBITER_TEXTS.lapse.past, /^Nobody decided by \{time\}/);
});

test("beside a question to the other side, only a reader who can send a statement reads so", () => {
  const reading = { reader: "buyer", askedSide: null, hasFailed: false, isOverdue: false } as const;
  const ends = { isLapsed: false, endsWithLapse: false };
  for (const [status, turn, canWrite, isSaid] of [
    ["deciding", "merchant", true, true],
    ["deciding", "merchant", false, false],
    ["deciding", "buyer", true, false],
    ["deciding", "arbiter", true, false],
    ["talking", "merchant", true, false],
  ] as const)
    assert.equal(canWriteToo({ ...reading, ...ends, status, turn, canWrite }), isSaid, `${status} ${turn} ${canWrite}`);
  for (const [key, text] of Object.entries({ ...BUYER_TEXTS.silence, ...MERCHANT_TEXTS.silence }))
    if (key.startsWith("others")) assert.doesNotMatch(text, /[Yy]ou (may|can) write/, key);
});

test("no sentence promises a decision where none can come, nor that all goes as ruled: the shop may give back more", () => {
  const last = trackOf({ ...CLOCKS, status: "agreed", agreement: { until: 90 } }).map(({ step }) => step);
  assert.deepEqual(last, ["opened", "talked", "agreed", "lapse"]);
  for (const { silence } of [BUYER_TEXTS, MERCHANT_TEXTS]) {
    assert.doesNotMatch(`${silence.agreedYoursLast} ${silence.agreedOthersLast}`, /arbiter/);
    assert.doesNotMatch(silence.decided, /ruled|decided/);
  }
  assert.match(BUYER_TEXTS.files.follow, /for an hour, or until the shop answers/);
});

test("the chain's times tell when the last part left, and nothing before that, nor of what decided it", () => {
  const open = { amount: "1000", amountReleased: "0", amountRefunded: "0", settledAt: null, refundedAt: null };
  for (const [changes, at] of [
    [{}, null],
    [{ amountRefunded: "400", refundedAt: 4 }, null],
    [{ amountRefunded: "1000", refundedAt: 4 }, 4],
    [{ amountReleased: "1000", settledAt: 6 }, 6],
    [{ amountRefunded: "400", refundedAt: 4, amountReleased: "600", settledAt: 6 }, 6],
    [{ amountRefunded: "400", refundedAt: 8, amountReleased: "600", settledAt: 6 }, 8],
  ] as const) {
    const left = lastPartLeftAt({ ...open, ...changes } as unknown as Parameters<typeof lastPartLeftAt>[0]);
    assert.equal(left, at, JSON.stringify(changes));
  }
});

test("each state has the end of its own clock", () => {
  assert.deepEqual(
    (["talking", "deciding", "agreed", "decided", "paused", "closed"] as const).map((status) =>
      untilOf({ ...CLOCKS, status }, status === "deciding" ? "arbiter" : "buyer"),
    ),
    [5, 14, 7, null, null, null],
  );
  assert.equal(untilOf({ ...CLOCKS, status: "deciding" }, "buyer"), 8);
});

test("a decision is overdue once its date is past, while nobody but the arbiter is to act", () => {
  const deciding = { status: "deciding", decideBy: "2026-12-16" } as const;
  const read = (now: string, turn: "arbiter" | "buyer" = "arbiter") => isOverdue(deciding, turn, now);
  assert.deepEqual([read("2026-12-15"), read("2026-12-16"), read("2027-02-26", "buyer")], [false, true, false]);
  assert.equal(isOverdue({ ...deciding, status: "agreed" }, "arbiter", "2027-02-26"), false);
});

test("§13.22.5 a date that a late question moved into the past is past, and the answers end at their own time", () => {
  const moved = { status: "deciding", decideBy: 13, questionUntil: 23, agreement: null, resolveBy: 90 } as const;
  assert.deepEqual(
    [12, 13, 23].map((now) => dueOf(moved, now)),
    [
      ["lateQuestion", "ahead"],
      ["lateQuestion", "past"],
      ["own", "past"],
    ],
  );
  const agreed = { ...moved, status: "agreed", questionUntil: null } as const;
  assert.deepEqual(dueOf({ ...agreed, agreement: { until: 12 } }, 13), ["agreed", "past"]);
  assert.deepEqual(dueOf({ ...agreed, agreement: { until: 13 } }, 12), ["lateAgreement", "ahead"]);
  assert.equal(dueOf(moved, 90), null, "the chain lets nobody decide any more");
  const steps = trackOf({ ...CLOCKS, ...moved });
  const late = (now: number) => steps.filter((step) => isDecisionLate(step, now)).map(({ step }) => step);
  assert.deepEqual([late(12), late(20)], [[], ["decideLate"]]);
});

test("§13.22.5 once all who were asked have answered, both sides may write until the end of the question", () => {
  const answered = { status: "deciding", questionUntil: "2026-12-02" } as const;
  const read = (now: string, turn: "arbiter" | "buyer" = "arbiter", canBothWrite = true) =>
    writingUntil(answered, turn, { now, canBothWrite });
  assert.deepEqual(
    [read("2026-12-01"), read("2026-12-02"), read("2026-12-01", "buyer")],
    ["2026-12-02", null, null],
    "the end of a turn names it otherwise",
  );
  assert.equal(read("2026-12-01", "arbiter", false), null, "a side has used up its statements");
});

test("the dates of a dispute: what is past, what runs, and no date ahead once it has ended", () => {
  const steps = (
    status: Parameters<typeof trackOf>[0]["status"],
    ruledAt: number | null = null,
    isCarriedOut = false,
  ) =>
    trackOf({ ...CLOCKS, status, ruledAt, isCarriedOut, leftAt: 9 }).map(
      ({ step, state, at }) => `${step} ${state} ${at}`,
    );
  assert.deepEqual(steps("talking"), ["opened done 1", "talk now 5", "decide ahead 14", "lapse ahead 90"]);
  assert.deepEqual(steps("deciding"), ["opened done 1", "talked done 4", "decide now 14", "lapse ahead 90"]);
  // Talking has ended, and the arbiter does not decide unless the agreement fails.
  assert.deepEqual(steps("agreed"), [
    ...["opened done 1", "talked done 4", "agreed now 7"],
    ...["decideElse ahead 14", "lapse ahead 90"],
  ]);
  assert.deepEqual(steps("decided", 6), ["opened done 1", "talked done 4", "decided done 6"]);
  assert.deepEqual(steps("closed", 6), steps("decided", 6));
  assert.deepEqual(steps("closed"), ["opened done 1", "talked done 4", "ended done 9"]);
  assert.deepEqual(steps("closed", null, true), ["opened done 1", "talked done 4", "asAgreed done 9"]);
  const unpaid = trackOf({ ...CLOCKS, status: "closed" }).at(-1)!;
  assert.deepEqual([unpaid.step, unpaid.at], ["ended", null], "nobody knows when, while a part has yet to leave");
  const held = trackOf({ ...CLOCKS, status: "agreed", decideBy: 7 }).find(({ step }) => step === "decideElse")!;
  assert.equal(held.at, null, "the agreement cannot fail before that date");
  const late = trackOf({ ...CLOCKS, status: "deciding", decideBy: 7 }).find(({ state }) => state === "now")!;
  assert.deepEqual([late.step, late.at], ["decideLate", 7], "the question was asked late, and its answers end at 8");
  assert.deepEqual(steps("paused"), [], "its clocks begin anew");
  const lapsed = trackOf({ ...CLOCKS, status: "deciding", now: 90 }).slice(2);
  assert.deepEqual(lapsed, [{ step: "lapsed", state: "now", at: 90 }], "no decision and no lapse are ahead any more");
  const talked = (ends: Partial<Record<"decidingAt" | "agreedAt" | "leftAt", number>>) =>
    trackOf({ ...CLOCKS, decidingAt: null, status: "closed", ...ends } as Parameters<typeof trackOf<number>>[0])[1]!.at;
  assert.deepEqual([talked({ decidingAt: 5 }), talked({ agreedAt: 3 })], [5, 3], "at its time, or with an agreement");
  assert.equal(talked({ leftAt: 9 }), null, "the chain ended it, and does not tell when");
});

test("a question is open until its time, ends with a decision that comes before, and was answered by all who were asked", () => {
  const [early, late] = [new Date(1), new Date(2)];
  const ended = { openUntil: null, ruledAt: null, isAnswered: false, canBothWrite: true };
  assert.equal(questionState(late, { ...ended, openUntil: new Date(2), isAnswered: true }), "answeredOpen");
  const used = { ...ended, openUntil: new Date(2), isAnswered: true, canBothWrite: false };
  assert.equal(questionState(late, used), "answered");
  assert.equal(questionState(late, { ...ended, isAnswered: true }), "answered");
  assert.equal(questionState(late, { ...ended, openUntil: new Date(2) }), "open");
  for (const openUntil of [null, new Date(3)])
    assert.equal(questionState(late, { ...ended, openUntil }), "over", "another question is open, or none");
  assert.equal(questionState(late, { ...ended, ruledAt: early }), "decided");
  assert.equal(questionState(early, { ...ended, ruledAt: late }), "over");
  assert.equal(questionState(late, { ...ended, ruledAt: early, isAnswered: true }), "answered");
});

test("whoever was asked and did not write in time is named once the question has ended", () => {
  const question = { askedSide: null, askedAt: new Date(1), until: new Date(5) };
  const written = (...all: [side: string, at: number][]) => all.map(([side, at]) => ({ side, at: new Date(at) }));
  for (const [askedSide, words, silent] of [
    [null, written(["buyer", 2], ["merchant", 5]), null],
    [null, written(["buyer", 2], ["merchant", 6]), "merchant"],
    [null, written(["buyer", 1]), "both"],
    ["buyer", written(["buyer", 2]), null],
    ["buyer", written(["merchant", 2]), "buyer"],
  ] as const) {
    const asked = { ...question, askedSide };
    assert.equal(unansweredBy(asked, words), silent);
    for (const endedAt of [null, new Date(5), new Date(6)])
      assert.equal(silentOn(asked, words, { now: new Date(7), endedAt }), silent);
    assert.equal(silentOn(asked, words, { now: new Date(4), endedAt: null }), null, "it can still be answered");
    assert.equal(
      silentOn(asked, words, { now: new Date(7), endedAt: new Date(4) }),
      null,
      "nobody could until its end",
    );
  }
});

test("an agreement on all of the amount needs no release, and one on what is bound already no refund", () => {
  const bound = { amount: "1000", refundTotal: "400" };
  assert.deepEqual(
    ["1000", "700", "400"].map((total) => stepsOf(total, bound)),
    ["refund", "both", "release"],
  );
});
