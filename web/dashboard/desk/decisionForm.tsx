import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { endsWithLapse } from "@holdfast/ui/disputeStatus.ts";
import { TextArea, TextField } from "@holdfast/ui/field.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { type FormEvent, type ReactNode, useState } from "react";
import { write } from "../api/queries.ts";
import type { DeskDispute, FrozenDecision } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { missingOf, openOfferOf, parseTotal } from "../disputes/dispute.ts";
import { useDecisionDraft } from "./decisionDraft.ts";
import { amountAt, type Bounds, STEPS, stepOf, typedOf } from "./ruling.ts";
import type { DeskProps } from "./sides.tsx";
import { SignPanel } from "./signPanel.tsx";

const REASONS_CHARACTERS_MAX = 10_000;

interface Frozen {
  readonly frozen: FrozenDecision;
  readonly reasons: string | null;
}

/** The decision of a dispute: an amount with reasons, or what both sides agreed on; then the frozen record is signed. */
export function Decision(props: DeskProps) {
  const [given, setGiven] = useState<Frozen | null>(null);
  const [isDisinterested, setDisinterested] = useState(false);
  if (given !== null) return <SignPanel {...props} {...given} onBack={() => setGiven(null)} />;
  const parts = { ...props, isDisinterested, onFrozen: setGiven };
  const confirm = <Tick text={texts.desk.decision.noInterest} isGiven={isDisinterested} onChange={setDisinterested} />;
  // While an agreement holds, no other total is ruled.
  return props.dispute.status === "agreed" ? (
    <AgreedForm {...parts} confirm={confirm} />
  ) : (
    <DecisionForm {...parts} confirm={confirm} />
  );
}

interface FormProps extends DeskProps {
  readonly isDisinterested: boolean;
  readonly confirm: ReactNode;
  readonly onFrozen: (frozen: Frozen) => void;
}

/** The sides that were asked, and have not answered while they still can. */
const awaitedOf = ({ status, nextActions }: DeskDispute): readonly ("buyer" | "merchant")[] =>
  status !== "deciding"
    ? []
    : nextActions.flatMap(({ action, by }) => (action === "answer" && by !== "arbiter" ? [by] : []));

/** What is still awaited, and what an arbiter confirms who decides before it. */
function awaitedTexts({ questions }: DeskDispute, [side, other]: ReturnType<typeof awaitedOf>) {
  const labels = texts.desk.decision;
  const alone = questions.at(-1)?.askedSide ?? null;
  if (side === undefined) return null;
  if (alone !== null && side !== alone) return { awaited: labels.awaitedReply[side], early: labels.earlyReply[side] };
  const who = other === undefined ? side : "both";
  return { awaited: alone === null ? labels.awaited[who] : labels.awaitedAlone[side], early: labels.early[who] };
}

/** A statement of the arbiter, given by a tick. */
const Tick = ({
  text,
  isGiven,
  onChange,
}: {
  readonly text: string;
  readonly isGiven: boolean;
  readonly onChange: (isGiven: boolean) => void;
}) => (
  <label className="flex items-center gap-2">
    <input
      type="checkbox"
      className="accent-[var(--accent)]"
      checked={isGiven}
      onChange={({ target }) => onChange(target.checked)}
    />
    {text}
  </label>
);

type Wanted = { readonly total: string; readonly reasons: string; readonly early?: true } | { readonly asAgreed: true };

function useFreeze({ dispute, onFrozen }: Pick<FormProps, "dispute" | "onFrozen">) {
  return useAction<Wanted, FrozenDecision>({
    run: (wanted) => write("freezeDecision", { path: { dispute: dispute.id }, body: { ...wanted, noInterest: true } }),
    done: (frozen, wanted) => onFrozen({ frozen, reasons: "reasons" in wanted ? wanted.reasons : null }),
  });
}

const CARD = "grid gap-4 rounded-card border border-accent p-5 shadow-raised [overflow-wrap:anywhere] max-md:p-4";

