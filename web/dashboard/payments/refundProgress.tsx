import { Notice } from "@holdfast/ui/badge.tsx";
import type { ReactNode } from "react";
import { messageOf } from "../api/useAction.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import type { ShownToken } from "../objects/amount.tsx";
import { solOf } from "./refundText.ts";
import type { RefundEnding } from "./signRefund.ts";
import type { RefundState } from "./useRefund.ts";

interface ProgressProps {
  readonly state: RefundState | null;
  readonly secondsLeft: number | null;
  readonly refund: { readonly recipient: string };
  readonly token: ShownToken;
  /** The wallet's name. */
  readonly wallet: string;
}

/** The state of a refund in words; a screen reader hears each change, but not each second. */
export const Progress = ({ state, secondsLeft, ...rest }: ProgressProps) => (
  <>
    <div role="status" data-refund={state?.at}>
      {state === null ? null : <StateText state={state} {...rest} />}
    </div>
    {state?.at === "confirming" && secondsLeft !== null ? (
      <p className="text-small text-soft tabular-nums">{texts.refund.left(secondsLeft)}</p>
    ) : null}
  </>
);

type StateProps = Omit<ProgressProps, "state" | "secondsLeft"> & { readonly state: RefundState };

function StateText({ state, refund, token, wallet }: StateProps): ReactNode {
  switch (state.at) {
    case "connecting":
      return texts.refund.steps.connecting(wallet);
    case "preparing":
      return texts.refund.steps.preparing;
    case "confirming":
      return state.accountLamports === 0n
        ? texts.refund.steps.confirming(wallet, solOf(state.lamports))
        : texts.refund.steps.confirmingWithAccount(wallet, solOf(state.lamports), solOf(state.accountLamports));
    case "sending":
      return texts.refund.steps.sending;
    case "sent":
      return texts.refund.steps.sent;
    case "done":
      return <Notice tone="good">{texts.refund.done(token.show(state.total))}</Notice>;
    case "ended":
      return (
        <Notice tone={state.ending.kind === "unknown" ? "wait" : "bad"}>
          {endingText(state.ending, refund, wallet)}
        </Notice>
      );
  }
}

export function endingText(ending: RefundEnding, { recipient }: ProgressProps["refund"], wallet: string): ReactNode {
  const address = (text: string) => (
    <code translate="no" className="break-all">
      {text}
    </code>
  );
  switch (ending.kind) {
    case "other_wallet":
      return (
        <p>
          <Filled
            text={texts.refund.otherWallet(wallet)}
            slots={
              { account: address(ending.account), recipient: address(recipient) } as Readonly<Record<string, ReactNode>>
            }
          />
        </p>
      );
    case "no_account":
      return (
        <p>
          <Filled
            text={texts.refund.noAccount(wallet)}
            slots={{ recipient: address(recipient) } as Readonly<Record<string, ReactNode>>}
          />
        </p>
      );
    case "wrong_network":
      return texts.refund.elsewhere(wallet);
    case "rejected":
      return texts.refund.rejected;
    case "wallet_failed":
      return texts.refund.walletFailed(ending.reason);
    case "unexpected":
      return texts.refund.unexpected(ending.reason);
    case "refused":
      return messageOf(ending.error);
    case "too_late":
      return texts.refund.tooLate;
    case "failed":
      return texts.refund.failed;
    case "unknown":
      return texts.refund.unknown;
    case "sent":
      return texts.refund.steps.sent;
  }
}
