import { isDecisionLate, isOverdue, isUnsaid, writingUntil } from "@holdfast/ui/disputeStatus.ts";
import { Time, Wait } from "@holdfast/ui/time.tsx";
import type { ReactNode } from "react";
import type { DisputeWithTexts, PaymentWithActions } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { useEnvironmentTime } from "../shell/environmentTime.ts";
import { acceptable, answerOnceUntil, barOf, canBothWrite, hasAsked, isOfferOpen, trackOf } from "./dispute.ts";
import type { DisputeProps } from "./shares.tsx";

/** A text with a slot for a time. */
const timed = (text: string, at: string | null) => (
  <Filled text={text} slots={{ time: <Time at={at} /> } as Readonly<Record<string, ReactNode>>} />
);

/** Whose turn it is, until when, and what follows from silence; below it the dates of the dispute. */
export function TurnBar({
  dispute,
  payment,
  token,
}: Pick<DisputeProps, "dispute" | "token"> & { readonly payment: PaymentWithActions }) {
  const now = useEnvironmentTime();
  const { head, until, silence, canWriteToo } = barOf(dispute, now);
  const offer = acceptable(dispute);
  const labels = texts.disputes.side;
  const isYours = dispute.turn === "merchant";
  return (
    <section
      aria-label={texts.disputes.turn.title}
      className={`overflow-hidden rounded-card border [overflow-wrap:anywhere] ${isYours ? "border-wait" : "border-line"}`}
    >
      <div className={`grid gap-1 px-5 py-4 max-md:px-4 ${isYours ? "bg-wait-wash" : "bg-hover"}`}>
        <h2 className={`text-lead font-semibold ${isYours ? "text-wait" : ""}`}>
          {timed(labels.head[head], until)}
          {until === null || (now !== null && until <= now) ? null : (
            <span className="font-medium text-ink">
              {" · "}
              <Filled text={texts.disputes.turn.left} slots={{ wait: <Wait until={until} at={now} /> }} />
            </span>
          )}
        </h2>
        {hasAsked(dispute, "buyer") ? (
          <p className="max-w-text font-semibold">{timed(labels.asking.othersAsked, dispute.answerBy)}</p>
        ) : null}
        <p className="max-w-text">
          {offer === null ? null : `${labels.offered(token.gain(offer.total, payment.refundTotal))} `}
          {isOfferOpen(dispute) ? `${labels.ownOffer} ` : null}
          {isUnsaid(
            dispute,
            dispute.statements.some(({ by }) => by === "buyer"),
          )
            ? labels.unsaid
            : labels.silence[silence]}{" "}
          {canWriteToo ? `${labels.writeToo} ` : null}
          {now !== null && isOverdue(dispute, dispute.turn, now) && now < dispute.resolveBy ? (
            <>{timed(labels.overdue, dispute.resolveBy)} </>
          ) : null}
          <Dated
            text={labels.bothWrite}
            until={
              now === null ? null : writingUntil(dispute, dispute.turn, { now, canBothWrite: canBothWrite(dispute) })
            }
          />
          {ONCE.map(([side, text]) => (
            <Dated key={side} text={text} until={answerOnceUntil(dispute, side)} />
          ))}
        </p>
      </div>
      <Track dispute={dispute} payment={payment} now={now} />
    </section>
  );
}

/** While the arbiter decides, each side has one answer to the other's last word. */
const ONCE = [
  ["merchant", texts.disputes.side.answerOnce],
  ["buyer", texts.disputes.side.othersAnswerOnce],
] as const;
const Dated = ({ text, until }: { readonly text: string; readonly until: string | null }) =>
  until === null ? null : <>{timed(text, until)} </>;

const STATES = {
  done: "border-accent",
  now: "border-wait",
  ahead: "border-line",
} as const;

function Track({
  dispute,
  payment,
  now,
}: {
  readonly dispute: DisputeWithTexts;
  readonly payment: PaymentWithActions;
  readonly now: string | null;
}) {
  const labels = texts.disputes.side;
  return (
    <ol className="m-0 grid list-none p-0 md:auto-cols-fr md:grid-flow-col">
      {trackOf(dispute, payment, now).map((one) => {
        const { step, state, at } = one;
        const { title, text } = labels.track[step];
        const isLate = now !== null && isDecisionLate(one, now);
        return (
          <Step key={step} state={state} title={title}>
            {at === null
              ? step === "decide"
                ? labels.decideLater
                : null
              : timed(isLate ? labels.decideOverdue : text, at)}
          </Step>
        );
      })}
    </ol>
  );
}

const Step = ({
  state,
  title,
  children,
}: {
  readonly state: keyof typeof STATES;
  readonly title: string;
  readonly children: ReactNode;
}) => (
  <li
    aria-current={state === "now" ? "step" : undefined}
    className={`border-t-[3px] px-5 py-3 text-small text-soft max-md:border-t-0 max-md:border-l-[3px] max-md:px-4 max-md:py-2 ${STATES[state]}`}
  >
    <b className={`block font-semibold ${state === "now" ? "text-wait" : "text-ink"}`}>{title}</b>
    {children}
  </li>
);
