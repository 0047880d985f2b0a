/** Rules by which a dispute is shown to its sides. `Time` is a date on the server, and a text in the browser. */

type Side = "buyer" | "merchant";
type Turn = Side | "arbiter" | "nobody";

interface Clocks<Time> {
  readonly status: "talking" | "deciding" | "agreed" | "decided" | "paused" | "closed";
  readonly answerBy: Time;
  readonly decideBy: Time | null;
  readonly questionUntil: Time | null;
  readonly agreement: { readonly until: Time } | null;
}

/** Statements of a side in one dispute, and on one day of UTC. */
export const STATEMENTS_MAX = 20;
export const STATEMENTS_A_DAY_MAX = 5;
/** The arbiter means to decide at least this long before the lapse on chain, and asks nothing after that. */
export const BEFORE_LAPSE_MS = 14 * 86_400_000;
/**
 * A side has this long for its one answer to the other's last word while the arbiter decides. A word within the last hours of
 * talking moves its end as far away, so that nobody has the last word in the last minute.
 */
export const REPLY_MS = 48 * 3_600_000;

/** True while the buyer has opened the dispute, and has neither given a reason nor written anything. */
export const isUnsaid = (
  { status, reason }: { readonly status: string; readonly reason: string },
  hasBuyerWritten: boolean,
): boolean => status === "talking" && reason === "not_given" && !hasBuyerWritten;

/** The total of an agreement that holds; null: none does. */
export const agreedTotal = ({
  status,
  agreement,
}: {
  readonly status: string;
  readonly agreement: { readonly total: string } | null;
}): string | null => (status === "agreed" && agreement !== null ? agreement.total : null);

/** The steps on chain by which both carry out an agreement on a total: the shop's refund, the buyer's release of the rest, or both. */
export const stepsOf = (
  total: string,
  { amount, refundTotal }: { readonly amount: string; readonly refundTotal: string },
): "refund" | "release" | "both" =>
  total === amount ? "refund" : BigInt(total) > BigInt(refundTotal) ? "both" : "release";

/** The time until which whoever has the turn can act; null: none runs. */
export function untilOf<Time>(
  { status, answerBy, decideBy, questionUntil, agreement }: Clocks<Time>,
  turn: Turn,
): Time | null {
  if (status === "talking") return answerBy;
  if (status === "deciding") return turn === "arbiter" ? decideBy : questionUntil;
  return status === "agreed" ? (agreement?.until ?? null) : null;
}

/** True once the arbiter's own date is past, and nobody else is to act: what still holds is the chain's. */
export const isOverdue = <Time extends Date | string>(
  { status, decideBy }: Pick<Clocks<Time>, "status" | "decideBy">,
  turn: Turn,
  now: Time,
): boolean => status === "deciding" && turn === "arbiter" && decideBy !== null && decideBy <= now;

/** True if nobody can decide any more once the agreement fails: both end with the arbiter's time. */
export const endsWithLapse = <Time extends Date | string | number>({
  agreement,
  resolveBy,
}: {
  readonly agreement: { readonly until: Time } | null;
  readonly resolveBy: Time;
}): boolean => agreement !== null && agreement.until >= resolveBy;

/** True once the chain lets no arbiter decide, and what is in the escrow can go back. */
export const isLapsed = <Time extends Date | string | number>(
  { status, resolveBy }: { readonly status: Clocks<Time>["status"]; readonly resolveBy: Time },
  now: Time,
): boolean => status === "deciding" && now >= resolveBy;

export interface Reading {
  readonly status: Clocks<unknown>["status"];
  readonly reader: Side;
  /** The side that is to act, as the reader sees it. */
  readonly turn: Turn;
  /** The side to which the arbiter's last question is; null: to both. */
  readonly askedSide: Side | null;
  /** True after an agreement that the chain did not show in time. */
  readonly hasFailed: boolean;
  readonly isOverdue: boolean;
  /** As {@link isLapsed} says. */
  readonly isLapsed: boolean;
  /** As {@link endsWithLapse} says. */
  readonly endsWithLapse: boolean;
  /** True if the reader can send a statement before the time that the status line names. */
  readonly canWrite: boolean;
}

const same = <const Key extends string>(key: Key) => ({ head: key, silence: key }) as const;

/** True while the reader, who is not awaited, can write as long as a question is open for the other side. */
export const canWriteToo = ({ status, reader, turn, canWrite }: Reading): boolean =>
  status === "deciding" && turn !== "arbiter" && turn !== reader && canWrite;

