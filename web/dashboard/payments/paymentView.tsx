import { ButtonLink } from "@holdfast/ui/button.tsx";
import { CopyButton, ShortId } from "@holdfast/ui/copy.tsx";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/queries.ts";
import type { PaymentWithActions } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import type { ShownToken } from "../objects/amount.tsx";
import { useAgreed } from "../objects/disputeLink.tsx";
import { ExplorerLink } from "../objects/explorerLink.tsx";
import { ObjectLink } from "../objects/objectLink.tsx";
import { periodText } from "../objects/periods.ts";
import { RecipientName } from "../recipients/recipientName.tsx";
import { type Fact, Facts, time, timeIfAny } from "../shell/facts.tsx";
import { Page, Section } from "../shell/page.tsx";
import { RawText } from "../shell/rawText.tsx";
import { useTenant } from "../shell/tenant.ts";
import { Requests } from "./around.tsx";
import { EventsSection, usePaymentEvents } from "./eventsSection.tsx";
import { PaymentHeading, PaymentNotices, PaymentSentence } from "./headline.tsx";
import { MoneyColumns, PayBackCard } from "./moneyColumns.tsx";
import { MoneySection } from "./moneySection.tsx";
import { PaymentTimeline } from "./paymentTimeline.tsx";
import { useRefundPanel } from "./refundButton.tsx";
import { NewEvent } from "./timeline.tsx";
import { ValuesSection } from "./valuesSection.tsx";

interface PaymentProps {
  readonly payment: PaymentWithActions;
  readonly token: ShownToken;
  readonly onAwait: (isAwaited: boolean) => void;
}

/** A payment that is bound to an intent. */
export function PaymentView({ payment, token, onAwait }: PaymentProps) {
  const { path } = useTenant();
  const events = usePaymentEvents(payment);
  const intent = useQuery(read("getPaymentIntent", { path: { ...path, intent: payment.intent } }));
  const first = intent.data?.intent.payment?.id ?? null;
  const refund = useRefundPanel({
    payment,
    intent: payment.role === "primary" ? payment.intent : null,
    token,
    isOurs: true,
    agreed: useAgreed(payment),
    onAwait,
  });
  return (
    <Page
      title={texts.payment.title(payment.merchantReference)}
      heading={<PaymentHeading payment={payment} token={token} badges={badgesOf(payment)} />}
      text={<PaymentSentence payment={payment} token={token} />}
      actions={
        <>
          <ExplorerLink address={payment.id} />
          <ButtonLink href={payment.receiptUrl}>{texts.payment.receipt}</ButtonLink>
          <CopyButton text={payment.receiptUrl} label={texts.payment.copyLink} />
          {refund.button}
        </>
      }
    >
      <NewEvent newest={events.data?.data[0]} />
      <PaymentNotices payment={payment} token={token} primary={first === payment.id ? null : first} />
      <MoneySection payment={payment} token={token} isOurs />
      <MoneyColumns
        first={refund.panel ?? payBackCard(payment)}
        aside={
          <Section title={texts.payment.details.title}>
            <Facts facts={factsOf(payment)} inColumn />
          </Section>
        }
      >
        <PaymentTimeline
          payment={payment}
          token={token}
          isOurs
          events={events.data?.data ?? []}
          hasMore={events.data?.hasMore ?? true}
          intentCreatedAt={intent.data?.intent.createdAt ?? null}
        />
        <ValuesSection payment={payment.id} token={token} />
        <EventsSection payment={payment.id} events={events} />
      </MoneyColumns>
      <Requests about={payment.id} />
      <Section title={texts.common.object} text={texts.payments.objectText}>
        <RawText label={texts.common.json} text={JSON.stringify(payment, null, 2)} />
      </Section>
    </Page>
  );
}

const badgesOf = ({ role, late }: PaymentWithActions): readonly string[] => [
  ...(role === "duplicate" ? [texts.payment.duplicate] : []),
  ...(late ? [texts.payment.late] : []),
];

/** Null: nothing has left to the recipient. */
const payBackCard = (payment: PaymentWithActions) =>
  payment.amountReleased === "0" ? null : <PayBackCard {...payment} />;

const factsOf = (payment: PaymentWithActions): readonly (Fact | null)[] => [
  [texts.payment.details.payment, <ShortId key="payment" id={payment.id} />],
  [texts.common.intent, <ObjectLink key="intent" id={payment.intent} inRow />],
  [texts.payments.reference, payment.merchantReference],
  [texts.common.role, texts.payments.roles[payment.role]],
  [texts.payment.details.buyer, <ShortId key="buyer" id={payment.sender} />],
  [texts.payments.recipient, <RecipientName key="recipient" address={payment.recipient} />],
  [texts.payments.arbiter, <ShortId key="arbiter" id={payment.arbiter} />],
  [texts.payments.protection, periodText(payment.protectionPeriod)],
  [texts.payments.deadline, time(payment.protectionDeadline)],
  timeIfAny(texts.payments.disputed, payment.disputedAt),
  timeIfAny(texts.payments.resolveBy, payment.resolveBy),
  [
    texts.payment.details.transaction,
    payment.signature === null ? (
      texts.payments.unknownSignature
    ) : (
      <ObjectLink key="transaction" id={payment.signature} inRow />
    ),
  ],
  [texts.payments.checked, time(payment.checkedAt)],
];
