import { Badge } from "@holdfast/ui/badge.tsx";
import { FoldedId } from "@holdfast/ui/copy.tsx";
import type { Column } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { exactText } from "@holdfast/ui/timeText.ts";
import { Link } from "@tanstack/react-router";
import type { ListedPayment } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { useTenant } from "../shell/tenant.ts";
import { elapsedPercent, waitText } from "./left.ts";
import { paymentWord } from "./paymentWord.ts";
import { RowAmount, RowReference } from "./rowCells.tsx";

/**
 * The columns of payments. A row has two lines on a phone: amount and status, reference and rest of the period. `changed`:
 * rows that no longer pass the list's filters. `at`: the environment's time at which they were read.
 */
export const paymentColumns = (changed: ReadonlySet<string>, at: string): readonly Column<ListedPayment>[] => [
  { title: texts.common.amount, cell: (payment) => <PaymentLink payment={payment} />, end: "wide" },
  {
    title: texts.common.status,
    end: "narrow",
    cell: (payment) => (
      <span className="grid gap-1 max-md:justify-items-end md:justify-items-start">
        {changed.has(payment.id) ? (
          <Badge tone="neutral">{texts.paymentLists.changed}</Badge>
        ) : (
          <PaymentBadge payment={payment} />
        )}
        <span className="text-small md:hidden">
          <PeriodLeft payment={{ ...payment, at }} />
        </span>
      </span>
    ),
  },
  {
    title: texts.paymentLists.reference,
    cell: ({ merchantReference }) => <RowReference text={merchantReference} />,
    wideOnly: true,
  },
  {
    title: texts.paymentLists.payments.sender,
    cell: ({ sender }) => <Sender address={sender} />,
    wideOnly: true,
  },
  {
    title: texts.paymentLists.payments.created,
    cell: ({ createdAt }) => <Time at={createdAt} inRow />,
    wideOnly: true,
  },
  {
    title: texts.paymentLists.payments.left,
    cell: (payment) => <PeriodLeft payment={{ ...payment, at }} />,
    wideOnly: true,
  },
];

function PaymentLink({ payment: { id, amount, asset, merchantReference } }: { readonly payment: ListedPayment }) {
  const { path } = useTenant();
  return (
    <span className="grid gap-1 max-md:justify-items-start md:justify-items-end">
      <Link
        className="font-semibold text-ink"
        to="/$business/$environment/payments/$payment"
        params={{ ...path, payment: id }}
      >
        <RowAmount amount={amount} asset={asset} />
      </Link>
      <span className="text-small text-soft md:hidden">
        <RowReference text={merchantReference} />
      </span>
    </span>
  );
}

const PaymentBadge = ({ payment }: { readonly payment: ListedPayment }) => {
  const { tone, word } = paymentWord(payment);
  return <Badge tone={tone}>{word}</Badge>;
};

/** The buyer's wallet, folded. */
export const Sender = ({ address }: { readonly address: string }) => (
  <code translate="no" className="text-soft">
    <FoldedId id={address} />
  </code>
);

/** A payment that matches no order has no times if it was closed before it was seen. */
type Timed = Pick<ListedPayment, "status" | "outcome" | "settleable" | "resolveBy" | "settledAt" | "refundedAt"> & {
  readonly createdAt: string | null;
  readonly protectionDeadline: string | null;
  readonly at: string;
};

/** The rest of the period that runs for a payment, by the clock that ends it, or the time of its end. */
export function PeriodLeft({ payment }: { readonly payment: Timed }) {
  const { status, outcome, settleable, resolveBy, createdAt, protectionDeadline, settledAt, refundedAt, at } = payment;
  if (status === "released" || status === "refunded")
    return (
      <span className="text-soft">
        <Filled
          text={texts.paymentLists.payments.ended}
          slots={{ time: <Time at={status === "released" ? settledAt : refundedAt} inRow /> }}
        />
      </span>
    );
  if (outcome !== null) return texts.paymentLists.payments.leaving;
  if (settleable) return texts.paymentLists.payments.due;
  if (createdAt === null || protectionDeadline === null) return texts.common.none;
  const now = Date.parse(at);
  if (resolveBy !== null)
    return (
      <RestOf until={resolveBy} text={texts.paymentLists.payments.atMost(waitText(Date.parse(resolveBy) - now))} />
    );
  return (
    <span className="flex items-center gap-2 max-md:justify-end">
      <span aria-hidden="true" className="h-1 w-[48px] overflow-hidden rounded-full bg-line max-md:hidden">
        <span
          className="block h-full bg-accent"
          style={{ width: `${elapsedPercent(createdAt, protectionDeadline, now)}%` }}
        />
      </span>
      <RestOf until={protectionDeadline} text={waitText(Date.parse(protectionDeadline) - now)} />
    </span>
  );
}

const RestOf = ({ until, text }: { readonly until: string; readonly text: string }) => (
  <time dateTime={until} title={exactText(new Date(until))} className="whitespace-nowrap">
    {text}
  </time>
);
