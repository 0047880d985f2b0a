import { inOne } from "@holdfast/ui/amount.ts";
import { Table } from "@holdfast/ui/table.tsx";
import type { AssetOverview, DaySum } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { textOfAmount } from "../objects/amount.tsx";

/** The figures of a chart as a table, which opens below it. */
export const PointsTable = ({
  summary,
  caption,
  from,
  show,
  points,
  asset,
}: {
  readonly summary: string;
  readonly caption: string;
  /** The title of the column of days. */
  readonly from: string;
  readonly show: (day: string) => string;
  readonly points: readonly DaySum[];
  readonly asset: AssetOverview;
}) => (
  <details>
    <summary className="cursor-pointer font-medium">{summary}</summary>
    <div className="pt-3">
      <Table
        caption={caption}
        columns={[
          { title: from, cell: (point: DaySum) => show(point.from) },
          { title: texts.home.payments, cell: ({ payments }) => payments, end: true },
          {
            title: texts.common.amount,
            cell: ({ amount }) => inOne(textOfAmount(amount, asset.asset, asset)),
            end: true,
          },
        ]}
        rows={points}
        keyOf={(point) => point.from}
      />
    </div>
  </details>
);