/** The texts of the status line: whose turn it is, and what follows from silence. */
export function statusLine({ status, reader, turn, askedSide, hasFailed, ...line }: Reading) {
  const isYours = turn === reader;
  switch (status) {
    case "talking":
      if (!isYours) return same("others");
      return line.canWrite ? same("yours") : ({ head: "yours", silence: "spent" } as const);
    case "deciding":
      if (turn === "arbiter")
        return {
          head: line.isLapsed ? "lapsed" : line.isOverdue ? "overdue" : "arbiter",
          silence: line.isLapsed ? "lapsed" : hasFailed ? "failed" : "arbiter",
        } as const;
      if (askedSide === null) return isYours ? same("asked") : ({ head: "others", silence: "othersAsked" } as const);
      if (askedSide === turn)
        return isYours
          ? ({ head: "asked", silence: "askedAlone" } as const)
          : ({ head: "others", silence: "othersAskedAlone" } as const);
      return isYours
        ? ({ head: "yours", silence: "reply" } as const)
        : ({ head: "others", silence: "othersReply" } as const);
    case "agreed":
      if (!line.endsWithLapse) return isYours ? same("agreedYours") : same("agreedOthers");
      return isYours
        ? ({ head: "agreedYours", silence: "agreedYoursLast" } as const)
        : ({ head: "agreedOthers", silence: "agreedOthersLast" } as const);
    default:
      return same(status);
  }
}

interface Question<Time> {
  readonly askedSide: Side | null;
  readonly askedAt: Time;
  readonly until: Time;
}
type Written<Time> = readonly { readonly side: string; readonly at: Time }[];

/** The sides that were asked and have not written between the question and its end; null: all have. */
export function unansweredBy<Time extends Date | string>(
  { askedSide, askedAt, until }: Question<Time>,
  written: Written<Time>,
): Side | "both" | null {
  const asked = askedSide === null ? (["buyer", "merchant"] as const) : [askedSide];
  const [one, other] = asked.filter(
    (side) => !written.some((word) => word.side === side && word.at > askedAt && word.at <= until),
  );
  return one === undefined ? null : other === undefined ? one : "both";
}

/** As {@link unansweredBy}, once the question's time is over. Null before, and where the dispute ended sooner: `endedAt`. */
export const silentOn = <Time extends Date | string>(
  question: Question<Time>,
  written: Written<Time>,
  { now, endedAt }: { readonly now: Time; readonly endedAt: Time | null },
): Side | "both" | null =>
  question.until <= now && (endedAt === null || question.until <= endedAt) ? unansweredBy(question, written) : null;

/** The time until which both sides can send a statement after all who were asked have answered; null: none runs, or a side cannot. */
export const writingUntil = <Time extends Date | string>(
  { status, questionUntil }: Pick<Clocks<Time>, "status" | "questionUntil">,
  turn: Turn,
  { now, canBothWrite }: { readonly now: Time; readonly canBothWrite: boolean },
): Time | null =>
  status === "deciding" && turn === "arbiter" && questionUntil !== null && now < questionUntil && canBothWrite
    ? questionUntil
    : null;

/**
 * Whether a question of the arbiter was answered, can still be, could be, or ended with the decision; and whether both sides may
 * write although it was answered. `openUntil`: of the question that is open; both kinds of time compare as they stand.
 */
export function questionState<Time extends Date | string>(
  until: Time,
  {
    openUntil,
    ruledAt,
    isAnswered,
    canBothWrite,
  }: {
    readonly openUntil: Time | null;
    readonly ruledAt: Time | null;
    readonly isAnswered: boolean;
    readonly canBothWrite: boolean;
  },
): "open" | "over" | "decided" | "answered" | "answeredOpen" {
  const isOpen = openUntil !== null && openUntil >= until && openUntil <= until;
  if (isAnswered) return isOpen && canBothWrite ? "answeredOpen" : "answered";
  if (isOpen) return "open";
  return ruledAt !== null && ruledAt < until ? "decided" : "over";
}

/**
 * True while answers to a question can come after the arbiter's own date: a question moves that by three days, however late it
 * is asked, so that an arbiter gains no more time by it.
 */
const outlastsDate = <Time extends Date | string | number>({
  status,
  decideBy,
  questionUntil,
}: Pick<Clocks<Time>, "status" | "decideBy" | "questionUntil">): boolean =>
  status === "deciding" && decideBy !== null && questionUntil !== null && decideBy < questionUntil;

/** True while an agreement can be carried out until the arbiter's own date or longer: it cannot fail before that. */
const isHeldByAgreement = <Time extends Date | string | number>({
  status,
  decideBy,
  agreement,
}: Pick<Clocks<Time>, "status" | "decideBy" | "agreement">): boolean =>
  status === "agreed" && agreement !== null && decideBy !== null && decideBy <= agreement.until;

