import { Notice } from "@holdfast/ui/badge.tsx";
import { ShortId } from "@holdfast/ui/copy.tsx";
import { type Column, Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { read } from "../api/queries.ts";
import type { PaymentIntent, UnmatchedPayment } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { Amount, type ShownToken } from "../objects/amount.tsx";
import { ExplorerLink } from "../objects/explorerLink.tsx";
import { ObjectLink, objectLink } from "../objects/objectLink.tsx";
import { periodText } from "../objects/periods.ts";
import { RecipientName } from "../recipients/recipientName.tsx";
import { code, type Fact, Facts, time, timeIfAny } from "../shell/facts.tsx";
import { Page, Section } from "../shell/page.tsx";
import { RawText } from "../shell/rawText.tsx";
import { useTenant } from "../shell/tenant.ts";
import { EventsSection, usePaymentEvents } from "./eventsSection.tsx";
import { PaymentHeading } from "./headline.tsx";
import { MoneyColumns, PayBackCard } from "./moneyColumns.tsx";
import { MoneySection } from "./moneySection.tsx";
import { NoteSection } from "./noteSection.tsx";
import { type Payee, payeeOf } from "./payee.ts";
import { PaymentTimeline } from "./paymentTimeline.tsx";
import { useRefundPanel } from "./refundButton.tsx";
import { followedOf } from "./stage.ts";
import { NewEvent } from "./timeline.tsx";

/** A payment that is bound to no intent: what differs, who paid, and its refund by the wallet that is paid. */
export function UnmatchedView({
  payment,
  token,
  onAwait,
}: {
  readonly payment: UnmatchedPayment;
  readonly token: ShownToken;
  readonly onAwait: (isAwaited: boolean) => void;
}) {
  const followed = followedOf(payment);
  const payee = usePayee(payment);
  const isOurs = payee === "ours";
  const events = usePaymentEvents(payment);
  const refund = useRefundPanel({ payment: { ...payment, ...followed }, intent: null, token, isOurs, onAwait });
  const { sender, status, amountReleased } = payment;
  // A stranger may pay a wallet of their own in the name of our intent: then there is nothing to pay back.
  const payBack =
    !isOurs || amountReleased === "0" || sender === null ? null : <PayBackCard sender={sender} status={status} />;
  return (
    <Page
      title={texts.payment.unmatched.title}
      heading={<PaymentHeading payment={followed} token={token} badges={[texts.payment.unmatched.badge]} />}
      text={
        payment.createdAt === null ? (
          texts.payment.unmatched.paid
        ) : (
          <Filled text={texts.payment.unmatched.paidOn} slots={{ time: <Time at={payment.createdAt} /> }} />
        )
      }
      actions={
        <>
          <ExplorerLink address={payment.id} />
          {refund.button}
        </>
      }
    >
      <NewEvent newest={events.data?.data[0]} />
      <Reason payment={payment} token={token} payee={payee} />
      <NoteSection payment={payment} />
      <MoneySection payment={followed} token={token} isOurs={isOurs} />
      <MoneyColumns
        first={refund.panel ?? payBack}
        aside={
          <Section title={texts.payment.details.title}>
            <Facts facts={factsOf(payment)} inColumn />
          </Section>
        }
      >
        <PaymentTimeline
          payment={{ ...payment, ...followed }}
          token={token}
          isOurs={isOurs}
          events={events.data?.data ?? []}
          hasMore={events.data?.hasMore ?? true}
          intentCreatedAt={null}
        />
        <EventsSection payment={payment.id} events={events} />
      </MoneyColumns>
      <Section title={texts.common.object} text={texts.payments.objectText}>
        <RawText label={texts.common.json} text={JSON.stringify(payment, null, 2)} />
      </Section>
    </Page>
  );
}

function usePayee(payment: UnmatchedPayment): Payee {
  const { path } = useTenant();
  const { data } = useQuery(read("listRecipients", { path }));
  return payeeOf(
    payment,
    data?.data.map(({ id }) => id),
  );
}

/** Says why the payment is bound to no intent, term by term where one was meant. */
function Reason({
  payment,
  token,
  payee,
}: {
  readonly payment: UnmatchedPayment;
  readonly token: ShownToken;
  readonly payee: Payee;
}) {
  const { path } = useTenant();
  const { intent, reason, mismatch } = payment;
  const meant = useQuery({
    ...read("getPaymentIntent", { path: { ...path, intent: intent ?? "" } }),
    enabled: intent !== null,
  });
  const labels = texts.payment.unmatched;
  // A payment of this business's number on other terms; a stranger's number says nothing here.
  const isMeant = reason === "terms_differ" && intent !== null;
  return (
    <>
      <Notice tone="wait">
        <p className="max-w-text">
          {isMeant ? (
            <Filled
              text={payee === "others" ? labels.othersWallet : labels.reasons.terms_differ}
              slots={{ intent: objectLink(intent) }}
            />
          ) : (
            labels.reasons[reason === "closed" ? "closed" : "unknown_payment_id"]
          )}
        </p>
      </Notice>
      {isMeant && meant.data !== undefined && mismatch.length > 0 ? (
        <Section title={labels.differs}>
          <Table
            caption={labels.differs}
            columns={columnsOf(payment, meant.data.intent, token)}
            rows={mismatch}
            keyOf={(name) => name}
          />
        </Section>
      ) : null}
    </>
  );
}

type Term = UnmatchedPayment["mismatch"][number];

function columnsOf(payment: UnmatchedPayment, intent: PaymentIntent, token: ShownToken): readonly Column<Term>[] {
  const labels = texts.payment.unmatched;
  const amount = <b className="font-semibold tabular-nums">{token.show(payment.amount)}</b>;
  const found: Readonly<Record<Term, ReactNode>> = {
    recipient: code(payment.recipient ?? ""),
    amount,
    asset: code(payment.asset ?? ""),
    protectionPeriod: periodText(payment.protectionPeriod ?? ""),
  };
  const expected: Readonly<Record<Term, ReactNode>> = {
    recipient: code(intent.recipient),
    amount: <Amount amount={intent.amount} asset={intent.asset} />,
    asset: code(intent.asset),
    protectionPeriod: periodText(intent.protectionPeriod),
  };
  return [
    { title: labels.term, cell: (name) => labels.names[name] },
    { title: labels.order, cell: (name) => expected[name] },
    { title: labels.paidTerm, cell: (name) => found[name] },
  ];
}

const short = (id: string | null) => (id === null ? texts.payments.unknownSignature : <ShortId id={id} />);

const factsOf = (payment: UnmatchedPayment): readonly (Fact | null)[] => [
  [texts.payment.details.payment, short(payment.id)],
  payment.intent === null ? null : [texts.common.intent, <ObjectLink key="intent" id={payment.intent} inRow />],
  [texts.payment.unmatched.number, code(payment.paymentId)],
  [texts.payment.details.buyer, short(payment.sender)],
  payment.recipient === null
    ? null
    : [texts.payments.recipient, <RecipientName key="recipient" address={payment.recipient} />],
  payment.asset === null ? null : [texts.payments.asset, short(payment.asset)],
  payment.protectionPeriod === null ? null : [texts.payments.protection, periodText(payment.protectionPeriod)],
  timeIfAny(texts.payments.deadline, payment.protectionDeadline),
  timeIfAny(texts.payments.disputed, payment.disputedAt),
  payment.signature === null
    ? null
    : [texts.payment.details.transaction, <ObjectLink key="transaction" id={payment.signature} inRow />],
  [texts.payments.checked, time(payment.checkedAt)],
];
