import { type Share, ShareBar } from "@holdfast/ui/shareBar.tsx";
import { type Column, Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import type { ReactNode } from "react";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import type { ShownToken } from "../objects/amount.tsx";
import { useCourse } from "./course.ts";
import { duesOf, splitOf } from "./money.ts";
import { type Course, type Followed, stageOf } from "./stage.ts";

interface MoneyProps {
  readonly payment: Followed;
  readonly token: ShownToken;
  /** True if the recipient is the business. */
  readonly isOurs: boolean;
}

const timed = (text: string, at: string | null) => <Filled text={text} slots={{ time: <Time at={at} /> }} />;

/** The bar of who has the money, and a table of who is due what. */
export const MoneySection = (props: MoneyProps) => (
  <div className="grid overflow-hidden rounded-card border border-line">
    <div className="px-5 pt-5 pb-4 max-md:px-4 max-md:pt-4">
      <ShareBar shares={sharesOf(props)} />
    </div>
    <Table
      caption={texts.payment.where.title}
      columns={columnsOf(props.token)}
      rows={rowsOf(props, useCourse(props.payment))}
      keyOf={({ who }) => who}
      isFramed
    />
  </div>
);

function sharesOf({ payment, token: { show }, isOurs }: MoneyProps): Share[] {
  const { returned, returning, held, releasing, released } = splitOf(payment);
  const { refundedAt, settledAt } = payment;
  const labels = texts.payment.where;
  const back = refundedAt === null ? labels.toBuyer : timed(labels.toBuyerOn, refundedAt);
  const paid = isOurs ? [labels.toYou, labels.toYouOn] : [labels.toRecipient, labels.toRecipientOn];
  const shares: (Share | false)[] = [
    { fill: "returned", amount: returned, title: labels.returned(show(returned)), text: back },
    returning > 0n && {
      fill: "returning",
      amount: returning,
      title: labels.returning(show(returning)),
      text: labels.bound,
    },
    {
      fill: "held",
      amount: held + releasing,
      title: labels.held(show(held + releasing)),
      text: held + releasing > 0n ? heldText(payment, isOurs) : labels.nothing,
    },
    {
      fill: "released",
      amount: released,
      title: labels.released(show(released)),
      text: settledAt === null || released === 0n ? paid[0] : timed(paid[1]!, settledAt),
    },
  ];
  return shares.filter((share) => share !== false);
}

function heldText(payment: Followed, isOurs: boolean): ReactNode {
  const labels = texts.payment.where;
  switch (stageOf(payment)) {
    case "protected":
      return timed(isOurs ? labels.yoursFrom : labels.theirsFrom, payment.protectionDeadline);
    case "disputed":
      return timed(labels.frozenUntil, payment.resolveBy);
    case "lapsed":
      return labels.lapsed;
    default:
      return isOurs ? labels.yoursNow : labels.theirsNow;
  }
}

interface Row {
  readonly who: string;
  readonly due: bigint;
  readonly sent: bigint;
  readonly when: ReactNode;
}

function columnsOf({ text }: ShownToken): readonly Column<Row>[] {
  const figure = (amount: bigint) => text(amount).figure;
  const { who, due, sent, toCome, when } = texts.payment.where;
  return [
    { title: who, cell: (row) => row.who },
    { title: due, cell: (row) => figure(row.due), end: true },
    { title: sent, cell: (row) => figure(row.sent), end: true },
    {
      title: toCome,
      cell: (row) => <span className={row.due > row.sent ? "font-semibold" : ""}>{figure(row.due - row.sent)}</span>,
      end: true,
    },
    { title: when, cell: (row) => <span className="text-soft">{row.when}</span>, wideOnly: true },
  ];
}

/** What nobody is due yet has a row of its own. */
function rowsOf({ payment, isOurs }: MoneyProps, course: Course): Row[] {
  const { returned, returning, releasing, released } = splitOf(payment);
  const labels = texts.payment.where;
  const stage = stageOf(payment);
  const agreed = stage === "disputed" ? course.total : null;
  const isUndecided = stage === "disputed" || stage === "lapsed";
  const due = duesOf(payment, { isUndecided, agreed });
  const atItsEnd = stage === "lapsed" ? labels.lapsed : timed(labels.ends[course.kind], course.at);
  const rows: Row[] = [
    {
      who: labels.buyer,
      due: due.buyer,
      sent: returned,
      when:
        due.buyer > returned + returning
          ? atItsEnd
          : whenSent(labels.lastSentOn, returned, returning, payment.refundedAt),
    },
    {
      who: isOurs ? labels.you : labels.recipient,
      due: due.recipient,
      sent: released,
      when: !isUndecided ? whenRecipient(payment, released, releasing) : due.recipient > 0n ? atItsEnd : labels.nothing,
    },
  ];
  const undecided = { who: labels.undecided, due: due.nobody, sent: 0n, when: atItsEnd };
  return isUndecided && agreed === null ? [...rows, undecided] : rows;
}

function whenSent(on: string, sent: bigint, toCome: bigint, at: string | null): ReactNode {
  const labels = texts.payment.where;
  if (toCome > 0n) return labels.onItsWay;
  return sent > 0n ? timed(on, at) : labels.nothing;
}

function whenRecipient(payment: Followed, released: bigint, releasing: bigint): ReactNode {
  const labels = texts.payment.where;
  if (stageOf(payment) === "protected") return timed(labels.fromOrReleased, payment.protectionDeadline);
  if (stageOf(payment) === "settleable") return labels.now;
  return whenSent(labels.sentOn, released, releasing, payment.settledAt);
}
