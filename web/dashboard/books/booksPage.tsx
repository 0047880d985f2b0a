import { inOne } from "@holdfast/ui/amount.ts";
import { Button } from "@holdfast/ui/button.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { read, SLOW_MS, write } from "../api/queries.ts";
import type { Books } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { ActionButton } from "../forms/buttons.tsx";
import { solOf, textOfAmount } from "../objects/amount.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { AssetsSection } from "./assets.tsx";
import { Findings } from "./findings.tsx";
import { latestMonths, type Period } from "./periods.ts";

/** The time between two reads while a check is under way. */
const CHECKING_MS = 2_000;

/** What came in, where it is now, and if the chain agrees. */
export function BooksPage() {
  const { path, may } = useTenant();
  const { from, until }: Period = useSearch({ strict: false });
  const books = useQuery({
    ...read("getBooks", { path, query: { from, until } }),
    refetchInterval: ({ state }) => (state.data?.isChecking === true ? CHECKING_MS : SLOW_MS),
    // The page stays while another period is read.
    placeholderData: keepPreviousData,
  });
  const isChecking = books.data?.isChecking === true;
  return (
    <Page
      title={texts.books.title}
      text={texts.books.text}
      actions={
        may("compare_books") ? (
          <ActionButton run={() => write("checkBooks", { path })} said={texts.books.asked} disabled={isChecking}>
            {isChecking ? texts.books.checking : texts.books.checkAgain}
          </ActionButton>
        ) : null
      }
    >
      {books.isError && books.data !== undefined ? (
        <p className="text-small text-soft">{texts.pages.isBehind}</p>
      ) : null}
      <QueryState query={books}>
        {(data) => (
          <>
            <Periods today={data.today} period={{ from, until }} />
            {data.assets.length === 0 && data.unmatched.length === 0 ? (
              <EmptyState title={texts.books.emptyTitle}>{texts.books.emptyText}</EmptyState>
            ) : (
              <Contents books={data} isFromStart={from === undefined && until === undefined} />
            )}
          </>
        )}
      </QueryState>
    </Page>
  );
}

function Periods({ today, period }: { readonly today: string; readonly period: Period }) {
  const navigate = useNavigate();
  const choose = (chosen: Period) => {
    const search = Object.fromEntries(Object.entries(chosen).filter(([, day]) => day !== undefined));
    void navigate({ to: ".", search, replace: true });
  };
  const months = latestMonths(today);
  const named = [{ title: texts.books.fromStart }, ...months];
  const isShown = (one: Period) => one.from === period.from && one.until === period.until;
  const [isOpen, setOpen] = useState(!named.some(isShown));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const value = (name: string) => String(fields.get(name) ?? "").trim() || undefined;
    choose({ from: value("from"), until: value("until") });
  };
  return (
    <div className="grid gap-3">
      <fieldset aria-label={texts.books.period} className="m-0 flex flex-wrap gap-2 border-0 p-0">
        {named.map(({ title, ...one }: Period & { readonly title: string }) => (
          <Button
            key={title}
            kind={isShown(one) && !isOpen ? "plain" : "quiet"}
            aria-pressed={isShown(one) && !isOpen}
            onClick={() => {
              setOpen(false);
              choose(one);
            }}
          >
            {title}
          </Button>
        ))}
        <Button kind={isOpen ? "plain" : "quiet"} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {texts.books.otherDates}
        </Button>
      </fieldset>
      {isOpen ? (
        <form onSubmit={submit} className="grid max-w-text grid-cols-[1fr_1fr_auto] items-end gap-3 max-md:grid-cols-1">
          <TextField label={texts.books.from} name="from" type="date" defaultValue={period.from} max={today} />
          <TextField label={texts.books.until} name="until" type="date" defaultValue={period.until} />
          <Button type="submit">{texts.books.show}</Button>
        </form>
      ) : null}
    </div>
  );
}

const SLOT = new Intl.NumberFormat();

function Contents({ books, isFromStart }: { readonly books: Books; readonly isFromStart: boolean }) {
  const { assets, checkedAt, costs, findings, differences } = books;
  const hasCosts = costs.spent !== "0" || costs.lent !== "0";
  return (
    <>
      {differences > 0 ? <Findings books={books} isGifts={false} /> : null}
      {assets.length === 0 ? null : <AssetsSection assets={assets} checkedAt={checkedAt} />}
      <Unmatched sums={books.unmatched} />
      <div className="grid gap-1 text-small text-soft">
        {books.hasMoreAssets ? <p>{texts.books.moreTokens}</p> : null}
        <p>{isFromStart ? texts.books.sum : texts.books.sumOfPeriod}</p>
        <p>
          {checkedAt === null ? (
            texts.books.neverChecked
          ) : (
            <Filled text={texts.books.checked} slots={{ time: <Time at={checkedAt} /> }} />
          )}{" "}
          {assets.map(({ asset, symbol, comparison }) =>
            comparison === null || comparison.slotMin === null || comparison.slotMax === null ? null : (
              <span key={asset}>
                {texts.books.slots(
                  comparison.payments,
                  symbol ?? asset,
                  SLOT.format(comparison.slotMin),
                  SLOT.format(comparison.slotMax),
                )}{" "}
              </span>
            ),
          )}
        </p>
        {hasCosts ? <p>{texts.books.costs(solOf(costs.spent), solOf(costs.lent))}</p> : null}
      </div>
      {findings.some(({ kind }) => kind === "gift") ? <Findings books={books} isGifts /> : null}
    </>
  );
}

/** What came without an order, one line a token. */
const Unmatched = ({ sums }: { readonly sums: Books["unmatched"] }) =>
  sums.map(({ asset, symbol, decimals, paid, released, refunded, payments, isPart }) => {
    const words = (amount: string) => inOne(textOfAmount(amount, asset, { symbol, decimals }));
    return <p key={asset}>{texts.books.unmatched(words(paid), words(released), words(refunded), payments, isPart)}</p>;
  });
