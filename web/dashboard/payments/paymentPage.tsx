import { EmptyState } from "@holdfast/ui/states.tsx";
import { Link } from "@tanstack/react-router";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { Amount } from "../objects/amount.tsx";
import { ExplorerLink } from "../objects/explorerLink.tsx";
import { objectLink } from "../objects/objectLink.tsx";
import { periodText } from "../objects/periods.ts";
import { FactsPage } from "../pages/factsPage.tsx";
import { RecipientName } from "../recipients/recipientName.tsx";
import { badge, code, time, timeIfAny } from "../shell/facts.tsx";
import { useIdOf, useTenant } from "../shell/tenant.ts";
import { Around } from "./around.tsx";
import { PaymentNotice, stateOf } from "./paymentState.tsx";
import { Timeline } from "./timeline.tsx";

/** The page of one payment: its state, its events, its deliveries and the requests about it. */
export function PaymentPage() {
  const { path } = useTenant();
  const id = useIdOf("payment");
  return (
    <FactsPage
      operation="getPayment"
      input={{ path: { ...path, payment: id } }}
      isLive
      title={texts.payments.payment}
      up={() => (
        <Link className="underline" to="/$business/$environment/events" params={path} search={{ payment: id }}>
          {texts.payments.events}
        </Link>
      )}
      actions={() => <ExplorerLink address={id} />}
      unknown={
        <>
          <EmptyState title={texts.payments.unboundTitle}>
            <Filled
              text={texts.payments.unboundText(path.environment)}
              slots={{ address: <span className="break-all">{id}</span> }}
            />
          </EmptyState>
          <Timeline of={{ payment: id }} />
        </>
      }
      notice={(payment) => <PaymentNotice payment={payment} />}
      facts={(payment) => {
        const { tone, word } = stateOf(payment);
        const amount = (units: string) => <Amount amount={units} asset={payment.asset} />;
        return [
          [texts.common.status, badge(tone, word)],
          [texts.common.address, code(payment.id)],
          [texts.common.intent, objectLink(payment.intent)],
          [texts.common.role, texts.payments.roles[payment.role]],
          [texts.payments.reference, payment.merchantReference],
          [texts.common.amount, amount(payment.amount)],
          [texts.payments.released, amount(payment.amountReleased)],
          [texts.payments.refunded, amount(payment.amountRefunded)],
          [texts.payments.sender, code(payment.sender)],
          [texts.payments.recipient, <RecipientName key="recipient" address={payment.recipient} />],
          [
            texts.payments.signature,
            payment.signature === null ? texts.payments.unknownSignature : objectLink(payment.signature),
          ],
          [texts.common.created, time(payment.createdAt)],
          [texts.payments.protection, periodText(payment.protectionPeriod)],
          [texts.payments.deadline, time(payment.protectionDeadline)],
          timeIfAny(texts.payments.disputed, payment.disputedAt),
          timeIfAny(texts.payments.resolveBy, payment.resolveBy),
          [texts.payments.arbiter, code(payment.arbiter)],
          [texts.payments.checked, time(payment.checkedAt)],
        ];
      }}
    >
      {(payment) => <Around of={{ payment: id }} json={JSON.stringify(payment, null, 2)} />}
    </FactsPage>
  );
}
