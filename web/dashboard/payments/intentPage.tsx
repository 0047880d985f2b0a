import { rateText } from "@holdfast/ui/amount.ts";
import { Badge } from "@holdfast/ui/badge.tsx";
import { CopyText } from "@holdfast/ui/copy.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { LIVE_MS, read } from "../api/queries.ts";
import type { PaymentIntent } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { Amount, useToken } from "../objects/amount.tsx";
import { DisputeLink } from "../objects/disputeLink.tsx";
import { fiatText } from "../objects/fiat.ts";
import { objectLink } from "../objects/objectLink.tsx";
import { periodText } from "../objects/periods.ts";
import { FactsPage } from "../pages/factsPage.tsx";
import { TableSection } from "../pages/tableSection.tsx";
import { RecipientName } from "../recipients/recipientName.tsx";
import { code, time, timeIfAny } from "../shell/facts.tsx";
import { Section } from "../shell/page.tsx";
import { prettyJson } from "../shell/prettyJson.ts";
import { useIdOf, useTenant } from "../shell/tenant.ts";
import { Around } from "./around.tsx";
import { Deliveries } from "./deliveries.tsx";
import { INTENT_TONES } from "./intentTones.ts";
import { MoneySection } from "./moneySection.tsx";
import { paymentColumns } from "./paymentColumns.tsx";
import { PaymentNotice } from "./paymentState.tsx";
import { stateOf } from "./paymentWord.ts";

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
        <Link className="underline" to="/$business/$environment/intents" params={path}>
          {texts.paymentLists.intents.title}
        </Link>
      )}
      actions={(object) =>
        object?.intent.payment == null ? null : (
          <a href={object.intent.payment.receiptUrl} target="_blank" rel="noopener noreferrer" className="font-medium">
            {texts.paymentLists.intents.receipt}
          </a>
        )
      }
      notice={({ intent: { payment } }) => (payment === null ? null : <PaymentNotice payment={payment} />)}
      facts={({ intent }) => [
        [texts.common.status, <IntentBadge key="status" intent={intent} />],
        [texts.common.id, code(intent.id)],
        [texts.payments.reference, intent.merchantReference],
        intent.description === null ? null : [texts.payments.description, intent.description],
        [texts.common.amount, <Amount key="amount" amount={intent.amount} asset={intent.asset} />],
        intent.price === null ? null : [texts.payments.price, fiatText(intent.price.amount, intent.price.currency)],
        intent.quote === null || intent.price === null
          ? null
          : [texts.payments.quote, <QuoteText key="quote" intent={intent} />],
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
      {({ intent, json }) => (
        <>
          {intent.payment === null ? null : <DisputeLink of={{ intent: id }} />}
          {intent.payment === null ? null : <Money payment={intent.payment.id} asset={intent.asset} />}
          {intent.checkoutUrl === null ? null : (
            <Section title={texts.paymentLists.intents.checkout.title} text={texts.paymentLists.intents.checkout.text}>
              <CopyText what={texts.paymentLists.intents.checkout.title} text={intent.checkoutUrl} />
            </Section>
          )}
          <Payments intent={id} />
          <Deliveries intent={id} />
          <Around of={{ intent: id }} json={prettyJson(json)} />
        </>
      )}
    </FactsPage>
  );
}

/** The intent stays paid whatever the state of its payment, which the badge adds. */
function IntentBadge({ intent: { status, payment } }: { readonly intent: PaymentIntent }) {
  if (payment === null || (payment.status === "protected" && stateOf(payment).isPlain))
    return <Badge tone={INTENT_TONES[status]}>{texts.payments.intentStatuses[status]}</Badge>;
  const { tone, word } = stateOf(payment);
  return <Badge tone={tone}>{texts.payments.paidAs(word)}</Badge>;
}

/** The rate that made the amount, its source and its end. */
function QuoteText({ intent: { price, quote, asset } }: { readonly intent: PaymentIntent }) {
  const token = useToken(asset);
  if (price === null || quote === null || token === null) return null;
  const rate = rateText(undefined, price.currency, quote.rate, token.wholeUnit);
  return (
    <>
      {texts.payments.quoteOf(rate, texts.values.sources[quote.source])} {texts.payments.refundsIn(token.wholeUnit)}
    </>
  );
}

/** Where the money of the primary payment is, and who is due what. */
function Money({ payment: id, asset }: { readonly payment: string; readonly asset: string }) {
  const { path } = useTenant();
  const payment = useQuery({ ...read("getPayment", { path: { ...path, payment: id } }), refetchInterval: LIVE_MS });
  const token = useToken(asset);
  if (payment.data === undefined || token === null) return null;
  return (
    <Section title={texts.payment.where.title}>
      <MoneySection payment={payment.data} token={token} isOurs />
    </Section>
  );
}

const NONE_CHANGED: ReadonlySet<string> = new Set();
/** More payments of one intent than anybody makes by mistake. */
const PAYMENTS_MAX = "20";

/** The payments of the intent: the one that paid it, and duplicates. */
function Payments({ intent }: { readonly intent: string }) {
  const { path } = useTenant();
  const query = useQuery({
    ...read("listPayments", { path, query: { intent, limit: PAYMENTS_MAX } }),
    refetchInterval: LIVE_MS,
  });
  return (
    <TableSection
      title={texts.paymentLists.intents.payments.title}
      actions={
        <Link to="/$business/$environment/payments" params={path} search={{ intent }}>
          {texts.paymentLists.intents.payments.viewAll}
        </Link>
      }
      query={query}
      columns={paymentColumns(NONE_CHANGED, query.data?.at ?? "")}
      keyOf={({ id }) => id}
      empty={texts.paymentLists.intents.payments.empty}
    />
  );
}
