import { useQuery } from "@tanstack/react-query";
import { ApiError } from "../api/client.ts";
import { LIVE_MS, read } from "../api/queries.ts";
import * as texts from "../catalogue/index.ts";
import { useToken } from "../objects/amount.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useIdOf, useTenant } from "../shell/tenant.ts";
import { PaymentView } from "./paymentView.tsx";
import { UnboundPage } from "./unmatchedPage.tsx";

/** The page of one payment: where its money is, what comes next, what happened, and its refund. */
export function PaymentPage() {
  const { path } = useTenant();
  const id = useIdOf("payment");
  const payment = useQuery({
    ...read("getPayment", { path: { ...path, payment: id } }),
    refetchInterval: LIVE_MS,
  });
  const token = useToken(payment.data?.asset);
  const isUnbound = payment.error instanceof ApiError && payment.error.status === 404;
  if (payment.data !== undefined && token !== null)
    return <PaymentView key={id} payment={payment.data} token={token} />;
  if (isUnbound) return <UnboundPage key={id} id={id} />;
  return (
    <Page title={texts.payments.payment}>
      <QueryState query={{ ...payment, data: undefined }}>{() => null}</QueryState>
    </Page>
  );
}
