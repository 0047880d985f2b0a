import { Badge, Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { CopyText } from "@holdfast/ui/copy.tsx";
import { Actions } from "@holdfast/ui/dialog.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Multisig } from "../acts/multisig.tsx";
import { Progress, WalletNotes } from "../acts/progress.tsx";
import { useAct } from "../acts/useAct.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { Choice } from "../forms/choice.tsx";
import type { ShownToken } from "../objects/amount.tsx";
import { parseAmount } from "../recipients/amount.ts";
import { refundableOf, refundResult } from "./money.ts";
import { refundAct, type ShownRefund } from "./refundAct.ts";
import { resultText } from "./refundText.ts";
import type { Followed } from "./stage.ts";
import { useCluster, useIsConnected, useWallets } from "./wallets.ts";

/** True on a local run, whose recipient a command can act as. */
const IS_LOCAL = document.documentElement.dataset.local !== undefined;

export interface RefundProps {
  readonly payment: Followed & { readonly refundTotal: string };
  readonly refund: Omit<ShownRefund, "total">;
  /** The intent that the payment was the first to pay; null if there is none. */
  readonly intent: string | null;
  readonly token: ShownToken;
  /** True if the recipient is the business. */
  readonly isOurs: boolean;
  /** The total that was agreed: then it is the only one. */
  readonly agreed: string | null;
  /** True if a person opened it. */
  readonly takesFocus: boolean;
  /** Called with true while a refund is expected on chain: the page then reads the payment more often. */
  readonly onAwait: (isAwaited: boolean) => void;
  readonly onClose: () => void;
}

/** Refunds all that is in escrow or a part of it, and says the outcome before the signature. */
export function RefundPanel(props: RefundProps) {
  const { payment, refund, token, isOurs, agreed, takesFocus, onAwait, onClose } = props;
  const [isPart, setPart] = useState(false);
  const [typed, setTyped] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const cluster = useCluster();
  const { here, elsewhere } = useWallets(cluster);
  const wallet = here.find(({ name }) => name === chosen) ?? here[0];
  const isConnected = useIsConnected(wallet, refund.recipient);
  /** The total that a wallet was asked for. */
  const [asked, setAsked] = useState<string | null>(null);
  const isDone = asked !== null && BigInt(payment.refundTotal) >= BigInt(asked);
  const { shown, isAwaited, isBusy, start } = useAct(cluster, isDone);
  const title = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLDivElement>(null);
  const isStopped = shown.state !== null && !isBusy;
  useEffect(() => {
    if (!isAwaited) return;
    onAwait(true);
    return () => onAwait(false);
  }, [isAwaited, onAwait]);
  // The fields are disabled while a refund runs, so the focus would be lost when it ends.
  useEffect(() => {
    if (isStopped) title.current?.focus();
  }, [isStopped]);
  useEffect(() => {
    if (takesFocus) title.current?.focus();
  }, [takesFocus]);

  const all = String(refundableOf(payment));
  const agreedPart = agreed === null ? null : String(BigInt(agreed) - BigInt(payment.refundTotal));
  const part = agreedPart ?? (isPart ? parseAmount(typed, token.decimals ?? 0) : all);
  const result = refundResult(payment, part);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (result === null) field.current?.querySelector("input")?.focus();
    if (result === null || wallet === undefined || isBusy) return;
    setAsked(result.total);
    start(refundAct({ ...refund, total: result.total }), wallet);
  };
  if (isDone || all === "0" || agreedPart === "0")
    return (
      <Frame title={title}>
        {isDone ? (
          <div role="status">
            <Notice tone="good">
              {texts.refund.done(token.show(asked), BigInt(payment.amountRefunded) >= BigInt(asked))}
            </Notice>
          </div>
        ) : (
          <>
            <p>
              {agreedPart === "0" && agreed !== null
                ? texts.disputes.agreement.refundDone(token.show(agreed))
                : texts.refund.nothingLeft}
            </p>
            <Progress shown={shown} nothing={texts.refund.nothing} />
          </>
        )}
        <Actions>
          <Button onClick={onClose}>{texts.common.done}</Button>
        </Actions>
      </Frame>
    );
  return (
    <Frame title={title}>
      <form onSubmit={submit} className="grid gap-3" noValidate>
        {agreed === null ? (
          <fieldset disabled={isBusy} className="m-0 grid gap-0 rounded-small border border-line p-0">
            <legend className="sr-only">{texts.refund.amountOf}</legend>
            <Choice
              name="part"
              text={texts.refund.all}
              end={token.show(all)}
              isChosen={!isPart}
              onChoose={() => setPart(false)}
            />
            <Choice name="part" text={texts.refund.part} isChosen={isPart} onChoose={() => setPart(true)} />
            {isPart ? (
              <div ref={field} className="bg-accent-wash px-3 pb-3 pl-[40px]">
                <TextField
                  label={texts.refund.partAmount(token.text(all).unit)}
                  name="amount"
                  inputMode="decimal"
                  autoComplete="off"
                  value={typed}
                  onChange={({ target }) => setTyped(target.value)}
                  error={isChecked && result === null ? texts.refund.invalid(token.show(all)) : null}
                />
              </div>
            ) : null}
          </fieldset>
        ) : null}
        <p role="status" className="text-small text-soft">
          {result === null ? null : (
            <b className="font-semibold text-ink">{resultText(payment, result, token, isOurs)}</b>
          )}{" "}
          {texts.refund.final(token.text(all).unit)}
        </p>
        <p className="text-small text-soft">
          <Filled
            text={texts.refund.signer}
            slots={{
              recipient: (
                <code translate="no" className="break-all">
                  {refund.recipient}
                </code>
              ),
            }}
          />{" "}
          {isConnected ? <Badge tone="good">{texts.refund.connected}</Badge> : null}
        </p>
        {here.length > 1 ? (
          <fieldset disabled={isBusy} className="m-0 rounded-small border border-line p-0">
            <legend className="sr-only">{texts.refund.wallet}</legend>
            {here.map(({ name }) => (
              <Choice
                key={name}
                name="wallet"
                text={name}
                isChosen={name === wallet?.name}
                onChoose={() => setChosen(name)}
              />
            ))}
          </fieldset>
        ) : null}
        <WalletNotes here={here} elsewhere={elsewhere} />
        {wallet === undefined && IS_LOCAL && props.intent !== null && result !== null ? (
          <>
            <p className="text-small text-soft">{texts.refund.local}</p>
            <CopyText what="command" text={texts.refund.localCommand(props.intent, result.total)} />
          </>
        ) : null}
        <Progress shown={shown} nothing={texts.refund.nothing} />
        <Actions>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={isBusy} disabled={wallet === undefined}>
            {result === null ? texts.refund.button : texts.refund.submit(token.show(part!))}
          </Button>
        </Actions>
      </form>
      {result === null ? null : (
        <Multisig
          key={result.total}
          act={refundAct({ ...refund, total: result.total })}
          nothing={texts.refund.nothing}
        />
      )}
    </Frame>
  );
}

const Frame = ({
  title,
  children,
}: {
  readonly title: React.RefObject<HTMLHeadingElement | null>;
  readonly children: ReactNode;
}) => (
  <section aria-label={texts.refund.title} className="grid gap-3 rounded-card border border-line p-4 shadow-raised">
    <h2 ref={title} tabIndex={-1} className="text-lead font-semibold outline-none">
      {texts.refund.title}
    </h2>
    {children}
  </section>
);
