import { lastPartLeftAt } from "@holdfast/ui/disputeStatus.ts";
import { type ReactNode, useEffect, useRef } from "react";
import type { DeskDispute } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { reasonsOf } from "../disputes/decided.tsx";
import { ErasableText } from "../disputes/erased.tsx";
import { code, Facts, time } from "../shell/facts.tsx";
import { useDroppedDraft } from "./decisionDraft.ts";
import type { DeskProps } from "./sides.tsx";

interface OutcomeProps extends DeskProps {
  /** The dispute ended while its arbiter was at work on this page, whose form is gone. */
  readonly takesFocus: boolean;
}

/** The ruling as the chain shows it, with the reasons of the record that its memo names; or how else the dispute ended. */
export function Outcome({ dispute, token, takesFocus }: OutcomeProps) {
  useDroppedDraft(dispute);
  const { decision, facts } = dispute;
  const total = decision?.total ?? facts.refundTotal;
  const end = decision === null ? endOf(dispute) : null;
  const leftAt = lastPartLeftAt(facts);
  if (decision === null && end === null) return null;
  const labels = texts.disputes.decision;
  return (
    <OutcomeSection title={decision === null ? texts.desk.ended.title : labels.title} takesFocus={takesFocus}>
      <p className="font-semibold">
        {texts.desk.outcome(token.show(total), token.show(BigInt(dispute.total) - BigInt(total)))}
      </p>
      {decision === null ? (
        <>
          <p className="max-w-text">{end}</p>
          {leftAt === null ? null : <Facts facts={[[texts.desk.ended.left, time(leftAt)]]} />}
        </>
      ) : (
        <>
          <ErasableText text={reasonsOf(decision)} erasedAt={decision.erasedAt ?? null} />
          <Facts
            facts={[
              [labels.time, time(decision.ruledAt)],
              [labels.transaction, code(decision.transaction)],
              decision.sha256 === null ? null : [labels.hash, code(decision.sha256)],
            ]}
          />
        </>
      )}
    </OutcomeSection>
  );
}

function OutcomeSection({
  title,
  takesFocus,
  children,
}: Pick<OutcomeProps, "takesFocus"> & { readonly title: string; readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <section className="grid gap-3">
      <h2 ref={heading} tabIndex={-1} className="text-lead font-semibold outline-none">
        {title}
      </h2>
      <div className="grid gap-3 rounded-card border border-line p-4 [overflow-wrap:anywhere]">{children}</div>
    </section>
  );
}

/** How a dispute without a decision ended; null while it is open, or while the ruling is not read yet. */
function endOf({ status, facts: { outcome }, agreement }: DeskDispute): string | null {
  const labels = texts.desk.ended;
  if (status !== "closed" || outcome === null || outcome === "resolved") return null;
  return agreement !== null && agreement.executes.length === 0 ? labels.agreed : labels.outcomes[outcome];
}
