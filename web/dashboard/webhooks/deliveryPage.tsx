import { Badge } from "@holdfast/ui/badge.tsx";
import type { Column } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { Link } from "@tanstack/react-router";
import { write } from "../api/queries.ts";
import { LIMITS, type WebhookDeliveryDetails } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { ActionButton, DialogButton } from "../forms/buttons.tsx";
import { DeliveryBadge } from "../objects/deliveryColumns.tsx";
import { objectLink } from "../objects/objectLink.tsx";
import { FactsPage } from "../pages/factsPage.tsx";
import { TableSection } from "../pages/tableSection.tsx";
import { code, Facts, time } from "../shell/facts.tsx";
import { Section } from "../shell/page.tsx";
import { RawText } from "../shell/rawText.tsx";
import { useIdOf, useTenant } from "../shell/tenant.ts";
import { ResendObjectDialog } from "./resendDialog.tsx";

const ATTEMPT_COLUMNS: readonly Column<WebhookDeliveryDetails["attemptLog"][number]>[] = [
  { title: texts.webhooks.attempts.attempt, cell: ({ number }) => number ?? texts.webhooks.attempts.manual },
  {
    title: texts.webhooks.attempts.result,
    cell: ({ succeeded, statusCode, error }) => (
      <span className="grid justify-items-start gap-1">
        <Badge tone={succeeded ? "good" : "bad"}>{texts.webhooks.attempts.resultOf(succeeded, statusCode)}</Badge>
        {error === null ? null : <span className="break-words text-small text-soft">{error}</span>}
      </span>
    ),
  },
  { title: texts.common.duration, cell: ({ durationMs }) => `${durationMs} ms`, end: true },
  {
    title: texts.webhooks.attempts.started,
    cell: ({ startedAt }) => <Time at={startedAt} inRow />,
    end: true,
    wideOnly: true,
  },
];

/** The page of one delivery: its content, and each attempt with its result. */
export function DeliveryPage() {
  const { path } = useTenant();
  return (
    <FactsPage
      operation="getWebhookDelivery"
      input={{ path: { ...path, delivery: useIdOf("delivery") } }}
      isLive
      title={texts.webhooks.delivery}
      up={(delivery) => (
        <>
          <Link className="underline" to="/$business/$environment/webhooks" params={path}>
            {texts.webhooks.title}
          </Link>
          {delivery === undefined ? null : (
            <>
              {" / "}
              <Link
                className="underline"
                to="/$business/$environment/webhooks/$endpoint"
                params={{ ...path, endpoint: delivery.endpoint }}
              >
                {texts.webhooks.deliveries}
              </Link>
            </>
          )}
        </>
      )}
      actions={(delivery) => (delivery === undefined ? null : <DeliveryActions delivery={delivery} />)}
      facts={(delivery) => [
        [texts.common.status, <DeliveryBadge key="status" status={delivery.status} />],
        [texts.common.type, code(delivery.type)],
        [texts.common.event, objectLink(delivery.event)],
        [texts.common.created, time(delivery.createdAt)],
        [texts.webhooks.nextAttempt, time(delivery.dueAt, texts.common.none)],
        [texts.webhooks.ended, time(delivery.finishedAt, texts.webhooks.notEnded)],
      ]}
    >
      {({ attemptLog, sent }) => (
        <>
          <TableSection
            title={texts.webhooks.attempts.title}
            text={texts.webhooks.attempts.text(LIMITS.attemptsShownMax)}
            query={{ data: { data: attemptLog }, error: null, refetch: () => undefined }}
            columns={ATTEMPT_COLUMNS}
            keyOf={({ startedAt, number }) => `${startedAt} ${number}`}
            empty={texts.webhooks.attempts.empty}
          />
          <Section title={texts.webhooks.contentTitle} text={texts.webhooks.contentText}>
            <Facts
              facts={[
                [
                  texts.webhooks.url,
                  <span key="url" className="break-all">
                    {sent.url}
                  </span>,
                ],
              ]}
            />
            <RawText
              label={texts.webhooks.headers}
              text={Object.entries(sent.headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join("\n")}
            />
            <RawText label={texts.common.body} text={sent.body} />
          </Section>
        </>
      )}
    </FactsPage>
  );
}

function DeliveryActions({ delivery }: { readonly delivery: WebhookDeliveryDetails }) {
  const { path, may } = useTenant();
  const object = objectOf(delivery.sent.body);
  if (!may("manage_webhooks")) return null;
  return (
    <>
      {object === null ? null : (
        <DialogButton
          dialog={(close) => <ResendObjectDialog object={object} endpoint={delivery.endpoint} onClose={close} />}
        >
          {texts.webhooks.resendObject}
        </DialogButton>
      )}
      <ActionButton
        kind="primary"
        run={() => write("resendWebhookDelivery", { path: { ...path, delivery: delivery.id } })}
        done={({ resent }) => showToast(resent === 0 ? texts.webhooks.resendWaits : texts.webhooks.resendQueued)}
      >
        {texts.webhooks.resend}
      </ActionButton>
    </>
  );
}

/** The intent or payment that an event is about; null: something else. */
function objectOf(body: string): string | null {
  const { object, id } =
    (JSON.parse(body) as { data?: { object?: { object?: string; id?: string } } }).data?.object ?? {};
  return (object === "payment_intent" || object === "payment") && id !== undefined ? id : null;
}
