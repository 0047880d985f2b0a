import { Button } from "@holdfast/ui/button.tsx";
import { Menu } from "@holdfast/ui/menu.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { LIVE_MS, read, write } from "../api/queries.ts";
import { LIMITS, type WebhookEndpoint } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { ActionButton, DialogButton } from "../forms/buttons.tsx";
import { code, Facts, time, timeIfAny } from "../shell/facts.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { AddDialog, ChangeDialog, DeleteDialog, RollDialog, TestDialog } from "./dialogs.tsx";
import { EndpointBadge, StateText } from "./endpointState.tsx";
import { FiguresSection } from "./figuresSection.tsx";

/** The endpoints of an environment. */
export function EndpointsPage() {
  const { path, environment, may } = useTenant();
  const endpoints = useQuery({ ...read("listWebhookEndpoints", { path }), refetchInterval: LIVE_MS });
  const { days } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [isAdding, setAdding] = useState(false);
  const isFull = (endpoints.data?.data.length ?? 0) >= LIMITS.endpointsMax;
  const add =
    may("manage_webhooks") && endpoints.data !== undefined && !isFull ? (
      <Button kind="primary" onClick={() => setAdding(true)}>
        {texts.webhooks.add}
      </Button>
    ) : undefined;
  return (
    <Page title={texts.webhooks.title} text={texts.webhooks.text(environment, LIMITS.endpointsMax)} actions={add}>
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
                title={texts.webhooks.allEndpoints}
                endpoint={null}
                days={days}
                onDays={(chosen) => void navigate({ to: ".", search: { days: chosen }, replace: true })}
              />
            </>
          ) : (
            <EmptyState title={texts.webhooks.emptyTitle}>{texts.webhooks.emptyText}</EmptyState>
          )
        }
      </QueryState>
      {isAdding ? <AddDialog onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}

type Chosen = "change" | "roll" | "delete";

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
            texts.webhooks.events,
            endpoint.eventTypes.includes("*") ? texts.webhooks.allEvents : code(endpoint.eventTypes.join(", ")),
          ],
          timeIfAny(texts.webhooks.oldestPending, endpoint.oldestPendingAt),
          timeIfAny(texts.webhooks.oldSecretUntil, endpoint.previousSecretUntil),
          [texts.common.added, time(endpoint.createdAt)],
        ]}
      />
      <p>
        <Link to="/$business/$environment/webhooks/$endpoint" params={{ ...path, endpoint: endpoint.id }}>
          {texts.webhooks.deliveries}
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
  const disable = useAction({
    run: () => write("disableWebhookEndpoint", target),
    said: texts.webhooks.disabled,
  });
  const isEnabled = endpoint.status === "enabled";
  const items = [
    { text: texts.webhooks.change, onSelect: () => setChosen("change") },
    { text: texts.webhooks.roll, onSelect: () => setChosen("roll") },
    ...(isEnabled ? [{ text: texts.webhooks.disable, onSelect: () => disable.mutate() }] : []),
    { text: texts.webhooks.delete, isDanger: true, onSelect: () => setChosen("delete") },
  ];
  return (
    <div className="flex flex-wrap gap-2">
      {isEnabled ? null : (
        <ActionButton kind="primary" run={() => write("enableWebhookEndpoint", target)} said={texts.webhooks.enabled}>
          {texts.webhooks.enable}
        </ActionButton>
      )}
      <DialogButton dialog={(shut) => <TestDialog endpoint={endpoint} onClose={shut} />}>
        {texts.webhooks.test}
      </DialogButton>
      <Menu items={items} isBusy={disable.isPending} aria-label={texts.webhooks.actionsOf(endpoint.url)}>
        …
      </Menu>
      {chosen === "change" ? <ChangeDialog endpoint={endpoint} onClose={close} /> : null}
      {chosen === "roll" ? <RollDialog endpoint={endpoint} onClose={close} /> : null}
      {chosen === "delete" ? <DeleteDialog endpoint={endpoint} onClose={close} /> : null}
    </div>
  );
}
