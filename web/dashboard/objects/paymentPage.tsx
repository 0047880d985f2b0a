import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ApiError } from "../api/client.ts";
import { LIVE_MS, read } from "../api/queries.ts";
import type { PaymentWithActions } from "../api/schema.ts";
import { Facts } from "../shell/facts.tsx";
import { Page, Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { RawText } from "../shell/rawText.tsx";
import { useTenant } from "../shell/tenant.ts";
import { Amount } from "./amount.tsx";
import { DeliveriesAbout, RequestsAbout } from "./around.tsx";
import { ObjectLink } from "./objectLink.tsx";
import { Timeline } from "./timeline.tsx";

const STATUSES: Readonly<Record<PaymentWithActions["status"], readonly [Tone, string]>> = {
  protected: ["good", "Protected"],
  disputed: ["bad", "Disputed"],
  released: ["good", "Released"],
  refunded: ["wait", "Refunded"],
};

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
  const [tone, word] = STATUSES[payment.status];
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
        ["Released", <Amount key="released" amount={payment.amountReleased} asset={payment.asset} />],
        ["Refunded", <Amount key="refunded" amount={payment.amountRefunded} asset={payment.asset} />],
        [
          "Sender",
          <code key="sender" className="break-all">
            {payment.sender}
          </code>,
        ],
        ["Signature", payment.signature === null ? "Not known" : <ObjectLink key="signature" id={payment.signature} />],
        ["Made", <Time key="made" at={payment.createdAt} />],
        ["Deadline", <Time key="deadline" at={payment.protectionDeadline} />],
        ["Checked", <Time key="checked" at={payment.checkedAt} />],
      ]}
    />
  );
}
