import { Button } from "@holdfast/ui/button.tsx";
import { type ReactNode, useRef, useState } from "react";
import * as texts from "../catalogue/index.ts";
import type { ShownToken } from "../objects/amount.tsx";
import { useTenant } from "../shell/tenant.ts";
import { refundableOf } from "./money.ts";
import { RefundPanel } from "./refundPanel.tsx";
import type { Followed } from "./stage.ts";

interface RefundOptions {
  /** Sender, recipient and asset are null for a payment of which only the end is known. */
  readonly payment: Followed & { readonly id: string } & Readonly<
      Record<"sender" | "recipient" | "asset", string | null>
    >;
  readonly intent: string | null;
  readonly token: ShownToken;
  readonly isOurs: boolean;
  /** The total that both sides of a dispute agreed: while that holds, nothing else is refunded. */
  readonly agreed?: string | null;
  readonly onAwait: (isAwaited: boolean) => void;
}

/** The button that opens the refund of a payment, and its panel: both only for roles that may refund. */
export function useRefundPanel({ payment, intent, token, isOurs, agreed = null, onAwait }: RefundOptions): {
  readonly button: ReactNode;
  readonly panel: ReactNode;
} {
  const { path, may, business, environment } = useTenant();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const program = business.programs[environment];
  const isMissing = agreed === null || BigInt(agreed) > BigInt(payment.refundTotal);
  const canRefund = may("refund_payments") && refundableOf(payment) > 0n && isMissing;
  const { id, sender, recipient, asset } = payment;
  if (program === null || sender === null || recipient === null || asset === null) return { button: null, panel: null };
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return {
    button: canRefund ? (
      <Button
        ref={button}
        kind={agreed === null ? "plain" : "primary"}
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        {agreed === null
          ? texts.refund.button
          : texts.disputes.agreement.refund(token.gain(agreed, payment.refundTotal))}
      </Button>
    ) : null,
    // A refund that was begun stays on the page, though nothing is left to refund.
    panel: isOpen ? (
      <RefundPanel
        payment={payment}
        refund={{ path: { ...path, payment: id }, program, sender, recipient, asset }}
        intent={intent}
        token={token}
        isOurs={isOurs}
        agreed={agreed}
        onAwait={onAwait}
        onClose={close}
      />
    ) : null,
  };
}
