import { Badge, Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { ApiError } from "../api/client.ts";
import { read, SLOW_MS } from "../api/queries.ts";
import type { Transaction, Verification } from "../api/schema.ts";
import { useAmounts } from "../objects/amount.tsx";
import { ExplorerLink } from "../objects/explorerLink.tsx";
import { ObjectLink } from "../objects/objectLink.tsx";
import { Facts } from "../shell/facts.tsx";
import { Page, Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { assetsOf, explainVerification, RULE_TEXTS, showRules, VERDICTS } from "./verdict.ts";

const ROUTE = "/staff/$business/$environment/transactions/$signature";

const CHAIN_TEXTS: Readonly<Record<Transaction["chain"], string>> = {
  landed: "The transaction is on chain, and succeeded.",
  failed: "The transaction failed on chain: nothing was paid.",
  not_confirmed: "The transaction is on its way, and not confirmed yet.",
  not_found: "The chain does not know the transaction, or not yet.",
  unavailable: "The chain cannot be read now. What is known here is shown; look again shortly.",
};

/** Whether another look may say more: the chain has not decided, or what it paid is not bound yet. */
const mayChange = ({ chain, intents }: Transaction): boolean =>
  (chain !== "landed" && chain !== "failed") ||
  intents.some(({ verification }) => verification?.outcome === "bound" || verification?.outcome === "duplicate");

/** §13.13: a transaction, and which rule of a binding says what of it. */
export function TransactionPage() {
  const { path } = useTenant();
  const { signature } = useParams({ from: ROUTE });
  const { intent } = useSearch({ from: ROUTE });
  const transaction = useQuery({
    ...read("explainTransaction", { path: { ...path, signature }, query: { intent } }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && mayChange(data) ? SLOW_MS : false),
  });
  const isUnknown = transaction.error instanceof ApiError && transaction.error.status === 404;
  return (
    <Page
      title="Transaction"
      text={<code className="break-all">{signature}</code>}
      actions={
        <>
          <ExplorerLink signature={signature} />
          <Button isBusy={transaction.isFetching} onClick={() => void transaction.refetch()}>
            Look again
          </Button>
        </>
      }
    >
      {isUnknown ? (
        <EmptyState title="Nothing found here">
          As far as the chain and this service know, no transaction with this signature paid an intent of this business
          in {path.environment}. One that was just sent may take a moment.
        </EmptyState>
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
      <p className="max-w-text text-lead">{CHAIN_TEXTS[chain]}</p>
      {intents.map(({ id, merchantReference, payments, verification }) => (
        <Section key={id} title={`What it is to ${merchantReference}`}>
          {verification === null ? null : <Verdict verification={verification} />}
          <Facts
            facts={[
              ["Intent", <ObjectLink key="intent" id={id} />],
              ...payments.map(
                ({ address, isBound }) =>
                  [
                    "Payment",
                    <span key={address} className="flex flex-wrap gap-2">
                      <ObjectLink id={address} />
                      {isBound ? null : <Badge tone="wait">Not bound</Badge>}
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

/** Every rule with both values in words; as the chain has them where they are pointed at. */
function Rules({ rules }: { readonly rules: Verification["rules"] }) {
  const showAmount = useAmounts(assetsOf(rules));
  if (showAmount === null) return null;
  const exact = (name: "expected" | "found", of: Rule) =>
    rules.find(({ rule }) => rule === of.rule)?.[name] ?? undefined;
  return (
    <Table
      caption="Rules"
      columns={[
        {
          title: "Rule",
          cell: ({ rule, expected, found, verdict }: Rule) => (
            <span className="grid gap-1">
              {RULE_TEXTS[rule]}
              {verdict === "fail" ? (
                <span className="break-all text-small text-soft md:hidden">
                  {expected} was asked for, {found ?? "nothing"} was found
                </span>
              ) : null}
            </span>
          ),
        },
        {
          title: "Verdict",
          cell: ({ verdict }) => <Badge tone={VERDICTS[verdict][0]}>{VERDICTS[verdict][1]}</Badge>,
        },
        {
          title: "Expected",
          cell: (rule) => (
            <code title={exact("expected", rule)} className="break-all">
              {rule.expected}
            </code>
          ),
          wideOnly: true,
        },
        {
          title: "Found",
          cell: (rule) => (
            <code title={exact("found", rule)} className="break-all">
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

/** Asks what the transaction is to an intent that it does not name. */
function IntentForm() {
  const { environment } = useTenant();
  const { intent = "" } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: "/$business/$environment/transactions/$signature" });
  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const asked = String(new FormData(event.currentTarget).get("intent") ?? "").trim();
    void navigate({ search: asked === "" ? {} : { intent: asked } });
  };
  return (
    <form key={intent} onSubmit={ask} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-[240px]">
        <TextField
          label="Should it have paid another intent?"
          name="intent"
          placeholder={`pi_${environment}_…`}
          defaultValue={intent}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <Button type="submit">Check</Button>
    </form>
  );
}
