import { EmptyState } from "@holdfast/ui/states.tsx";
import { type Column, Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { LIVE_MS, read, readPages } from "../api/queries.ts";
import type { Dispute } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { Amount } from "../objects/amount.tsx";
import { TurnBadge } from "../objects/disputeLink.tsx";
import { RowAmount, RowReference } from "../payments/rowCells.tsx";
import { MoreButton } from "../shell/moreButton.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { Count, useYourTurn } from "../shell/yourTurn.tsx";
import { dueOf, openOfferOf } from "./dispute.ts";

const TABS = {
  merchant: { turn: "merchant" },
  buyer: { turn: "buyer" },
  arbiter: { turn: "arbiter" },
  nobody: { status: "closed" },
  all: {},
} as const;
/** The column with the dates of a list. */
const DATES = { merchant: "until", buyer: "until", arbiter: "until", nobody: "closed", all: "untilOrClosed" } as const;
type TabName = keyof typeof TABS;
const TAB =
  "flex items-center gap-2 whitespace-nowrap border-b-2 border-transparent py-2 text-soft no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-ink";
/** Each row reads its payment, so a page has few. */
const ROWS = "20";

const isTab = (name: string | undefined): name is TabName => name !== undefined && Object.hasOwn(TABS, name);

/** The disputes of an environment by whose turn it is, the one that is due first on top; those of every turn, newest first. */
export function DisputesPage() {
  const { path } = useTenant();
  const { show } = useSearch({ strict: false }) as { readonly show?: string };
  const tab = isTab(show) ? show : "merchant";
  const count = useYourTurn();
  const list = useInfiniteQuery({
    ...readPages("listDisputes", { path, query: { ...TABS[tab], limit: ROWS } }),
    refetchInterval: LIVE_MS,
  });
  const query = { ...list, data: list.data?.pages.flatMap(({ data }) => data) };
  const empty = texts.disputes.empty[tab === "merchant" ? "merchant" : "others"];
  return (
    <Page title={texts.disputes.title} text={texts.disputes.texts[DATES[tab] === "until" ? "due" : "newest"]}>
      <nav aria-label={texts.disputes.title} className="flex min-w-0 flex-wrap gap-x-5 border-b border-line">
        {(Object.keys(TABS) as TabName[]).map((name) => (
          <Link
            key={name}
            to="."
            search={name === "merchant" ? {} : { show: name }}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={name === tab ? "page" : undefined}
            className={TAB}
          >
            {texts.disputes.tabs[name]}
            {name === "merchant" && count !== null ? <Count count={count} /> : null}
          </Link>
        ))}
      </nav>
      <QueryState query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={empty.title}>{empty.text}</EmptyState>
          ) : (
            <>
              <Table caption={texts.disputes.title} columns={columnsOf(tab)} rows={rows} keyOf={({ id }) => id} />
              <MoreButton list={list} />
            </>
          )
        }
      </QueryState>
    </Page>
  );
}

const columnsOf = (tab: TabName): readonly Column<Dispute>[] => [
  { title: texts.common.amount, cell: (dispute) => <DisputeAmount dispute={dispute} /> },
  {
    title: texts.disputes.columns.turn,
    cell: (dispute) => (
      <span className="grid gap-1 max-md:justify-items-end md:justify-items-start">
        <TurnBadge dispute={dispute} />
        <span className="text-small md:hidden">
          <Time at={dueOf(dispute)} inRow />
        </span>
      </span>
    ),
  },
  {
    title: texts.disputes.columns.order,
    cell: ({ merchantReference }) => <RowReference text={merchantReference} />,
    wideOnly: true,
  },
  { title: texts.disputes.columns.reason, cell: ({ reason }) => texts.disputes.reasons[reason], wideOnly: true },
  { title: texts.disputes.columns.offer, cell: (dispute) => <OpenOffer dispute={dispute} />, wideOnly: true },
  { title: texts.disputes.columns[DATES[tab]], cell: (dispute) => <Time at={dueOf(dispute)} inRow />, wideOnly: true },
];

/** The amount and the token of a payment never change. */
const STALE_MS = 3_600_000;

function usePaymentOf({ payment }: Dispute) {
  const { path } = useTenant();
  return useQuery({ ...read("getPayment", { path: { ...path, payment } }), staleTime: STALE_MS }).data;
}

function DisputeAmount({ dispute }: { readonly dispute: Dispute }) {
  const { path } = useTenant();
  const payment = usePaymentOf(dispute);
  return (
    <span className="grid justify-items-start gap-1">
      <Link
        className="font-semibold text-ink"
        to="/$business/$environment/disputes/$dispute"
        params={{ ...path, dispute: dispute.id }}
      >
        {payment === undefined ? texts.disputes.open : <RowAmount amount={payment.amount} asset={payment.asset} />}
      </Link>
      <span className="text-small text-soft md:hidden">
        <RowReference text={dispute.merchantReference} />
      </span>
    </span>
  );
}

function OpenOffer({ dispute }: { readonly dispute: Dispute }) {
  const payment = usePaymentOf(dispute);
  const offer = openOfferOf(dispute, "buyer") ?? openOfferOf(dispute, "merchant");
  if (offer === null || payment === undefined) return <span className="text-soft">{texts.common.none}</span>;
  const [before, after] = texts.disputes.rowOffers[offer.by]("\n").split("\n");
  return (
    <span className="text-soft">
      {before}
      <Amount amount={offer.total} asset={payment.asset} />
      {after}
    </span>
  );
}
