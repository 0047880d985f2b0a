import type { Dispute, DisputeOffer, DisputeQuestion, DisputeStatement, DisputeWithTexts } from "../api/schema.ts";

/** What the bar of a dispute says: whose turn it is, until when, and the key of what follows from silence. */
export interface Bar {
  readonly head: "yours" | "buyers" | "asked" | "arbiters" | "refunds" | "releases" | "ended";
  readonly until: string | null;
  readonly silence:
    | "yours"
    | "offered"
    | "buyers"
    | "asked"
    | "buyerAsked"
    | "askedAlone"
    | "buyerAskedAlone"
    | "reply"
    | "buyerReplies"
    | "arbiters"
    | "failed"
    | "answer"
    | "refunds"
    | "releases"
    | "decided"
    | "paused"
    | "closed";
}

export function barOf(dispute: DisputeWithTexts): Bar {
  const { status, turn, answerBy, decideBy, questionUntil, agreement } = dispute;
  switch (status) {
    case "talking": {
      if (turn !== "merchant") return { head: "buyers", until: answerBy, silence: "buyers" };
      return { head: "yours", until: answerBy, silence: acceptable(dispute) === null ? "yours" : "offered" };
    }
    case "deciding":
      if (turn === "merchant")
        return { head: "asked", until: questionUntil, silence: ASKED.merchant[askedSideOf(dispute)] };
      if (turn === "buyer")
        return {
          head: "buyers",
          until: questionUntil,
          silence: ASKED.buyer[askedSideOf(dispute)],
        };
      if (hasLastWord(dispute)) return { head: "arbiters", until: decideBy, silence: "answer" };
      return { head: "arbiters", until: decideBy, silence: failedOf(dispute) === null ? "arbiters" : "failed" };
    case "agreed": {
      const head = turn === "merchant" ? "refunds" : "releases";
      return { head, until: agreement?.until ?? null, silence: head };
    }
    default:
      return { head: "ended", until: null, silence: status };
  }
}

/** By the side that is awaited, and the one to which the arbiter's last question is. */
const ASKED = {
  merchant: { both: "asked", merchant: "askedAlone", buyer: "reply" },
  buyer: { both: "buyerAsked", buyer: "buyerAskedAlone", merchant: "buyerReplies" },
} as const;
const askedSideOf = ({ questions }: DisputeWithTexts) => questions.at(-1)?.askedSide ?? "both";

type Action = DisputeWithTexts["nextActions"][number]["action"];

/** True if the merchant can do it now. */
export const can = ({ nextActions }: DisputeWithTexts, action: Action): boolean =>
  nextActions.some((one) => one.action === action && one.by === "merchant");

/** True if the merchant's next word is the last one: the arbiter decides, and asked nothing. */
export const hasLastWord = ({ status, nextActions }: DisputeWithTexts): boolean =>
  status === "deciding" &&
  nextActions.some(({ action, by, until }) => action === "write" && by === "merchant" && until === null);

export const openOfferOf = ({ offers }: Pick<Dispute, "offers">, side: DisputeOffer["by"]): DisputeOffer | null =>
  offers.find(({ by, status }) => by === side && status === "open") ?? null;

/** The buyer's offer that the merchant can accept now. */
export const acceptable = (dispute: DisputeWithTexts): DisputeOffer | null =>
  can(dispute, "accept_offer") ? openOfferOf(dispute, "buyer") : null;

/** The time until which something can be done in a dispute of a list; the time of its end if it is closed. */
export function dueOf({
  status,
  turn,
  answerBy,
  decideBy,
  questionUntil,
  agreement,
  closedAt,
}: Dispute): string | null {
  if (status === "talking") return answerBy;
  if (status === "deciding") return turn === "arbiter" ? decideBy : questionUntil;
  return status === "agreed" ? (agreement?.until ?? null) : closedAt;
}

/** The accepted offer of an agreement that failed. */
export const failedOf = ({ agreement, offers }: DisputeWithTexts): DisputeOffer | null =>
  agreement === null ? (offers.find(({ status }) => status === "accepted") ?? null) : null;

/** The steps of the agreement that are expected now: only while the dispute stands at it. */
export const stepsOf = ({ status, agreement }: Dispute | DisputeWithTexts): readonly ("refund" | "release")[] =>
  status === "agreed" && agreement !== null ? agreement.executes : [];

/** If a question can be answered now, could be, or ended with the decision. */
export function questionState(
  { status, questionUntil, decision }: Pick<DisputeWithTexts, "status" | "questionUntil" | "decision">,
  { until }: DisputeQuestion,
): "open" | "over" | "decided" {
  if (decision !== null && Date.parse(decision.ruledAt) < Date.parse(until)) return "decided";
  return status === "deciding" && questionUntil === until ? "open" : "over";
}

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
