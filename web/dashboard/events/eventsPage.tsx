import type { Column } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { Link } from "@tanstack/react-router";
import type { StaffEvent } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { EVENT_TYPES, eventText } from "../objects/eventTypes.ts";
import { ObjectLink } from "../objects/objectLink.tsx";
import { ListPage } from "../pages/listPage.tsx";
import { useTenant } from "../shell/tenant.ts";

const SEQUENCE_DIGITS_MAX = 20;
/** Groups of types, such as `payment.*`, then each type. */
const TYPES = [...new Set(EVENT_TYPES.map((type) => `${type.split(".", 1)[0]}.*`)), ...EVENT_TYPES];

const COLUMNS: readonly Column<StaffEvent>[] = [
  { title: texts.common.event, cell: (event) => <EventLink event={event} /> },
  {
    title: texts.common.object,
    cell: ({ about: { id } }) => (id === null ? "–" : <ObjectLink id={id} inRow />),
    wideOnly: true,
  },
  { title: texts.events.sequence, cell: ({ sequence }) => sequence, end: true, wideOnly: true },
  { title: texts.events.occurred, cell: ({ occurredAt }) => <Time at={occurredAt} inRow />, end: true },
];

/** All events, by the filters of the API (§13.10). */
export function EventsPage() {
  const { path, environment } = useTenant();
  return (
    <ListPage
      operation="listEvents"
      input={{ path }}
      title={texts.events.title}
      text={texts.events.text(environment)}
      filters={texts.events.filters}
      options={{ type: TYPES.map((type) => [type, type]) }}
      columns={COLUMNS}
      empty={texts.events.empty}
      orderOf={({ sequence }) => sequence.padStart(SEQUENCE_DIGITS_MAX, "0")}
      beginFilter="after_sequence"
    />
  );
}

function EventLink({ event }: { readonly event: StaffEvent }) {
  const { id, type } = event;
  const { path } = useTenant();
  return (
    <span className="flex flex-wrap items-baseline gap-x-3">
      <Link to="/$business/$environment/events/$event" params={{ ...path, event: id }}>
        <code translate="no" className="break-all">
          {type}
        </code>
      </Link>
      <span className="text-small text-soft">{eventText(event)}</span>
    </span>
  );
}
