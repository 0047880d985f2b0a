import {
  canWriteToo,
  trackOf as datedSteps,
  endsWithLapse,
  isLapsed,
  isOverdue,
  lastPartLeftAt,
  type Reading,
  STATEMENTS_MAX,
  statusLine,
  type TrackStep,
  untilOf,
} from "@holdfast/ui/disputeStatus.ts";
import type { Dispute, DisputeOffer, DisputeQuestion, DisputeStatement, DisputeWithTexts } from "../api/schema.ts";

/** The texts of the status line, and the time that it names. `now`: null while it is not read. */
export function barOf(dispute: DisputeWithTexts, now: string | null) {
  const { status, turn, questions } = dispute;
  const askedSide = questions.at(-1)?.askedSide ?? null;
  const reading: Reading = {
    ...{ status, reader: "merchant", turn, askedSide },
    hasFailed: dispute.failedAgreement !== null,
    isOverdue: now !== null && isOverdue(dispute, turn, now),
    isLapsed: now !== null && isLapsed(dispute, now),
    endsWithLapse: endsWithLapse(dispute),
    canWrite: can(dispute, "write"),
  };
  return { ...statusLine(reading), until: untilOf(dispute, turn), canWriteToo: canWriteToo(reading) };
}

type Action = DisputeWithTexts["nextActions"][number]["action"];

/** True if the merchant can do it now. */
export const can = ({ nextActions }: DisputeWithTexts, action: Action): boolean =>
  nextActions.some((one) => one.action === action && one.by === "merchant");

/** True if the side has asked for the arbiter, and talking goes on. */
export const hasAsked = (
  { status, nextActions }: Pick<DisputeWithTexts, "status" | "nextActions">,
  side: DisputeOffer["by"],
): boolean => status === "talking" && !nextActions.some(({ action, by }) => action === "ask_arbiter" && by === side);

/** True while both sides can send a statement before their time. */
export const canBothWrite = ({ nextActions }: Pick<DisputeWithTexts, "nextActions">): boolean =>
  (["buyer", "merchant"] as const).every((side) =>
    nextActions.some(({ action, by }) => action === "write" && by === side),
  );

/** True if the merchant has sent all statements of a side. */
export const isSpent = ({ statements }: Pick<DisputeWithTexts, "statements">): boolean =>
  statements.filter(({ by }) => by === "merchant").length >= STATEMENTS_MAX;

/** The time until which a side has its one answer to the other's last word, while the arbiter decides; null: it has none. */
export const answerOnceUntil = (
  { status, questionUntil, nextActions }: Pick<DisputeWithTexts, "status" | "questionUntil" | "nextActions">,
  side: DisputeOffer["by"],
): string | null => {
  const written = nextActions.find(({ action, by }) => action === "write" && by === side);
  return status === "deciding" && written !== undefined && written.until !== questionUntil ? written.until : null;
};

export const openOfferOf = ({ offers }: Pick<Dispute, "offers">, side: DisputeOffer["by"]): DisputeOffer | null =>
  offers.find(({ by, status }) => by === side && status === "open") ?? null;

/** The total that the buyer demanded, and that of the buyer's open offer. */
export const buyersWish = (dispute: Pick<DisputeWithTexts, "requestedTotal" | "offers">) => ({
  asked: dispute.requestedTotal,
  takes: openOfferOf(dispute, "buyer")?.total ?? null,
});

/** The buyer's offer that the merchant can accept now. */
export const acceptable = (dispute: DisputeWithTexts): DisputeOffer | null =>
  can(dispute, "accept_offer") ? openOfferOf(dispute, "buyer") : null;

/** True while the buyer can accept an offer of the merchant. */
export const isOfferOpen = (dispute: DisputeWithTexts): boolean =>
  dispute.nextActions.some(({ action, by }) => action === "accept_offer" && by === "buyer");

/** The time until which something can be done in a dispute of a list; the time of its end if it is closed. */
export const dueOf = (dispute: Dispute): string | null => untilOf(dispute, dispute.turn) ?? dispute.closedAt;

/** The steps of the dispute with their dates. */
export function trackOf(
  dispute: DisputeWithTexts,
  payment: Parameters<typeof lastPartLeftAt<string>>[0],
  now: string | null,
): readonly TrackStep<string>[] {
  const { agreement, failedAgreement, decision } = dispute;
  return datedSteps({
    ...dispute,
    agreedAt:
      agreement === null ? (failedAgreement?.agreedAt ?? null) : [agreement.buyer, agreement.merchant].sort()[1]!,
    ruledAt: decision?.ruledAt ?? null,
    leftAt: lastPartLeftAt(payment),
    isCarriedOut: agreement?.executes.length === 0,
    now,
  });
}

/** The steps of the agreement that are expected now: only while the dispute stands at it. */
export const stepsOf = ({ status, agreement }: Dispute | DisputeWithTexts): readonly ("refund" | "release")[] =>
  status === "agreed" && agreement !== null ? agreement.executes : [];

/** The same in a word; null: none is expected. */
export const missingOf = (dispute: Dispute | DisputeWithTexts): "refund" | "release" | "both" | null => {
  const [step, then] = stepsOf(dispute);
  return then === undefined ? (step ?? null) : "both";
};

export type Entry = {
  readonly id: string;
  readonly by: DisputeOffer["by"] | "arbiter";
  readonly at: string;
} & (
  | { readonly kind: "statement"; readonly statement: DisputeStatement }
  | { readonly kind: "offer"; readonly offer: DisputeOffer }
  | { readonly kind: "question"; readonly question: DisputeQuestion }
);

/** Statements, offers and the arbiter's questions in the order in which they were sent. */
export const entriesOf = ({ statements, offers, questions }: DisputeWithTexts): Entry[] =>
  [
    ...statements.map((statement) => {
      const { number, by, createdAt: at } = statement;
      return { kind: "statement", id: `statement ${number}`, by, at, statement } as const;
    }),
    ...offers.map((offer) => {
      const { id, by, createdAt: at } = offer;
      return { kind: "offer", id, by, at, offer } as const;
    }),
    ...questions.map((question) => {
      const { number, askedAt: at } = question;
      return { kind: "question", id: `question ${number}`, by: "arbiter", at, question } as const;
    }),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));

/** True for an offer without a sentence: its side wrote nothing. */
export const isBareOffer = (entry: Entry): boolean => entry.kind === "offer" && entry.offer.text === null;

/** The words of both sides, by which a question is answered: a file is one, too. */
export const wordsOf = (dispute: DisputeWithTexts): readonly { readonly side: string; readonly at: string }[] => [
  ...entriesOf(dispute)
    .filter((entry) => !isBareOffer(entry))
    .map(({ by, at }) => ({ side: by, at })),
  ...dispute.files.map(({ side, createdAt: at }) => ({ side, at })),
];

/** Parses the total of an offer; null if it is not between what is bound to the buyer and the whole amount. */
export function parseTotal(
  text: string,
  decimals: number,
  { amount, refundTotal }: { readonly amount: string; readonly refundTotal: string },
): string | null {
  const [, whole, fraction = ""] = /^(\d{1,20})(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  const total = BigInt(whole + fraction.padEnd(decimals, "0"));
  return total >= BigInt(refundTotal) && total <= BigInt(amount) ? String(total) : null;
}
