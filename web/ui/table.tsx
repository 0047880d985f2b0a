import type { Key, ReactNode } from "react";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers and buttons are at the end: always, or on screens of one width. */
  readonly end?: boolean | "wide" | "narrow";
  /** Left out on a narrow screen. */
  readonly wideOnly?: boolean;
  /** The title is for screen readers only: the cells are buttons. */
  readonly hideTitle?: boolean;
}

interface TableProps<Row> {
  /** The subject of the rows, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => Key;
  /** The frame around it is another part's. */
  readonly isFramed?: boolean;
}

const ENDS = { wide: "text-left md:text-right", narrow: "text-left max-md:text-right" } as const;
const cellClass = <Row,>({ end = false, wideOnly }: Column<Row>): string =>
  `${typeof end === "string" ? ENDS[end] : end ? "text-right" : "text-left"} ${wideOnly ? "max-md:hidden" : ""}`;

const frameClass = (isFramed: boolean): string =>
  `overflow-x-auto border-line ${isFramed ? "border-t" : "rounded-card border"}`;

export const Table = <Row,>({ caption, columns, rows, keyOf, isFramed = false }: TableProps<Row>) => (
  // A table that is too wide scrolls by itself, by keyboard too.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
  <section aria-label={caption} tabIndex={0} className={frameClass(isFramed)}>
    <table className="w-full border-collapse tabular-nums">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.title}
              scope="col"
              className={`border-b border-line px-4 py-2 text-small font-medium text-soft max-md:px-3 ${cellClass(column)}`}
            >
              {column.hideTitle ? <span className="sr-only">{column.title}</span> : column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className="border-b border-line last:border-b-0">
            {columns.map((column) => (
              <td key={column.title} className={`px-4 py-[9px] align-top max-md:px-3 ${cellClass(column)}`}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
