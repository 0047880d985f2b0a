import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PAYMENT_OUTCOMES } from "../../domain/terms.ts";
import { type Advanced, advance, draftDispute, mayWrite } from "./advance.ts";
import {
  agreementOf,
  type Dispute,
  OFFERS_MAX,
  SIDES,
  type Side,
  STATEMENTS_A_DAY_MAX,
  STATEMENTS_MAX,
} from "./dispute.ts";
import { aDispute, anOffer, OPENED_AT } from "./fixtures.ts";
import type { Happening } from "./happening.ts";
import { isAwaited } from "./question.ts";
import {
  ANSWER_MS_MAX,
  BEFORE_LAPSE_MS,
  DAY_MS,
  DEFAULT_WAITS,
  QUESTION_MS,
  QUESTIONS_MAX,
  REPLY_MS,
} from "./waits.ts";

const ANSWER_MS = DEFAULT_WAITS.answerDays * DAY_MS;
const DECIDE_MS = DEFAULT_WAITS.decideDays * DAY_MS;

const at = (ms: number) => new Date(OPENED_AT.getTime() + ms);
const must = (advanced: Advanced): Dispute => {
  assert.ok(advanced.ok, advanced.ok ? "" : advanced.reason);
  return advanced.dispute;
};
/** The dispute after these happenings, each at so many ms after the opening. */
const play = (...steps: readonly (readonly [ms: number, happening: Happening])[]): Dispute =>
  steps.reduce((dispute, [ms, happening]) => must(advance(dispute, happening, at(ms))), aDispute());
const reasonOf = (dispute: Dispute, happening: Happening, ms: number) => {
  const advanced = advance(dispute, happening, at(ms));
  return advanced.ok ? null : advanced.reason;
};
const clock: Happening = { kind: "clock" };
const says = (side: Side): Happening => ({ kind: "statement", side });

test("§4.18.3 a dispute begins with the merchant's turn; a word hands it over", () => {
  assert.deepEqual([aDispute().status, aDispute().turn], ["talking", "merchant"]);
  const answered = play([1, says("merchant")]);
  assert.equal(answered.turn, "buyer");
  assert.equal(play([1, says("merchant")], [2, { kind: "offer", offer: anOffer({ side: "buyer" }) }]).turn, "merchant");
});

test("§4.18.4 silence gives the dispute to the arbiter at answerBy, whose time runs from there", () => {
  const dispute = play([ANSWER_MS + 3 * DAY_MS, clock]);
  assert.deepEqual([dispute.status, dispute.turn], ["deciding", "arbiter"]);
  assert.deepEqual(dispute.decidingAt, at(ANSWER_MS));
  assert.deepEqual(dispute.decideBy, at(ANSWER_MS + DECIDE_MS));
});

test("§4.18.8 a side that has used up its texts leaves the other all of its own", () => {
  let dispute = aDispute();
  for (let count = 0; count < STATEMENTS_MAX; count++)
    dispute = must(advance(dispute, says("buyer"), at(Math.floor(count / STATEMENTS_A_DAY_MAX) * DAY_MS + count)));
  const later = (STATEMENTS_MAX / STATEMENTS_A_DAY_MAX) * DAY_MS;
  assert.equal(reasonOf(dispute, says("buyer"), later), "limit_reached");
  assert.equal(must(advance(dispute, says("merchant"), at(later))).merchantStatements, 1);
});

