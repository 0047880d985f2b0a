import { Badge } from "@holdfast/ui/badge.tsx";
import type { Column } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { LIVE_MS, read } from "../api/queries.ts";
import type { StaffEvent, StaffEventList, WebhookDelivery } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { DeliveryBadge } from "../objects/deliveryColumns.tsx";
import { TableSection } from "../pages/tableSection.tsx";
import type { Reading } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { useDeliveries } from "./around.tsx";
import type { Figures } from "./money.ts";

/** The most events of a payment that its page shows, and deliveries of them to each endpoint. */
const EVENTS_SHOWN_MAX = "100";

/** The events of a payment, the newest first. They are recorded with its changes, so each change reads them again. */
export function usePaymentEvents(payment: Figures & { readonly id: string; readonly status: string }) {
  const { path } = useTenant();
  const events = useQuery({
    ...read("listEvents", { path, query: { payment: payment.id, limit: EVENTS_SHOWN_MAX } }),
    refetchInterval: LIVE_MS,
  });
  const { status, outcome, refundTotal, amountRefunded, amountReleased } = payment;
  const state = [status, outcome, refundTotal, amountRefunded, amountReleased].join();
  const { refetch } = events;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads again because the state is another
  useEffect(() => void refetch(), [state, refetch]);
  return events;
}

/** The events of a payment, each with its deliveries. */
export function EventsSection({
  payment,
  events,
}: {
  readonly payment: string;
  readonly events: Reading<StaffEventList>;
}) {
  const { path } = useTenant();
  const deliveries = useDeliveries(payment, EVENTS_SHOWN_MAX);
  const columns: readonly Column<StaffEvent>[] = [
    {
      title: texts.common.event,
      cell: ({ id, type }) => (
        <Link to="/$business/$environment/events/$event" params={{ ...path, event: id }}>
          <code translate="no" className="break-all">
            {type}
          </code>
        </Link>
      ),
    },
    {
      title: texts.payment.events.delivery,
      cell: ({ id }) => (
        <Deliveries
          of={deliveries.data?.data.filter(({ event }) => event === id)}
          areAllRead={deliveries.data?.hasMore === false}
        />
      ),
    },
    {
      title: texts.payment.events.when,
      cell: ({ occurredAt }) => <Time at={occurredAt} inRow />,
      end: true,
      wideOnly: true,
    },
  ];
  return (
    <TableSection
      title={texts.payment.events.title}
      actions={
        <Link to="/$business/$environment/events" params={path} search={{ payment }}>
          {texts.payment.events.viewAll}
        </Link>
      }
      query={events}
      columns={columns}
      keyOf={({ id }) => id}
      empty={texts.payments.timeline.empty}
    />
  );
}

/** Undefined: they are not read yet. */
function Deliveries({
  of,
  areAllRead,
}: {
  readonly of: readonly WebhookDelivery[] | undefined;
  readonly areAllRead: boolean;
}) {
  const { path } = useTenant();
  if (of === undefined) return null;
  if (of.length === 0)
    return <span className="text-soft">{areAllRead ? texts.payment.events.notSent : texts.payment.where.nothing}</span>;
  return (
    <span className="grid justify-items-start gap-1">
      {of.map((delivery) => (
        <Link
          key={delivery.id}
          to="/$business/$environment/deliveries/$delivery"
          params={{ ...path, delivery: delivery.id }}
          className="no-underline"
        >
          <DeliveryState {...delivery} />
        </Link>
      ))}
    </span>
  );
}

/** An attempt that is due later is named by its time: it is what a reader waits for. */
const DeliveryState = ({ status, attempts, statusCode, dueAt }: WebhookDelivery) => {
  if (status === "pending" && attempts > 0 && dueAt !== null)
    return (
      <Badge tone="wait">
        <Filled text={texts.payment.events.retryAt} slots={{ time: <Time at={dueAt} inRow /> }} />
      </Badge>
    );
  if (status === "succeeded" && statusCode !== null) return <Badge tone="good">{statusCode}</Badge>;
  return <DeliveryBadge status={status} />;
};
