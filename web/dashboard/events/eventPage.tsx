import { EmptyState } from "@holdfast/ui/states.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { LIVE_MS, read } from "../api/queries.ts";
import type { EventDetails } from "../api/schema.ts";
import { DeliveryTable } from "../objects/deliveryTable.tsx";
import { EVENT_TEXTS } from "../objects/eventTypes.ts";
import { ObjectLink } from "../objects/objectLink.tsx";
import { Facts } from "../shell/facts.tsx";
import { Page, Section } from "../shell/page.tsx";
import { prettyJson } from "../shell/prettyJson.ts";
import { QueryState } from "../shell/queryState.tsx";
import { RawText } from "../shell/rawText.tsx";
import { useTenant } from "../shell/tenant.ts";

/** One event: what it is about, what caused it, where it was sent, and its body. */
export function EventPage() {
  const { path } = useTenant();
  const { event: id } = useParams({ from: "/staff/$business/$environment/events/$event" });
  const event = useQuery(read("getEvent", { path: { ...path, event: id } }));
  return (
    <Page
      title="Event"
      text={
        <Link className="underline" to="/$business/$environment/events" params={path}>
          Events
        </Link>
      }
    >
      <QueryState query={event}>{(data) => <Details details={data} />}</QueryState>
    </Page>
  );
}

function Details({ details: { event, body, request } }: { readonly details: EventDetails }) {
  const { path } = useTenant();
  const deliveries = useQuery({
    ...read("listDeliveriesOfEvent", { path: { ...path, event: event.id } }),
    refetchInterval: LIVE_MS,
  });
  const { about, intent, payment } = event;
  return (
    <>
      <p className="max-w-text text-lead">{EVENT_TEXTS[event.type][1]}</p>
      <Facts
        facts={[
          ["Type", <code key="type">{event.type}</code>],
          [
            "Id",
            <code key="id" className="break-all">
              {event.id}
            </code>,
          ],
          ["Sequence", event.sequence],
          ["Occurred", <Time key="occurred" at={event.occurredAt} />],
          ["Recorded", <Time key="recorded" at={event.createdAt} />],
          ...(intent === null ? [] : ([["Intent", <ObjectLink key="intent" id={intent} />]] as const)),
          ...(payment === null ? [] : ([["Payment", <ObjectLink key="payment" id={payment} />]] as const)),
          ...(about.id === null || about.id === intent || about.id === payment
            ? []
            : ([["About", <ObjectLink key="about" id={about.id} />]] as const)),
          ["Caused by", request === null ? "No request that is known" : <ObjectLink key="request" id={request} />],
          ...(event.restored
            ? ([["Restored", "It happened before the service was restored from a copy."]] as const)
            : []),
        ]}
      />
      <Section title="Deliveries" text="One for each endpoint that gets the event.">
        <QueryState query={deliveries}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState title="It was sent nowhere">No endpoint of this environment subscribes to it.</EmptyState>
            ) : (
              <DeliveryTable rows={data} withEndpoint />
            )
          }
        </QueryState>
      </Section>
      <Section title="Body" text="As the API and each delivery have it.">
        <RawText label="JSON" text={prettyJson(body)} />
      </Section>
    </>
  );
}
