import type { CaseContent, CaseView } from "../../server/features/checkout/case/view.ts";
import { aDispute, anOffer, NO_FACTS, OPENED_AT } from "../../server/features/disputes/fixtures.ts";
import { draftRuling } from "../../server/features/disputes/ruling.ts";
import { RECEIPT_VIEWS } from "./receiptViews.ts";

const hoursIn = (hours: number): Date => new Date(OPENED_AT.getTime() + hours * 3_600_000);
const [AMOUNT, PART, HALF] = ["24500000", "4500000", "12000000"];

type Dispute = CaseContent["dispute"];
const disputed = (changed: Partial<Dispute>): Dispute =>
  aDispute({
    ...{ amount: AMOUNT, requestedTotal: AMOUNT, reason: "not_as_described", refundTotal: "0", buyerFiles: 1 },
    ...changed,
  });

const SAID = [
  ["buyer", "One bag arrived torn, and half of it is missing.\nI sent you a photo on Monday.", 1],
  ["merchant", "We are sorry. Please release the money first, then we send a new bag.", 20],
] as const;
const statements = SAID.map(([side, text, hours], at) => ({
  ...{ number: at + 1, side, text, createdAt: hoursIn(hours), erasedAt: null },
}));
const FILES: CaseContent["files"] = [
  {
    id: "df_1",
    side: "buyer",
    name: "torn bag.pdf",
    type: "application/pdf",
    size: 182_000,
    sha256: null,
    createdAt: hoursIn(2),
    erasedAt: null,
  },
];
const question = {
  number: 1,
  text: "On which day did the bag arrive?",
  askedSide: null,
  askedAt: hoursIn(150),
  erasedAt: null,
};

/** What a browser that proved the wallet sees `hours` after the opening. */
const aCase = (
  hours: number,
  changed: Partial<Dispute>,
  content: Partial<CaseContent> = {},
  receipt: Partial<CaseView["receipt"]> = {},
): CaseView => {
  const dispute = disputed(changed);
  const base = RECEIPT_VIEWS.disputed!;
  const payment = { ...base.payment, createdAt: hoursIn(-25), disputedAt: OPENED_AT, refundTotal: dispute.refundTotal };
  const sent = dispute.refundTotal === "0" ? {} : { amountRefunded: dispute.refundTotal, refundedAt: hoursIn(-2) };
  return {
    receipt: { ...base, payment: { ...payment, ...sent }, now: hoursIn(hours), at: hoursIn(hours), ...receipt },
    facts: {
      isProven: true,
      content: {
        ...{ dispute, statements, files: FILES, questions: [] },
        ...NO_FACTS,
        ...content,
      },
      emails: { address: null },
      sessions: [{ id: "1", userAgent: "Firefox on Linux", createdAt: hoursIn(1), isThis: true }],
    },
  };
};

const open = anOffer({
  total: HALF,
  text: "Half back, and you keep both bags.",
  createdAt: hoursIn(30),
  until: hoursIn(90),
});
const agreement = {
  ...{ businessId: "biz_1", disputeId: "dp_1", offerId: open.id, total: HALF, until: hoursIn(200) },
  ...{ buyerSignedAt: hoursIn(31), merchantGivenAt: hoursIn(30), agreedAt: hoursIn(31) },
  ...{ failedAt: null, executedAt: null },
} as const;
const deciding = { status: "deciding", decidingAt: hoursIn(120), turn: "arbiter", decideBy: hoursIn(456) } as const;
const asked = { questionUntil: hoursIn(222), buyerToAnswer: true, merchantToAnswer: true } as const;
const offers = [{ ...open, status: "accepted", acceptedAt: hoursIn(31) } as const];
const ruled = disputed({ ...deciding, status: "decided", turn: "nobody", resumesAs: "deciding" });
const ruling = draftRuling(
  ruled,
  {
    payment: RECEIPT_VIEWS.disputed!.payment.id,
    arbiter: RECEIPT_VIEWS.disputed!.payment.arbiter!,
    total: HALF,
    memo: { kind: "none", text: null },
  },
  null,
  { signature: "ruling-1", slot: 7, ruledAt: hoursIn(300) },
);
const { decision, payment: decidedPayment } = RECEIPT_VIEWS["decided-split"]!;
const nothing = { statements: [], files: [] } as const;

/** Every state of the dispute's page, by name. */
export const CASE_VIEWS: Readonly<Record<string, CaseView>> = {
  proof: { ...aCase(1, {}), facts: { isProven: false, content: null, emails: null, sessions: [] } },
  "no-dispute": {
    ...aCase(1, {}),
    receipt: RECEIPT_VIEWS.protected!,
    facts: { ...aCase(1, {}).facts, content: null },
  },
  unsaid: aCase(1, { reason: "not_given", requestedTotal: null }, nothing),
  talking: aCase(3, { turn: "merchant" }, { statements: statements.slice(0, 1) }),
  offered: aCase(40, { turn: "buyer", offers: [open], refundTotal: PART }),
  "agreed-refund": aCase(40, { status: "agreed", turn: "merchant", offers, agreement }),
  "agreed-release": aCase(40, { status: "agreed", turn: "buyer", offers, agreement, refundTotal: HALF }),
  deciding: aCase(130, { ...deciding, agreement: { ...agreement, failedAt: hoursIn(125) } }),
  asked: aCase(160, { ...deciding, ...asked, turn: "merchant" }, { questions: [{ ...question, until: hoursIn(222) }] }),
  decided: aCase(310, { ...ruled, ruling }, {}, { decision, payment: decidedPayment }),
  "closed-agreed": aCase(
    60,
    {
      ...{ status: "closed", turn: "nobody", resumesAs: "agreed", closedAt: hoursIn(50), offers, refundTotal: HALF },
      agreement: { ...agreement, executedAt: hoursIn(50) },
    },
    {},
    { payment: { ...RECEIPT_VIEWS["partly-refunded"]!.payment, disputedAt: OPENED_AT } },
  ),
  paused: aCase(3, { status: "paused", turn: "nobody", resumesAs: "talking" }),
  closed: aCase(
    320,
    { ...ruled, status: "closed", closedAt: hoursIn(310), ruling },
    {},
    { decision, payment: decidedPayment },
  ),
};