test("§4.18.4 a word in the last minute gives the other side 48 hours, never beyond fourteen days", () => {
  let dispute = play([ANSWER_MS - 1, says("merchant")]);
  assert.deepEqual(dispute.answerBy, at(ANSWER_MS - 1 + REPLY_MS));
  let side: Side = "buyer";
  while (dispute.answerBy < at(ANSWER_MS_MAX)) {
    dispute = must(advance(dispute, says(side), new Date(dispute.answerBy.getTime() - 1)));
    side = side === "buyer" ? "merchant" : "buyer";
  }
  assert.deepEqual(dispute.answerBy, at(ANSWER_MS_MAX));
  const last = must(advance(dispute, says(side), at(ANSWER_MS_MAX - 1)));
  assert.deepEqual(last.answerBy, at(ANSWER_MS_MAX));
  const other = side === "buyer" ? "merchant" : "buyer";
  // The other side answers once within 48 hours, although the arbiter holds the dispute.
  const answered = must(advance(last, says(other), at(ANSWER_MS_MAX + 1)));
  assert.equal(answered.status, "deciding");
  assert.equal(reasonOf(answered, says(other), ANSWER_MS_MAX + 2), "not_your_turn");
});

test("§4.18.4 a dispute that is found late leaves both sides 48 hours", () => {
  const late = must(
    advance(
      aDispute({ status: "paused", resumesAs: "talking" }),
      { kind: "landed_again", openedAt: OPENED_AT },
      at(9 * DAY_MS),
    ),
  );
  assert.deepEqual(late.answerBy, at(9 * DAY_MS + REPLY_MS));
});

test("§4.18.5 both sides ask for the arbiter, then he decides", () => {
  const asked = play([1, { kind: "arbiter_asked", side: "buyer" }]);
  assert.equal(asked.status, "talking");
  assert.equal(reasonOf(asked, { kind: "arbiter_asked", side: "buyer" }, 2), "already_asked");
  assert.equal(must(advance(asked, { kind: "arbiter_asked", side: "merchant" }, at(2))).status, "deciding");
});

test("§4.18.6 an agreement needs an offer and an acceptance; the merchant's refund comes first", () => {
  const agreed = play(
    [1, { kind: "offer", offer: anOffer() }],
    [2, { kind: "offer_accepted", side: "buyer", offer: "of-1" }],
  );
  assert.deepEqual([agreed.status, agreed.turn], ["agreed", "merchant"]);
  assert.deepEqual([agreed.agreement?.buyerSignedAt, agreed.agreement?.merchantGivenAt], [at(2), OPENED_AT]);
  const refunded = must(advance(agreed, { kind: "refund_bound", refundTotal: "400" }, at(3)));
  assert.equal(refunded.turn, "buyer");
  const closed = must(advance(refunded, { kind: "outcome_bound", outcome: "released_by_sender", at: at(4) }, at(4)));
  assert.deepEqual([closed.status, closed.agreement?.executedAt], ["closed", at(4)]);
});

test("§4.18.12 a dispute keeps the waits with which it began, also when it lands again after a fork", () => {
  const waits = { answerDays: 10, decideDays: 30, agreementDays: 3 };
  const begun = draftDispute(aDispute(), { ...aDispute(), openedAt: OPENED_AT }, at(1_000), waits);
  assert.deepEqual(begun.answerBy, at(10 * DAY_MS));
  const deciding = must(advance(begun, clock, at(10 * DAY_MS)));
  assert.deepEqual(deciding.decideBy, at(40 * DAY_MS));
  const offered = must(advance(begun, { kind: "offer", offer: anOffer() }, at(DAY_MS)));
  const agreed = must(advance(offered, { kind: "offer_accepted", side: "buyer", offer: "of-1" }, at(DAY_MS)));
  assert.deepEqual(agreementOf(agreed)!.until, at(4 * DAY_MS));
  const paused = must(advance(begun, { kind: "reverted" }, at(DAY_MS)));
  const again = must(advance(paused, { kind: "landed_again", openedAt: at(DAY_MS) }, at(DAY_MS)));
  assert.deepEqual(again.answerBy, at(11 * DAY_MS));
});

