import { Button } from "@holdfast/ui/button.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { type Column, Table } from "@holdfast/ui/table.tsx";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { InputOf, ListId, RowOf } from "../api/client.ts";
import * as texts from "../catalogue/index.ts";
import { LiveList } from "../live/liveList.tsx";
import { useLiveList } from "../live/useLiveList.ts";
import { MoreButton } from "../shell/moreButton.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { ExportButton } from "./exportButton.tsx";
import { Filters } from "./filters.tsx";
import {
  type FilterName,
  type FilterOptions,
  type FilterTexts,
  type FilterValues,
  filterNames,
} from "./listFilters.ts";
import type { View } from "./savedViews.ts";
import { Views } from "./views.tsx";

/** The rows that a list shows now. */
export interface Shown {
  readonly count: number;
  readonly hasMore: boolean;
  /** The filters that the rows passed. */
  readonly filters: FilterValues;
}

type ExportPath = Readonly<Record<string, string>>;

interface ListPageProps<Id extends ListId, Texts extends FilterTexts<Id>> {
  readonly operation: Id;
  readonly input: InputOf<Id>;
  readonly title: string;
  readonly text: ReactNode;
  readonly actions?: ReactNode;
  /** Above the filters. */
  readonly children?: ReactNode;
  /** A text for each filter of the list, and for no other. */
  readonly filters: Texts & { readonly [Name in Exclude<keyof Texts, keyof FilterTexts<Id>>]: never };
  readonly options?: FilterOptions<Id>;
  /** `changed`: the ids of rows that changed since and no longer pass the filters. `at`: the environment's time, of lists that say it. */
  readonly columns:
    | readonly Column<RowOf<Id>>[]
    | ((changed: ReadonlySet<string>, at: string) => readonly Column<RowOf<Id>>[]);
  readonly empty: { readonly title: string; readonly text: string };
  /** Actions on the rows, if there are any. */
  readonly onRows?: (shown: Shown) => ReactNode;
  /** Returns a text that grows with every newer row: then the list follows changes. Default: it does not. */
  readonly orderOf?: (row: RowOf<Id>) => string;
  /** The filter that sets the beginning of the list: then it does not end at the newest row, so it does not follow. */
  readonly beginFilter?: FilterName<Id>;
  /** The filters that put the list in another order: then it does not follow either. */
  readonly otherOrders?: readonly FilterName<Id>[];
  /** Filters under a name, the first of them none. */
  readonly views?: readonly View[];
}

/** A list with its filters, newest first (§13). Its filters and its address come from the list's declaration. */
export function ListPage<Id extends ListId, Texts extends FilterTexts<Id>>(props: ListPageProps<Id, Texts>) {
  const { operation, input, title, text, actions, children, filters, options = {}, columns, empty, onRows } = props;
  const search: FilterValues = useSearch({ strict: false });
  const navigate = useNavigate();
  const names = filterNames(operation);
  const others = Object.entries(search).filter(([name]) => !(names as readonly string[]).includes(name));
  const values = Object.fromEntries(
    names.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  );
  const isBegun = props.beginFilter !== undefined && values[props.beginFilter] !== undefined;
  const isFollowing = !isBegun && props.otherOrders?.some((name) => values[name] !== undefined) !== true;
  const { list, more, rows, newCount, isMore, isBehind, gone, at, showNew } = useLiveList(
    operation,
    { ...input, query: values },
    props.orderOf,
    isFollowing,
  );
  const change = (changed: FilterValues) =>
    void navigate({ to: ".", search: { ...Object.fromEntries(others), ...changed } });
  const isFiltered = Object.keys(values).length > 0;
  return (
    <Page
      title={title}
      text={text}
      actions={
        <>
          {isFollowing ? null : <Button onClick={() => void list.refetch()}>{texts.pages.refresh}</Button>}
          {actions}
          <ExportButton list={operation} path={(input as { readonly path: ExportPath }).path} filters={values} />
        </>
      }
    >
      {children}
      {props.views === undefined ? null : <Views list={operation} views={props.views} values={values} />}
      {names.length === 0 ? null : (
        <Filters list={operation} labels={filters} options={options} values={values} onChange={change} />
      )}
      <QueryState query={list}>
        {() =>
          rows.length === 0 ? (
            list.hasNextPage ? (
              <EmptyState title={texts.pages.notYetTitle} action={<MoreButton list={more} isSearch />}>
                {texts.pages.notYetText}
              </EmptyState>
            ) : isFiltered ? (
              <EmptyState
                title={texts.pages.noMatchTitle}
                action={<Button onClick={() => change({})}>{texts.pages.showAll}</Button>}
              >
                {texts.pages.noMatchText}
              </EmptyState>
            ) : (
              <EmptyState title={empty.title}>{empty.text}</EmptyState>
            )
          ) : (
            <>
              {onRows?.({ count: rows.length, hasMore: list.hasNextPage, filters: values })}
              <LiveList newCount={newCount} isMore={isMore} isBehind={isBehind} onShow={showNew}>
                <Table
                  caption={title}
                  columns={typeof columns === "function" ? columns(gone, at) : columns}
                  rows={rows}
                  keyOf={({ id }) => id}
                />
                {isBegun ? null : <MoreButton list={more} />}
              </LiveList>
            </>
          )
        }
      </QueryState>
    </Page>
  );
}
