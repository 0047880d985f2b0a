import { Badge } from "@holdfast/ui/badge.tsx";
import { ShortId } from "@holdfast/ui/copy.tsx";
import { Select, TextField } from "@holdfast/ui/field.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { readPages } from "../api/queries.ts";
import type { AuditEntry } from "../api/schema.ts";
import { Filters, TimeFilter } from "../forms/filters.tsx";
import { MoreButton } from "../shell/moreButton.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { ACTION_TEXTS, detailsOf, textOf } from "./entry.ts";

/** §13.6. */
export function AuditPage() {
  const { business } = useTenant();
  const search = useSearch({ from: "/staff/$business/$environment/audit" });
  const navigate = useNavigate({ from: "/$business/$environment/audit" });
  const entries = useInfiniteQuery(readPages("listAuditEntries", { path: { business: business.id }, query: search }));
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page title="Audit log" text="What was done in this business, by whom and from where. Nothing here can be changed.">
      <Filters values={search} onChange={(values) => void navigate({ search: values })}>
        {(chosen) => (
          <>
            <Select
              label="What"
              name="action"
              defaultValue={chosen("action")}
              options={[["", "Anything"], ...Object.entries(ACTION_TEXTS)]}
            />
            <TextField label="Who" name="actor" placeholder="kim@example.com" defaultValue={chosen("actor")} />
            <TextField label="To what" name="target" placeholder="key_…" defaultValue={chosen("target")} />
            <TimeFilter label="After" name="recorded_after" chosen={chosen} />
            <TimeFilter label="Before" name="recorded_before" chosen={chosen} />
          </>
        )}
      </Filters>
      <QueryState query={entries}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0)
            return isFiltered ? (
              <EmptyState title="No entry matches">Take a filter away to see more.</EmptyState>
            ) : (
              <EmptyState title="Nothing yet">Changes of keys, members and the profile appear here.</EmptyState>
            );
          return (
            <>
              <Table
                caption="Audit log"
                columns={[
                  { title: "What", cell: (entry: AuditEntry) => <What entry={entry} /> },
                  {
                    title: "Who",
                    cell: ({ actor }) => (
                      <span className="grid">
                        <span className="break-all">{actor.name}</span>
                        <span className="text-small text-soft">{placeOf(actor)}</span>
                      </span>
                    ),
                    wideOnly: true,
                  },
                  {
                    title: "When",
                    cell: ({ recordedAt }) => <Time at={recordedAt} inRow />,
                    end: true,
                    wideOnly: true,
                  },
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

/** Where those act who have no network address. */
const PLACES: Readonly<Record<string, string>> = { cli: "at the command line", service: "by itself" };
const placeOf = ({ id, address }: AuditEntry["actor"]): string | null => PLACES[id] ?? address;

/** An entry in words, with all that was written down with it. Where the screen is narrow, who and when stand here. */
const What = ({ entry }: { readonly entry: AuditEntry }) => (
  <div className="grid gap-1">
    <p className="flex flex-wrap items-center gap-2">
      <span className="font-medium">{textOf(entry)}</span>
      {entry.environment === null ? null : (
        <Badge tone={entry.environment === "live" ? "info" : "neutral"}>{entry.environment}</Badge>
      )}
    </p>
    <p className="text-small text-soft md:hidden">
      {[entry.actor.name, placeOf(entry.actor)].join(", ")}, <Time at={entry.recordedAt} />
    </p>
    <p className="flex flex-wrap gap-x-2 text-small text-soft">
      <code>{entry.action}</code>
      {entry.target === null ? null : <ShortId id={entry.target} />}
    </p>
    <dl className="m-0 grid gap-1 text-small">
      {detailsOf(entry).map(([name, text]) => (
        <div key={name} className="flex flex-wrap gap-x-2">
          <dt className="text-soft">{name}</dt>
          <dd className="m-0 min-w-0 break-all">{text}</dd>
        </div>
      ))}
    </dl>
  </div>
);
