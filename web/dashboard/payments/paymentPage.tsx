import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../api/client.ts";
import { LIVE_MS, read } from "../api/queries.ts";
import * as texts from "../catalogue/index.ts";
import { useToken } from "../objects/amount.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useIdOf, useTenant } from "../shell/tenant.ts";
import { PaymentView } from "./paymentView.tsx";
import { UnboundPage } from "./unboundPage.tsx";
import { UnmatchedView } from "./unmatchedView.tsx";

/** The time between two reads: a page about money is right within five seconds. Shorter while a refund is expected. */
const READ_MS = 2_000;
const AWAITED_MS = 1_000;

/** The page of one payment: where its money is, what comes next, what happened, and its refund. */
export function PaymentPage() {
  const id = useIdOf("payment");
  return <FoundPage key={id} id={id} />;
}

/** The page of what is at the address: a payment of an intent, one that matches none, or neither. */
function FoundPage({ id }: { readonly id: string }) {
  const { path } = useTenant();
  const [isAwaited, setAwaited] = useState(false);
  const readMs = isAwaited ? AWAITED_MS : READ_MS;
  const payment = useQuery({
    ...read("getPayment", { path: { ...path, payment: id } }),
    refetchInterval: ({ state }) => (state.data === undefined ? LIVE_MS : readMs),
  });
  const isUnbound = useIsMissing(payment);
  const unmatched = useQuery({
    ...read("getUnmatchedPayment", { path: { ...path, payment: id } }),
    refetchInterval: ({ state }) => (state.data === undefined ? LIVE_MS : readMs),
    enabled: isUnbound,
  });
  const isUnknown = useIsMissing(unmatched);
  const token = useToken(payment.data?.asset ?? unmatched.data?.asset);
  if (!isUnbound && payment.data !== undefined && token !== null)
    return <PaymentView payment={payment.data} token={token} onAwait={setAwaited} />;
  if (isUnbound && !isUnknown && unmatched.data !== undefined && token !== null)
    return <UnmatchedView payment={unmatched.data} token={token} onAwait={setAwaited} />;
  if (isUnbound && isUnknown) return <UnboundPage id={id} />;
  return (
    <Page title={texts.payments.payment}>
      <QueryState query={{ ...(isUnbound ? unmatched : payment), data: undefined }}>{() => null}</QueryState>
    </Page>
  );
}

/**
 * True from a 404 on until the object is there, or there again: a fork may take a payment back. A query that reads again
 * after an error may have neither data nor error.
 */
function useIsMissing({ data, error }: { readonly data: unknown; readonly error: Error | null }): boolean {
  const [isMissing, setMissing] = useState(false);
  const is404 = error instanceof ApiError && error.status === 404;
  const isThere = data !== undefined && error === null;
  if (is404 && !isMissing) setMissing(true);
  if (isThere && isMissing) setMissing(false);
  return isMissing;
}