test("§4.18.6 an agreement fails after seven days; a second one is refused", () => {
  const failed = play(
    [1, { kind: "offer", offer: anOffer() }],
    [2, { kind: "offer_accepted", side: "buyer", offer: "of-1" }],
    [2 + 7 * DAY_MS, clock],
  );
  assert.deepEqual([failed.status, agreementOf(failed)], ["deciding", null]);
  const again = must(
    advance(
      failed,
      { kind: "offer", offer: anOffer({ id: "of-2", text: null, until: at(20 * DAY_MS) }) },
      at(8 * DAY_MS),
    ),
  );
  assert.equal(
    reasonOf(again, { kind: "offer_accepted", side: "buyer", offer: "of-2" }, 8 * DAY_MS),
    "agreement_failed",
  );
});

test("§4.18.6 an offer ends in its last moment, and a withdrawn one is not accepted", () => {
  const offered = play([1, { kind: "offer", offer: anOffer({ until: at(100) }) }]);
  assert.equal(reasonOf(offered, { kind: "offer_accepted", side: "buyer", offer: "of-1" }, 100), "offer_not_open");
  const withdrawn = must(advance(offered, { kind: "offer_withdrawn", side: "merchant", offer: "of-1" }, at(2)));
  assert.equal(reasonOf(withdrawn, { kind: "offer_accepted", side: "buyer", offer: "of-1" }, 3), "offer_not_open");
});

test("§4.18.6 an offer below what is bound to the buyer by now ends, for nobody can accept it, also after a fork", () => {
  const offers = SIDES.map((side, index) => anOffer({ id: `of-${index}`, side, total: ["400", "500"][index]! }));
  const bound = { kind: "refund_bound", refundTotal: "500" } as const;
  const refunded = must(advance(aDispute({ offers }), bound, at(1)));
  const statuses = (dispute: Dispute) => dispute.offers.map(({ status }) => status);
  assert.deepEqual(statuses(refunded), ["expired", "open"]);
  const ruled = must(advance(refunded, { kind: "outcome_bound", outcome: "resolved", at: at(2) }, at(2)));
  const resumed = must(advance(ruled, { kind: "outcome_reverted", isRuled: false }, at(3)));
  assert.deepEqual(statuses(resumed), ["expired", "open"]);
});

test("§4.18.7 a fork that takes back the opening pauses the dispute; it goes on with new clocks", () => {
  const paused = play([1, says("merchant")], [2, { kind: "reverted" }]);
  assert.deepEqual(
    [paused.status, paused.turn, paused.nextAt, paused.merchantStatements],
    ["paused", "nobody", null, 1],
  );
  assert.equal(reasonOf(paused, says("buyer"), 3), "paused");
  const again = must(advance(paused, { kind: "landed_again", openedAt: at(DAY_MS) }, at(DAY_MS)));
  assert.deepEqual([again.status, again.turn, again.answerBy], ["talking", "buyer", at(DAY_MS + ANSWER_MS)]);
});

test("§4.18.7 a fork that takes back the end gives the dispute back as it was", () => {
  const closed = play([1, { kind: "outcome_bound", outcome: "released_by_sender", at: at(1) }]);
  assert.equal(closed.status, "closed");
  const open = must(advance(closed, { kind: "outcome_reverted", isRuled: false }, at(2)));
  assert.deepEqual([open.status, open.closedAt, open.turn], ["talking", null, "merchant"]);
});

test("§4.18.7 a fork that takes back a ruling opens the offers again that it closed, unless they have ended since", () => {
  const offered = play([1, { kind: "offer", offer: anOffer({ id: "of-1", side: "merchant", until: at(DAY_MS) }) }]);
  const ruled = must(advance(offered, { kind: "outcome_bound", outcome: "resolved", at: at(2) }, at(2)));
  const statusAt = (ms: number) =>
    must(advance(ruled, { kind: "outcome_reverted", isRuled: false }, at(ms))).offers[0]!.status;
  assert.deepEqual([ruled.offers[0]!.status, statusAt(3), statusAt(DAY_MS)], ["expired", "open", "expired"]);
});

