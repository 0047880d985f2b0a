import { Badge } from "@holdfast/ui/badge.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { type Column, Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { LIVE_MS, read, readPages, SLOW_MS } from "../api/queries.ts";
import type { DeskDisputeRow, DeskPayment } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { MoreButton } from "../shell/moreButton.tsx";
import { Page, Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { Holder, WarningBadge } from "./badges.tsx";
import { tokenOf } from "./token.ts";

const TABS = {
  open: {},
  mine: { held: "me" },
  free: { held: "nobody" },
  others: { held: "others" },
  closed: { status: "closed" },
} as const;
type TabName = keyof typeof TABS;
const TAB =
  "whitespace-nowrap border-b-2 border-transparent py-2 text-soft no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-ink";
const ROWS = "50";

const isTab = (name: string | undefined): name is TabName => name !== undefined && Object.hasOwn(TABS, name);

/** The arbiter's queue (§13.22): disputes of all businesses, those to decide in front. */
export function QueuePage() {
  const { show } = useSearch({ strict: false }) as { readonly show?: string };
  const tab = isTab(show) ? show : "open";
  const list = useInfiniteQuery({
    ...readPages("listDeskDisputes", { query: { ...TABS[tab], limit: ROWS } }),
    refetchInterval: LIVE_MS,
  });
  const query = { ...list, data: list.data?.pages.flatMap(({ data }) => data) };
  const empty = texts.desk.empty[tab === "open" ? "open" : "other"];
  return (
    <Page title={texts.desk.title} text={texts.desk.texts[tab === "closed" ? "closed" : "open"]}>
      <nav aria-label={texts.desk.views} className="flex min-w-0 flex-wrap gap-x-5 border-b border-line">
        {(Object.keys(TABS) as TabName[]).map((name) => (
          <Link
            key={name}
            to="."
            search={name === "open" ? {} : { show: name }}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={name === tab ? "page" : undefined}
            className={TAB}
          >
            {texts.desk.tabs[name]}
          </Link>
        ))}
      </nav>
      <QueryState query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={empty.title}>{empty.text}</EmptyState>
          ) : (
            <>
              <Table caption={texts.desk.title} columns={columnsOf(tab)} rows={rows} keyOf={({ id }) => id} />
              <MoreButton list={list} />
            </>
          )
        }
      </QueryState>
      <LoosePayments />
    </Page>
  );
}

/** The date that the row's warning is about, or else that of its status; of a closed dispute that of its end. */
function Due({ row }: { readonly row: DeskDisputeRow }) {
  const { status, turn, warning, answerBy, questionUntil, agreedUntil, decideBy, resolveBy, closedAt } = row;
  if (warning.startsWith("resolve_") || warning === "lapsed") return <Time at={resolveBy} inRow />;
  const ends =
    status === "agreed"
      ? ([texts.desk.agreedUntil, agreedUntil] as const)
      : status === "talking"
        ? ([texts.desk.talksUntil, answerBy] as const)
        : questionUntil !== null && turn !== "arbiter"
          ? ([texts.desk.answersUntil, questionUntil] as const)
          : null;
  if (ends === null) return <Time at={closedAt ?? decideBy ?? resolveBy} inRow />;
  const [text, at] = ends;
  return (
    <span>
      <Filled text={text} slots={{ time: <Time at={at} /> }} />
    </span>
  );
}

/** Who holds a dispute, and whether the reader may decide it. */
const HolderOf = ({ heldBy, conflict }: Pick<DeskDisputeRow, "heldBy" | "conflict">) => (
  <span className="grid justify-items-start gap-1">
    <span>
      <span className="md:hidden">{texts.desk.columns.holder}: </span>
      <Holder heldBy={heldBy} />
    </span>
    {conflict === null ? null : (
      <span title={texts.desk.conflicts[conflict]}>
        <Badge tone="wait">{texts.desk.ties[conflict]}</Badge>
      </span>
    )}
  </span>
);

const columnsOf = (tab: TabName): readonly Column<DeskDisputeRow>[] => [
  {
    title: texts.desk.columns.business,
    cell: (row) => (
      <span className="grid justify-items-start gap-1">
        <Link
          className="font-semibold text-ink [overflow-wrap:anywhere]"
          to="/desk/$dispute"
          params={{ dispute: row.id }}
        >
          {row.business.name}
        </Link>
        <span className="text-small text-soft [overflow-wrap:anywhere]">{row.merchantReference}</span>
        {row.environment === "test" ? <Badge tone="wait">{texts.desk.environments.test}</Badge> : null}
      </span>
    ),
  },
  {
    title: texts.desk.columns[tab === "closed" ? "closed" : "due"],
    cell: (row) => (
      <span className="grid justify-items-start gap-1">
        <Due row={row} />
        <WarningBadge warning={row.warning} />
        <span className="text-small text-soft md:hidden">
          {tokenOf(row).show(row.total)} · {texts.disputes.reasons[row.reason]}
        </span>
        <span className="text-small text-soft md:hidden">
          <HolderOf {...row} />
        </span>
      </span>
    ),
  },
  { title: texts.desk.columns.amount, cell: (row) => tokenOf(row).show(row.total), wideOnly: true },
  { title: texts.desk.columns.reason, cell: ({ reason }) => texts.disputes.reasons[reason], wideOnly: true },
  {
    title: texts.desk.columns.status,
    cell: ({ status, warning }) => (warning === "lapsed" ? texts.desk.warnings.lapsed : texts.desk.statuses[status]),
    wideOnly: true,
  },
  {
    title: texts.desk.columns.holder,
    cell: (row) => <HolderOf {...row} />,
    wideOnly: true,
  },
];

/** Disputed payments that match no order, so that no dispute of them is kept. Nothing is shown where there is none. */
function LoosePayments() {
  const { data } = useQuery({ ...read("listDeskPayments", {}), refetchInterval: SLOW_MS });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Section title={texts.desk.loose.title} text={texts.desk.loose.text}>
      <Table
        caption={texts.desk.loose.title}
        columns={LOOSE}
        rows={data.data}
        keyOf={({ environment, payment }) => `${environment} ${payment}`}
      />
    </Section>
  );
}

const LOOSE: readonly Column<DeskPayment>[] = [
  {
    title: texts.desk.loose.payment,
    cell: ({ payment, environment }) => (
      <span className="grid justify-items-start gap-1">
        <code translate="no" className="break-all text-small">
          {payment}
        </code>
        {environment === "test" ? <Badge tone="wait">{texts.desk.environments.test}</Badge> : null}
      </span>
    ),
  },
  {
    title: texts.desk.loose.amount,
    cell: ({ total, asset }) => (
      <span className="break-all">{tokenOf({ asset: asset ?? "", symbol: null, decimals: null }).show(total)}</span>
    ),
    wideOnly: true,
  },
  { title: texts.desk.loose.opened, cell: ({ openedAt }) => <Time at={openedAt} inRow />, wideOnly: true },
  { title: texts.desk.loose.lapses, cell: ({ resolveBy }) => <Time at={resolveBy} inRow /> },
];
