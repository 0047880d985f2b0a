import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { LIVE_MS, read } from "../api/queries.ts";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
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
  return (
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
          <DialogButton
            dialog={(close) => <ReplayDialog endpoint={id} onClose={close} isHeld={endpoint?.status !== "enabled"} />}
          >
            {texts.webhooks.replay}
          </DialogButton>
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
  );
}

function Resends({ endpoint, shown }: { readonly endpoint: string; readonly shown: Shown }) {
  const { object, ...others } = shown.filters;
  const isFiltered = object !== undefined || Object.keys(others).length > 0;
  return (
    <div className="flex flex-wrap gap-2">
      <DialogButton
        dialog={(onClose) => (
          <ResendMatchingDialog {...{ endpoint, shown, onClose }} filters={filtersOf(shown.filters)} />
        )}
      >
        {isFiltered ? texts.webhooks.resendMatches : texts.webhooks.resendAll}
      </DialogButton>
      {object === undefined ? null : (
        <DialogButton dialog={(onClose) => <ResendObjectDialog {...{ endpoint, object, onClose }} />}>
          {texts.webhooks.resendObject}
        </DialogButton>
      )}
    </div>
  );
}
