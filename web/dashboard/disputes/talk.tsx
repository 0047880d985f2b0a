import { Badge } from "@holdfast/ui/badge.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import type { ReactNode } from "react";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { Section } from "../shell/page.tsx";
import { type Entry, entriesOf } from "./dispute.ts";
import { ErasableText } from "./erased.tsx";
import { OfferCard } from "./offerCard.tsx";
import type { DisputeProps } from "./shares.tsx";

/** Offers of a dispute that its object shows. */
const OFFERS_SHOWN = 10;

/** All that both sides sent, in its order. Nothing of it has a menu: it cannot be changed. `children`: the answer. */
export function Talk({ children, ...props }: DisputeProps & { readonly children: ReactNode }) {
  const { dispute, token } = props;
  const labels = texts.disputes.talk;
  return (
    <Section title={labels.title}>
      {dispute.offers.length < OFFERS_SHOWN ? null : <p className="text-small text-soft">{labels.olderOffers}</p>}
      <ol className="m-0 list-none [overflow-wrap:anywhere] p-0">
        <Said by="buyer" says={labels.opened} at={dispute.openedAt}>
          <p className="text-soft">
            {dispute.requestedTotal === null
              ? texts.disputes.reasons[dispute.reason]
              : `${texts.disputes.reasons[dispute.reason]}. ${labels.asked(token.show(dispute.requestedTotal))}`}
          </p>
        </Said>
        {entriesOf(dispute).map((entry) => (
          <Sent key={entry.id} {...props} entry={entry} />
        ))}
        {children}
      </ol>
    </Section>
  );
}

function Sent({ entry, ...props }: DisputeProps & { readonly entry: Entry }) {
  const labels = texts.disputes.talk;
  switch (entry.kind) {
    case "statement":
      return (
        <Said by={entry.by} says={labels.wrote} at={entry.at}>
          <ErasableText {...entry.statement} />
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
        <Said by={entry.by} says={labels.questioned} at={entry.at}>
          <ErasableText {...entry.question} />
          <p className="text-small text-soft">
            <Filled text={labels.questionUntil} slots={{ time: <Time at={entry.question.until} /> }} />
          </p>
        </Said>
      );
  }
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
