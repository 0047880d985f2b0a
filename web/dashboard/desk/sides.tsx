import { Time } from "@holdfast/ui/time.tsx";
import type { ReactNode } from "react";
import type { DeskDispute, DisputeOffer } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { answerOnceUntil, buyersWish, entriesOf, isBareOffer, openOfferOf } from "../disputes/dispute.ts";
import type { ShownToken } from "../objects/amount.tsx";
import { silentMs } from "./silence.ts";

export interface DeskProps {
  readonly dispute: DeskDispute;
  readonly token: ShownToken;
}

/** Both sides: who they are, what they would end the dispute with, and for how long each has been silent. */
export const Sides = (props: DeskProps) => (
  <div className="grid grid-cols-2 overflow-hidden rounded-card border border-line max-md:grid-cols-1">
    <Side {...props} by="buyer" />
    <Side {...props} by="merchant" />
  </div>
);

/** The chain has decided: no arbiter has anything to do, and no date or wish is left. */
export const isEnded = ({ status }: Pick<DeskDispute, "status">): boolean =>
  status === "decided" || status === "closed";

const MARKS = { buyer: "bg-info", merchant: "bg-accent" } as const;

function Side({ dispute, token, by }: DeskProps & { readonly by: DisputeOffer["by"] }) {
  const { sender, recipient } = dispute.facts;
  const name = by === "buyer" ? texts.desk.sides.buyer : dispute.business.name;
  return (
    <section
      aria-label={name}
      className="grid min-w-0 content-start gap-3 p-5 [overflow-wrap:anywhere] max-md:p-4 [&+&]:border-l [&+&]:border-line max-md:[&+&]:border-t max-md:[&+&]:border-l-0"
    >
      <div className="grid gap-1">
        <h2 className="flex items-center gap-2 text-lead font-semibold">
          <span aria-hidden="true" className={`size-[10px] rounded-[3px] ${MARKS[by]}`} />
          {name}
        </h2>
        <p className="text-soft">
          <code translate="no" className="break-all text-small">
            {by === "buyer" ? sender : recipient}
          </code>
        </p>
        {isEnded(dispute) || dispute.agreement !== null ? null : (
          <p className="text-soft">{wishOf(dispute, token, by)}</p>
        )}
      </div>
      <Silence dispute={dispute} by={by} />
      <AnswerOnce dispute={dispute} by={by} />
    </section>
  );
}

const DAY_MS = 86_400_000;

/** When a side wrote last, for how long it has had something to answer since, and if it asked for the arbiter. */
function Silence({ dispute, by }: { readonly dispute: DeskDispute; readonly by: DisputeOffer["by"] }) {
  const labels = texts.desk.timeline;
  const last = entriesOf(dispute).findLast((entry) => entry.by === by);
  const since = last?.at ?? dispute.openedAt;
  const count = Math.floor(silentMs(dispute, by, since) / DAY_MS);
  const days = count < 1 ? null : labels.days(count);
  const askedAt = by === "buyer" ? dispute.buyerAskedAt : dispute.merchantAskedAt;
  return (
    <p className="text-small text-soft">
      {last === undefined ? (
        labels.wroteNothing(days)
      ) : (
        <>
          <Filled text={isBareOffer(last) ? labels.lastOffer : labels.lastWord} slots={{ time: <Time at={since} /> }} />
          {days === null ? null : labels.silentFor(days)}
        </>
      )}
      ; {askedAt === null ? labels.arbiterNotAsked : labels.arbiterAsked}
    </p>
  );
}

/** A side may still answer the other's last word: a decision before that hears less than it could. */
function AnswerOnce({ dispute, by }: { readonly dispute: DeskDispute; readonly by: DisputeOffer["by"] }) {
  const until = answerOnceUntil(dispute, by);
  if (until === null) return null;
  return (
    <p className="text-small">
      <Filled text={texts.desk.dispute.answerOnce[by]} slots={{ time: <Time at={until} /> }} />
    </p>
  );
}

/** The amount that a side would end the dispute with; the buyer's may be below what the buyer asked for. */
function wishOf(dispute: DeskDispute, token: ShownToken, by: DisputeOffer["by"]): ReactNode {
  const labels = texts.desk.sides;
  const shown = (total: string) => (
    <b className="font-semibold text-ink">{token.gain(total, dispute.facts.refundTotal)}</b>
  );
  if (by === "merchant") {
    const offer = openOfferOf(dispute, by);
    return offer === null ? (
      labels.offersNothing
    ) : (
      <Filled text={labels.offers} slots={{ amount: shown(offer.total) }} />
    );
  }
  const { asked, takes } = buyersWish(dispute);
  if (asked === null)
    return takes === null ? labels.asksNothing : <Filled text={labels.takes} slots={{ amount: shown(takes) }} />;
  return takes === null || takes === asked ? (
    <Filled text={labels.asks} slots={{ amount: shown(asked) }} />
  ) : (
    <Filled text={labels.asksAndTakes} slots={{ asked: shown(asked), amount: shown(takes) }} />
  );
}
