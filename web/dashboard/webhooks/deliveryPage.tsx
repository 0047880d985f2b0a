import { Badge } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { LIVE_MS, read, write } from "../api/queries.ts";
import type { WebhookDeliveryDetails, WebhookResend } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import { DELIVERY_STATUSES } from "../objects/delivery.ts";
import { ObjectLink } from "../objects/objectLink.tsx";
import { Facts } from "../shell/facts.tsx";
import { Page, Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { RawText } from "../shell/rawText.tsx";
import { useTenant } from "../shell/tenant.ts";
import { ResendObjectDialog } from "./resendDialog.tsx";

/** One delivery: what is sent, and each attempt with what came of it. */
export function DeliveryPage() {
  const { path, may } = useTenant();
  const { delivery: id } = useParams({ from: "/staff/$business/$environment/deliveries/$delivery" });
  const target = { path: { ...path, delivery: id } };
  const delivery = useQuery({ ...read("getWebhookDelivery", target), refetchInterval: LIVE_MS });
  const resend = useAction({
    run: () => write("resendWebhookDelivery", target),
    done: ({ resent }: WebhookResend) =>
      showToast(resent === 0 ? "An attempt that was asked for waits already." : "One more attempt is queued."),
  });
  const [isAsking, setAsking] = useState(false);
  const object = delivery.data === undefined ? null : objectOf(delivery.data.sent.body);
  return (
    <Page
      title="Delivery"
      text={
        <>
          <Link className="underline" to="/$business/$environment/webhooks" params={path}>
            Webhooks
          </Link>
          {delivery.data === undefined ? null : (
            <>
              {" / "}
              <Link
                className="underline"
                to="/$business/$environment/webhooks/$endpoint"
                params={{ ...path, endpoint: delivery.data.endpoint }}
              >
                Deliveries
              </Link>
            </>
          )}
        </>
      }
      actions={
        <>
          {may("manage_webhooks") && object !== null ? (
            <Button onClick={() => setAsking(true)}>Resend all of the object</Button>
          ) : null}
          {may("manage_webhooks") && delivery.data !== undefined ? (
            <Button kind="primary" isBusy={resend.isPending} onClick={() => resend.mutate()}>
              Resend
            </Button>
          ) : null}
        </>
      }
    >
      <QueryState query={delivery}>{(data) => <Details delivery={data} />}</QueryState>
      {isAsking && object !== null && delivery.data !== undefined ? (
        <ResendObjectDialog object={object} endpoint={delivery.data.endpoint} onClose={() => setAsking(false)} />
      ) : null}
    </Page>
  );
}

/** The intent or payment that an event is about; null: something else. */
function objectOf(body: string): string | null {
  const { object, id } =
    (JSON.parse(body) as { data?: { object?: { object?: string; id?: string } } }).data?.object ?? {};
  return (object === "payment_intent" || object === "payment") && id !== undefined ? id : null;
}

function Details({ delivery }: { readonly delivery: WebhookDeliveryDetails }) {
  const [tone, word] = DELIVERY_STATUSES[delivery.status];
  return (
    <>
      <Facts
        facts={[
          [
            "State",
            <Badge key="state" tone={tone}>
              {word}
            </Badge>,
          ],
          ["Type", <code key="type">{delivery.type}</code>],
          ["Event", <ObjectLink key="event" id={delivery.event} />],
          ["Made", <Time key="made" at={delivery.createdAt} />],
          ["Next attempt", <Time key="due" at={delivery.dueAt} none="None is to come" />],
          ["Ended", <Time key="ended" at={delivery.finishedAt} none="Not yet" />],
        ]}
      />
      <Section title="Attempts" text="The latest hundred at most. The body of an answer is not read.">
        {delivery.attemptLog.length === 0 ? (
          <EmptyState title="No attempt yet">An endpoint that is not enabled gets none.</EmptyState>
        ) : (
          <Table
            caption="Attempts"
            columns={[
              {
                title: "Attempt",
                cell: ({ number }: WebhookDeliveryDetails["attemptLog"][number]) => number ?? "Resend",
              },
              {
                title: "Result",
                cell: ({ succeeded, statusCode, error }) => (
                  <span className="grid justify-items-start gap-1">
                    <Badge tone={succeeded ? "good" : "bad"}>
                      {succeeded ? "Succeeded" : "Failed"}
                      {statusCode === null ? "" : ` · ${statusCode}`}
                    </Badge>
                    {error === null ? null : <span className="break-words text-small text-soft">{error}</span>}
                  </span>
                ),
              },
              { title: "Took", cell: ({ durationMs }) => `${durationMs} ms`, end: true },
              { title: "Began", cell: ({ startedAt }) => <Time at={startedAt} inRow />, end: true, wideOnly: true },
            ]}
            rows={delivery.attemptLog}
            keyOf={({ startedAt, number }) => `${startedAt} ${number}`}
          />
        )}
      </Section>
      <Section title="What is sent" text="Each attempt has a signature of its own, which is not kept.">
        <Facts
          facts={[
            [
              "URL",
              <span key="url" className="break-all">
                {delivery.sent.url}
              </span>,
            ],
          ]}
        />
        <RawText
          label="Headers"
          text={Object.entries(delivery.sent.headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n")}
        />
        <RawText label="Body" text={delivery.sent.body} />
      </Section>
    </>
  );
}
