import { Badge } from "@holdfast/ui/badge.tsx";
import { questionState, silentOn, unansweredBy } from "@holdfast/ui/disputeStatus.ts";
import { Time } from "@holdfast/ui/time.tsx";
import type { ReactNode } from "react";
import type { DisputeQuestion, DisputeWithTexts } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { useEnvironmentTime } from "../shell/environmentTime.ts";
import { Section } from "../shell/page.tsx";
import { canBothWrite, type Entry, entriesOf, wordsOf } from "./dispute.ts";
import { ErasableText } from "./erased.tsx";
import { OfferCard } from "./offerCard.tsx";
import type { DisputeProps } from "./shares.tsx";

/** Offers of a dispute that its object shows. */
const OFFERS_SHOWN = 10;

/** All that both sides sent, in its order. Nothing of it has a menu: it cannot be changed. `children`: the answer. */
export function Talk({ children, ...props }: DisputeProps & { readonly children: ReactNode }) {
  const { dispute } = props;
  const labels = texts.disputes.talk;
  const entries = entriesOf(dispute);
  // The chain's opening says no more than that: reason and sum came with the buyer's first text.
  const opening =
    dispute.reason === "not_given" ? undefined : entries.find(({ kind, by }) => kind === "statement" && by === "buyer");
  return (
    <Section title={labels.title}>
      {dispute.offers.length < OFFERS_SHOWN ? null : <p className="text-small text-soft">{labels.olderOffers}</p>}
      <ol className="m-0 list-none [overflow-wrap:anywhere] p-0">
        <Said by="buyer" says={texts.disputes.side.said.opened} at={dispute.openedAt}>
          {dispute.reason === "not_given" ? <p className="text-soft">{texts.disputes.reasons.not_given}</p> : null}
        </Said>
        {entries.map((entry) => (
          <Sent key={entry.id} {...props} entry={entry} isOpening={entry === opening} />
        ))}
        {children}
      </ol>
    </Section>
  );
}

function Sent({ entry, isOpening, ...props }: DisputeProps & { readonly entry: Entry; readonly isOpening: boolean }) {
  const now = useEnvironmentTime();
  const { reason, requestedTotal } = props.dispute;
  const labels = texts.disputes.side.said;
  switch (entry.kind) {
    case "statement":
      return (
        <Said by={entry.by} says={labels.wrote} at={entry.at}>
          <ErasableText {...entry.statement} />
          {isOpening ? (
            <p className="text-soft">
              {texts.disputes.reasons[reason]}
              {requestedTotal === null ? null : `. ${texts.disputes.talk.asked(props.token.show(requestedTotal))}`}
            </p>
          ) : null}
        </Said>
      );
    case "offer":
      return (
        <Said by={entry.by} says={labels.offered} at={entry.at}>
          <OfferCard {...props} offer={entry.offer} />
        </Said>
      );
    case "question":
      return (
        <Said by={entry.by} says={labels.asked[entry.question.askedSide ?? "both"]} at={entry.at}>
          <ErasableText {...entry.question} />
          <p className="text-small text-soft">
            <QuestionTime
              dispute={props.dispute}
              question={entry.question}
              now={now}
              unanswered={texts.disputes.side.unanswered}
            />
          </p>
        </Said>
      );
  }
}

/**
 * Until when a question of the arbiter can be answered, or could, and whether it was. `now`: null while it is not read.
 * `unanswered`: who did not answer, as the reader reads it.
 */
export function QuestionTime({
  dispute,
  question,
  now,
  unanswered,
}: {
  readonly dispute: DisputeWithTexts;
  readonly question: DisputeQuestion;
  readonly now: string | null;
  readonly unanswered: Readonly<Record<NonNullable<ReturnType<typeof silentOn>>, string>>;
}) {
  const { status, questionUntil, decision, closedAt } = dispute;
  const { until } = question;
  const ruledAt = decision?.ruledAt ?? null;
  const written = wordsOf(dispute);
  const isAnswered = unansweredBy(question, written) === null;
  const silent = now === null ? null : silentOn(question, written, { now, endedAt: ruledAt ?? closedAt });
  const isOpen = status === "deciding" && questionUntil !== null && (now === null || now < questionUntil);
  const openUntil = isOpen ? questionUntil : null;
  const state = questionState(until, { openUntil, ruledAt, isAnswered, canBothWrite: canBothWrite(dispute) });
  return (
    <>
      <Filled
        text={texts.disputes.side.questions[state] as string}
        slots={{ time: <Time at={until} />, decided: <Time at={ruledAt} /> } as Readonly<Record<string, ReactNode>>}
      />
      {silent === null ? null : ` ${unanswered[silent]}`}
    </>
  );
}

const FACES = {
  buyer: "rounded-full bg-info-wash text-info",
  merchant: "rounded-small bg-accent-wash text-accent",
  arbiter: "rounded-small bg-wait-wash text-wait",
};

/** An entry of one side, or of the arbiter. `says` has a slot for the time; without it, the entry is not sent yet. */
export const Said = ({
  by,
  says,
  at,
  badge,
  children,
}: {
  readonly by: Entry["by"];
  readonly says: string;
  readonly at: string | null;
  readonly badge?: string;
  readonly children: ReactNode;
}) => (
  <li className="relative grid grid-cols-[32px_minmax(0,1fr)] gap-x-3 pb-5 before:absolute before:top-[36px] before:bottom-1 before:left-[15px] before:border-l-2 before:border-line last:before:hidden">
    <span aria-hidden="true" className={`grid size-[32px] place-items-center text-small font-semibold ${FACES[by]}`}>
      {texts.disputes.talk.faces[by]}
    </span>
    <div className="grid min-w-0 gap-2">
      <p className="flex flex-wrap items-baseline gap-x-2 pt-[6px]">
        <b className="font-semibold">{texts.disputes.talk.sides[by]}</b>
        {badge === undefined ? null : <Badge tone="neutral">{badge}</Badge>}
        <span className="text-small text-soft">
          {at === null ? says : <Filled text={says} slots={{ time: <Time at={at} /> } as Record<string, ReactNode>} />}
        </span>
      </p>
      {children}
    </div>
  </li>
);
