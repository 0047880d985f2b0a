import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { CopyText } from "@holdfast/ui/copy.tsx";
import { useState } from "react";
import * as texts from "../catalogue/index.ts";
import { endingText } from "./refundProgress.tsx";
import { type Built, endingOf, prepareRefund, type RefundEnding, type ShownRefund } from "./signRefund.ts";

/** The refund for a wallet whose signers are several, unsigned and in plain form. */
export function Multisig({ refund }: { readonly refund: ShownRefund }) {
  const [built, setBuilt] = useState<Built | null>(null);
  const [ending, setEnding] = useState<RefundEnding | null>(null);
  const [isBusy, setBusy] = useState(false);
  const labels = texts.refund.multisig;
  const prepare = async () => {
    setBusy(true);
    setEnding(null);
    await prepareRefund(refund).then(setBuilt, (error: unknown) => setEnding(endingOf(error)));
    setBusy(false);
  };
  return (
    <details className="border-t border-line pt-3">
      <summary className="cursor-pointer font-medium">{labels.title}</summary>
      <div className="grid gap-3 pt-3">
        <p className="text-small text-soft">{labels.text}</p>
        <div>
          <Button isBusy={isBusy} onClick={() => void prepare()}>
            {labels.prepare}
          </Button>
        </div>
        <div role="status" className="grid gap-3">
          {ending === null ? null : <Notice tone="bad">{endingText(ending, refund, "")}</Notice>}
          {built === null ? null : (
            <>
              <p className="font-medium">{labels.transaction}</p>
              <CopyText what="transaction" text={built.transaction} />
              <p className="text-small text-soft">{labels.transactionText}</p>
              <p className="font-medium">{labels.instructions}</p>
              <CopyText what="instructions" text={JSON.stringify(built.instructions)} />
            </>
          )}
        </div>
      </div>
    </details>
  );
}
