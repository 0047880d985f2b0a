import type { LiveData } from "./data.ts";

/** Shows every time in the reader's own zone; the exact one is its tooltip. */
export function localizeTimes(root: ParentNode, { locale, timeFormat }: Pick<LiveData, "locale" | "timeFormat">): void {
  const format = new Intl.DateTimeFormat(locale, timeFormat);
  for (const element of root.querySelectorAll<HTMLTimeElement>("time[datetime]:not([data-left])"))
    element.textContent = format.format(new Date(element.dateTime));
}
