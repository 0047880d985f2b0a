import { Badge } from "@holdfast/ui/badge.tsx";
import type { Column } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { Link } from "@tanstack/react-router";
import type { ListedPaymentIntent } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { NewPaymentButton } from "../newPayment/newPayment.tsx";
import { fiatText } from "../objects/fiat.ts";
import { periodText } from "../objects/periods.ts";
import { ListPage } from "../pages/listPage.tsx";
import { useTenant } from "../shell/tenant.ts";
import { INTENT_TONES } from "./intentTones.ts";
import { RowAmount, RowReference } from "./rowCells.tsx";
import { SearchForm } from "./searchForm.tsx";
import { useTokenOptions } from "./tokenOptions.ts";

const VIEWS = [
  { title: texts.paymentLists.intents.views.all, filters: {} },
  { title: texts.paymentLists.intents.views.requires_payment, filters: { status: "requires_payment" } },
  { title: texts.paymentLists.intents.views.paid, filters: { status: "paid" } },
  { title: texts.paymentLists.intents.views.expired, filters: { status: "expired" } },
  { title: texts.paymentLists.intents.views.canceled, filters: { status: "canceled" } },
] as const;

/** A row has two lines on a phone: amount and status, reference and time. */
const columnsWith = (changed: ReadonlySet<string>): readonly Column<ListedPaymentIntent>[] => [
  { title: texts.common.amount, cell: (intent) => <IntentLink intent={intent} />, end: "wide" },
  {
    title: texts.common.status,
    end: "narrow",
    cell: ({ id, status, createdAt }) => (
      <span className="grid gap-1 max-md:justify-items-end md:justify-items-start">
        {changed.has(id) ? (
          <Badge tone="neutral">{texts.paymentLists.changed}</Badge>
        ) : (
          <Badge tone={INTENT_TONES[status]}>{texts.paymentLists.intents.statuses[status]}</Badge>
        )}
        <span className="text-small text-soft md:hidden">
          <Time at={createdAt} inRow />
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
    title: texts.payments.protection,
    cell: ({ protectionPeriod }) => <span className="whitespace-nowrap">{periodText(protectionPeriod)}</span>,
    wideOnly: true,
  },
  { title: texts.common.created, cell: ({ createdAt }) => <Time at={createdAt} inRow />, wideOnly: true },
  { title: texts.common.expires, cell: ({ expiresAt }) => <Time at={expiresAt} inRow />, wideOnly: true },
];

/** The payment intents of an environment (§13.10.8). */
export function IntentsPage() {
  const { path } = useTenant();
  return (
    <ListPage
      operation="listPaymentIntents"
      input={{ path }}
      title={texts.paymentLists.intents.title}
      text={texts.paymentLists.intents.text}
      filters={texts.paymentLists.intents.filters}
      options={useTokenOptions()}
      actions={<NewPaymentButton />}
      views={VIEWS}
      columns={columnsWith}
      empty={texts.paymentLists.intents.empty}
      orderOf={({ id }) => id}
    >
      <SearchForm />
    </ListPage>
  );
}

function IntentLink({ intent }: { readonly intent: ListedPaymentIntent }) {
  const { id, amount, price, asset, merchantReference } = intent;
  const { path } = useTenant();
  return (
    <span className="grid gap-1 max-md:justify-items-start md:justify-items-end">
      <Link
        className="font-semibold text-ink"
        to="/$business/$environment/intents/$intent"
        params={{ ...path, intent: id }}
      >
        <RowAmount amount={amount} asset={asset} />
      </Link>
      {price === null ? null : (
        <span className="whitespace-nowrap text-small text-soft tabular-nums">
          {fiatText(price.amount, price.currency)}
        </span>
      )}
      <span className="text-small text-soft md:hidden">
        <RowReference text={merchantReference} />
      </span>
    </span>
  );
}