/** Both sides have signed an agreement, and the chain does not show it: it is ruled in one act. */
function AgreedForm(props: FormProps) {
  const { dispute, token, isDisinterested, confirm } = props;
  const freeze = useFreeze(props);
  const labels = texts.desk.decision.asAgreed;
  const { agreement } = dispute;
  if (agreement === null) return null;
  const rest = BigInt(dispute.total) - BigInt(agreement.total);
  const missing = missingOf(dispute) ?? "release";
  return (
    <section aria-label={labels.title} className={CARD}>
      <h2 className="text-lead font-semibold">{labels.title}</h2>
      <p className="max-w-text">
        {labels.text(token.gain(agreement.total, dispute.facts.refundTotal), token.show(rest))}
      </p>
      <ul className="m-0 grid list-none gap-1 p-0 text-small text-soft">
        <li>
          <Filled text={labels.buyer} slots={{ time: <Time at={agreement.buyer} /> }} />
        </li>
        <li>
          <Filled text={labels.merchant} slots={{ time: <Time at={agreement.merchant} /> }} />
        </li>
        <li>
          <Filled text={labels.missing[missing]} slots={{ time: <Time at={agreement.until} /> }} />{" "}
          {endsWithLapse(dispute) ? null : labels.otherwise}
        </li>
      </ul>
      {confirm}
      <div>
        <Button
          kind="primary"
          disabled={!isDisinterested}
          isBusy={freeze.isPending}
          onClick={() => freeze.mutate({ asAgreed: true })}
        >
          {labels.button}
        </Button>
      </div>
    </section>
  );
}

function DecisionForm(props: FormProps) {
  const { dispute, token, isDisinterested, confirm } = props;
  const decimals = token.decimals ?? 0;
  const bounds: Bounds = { least: dispute.facts.refundTotal, most: dispute.total };
  const draft = useDecisionDraft(dispute);
  const { reasons, setReasons } = draft;
  // Neither side's wish stands there before the arbiter has chosen.
  const [typed, setAmount] = useState(draft.total);
  const setTyped = (text: string) => {
    setAmount(text);
    draft.setTotal(text);
  };
  const [isChecked, setChecked] = useState(false);
  const [isEarly, setEarly] = useState(false);
  const awaited = awaitedOf(dispute);
  const awaitedText = awaitedTexts(dispute, awaited);
  const isTooEarly = awaited.length > 0 && !isEarly;
  const freeze = useFreeze(props);
  const labels = texts.desk.decision;
  const total = parseTotal(typed, decimals, { amount: bounds.most, refundTotal: bounds.least });
  const [least, most] = [token.show(bounds.least), token.show(bounds.most)];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (total === null || reasons.trim() === "" || !isDisinterested || isTooEarly || freeze.isPending) return;
    freeze.mutate({ total, reasons: reasons.trim(), ...(awaited.length > 0 ? { early: true } : {}) });
  };
  return (
    <section aria-label={labels.title} className={CARD}>
      <form onSubmit={submit} noValidate className="grid gap-5">
        <div className="grid grid-cols-2 gap-6 max-md:grid-cols-1">
          <div className="grid min-w-0 content-start gap-4">
            <h2 className="text-lead font-semibold">{labels.title}</h2>
            <Amounts
              {...props}
              {...{ bounds, total, decimals }}
              onChoose={(amount) => setTyped(typedOf(amount, decimals))}
            />
            <TextField
              label={labels.exact(token.text(bounds.most).unit)}
              name="total"
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              hint={labels.range(least, most)}
              error={
                isChecked && total === null
                  ? typed.trim() === ""
                    ? labels.unchosen
                    : labels.invalid(least, most)
                  : null
              }
            />
          </div>
          <TextArea
            label={labels.reasons}
            name="reasons"
            rows={11}
            maxLength={REASONS_CHARACTERS_MAX}
            value={reasons}
            onChange={({ target }) => setReasons(target.value)}
            hint={labels.reasonsHint(reasons.length.toLocaleString(), REASONS_CHARACTERS_MAX.toLocaleString())}
            error={isChecked && reasons.trim() === "" ? labels.noReasons : null}
          />
        </div>
        {awaitedText === null ? null : (
          <Notice tone="wait">
            <p>
              <Filled text={awaitedText.awaited} slots={{ time: <Time at={dispute.questionUntil} /> }} />
            </p>
            <Tick text={awaitedText.early} isGiven={isEarly} onChange={setEarly} />
            {isChecked && isTooEarly ? <p className="text-small text-bad">{labels.earlyMissing}</p> : null}
          </Notice>
        )}
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
          <div className="grid gap-1">
            {confirm}
            {isChecked && !isDisinterested ? <p className="text-small text-bad">{labels.noInterestMissing}</p> : null}
            <p className="text-small text-soft">{labels.draft}</p>
          </div>
          <Button type="submit" kind="primary" isBusy={freeze.isPending}>
            {labels.preview}
          </Button>
        </div>
      </form>
    </section>
  );
}

