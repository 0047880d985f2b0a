import { DISPUTE_LAPSE_MS, resolveByOf } from "../../../chain/acts.ts";
import { shortAddress } from "../../../domain/addresses.ts";
import { type Html, html } from "../../../edge/html/page.ts";
import type { ReceiptCatalogue } from "../languages/language.ts";
import { PAYMENT_TONES, type Tone } from "../page/checkout.ts";
import { type Step, showTime } from "../page/protection.ts";
import { amountText, inOne, lateTextOf } from "../page/text.ts";
import { agreedClock, agreedHeadline, endsWithLapse, isAwaited, silenceOf } from "./agreement.ts";
import type { CalendarDate } from "./calendar.ts";
import {
  actionsOf,
  isBound,
  isDepositDue,
  nextActionsOf,
  type ReceiptState,
  type ReceiptView,
  stateOf,
} from "./receipt.ts";

/** The story of a payment in its present state: a row of the table of §14.3. */
export interface Story {
  readonly state: ReceiptState;
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
  /** A further sentence for the buyer; null: none. */
  readonly note: string | null;
  /** A time that something ends at, with the one that it began at. */
  readonly clock: {
    readonly label: string;
    readonly began: string;
    readonly from: Date;
    readonly until: Date;
  } | null;
  /** The result if nobody acts; null once nothing can follow. */
  readonly silence: string | null;
  /** The ways that remain after the time for a dispute. */
  readonly stillPossible: string | null;
  readonly steps: readonly Step[];
  readonly ways: readonly Way[];
  /** The wallets that can use the ways. */
  readonly hint: string | null;
}

type Acting = keyof ReceiptCatalogue["ways"];
/** Something that the reader can do: the form of a dispute, its case, or an action of the script. */
export interface Way {
  readonly action: "dispute" | "case" | Acting;
  readonly title: string;
  readonly text: string;
  /** True for the one that is due to the buyer. */
  readonly isFirst: boolean;
}

/** The parts of a payment, in words. */
export interface Sums {
  readonly show: (amount: bigint) => string;
  readonly amount: bigint;
  /** The amounts that left to either side. */
  readonly back: bigint;
  readonly paid: bigint;
  /** The amounts that are bound to either side and have not left. */
  readonly backDue: bigint;
  readonly paidDue: bigint;
  /** The amount in the escrow, bound or not. */
  readonly inEscrow: bigint;
}

export function sumsOf({ page }: Pick<ReceiptCatalogue, "page">, { payment, match, decimals }: ReceiptView): Sums {
  const amount = BigInt(payment.amount);
  const [back, paid] = [BigInt(payment.amountRefunded), BigInt(payment.amountReleased)];
  const backDue = BigInt(payment.refundTotal) - back;
  const inEscrow = match === "vanished" ? 0n : amount - back - paid;
  const paidDue = payment.outcome === null || paid > 0n ? 0n : inEscrow - backDue;
  const show = (one: bigint) => inOne(amountText(page, one.toString(), payment.asset ?? "", decimals));
  return { show, amount, back, paid, backDue, paidDue, inEscrow };
}

/** The name of who is paid, as far as the reader may know it. */
export const shopOf = ({ mine, terms }: ReceiptView): string | null =>
  mine?.business.name ?? terms.business?.name ?? null;

export function storyOf(texts: ReceiptCatalogue, view: ReceiptView): Story {
  const state = stateOf(view);
  const sums = sumsOf(texts, view);
  const held = heldOf(texts, view);
  const isHeld = held !== null;
  return {
    state,
    tone: isHeld ? "wait" : toneOf(view, state),
    ...headlineOf(texts, view, state, sums),
    ...(isHeld ? { text: held } : {}),
    note: noteOf(texts, view, state),
    clock: clockOf(texts, view, state),
    silence: isHeld ? texts.heldSilence : silenceOf(texts, view, state),
    stillPossible: state in texts.stillPossible ? texts.stillPossible[state as keyof typeof texts.stillPossible] : null,
    steps: stepsOf(texts, view, state, sums),
    ways: waysOf(texts, view, state),
    hint: hintOf(texts, view, state),
  };
}