const side = fc.constantFrom<Side>("buyer", "merchant");
const offerId = fc.integer({ min: 1, max: 6 }).map((number) => `of-${number}`);
const happening = (ms: number): fc.Arbitrary<Happening> => {
  const now = at(ms);
  return fc.oneof(
    { weight: 6, arbitrary: side.map(says) },
    { weight: 1, arbitrary: fc.constant<Happening>({ kind: "opening", reason: "other", requestedTotal: "10" }) },
    {
      weight: 5,
      arbitrary: fc
        .record({
          id: offerId,
          side,
          total: fc.integer({ min: 0, max: 1_000 }).map(String),
          text: fc.constantFrom(null, "A sentence."),
          until: fc.integer({ min: 1, max: 20 * DAY_MS }).map((more) => new Date(now.getTime() + more)),
        })
        .map(
          (offer): Happening => ({
            kind: "offer",
            offer: anOffer({ ...offer, createdAt: now }),
          }),
        ),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          fc.constantFrom("offer_withdrawn" as const, "offer_declined" as const, "offer_accepted" as const),
          side,
          offerId,
        )
        .map(([kind, side, offer]): Happening => ({ kind, side, offer })),
    },
    { weight: 1, arbitrary: side.map((side): Happening => ({ kind: "arbiter_asked", side })) },
    { weight: 2, arbitrary: fc.constantFrom(null, ...SIDES).map((side): Happening => ({ kind: "question", side })) },
    { weight: 2, arbitrary: fc.constant(clock) },
    { weight: 1, arbitrary: fc.constant<Happening>({ kind: "reverted" }) },
    { weight: 2, arbitrary: fc.constant<Happening>({ kind: "landed_again", openedAt: now }) },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: 0, max: 1_000 })
        .map((total): Happening => ({ kind: "refund_bound", refundTotal: String(total) })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...PAYMENT_OUTCOMES)
        .map((outcome): Happening => ({ kind: "outcome_bound", outcome, at: now })),
    },
    { weight: 1, arbitrary: fc.constant<Happening>({ kind: "paid_out", at: now }) },
    { weight: 1, arbitrary: fc.constant<Happening>({ kind: "outcome_reverted", isRuled: false }) },
  );
};
const course = fc
  .array(fc.integer({ min: 0, max: 2 * DAY_MS }), { minLength: 1, maxLength: 40 })
  .map((steps) => {
    let ms = 0;
    return steps.map((step) => (ms += step));
  })
  .chain((times) => fc.tuple(...times.map((ms) => happening(ms).map((happens) => [ms, happens] as const))));

const OF_CHAIN: readonly Happening["kind"][] = [
  "reverted",
  "landed_again",
  "refund_bound",
  "outcome_bound",
  "outcome_reverted",
  "paid_out",
  "clock",
];

