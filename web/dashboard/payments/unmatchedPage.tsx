import { Button } from "@holdfast/ui/button.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { type Column, Table } from "@holdfast/ui/table.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { LIVE_MS, read } from "../api/queries.ts";
import type { UnmatchedPayment } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { ObjectLink } from "../objects/objectLink.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { PeriodLeft, Sender } from "./paymentColumns.tsx";
import { RowAmount } from "./rowCells.tsx";
import { followedOf } from "./stage.ts";

/** The terms that differ from the order's, in words; without an order there is none to compare. */
const differenceOf = ({ mismatch }: UnmatchedPayment): string =>
  mismatch.length === 0
    ? texts.paymentLists.unmatched.noOrder
    : mismatch.map((term) => texts.payment.unmatched.names[term]).join(", ");

/** A row has two lines on a phone: amount and rest of the period, what differs and who paid. */
const COLUMNS: readonly Column<UnmatchedPayment>[] = [
  { title: texts.common.amount, cell: (payment) => <PaymentLink payment={payment} /> },
  { title: texts.payment.unmatched.differs, cell: differenceOf, wideOnly: true },
  {
    title: texts.common.intent,
    cell: ({ intent }) => (intent === null ? texts.common.none : <ObjectLink id={intent} inRow />),
    wideOnly: true,
  },
  {
    title: texts.paymentLists.payments.sender,
    cell: ({ sender }) => (sender === null ? texts.common.none : <Sender address={sender} />),
    wideOnly: true,
  },
  {
    title: texts.paymentLists.payments.left,
    end: "narrow",
    cell: (payment) => (
      <span className="grid gap-1 max-md:justify-items-end">
        <PeriodLeft payment={followedOf(payment)} />
        <span className="text-small md:hidden">
          {payment.sender === null ? null : <Sender address={payment.sender} />}
        </span>
      </span>
    ),
  },
];

/** The payments that match no order, in the escrow or ended (§13.10.15). */
export function UnmatchedPage() {
  const { path } = useTenant();
  const [state, setState] = useState<"open" | "ended">("open");
  const payments = useQuery({ ...read("listUnmatchedPayments", { path, query: { state } }), refetchInterval: LIVE_MS });
  const empty = texts.paymentLists.unmatched[state === "open" ? "empty" : "emptyEnded"];
  return (
    <Page
      title={texts.paymentLists.unmatched.title}
      text={texts.paymentLists.unmatched.text}
      actions={
        <Link to="/$business/$environment/payments" params={path}>
          {texts.paymentLists.unmatched.all}
        </Link>
      }
    >
      <fieldset aria-label={texts.common.status} className="m-0 flex flex-wrap gap-2 border-0 p-0">
        {(["open", "ended"] as const).map((one) => (
          <Button
            key={one}
            kind={one === state ? "plain" : "quiet"}
            aria-pressed={one === state}
            onClick={() => setState(one)}
          >
            {texts.paymentLists.unmatched.states[one]}
          </Button>
        ))}
      </fieldset>
      <QueryState query={payments}>
        {({ data, hasMore }) =>
          data.length === 0 ? (
            <EmptyState title={empty.title}>{empty.text}</EmptyState>
          ) : (
            <>
              <Table
                caption={texts.paymentLists.unmatched.title}
                columns={COLUMNS}
                rows={data}
                keyOf={({ id }) => id}
              />
              {hasMore ? <p className="text-soft">{texts.paymentLists.unmatched.hasMore}</p> : null}
            </>
          )
        }
      </QueryState>
    </Page>
  );
}

function PaymentLink({ payment }: { readonly payment: UnmatchedPayment }) {
  const { path } = useTenant();
  const { id, amount, asset } = payment;
  return (
    <span className="grid justify-items-start gap-1">
      <Link
        className="font-semibold text-ink"
        to="/$business/$environment/payments/$payment"
        params={{ ...path, payment: id }}
      >
        {asset === null ? amount : <RowAmount amount={amount} asset={asset} />}
      </Link>
      <span className="text-small text-soft md:hidden">
        {payment.mismatch.length === 0
          ? differenceOf(payment)
          : texts.paymentLists.unmatched.differs(differenceOf(payment))}
      </span>
      {payment.note === null ? null : <span className="max-w-text break-words text-small">{payment.note}</span>}
    </span>
  );
}