const TONES: Readonly<Record<ReceiptState, Tone>> = { ...PAYMENT_TONES, vanished: "bad" };
/** A payment that the shop may not deliver for is no reason to lean back. */
const toneOf = (view: ReceiptView, state: ReceiptState): Story["tone"] =>
  state === "protected" && (view.match !== "primary" || isLate(view) || view.mine?.overLimit === true)
    ? "wait"
    : TONES[state];

function headlineOf(texts: ReceiptCatalogue, view: ReceiptView, state: ReceiptState, sums: Sums) {
  const { title, text } = texts.states[state];
  if (state === "disputed" && isAwaited(view)) return agreedHeadline(texts, view, sums);
  // A part that is bound to the buyer can leave in a dispute too.
  const given = { title, text: text(sums.show(sums.inEscrow - sums.backDue)) };
  if (state === "decided") {
    if (sums.backDue === 0n && sums.back === 0n) return { ...given, title: texts.toShopTitle };
    return sums.paidDue === 0n && sums.paid === 0n
      ? { ...given, title: texts.toBuyerTitle(sums.show(sums.backDue)) }
      : given;
  }
  if (state !== "protected") return given;
  if (sums.back + sums.backDue > 0n) {
    const amount = sums.show(sums.back + sums.backDue);
    return sums.backDue === 0n
      ? { title: texts.partSentTitle(amount), text: texts.partSent }
      : { title: texts.partDueTitle(amount), text: texts.partDue };
  }
  if (view.match === "duplicate") return { ...given, title: texts.duplicateTitle };
  if (view.match !== "primary") return { ...given, title: texts.unmatchedTitle };
  return isLate(view) ? { ...given, title: texts.lateTitle } : given;
}

/** What keeps a due part in the escrow, and who ends that; null if nothing is known to. */
function heldOf({ held }: ReceiptCatalogue, view: ReceiptView): string | null {
  const hold = view.hold;
  if (hold === null) return null;
  const isDue = nextActionsOf(view).some(({ blockedBy }) => blockedBy !== null);
  return isDue ? held[hold.side][hold.reason] : null;
}

/** A payment that was made in time and found later is as good as any other for the shop (§3.1.8). */
const isLate = ({ match, lateReason }: ReceiptView): boolean =>
  match === "primary" && lateReason !== null && lateReason !== "found_after_expiry";

function noteOf(
  { facts, late: lateTexts, askBack, askLate }: ReceiptCatalogue,
  view: ReceiptView,
  state: ReceiptState,
): string | null {
  const late = view.match === "primary" ? lateTextOf(lateTexts, view.lateReason) : null;
  const isOver = view.mine?.overLimit === true && view.match === "primary";
  const fact = isOver ? facts.overLimit : (late ?? facts[view.match]);
  return fact !== null && state === "protected" ? `${fact} ${late !== null && !isOver ? askLate : askBack}` : fact;
}

function clockOf(texts: ReceiptCatalogue, view: ReceiptView, state: ReceiptState): Story["clock"] {
  const { payment } = view;
  const { createdAt, protectionDeadline, disputedAt } = payment;
  if (state === "disputed" && isAwaited(view)) return agreedClock(texts, view);
  if (state === "protected" && createdAt !== null && protectionDeadline !== null)
    return { label: texts.clocks.protected, began: texts.began.protected, from: createdAt, until: protectionDeadline };
  const lapsesAt = resolveByOf(payment);
  return state === "disputed" && disputedAt !== null && lapsesAt !== null
    ? { label: texts.clocks.disputed, began: texts.began.disputed, from: disputedAt, until: lapsesAt }
    : null;
}