/** The rules that hold after every step, whatever came before. */
function check(before: Dispute, dispute: Dispute, happens: Happening, now: Date): void {
  const { openedAt, answerBy, decideBy, resolveBy, offers, status, turn } = dispute;
  assert.ok(answerBy.getTime() <= openedAt.getTime() + ANSWER_MS_MAX, "answerBy is within its bound");
  assert.ok(
    decideBy === null || decideBy.getTime() <= resolveBy.getTime() - BEFORE_LAPSE_MS,
    "decideBy is within its bound",
  );
  if (happens.kind !== "landed_again") {
    assert.ok(answerBy >= before.answerBy, "answerBy only grows");
    if (before.decideBy !== null && happens.kind !== "question")
      assert.deepEqual(decideBy, before.decideBy, "no side moves decideBy");
    if (before.decideBy !== null && happens.kind === "question") {
      const moved = Math.min(before.decideBy.getTime() + QUESTION_MS, resolveBy.getTime() - BEFORE_LAPSE_MS);
      assert.equal(decideBy!.getTime(), moved, "a question moves it by three days, also if it is past");
    }
    assert.deepEqual(openedAt, before.openedAt);
  }
  const { questions, questionUntil, buyerToAnswer, merchantToAnswer } = dispute;
  assert.ok(questions >= before.questions && questions <= QUESTIONS_MAX, "two questions at most");
  assert.ok(questionUntil !== null || !(buyerToAnswer || merchantToAnswer), "an answer has its time");
  assert.ok(questionUntil === null || questions > 0);
  if (happens.kind !== "landed_again" && questionUntil !== null)
    assert.ok(questionUntil.getTime() <= resolveBy.getTime() - BEFORE_LAPSE_MS, "no answer runs into the lapse");
  if (before.status === "closed" && status !== "closed")
    assert.ok(
      happens.kind === "outcome_reverted" || happens.kind === "reverted",
      "closed is final unless a fork undoes it",
    );
  if (before.status === "paused" && status !== "paused")
    assert.equal(happens.kind, status === "closed" ? "paid_out" : "landed_again");
  if (status === "decided" && before.status !== "decided") assert.equal(happens.kind, "outcome_bound");
  for (const one of ["buyer", "merchant"] as const) {
    assert.ok(dispute[`${one}Statements`] >= before[`${one}Statements`], "no statement is lost");
    assert.ok(dispute[`${one}Statements`] <= STATEMENTS_MAX && dispute[`${one}Offers`] <= OFFERS_MAX);
    assert.ok(dispute[`${one}OfDay`] <= STATEMENTS_A_DAY_MAX);
    assert.ok(
      offers.filter((offer) => offer.side === one && offer.status === "open").length <= 1,
      "one open offer a side",
    );
  }
  assert.ok(offers.length >= before.offers.length, "no offer is lost");
  if (before.agreement !== null) assert.equal(dispute.agreement?.offerId, before.agreement.offerId, "one agreement");
  if (status === "agreed") {
    const offer = offers.find(({ id }) => id === dispute.agreement?.offerId && dispute.agreement !== null);
    assert.ok(offer?.acceptedAt != null && offer.status === "accepted", "both sides are bound");
    if (before.status !== "agreed" && happens.kind !== "landed_again" && happens.kind !== "outcome_reverted")
      assert.equal(happens.kind, "offer_accepted");
  }
  assert.equal((["paused", "decided", "closed"] as const).includes(status as "paused"), turn === "nobody");
  assert.equal(dispute.resumesAs !== null, turn === "nobody");
  assert.equal(dispute.closedAt !== null, status === "closed");
  assert.ok((status !== "talking" && status !== "agreed") || dispute.nextAt !== null, "talking and agreed end by time");
  assert.equal(dispute.version, dispute === before ? before.version : before.version + 1);
  if (dispute.nextAt !== null && happens.kind === "clock")
    assert.ok(dispute.nextAt > now, "the clock leaves nothing due");
}

