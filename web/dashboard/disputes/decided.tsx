import type { DisputeDecision, PaymentWithActions } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { Arbiter } from "../objects/arbiter.tsx";
import { code, Facts, time } from "../shell/facts.tsx";
import { Section } from "../shell/page.tsx";
import { ErasableText } from "./erased.tsx";
import { type DisputeProps, Shares } from "./shares.tsx";

/**
 * The ruling as the chain shows it: the amount of each side, with the refunds that add to it, and the reasons of the record
 * that its memo names.
 */
export function Decided({
  dispute: { decision },
  amount,
  refundTotal,
  token,
  payment,
}: DisputeProps & { readonly payment: PaymentWithActions }) {
  if (decision === null) return null;
  const { total, arbiter, ruledAt, transaction, sha256 } = decision;
  const labels = texts.disputes.decision;
  return (
    <Section title={labels.title}>
      <div className="grid gap-3 rounded-card border border-line p-4 [overflow-wrap:anywhere]">
        <Shares total={total} amount={amount} token={token} />
        {BigInt(refundTotal) > BigInt(total) ? <p>{texts.disputes.decidedMore(token.show(refundTotal))}</p> : null}
        <ErasableText text={reasonsOf(decision)} erasedAt={decision.erasedAt ?? null} />
        <Facts
          facts={[
            [labels.arbiter, arbiter === payment.arbiter ? <Arbiter key="arbiter" {...payment} /> : code(arbiter)],
            [labels.time, time(ruledAt)],
            [labels.transaction, code(transaction)],
            sha256 === null ? null : [labels.hash, code(sha256)],
          ]}
        />
      </div>
    </Section>
  );
}

/** The reasons, or what stands in their place. */
export function reasonsOf({ memo, reasons }: DisputeDecision): string {
  const labels = texts.disputes.decision;
  return memo === "record" ? (reasons ?? labels.agreed) : `${labels.elsewhere} ${labels.memos[memo]}`;
}
