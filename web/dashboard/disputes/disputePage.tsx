import { ButtonLink } from "@holdfast/ui/button.tsx";
import { agreedTotal } from "@holdfast/ui/disputeStatus.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { LIVE_MS, read } from "../api/queries.ts";
import type { DisputeWithTexts, PaymentWithActions } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { type ShownToken, useToken } from "../objects/amount.tsx";
import { TurnBadge } from "../objects/disputeLink.tsx";
import { MoneyColumns } from "../payments/moneyColumns.tsx";
import { useRefundPanel } from "../payments/refundButton.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useIdOf, useTenant } from "../shell/tenant.ts";
import { AgreementCard } from "./agreement.tsx";
import { Answer } from "./answer.tsx";
import { Decided } from "./decided.tsx";
import { DisputeFacts } from "./facts.tsx";
import { Files } from "./files.tsx";
import { Talk } from "./talk.tsx";
import { TurnBar } from "./turnBar.tsx";

/** The time between two reads: shorter while a refund is expected. */
const READ_MS = 2_000;
const AWAITED_MS = 1_000;

/** The page of one dispute (§13.20): whose turn it is, the texts and offers of both sides, and the facts. */
export function DisputePage() {
  const { path } = useTenant();
  const id = useIdOf("dispute");
  const [isAwaited, setAwaited] = useState(false);
  const refetchInterval = isAwaited ? AWAITED_MS : READ_MS;
  const dispute = useQuery({
    ...read("getDispute", { path: { ...path, dispute: id } }),
    refetchInterval: ({ state }) => (state.data === undefined ? LIVE_MS : refetchInterval),
  });
  const address = dispute.data?.payment ?? "";
  const payment = useQuery({
    ...read("getPayment", { path: { ...path, payment: address } }),
    refetchInterval,
    enabled: address !== "",
  });
  const token = useToken(payment.data?.asset);
  if (dispute.data !== undefined && payment.data !== undefined && token !== null)
    return <Found key={id} dispute={dispute.data} payment={payment.data} token={token} onAwait={setAwaited} />;
  const failed = dispute.error === null ? payment : dispute;
  return (
    <Page title={texts.disputes.title}>
      <QueryState query={{ ...failed, data: undefined }}>{() => null}</QueryState>
    </Page>
  );
}

interface FoundProps {
  readonly dispute: DisputeWithTexts;
  readonly payment: PaymentWithActions;
  readonly token: ShownToken;
  readonly onAwait: (isAwaited: boolean) => void;
}

function Found({ dispute, payment, token, onAwait }: FoundProps) {
  const { path } = useTenant();
  const { merchantReference } = dispute;
  const { amount, refundTotal } = payment;
  const agreed = agreedTotal(dispute);
  const refund = useRefundPanel({
    payment,
    intent: payment.role === "primary" ? payment.intent : null,
    token,
    isOurs: true,
    agreed,
    onAwait,
  });
  const parts = { dispute, amount, refundTotal, token };
  return (
    <Page
      title={texts.disputes.disputeTitle(merchantReference)}
      heading={
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link to="/$business/$environment/disputes" params={path} className="basis-full text-small text-soft">
            {texts.disputes.title}
          </Link>
          <h1 className="min-w-0 [overflow-wrap:anywhere] text-title font-semibold tabular-nums">
            {texts.disputes.heading(merchantReference, token.show(amount))}
          </h1>
          <TurnBadge dispute={dispute} />
        </div>
      }
      text={
        <>
          {texts.disputes.reasonIs(dispute.reason === "not_given" ? null : texts.disputes.reasons[dispute.reason])}{" "}
          <Link
            className="underline"
            to="/$business/$environment/payments/$payment"
            params={{ ...path, payment: payment.id }}
          >
            {texts.disputes.payment}
          </Link>
        </>
      }
      actions={
        <>
          <ButtonLink href={payment.receiptUrl}>{texts.disputes.receipt}</ButtonLink>
          {agreed === null ? refund.button : null}
        </>
      }
    >
      <TurnBar dispute={dispute} payment={payment} token={token} />
      <MoneyColumns first={refund.panel} aside={<DisputeFacts dispute={dispute} payment={payment} token={token} />}>
        <Decided {...parts} payment={payment} />
        <AgreementCard {...parts} refund={refund.button} />
        <Talk {...parts}>
          <Answer {...parts} />
        </Talk>
        <Files dispute={dispute} />
      </MoneyColumns>
    </Page>
  );
}
