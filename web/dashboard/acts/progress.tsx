import { Notice } from "@holdfast/ui/badge.tsx";
import type { ActEnding } from "@holdfast/wallet/act.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { solOf } from "../objects/amount.tsx";
import { code } from "../shell/facts.tsx";
import type { ShownAct } from "./useAct.ts";

interface ProgressProps {
  readonly shown: ShownAct;
  /** Says that the act was not done, such as "Nothing was refunded". */
  readonly nothing: string;
}

/** The state of an act in words; a screen reader hears each change, but not each second. */
export const Progress = ({ shown, nothing }: ProgressProps) => (
  <>
    <div role="status">
      <StateText shown={shown} nothing={nothing} />
    </div>
    {shown.state?.at === "confirming" && shown.secondsLeft !== null ? (
      <p className="text-small text-soft tabular-nums">
        <Filled text={texts.acts.wallet.left} slots={{ seconds: shown.secondsLeft }} />
      </p>
    ) : null}
  </>
);

function StateText({ shown: { state, wallet }, nothing }: ProgressProps) {
  if (state === null) return null;
  switch (state.at) {
    case "confirming": {
      const { totalLamports, tokenAccountLamports } = state.built.fee;
      const account = tokenAccountLamports === "0" ? "" : ` ${texts.acts.account(solOf(tokenAccountLamports))}`;
      return `${texts.acts.confirming(wallet, solOf(totalLamports))}${account}`;
    }
    case "ended":
      return <EndingNotice ending={state.ending} wallet={wallet} nothing={nothing} />;
    default:
      return <Filled text={texts.acts.wallet[state.at]} slots={{ wallet }} />;
  }
}

interface EndingProps {
  readonly ending: ActEnding;
  readonly wallet: string;
  readonly nothing: string;
}

/** The ending of an act in words. */
export function EndingNotice({ ending, wallet, nothing }: EndingProps) {
  if (ending.kind === "sent") return texts.acts.wallet.sent;
  const { reason = "", given = "", needed = "" } = ending as Readonly<Record<string, string>>;
  const slots = { wallet, nothing, reason, given: code(given), needed: code(needed) };
  return (
    <Notice tone={ending.kind === "unknown" ? "wait" : "bad"}>
      <p>
        {ending.kind === "refused" ? ending.message : <Filled text={texts.acts.wallet[ending.kind]} slots={slots} />}
      </p>
    </Notice>
  );
}

interface WalletNotesProps {
  readonly here: readonly Wallet[];
  readonly elsewhere: readonly Wallet[];
}

/** The wallets that are on another network, and that there is none. */
export const WalletNotes = ({ here, elsewhere }: WalletNotesProps) => (
  <>
    {elsewhere.map(({ name }) => (
      <p key={name} className="text-small text-soft">
        {texts.acts.elsewhere(name)}
      </p>
    ))}
    {here.length === 0 ? <Notice tone="neutral">{texts.acts.noWallet}</Notice> : null}
  </>
);
