import { Button } from "@holdfast/ui/button.tsx";
import { Menu } from "@holdfast/ui/menu.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { LIVE_MS, read, write } from "../api/queries.ts";
import type { WebhookEndpoint } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import { Facts } from "../shell/facts.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { AddDialog, ChangeDialog, DeleteDialog, RollDialog, TestDialog } from "./dialogs.tsx";
import { EndpointBadge, StateText } from "./endpointState.tsx";
import { FiguresSection } from "./figuresSection.tsx";

const ENDPOINTS_MAX = 5;
/** The endpoints of an environment. */
export function EndpointsPage() {
  const { path, environment, may } = useTenant();
  const endpoints = useQuery({ ...read("listWebhookEndpoints", { path }), refetchInterval: LIVE_MS });
  const { days } = useSearch({ from: "/staff/$business/$environment/webhooks" });
  const navigate = useNavigate({ from: "/$business/$environment/webhooks" });
  const [isAdding, setAdding] = useState(false);
  const isFull = (endpoints.data?.data.length ?? 0) >= ENDPOINTS_MAX;
  const add =
    may("manage_webhooks") && endpoints.data !== undefined && !isFull ? (
      <Button kind="primary" onClick={() => setAdding(true)}>
        Add an endpoint
      </Button>
    ) : undefined;
  return (
    <Page
      title="Webhooks"
      text={`Events are sent to the URLs of your servers. These endpoints are for ${environment}, at most ${ENDPOINTS_MAX}.`}
      actions={add}
    >
      <QueryState query={endpoints}>
        {({ data }) =>
          data.length > 0 ? (
            <>
              <ul className="m-0 grid list-none gap-4 p-0">
                {data.map((endpoint) => (
                  <EndpointCard key={endpoint.id} endpoint={endpoint} />
                ))}
              </ul>
              <FiguresSection
                title="All endpoints"
                endpoint={null}
                days={days}
                onDays={(chosen) => void navigate({ search: { days: chosen }, replace: true })}
              />
            </>
          ) : (
            <EmptyState title="No endpoint yet">Add the URL of your server to get each event.</EmptyState>
          )
        }
      </QueryState>
      {isAdding ? <AddDialog onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}

type Chosen = "change" | "roll" | "test" | "delete";

function EndpointCard({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { path, may } = useTenant();
  return (
    <li className="grid gap-3 rounded-card border border-line p-4">
      <div className="flex flex-wrap items-start gap-3">
        <div className="grid min-w-0 flex-1 basis-[240px] justify-items-start gap-1">
          <h2 className="break-all font-semibold">{endpoint.url}</h2>
          <EndpointBadge endpoint={endpoint} />
        </div>
        {may("manage_webhooks") ? <EndpointActions endpoint={endpoint} /> : null}
      </div>
      <StateText text={endpoint.state} />
      <Facts
        facts={[
          [
            "Events",
            endpoint.eventTypes.includes("*") ? "All" : <code key="events">{endpoint.eventTypes.join(", ")}</code>,
          ],
          ...(endpoint.oldestPendingAt === null
            ? []
            : ([["Oldest that waits", <Time key="oldest" at={endpoint.oldestPendingAt} />]] as const)),
          ...(endpoint.previousSecretUntil === null
            ? []
            : ([["Old secret until", <Time key="secret" at={endpoint.previousSecretUntil} />]] as const)),
          ["Added", <Time key="added" at={endpoint.createdAt} />],
        ]}
      />
      <p>
        <Link to="/$business/$environment/webhooks/$endpoint" params={{ ...path, endpoint: endpoint.id }}>
          Deliveries
        </Link>
      </p>
    </li>
  );
}

function EndpointActions({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { path } = useTenant();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const close = () => setChosen(null);
  const target = { path: { ...path, endpoint: endpoint.id } };
  const enable = useAction({
    run: () => write("enableWebhookEndpoint", target),
    said: "The endpoint is enabled. What was held is being sent.",
  });
  const disable = useAction({
    run: () => write("disableWebhookEndpoint", target),
    said: "The endpoint is disabled. Its events are held.",
  });
  const isEnabled = endpoint.status === "enabled";
  const items = [
    { text: "Change URL or events", onSelect: () => setChosen("change") },
    { text: "Roll the secret", onSelect: () => setChosen("roll") },
    ...(isEnabled ? [{ text: "Disable", onSelect: () => disable.mutate() }] : []),
    { text: "Delete", isDanger: true, onSelect: () => setChosen("delete") },
  ];
  return (
    <div className="flex flex-wrap gap-2">
      {isEnabled ? null : (
        <Button kind="primary" isBusy={enable.isPending} onClick={() => enable.mutate()}>
          Enable
        </Button>
      )}
      <Button onClick={() => setChosen("test")}>Send a test</Button>
      <Menu items={items} isBusy={disable.isPending} aria-label={`Change ${endpoint.url}`}>
        …
      </Menu>
      {chosen === "change" ? <ChangeDialog endpoint={endpoint} onClose={close} /> : null}
      {chosen === "roll" ? <RollDialog endpoint={endpoint} onClose={close} /> : null}
      {chosen === "test" ? <TestDialog endpoint={endpoint} onClose={close} /> : null}
      {chosen === "delete" ? <DeleteDialog endpoint={endpoint} onClose={close} /> : null}
    </div>
  );
}