/** A thumb would show a choice that nobody made. */
const NO_THUMB = "[&::-moz-range-thumb]:invisible [&::-webkit-slider-thumb]:invisible";

interface AmountsProps extends DeskProps {
  readonly bounds: Bounds;
  /** Null: what is typed is no amount of the dispute. */
  readonly total: string | null;
  readonly decimals: number;
  readonly onChoose: (amount: string) => void;
}

/** What each side gets, the slider, and the amounts that stand for themselves. */
function Amounts({ dispute, token, bounds, total, decimals, onChoose }: AmountsProps) {
  const labels = texts.desk.decision;
  const rest = total === null ? null : BigInt(bounds.most) - BigInt(total);
  const offers = { merchant: openOfferOf(dispute, "merchant"), buyer: openOfferOf(dispute, "buyer") };
  const asked = offers.buyer?.total ?? dispute.requestedTotal;
  const isPossible = (amount: string) => BigInt(amount) > BigInt(bounds.least) && BigInt(amount) < BigInt(bounds.most);
  const chips: readonly (readonly [string, string])[] = [
    [bounds.least === "0" ? labels.nothing : labels.bound(token.show(bounds.least)), bounds.least],
    ...(offers.merchant !== null && isPossible(offers.merchant.total)
      ? [[labels.shops(token.show(offers.merchant.total)), offers.merchant.total] as const]
      : []),
    ...(asked !== null && isPossible(asked) ? [[labels.buyers(token.show(asked)), asked] as const] : []),
    [labels.all, bounds.most],
  ];
  return (
    <>
      <div role="status" className="flex flex-wrap justify-between gap-3 tabular-nums">
        <End title={labels.toBuyer} text={total === null ? "–" : token.gain(total, bounds.least)} />
        <End title={labels.toShop(dispute.business.name)} text={rest === null ? "–" : token.show(rest)} isRight />
      </div>
      <input
        type="range"
        aria-label={labels.slider}
        aria-valuetext={total === null ? labels.notChosen : token.gain(total, bounds.least)}
        min={0}
        max={STEPS}
        value={stepOf(total ?? bounds.least, bounds)}
        onChange={({ target }) => onChoose(amountAt(Number(target.value), bounds, decimals))}
        className={`w-full accent-[var(--accent)] ${total === null ? NO_THUMB : ""}`}
      />
      <fieldset className="m-0 flex flex-wrap gap-2 border-0 p-0">
        <legend className="sr-only">{labels.suggestions}</legend>
        {chips.map(([text, amount]) => (
          <Button
            key={text}
            className="aria-pressed:bg-accent-wash aria-pressed:font-semibold aria-pressed:text-accent"
            aria-pressed={amount === total}
            onClick={() => onChoose(amount)}
          >
            {text}
          </Button>
        ))}
      </fieldset>
    </>
  );
}

const End = ({
  title,
  text,
  isRight = false,
}: {
  readonly title: string;
  readonly text: string;
  readonly isRight?: boolean;
}) => (
  <p className={`grid ${isRight ? "text-right" : ""}`}>
    <span className="text-small text-soft">{title}</span>
    <b className="text-title font-semibold">{text}</b>
  </p>
);
