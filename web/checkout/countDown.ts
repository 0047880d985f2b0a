import type { LiveData } from "./data.ts";

const MINUTE_MS = 60_000;

/** The part of the page that shows the time; `left` is in milliseconds when the server rendered it. */
interface Shown {
  textContent: string | null;
  readonly dataset: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns a function that counts down the time that remains, for the page and for each new part of it: another state has
 * another end. The server says how long it is, so a wrong clock of the device does not matter.
 */
export function countDown(
  data: Pick<LiveData, "locale" | "texts">,
  find: () => Shown | null,
  onEnd: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    const startedAt = performance.now();
    const element = find();
    if (element === null) return;
    const tick = () => {
      const left = Number(element.dataset.left) - (performance.now() - startedAt);
      element.textContent = timeLeft(data, left);
      if (left < 0) return onEnd();
      timer = setTimeout(tick, Math.min(left < MINUTE_MS ? left + 50 : (left % MINUTE_MS) + 50, MINUTE_MS));
    };
    tick();
  };
}

function timeLeft({ locale, texts }: Pick<LiveData, "locale" | "texts">, ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return texts.lessThanAMinute ?? "";
  const show = (count: number, unit: string) =>
    count === 0 ? "" : new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count);
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60), minutes % 60];
  return [show(days, "day"), show(hours, "hour"), days > 0 ? "" : show(rest, "minute")]
    .filter((part) => part !== "")
    .join(" ");
}