/** The date of the clock, for the reader's calendar. */
export function datesOf(texts: ReceiptCatalogue, view: ReceiptView): CalendarDate[] {
  const state = stateOf(view);
  const { clock, silence } = storyOf(texts, view);
  if (clock === null || (state !== "protected" && state !== "disputed")) return [];
  const [amount, shop] = [sumsOf(texts, view).show(BigInt(view.payment.amount)), shopOf(view)];
  const kind = isAwaited(view) ? "agreed" : state;
  const title = texts.calendarTitles[kind](shop === null ? amount : texts.page.to(amount, shop));
  return [{ id: kind, at: clock.until, title, text: silence ?? "" }];
}

/** The states in which an act is offered, where these are not all in which it is possible. */
const OFFERED_IN: Readonly<Partial<Record<Acting, readonly ReceiptState[]>>> = { release: ["protected", "disputed"] };
/** The state in which an act gives the buyer what is theirs. */
const FIRST_IN: Readonly<Partial<Record<Acting, ReceiptState>>> = {
  refund_unresolved: "lapsed",
  pay_out_sender: "decided",
};

/** The acts that are possible, in the order of `ACTS`, as far as the page has a label for them. */
function waysOf(texts: ReceiptCatalogue, view: ReceiptView, state: ReceiptState): Way[] {
  const ways = actionsOf(view).flatMap((action): Way[] => {
    if (action === "dispute")
      return [{ action, title: texts.somethingWrong, text: texts.somethingWrongText, isFirst: false }];
    if (!isOffered(texts, view, state, action)) return [];
    const [title, text] = texts.ways[action];
    const isEnd = action === "release" && state === "disputed";
    const isFirst = action === "close" || FIRST_IN[action] === state;
    return [{ action, title, text: isEnd ? releaseTextOf(texts, view) : text, isFirst }];
  });
  return state === "disputed" ? [...caseOf(texts, view), ...ways] : ways;
}

/** Without the key nothing tells of an agreement, so the text warns in every dispute that may have one. */
const releaseTextOf = ({ releaseInDispute, releaseIfAgreed }: ReceiptCatalogue, view: ReceiptView): string =>
  isUntold(view) ? `${releaseInDispute} ${releaseIfAgreed}` : releaseInDispute;
const isUntold = (view: ReceiptView): boolean => isBound(view) && view.key === null;

function isOffered(texts: ReceiptCatalogue, view: ReceiptView, state: ReceiptState, action: string): action is Acting {
  // What was agreed is released on the dispute's page, once the shop's refund is bound.
  if (action === "release" && isAwaited(view)) return false;
  if (action === "close") return isDepositDue(view);
  return action in texts.ways && (OFFERED_IN[action as Acting]?.includes(state) ?? true);
}

/** The way to the dispute's page, of a payment of an order: every other one has no text here. */
const caseOf = (texts: ReceiptCatalogue, view: ReceiptView): Way[] =>
  isBound(view) ? [{ action: "case", title: texts.openCase, text: texts.openCaseText, isFirst: true }] : [];

function hintOf({ hints }: ReceiptCatalogue, view: ReceiptView, state: ReceiptState): string | null {
  const { sender } = view.payment;
  if (sender === null) return null;
  if (toneOf(view, state) === "wait" && state === "protected") return hints.needed(shortAddress(sender));
  if (state === "protected" || state === "disputed") return hints[state](shortAddress(sender));
  if (state === "settling" || state === "lapsed" || state === "decided") return hints.anybody;
  return isDepositDue(view) ? hints.deposit(shortAddress(sender)) : null;
}

