import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { CopyText } from "@holdfast/ui/copy.tsx";
import { Actions } from "@holdfast/ui/dialog.tsx";
import type { TransactionLife } from "@holdfast/wallet/life.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { call } from "../api/client.ts";
import type { FrozenDecision } from "../api/schema.ts";
import { messageOf } from "../api/useAction.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { useLife } from "../payments/useLife.ts";
import { useWallets, walletCluster } from "../payments/wallets.ts";
import { code } from "../shell/facts.tsx";
import { RawText } from "../shell/rawText.tsx";
import type { DeskProps } from "./sides.tsx";
import {
  endingOf,
  prepareRuling,
  type ShownRuling,
  type SigningEnding,
  type SigningStep,
  signRuling,
} from "./signRuling.ts";

interface SignProps extends DeskProps {
  readonly frozen: FrozenDecision;
  readonly reasons: string | null;
  readonly onBack: () => void;
}

type State = { readonly step: SigningStep } | { readonly ending: SigningEnding } | null;

/** The frozen decision as it will stand, and the ways to sign it. The dispute shows it once the chain does. */
export function SignPanel({ dispute, token, frozen, reasons, onBack }: SignProps) {
  const [state, setState] = useState<State>(null);
  /** What the wallet got or signed, while it may be on its way. */
  const [watched, setWatched] = useState<string | null>(null);
  const attempts = useRef(0);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const ending = state !== null && "ending" in state ? state.ending : null;
  const isSent = ending?.kind === "sent";
  const isBusy = (state !== null && "step" in state) || isSent;
  const labels = texts.desk.sign;
  const { programId, operator } = dispute.chain;
  const cluster = walletCluster(dispute.chain.cluster);
  const ruling: ShownRuling = {
    ...{ programId, operator, payment: dispute.payment, arbiter: dispute.facts.arbiter },
    ...{ total: frozen.total, reasons, agreement: frozen.agreement },
    path: { dispute: dispute.id, decision: frozen.id },
  };
  const { here, elsewhere } = useWallets(cluster);
  const rest = BigInt(dispute.total) - BigInt(frozen.total);
  const secondsLeft = useLife(watched, {
    ask: (transaction) =>
      call("fetchDecisionLife", { path: ruling.path, body: { transaction } }) as Promise<TransactionLife>,
    onEnd: (kind) => {
      // A wallet that answers later says nothing any more.
      attempts.current++;
      setWatched(null);
      setState({ ending: { kind } });
    },
  });
  const begin = async (work: (isLeft: () => boolean) => Promise<SigningEnding>) => {
    const attempt = ++attempts.current;
    const isLeft = () => attempt !== attempts.current;
    setState({ step: "preparing" });
    const ending = await work(isLeft);
    if (isLeft()) return;
    if (ending.kind !== "sent" && ending.kind !== "unknown") setWatched(null);
    setState({ ending });
  };
  const sign = (wallet: Wallet) =>
    begin((isLeft) =>
      signRuling({
        ...{ ruling, wallet, cluster },
        onStep: (step) => isLeft() || setState({ step }),
        onTransaction: (transaction) => isLeft() || setWatched(transaction),
      }),
    );
  return (
    <section
      aria-label={labels.title}
      className="grid gap-4 rounded-card border border-accent p-5 shadow-raised [overflow-wrap:anywhere] max-md:p-4"
    >
      <h2 ref={title} tabIndex={-1} className="text-lead font-semibold outline-none">
        {labels.title}
      </h2>
      <p className="max-w-text font-semibold">{labels.outcome(token.show(frozen.total), token.show(rest))}</p>
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
      {here.length === 0 ? <Notice tone="neutral">{labels.noWallet}</Notice> : null}
      {elsewhere.map(({ name }) => (
        <p key={name} className="text-small text-soft">
          {labels.elsewhere(name)}
        </p>
      ))}
      <div role="status">
        <Progress state={state} arbiter={frozen.arbiter} />
      </div>
      {state !== null && "step" in state && state.step === "confirming" && secondsLeft !== null ? (
        <p className="text-small text-soft tabular-nums">{labels.left(secondsLeft)}</p>
      ) : null}
      <Actions>
        <Button disabled={isBusy} onClick={onBack}>
          {labels.back}
        </Button>
        {here.map((wallet) => (
          <Button key={wallet.name} kind="primary" isBusy={isBusy} onClick={() => void sign(wallet)}>
            {labels.sign(wallet.name)}
          </Button>
        ))}
      </Actions>
      <Multisig ruling={ruling} />
    </section>
  );
}

function Progress({ state, arbiter }: { readonly state: State; readonly arbiter: string }) {
  if (state === null) return null;
  if ("step" in state) return <p>{texts.desk.sign.steps[state.step]}</p>;
  const { ending } = state;
  if (ending.kind === "sent") return <p>{texts.desk.sign.steps.sent}</p>;
  return <Notice tone={ending.kind === "unknown" ? "wait" : "bad"}>{endingText(ending, arbiter)}</Notice>;
}

function endingText(ending: Exclude<SigningEnding, { readonly kind: "sent" }>, arbiter: string): ReactNode {
  const labels = texts.desk.sign;
  switch (ending.kind) {
    case "other_wallet":
      return (
        <p>
          <Filled text={labels.otherWallet} slots={{ account: code(ending.account), arbiter: code(arbiter) }} />
        </p>
      );
    case "no_account":
      return (
        <p>
          <Filled text={labels.noAccount} slots={{ arbiter: code(arbiter) }} />
        </p>
      );
    case "wrong_network":
      return labels.wrongNetwork;
    case "rejected":
      return labels.rejected;
    case "wallet_failed":
      return labels.walletFailed(ending.reason);
    case "unexpected":
      return labels.unexpected(ending.reason);
    case "refused":
      return messageOf(ending.error);
    case "too_late":
      return labels.tooLate;
    case "failed":
      return labels.failed;
    case "unknown":
      return labels.unknown;
  }
}

/** The ruling for a wallet whose signers are several, unsigned and in plain form. The page then waits for the chain. */
function Multisig({ ruling }: { readonly ruling: ShownRuling }) {
  const [built, setBuilt] = useState<FrozenDecision | null>(null);
  const [ending, setEnding] = useState<SigningEnding | null>(null);
  const [isBusy, setBusy] = useState(false);
  const labels = texts.desk.sign.multisig;
  const prepare = async () => {
    setBusy(true);
    setEnding(null);
    await prepareRuling(ruling).then(
      (prepared) => setBuilt(prepared.built),
      (error: unknown) => setEnding(endingOf(error)),
    );
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
          {ending === null || ending.kind === "sent" ? null : (
            <Notice tone="bad">{endingText(ending, ruling.arbiter)}</Notice>
          )}
          {built === null ? null : (
            <>
              <p className="font-medium">{labels.transaction}</p>
              <CopyText what="transaction" text={built.transaction ?? ""} />
              <p className="text-small text-soft">{labels.transactionText}</p>
              <p className="font-medium">{labels.instructions}</p>
              <CopyText what="instructions" text={JSON.stringify(built.plain)} />
            </>
          )}
        </div>
      </div>
    </details>
  );
}
