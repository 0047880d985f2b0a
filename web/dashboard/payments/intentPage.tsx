import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { LIVE_MS, read } from "../api/queries.ts";
import type { Payment, PaymentIntent } from "../api/schema.ts";
import { Amount } from "../objects/amount.tsx";
import { ObjectLink } from "../objects/objectLink.tsx";
import { PERIODS } from "../objects/terms.ts";
import { RecipientName } from "../recipients/recipientName.tsx";
import { Facts } from "../shell/facts.tsx";
import { Page, Section } from "../shell/page.tsx";
import { prettyJson } from "../shell/prettyJson.ts";
import { QueryState } from "../shell/queryState.tsx";
import { RawText } from "../shell/rawText.tsx";
import { useTenant } from "../shell/tenant.ts";
import { DeliveriesAbout, RequestsAbout } from "./around.tsx";
import { PaymentNotice, stateOf } from "./paymentState.tsx";
import { Timeline } from "./timeline.tsx";

const STATUSES: Readonly<Record<PaymentIntent["status"], readonly [Tone, string]>> = {
  requires_payment: ["wait", "Requires payment"],
  paid: ["good", "Paid"],
  expired: ["neutral", "Expired"],
  canceled: ["neutral", "Canceled"],
};

/** One intent: how it stands, what happened, what was asked and what was sent. */
export function IntentPage() {
  const { path } = useTenant();
  const { intent: id } = useParams({ from: "/staff/$business/$environment/intents/$intent" });
  const intent = useQuery({ ...read("getPaymentIntent", { path: { ...path, intent: id } }), refetchInterval: LIVE_MS });
  return (
    <Page
      title="Payment intent"
      text={
        <Link className="underline" to="/$business/$environment/events" params={path} search={{ intent: id }}>
          Events
        </Link>
      }
    >
      <QueryState query={intent}>
        {(data) => (
          <>
            {data.intent.payment === null ? null : <PaymentNotice payment={data.intent.payment} />}
            <IntentFacts intent={data.intent} />
            <Timeline of={{ intent: id }} />
            <DeliveriesAbout id={id} />
            <RequestsAbout id={id} />
            <Section title="The object" text="As the API shows it now.">
              <RawText label="JSON" text={prettyJson(data.json)} />
            </Section>
          </>
        )}
      </QueryState>
    </Page>
  );
}

/** The intent stays paid whatever becomes of its payment; beside it stands what did. */
function paidAs(payment: Payment): readonly [Tone, string] {
  const [tone, word] = stateOf(payment);
  return payment.status === "protected" && word === "Protected"
    ? STATUSES.paid
    : [tone, `Paid · ${word.toLowerCase()}`];
}

function IntentFacts({ intent }: { readonly intent: PaymentIntent }) {
  const { payment } = intent;
  const [tone, word] = payment === null ? STATUSES[intent.status] : paidAs(payment);
  return (
    <Facts
      facts={[
        [
          "Status",
          <Badge key="status" tone={tone}>
            {word}
          </Badge>,
        ],
        [
          "Id",
          <code key="id" className="break-all">
            {intent.id}
          </code>,
        ],
        ["Reference", intent.merchantReference],
        ["Amount", <Amount key="amount" amount={intent.amount} asset={intent.asset} />],
        [
          "Asset",
          <code key="asset" className="break-all">
            {intent.asset}
          </code>,
        ],
        ["Recipient", <RecipientName key="recipient" address={intent.recipient} />],
        ["Protection", PERIODS[intent.protectionPeriod]],
        ["paymentId", <code key="paymentId">{intent.paymentId}</code>],
        ["Payment", payment === null ? "None" : <ObjectLink key="payment" id={payment.id} />],
        ["Created", <Time key="created" at={intent.createdAt} />],
        ["Expires", <Time key="expires" at={intent.expiresAt} />],
        ...(intent.canceledAt === null
          ? []
          : ([["Canceled", <Time key="canceled" at={intent.canceledAt} />]] as const)),
      ]}
    />
  );
}
