import { Badge, Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { ApiError } from "../api/client.ts";
import { read, SLOW_MS } from "../api/queries.ts";
import type { Transaction, Verification } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { useAmounts } from "../objects/amount.tsx";
import { ExplorerLink } from "../objects/explorerLink.tsx";
import { ObjectLink, objectLink } from "../objects/objectLink.tsx";
import { Facts } from "../shell/facts.tsx";
import { Page, Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useIdOf, useTenant } from "../shell/tenant.ts";
import { assetsOf, explainVerification, showRules, VERDICT_TONES } from "./verdict.ts";

/** True if the answer may change: the chain has not decided, or its payment is not bound yet. */
const mayChange = ({ chain, intents }: Transaction): boolean =>
  (chain !== "landed" && chain !== "failed") ||
  intents.some(({ verification }) => verification?.outcome === "bound" || verification?.outcome === "duplicate");

/** A transaction, and its result by each rule of a binding (§13.13). */
export function TransactionPage() {
  const { path } = useTenant();
  const signature = useIdOf("signature");
  const { intent } = useSearch({ strict: false });
  const transaction = useQuery({
    ...read("explainTransaction", { path: { ...path, signature }, query: { intent } }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && mayChange(data) ? SLOW_MS : false),
  });
  const isUnknown = transaction.error instanceof ApiError && transaction.error.status === 404;
  return (
    <Page
      title={texts.payments.transaction}
      text={
        <code translate="no" className="break-all">
          {signature}
        </code>
      }
      actions={
        <>
          <ExplorerLink signature={signature} />
          <Button isBusy={transaction.isFetching} onClick={() => void transaction.refetch()}>
            {texts.pages.refresh}
          </Button>
        </>
      }
    >
      {isUnknown ? (
        <EmptyState title={texts.payments.unknownTitle}>{texts.payments.unknownText(path.environment)}</EmptyState>
      ) : (
        <QueryState query={transaction}>{(data) => <Details transaction={data} />}</QueryState>
      )}
      <IntentForm />
    </Page>
  );
}

function Details({ transaction: { chain, intents } }: { readonly transaction: Transaction }) {
  return (
    <>
      <p className="max-w-text text-lead">{texts.payments.chain[chain]}</p>
      {intents.map(({ id, merchantReference, payments, verification }) => (
        <Section key={id} title={texts.payments.resultFor(merchantReference)}>
          {verification === null ? null : <Verdict verification={verification} />}
          <Facts
            facts={[
              [texts.common.intent, objectLink(id)],
              ...payments.map(
                ({ address, isBound }) =>
                  [
                    texts.payments.payment,
                    <span key={address} className="flex flex-wrap gap-2">
                      <ObjectLink id={address} />
                      {isBound ? null : <Badge tone="wait">{texts.payments.notBound}</Badge>}
                    </span>,
                  ] as const,
              ),
            ]}
          />
          {verification === null ? null : <Rules rules={verification.rules} />}
        </Section>
      ))}
    </>
  );
}

function Verdict({ verification }: { readonly verification: Verification }) {
  const showAmount = useAmounts(assetsOf(verification.rules));
  if (showAmount === null) return null;
  const [tone, text] = explainVerification(verification, showAmount);
  return (
    <Notice tone={tone}>
      <p className="break-words">{text}</p>
    </Notice>
  );
}

type Rule = Verification["rules"][number];

/** Every rule with both values in words; the tooltip of a value shows its form on chain. */
function Rules({ rules }: { readonly rules: Verification["rules"] }) {
  const showAmount = useAmounts(assetsOf(rules));
  if (showAmount === null) return null;
  const exact = (name: "expected" | "found", of: Rule) =>
    rules.find(({ rule }) => rule === of.rule)?.[name] ?? undefined;
  return (
    <Table
      caption={texts.payments.rules}
      columns={[
        {
          title: texts.payments.rule,
          cell: ({ rule, expected, found, verdict }: Rule) => (
            <span className="grid gap-1">
              {texts.payments.ruleTexts[rule]}
              {verdict === "fail" ? (
                <span className="break-all text-small text-soft md:hidden">
                  {texts.payments.failedRule(expected, found)}
                </span>
              ) : null}
            </span>
          ),
        },
        {
          title: texts.payments.verdict,
          cell: ({ verdict }) => <Badge tone={VERDICT_TONES[verdict]}>{texts.payments.verdicts[verdict]}</Badge>,
        },
        {
          title: texts.payments.expected,
          cell: (rule) => (
            <code translate="no" title={exact("expected", rule)} className="break-all">
              {rule.expected}
            </code>
          ),
          wideOnly: true,
        },
        {
          title: texts.payments.found,
          cell: (rule) => (
            <code translate="no" title={exact("found", rule)} className="break-all">
              {rule.found ?? "–"}
            </code>
          ),
          wideOnly: true,
        },
      ]}
      rows={showRules(rules, showAmount)}
      keyOf={({ rule }) => rule}
    />
  );
}

/** Compares the transaction with an intent that it does not name. */
function IntentForm() {
  const { environment } = useTenant();
  const { intent = "" } = useSearch({ strict: false });
  const navigate = useNavigate();
  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const asked = String(new FormData(event.currentTarget).get("intent") ?? "").trim();
    void navigate({ to: ".", search: asked === "" ? {} : { intent: asked } });
  };
  return (
    <form key={intent} onSubmit={ask} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-[240px]">
        <TextField
          label={texts.payments.otherIntent}
          name="intent"
          placeholder={`pi_${environment}_…`}
          defaultValue={intent}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <Button type="submit">{texts.payments.check}</Button>
    </form>
  );
}
