import { Button } from "@holdfast/ui/button.tsx";
import { type ReactNode, useEffect, useRef, useState } from "react";
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

/**
 * The button that opens the refund of a payment, and its panel: both only for roles that may refund. The panel of what was
 * agreed opens by itself: both sides have pressed for it before.
 */
export function useRefundPanel({ payment, intent, token, isOurs, agreed = null, onAwait }: RefundOptions): {
  readonly button: ReactNode;
  readonly panel: ReactNode;
} {
  const { path, may, business, environment } = useTenant();
  const [opened, setOpened] = useState<"by_press" | "as_agreed" | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const program = business.programs[environment];
  const isMissing = agreed === null || BigInt(agreed) > BigInt(payment.refundTotal);
  const canRefund = may("refund_payments") && refundableOf(payment) > 0n && isMissing;
  const isOffered = agreed !== null && canRefund;
  useEffect(() => {
    if (isOffered) setOpened((before) => before ?? "as_agreed");
  }, [isOffered]);
  // An agreement that failed leaves no form behind that nobody asked for.
  const isOpen = opened === "by_press" || (opened === "as_agreed" && (agreed !== null || !canRefund));
  const { id, sender, recipient, asset } = payment;
  if (program === null || sender === null || recipient === null || asset === null) return { button: null, panel: null };
  const close = () => {
    setOpened(null);
    button.current?.focus();
  };
  return {
    button: canRefund ? (
      <Button
        ref={button}
        kind={agreed === null || isOpen ? "plain" : "primary"}
        aria-expanded={isOpen}
        onClick={() => setOpened("by_press")}
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
        takesFocus={opened === "by_press"}
        onAwait={onAwait}
        onClose={close}
      />
    ) : null,
  };
}
