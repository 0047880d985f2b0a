import assert from "node:assert/strict";
import { test } from "node:test";
import { CASE_VIEWS } from "../../../../tests/e2e/caseViews.ts";
import { RECEIPT_VIEWS } from "../../../../tests/e2e/receiptViews.ts";
import { renderPage } from "../../../edge/html/page.ts";
import { STATEMENTS_MAX } from "../../disputes/dispute.ts";
import { aDispute, anOffer, NO_FACTS, OPENED_AT } from "../../disputes/fixtures.ts";
import { draftRuling } from "../../disputes/ruling.ts";
import { ENGLISH } from "../languages/english.ts";
import { disputeFormPage } from "../receipt/disputeForm.ts";
import { receiptPage } from "../receipt/document.ts";
import { casePage, showAgreement } from "./document.ts";
import { showForms } from "./forms.ts";
import { showTalk } from "./talk.ts";
import { showLook, showTurn } from "./turn.ts";

const receipt = RECEIPT_VIEWS.disputed!;
const talkOf = (dispute: ReturnType<typeof aDispute>, text: string | null = null): string => {
  const statements =
    text === null ? [] : [{ number: 1, side: "merchant", text, createdAt: OPENED_AT, erasedAt: null } as const];
  return showTalk(ENGLISH.dispute, receipt, { dispute, statements, ...NOTHING }, (amount) => amount).html;
};
const turnOf = (dispute: ReturnType<typeof aDispute>, askedSide: "buyer" | "merchant" | null = null): string =>
  showTurn(ENGLISH.dispute, dispute, OPENED_AT, { askedSide, inWords: (amount) => amount, payment: receipt.payment })
    .html;
const NOTHING = { files: [], questions: [], ...NO_FACTS } as const;
const isWarned = (page: string) => page.includes(ENGLISH.dispute.releaseAsked);

test("a shop that asks to be paid first is answered by a warning, in a statement and in the sentence of an offer", () => {
  for (const text of [
    "Release it, then we refund.",
    "Please withdraw the dispute first.",
    "Rel\u200bease the money first.",
    "Ｒelease it.",
  ]) {
    assert.ok(isWarned(talkOf(aDispute(), text)), text);
    assert.ok(isWarned(talkOf(aDispute({ offers: [anOffer({ side: "merchant", text })] }))), `offer: ${text}`);
  }
  assert.ok(!isWarned(talkOf(aDispute(), "It is on its way.")));
});

test("§17.6 an erased statement says since when", () => {
  const erasedAt = new Date(OPENED_AT.getTime() + 1_000);
  const statements = [{ number: 1, side: "merchant", text: null, createdAt: OPENED_AT, erasedAt } as const];
  const page = showTalk(
    ENGLISH.dispute,
    receipt,
    { dispute: aDispute(), statements, ...NOTHING },
    (amount) => amount,
  ).html;
  assert.ok(page.includes("Erased on") && page.includes(erasedAt.toISOString()), page);
  assert.doesNotMatch(page, /null|class="text"/);
});

test("a question of the arbiter stands among the texts, escaped, with the time until which both can answer", () => {
  const until = new Date(OPENED_AT.getTime() + 3 * 86_400_000);
  const questions = [{ number: 1, text: "<b>When</b>?", askedSide: null, askedAt: OPENED_AT, until, erasedAt: null }];
  const dispute = aDispute({ status: "deciding", turn: "buyer", decideBy: until, questionUntil: until });
  const content = { dispute, statements: [], ...NOTHING, questions };
  const page = showTalk(ENGLISH.dispute, receipt, content, (amount) => amount).html;
  assert.ok(page.includes("&lt;b&gt;When&lt;/b&gt;?") && page.includes("It can be answered until"), page);
  assert.ok(page.includes(until.toISOString()));
  const turn = turnOf(dispute);
  assert.ok(turn.includes(ENGLISH.dispute.silence.asked) && turn.includes(until.toISOString()), turn);
});

test("a date that a late question moved into the past reads as past", () => {
  const [decideBy, questionUntil] = [-7, 3].map((days) => new Date(OPENED_AT.getTime() + days * 86_400_000));
  const asked = aDispute({
    status: "deciding",
    decidingAt: OPENED_AT,
    decideBy: decideBy!,
    questionUntil: questionUntil!,
  });
  assert.match(turnOf(asked), /<span>Was due by <time/);
});

