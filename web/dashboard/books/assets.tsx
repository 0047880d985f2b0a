import { inOne } from "@holdfast/ui/amount.ts";
import { Badge } from "@holdfast/ui/badge.tsx";
import { type Column, Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import type { ReactNode } from "react";
import type { BooksAsset } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { textOfAmount } from "../objects/amount.tsx";
import { fiatText } from "../objects/fiat.ts";

interface AssetsProps {
  readonly assets: readonly BooksAsset[];
  readonly checkedAt: string | null;
}

/** The sums of each token: a row, or on a phone a card of its own. */
export const AssetsSection = ({ assets, checkedAt }: AssetsProps) => {
  const columns = columnsOf(checkedAt);
  return (
    <>
      <div className="max-md:hidden">
        <Table caption={texts.books.title} columns={columns} rows={assets} keyOf={({ asset }) => asset} />
      </div>
      <ul aria-label={texts.books.title} className="m-0 grid list-none gap-4 p-0 md:hidden">
        {assets.map((asset) => (
          <li key={asset.asset} className="rounded-card border border-line p-4">
            <h2 className="break-all pb-2 text-lead font-semibold">{nameOf(asset)}</h2>
            <dl className="m-0 grid gap-2">
              {columns.slice(1).map(({ title, cell }) => (
                <div key={title} className="flex items-start justify-between gap-4">
                  <dt className="text-soft">{title}</dt>
                  <dd className="m-0 text-right tabular-nums">{cell(asset)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </>
  );
};

const nameOf = ({ symbol, asset }: BooksAsset): string => symbol ?? asset;
const show = (amount: string, asset: BooksAsset): string => textOfAmount(amount, asset.asset, asset).figure;
const withUnit = (amount: string, asset: BooksAsset): string => inOne(textOfAmount(amount, asset.asset, asset));

/** A line below an amount. A short one makes the column as wide as itself. */
const Below = ({ children, isShort = false }: { readonly children: ReactNode; readonly isShort?: boolean }) => (
  <span className={`block text-small text-soft ${isShort ? "whitespace-nowrap" : ""}`}>{children}</span>
);

const columnsOf = (checkedAt: string | null): readonly Column<BooksAsset>[] => [
  { title: texts.books.token, cell: (asset) => <span className="break-all font-semibold">{nameOf(asset)}</span> },
  {
    title: texts.books.paid,
    cell: (asset) => (
      <>
        {show(asset.paid, asset)}
        <Below isShort>{texts.books.ofPayments(asset.paidPayments)}</Below>
        <Value asset={asset} kind="paid" />
        {asset.prices.map(({ currency, paid, payments }) => (
          <Below key={currency}>{texts.books.priced(fiatText(paid, currency), payments)}</Below>
        ))}
      </>
    ),
    end: true,
  },
  { title: texts.books.inEscrow, cell: (asset) => show(asset.inEscrow, asset), end: true },
  {
    title: texts.books.released,
    cell: (asset) => (
      <>
        {show(asset.released, asset)}
        <Below isShort>{texts.books.ofPayments(asset.releasedPayments)}</Below>
        <Value asset={asset} kind="released" />
      </>
    ),
    end: true,
  },
  {
    title: texts.books.refunded,
    cell: (asset) => (
      <>
        {show(asset.refunded, asset)}
        <Below isShort>{texts.books.ofPayments(asset.refundedPayments)}</Below>
        <Value asset={asset} kind="refunded" />
      </>
    ),
    end: true,
  },
  { title: texts.books.leaving, cell: (asset) => <Leaving asset={asset} />, end: true },
  { title: texts.books.vaults, cell: (asset) => <Vaults asset={asset} checkedAt={checkedAt} />, end: true },
];

const PAYMENTS = { paid: "paidPayments", released: "releasedPayments", refunded: "refundedPayments" } as const;
const VALUED = { paid: "paidPayments", released: "releasedPayments", refunded: "refundedPayments" } as const;

/** The value in the reporting currency, and how many payments have none. */
function Value({ asset, kind }: { readonly asset: BooksAsset; readonly kind: keyof typeof VALUED }) {
  const { values } = asset;
  if (values === null) return null;
  const [payments, valued] = [asset[PAYMENTS[kind]], values[VALUED[kind]]];
  if (valued === 0 && payments > 0) return <Below isShort>{texts.values.noneIn(values.currency)}</Below>;
  const missing = payments - valued;
  return (
    <>
      <Below isShort>{fiatText(values[kind], values.currency)}</Below>
      {missing > 0 ? <Below>{texts.values.without(missing)}</Below> : null}
    </>
  );
}

function Leaving({ asset }: { readonly asset: BooksAsset }) {
  const { leavingToRecipients: toRecipients, leavingToSenders: toSenders } = asset;
  if (toRecipients === null || toSenders === null) return "–";
  const sum = show(String(BigInt(toRecipients) + BigInt(toSenders)), asset);
  return (
    <>
      {sum}
      {toRecipients === "0" ? null : <Below>{texts.books.toYou(show(toRecipients, asset))}</Below>}
      {toSenders === "0" ? null : <Below>{texts.books.toBuyers(show(toSenders, asset))}</Below>}
    </>
  );
}

function Vaults({ asset, checkedAt }: { readonly asset: BooksAsset; readonly checkedAt: string | null }) {
  const { comparison, differences, inEscrow, leavingToRecipients } = asset;
  // A token whose first payment came after the last check.
  const isNew = comparison === null && differences === 0 && leavingToRecipients !== null && inEscrow !== "0";
  if (checkedAt === null || isNew) return <span className="text-soft">{texts.books.notChecked}</span>;
  const { held, vaults, gifts } = comparison ?? { held: "0", vaults: "0", gifts: "0" };
  const own = BigInt(vaults) - BigInt(gifts);
  const missing = BigInt(held) - own;
  // The figure is of the check, the row of now: a payment may have come or left since.
  const isOfNow = held === inEscrow;
  const tone = differences > 0 ? "bad" : isOfNow ? "good" : "neutral";
  return (
    <>
      <span className="font-semibold">{show(String(own), asset)}</span>{" "}
      <Badge tone={tone}>{differences > 0 ? texts.books.differs : isOfNow ? texts.books.ties : texts.books.tied}</Badge>
      {isOfNow ? null : (
        <Below>
          <Filled text={texts.books.heldThen(show(held, asset))} slots={{ time: <Time at={checkedAt} /> }} />
        </Below>
      )}
      {missing > 0n ? (
        <span className="block text-small text-bad">{texts.books.less(withUnit(String(missing), asset))}</span>
      ) : null}
      {gifts === "0" ? null : <Below>{texts.books.gifts(withUnit(gifts, asset))}</Below>}
    </>
  );
}
