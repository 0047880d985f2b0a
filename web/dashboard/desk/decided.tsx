import * as texts from "../catalogue/index.ts";
import { code, Facts, time } from "../shell/facts.tsx";
import { Section } from "../shell/page.tsx";
import type { DeskProps } from "./sides.tsx";

/** The ruling as the chain shows it, with the reasons of the record that its memo names. */
export function Decided({ dispute, token }: DeskProps) {
  const { decision } = dispute;
  const words = texts.desk.decided;
  if (decision === null) return null;
  const rest = BigInt(dispute.total) - BigInt(decision.total);
  return (
    <Section title={words.title}>
      <div className="grid gap-3 rounded-card border border-line p-4 [overflow-wrap:anywhere]">
        <p className="font-semibold">{words.outcome(token.show(decision.total), token.show(rest))}</p>
        <p className="max-w-text whitespace-pre-wrap">
          {decision.memo === "record" ? (decision.reasons ?? words.agreed) : words.noReasons}
        </p>
        <Facts
          facts={[
            [words.time, time(decision.ruledAt)],
            [words.signature, code(decision.transaction)],
            decision.sha256 === null ? null : [words.hash, code(decision.sha256)],
          ]}
        />
      </div>
    </Section>
  );
}