test("no side reads that both can write once one has used up its statements", () => {
  const until = new Date(OPENED_AT.getTime() + 3 * 86_400_000);
  const answered = { status: "deciding", turn: "arbiter", questionUntil: until, decideBy: until } as const;
  const said = ENGLISH.dispute.bothWrite.split("{time}")[0]!;
  const isSaid = [{}, { buyerStatements: STATEMENTS_MAX }, { merchantStatements: STATEMENTS_MAX }].map((used) =>
    turnOf(aDispute({ ...answered, ...used })).includes(said),
  );
  assert.deepEqual(isSaid, [true, false, false]);
});

test("no side reads that it can write once it has used up its statements, and its form says so", () => {
  const until = new Date(OPENED_AT.getTime() + 3 * 86_400_000);
  const { writeToo, silence, cannotWrite } = ENGLISH.dispute;
  const asked = { status: "deciding", turn: "merchant", questionUntil: until, merchantToAnswer: true } as const;
  const used = { reason: "other", buyerStatements: STATEMENTS_MAX } as const;
  for (const askedSide of [null, "merchant", "buyer"] as const) {
    const [free, spent] = [{}, used].map((changed) => turnOf(aDispute({ ...asked, ...changed }), askedSide));
    assert.ok(free!.includes(writeToo) && !spent!.includes(writeToo), spent);
    assert.doesNotMatch(spent!, /[Yy]ou (may|can) write|You have answered it/);
  }
  const yours = turnOf(aDispute({ ...used, turn: "buyer" }));
  assert.ok(yours.includes(silence.spent) && !yours.includes(silence.yours), yours);
  const once = { status: "deciding", turn: "arbiter", lastWordBy: "merchant" } as const;
  assert.match(turnOf(aDispute({ ...once, reason: "other" })), /You can still write once/);
  assert.doesNotMatch(turnOf(aDispute({ ...once, ...used })), /You can still write once/);
  for (const changed of [asked, once, { turn: "buyer" }] as const) {
    const forms = showForms(ENGLISH.dispute, receipt, {
      ...{ dispute: aDispute({ ...changed, ...used }), statements: [] },
      ...NOTHING,
    })!.html;
    assert.doesNotMatch(forms, /data-form="statement"/);
    assert.ok(forms.includes(silence.spent) && !forms.includes(cannotWrite), forms);
  }
});

test("once nobody can decide any more, no side reads that the arbiter decides, nor is asked to write or offer", () => {
  const { resolveBy } = aDispute();
  const overdue = aDispute({ status: "deciding", turn: "arbiter", decidingAt: OPENED_AT, decideBy: OPENED_AT });
  const said = (now: Date) =>
    showTurn(ENGLISH.dispute, overdue, now, { inWords: (amount) => amount, payment: receipt.payment }).html;
  const { arbiter, lapsed } = ENGLISH.dispute.silence;
  assert.ok(said(OPENED_AT).includes(arbiter) && !said(OPENED_AT).includes(lapsed));
  assert.ok(said(resolveBy).includes(lapsed) && !said(resolveBy).includes(arbiter), said(resolveBy));
  const { head, track } = ENGLISH.dispute;
  assert.ok(said(resolveBy).includes(head.lapsed) && said(resolveBy).includes(track.lapsed.title));
  assert.doesNotMatch(said(resolveBy), /The arbiter|If nobody decides/);
  const formsAt = (now: Date) =>
    showForms(ENGLISH.dispute, { ...receipt, now }, { dispute: overdue, statements: [], ...NOTHING });
  assert.ok(formsAt(OPENED_AT) !== null);
  assert.equal(formsAt(resolveBy), null);
});

test("an offer without a sentence answers no question, and a file does", () => {
  const [askedAt, until] = [OPENED_AT, new Date(OPENED_AT.getTime() + 3 * 86_400_000)];
  const questions = [{ number: 1, text: "When?", askedSide: "merchant" as const, askedAt, until, erasedAt: null }];
  const createdAt = new Date(OPENED_AT.getTime() + 1_000);
  const file = { ...CASE_VIEWS.talking!.facts.content!.files[0]!, side: "merchant", createdAt } as const;
  const isAnswered = (offers: ReturnType<typeof anOffer>[], files: (typeof file)[] = []) => {
    const dispute = aDispute({ status: "deciding", questionUntil: until, offers });
    const content = { dispute, statements: [], ...NOTHING, questions, files };
    return showTalk(ENGLISH.dispute, receipt, content, (amount) => amount).html.includes("It was answered.");
  };
  const offer = (text: string | null) => anOffer({ side: "merchant", createdAt, text });
  assert.deepEqual([isAnswered([offer(null)]), isAnswered([offer("On Monday.")])], [false, true]);
  assert.equal(isAnswered([], [file]), true);
});

