import { EmptyState } from "@holdfast/ui/states.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { LIVE_MS, read } from "../api/queries.ts";
import type { StaffEvent } from "../api/schema.ts";
import { EVENT_TEXTS } from "../objects/eventTypes.ts";
import { Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";

const SHOWN_MAX = "100";

/** What happened to an intent and its payments, or to one payment, the oldest first. */
export function Timeline({ of }: { readonly of: { readonly intent: string } | { readonly payment: string } }) {
  const { path } = useTenant();
  const events = useQuery({
    ...read("listEvents", { path, query: { ...of, limit: SHOWN_MAX } }),
    refetchInterval: LIVE_MS,
  });
  return (
    <Section
      title="Timeline"
      text="Each line is an event."
      actions={
        <Link to="/$business/$environment/events" params={path} search={of}>
          In the list of events
        </Link>
      }
    >
      <NewEvent newest={events.data?.data[0]} />
      <QueryState query={events}>
        {({ data, hasMore }) =>
          data.length === 0 ? (
            <EmptyState title="No event is kept">Events are kept for 30 days, unless set otherwise.</EmptyState>
          ) : (
            <>
              {hasMore ? <p className="text-soft">Only the latest {SHOWN_MAX} are shown.</p> : null}
              <ol className="m-0 grid list-none gap-0 p-0">
                {data.toReversed().map(({ id, type, occurredAt }) => (
                  <li key={id} className="grid gap-1 border-l border-line py-2 pl-4">
                    <span className="text-small text-soft">
                      <Time at={occurredAt} />
                    </span>
                    <span>{EVENT_TEXTS[type][1]}</span>
                    <Link to="/$business/$environment/events/$event" params={{ ...path, event: id }}>
                      <code className="break-all">{type}</code>
                    </Link>
                  </li>
                ))}
              </ol>
            </>
          )
        }
      </QueryState>
    </Section>
  );
}

/** Says what happened while the page is open, for those who hear it: what was there when it opened is not news. */
function NewEvent({ newest }: { readonly newest: StaffEvent | undefined }) {
  const [first, setFirst] = useState<string | null>(null);
  useEffect(() => {
    if (newest !== undefined) setFirst((known) => known ?? newest.id);
  }, [newest]);
  const isNews = newest !== undefined && first !== null && newest.id !== first;
  return (
    <p role="status" className="sr-only">
      {isNews ? `New: ${EVENT_TEXTS[newest.type][1]}` : ""}
    </p>
  );
}
