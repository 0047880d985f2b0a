import { Badge } from "@holdfast/ui/badge.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import type { ReactNode } from "react";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { Section } from "../shell/page.tsx";
import { useTenant } from "../shell/tenant.ts";
import { stepsOf } from "./dispute.ts";
import { type DisputeProps, Shares } from "./shares.tsx";

/** What both sides agreed: what is signed, what is on chain, and, while the dispute stands at it, which step is next. `refund`: its button. */
export function AgreementCard({
  dispute,
  amount,
  refundTotal,
  token,
  refund,
}: DisputeProps & { readonly refund: ReactNode }) {
  const { may } = useTenant();
  const { agreement } = dispute;
  const labels = texts.disputes.agreement;
  if (agreement === null) {
    const failed = dispute.failedAgreement;
    return failed === null ? null : (
      <Section title={labels.title}>
        <p className="max-w-text">
          <Filled text={labels.failed(token.show(failed.total))} slots={{ time: <Time at={failed.until} /> }} />
        </p>
      </Section>
    );
  }
  const { total, executes } = agreement;
  const steps = stepsOf(dispute);
  const isRefundMissing = steps.includes("refund");
  // A ruling as agreed takes the place of both steps.
  const isOnChain = (step: "refund" | "release") => dispute.decision === null && !executes.includes(step);
  const rest = BigInt(amount) - BigInt(total);
  return (
    <Section title={labels.title} actions={isRefundMissing ? refund : undefined}>
      <div className="grid gap-3 rounded-card border border-line p-4 [overflow-wrap:anywhere]">
        <Shares total={total} amount={amount} token={token} {...(isRefundMissing ? { before: refundTotal } : {})} />
        <ul aria-label={labels.signed} className="m-0 grid list-none gap-2 p-0">
          <Line step="done">
            <Filled text={labels.buyer} slots={{ time: <Time at={agreement.buyer} /> }} />
          </Line>
          <Line step="done">
            <Filled text={labels.merchant} slots={{ time: <Time at={agreement.merchant} /> }} />
          </Line>
          {isRefundMissing || (total !== "0" && isOnChain("refund")) ? (
            <Line step={isRefundMissing ? "next" : "done"}>
              {isRefundMissing
                ? labels.refundMissing(token.gain(total, refundTotal))
                : labels.refundDone(token.show(total))}
            </Line>
          ) : null}
          {steps.includes("release") ? (
            <Line step={isRefundMissing ? "later" : "next"}>{labels.releaseMissing(token.show(rest))}</Line>
          ) : null}
          {rest > 0n && isOnChain("release") ? <Line step="done">{labels.releaseDone(token.show(rest))}</Line> : null}
        </ul>
        {isRefundMissing && !may("refund_payments") ? <p className="text-small text-soft">{labels.noRefund}</p> : null}
      </div>
    </Section>
  );
}

const TONES = { done: "good", next: "wait", later: "neutral" } as const;

const Line = ({ step, children }: { readonly step: keyof typeof TONES; readonly children: ReactNode }) => (
  <li className="flex flex-wrap items-baseline gap-2">
    <Badge tone={TONES[step]}>{texts.disputes.agreement[step]}</Badge>
    <span className="min-w-0">{children}</span>
  </li>
);
