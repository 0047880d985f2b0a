import { Time, Wait } from "@holdfast/ui/time.tsx";
import type { ReactNode } from "react";
import type { DisputeWithTexts } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import type { ShownToken } from "../objects/amount.tsx";
import { acceptable, barOf } from "./dispute.ts";

/** Whose turn it is, until when, and what follows from silence; below it the dates of the dispute. */
export function TurnBar({ dispute, token }: { readonly dispute: DisputeWithTexts; readonly token: ShownToken }) {
  const { head, until, silence } = barOf(dispute);
  const offer = acceptable(dispute);
  const labels = texts.disputes.turn;
  const isYours = head === "yours" || head === "asked" || head === "refunds";
  return (
    <section
      aria-label={labels.title}
      className={`overflow-hidden rounded-card border [overflow-wrap:anywhere] ${isYours ? "border-wait" : "border-line"}`}
    >
      <div className={`grid gap-1 px-5 py-4 max-md:px-4 ${isYours ? "bg-wait-wash" : "bg-hover"}`}>
        <h2 className={`text-lead font-semibold ${isYours ? "text-wait" : ""}`}>
          {head === "ended" ? (
            labels.ended[silence as keyof typeof labels.ended]
          ) : (
            <>
              <Filled text={labels[head]} slots={{ time: <Time at={until} /> }} />
              {until === null ? null : (
                <span className="font-medium text-ink">
                  {" · "}
                  <Filled text={labels.left} slots={{ wait: <Wait until={until} /> }} />
                </span>
              )}
            </>
          )}
        </h2>
        <p className="max-w-text">
          {silence === "offered" ? labels.silence.offered(token.show(offer?.total ?? "0")) : labels.silence[silence]}
        </p>
      </div>
      <Track dispute={dispute} />
    </section>
  );
}

const STATES = {
  done: "border-accent",
  now: "border-wait",
  later: "border-line",
} as const;

function Track({ dispute }: { readonly dispute: DisputeWithTexts }) {
  const { openedAt, answerBy, decideBy, resolveBy, status, decision } = dispute;
  const labels = texts.disputes.turn.track;
  const isTalking = status === "talking";
  const isDeciding = status === "deciding";
  const isOver = status === "decided" || status === "closed";
  const timed = (text: string, at: string) => (
    <Filled text={text} slots={{ time: <Time at={at} /> } as Readonly<Record<string, ReactNode>>} />
  );
  return (
    <ol className="m-0 grid list-none grid-cols-4 p-0 max-md:grid-cols-1">
      <Step state="done" title={labels.opened}>
        {timed(labels.openedText, openedAt)}
      </Step>
      <Step state={isTalking ? "now" : "done"} title={labels.talk}>
        {timed(labels.until, answerBy)}
      </Step>
      {isOver ? (
        decision === null ? null : (
          <Step state="done" title={labels.decided}>
            <Time at={decision.ruledAt} />
          </Step>
        )
      ) : (
        <>
          <Step state={isDeciding ? "now" : "later"} title={labels.decide}>
            {decideBy === null ? labels.decideLater : timed(labels.decideBy, decideBy)}
          </Step>
          <Step state="later" title={labels.lapse}>
            {timed(labels.lapseFrom, resolveBy)}
          </Step>
        </>
      )}
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
