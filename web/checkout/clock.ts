import type { LiveData } from "./data.ts";

/** Shows every time in the reader's own zone; the exact one is its tooltip. */
export function localizeTimes(root: ParentNode, { locale, timeFormat }: Pick<LiveData, "locale" | "timeFormat">): void {
  const format = new Intl.DateTimeFormat(locale, timeFormat);
  for (const element of root.querySelectorAll<HTMLTimeElement>("time[datetime]:not([data-left])"))
    element.textContent = format.format(new Date(element.dateTime));
}

const MINUTE_MS = 60_000;

/** Counts down the remaining time. The server says how long it is, so a wrong clock of the device does not matter. */
export function countDown(data: LiveData, onEnd: () => void): void {
  const startedAt = performance.now();
  const initial = document.getElementById("left")?.dataset.left;
  if (initial === undefined) return;
  const tick = () => {
    // The panel may have been replaced since.
    const element = document.getElementById("left");
    if (element === null) return;
    const left = Number(initial) - (performance.now() - startedAt);
    element.textContent = timeLeft(data, left);
    if (left < 0) return onEnd();
    setTimeout(tick, Math.min(left < MINUTE_MS ? left + 50 : (left % MINUTE_MS) + 50, MINUTE_MS));
  };
  tick();
}

function timeLeft({ locale, texts }: LiveData, ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return texts.lessThanAMinute ?? "";
  const show = (count: number, unit: string, unitDisplay: "long" | "narrow" = "narrow") =>
    count === 0 ? "" : new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay }).format(count);
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60), minutes % 60];
  return [show(days, "day", "long"), show(hours, "hour"), days > 0 ? "" : show(rest, "minute")]
    .filter((part) => part !== "")
    .join(" ");
}
