import { Button } from "@holdfast/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { LIVE_MS, read } from "../api/queries.ts";
import * as texts from "../catalogue/index.ts";
import { deliveryColumns } from "../objects/deliveryColumns.tsx";
import { ListPage, type Shown } from "../pages/listPage.tsx";
import { useIdOf, useTenant } from "../shell/tenant.ts";
import { EndpointBadge, StateText } from "./endpointState.tsx";
import { FiguresSection } from "./figuresSection.tsx";
import { filtersOf } from "./resend.ts";
import { ReplayDialog, ResendMatchingDialog, ResendObjectDialog } from "./resendDialog.tsx";

/** The deliveries of an endpoint, its state, and its results by the hour. */
export function DeliveriesPage() {
  const { path, may } = useTenant();
  const id = useIdOf("endpoint");
  const { days, ...search } = useSearch({ strict: false });
  const navigate = useNavigate();
  const target = { path: { ...path, endpoint: id } };
  const endpoint = useQuery({ ...read("getWebhookEndpoint", target), refetchInterval: LIVE_MS }).data;
  const [isReplaying, setReplaying] = useState(false);
  return (
    <>
      <ListPage
        operation="listWebhookDeliveries"
        input={target}
        title={texts.webhooks.deliveries}
        text={
          <>
            <Link className="underline" to="/$business/$environment/webhooks" params={path}>
              {texts.webhooks.title}
            </Link>{" "}
            / <span className="break-all">{endpoint?.url ?? id}</span>
          </>
        }
        actions={
          may("manage_webhooks") ? (
            <Button onClick={() => setReplaying(true)}>{texts.webhooks.replay}</Button>
          ) : undefined
        }
        filters={texts.webhooks.filters}
        columns={deliveryColumns}
        empty={texts.webhooks.noDeliveries}
        onRows={(shown) => (may("manage_webhooks") ? <Resends endpoint={id} shown={shown} /> : null)}
        orderOf={(delivery) => delivery.id}
      >
        {endpoint === undefined ? null : (
          <div className="grid justify-items-start gap-1">
            <EndpointBadge endpoint={endpoint} />
            <StateText text={endpoint.state} />
          </div>
        )}
        <FiguresSection
          title={texts.webhooks.results}
          endpoint={id}
          days={days}
          onDays={(chosen) => void navigate({ to: ".", search: { ...search, days: chosen }, replace: true })}
        />
      </ListPage>
      {isReplaying ? (
        <ReplayDialog endpoint={id} onClose={() => setReplaying(false)} isHeld={endpoint?.status !== "enabled"} />
      ) : null}
    </>
  );
}

function Resends({ endpoint, shown }: { readonly endpoint: string; readonly shown: Shown }) {
  const [asked, setAsked] = useState<"matching" | "object" | null>(null);
  const dialog = { endpoint, onClose: () => setAsked(null) };
  const { object, ...others } = shown.filters;
  const isFiltered = object !== undefined || Object.keys(others).length > 0;
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setAsked("matching")}>
          {isFiltered ? texts.webhooks.resendMatches : texts.webhooks.resendAll}
        </Button>
        {object === undefined ? null : (
          <Button onClick={() => setAsked("object")}>{texts.webhooks.resendObject}</Button>
        )}
      </div>
      {asked === "matching" ? (
        <ResendMatchingDialog {...dialog} filters={filtersOf(shown.filters)} shown={shown} />
      ) : null}
      {asked === "object" && object !== undefined ? <ResendObjectDialog {...dialog} object={object} /> : null}
    </>
  );
}
