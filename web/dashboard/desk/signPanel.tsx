import { Button } from "@holdfast/ui/button.tsx";
import { Actions } from "@holdfast/ui/dialog.tsx";
import { useEffect, useRef } from "react";
import { Multisig } from "../acts/multisig.tsx";
import { Progress, WalletNotes } from "../acts/progress.tsx";
import { useAct } from "../acts/useAct.ts";
import type { FrozenDecision } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { useWallets, walletCluster } from "../payments/wallets.ts";
import { code } from "../shell/facts.tsx";
import { RawText } from "../shell/rawText.tsx";
import { rulingAct } from "./rulingAct.ts";
import type { DeskProps } from "./sides.tsx";

interface SignProps extends DeskProps {
  readonly frozen: FrozenDecision;
  readonly reasons: string | null;
  readonly onBack: () => void;
}

/** The frozen decision as it will stand, and the ways to sign it. The dispute shows it once the chain does. */
export function SignPanel({ dispute, token, frozen, reasons, onBack }: SignProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const labels = texts.desk.sign;
  const { programId, operator } = dispute.chain;
  const cluster = walletCluster(dispute.chain.cluster);
  const ruling = rulingAct({
    ...{ programId, operator, payment: dispute.payment, arbiter: dispute.facts.arbiter },
    ...{ total: frozen.total, reasons, agreement: frozen.agreement },
    path: { dispute: dispute.id, decision: frozen.id },
  });
  const { shown, isBusy, start } = useAct(cluster);
  const { here, elsewhere } = useWallets(cluster);
  const rest = BigInt(dispute.total) - BigInt(frozen.total);
  return (
    <section
      aria-label={labels.title}
      className="grid gap-4 rounded-card border border-accent p-5 shadow-raised [overflow-wrap:anywhere] max-md:p-4"
    >
      <h2 ref={title} tabIndex={-1} className="text-lead font-semibold outline-none">
        {labels.title}
      </h2>
      <p className="max-w-text font-semibold">
        {labels.outcome(token.gain(frozen.total, dispute.facts.refundTotal), token.show(rest))}
      </p>
      <p className="max-w-text overflow-clip whitespace-pre-wrap">{reasons ?? labels.asAgreed}</p>
      <div className="grid gap-1">
        <p className="text-small text-soft">{labels.hash}</p>
        {code(frozen.sha256)}
      </div>
      <details>
        <summary className="cursor-pointer font-medium">{labels.record}</summary>
        <div className="pt-2">
          <RawText label={labels.record} text={frozen.record} />
        </div>
      </details>
      <p className="text-small text-soft">
        <Filled text={labels.signer} slots={{ arbiter: code(frozen.arbiter) }} />
      </p>
      <WalletNotes here={here} elsewhere={elsewhere} />
      <Progress shown={shown} nothing={labels.nothing} />
      <Actions>
        <Button disabled={isBusy} onClick={onBack}>
          {labels.back}
        </Button>
        {here.map((wallet) => (
          <Button key={wallet.name} kind="primary" isBusy={isBusy} onClick={() => start(ruling, wallet)}>
            {labels.sign(wallet.name)}
          </Button>
        ))}
      </Actions>
      <Multisig act={ruling} nothing={labels.nothing} />
    </section>
  );
}