test("the form of an offer says that a new one replaces the open one, if there is one", () => {
  const { replaces } = ENGLISH.dispute.offering;
  const isSaid = [
    [],
    [anOffer({ side: "buyer" })],
    [anOffer({ side: "buyer", status: "withdrawn" })],
    [anOffer({ side: "merchant" })],
  ].map((offers) =>
    showForms(ENGLISH.dispute, receipt, {
      dispute: aDispute({ reason: "other", offers }),
      statements: [],
      ...NOTHING,
    })!.html.includes(replaces),
  );
  assert.deepEqual(isSaid, [false, true, false, false]);
});

test("a dispute that was released shows the time at which the money left, and none while a part has yet to leave", () => {
  const found = new Date(OPENED_AT.getTime() + 9 * 86_400_000);
  const settledAt = new Date(OPENED_AT.getTime() + 86_400_000);
  const ended = aDispute({ status: "closed", resumesAs: "talking", turn: "nobody", closedAt: found });
  const track = (payment: typeof receipt.payment) =>
    showTurn(ENGLISH.dispute, ended, found, { inWords: (amount) => amount, payment }).html.split("<ol")[1]!;
  const due = track(receipt.payment);
  assert.ok(due.includes(ENGLISH.dispute.track.ended.title) && !due.includes(found.toISOString()), due);
  const left = track({ ...receipt.payment, amountReleased: receipt.payment.amount, settledAt });
  assert.ok(left.includes(settledAt.toISOString()) && !left.includes(found.toISOString()), left);
  assert.doesNotMatch(left, /Talking ended<\/b><span><time/, "the chain does not tell when it was released");
});

test("a case that has ended names no date ahead, and the time of the ruling only if there is one", () => {
  const ended = aDispute({ status: "closed", resumesAs: "talking", turn: "nobody", closedAt: OPENED_AT });
  const [lapse, decide, decided] = (["lapse", "decide", "decided"] as const).map(
    (step) => ENGLISH.dispute.track[step].title,
  );
  const released = turnOf(ended);
  for (const text of [lapse, decide, decided]) assert.ok(!released.includes(text!), text);
  const paused = turnOf(aDispute({ status: "paused", turn: "nobody" }));
  assert.ok(paused.includes(ENGLISH.dispute.silence.paused) && !/<time|frozen/.test(paused), "its clocks begin anew");
  const ruledAt = new Date(OPENED_AT.getTime() + 86_400_000);
  const transaction = { signature: "ruling-1", slot: 7, ruledAt };
  const landed = {
    payment: "payment-1",
    arbiter: "arbiter-1",
    total: "400",
    memo: { kind: "none", text: null } as const,
  };
  const ruled = { ...ended, ruling: draftRuling(ended, landed, null, transaction) };
  const page = turnOf(ruled);
  assert.ok(page.includes(decided!) && page.includes(ruledAt.toISOString()) && !page.includes(lapse!), page);
});

test("§13.22.7 each reason of a dispute that was opened elsewhere has its usual outcome, escaped", () => {
  const view = { ...receipt, usualOutcomes: { paid_twice: "One payment <b>goes back</b>." } };
  const page = showForms(ENGLISH.dispute, view, { dispute: aDispute(), statements: [], ...NOTHING })!.html;
  const pick = /value="paid_twice">.*?<\/label>/.exec(page)![0];
  assert.ok(pick.includes("One payment &lt;b&gt;goes back&lt;/b&gt;."), pick);
  assert.equal(page.split(ENGLISH.dispute.usualOutcome).length, 2, "no other reason has one");
});

