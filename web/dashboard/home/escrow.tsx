import { inOne } from "@holdfast/ui/amount.ts";
import { Button } from "@holdfast/ui/button.tsx";
import { Chart } from "@holdfast/ui/chart.tsx";
import { type ReactNode, useMemo, useState } from "react";
import type { AssetOverview, DaySum } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { textOfAmount } from "../objects/amount.tsx";
import { dayText } from "./days.ts";
import { heightOf, releaseDays, secondsOf, sumOf } from "./figures.ts";
import { PointsTable } from "./pointsTable.tsx";

interface EscrowProps {
  readonly asset: AssetOverview;
  readonly others: readonly AssetOverview[];
  /** True if there are more tokens than `others`. */
  readonly isMore: boolean;
  readonly today: string;
  readonly onChoose: (asset: string) => void;
}

const COMPACT = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
/** Writes a value on the axis of a chart. */
export const showCompact = (value: number): string => COMPACT.format(value);

/** An amount as a large figure with its unit. */
export const Figure = ({
  amount,
  asset,
  isLarge = false,
}: {
  readonly amount: string;
  readonly asset: AssetOverview;
  readonly isLarge?: boolean;
}) => {
  const { figure, unit } = textOfAmount(amount, asset.asset, asset);
  return (
    <span
      className={`break-words font-semibold tabular-nums ${isLarge ? "text-figure" : "text-title max-md:text-lead"}`}
    >
      {figure} <span className="break-all text-body text-soft">{unit}</span>
    </span>
  );
};

/** What waits in the escrow, when it is released, and what left this week. */
export const EscrowSection = (props: EscrowProps) => {
  const { asset, today } = props;
  const days = useMemo(() => releaseDays(asset, today), [asset, today]);
  const leaving = String(BigInt(asset.overdue) + BigInt(asset.decided));
  return (
    <section
      aria-label={texts.home.money}
      className="grid grid-cols-[minmax(0,1fr)_264px] gap-4 max-md:grid-cols-[minmax(0,1fr)]"
    >
      <Releases {...props} days={days} />
      <div className="grid gap-4 max-md:grid-cols-2 max-md:gap-3">
        <Card title={texts.home.releasedThisWeek} text={texts.home.sinceMonday(asset.week.releasedPayments)}>
          <Figure amount={asset.week.released} asset={asset} />
        </Card>
        <Card title={texts.home.refundedThisWeek} text={texts.home.sinceMonday(asset.week.refundedPayments)}>
          <Figure amount={asset.week.refunded} asset={asset} />
        </Card>
        <Card title={texts.home.inDispute} text={texts.home.ofPayments(asset.disputedPayments)}>
          <Figure amount={asset.disputed} asset={asset} />
        </Card>
        <Card title={texts.home.leaving} text={texts.home.leavingText}>
          <Figure amount={leaving} asset={asset} />
        </Card>
      </div>
      <PointsTable
        summary={texts.home.showReleases}
        caption={texts.home.releasesTable}
        from={texts.home.day}
        show={dayText}
        points={days.filter(({ payments }) => payments > 0)}
        asset={asset}
      />
    </section>
  );
};

const Card = ({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}) => (
  <div className="grid content-center gap-px rounded-card border border-line p-4 max-md:p-3">
    <h2 className="text-small text-soft">{title}</h2>
    {children}
    <p className="text-small text-soft">{text}</p>
  </div>
);

function Releases({ asset, others, isMore, onChoose, days }: EscrowProps & { readonly days: readonly DaySum[] }) {
  const [place, setPlace] = useState<number | null>(null);
  const series = useMemo(
    () => ({
      at: days.map(({ from }) => secondsOf(from)),
      values: days.map((day) => (day.payments === 0 ? null : heightOf(day, asset.decimals))),
    }),
    [days, asset.decimals],
  );
  const show = (amount: string) => inOne(textOfAmount(amount, asset.asset, asset));
  const pointed = place === null ? undefined : days[place];
  return (
    <div className="grid content-between gap-4 rounded-card border border-line p-5 max-md:p-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="grid">
          <h2 className="text-small text-soft">{texts.home.inEscrow}</h2>
          <Figure amount={asset.inEscrow} asset={asset} isLarge />
        </div>
        {others.length < 2 ? null : (
          <fieldset aria-label={texts.home.token} className="m-0 flex min-w-0 flex-wrap gap-1 border-0 p-0">
            {others.map((one) => (
              <Button
                key={one.asset}
                kind={one === asset ? "plain" : "quiet"}
                aria-pressed={one === asset}
                onClick={() => onChoose(one.asset)}
              >
                {one.symbol ?? `${one.asset.slice(0, 4)}…${one.asset.slice(-4)}`}
              </Button>
            ))}
          </fieldset>
        )}
      </div>
      <figure className="m-0 grid gap-1">
        <figcaption className="text-small text-soft">
          {pointed === undefined ? texts.home.releases : texts.home.onDay(show(pointed.amount), dayText(pointed.from))}
        </figcaption>
        <Chart
          label={texts.home.releasesChart(show(sumOf(days)))}
          group="releases"
          isTall
          tone="accent"
          at={series.at}
          values={series.values}
          show={showCompact}
          onPoint={setPlace}
        />
      </figure>
      <Sums asset={asset} days={days} show={show} />
      {isMore ? <p className="text-small text-soft">{texts.home.moreTokens}</p> : null}
    </div>
  );
}

function Sums({
  asset,
  days,
  show,
}: {
  readonly asset: AssetOverview;
  readonly days: readonly DaySum[];
  readonly show: (amount: string) => string;
}) {
  const sums: readonly (readonly [title: string, amount: string, isAlways?: boolean])[] = [
    [texts.home.today, sumOf(days.slice(0, 1)), true],
    [texts.home.next7, sumOf(days.slice(0, 7)), true],
    [texts.home.next30, sumOf(days), true],
    [texts.home.overdue, asset.overdue],
    [texts.home.decided, asset.decided],
    [texts.home.held(asset.disputedPayments), asset.disputed],
    [texts.home.returning, asset.returning],
  ];
  return (
    <dl className="m-0 flex flex-wrap gap-x-5 gap-y-2 border-t border-line pt-3 text-small text-soft">
      {sums
        .filter(([, amount, isAlways]) => isAlways || amount !== "0")
        .map(([title, amount]) => (
          <div key={title} className="flex flex-wrap gap-x-1">
            <dt>{title}</dt>
            <dd className="m-0 break-all font-semibold text-ink tabular-nums">{show(amount)}</dd>
          </div>
        ))}
    </dl>
  );
}