/** The line of what happened and what comes next. The present step is the one that the state is about. */
function stepsOf(texts: ReceiptCatalogue, view: ReceiptView, state: ReceiptState, sums: Sums): Step[] {
  const { payment } = view;
  const shop = shopOf(view) ?? texts.theShop;
  const goesText = heldOf(texts, view) === null ? texts.goesText : texts.heldStep;
  const at = (time: Date | null): string | Html => (time === null ? "" : showTime(texts.page, time));
  const done = (title: string, text: string | Html): Step => ({ title, text, mark: "done" });
  const wentBack = view.refunds.map(
    (part) => [part.at, [done(texts.wentBack(sums.show(BigInt(part.amount))), at(part.at))]] as const,
  );
  const isToShop = payment.outcome === "released_by_sender" || payment.outcome === "settled";
  const sent = isToShop ? wentBack.length : -1;
  const now = (title: string, text: string | Html): Step => ({ title, text, mark: "now" });
  const ahead = (title: string, text: string | Html): Step => ({ title, text, mark: "ahead" });
  const isSure = isBound(view) && view.isFinalized;
  const paidText = `${texts.paidText(sums.show(sums.amount))}${isSure ? ` ${texts.page.irreversible}` : ""}`;
  const paid = done(texts.paid, payment.createdAt === null ? paidText : html`${at(payment.createdAt)}. ${paidText}`);
  const due = sums.backDue > 0n ? [now(texts.goesBack(sums.show(sums.backDue)), goesText)] : [];
  const dated = (time: Date | null, text: string): string | Html => (time === null ? text : html`${at(time)}. ${text}`);
  const agreedAt = view.agreement?.agreedAt ?? null;
  const failedAt = view.agreement?.failedAt ? view.agreement.until : null;
  const isAsAgreed = view.agreement !== null && view.agreement.executedAt !== null;
  /** The payment, its refunds, its dispute and its agreement in their order, while nobody has decided. */
  const begun = (disputed: readonly Step[]): Step[] => [
    paid,
    ...inOrder([
      [payment.disputedAt, disputed],
      [beforeIts(payment, agreedAt), agreed],
      [failedAt, failed],
      ...view.refunds.map((part) => {
        const text = texts.partBackText(sums.show(BigInt(part.amount)));
        return [part.at, [done(texts.partBack, dated(part.at, text))]] as const;
      }),
    ]),
  ];
  const disputed = payment.disputedAt === null ? [] : [done(texts.disputed, at(payment.disputedAt))];
  const agreed =
    agreedAt === null
      ? []
      : [
          {
            title: texts.agreed,
            text: isAwaited(view) ? dated(agreedAt, texts.agreedText) : at(agreedAt),
            mark: isAwaited(view) && !isRefundedSince(view, agreedAt) ? "now" : "done",
          } as const,
        ];
  const failed = failedAt === null ? [] : [done(texts.agreementFailed, dated(failedAt, texts.agreementFailedText))];
  const { outcome } = payment;
  const decided =
    outcome === null
      ? []
      : [
          done(
            texts.outcomes[outcome],
            dated(shownTimeOf(view), isAsAgreed ? texts.asAgreed : texts.outcomeTexts[outcome]),
          ),
        ];
  const lapse = ahead(texts.lapses, at(resolveByOf(payment)));
  switch (state) {
    case "protected":
      return [
        ...begun([]),
        ...due,
        now(texts.objectUntil, html`${at(payment.protectionDeadline)}. ${texts.objectText}`),
        ahead(texts.thenPaid(shop), texts.thenPaidText),
      ];
    case "settling":
      return [
        ...begun([]),
        done(texts.undisputed, dated(payment.protectionDeadline, texts.undisputedText)),
        ...due,
        now(texts.goesToShop(sums.show(sums.inEscrow - sums.backDue), shop), goesText),
      ];
    case "disputed":
      return [
        // What both agreed, or gave back since, has its place behind the dispute.
        ...begun(
          agreedAt !== null || isRefundedSince(view, payment.disputedAt)
            ? disputed
            : [now(texts.disputed, at(payment.disputedAt))],
        ),
        ...due,
        ...(endsWithLapse(view) ? [] : [ahead(arbiterTitleOf(texts, view), texts.arbiterDecidesText)]),
        lapse,
      ];
    case "lapsed":
      return [
        ...begun(disputed),
        done(texts.lapsed, dated(resolveByOf(payment), texts.lapsedText)),
        now(texts.goesBack(sums.show(sums.inEscrow)), goesText),
      ];
    case "vanished":
      return [paid, now(texts.vanishedStep, texts.vanishedText)];
    default:
      return [
        paid,
        ...inOrder([
          [payment.disputedAt, disputed],
          [beforeIts(payment, agreedAt), agreed],
          [failedAt, failed],
          // What decides it stands before the parts that it sends, whichever of the chain's clocks is ahead.
          ...wentBack.slice(0, sent),
          [decidedAtOf(view), decided],
          ...wentBack.slice(sent),
          [
            payment.settledAt,
            sums.paid > 0n ? [done(texts.wentToShop(sums.show(sums.paid), shop), at(payment.settledAt))] : [],
          ],
        ]),
        ...due,
        ...(sums.paidDue > 0n ? [now(texts.goesToShop(sums.show(sums.paidDue), shop), goesText)] : []),
      ];
  }
}

