import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import type { Column } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read } from "../api/queries.ts";
import type { WebhookDelivery } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { useTenant } from "../shell/tenant.ts";

const TONES: Readonly<Record<WebhookDelivery["status"], Tone>> = {
  pending: "wait",
  succeeded: "good",
  abandoned: "bad",
};

export const DeliveryBadge = ({ status }: Pick<WebhookDelivery, "status">) => (
  <Badge tone={TONES[status]}>{texts.objects.deliveryStatuses[status]}</Badge>
);

const STATUS_COLUMN: Column<WebhookDelivery> = {
  title: texts.common.status,
  cell: ({ status }) => <DeliveryBadge status={status} />,
};
const FURTHER_COLUMNS: readonly Column<WebhookDelivery>[] = [
  {
    title: texts.objects.deliveries.response,
    cell: ({ statusCode, errorClass }) =>
      statusCode ?? (errorClass === null ? "–" : texts.objects.errorClasses[errorClass]),
    wideOnly: true,
  },
  { title: texts.objects.deliveries.attempts, cell: ({ attempts }) => attempts, end: true, wideOnly: true },
  { title: texts.objects.deliveries.nextAttempt, cell: ({ dueAt }) => <Time at={dueAt} inRow />, wideOnly: true },
  {
    title: texts.common.created,
    cell: ({ createdAt }) => <Time at={createdAt} inRow />,
    end: true,
    wideOnly: true,
  },
];

/** Deliveries to several endpoints: each row names its endpoint. */
export const DELIVERY_COLUMNS: readonly Column<WebhookDelivery>[] = [
  { title: texts.common.event, cell: (delivery) => <EventLink delivery={delivery} withEndpoint /> },
  STATUS_COLUMN,
  ...FURTHER_COLUMNS,
];

/** Deliveries to one endpoint. `changed`: rows that no longer pass the list's filter. */
export const deliveryColumns = (changed: ReadonlySet<string>): readonly Column<WebhookDelivery>[] => [
  { title: texts.common.event, cell: (delivery) => <EventLink delivery={delivery} /> },
  {
    ...STATUS_COLUMN,
    cell: (delivery) =>
      changed.has(delivery.id) ? (
        <Badge tone="neutral">{texts.objects.deliveries.changed}</Badge>
      ) : (
        STATUS_COLUMN.cell(delivery)
      ),
  },
  ...FURTHER_COLUMNS,
];

function EventLink({
  delivery: { id, type, endpoint, createdAt },
  withEndpoint = false,
}: {
  readonly delivery: WebhookDelivery;
  readonly withEndpoint?: boolean;
}) {
  const { path } = useTenant();
  return (
    <span className="grid justify-items-start gap-1">
      <Link to="/$business/$environment/deliveries/$delivery" params={{ ...path, delivery: id }}>
        <code translate="no">{type}</code>
      </Link>
      <span className="text-small text-soft md:hidden">
        <Time at={createdAt} inRow />
      </span>
      {withEndpoint ? <EndpointUrl id={endpoint} /> : null}
    </span>
  );
}

/** All rows share one read of the endpoints. */
function EndpointUrl({ id }: { readonly id: string }) {
  const { path } = useTenant();
  const endpoints = useQuery(read("listWebhookEndpoints", { path }));
  const url = endpoints.data?.data.find((one) => one.id === id)?.url ?? id;
  return <span className="break-all text-small text-soft">{url}</span>;
}
