import { EmptyState } from "@holdfast/ui/states.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { LIVE_MS, read } from "../api/queries.ts";
import type { StaffEvent } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { eventText } from "../objects/eventTypes.ts";
import { Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";

const SHOWN_MAX = "100";

export type TimelineOf = { readonly intent: string } | { readonly payment: string };

/** The events of an intent and its payments, or of one payment, the oldest first. */
export function Timeline({ of }: { readonly of: TimelineOf }) {
  const { path } = useTenant();
  const events = useQuery({
    ...read("listEvents", { path, query: { ...of, limit: SHOWN_MAX } }),
    refetchInterval: LIVE_MS,
  });
  return (
    <Section
      title={texts.payments.timeline.title}
      text={texts.payments.timeline.text}
      actions={
        <Link to="/$business/$environment/events" params={path} search={of}>
          {texts.payments.timeline.viewAll}
        </Link>
      }
    >
      <NewEvent newest={events.data?.data[0]} />
      <QueryState query={events}>
        {({ data, hasMore }) =>
          data.length === 0 ? (
            <EmptyState title={texts.payments.timeline.empty.title}>{texts.payments.timeline.empty.text}</EmptyState>
          ) : (
            <>
              {hasMore ? <p className="text-soft">{texts.payments.timeline.onlyLatest(SHOWN_MAX)}</p> : null}
              <ol className="m-0 grid list-none gap-0 p-0">
                {data.toReversed().map(({ id, type, occurredAt, changed }) => (
                  <li key={id} className="grid gap-1 border-l border-line py-2 pl-4">
                    <span className="text-small text-soft">
                      <Time at={occurredAt} />
                    </span>
                    <span>{eventText({ type, changed })}</span>
                    <Link to="/$business/$environment/events/$event" params={{ ...path, event: id }}>
                      <code translate="no" className="break-all">
                        {type}
                      </code>
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

/** Announces each event that happens while the page is open to screen readers: earlier events are not news. */
export function NewEvent({ newest }: { readonly newest: StaffEvent | undefined }) {
  const [first, setFirst] = useState<string | null>(null);
  useEffect(() => {
    if (newest !== undefined) setFirst((known) => known ?? newest.id);
  }, [newest]);
  const isNews = newest !== undefined && first !== null && newest.id !== first;
  return (
    <p role="status" className="sr-only">
      {isNews ? texts.payments.timeline.news(eventText(newest)) : ""}
    </p>
  );
}
