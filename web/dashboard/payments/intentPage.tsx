import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { Link } from "@tanstack/react-router";
import type { PaymentIntent } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { Amount } from "../objects/amount.tsx";
import { objectLink } from "../objects/objectLink.tsx";
import { periodText } from "../objects/periods.ts";
import { FactsPage } from "../pages/factsPage.tsx";
import { RecipientName } from "../recipients/recipientName.tsx";
import { code, time, timeIfAny } from "../shell/facts.tsx";
import { prettyJson } from "../shell/prettyJson.ts";
import { useIdOf, useTenant } from "../shell/tenant.ts";
import { Around } from "./around.tsx";
import { PaymentNotice, stateOf } from "./paymentState.tsx";

const TONES: Readonly<Record<PaymentIntent["status"], Tone>> = {
  requires_payment: "wait",
  paid: "good",
  expired: "neutral",
  canceled: "neutral",
};

/** The page of one intent: its state, its events, its deliveries and the requests about it. */
export function IntentPage() {
  const { path } = useTenant();
  const id = useIdOf("intent");
  return (
    <FactsPage
      operation="getPaymentIntent"
      input={{ path: { ...path, intent: id } }}
      isLive
      title={texts.payments.intent}
      up={() => (
        <Link className="underline" to="/$business/$environment/events" params={path} search={{ intent: id }}>
          {texts.payments.events}
        </Link>
      )}
      notice={({ intent: { payment } }) => (payment === null ? null : <PaymentNotice payment={payment} />)}
      facts={({ intent }) => [
        [texts.common.status, <IntentBadge key="status" intent={intent} />],
        [texts.common.id, code(intent.id)],
        [texts.payments.reference, intent.merchantReference],
        intent.description === null ? null : [texts.payments.description, intent.description],
        [texts.common.amount, <Amount key="amount" amount={intent.amount} asset={intent.asset} />],
        [texts.payments.asset, code(intent.asset)],
        [texts.payments.recipient, <RecipientName key="recipient" address={intent.recipient} />],
        [texts.payments.protection, periodText(intent.protectionPeriod)],
        [texts.payments.paymentId, code(intent.paymentId)],
        intent.returnUrl === null ? null : [texts.payments.returnUrl, code(intent.returnUrl)],
        [texts.payments.payment, intent.payment === null ? texts.common.none : objectLink(intent.payment.id)],
        [texts.common.created, time(intent.createdAt)],
        [texts.common.expires, time(intent.expiresAt)],
        timeIfAny(texts.payments.canceled, intent.canceledAt),
      ]}
    >
      {({ json }) => <Around of={{ intent: id }} json={prettyJson(json)} />}
    </FactsPage>
  );
}

/** The intent stays paid whatever the state of its payment, which the badge adds. */
function IntentBadge({ intent: { status, payment } }: { readonly intent: PaymentIntent }) {
  if (payment === null || (payment.status === "protected" && stateOf(payment).isPlain))
    return <Badge tone={TONES[status]}>{texts.payments.intentStatuses[status]}</Badge>;
  const { tone, word } = stateOf(payment);
  return <Badge tone={tone}>{texts.payments.paidAs(word)}</Badge>;
}
