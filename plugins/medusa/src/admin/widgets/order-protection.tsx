import { defineWidgetConfig } from "@medusajs/admin-sdk";
import { Container, Heading, StatusBadge, Text } from "@medusajs/ui";
import { useEffect, useState } from "react";
import { call } from "../api";

interface Shown {
  readonly progress: {
    readonly progress: keyof typeof STATES;
    readonly mayShip: boolean;
    readonly payment: string | null;
    readonly protectedUntil: string | null;
    readonly receiptUrl: string | null;
    readonly owed: readonly { readonly payment: string; readonly reason: keyof typeof REASONS }[];
  } | null;
  readonly pages: Readonly<Record<string, string>>;
  readonly pay_path: string;
}

const STATES = {
  open: ["grey", "Not paid", "The buyer can pay at the link below."],
  protected: [
    "blue",
    "Protected",
    "The money is in the escrow. Ship the order; the buyer can dispute until the date below.",
  ],
  disputed: ["orange", "Disputed", "On hold: keep goods that are still there, and answer the dispute in Holdfast."],
  decided: ["purple", "Decided", "The dispute is decided, and its parts are on their way to both sides."],
  released: ["green", "Released", "The money is in your wallet."],
  refunded: ["red", "Refunded", "All of it went back to the buyer."],
  reverted: ["orange", "Taken back by the network", "Not paid. The payment may come again: ship nothing."],
} as const;

const REASONS = {
  late: "A payment came after the order's time.",
  duplicate: "A second payment of this order came.",
  over_limit: "A payment beyond the limit came.",
  canceled: "A payment came, and the order is canceled.",
  paid_elsewhere: "A payment came, and the order was paid by another way.",
  other_total: "A payment came that is not of the order's total.",
} as const;

const OrderProtection = ({ data: { id } }: { readonly data: { readonly id: string } }) => {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    // An order of another provider has no such answer, and no box.
    call<Shown>(`/admin/holdfast/orders/${id}`).then(setShown, () => setShown(null));
  }, [id]);
  if (shown === null) return null;
  const { progress, pages, pay_path } = shown;
  const [color, label, text] = STATES[progress?.progress ?? "open"];
  const link = (href: string, words: string) => (
    <a className="txt-small text-ui-fg-interactive" href={href} target="_blank" rel="noreferrer">
      {words}
    </a>
  );
  return (
    <Container className="divide-y p-0">
      <div className="flex items-center justify-between px-6 py-4">
        <Heading level="h2">Buyer protection</Heading>
        <StatusBadge color={color}>{label}</StatusBadge>
      </div>
      <div className="flex flex-col gap-y-2 px-6 py-4">
        <Text size="small">{text}</Text>
        {progress?.protectedUntil && (
          <Text size="small">The buyer can dispute until {new Date(progress.protectedUntil).toLocaleString()}.</Text>
        )}
        {progress?.payment && link(pages[progress.payment]!, "Payment, dispute and refund in Holdfast")}
        {progress?.receiptUrl && link(progress.receiptUrl, "Receipt")}
        {!progress?.payment && link(pay_path, "Link to pay")}
      </div>
      {(progress?.owed ?? []).map(({ payment, reason }) => (
        <div key={payment} className="flex flex-col gap-y-2 px-6 py-4">
          <Text size="small" weight="plus">
            {REASONS[reason]} It is to be refunded.
          </Text>
          {link(pages[payment]!, "Refund it in Holdfast")}
        </div>
      ))}
    </Container>
  );
};

export const config = defineWidgetConfig({ zone: "order.details.side.before" });

export default OrderProtection;
