import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read, SLOW_MS } from "../api/queries.ts";
import { LIMITS } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { DELIVERY_COLUMNS } from "../objects/deliveryColumns.tsx";
import { REQUEST_COLUMNS } from "../objects/requestColumns.tsx";
import { TableSection } from "../pages/tableSection.tsx";
import { Section } from "../shell/page.tsx";
import { RawText } from "../shell/rawText.tsx";
import { useTenant } from "../shell/tenant.ts";
import { Timeline, type TimelineOf } from "./timeline.tsx";

const SHOWN_MAX = "10";

/** The events, deliveries and requests of an intent or a payment, and the object as JSON. */
export function Around({ of, json }: { readonly of: TimelineOf; readonly json: string }) {
  const id = "intent" in of ? of.intent : of.payment;
  return (
    <>
      <Timeline of={of} />
      <Deliveries about={id} />
      <Requests about={id} />
      <Section title={texts.common.object} text={texts.payments.objectText}>
        <RawText label={texts.common.json} text={json} />
      </Section>
    </>
  );
}

/** The latest requests about an object. */
export function Requests({ about }: { readonly about: string }) {
  const { path } = useTenant();
  const query = useQuery({
    ...read("listRequests", { path, query: { about, limit: SHOWN_MAX } }),
    refetchInterval: SLOW_MS,
  });
  return (
    <TableSection
      title={texts.payments.requests.title}
      text={texts.payments.requests.text(LIMITS.requestsKeptDays)}
      actions={
        <Link to="/$business/$environment/requests" params={path} search={{ about }}>
          {texts.payments.requests.viewAll}
        </Link>
      }
      query={query}
      columns={REQUEST_COLUMNS}
      keyOf={({ id }) => id}
      empty={texts.payments.requests.empty}
    />
  );
}

/** Reads the latest deliveries about an object, to each endpoint: an environment has few. */
export function useDeliveries(about: string, limit: string) {
  const { path } = useTenant();
  const endpoints = useQuery(read("listWebhookEndpoints", { path }));
  const lists = useQueries({
    queries: (endpoints.data?.data ?? []).map(({ id: endpoint }) => ({
      ...read("listWebhookDeliveries", { path: { ...path, endpoint }, query: { object: about, limit } }),
      refetchInterval: SLOW_MS,
    })),
  });
  const isRead = endpoints.data !== undefined && lists.every(({ data }) => data !== undefined);
  return {
    data: isRead
      ? {
          data: lists.flatMap(({ data }) => data?.data ?? []),
          hasMore: lists.some(({ data }) => data?.hasMore === true),
        }
      : undefined,
    error: endpoints.error ?? lists.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all([endpoints, ...lists].map((one) => one.refetch())),
  };
}

function Deliveries({ about }: { readonly about: string }) {
  return (
    <TableSection
      title={texts.payments.deliveries.title}
      text={texts.payments.deliveries.text(SHOWN_MAX)}
      query={useDeliveries(about, SHOWN_MAX)}
      columns={DELIVERY_COLUMNS}
      keyOf={({ id }) => id}
      empty={texts.payments.deliveries.empty}
    />
  );
}
