import type { BuiltTransaction, PlainInstruction } from "@holdfast/decoder";
import { Button } from "@holdfast/ui/button.tsx";
import { CopyText } from "@holdfast/ui/copy.tsx";
import { type Act, type ActEnding, prepare } from "@holdfast/wallet/act.ts";
import { useState } from "react";
import * as texts from "../catalogue/index.ts";
import { EndingNotice } from "./progress.tsx";

/** An act that names its wallet, and that other wallets can do by its plain form. */
export type StaffAct = Act<BuiltTransaction & { readonly instructions: readonly PlainInstruction[] }> & {
  readonly signer: string;
};

interface MultisigProps {
  readonly act: StaffAct;
  /** Says that the act was not done. */
  readonly nothing: string;
}

/** An act for a wallet whose signers are several, in plain form, which no blockhash ends. The page then waits for the chain. */
export function Multisig({ act, nothing }: MultisigProps) {
  const [answer, setAnswer] = useState<Awaited<ReturnType<StaffAct["build"]>> | ActEnding | null>(null);
  const [isBusy, setBusy] = useState(false);
  const labels = texts.acts.multisig;
  const build = async () => {
    setBusy(true);
    setAnswer(null);
    setAnswer(await prepare(act, act.signer));
    setBusy(false);
  };
  return (
    <details className="border-t border-line pt-3">
      <summary className="cursor-pointer font-medium">{labels.title}</summary>
      <div className="grid gap-3 pt-3">
        <p className="text-small text-soft">{labels.text}</p>
        <div>
          <Button isBusy={isBusy} onClick={() => void build()}>
            {labels.prepare}
          </Button>
        </div>
        <div role="status" className="grid gap-3">
          {answer === null ? null : "kind" in answer ? (
            <EndingNotice ending={answer} wallet="" nothing={nothing} />
          ) : (
            <>
              <p className="font-medium">{labels.instructions}</p>
              <CopyText what="instructions" text={JSON.stringify(answer.instructions)} />
            </>
          )}
        </div>
      </div>
    </details>
  );
}