test("§13.22.5 a question gives both sides three days, and the arbiter as many; the clock ends it; a fork begins it anew", () => {
  const [begun, question] = [ANSWER_MS + DAY_MS, { kind: "question", side: null } as const];
  const statement = (side: Side): Happening => ({ kind: "statement", side });
  assert.equal(reasonOf(aDispute(), question, DAY_MS), "not_deciding");
  const asked = play([begun, question]);
  assert.deepEqual(
    [asked.status, asked.turn, asked.questionUntil, asked.nextAt, asked.decideBy],
    ["deciding", "merchant", at(begun + QUESTION_MS), at(begun + QUESTION_MS), at(ANSWER_MS + DECIDE_MS + QUESTION_MS)],
  );
  // Both may write, and again; neither uses up its one answer by it.
  const answered = play([begun, question], [begun + 1, statement("merchant")], [begun + 2, statement("merchant")]);
  assert.deepEqual([answered.turn, answered.merchantWroteLate], ["buyer", false]);
  const both = must(advance(answered, statement("buyer"), at(begun + 3)));
  assert.deepEqual([both.turn, both.questionUntil], ["arbiter", at(begun + QUESTION_MS)]);
  const over = must(advance(asked, clock, at(begun + QUESTION_MS)));
  assert.deepEqual([over.turn, over.questionUntil, over.nextAt], ["arbiter", null, null]);
  assert.equal(reasonOf(over, statement("buyer"), begun + QUESTION_MS), "not_your_turn");
  const twice = play([begun, question], [begun + 1, question]);
  assert.equal(reasonOf(twice, question, begun + 2), "limit_reached");
  const again = play(
    [begun, question],
    [begun + DAY_MS, { kind: "reverted" }],
    [begun + 9 * DAY_MS, { kind: "landed_again", openedAt: at(begun + 9 * DAY_MS) }],
  );
  assert.deepEqual([again.turn, again.questionUntil], ["merchant", at(begun + 9 * DAY_MS + QUESTION_MS)]);
  // A question to one side awaits that side alone; the other may write beside it.
  const [toBuyer] = [play([begun, { kind: "question", side: "buyer" }])];
  assert.deepEqual([toBuyer.turn, toBuyer.buyerToAnswer, toBuyer.merchantToAnswer], ["buyer", true, false]);
  const beside = must(advance(toBuyer, statement("merchant"), at(begun + 1)));
  assert.deepEqual([beside.turn, beside.merchantWroteLate], ["buyer", false]);
  // Its answer may allege what is new: the other side is awaited once, and the question's end stays.
  const alleged = must(advance(beside, statement("buyer"), at(begun + 2)));
  assert.deepEqual([alleged.turn, isAwaited(alleged, at(begun + 3))], ["merchant", true]);
  assert.equal(isAwaited(alleged, at(begun + QUESTION_MS)), false);
  const replied = must(advance(alleged, statement("merchant"), at(begun + 3)));
  assert.deepEqual([replied.turn, isAwaited(replied, at(begun + 3))], ["arbiter", false]);
  assert.equal(must(advance(replied, statement("buyer"), at(begun + 4))).turn, "arbiter");
  // Nobody is asked who cannot write any more.
  const silent = { ...play([begun, clock]), merchantStatements: 20 };
  const toMerchant = { kind: "question", side: "merchant" } as const;
  assert.equal(reasonOf(silent, toMerchant, begun), "limit_reached");
  assert.equal(reasonOf({ ...silent, buyerStatements: 20 }, question, begun), "limit_reached");
  assert.equal(must(advance(silent, question, at(begun))).turn, "buyer");
  const last = must(
    advance(must(advance(silent, { kind: "question", side: "buyer" }, at(begun))), statement("buyer"), at(begun + 1)),
  );
  assert.equal(last.turn, "arbiter", "the other has no word left");
  // Within the last fourteen days before the lapse nobody is asked: an answer could come too late for a decision.
  assert.equal(reasonOf(over, question, 77 * DAY_MS), "not_your_turn");
});

test("§4.18 whatever happens in whatever order, every rule holds, and the chain is never refused", () => {
  fc.assert(
    fc.property(course, (steps) => {
      let dispute = aDispute();
      for (const [index, [ms, happens]] of steps.entries()) {
        // An id is used once.
        const own: Happening =
          happens.kind === "offer"
            ? { kind: "offer", offer: { ...happens.offer, id: `of-${Math.min(index, 6)}-${index}` } }
            : happens;
        const renamed: Happening =
          "offer" in own && typeof own.offer === "string"
            ? ({
                ...own,
                offer: dispute.offers.findLast(({ status }) => status === "open")?.id ?? own.offer,
              } as Happening)
            : own;
        const advanced = advance(dispute, renamed, at(ms));
        if (!advanced.ok) {
          assert.ok(!OF_CHAIN.includes(happens.kind), `${happens.kind} is refused`);
          if (renamed.kind === "statement" && !["limit_reached", "daily_limit_reached"].includes(advanced.reason)) {
            const settled = must(advance(dispute, clock, at(ms)));
            assert.equal(mayWrite(settled, renamed.side, at(ms)), false);
          }
          continue;
        }
        check(dispute, advanced.dispute, renamed, at(ms));
        dispute = advanced.dispute;
      }
    }),
    { numRuns: 1_000 },
  );
});
