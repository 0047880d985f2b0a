import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useInfiniteQuery } from "@tanstack/react-query";
import { readPages } from "../api/queries.ts";
import type { AccountEntry } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { MoreButton } from "../shell/moreButton.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { detailOf, placeOf, textOf } from "./historyEntry.ts";

/** §13.15: the entries about the account, newest first. */
export function History() {
  const entries = useInfiniteQuery(readPages("listAccountHistory", {}));
  return (
    <QueryState query={entries}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data);
        if (rows.length === 0)
          return <EmptyState title={texts.account.history.emptyTitle}>{texts.account.history.emptyText}</EmptyState>;
        return (
          <div className="grid gap-4">
            <p className="max-w-text text-soft">{texts.account.history.advice}</p>
            <Table
              caption={texts.account.history.caption}
              columns={[
                { title: texts.account.history.action, cell: (entry: AccountEntry) => <Entry entry={entry} /> },
                {
                  title: texts.account.history.source,
                  cell: (entry) => <span className="break-words">{placeOf(entry)}</span>,
                  wideOnly: true,
                },
                {
                  title: texts.common.time,
                  cell: ({ recordedAt }) => <Time at={recordedAt} />,
                  end: true,
                  wideOnly: true,
                },
              ]}
              rows={rows}
              keyOf={({ id }) => id}
            />
            <MoreButton list={entries} />
          </div>
        );
      }}
    </QueryState>
  );
}

/** An entry in words. On a narrow screen, place and time are in this cell. */
const Entry = ({ entry }: { readonly entry: AccountEntry }) => {
  const detail = detailOf(entry);
  return (
    <div className="grid min-w-0 gap-1">
      <p className="font-medium">{textOf(entry)}</p>
      {detail === null ? null : <p className="break-words text-small text-soft">{detail}</p>}
      <p className="break-words text-small text-soft md:hidden">
        {placeOf(entry)}, <Time at={entry.recordedAt} />
      </p>
    </div>
  );
};