test("§16.5 what moves now comes first, then the total, in an offer, its acceptance and an agreement", () => {
  const inWords = (amount: string) => `${amount} USDC`;
  const dispute = aDispute({ refundTotal: "100", offers: [anOffer({ side: "merchant" })] });
  const statements = { statements: [], ...NOTHING };
  const page = showTalk(ENGLISH.dispute, receipt, { dispute, ...statements }, inWords).html;
  const gain = ENGLISH.dispute.gain("300 USDC", "400 USDC");
  assert.equal(gain, "300 USDC more (400 USDC in all)");
  assert.ok(page.includes(`<b class="num" dir="ltr">${gain}</b>`) && page.includes(ENGLISH.dispute.accept(gain)), page);
  const forms = showForms(ENGLISH.dispute, RECEIPT_VIEWS["disputed-part-sent"]!, { dispute, ...statements })!.html;
  assert.ok(forms.includes(ENGLISH.dispute.wantMore("12.25 USDC")), forms);
  const agreed = (refundTotal: string) => {
    const agreement = { ...AGREEMENT, total: "400", failedAt: null };
    const content = { dispute: aDispute({ status: "agreed", refundTotal, agreement }), ...statements };
    return showAgreement(ENGLISH.dispute, content, inWords)!.html;
  };
  assert.ok(agreed("100").includes(ENGLISH.dispute.agreed(gain)));
  assert.ok(agreed("400").includes(ENGLISH.dispute.agreed(ENGLISH.dispute.had("400 USDC"))));
  assert.ok(agreed("0").includes(ENGLISH.dispute.agreed("400 USDC")));
});

test("§13.22.5 a question to both sides names both as asked, and ends with the decision", () => {
  const [askedAt, until] = [OPENED_AT, new Date(OPENED_AT.getTime() + 3 * 86_400_000)];
  const questions = [{ number: 1, text: "When?", askedSide: null, askedAt, until, erasedAt: null }];
  const asked = { status: "deciding", decidingAt: OPENED_AT, questionUntil: until, decideBy: until } as const;
  const both = aDispute({ ...asked, turn: "merchant", buyerToAnswer: true, merchantToAnswer: true });
  assert.ok(turnOf(both).includes("The arbiter asks you") && turnOf(both).includes(ENGLISH.dispute.silence.asked));
  const shop = turnOf({ ...both, buyerToAnswer: false });
  assert.ok(shop.includes("The shop’s turn") && shop.includes(ENGLISH.dispute.silence.othersAsked), shop);
  assert.ok(!shop.includes(both.answerBy.toISOString()), shop);
  assert.match(shop, /<b>Talking ended<\/b><span><time/, "it ended at that time, and not until then");
  const ruledAt = new Date(OPENED_AT.getTime() + 60_000);
  const landed = {
    ...{ payment: "payment-1", arbiter: "arbiter-1" },
    total: "400",
    memo: { kind: "none", text: null },
  } as const;
  const ended = { ...both, status: "closed", closedAt: ruledAt } as const;
  const ruling = draftRuling(ended, landed, null, { signature: "ruling-1", slot: 7, ruledAt });
  const talked = (dispute: typeof both, now: Date) =>
    showTalk(
      ENGLISH.dispute,
      { ...receipt, now },
      { dispute, statements: [], ...NOTHING, questions },
      (amount) => amount,
    ).html;
  assert.ok(talked(both, OPENED_AT).includes("It can be answered until"));
  const silent = ENGLISH.dispute.unanswered.both;
  assert.ok(!talked(both, OPENED_AT).includes(silent));
  const unanswered = talked({ ...both, questionUntil: null }, until);
  assert.ok(unanswered.includes("It could be answered until") && unanswered.includes(silent), unanswered);
  const answered = { ...both, turn: "arbiter", buyerToAnswer: false, merchantToAnswer: false } as const;
  assert.match(turnOf(answered), /both of you can write until <time[^>]*2026-/);
  const over = talked({ ...ended, ruling }, ruledAt);
  assert.ok(over.includes("The question ended with the decision on") && !over.includes(silent), over);
  const alone = turnOf({ ...both, buyerToAnswer: false }, "merchant");
  assert.ok(alone.includes(ENGLISH.dispute.silence.othersAskedAlone) && !alone.includes("both of you"), alone);
  const reply = turnOf({ ...both, merchantToAnswer: false, turn: "buyer" }, "merchant");
  assert.ok(reply.includes("Your turn") && reply.includes("The shop has answered"), reply);
});

const AGREEMENT = {
  ...{ businessId: "biz_1", disputeId: "dp_1", offerId: "of-0", total: "5", until: OPENED_AT },
  ...{ buyerSignedAt: OPENED_AT, merchantGivenAt: OPENED_AT, agreedAt: OPENED_AT },
  ...{ failedAt: OPENED_AT, executedAt: null },
};

