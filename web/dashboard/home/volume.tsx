import { inOne } from "@holdfast/ui/amount.ts";
import { Chart } from "@holdfast/ui/chart.tsx";
import { useMemo, useState } from "react";
import type { AssetOverview, DaySum } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { textOfAmount } from "../objects/amount.tsx";
import { dateText } from "./days.ts";
import { Figure, showCompact } from "./escrow.tsx";
import { heightOf, LINE_WEEKS, secondsOf, volumeWeeks } from "./figures.ts";
import { PointsTable } from "./pointsTable.tsx";

/** What was paid, week by week, beside the weeks before. */
export function VolumeSection({
  asset,
  paid,
  today,
}: {
  readonly asset: AssetOverview;
  readonly paid: readonly DaySum[];
  readonly today: string;
}) {
  const [place, setPlace] = useState<number | null>(null);
  const weeks = useMemo(() => volumeWeeks(paid, today), [paid, today]);
  const series = useMemo(() => {
    const heights = weeks.map((week) => heightOf(week, asset.decimals));
    return {
      at: weeks.slice(LINE_WEEKS).map(({ from }) => secondsOf(from)),
      values: heights.slice(LINE_WEEKS),
      earlier: heights.slice(0, LINE_WEEKS),
    };
  }, [weeks, asset.decimals]);
  const show = (amount: string) => inOne(textOfAmount(amount, asset.asset, asset));
  const now = weeks.at(-1)!;
  const pointed = place === null ? undefined : weeks[LINE_WEEKS + place];
  return (
    <section className="grid gap-4 rounded-card border border-line p-5 max-md:p-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="grid">
          <h2 className="text-small text-soft">{texts.home.paidThisWeek}</h2>
          <Figure amount={now.amount} asset={asset} isLarge />
        </div>
        <ul className="m-0 flex list-none flex-wrap gap-4 p-0 text-small text-soft">
          <li className="flex items-center gap-2">
            <span aria-hidden="true" className="w-[16px] border-t-2 border-accent" />
            {texts.home.latestWeeks}
          </li>
          <li className="flex items-center gap-2">
            <span aria-hidden="true" className="w-[16px] border-t-2 border-dashed border-line" />
            {texts.home.weeksBefore}
          </li>
        </ul>
      </div>
      <figure className="m-0 grid gap-1">
        <figcaption className="text-small text-soft">
          {pointed === undefined ? texts.home.volume : texts.home.inWeek(show(pointed.amount), dateText(pointed.from))}
        </figcaption>
        <Chart
          label={texts.home.volumeChart(show(now.amount))}
          group="volume"
          tone="accent"
          at={series.at}
          values={series.values}
          earlier={series.earlier}
          show={showCompact}
          onPoint={setPlace}
        />
      </figure>
      <PointsTable
        summary={texts.home.showVolume}
        caption={texts.home.volumeTable}
        from={texts.home.week}
        show={dateText}
        points={weeks.toReversed()}
        asset={asset}
      />
    </section>
  );
}
