import { Notice } from "@holdfast/ui/badge.tsx";
import type { ReactNode } from "react";
import { messageOf } from "../api/useAction.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import type { NotGiven } from "./signAgreement.ts";

interface NotGivenProps {
  readonly ending: NotGiven;
  /** The wallet's name. */
  readonly wallet: string;
  readonly recipient: string;
}

/** The reason why the recipient's wallet did not sign. */
export const NotGivenNotice = (props: NotGivenProps) => (
  <Notice tone="bad">
    <p>{reasonOf(props)}</p>
  </Notice>
);

function reasonOf({ ending, wallet, recipient }: NotGivenProps): ReactNode {
  const words = texts.disputes.notGiven;
  switch (ending.kind) {
    case "other_wallet":
    case "no_account":
      return (
        <Filled
          text={words.otherWallet(wallet)}
          slots={{ recipient: <code className="break-all">{recipient}</code> }}
        />
      );
    case "wrong_network":
      return texts.refund.elsewhere(wallet);
    case "rejected":
      return words.rejected;
    case "wallet_failed":
      return words.walletFailed(ending.reason);
    case "unknown":
      return words.noSignature(wallet);
    case "no_texts":
      return words.noTexts(wallet);
    case "unexpected":
      return words.unexpected(ending.reason);
    case "refused":
      return messageOf(ending.error);
  }
}
