import { useEffect, useRef, useState } from "react";
import type uPlot from "uplot";
import { barHeights, hasBars, ticksOf, topOf } from "./bars.ts";
import { PART_TEXTS } from "./texts.ts";

export interface ChartProps {
  /** The subject and the result of the chart, for screen readers. A table on the page has the values. */
  readonly label: string;
  /** Seconds since 1970, in their order. */
  readonly at: readonly number[];
  /** A value for each time; null: there is none, and the line has a gap. */
  readonly values: readonly (number | null)[];
  /** Values of an earlier time, for comparison: a dashed line behind the other, which is then no bars. */
  readonly earlier?: readonly (number | null)[];
  readonly tone: keyof typeof TONES;
  /** Formats a value for the axis. */
  readonly show: (value: number) => string;
  /** The end of the axis, if it does not follow the values. */
  readonly max?: number;
  /** Taller than others where the screen is wide: the main chart of a page. */
  readonly isTall?: boolean;
  /** Charts of one group highlight the same time together. */
  readonly group: string;
  /** Called with the index of the highlighted value; null: none is. */
  readonly onPoint: (index: number | null) => void;
}

const TONES = { accent: "--accent", info: "--info", wait: "--wait" } as const;
// biome-ignore lint/plugin: names of fonts are not texts for readers
const FONT = '12px ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
const BAR_WIDTH_MAX = 24;
const LABEL_WIDTH = 60;
/** The part of the scale below 0, so that a line at 0 is visible, too. */
const BELOW_ZERO = 0.06;
const HOUR = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

/** A line over time. The library that draws it is loaded with the first chart; the page is complete without it. */
export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const [hasFailed, setFailed] = useState(false);
  const { at, values, earlier } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart is drawn again when its values have changed
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let stop: (() => void) | null = null;
    let isGone = false;
    import("uplot").then(
      ({ default: Plot }) => {
        if (!isGone) stop = draw(Plot, element, latest.current, (index) => latest.current.onPoint(index));
      },
      () => setFailed(true),
    );
    return () => {
      isGone = true;
      stop?.();
    };
  }, [at, values, earlier]);
  return hasFailed ? (
    <p className="text-small text-soft">{PART_TEXTS.chartFailed}</p>
  ) : (
    <div
      ref={place}
      role="img"
      aria-label={props.label}
      className={`min-w-0 overflow-hidden ${props.isTall ? "h-[208px] max-md:h-[140px]" : "h-[140px]"}`}
    />
  );
}

/** Draws, and draws again when the width or the colours of the page change. Returns a function that removes the chart. */
function draw(
  Plot: typeof uPlot,
  element: HTMLElement,
  props: ChartProps,
  onPoint: (index: number | null) => void,
): () => void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const { at, values, earlier, max } = props;
  const heights = hasBars(values, earlier) ? barHeights(values, max) : [...values];
  const data: uPlot.AlignedData = [[...at], ...(earlier === undefined ? [] : [[...earlier]]), heights];
  const create = () => new Plot(optionsOf(Plot, props, element, onPoint), data, element);
  let plot = create();
  const redraw = () => {
    plot.destroy();
    plot = create();
  };
  const observer = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = element;
    if (width !== plot.width || height !== plot.height) plot.setSize({ width, height });
  });
  observer.observe(element);
  dark.addEventListener("change", redraw);
  return () => {
    dark.removeEventListener("change", redraw);
    observer.disconnect();
    plot.destroy();
  };
}

function optionsOf(
  Plot: typeof uPlot,
  { at, values, earlier, tone, show, max, group }: ChartProps,
  element: HTMLElement,
  onPoint: (index: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const [soft, line, stroke] = [colour("--soft"), colour("--line"), colour(TONES[tone])];
  const isShort = (at.at(-1) ?? 0) - (at[0] ?? 0) <= 2 * DAY_SECONDS;
  const format = isShort ? HOUR : DAY;
  const isBars = hasBars(values, earlier);
  // Half a bar on either side, so that the first and the last one are whole; uPlot derives no span from a single value.
  const [first = 0, second = first + HOUR_SECONDS] = at;
  const ends: [number, number] = [first - (second - first) / 2, (at.at(-1) ?? 0) + (second - first) / 2];
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    // The last label stands below the end, and half of it beyond.
    padding: [8, LABEL_WIDTH / 2, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, sync: { key: group }, points: { size: 7 } },
    scales: {
      x: {
        time: true,
        ...(isBars ? { range: () => ends } : {}),
      },
      y: {
        range: (_, __, most) => {
          const top = topOf(max, most);
          return [isBars ? 0 : -BELOW_ZERO * top, top];
        },
      },
    },
    axes: [
      {
        stroke: soft,
        font: FONT,
        size: 28,
        space: LABEL_WIDTH,
        incrs: isShort ? [HOUR_SECONDS, 10_800, 21_600, 43_200] : [1, 2, 7, 14, 28].map((days) => days * DAY_SECONDS),
        // A label between two values would name a day or a week that has none.
        ...(second - first < 23 * HOUR_SECONDS ? {} : { splits: () => ticksOf(at, element.clientWidth, LABEL_WIDTH) }),
        grid: { show: false },
        ticks: { stroke: line, width: 1, size: 4 },
        values: (_, splits) => splits.map((seconds) => format.format(seconds * 1_000)),
      },
      {
        stroke: soft,
        font: FONT,
        size: 54,
        space: 36,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        values: (_, splits) => splits.map(show),
      },
    ],
    series: [
      {},
      ...(earlier === undefined
        ? []
        : [{ stroke: colour("--edge"), width: 1.5, dash: [4, 4], points: { show: false } }]),
      {
        stroke,
        ...(isBars
          ? {
              fill: stroke,
              width: 0,
              paths: Plot.paths.bars!({ size: [0.7, BAR_WIDTH_MAX] }),
              points: { show: false },
            }
          : {
              width: 2,
              // A line needs two values: a single one is drawn as a point.
              points: { show: true, size: 5, fill: stroke, filter: () => placesAlone(values) },
            }),
      },
    ],
    hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
  };
}

/** Returns the indices of values without a neighbour to draw a line to. */
const placesAlone = (values: readonly (number | null)[]): number[] =>
  values.flatMap((value, place) =>
    value !== null && (values[place - 1] ?? null) === null && (values[place + 1] ?? null) === null ? [place] : [],
  );