test("nobody is asked to sign what the rules refuse: an offer after an agreement that failed, a text out of turn", () => {
  const offers = [anOffer({ side: "merchant" })];
  assert.match(talkOf(aDispute({ status: "deciding", offers })), /data-case="accept"/);
  assert.ok(turnOf(aDispute({ status: "deciding", offers })).includes(ENGLISH.dispute.offered("400")));
  const agreement = AGREEMENT;
  assert.doesNotMatch(talkOf(aDispute({ status: "deciding", offers, agreement })), /data-case="accept"/);
  const content = { dispute: aDispute({ status: "deciding", agreement }), statements: [], ...NOTHING };
  const failed = showAgreement(ENGLISH.dispute, content, (amount) => `${amount} USDC`)!.html;
  assert.ok(failed.includes("5 USDC") && failed.includes(agreement.until.toISOString()), failed);
  const formsOf = (dispute: ReturnType<typeof aDispute>) =>
    showForms(ENGLISH.dispute, receipt, { dispute, statements: [], ...NOTHING })!.html;
  const deciding = formsOf(aDispute({ status: "deciding", lastWordBy: "buyer" }));
  assert.doesNotMatch(deciding, /data-form="opening"|offer-text/);
  assert.ok(deciding.includes(ENGLISH.dispute.cannotWrite), "the forms do not vanish without a word");
  const turn = turnOf(aDispute({ status: "deciding", lastWordBy: "buyer", offers: [anOffer({ side: "buyer" })] }));
  for (const text of ["The shop can still write once, until", ENGLISH.dispute.ownOffer])
    assert.ok(turn.includes(text) && !turn.includes("You can still write once"), turn);
  assert.match(deciding, /data-form="offer"/);
  assert.doesNotMatch(formsOf(aDispute({ status: "deciding", agreement })), /data-form="offer"/);
  assert.match(formsOf(aDispute()), /data-form="opening"/);
});

test("§16.4 a buyer who has written nothing is warned before asking for the arbiter, and reads at once that the shop has asked", () => {
  const content = (changed: Parameters<typeof aDispute>[0]) => ({
    dispute: aDispute(changed),
    statements: [],
    ...NOTHING,
  });
  const formsOf = (changed: Parameters<typeof aDispute>[0]) =>
    showForms(ENGLISH.dispute, receipt, content(changed))!.html;
  const isWarnedOf = (changed: Parameters<typeof aDispute>[0]) =>
    formsOf(changed).includes(ENGLISH.dispute.askUnwritten);
  const merchantAskedAt = OPENED_AT;
  assert.deepEqual(
    [isWarnedOf({}), isWarnedOf({ merchantAskedAt }), isWarnedOf({ reason: "other", buyerStatements: 1 })],
    [true, true, false],
  );
  const turns = [aDispute({ merchantAskedAt }), aDispute(), aDispute({ status: "deciding", merchantAskedAt })].map(
    (dispute) => turnOf(dispute),
  );
  assert.deepEqual(
    turns.map((turn) => /<p><b>The shop has asked for the arbiter\..* you both talk at least until <time/.test(turn)),
    [true, false, false],
    "first, with its date",
  );
});

test("§16.4 only a buyer of whom nobody has read a word is told so, and none is sent down a page that a calendar lacks", () => {
  const { unsaid } = ENGLISH.dispute;
  const said = ([{}, { buyerStatements: 1 }, { reason: "other" }, { status: "deciding" }] as const).map((changed) =>
    turnOf(aDispute(changed)).includes(unsaid),
  );
  assert.deepEqual(said, [true, false, false, false]);
  assert.doesNotMatch(unsaid, /below/);
});

test("§16.4 a buyer who never wrote answers the arbiter, or adds to an agreement, without saying again what is wrong", () => {
  const formsOf = (dispute: ReturnType<typeof aDispute>) =>
    showForms(ENGLISH.dispute, receipt, { dispute, statements: [], ...NOTHING })!.html;
  const until = new Date(OPENED_AT.getTime() + 3 * 86_400_000);
  const asked = aDispute({ status: "deciding", questionUntil: until, buyerToAnswer: true });
  const agreed = aDispute({ status: "agreed", agreement: { ...AGREEMENT, failedAt: null } });
  for (const forms of [formsOf(asked), formsOf(agreed)]) {
    assert.match(forms, /data-form="statement"/);
    assert.doesNotMatch(forms, /data-form="opening"/);
  }
  assert.match(formsOf({ ...asked, buyerToAnswer: false }), /data-form="opening"/, "it can still follow");
  const answered = formsOf({ ...asked, buyerToAnswer: false, buyerStatements: 1 });
  assert.match(answered, /data-form="statement".*data-form="offer"/s, "the answer was the buyer's word");
});

