import { inOne } from "@holdfast/ui/amount.ts";
import { type Column, Table } from "@holdfast/ui/table.tsx";
import type { Books, BooksFinding } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { textOfAmount } from "../objects/amount.tsx";
import { ObjectLink } from "../objects/objectLink.tsx";
import { Section } from "../shell/page.tsx";

const SLOT = new Intl.NumberFormat();

/** The differences that the last check found, or the gifts. */
export const Findings = ({ books, isGifts }: { readonly books: Books; readonly isGifts: boolean }) => {
  const title = isGifts ? texts.books.giftsTitle : texts.books.differences;
  return (
    <Section title={title} text={isGifts ? texts.books.giftsText : texts.books.differencesText}>
      <Table
        caption={title}
        columns={COLUMNS}
        rows={books.findings.filter(({ kind }) => (kind === "gift") === isGifts)}
        keyOf={({ kind, payment, asset }) => `${kind} ${payment} ${asset}`}
      />
      {books.hasMoreFindings ? <p className="text-small text-soft">{texts.books.moreFindings}</p> : null}
    </Section>
  );
};

const COLUMNS: readonly Column<BooksFinding>[] = [
  {
    title: texts.books.payment,
    cell: ({ payment, reference, symbol, asset }) =>
      payment === null ? (
        `${texts.books.sumsOf} ${symbol ?? asset}`
      ) : (
        <>
          {reference === null ? null : <span className="block break-words">{reference}</span>}
          <ObjectLink id={payment} inRow />
        </>
      ),
  },
  { title: texts.books.finding, cell: describe },
  { title: texts.books.slot, cell: ({ slot }) => (slot === null ? "–" : SLOT.format(slot)), end: true, wideOnly: true },
];

function describe({ kind, detail, ...finding }: BooksFinding): string {
  const amount = inOne(textOfAmount(finding.amount, finding.asset, finding));
  switch (kind) {
    case "record_differs":
    case "sums_differ":
      return texts.books.kinds[kind](detail ?? "");
    default:
      return texts.books.kinds[kind](amount);
  }
}
