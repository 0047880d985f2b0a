import { EmptyState } from "@holdfast/ui/states.tsx";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read, SLOW_MS } from "../api/queries.ts";
import { DeliveryTable } from "../objects/deliveryTable.tsx";
import { RequestTable } from "../objects/requestTable.tsx";
import { Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";

const SHOWN_MAX = "10";

/** The latest requests about an object. */
export function RequestsAbout({ id }: { readonly id: string }) {
  const { path } = useTenant();
  const requests = useQuery({
    ...read("listRequests", { path, query: { about: id, limit: SHOWN_MAX } }),
    refetchInterval: SLOW_MS,
  });
  return (
    <Section
      title="Requests"
      text="The latest of the last seven days."
      actions={
        <Link to="/$business/$environment/requests" params={path} search={{ about: id }}>
          All requests about it
        </Link>
      }
    >
      <QueryState query={requests}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="No request about it">
              Your servers have not asked about it in the last seven days.
            </EmptyState>
          ) : (
            <RequestTable rows={data} />
          )
        }
      </QueryState>
    </Section>
  );
}

/** The latest deliveries about an object, to each endpoint. There are five endpoints at most. */
export function DeliveriesAbout({ id }: { readonly id: string }) {
  const { path } = useTenant();
  const endpoints = useQuery(read("listWebhookEndpoints", { path }));
  const lists = useQueries({
    queries: (endpoints.data?.data ?? []).map(({ id: endpoint }) => ({
      ...read("listWebhookDeliveries", { path: { ...path, endpoint }, query: { object: id, limit: SHOWN_MAX } }),
      refetchInterval: SLOW_MS,
    })),
  });
  const rows = lists.flatMap(({ data }) => data?.data ?? []);
  const reading = {
    data: endpoints.data !== undefined && lists.every(({ data }) => data !== undefined) ? rows : undefined,
    error: endpoints.error ?? lists.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all([endpoints, ...lists].map((one) => one.refetch())),
  };
  return (
    <Section title="Deliveries" text={`The latest ${SHOWN_MAX} to each endpoint.`}>
      <QueryState query={reading}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState title="Nothing was sent">No endpoint of this environment got an event of it.</EmptyState>
          ) : (
            <DeliveryTable rows={found} withEndpoint />
          )
        }
      </QueryState>
    </Section>
  );
}