test("§16.4 while both have agreed, the page offers no release but the agreed one", () => {
  const settings = { language: ENGLISH, choices: [], siteOperator: null, script: null };
  const releasesOf = (name: string) =>
    [...renderPage(casePage(CASE_VIEWS[name]!, settings)).text.matchAll(/data-action="release"><b>([^<]+)/g)].map(
      ([, title]) => title,
    );
  const { release, releaseAnyway } = ENGLISH.dispute;
  assert.deepEqual(["talking", "agreed-refund", "agreed-release", "deciding"].map(releasesOf), [
    [releaseAnyway],
    [],
    [release],
    [releaseAnyway],
  ]);
});

test("§16.4 between the opening and the first words every page says until when these can be sent, while that lies ahead", () => {
  const settings = { language: ENGLISH, choices: [], siteOperator: null, script: null };
  const pages = (view: typeof receipt) => [
    casePage({ receipt: view, facts: CASE_VIEWS.proof!.facts }, settings),
    receiptPage(view, { ...settings, canSign: false, checkoutUrl: "" }),
    disputeFormPage(view, settings),
  ];
  const [sendBy] = ENGLISH.receipt.sendBy.split("{time}");
  const time = receipt.talkUntil!.toISOString();
  for (const page of pages(receipt))
    assert.match(renderPage(page).text, new RegExp(`${sendBy}<time datetime="${time}"`));
  for (const page of [
    ...pages({ ...receipt, now: receipt.talkUntil! }),
    ...pages({ ...RECEIPT_VIEWS.protected!, talkUntil: receipt.talkUntil }),
    ...pages({ ...RECEIPT_VIEWS["disputed-agreed"]!, talkUntil: receipt.talkUntil }),
  ])
    assert.ok(!renderPage(page).text.includes(sendBy!));
});

test("§16.4 a buyer without a dispute is sent to open one only while that is possible", () => {
  const settings = { language: ENGLISH, choices: [], siteOperator: null, script: null };
  const { receipt: open, facts } = CASE_VIEWS["no-dispute"]!;
  const page = (receipt: typeof open) => renderPage(casePage({ receipt, facts }, settings)).text;
  assert.ok(page(open).includes(ENGLISH.dispute.noCaseText));
  const over = page(RECEIPT_VIEWS.settling!);
  assert.ok(over.includes(ENGLISH.disputeForm.over.title) && !over.includes(ENGLISH.dispute.noCaseText), over);
});

test("§16.8 the way to hear of the next step stays while the lapse is the only date ahead", () => {
  const dispute = aDispute({ status: "deciding", turn: "arbiter", decidingAt: OPENED_AT, decideBy: OPENED_AT });
  const lookAt = (now: Date) => showLook(ENGLISH.dispute, dispute, now, "/case", false)?.html ?? null;
  const look = lookAt(OPENED_AT)!;
  assert.ok(look.includes("look in each day") && look.includes("/case/calendar"), look);
  assert.ok(look.includes(dispute.resolveBy.toISOString()), look);
  assert.equal(lookAt(dispute.resolveBy), null);
});

test("§16.8 the page says that nobody writes only while no email goes, to the dispute's own address or else the order's", () => {
  const { receipt: shown, facts } = CASE_VIEWS.talking!;
  const settings = { language: ENGLISH, choices: [], siteOperator: null, script: null };
  const isSaid = (emailsGo: boolean, emails: typeof facts.emails) =>
    renderPage(casePage({ receipt: { ...shown, emailsGo }, facts: { ...facts, emails } }, settings)).text.includes(
      "No email goes to you",
    );
  const unread = { address: { email: null, isConfirmed: false } };
  assert.equal(isSaid(true, unread), true, "an address that cannot be read");
  const { text } = renderPage(casePage({ receipt: shown, facts: { ...facts, emails: unread } }, settings));
  assert.ok(text.includes(ENGLISH.dispute.emailUnread) && text.includes('data-address="remove"'), text);
  const own = (isConfirmed: boolean) => ({ address: { email: "kim@buyer.example", isConfirmed } });
  assert.deepEqual([isSaid(false, { address: null }), isSaid(true, { address: null })], [true, false]);
  assert.deepEqual([isSaid(false, own(true)), isSaid(true, own(false))], [false, true]);
  assert.equal(isSaid(true, null), true, "the service sends none");
});
