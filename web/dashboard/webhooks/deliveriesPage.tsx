import { Button } from "@holdfast/ui/button.tsx";
import { Select, TextField } from "@holdfast/ui/field.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { LIVE_MS, read } from "../api/queries.ts";
import { Filters, TimeFilter } from "../forms/filters.tsx";
import { LiveList } from "../live/liveList.tsx";
import { useLiveList } from "../live/useLiveList.ts";
import { DELIVERY_STATUSES, ERROR_CLASSES } from "../objects/delivery.ts";
import { DeliveryTable } from "../objects/deliveryTable.tsx";
import { MoreButton } from "../shell/moreButton.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { EndpointBadge, StateText } from "./endpointState.tsx";
import { EVENT_TYPES } from "./eventTypes.tsx";
import { FiguresSection } from "./figuresSection.tsx";
import { filtersOf } from "./resend.ts";
import { ReplayDialog, ResendMatchingDialog, ResendObjectDialog } from "./resendDialog.tsx";

const ROUTE = "/staff/$business/$environment/webhooks/$endpoint";

/** The deliveries of an endpoint. What is looked for is in the URL. */
export function DeliveriesPage() {
  const { path, may } = useTenant();
  const { endpoint: id } = useParams({ from: ROUTE });
  const { days, ...search } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: "/$business/$environment/webhooks/$endpoint" });
  const target = { ...path, endpoint: id };
  const endpoint = useQuery({ ...read("getWebhookEndpoint", { path: target }), refetchInterval: LIVE_MS });
  const { list, rows, newCount, isMore, isBehind, gone, showNew } = useLiveList(
    "listWebhookDeliveries",
    { path: target, query: search },
    ({ id }) => id,
  );
  const [asked, setAsked] = useState<"matching" | "object" | "replay" | null>(null);
  const dialog = { endpoint: id, onClose: () => setAsked(null) };
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page
      title="Deliveries"
      text={
        <>
          <Link className="underline" to="/$business/$environment/webhooks" params={path}>
            Webhooks
          </Link>{" "}
          / <span className="break-all">{endpoint.data?.url ?? id}</span>
        </>
      }
      actions={may("manage_webhooks") ? <Button onClick={() => setAsked("replay")}>Replay since</Button> : undefined}
    >
      {endpoint.data === undefined ? null : (
        <div className="grid justify-items-start gap-1">
          <EndpointBadge endpoint={endpoint.data} />
          <StateText text={endpoint.data.state} />
        </div>
      )}
      <FiguresSection
        title="How it went"
        endpoint={id}
        days={days}
        onDays={(chosen) => void navigate({ search: { ...search, days: chosen }, replace: true })}
      />
      <Filters
        values={search}
        onChange={(values) => void navigate({ search: days === undefined ? values : { ...values, days } })}
      >
        {(chosen) => (
          <>
            <Select
              label="State"
              name="status"
              defaultValue={chosen("status")}
              options={[
                ["", "Any"],
                ...Object.entries(DELIVERY_STATUSES).map(([value, [, text]]) => [value, text] as const),
              ]}
            />
            <Select
              label="Event type"
              name="type"
              defaultValue={chosen("type")}
              options={[["", "Any"], ...EVENT_TYPES.map((type) => [type, type] as const)]}
            />
            <Select
              label="Failed by"
              name="error_class"
              defaultValue={chosen("error_class")}
              options={[["", "Anything"], ...Object.entries(ERROR_CLASSES)]}
            />
            <TextField
              label="Status code"
              name="status_code"
              inputMode="numeric"
              maxLength={3}
              defaultValue={chosen("status_code")}
            />
            <TextField
              label="Intent or payment"
              name="object"
              placeholder="pi_test_…"
              defaultValue={chosen("object")}
            />
            <TimeFilter label="Made after" name="created_after" chosen={chosen} />
            <TimeFilter label="Made before" name="created_before" chosen={chosen} />
          </>
        )}
      </Filters>
      <QueryState query={list}>
        {() => {
          if (rows.length === 0)
            return isFiltered ? (
              <EmptyState title="No delivery matches">Take a filter away to see more.</EmptyState>
            ) : (
              <EmptyState title="No delivery yet">
                Each event that this endpoint gets appears here. Tests do not.
              </EmptyState>
            );
          return (
            <>
              {may("manage_webhooks") ? (
                <div className="flex flex-wrap gap-2">
                  <Button onClick={() => setAsked("matching")}>
                    {isFiltered ? "Resend what matches" : "Resend all"}
                  </Button>
                  {search.object === undefined ? null : (
                    <Button onClick={() => setAsked("object")}>Resend all of the object</Button>
                  )}
                </div>
              ) : null}
              <LiveList newCount={newCount} isMore={isMore} isBehind={isBehind} onShow={showNew}>
                <DeliveryTable rows={rows} gone={gone} />
                <MoreButton list={list} />
              </LiveList>
              {asked === "matching" ? (
                <ResendMatchingDialog
                  {...dialog}
                  filters={filtersOf(search)}
                  shown={{ count: rows.length, hasMore: list.hasNextPage }}
                />
              ) : null}
              {asked === "object" && search.object !== undefined ? (
                <ResendObjectDialog {...dialog} object={search.object} />
              ) : null}
            </>
          );
        }}
      </QueryState>
      {asked === "replay" ? <ReplayDialog {...dialog} isHeld={endpoint.data?.status !== "enabled"} /> : null}
    </Page>
  );
}
