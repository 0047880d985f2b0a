import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { LIVE_MS, read } from "../api/queries.ts";
import * as texts from "../catalogue/index.ts";
import { DELIVERY_COLUMNS } from "../objects/deliveryColumns.tsx";
import { eventText } from "../objects/eventTypes.ts";
import { objectLink } from "../objects/objectLink.tsx";
import { FactsPage } from "../pages/factsPage.tsx";
import { TableSection } from "../pages/tableSection.tsx";
import { code, time } from "../shell/facts.tsx";
import { Section } from "../shell/page.tsx";
import { prettyJson } from "../shell/prettyJson.ts";
import { RawText } from "../shell/rawText.tsx";
import { useIdOf, useTenant } from "../shell/tenant.ts";

/** The page of one event: its object, its cause, its deliveries and its body. */
export function EventPage() {
  const { path } = useTenant();
  const id = useIdOf("event");
  return (
    <FactsPage
      operation="getEvent"
      input={{ path: { ...path, event: id } }}
      title={texts.common.event}
      up={() => (
        <Link className="underline" to="/$business/$environment/events" params={path}>
          {texts.events.title}
        </Link>
      )}
      notice={({ event }) => <p className="max-w-text text-lead">{eventText(event)}</p>}
      facts={({ event: { about, intent, payment, ...event }, request }) => [
        [texts.common.type, code(event.type)],
        [texts.common.id, code(event.id)],
        [texts.events.sequence, event.sequence],
        [texts.events.occurred, time(event.occurredAt)],
        [texts.events.recorded, time(event.createdAt)],
        intent === null ? null : [texts.common.intent, objectLink(intent)],
        payment === null ? null : [texts.events.payment, objectLink(payment)],
        about.id === null || about.id === intent || about.id === payment
          ? null
          : [texts.common.object, objectLink(about.id)],
        [texts.events.cause, request === null ? texts.events.noCause : objectLink(request)],
        event.restored ? [texts.events.restored, texts.events.isRestored] : null,
      ]}
    >
      {({ body }) => (
        <>
          <Deliveries event={id} />
          <Section title={texts.common.body} text={texts.events.bodyText}>
            <RawText label={texts.common.json} text={prettyJson(body)} />
          </Section>
        </>
      )}
    </FactsPage>
  );
}

function Deliveries({ event }: { readonly event: string }) {
  const { path } = useTenant();
  const query = useQuery({
    ...read("listDeliveriesOfEvent", { path: { ...path, event } }),
    refetchInterval: LIVE_MS,
  });
  return <TableSection {...texts.events.deliveries} query={query} columns={DELIVERY_COLUMNS} keyOf={({ id }) => id} />;
}
