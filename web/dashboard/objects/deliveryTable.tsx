import { Badge } from "@holdfast/ui/badge.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read } from "../api/queries.ts";
import type { WebhookDelivery } from "../api/schema.ts";
import { useTenant } from "../shell/tenant.ts";
import { DELIVERY_STATUSES, ERROR_CLASSES } from "./delivery.ts";

const NONE: ReadonlySet<string> = new Set();

/** Deliveries, a row each; of several endpoints each row says to which. */
export function DeliveryTable({
  rows,
  withEndpoint = false,
  gone = NONE,
}: {
  readonly rows: readonly WebhookDelivery[];
  readonly withEndpoint?: boolean;
  /** Rows that changed since, so that the list would not have them now. */
  readonly gone?: ReadonlySet<string>;
}) {
  const { path } = useTenant();
  return (
    <Table
      caption="Deliveries"
      columns={[
        {
          title: "Event",
          cell: ({ id, type, endpoint, createdAt }: WebhookDelivery) => (
            <span className="grid justify-items-start gap-1">
              <Link to="/$business/$environment/deliveries/$delivery" params={{ ...path, delivery: id }}>
                <code>{type}</code>
              </Link>
              <span className="text-small text-soft md:hidden">
                <Time at={createdAt} inRow />
              </span>
              {withEndpoint ? <EndpointUrl id={endpoint} /> : null}
            </span>
          ),
        },
        {
          title: "State",
          cell: ({ id, status }) =>
            gone.has(id) ? (
              <Badge tone="neutral">Changed</Badge>
            ) : (
              <Badge tone={DELIVERY_STATUSES[status][0]}>{DELIVERY_STATUSES[status][1]}</Badge>
            ),
        },
        {
          title: "Last answer",
          cell: ({ statusCode, errorClass }) => statusCode ?? (errorClass === null ? "–" : ERROR_CLASSES[errorClass]),
          wideOnly: true,
        },
        { title: "Attempts", cell: ({ attempts }) => attempts, end: true, wideOnly: true },
        { title: "Next attempt", cell: ({ dueAt }) => <Time at={dueAt} inRow />, wideOnly: true },
        { title: "Made", cell: ({ createdAt }) => <Time at={createdAt} inRow />, end: true, wideOnly: true },
      ]}
      rows={rows}
      keyOf={({ id }) => id}
    />
  );
}

/** All rows share one look at the endpoints. */
function EndpointUrl({ id }: { readonly id: string }) {
  const { path } = useTenant();
  const endpoints = useQuery(read("listWebhookEndpoints", { path }));
  const url = endpoints.data?.data.find((one) => one.id === id)?.url ?? id;
  return <span className="break-all text-small text-soft">{url}</span>;
}