/** The arbiter's date as the arbiter reads it: whose it is, and whether it is past. Null once the chain lets no arbiter decide. */
export const dueOf = <Time extends Date | string | number>(
  clocks: Pick<Clocks<Time>, "status" | "questionUntil" | "agreement"> & {
    readonly decideBy: Time;
    readonly resolveBy: Time;
  },
  now: Time,
) => {
  const { status, decideBy, questionUntil, resolveBy } = clocks;
  if (now >= resolveBy) return null;
  const isLate = outlastsDate(clocks) && questionUntil !== null && now < questionUntil;
  const agreed = isHeldByAgreement(clocks) ? "lateAgreement" : "agreed";
  return [status === "agreed" ? agreed : isLate ? "lateQuestion" : "own", decideBy <= now ? "past" : "ahead"] as const;
};

export interface TrackStep<Time> {
  readonly step:
    | ("opened" | "talk" | "talked" | "agreed" | "decide" | "decideLate" | "decideElse" | "lapse")
    | ("lapsed" | "decided" | "asAgreed" | "ended");
  readonly state: "done" | "now" | "ahead";
  /** Null: nobody knows yet. */
  readonly at: Time | null;
}

/** The time at which the last part left; null before. Of a release and a refund themselves the chain tells no time. */
export const lastPartLeftAt = <Time extends Date | string>({
  amount,
  amountReleased,
  amountRefunded,
  settledAt,
  refundedAt,
}: {
  readonly amount: string;
  readonly amountReleased: string;
  readonly amountRefunded: string;
  readonly settledAt: Time | null;
  readonly refundedAt: Time | null;
}): Time | null => {
  if (BigInt(amountReleased) + BigInt(amountRefunded) < BigInt(amount)) return null;
  return settledAt === null || (refundedAt !== null && refundedAt > settledAt) ? refundedAt : settledAt;
};

/** True once the date of a decision that is still ahead is past. */
export const isDecisionLate = <Time extends Date | string | number>(
  { step, at }: Pick<TrackStep<Time>, "step" | "at">,
  now: Time,
): boolean => (step === "decide" || step === "decideLate" || step === "decideElse") && at !== null && at <= now;

/** The steps of a dispute with their dates. The clocks of one whose opening is gone begin anew: it has none. */
export function trackOf<Time extends Date | string | number>({
  status,
  openedAt,
  answerBy,
  decidingAt,
  agreedAt,
  agreement,
  decideBy,
  questionUntil,
  ruledAt,
  resolveBy,
  leftAt,
  isCarriedOut,
  now,
}: Clocks<Time> & {
  readonly openedAt: Time;
  readonly decidingAt: Time | null;
  readonly agreedAt: Time | null;
  readonly ruledAt: Time | null;
  readonly resolveBy: Time;
  /** The time of {@link lastPartLeftAt}. */
  readonly leftAt: Time | null;
  /** True if the chain shows what both sides agreed. */
  readonly isCarriedOut: boolean;
  /** The environment's time; null while it is not read. */
  readonly now: Time | null;
}): readonly TrackStep<Time>[] {
  if (status === "paused") return [];
  const isAgreed = status === "agreed";
  const isOver = status === "decided" || status === "closed";
  const hasLapsed = now !== null && isLapsed({ status, resolveBy }, now);
  const decide = outlastsDate({ status, decideBy, questionUntil }) ? "decideLate" : "decide";
  // Talking ends with its time, or sooner: by a request for the arbiter, an agreement or a ruling. Nothing else tells its time.
  const talkedUntil = [decidingAt, agreedAt, ruledAt].reduce<Time | null>(
    (first, end) => (first === null || (end !== null && end < first) ? end : first),
    isOver ? null : answerBy,
  );
  const decidesAt = isHeldByAgreement({ status, decideBy, agreement }) ? null : decideBy;
  const all: readonly (TrackStep<Time> | null)[] = [
    { step: "opened", state: "done", at: openedAt },
    status === "talking"
      ? { step: "talk", state: "now", at: answerBy }
      : { step: "talked", state: "done", at: talkedUntil },
    isAgreed ? { step: "agreed", state: "now", at: agreement?.until ?? null } : null,
    isOver || hasLapsed || (isAgreed && endsWithLapse({ agreement, resolveBy }))
      ? null
      : { step: isAgreed ? "decideElse" : decide, state: status === "deciding" ? "now" : "ahead", at: decidesAt },
    hasLapsed ? { step: "lapsed", state: "now", at: resolveBy } : null,
    isOver || hasLapsed ? null : { step: "lapse", state: "ahead", at: resolveBy },
    isOver && ruledAt !== null ? { step: "decided", state: "done", at: ruledAt } : null,
    status === "closed" && ruledAt === null
      ? { step: isCarriedOut ? "asAgreed" : "ended", state: "done", at: leftAt }
      : null,
  ];
  return all.filter((step) => step !== null);
}
