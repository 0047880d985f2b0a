import { Badge } from "@holdfast/ui/badge.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ApiError } from "../api/client.ts";
import { LIVE_MS, read } from "../api/queries.ts";
import type { PaymentWithActions } from "../api/schema.ts";
import { Amount } from "../objects/amount.tsx";
import { ExplorerLink } from "../objects/explorerLink.tsx";
import { ObjectLink } from "../objects/objectLink.tsx";
import { PERIODS } from "../objects/terms.ts";
import { RecipientName } from "../recipients/recipientName.tsx";
import { Facts } from "../shell/facts.tsx";
import { Page, Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { RawText } from "../shell/rawText.tsx";
import { useTenant } from "../shell/tenant.ts";
import { DeliveriesAbout, RequestsAbout } from "./around.tsx";
import { PaymentNotice, stateOf } from "./paymentState.tsx";
import { Timeline } from "./timeline.tsx";

/** One payment: how it stands, what happened, what was asked and what was sent. */
export function PaymentPage() {
  const { path } = useTenant();
  const { payment: id } = useParams({ from: "/staff/$business/$environment/payments/$payment" });
  const payment = useQuery({ ...read("getPayment", { path: { ...path, payment: id } }), refetchInterval: LIVE_MS });
  const isUnbound = payment.error instanceof ApiError && payment.error.status === 404;
  return (
    <Page
      title="Payment"
      text={
        <Link className="underline" to="/$business/$environment/events" params={path} search={{ payment: id }}>
          Events
        </Link>
      }
      actions={<ExplorerLink address={id} />}
    >
      {isUnbound ? (
        <>
          <EmptyState title="No payment of yours has this address">
            <span className="break-all">{id}</span> is not bound to an intent in {path.environment}. If it was observed
            on other terms, or a fork took it back, an event below says so.
          </EmptyState>
          <Timeline of={{ payment: id }} />
        </>
      ) : (
        <QueryState query={payment}>
          {(data) => (
            <>
              <PaymentNotice payment={data} />
              <PaymentFacts payment={data} />
              <Timeline of={{ payment: id }} />
              <DeliveriesAbout id={id} />
              <RequestsAbout id={id} />
              <Section title="The object" text="As the API shows it now.">
                <RawText label="JSON" text={JSON.stringify(data, null, 2)} />
              </Section>
            </>
          )}
        </QueryState>
      )}
    </Page>
  );
}

function PaymentFacts({ payment }: { readonly payment: PaymentWithActions }) {
  const [tone, word] = stateOf(payment);
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
          "Address",
          <code key="id" className="break-all">
            {payment.id}
          </code>,
        ],
        ["Intent", <ObjectLink key="intent" id={payment.intent} />],
        ["Role", payment.role === "primary" ? "Primary" : "Duplicate: the intent was paid already"],
        ["Reference", payment.merchantReference],
        ["Amount", <Amount key="amount" amount={payment.amount} asset={payment.asset} />],
        ["To the recipient", <Amount key="released" amount={payment.amountReleased} asset={payment.asset} />],
        ["Back to the buyer", <Amount key="refunded" amount={payment.amountRefunded} asset={payment.asset} />],
        [
          "Sender",
          <code key="sender" className="break-all">
            {payment.sender}
          </code>,
        ],
        ["Recipient", <RecipientName key="recipient" address={payment.recipient} />],
        ["Signature", payment.signature === null ? "Not known" : <ObjectLink key="signature" id={payment.signature} />],
        ["Made", <Time key="made" at={payment.createdAt} />],
        ["Protected for", PERIODS[payment.protectionPeriod]],
        ["Disputes until", <Time key="deadline" at={payment.protectionDeadline} />],
        ...(payment.disputedAt === null
          ? []
          : ([["Disputed", <Time key="disputed" at={payment.disputedAt} />]] as const)),
        ...(payment.resolveBy === null
          ? []
          : ([["Decision by", <Time key="resolve" at={payment.resolveBy} />]] as const)),
        [
          "Arbiter",
          <code key="arbiter" className="break-all">
            {payment.arbiter}
          </code>,
        ],
        ["Checked", <Time key="checked" at={payment.checkedAt} />],
      ]}
    />
  );
}
