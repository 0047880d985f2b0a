import { EmptyState } from "@holdfast/ui/states.tsx";
import { type Column, Table } from "@holdfast/ui/table.tsx";
import type { Key, ReactNode } from "react";
import { Section } from "../shell/page.tsx";
import { QueryState, type Reading } from "../shell/queryState.tsx";

/** A section of a page with the rows that belong to its object. */
export const TableSection = <Row,>({
  title,
  text,
  actions,
  query,
  columns,
  keyOf,
  empty,
}: {
  readonly title: string;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  readonly query: Reading<{ readonly data: readonly Row[] }>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => Key;
  readonly empty: { readonly title: string; readonly text: string };
}) => (
  <Section title={title} text={text} actions={actions}>
    <QueryState query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState title={empty.title}>{empty.text}</EmptyState>
        ) : (
          <Table caption={title} columns={columns} rows={data} keyOf={keyOf} />
        )
      }
    </QueryState>
  </Section>
);
