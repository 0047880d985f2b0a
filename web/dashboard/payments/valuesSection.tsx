import { type Column, Table } from "@holdfast/ui/table.tsx";
import { useQuery } from "@tanstack/react-query";
import { read, SLOW_MS } from "../api/queries.ts";
import type { PaymentValue } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import type { ShownToken } from "../objects/amount.tsx";
import { fiatText, rateDayOf } from "../objects/fiat.ts";
import { Section } from "../shell/page.tsx";
import { useTenant } from "../shell/tenant.ts";

interface ValuesProps {
  readonly payment: string;
  readonly token: ShownToken;
}

/** The values of a payment in the reporting currency, or why it has none; nothing where the business has no currency. */
export function ValuesSection({ payment, token }: ValuesProps) {
  const { path } = useTenant();
  const values = useQuery({
    ...read("listPaymentValues", { path: { ...path, payment } }),
    refetchInterval: SLOW_MS,
  });
  const profile = useQuery(read("getBusinessProfile", { path: { business: path.business } }));
  const rows = values.data?.data ?? [];
  const currency = rows[0]?.currency ?? profile.data?.reportingCurrency;
  if (currency == null || values.data === undefined) return null;
  if (rows.length === 0)
    return (
      <Section title={texts.values.title(currency)}>
        <p className="text-soft">{texts.values.before(currency)}</p>
      </Section>
    );
  return (
    <Section title={texts.values.title(currency)} text={texts.values.text}>
      <Table
        caption={texts.values.title(currency)}
        columns={columnsOf(token)}
        rows={rows}
        keyOf={({ number }) => number}
      />
    </Section>
  );
}

const columnsOf = ({ show }: ShownToken): readonly Column<PaymentValue>[] => [
  { title: texts.values.kind, cell: ({ kind }) => texts.values.kinds[kind] },
  { title: texts.values.amount, cell: ({ amount }) => show(BigInt(amount)), end: true },
  {
    title: texts.values.value,
    cell: (entry) => (entry.value === null ? missingText(entry) : fiatText(entry.value, entry.currency)),
    end: true,
  },
  { title: texts.values.rate, cell: ({ rate }) => rate, end: true, wideOnly: true },
  {
    title: texts.values.source,
    cell: ({ source, rateDay }) =>
      source === null ? null : texts.values.of(texts.values.sources[source], rateDay ?? ""),
    end: true,
    wideOnly: true,
  },
];

const missingText = ({ missing, occurredAt }: PaymentValue): string =>
  missing === "waits" ? texts.values.waits(rateDayOf(occurredAt)) : texts.values.noRates;
