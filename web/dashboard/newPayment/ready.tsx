import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { CopyButton } from "@holdfast/ui/copy.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { LIVE_MS, read } from "../api/queries.ts";
import type { PaymentIntent } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { useToken } from "../objects/amount.tsx";
import { fiatText } from "../objects/fiat.ts";
import { QrCode } from "../objects/qrCode.tsx";
import { useTenant } from "../shell/tenant.ts";

const TONES = {
  requires_payment: ["neutral", texts.newPayment.ready.waiting],
  paid: ["good", texts.newPayment.ready.paid],
  expired: ["wait", texts.newPayment.ready.expired],
  canceled: ["wait", texts.newPayment.ready.canceled],
} as const satisfies Record<PaymentIntent["status"], readonly [Tone, string]>;

/** The link that the buyer gets, and the state of its payment, which follows. */
export function Ready({ intent: made, onClose }: { readonly intent: PaymentIntent; readonly onClose: () => void }) {
  const { path } = useTenant();
  const token = useToken(made.asset);
  const followed = useQuery({
    ...read("getPaymentIntent", { path: { ...path, intent: made.id } }),
    refetchInterval: ({ state }) => (state.data?.intent.payment == null ? LIVE_MS : false),
  });
  const intent = followed.data?.intent ?? made;
  const [tone, word] = TONES[intent.status];
  const url = made.checkoutUrl!;
  return (
    <Dialog isOpen staysOpen onClose={onClose} title={texts.newPayment.ready.title}>
      <div data-prints className="flex flex-wrap items-center gap-4">
        <QrCode text={url} label={texts.newPayment.ready.code} />
        <div className="grid min-w-0 flex-1 basis-[180px] gap-1">
          <b className="break-words text-title font-semibold tabular-nums">{token?.show(made.amount)}</b>
          {made.price === null ? null : (
            <span className="tabular-nums text-soft">{fiatText(made.price.amount, made.price.currency)}</span>
          )}
          <span className="break-words text-soft">{made.merchantReference}</span>
          <p className="text-small text-soft">{texts.newPayment.ready.scan}</p>
        </div>
      </div>
      <PayLink url={url} expiresAt={made.expiresAt} />
      <p role="status" className="text-small text-soft">
        <Badge tone={tone}>{word}</Badge>{" "}
        {followed.isError ? texts.newPayment.ready.behind : <StateText intent={intent} onLeave={onClose} />}
      </p>
      <Actions>
        <Button onClick={() => window.print()}>{texts.newPayment.ready.print}</Button>
        <Button onClick={onClose}>{texts.common.done}</Button>
        <CopyButton kind="primary" text={url} label={texts.newPayment.ready.copy} />
      </Actions>
    </Dialog>
  );
}

const PayLink = ({ url, expiresAt }: { readonly url: string; readonly expiresAt: string }) => (
  <div className="grid gap-1">
    <span className="font-medium">{texts.newPayment.ready.link}</span>
    <code translate="no" data-copy="link" className="break-all rounded-small border border-line bg-paper px-3 py-2">
      {url}
    </code>
    <p className="text-small text-soft">
      <Filled text={texts.newPayment.ready.until} slots={{ time: <Time at={expiresAt} /> }} />
    </p>
  </div>
);

function StateText({ intent, onLeave }: { readonly intent: PaymentIntent; readonly onLeave: () => void }) {
  const { path } = useTenant();
  if (intent.status === "expired") return texts.newPayment.ready.expiredText;
  if (intent.status === "canceled") return texts.newPayment.ready.canceledText;
  if (intent.payment === null) return texts.newPayment.ready.waitingText;
  return (
    <Filled
      text={texts.newPayment.ready.paidText}
      slots={{
        payment: (
          <Link
            className="underline"
            to="/$business/$environment/payments/$payment"
            params={{ ...path, payment: intent.payment.id }}
            onClick={onLeave}
          >
            {texts.newPayment.ready.open}
          </Link>
        ),
      }}
    />
  );
}
