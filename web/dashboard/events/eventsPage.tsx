import { Button } from "@holdfast/ui/button.tsx";
import { Select, TextField } from "@holdfast/ui/field.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { StaffEvent } from "../api/schema.ts";
import { Filters, TimeFilter } from "../forms/filters.tsx";
import { LiveList } from "../live/liveList.tsx";
import { useLiveList } from "../live/useLiveList.ts";
import { EVENT_TEXTS, TYPE_OPTIONS } from "../objects/eventTypes.ts";
import { ObjectLink } from "../objects/objectLink.tsx";
import { MoreButton } from "../shell/moreButton.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";

const SEQUENCE_DIGITS_MAX = 20;

/** §13.10: everything that happened, by the filters of the API. */
export function EventsPage() {
  const { path, environment } = useTenant();
  const search = useSearch({ from: "/staff/$business/$environment/events" });
  const navigate = useNavigate({ from: "/$business/$environment/events" });
  // A page that was asked for by its beginning does not end at what is newest.
  const isFollowing = search.after_sequence === undefined;
  const { list, rows, newCount, isMore, isBehind, showNew } = useLiveList(
    "listEvents",
    { path, query: search },
    ({ sequence }) => sequence.padStart(SEQUENCE_DIGITS_MAX, "0"),
    { isFollowing },
  );
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page
      title="Events"
      text={`Everything that happened to intents and payments in ${environment}. Webhooks send these events, and the API lists them.`}
      actions={isFollowing ? undefined : <Button onClick={() => void list.refetch()}>Refresh</Button>}
    >
      <Filters values={search} onChange={(values) => void navigate({ search: values })}>
        {(chosen) => (
          <>
            <Select label="Type" name="type" defaultValue={chosen("type")} options={TYPE_OPTIONS} />
            <TextField label="Intent" name="intent" placeholder="pi_test_…" defaultValue={chosen("intent")} />
            <TextField
              label="Payment"
              name="payment"
              placeholder="Its address on chain"
              defaultValue={chosen("payment")}
            />
            <TimeFilter label="Occurred after" name="occurred_after" chosen={chosen} />
            <TimeFilter label="Occurred before" name="occurred_before" chosen={chosen} />
            <TextField
              label="After sequence"
              name="after_sequence"
              inputMode="numeric"
              hint="The events just above it."
              defaultValue={chosen("after_sequence")}
            />
          </>
        )}
      </Filters>
      <QueryState query={list}>
        {() => {
          if (rows.length === 0)
            return isFiltered ? (
              <EmptyState title="No event matches">Take a filter away to see more.</EmptyState>
            ) : (
              <EmptyState title="No event yet">The creation of the first intent is the first event.</EmptyState>
            );
          return (
            <LiveList newCount={newCount} isMore={isMore} isBehind={isBehind} onShow={showNew}>
              <EventTable rows={rows} />
              {isFollowing ? <MoreButton list={list} /> : null}
            </LiveList>
          );
        }}
      </QueryState>
    </Page>
  );
}

function EventTable({ rows }: { readonly rows: readonly StaffEvent[] }) {
  const { path } = useTenant();
  return (
    <Table
      caption="Events"
      columns={[
        {
          title: "Event",
          cell: ({ id, type }: StaffEvent) => (
            <span className="flex flex-wrap items-baseline gap-x-3">
              <Link to="/$business/$environment/events/$event" params={{ ...path, event: id }}>
                <code className="break-all">{type}</code>
              </Link>
              <span className="text-small text-soft">{EVENT_TEXTS[type][1]}</span>
            </span>
          ),
        },
        {
          title: "About",
          cell: ({ about: { id } }) => (id === null ? "–" : <ObjectLink id={id} inRow />),
          wideOnly: true,
        },
        { title: "Sequence", cell: ({ sequence }) => sequence, end: true, wideOnly: true },
        { title: "Occurred", cell: ({ occurredAt }) => <Time at={occurredAt} inRow />, end: true },
      ]}
      rows={rows}
      keyOf={({ id }) => id}
    />
  );
}
