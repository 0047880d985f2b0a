import { Button } from "@holdfast/ui/button.tsx";
import { Chart, type ChartProps } from "@holdfast/ui/chart.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { read } from "../api/queries.ts";
import type { WebhookHour } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { Section } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import {
  answeredMs,
  SPANS,
  type SpanDays,
  seriesOf,
  showDuration,
  showRate,
  spanOf,
  successRate,
  sumOf,
  waitedMs,
} from "./figures.ts";

interface FiguresProps {
  readonly title: string;
  /** The endpoint's id; null: all of the environment's endpoints. */
  readonly endpoint: string | null;
  /** The days of the span, as the URL has them. */
  readonly days: string | undefined;
  readonly onDays: (days: SpanDays) => void;
}

/** The results of attempts, hour by hour: three charts, and the same as a table. */
export function FiguresSection({ title, endpoint, days, onDays }: FiguresProps) {
  const { path } = useTenant();
  const span = spanOf(days);
  const text = texts.webhooks.spans[span];
  const query = { days: span };
  const all = useQuery({ ...read("listAllWebhookHours", { path, query }), enabled: endpoint === null });
  const own = useQuery({
    ...read("listWebhookHours", { path: { ...path, endpoint: endpoint ?? "" }, query }),
    enabled: endpoint !== null,
  });
  return (
    <Section
      title={title}
      actions={SPANS.map((one) => (
        <Button
          key={one}
          kind={one === span ? "plain" : "quiet"}
          aria-pressed={one === span}
          onClick={() => onDays(one)}
        >
          {texts.webhooks.spans[one]}
        </Button>
      ))}
    >
      <QueryState query={endpoint === null ? all : own}>
        {({ data, from, at }) =>
          data.length === 0 ? (
            <EmptyState title={texts.webhooks.figures.emptyTitle(text)}>{texts.webhooks.figures.emptyText}</EmptyState>
          ) : (
            <Figures hours={data} fromMs={Date.parse(from)} toMs={Date.parse(at)} text={text} />
          )
        }
      </QueryState>
    </Section>
  );
}

interface FigureOfHours {
  readonly title: string;
  readonly of: (hour: Parameters<typeof successRate>[0]) => number | null;
  readonly show: (value: number | null) => string;
  readonly chart: Pick<ChartProps, "tone" | "max">;
}

const FIGURES: Readonly<Record<"successRate" | "answered" | "waited", FigureOfHours>> = {
  successRate: {
    title: texts.webhooks.figures.successRate,
    of: successRate,
    show: showRate,
    chart: { tone: "accent", max: 100 },
  },
  answered: { title: texts.webhooks.figures.answered, of: answeredMs, show: showDuration, chart: { tone: "info" } },
  waited: { title: texts.webhooks.figures.waited, of: waitedMs, show: showDuration, chart: { tone: "wait" } },
};

function Figures({
  hours,
  fromMs,
  toMs,
  text,
}: {
  readonly hours: readonly WebhookHour[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly text: string;
}) {
  const [place, setPlace] = useState<number | null>(null);
  const series = useMemo(() => seriesOf(hours, fromMs, toMs), [hours, fromMs, toMs]);
  const sum = sumOf(hours);
  const pointed = place === null ? undefined : series.at[place];
  return (
    <div className="grid gap-3">
      {/* On a narrow screen the charts form a row that finger and keyboard scroll, so that the list below stays near. */}
      <section
        aria-label={texts.webhooks.figures.charts}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        className="grid grid-cols-3 gap-3 max-md:auto-cols-[86%] max-md:grid-flow-col max-md:grid-cols-none max-md:overflow-x-auto"
      >
        {(Object.keys(FIGURES) as (keyof typeof FIGURES)[]).map((name) => {
          const { title, of, show, chart } = FIGURES[name];
          const total = show(of(sum));
          return (
            <figure key={name} className="m-0 grid min-w-0 gap-1 rounded-card border border-line p-4 max-md:p-3">
              <figcaption className="grid">
                <span className="text-small text-soft">{title}</span>
                <span className="text-figure font-semibold tabular-nums">
                  {pointed === undefined ? total : show(series[name][place!] ?? null)}
                </span>
                <span className="text-small text-soft">
                  {pointed === undefined ? (
                    texts.webhooks.figures.inSpan(text)
                  ) : (
                    <Filled
                      text={texts.webhooks.figures.inHour}
                      slots={{ time: <Time at={new Date(pointed * 1_000).toISOString()} /> }}
                    />
                  )}
                </span>
              </figcaption>
              <Chart
                {...chart}
                label={texts.webhooks.figures.chart(title, total, text)}
                group="figures"
                at={series.at}
                values={series[name]}
                show={show}
                onPoint={setPlace}
              />
            </figure>
          );
        })}
      </section>
      <details>
        <summary className="cursor-pointer font-medium">{texts.webhooks.figures.showTable}</summary>
        <div className="pt-3">
          <HourTable hours={hours} />
        </div>
      </details>
    </div>
  );
}

const HourTable = ({ hours }: { readonly hours: readonly WebhookHour[] }) => (
  <Table
    caption={texts.webhooks.figures.table}
    columns={[
      { title: texts.webhooks.figures.hour, cell: ({ hour }: WebhookHour) => <Time at={hour} /> },
      { title: texts.webhooks.figures.attempts, cell: ({ attempts }) => attempts, end: true, wideOnly: true },
      { title: texts.webhooks.figures.succeeded, cell: (hour) => showRate(successRate(hour)), end: true },
      { title: texts.webhooks.figures.responseTime, cell: (hour) => showDuration(answeredMs(hour)), end: true },
      {
        title: texts.webhooks.figures.longest,
        cell: ({ tookMsMax }) => showDuration(tookMsMax),
        end: true,
        wideOnly: true,
      },
      { title: texts.webhooks.figures.wait, cell: (hour) => showDuration(waitedMs(hour)), end: true, wideOnly: true },
    ]}
    rows={hours.toReversed()}
    keyOf={({ hour }) => hour}
  />
);