/** True if a part went back since a time of the dispute. */
const isRefundedSince = ({ refunds, payment }: ReceiptView, since: Date | null): boolean => {
  const from = beforeIts(payment, since);
  return from !== null && refunds.some(({ at }) => at === null || at > from);
};

/** A payment that no order has knows no agreement, and a dispute has but one. */
function arbiterTitleOf(texts: ReceiptCatalogue, view: ReceiptView): string {
  if (isAwaited(view)) return texts.arbiterDecidesElse;
  return isBound(view) && view.agreement === null ? texts.arbiterDecidesUnless : texts.arbiterDecides;
}

/** Steps by their times; one without a time is the last. */
const inOrder = (all: readonly (readonly [at: Date | null, steps: readonly Step[]])[]): Step[] =>
  all.toSorted(([one], [other]) => (one?.getTime() ?? LAST) - (other?.getTime() ?? LAST)).flatMap(([, steps]) => steps);
const LAST = Number.MAX_SAFE_INTEGER;

/** The time of a block, which a ruling has, or of an agreement may be ahead of that of an account by less. */
const CLOCKS_DIFFER_MS = 60_000;

/** A time behind which everything stands that follows from it, by whichever clock. */
const beforeIts = ({ disputedAt }: ReceiptView["payment"], at: Date | null): Date | null =>
  at && new Date(Math.max(at.getTime() - CLOCKS_DIFFER_MS, disputedAt?.getTime() ?? 0));

/** The end of the arbiter's time, also of a dispute that has ended. */
const lapseOf = ({ disputedAt }: ReceiptView["payment"]): Date | null =>
  disputedAt && new Date(disputedAt.getTime() + DISPUTE_LAPSE_MS);

/** The time of the decision, as far as it is known: of a release or refund, the chain tells when the parts left alone. */
function shownTimeOf({ payment, decision }: ReceiptView): Date | null {
  switch (payment.outcome) {
    case "settled":
      return payment.protectionDeadline;
    case "refunded_unresolved":
      return lapseOf(payment);
    case "resolved":
      return decision?.ruledAt ?? null;
    default:
      return null;
  }
}

/** The time behind which the parts leave, as far as the chain shows when it was decided. */
function decidedAtOf(view: ReceiptView): Date | null {
  const { payment, decision } = view;
  const { outcome, settledAt, refundedAt } = payment;
  switch (outcome) {
    case "refunded_by_recipient":
      return refundedAt;
    case "resolved":
      return beforeIts(payment, decision?.ruledAt ?? settledAt ?? refundedAt);
    case "released_by_sender":
      return settledAt;
    default:
      return shownTimeOf(view);
  }
}
