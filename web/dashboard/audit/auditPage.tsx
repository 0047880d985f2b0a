import { ShortId } from "@holdfast/ui/copy.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useInfiniteQuery } from "@tanstack/react-query";
import { readPages } from "../api/queries.ts";
import type { AuditEntry } from "../api/schema.ts";
import { MoreButton } from "../shell/moreButton.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";

/** §13.6. */
export function AuditPage() {
  const { business } = useTenant();
  const entries = useInfiniteQuery(readPages("listAuditEntries", { path: { business: business.id } }));
  return (
    <Page title="Audit log" text="What was done in this business, by whom and from where. Nothing here can be changed.">
      <QueryState query={entries}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0)
            return <EmptyState title="Nothing yet">Changes of keys, members and invitations appear here.</EmptyState>;
          return (
            <>
              <Table
                caption="Audit log"
                columns={[
                  { title: "What", cell: ({ action }: AuditEntry) => <code>{action}</code> },
                  { title: "Who", cell: ({ actor }) => <span className="break-all">{actor.name}</span> },
                  {
                    title: "To what",
                    cell: ({ target }) => (target === null ? "–" : <ShortId id={target} />),
                    wideOnly: true,
                  },
                  { title: "From", cell: ({ actor }) => actor.address ?? "–", wideOnly: true },
                  { title: "When", cell: ({ recordedAt }) => <Time at={recordedAt} />, end: true },
                ]}
                rows={rows}
                keyOf={({ id }) => id}
              />
              <MoreButton list={entries} />
            </>
          );
        }}
      </QueryState>
    </Page>
  );
}
