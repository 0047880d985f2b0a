const DAY = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
const DATE = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** A day of UTC with its weekday: "Wed, Nov 25". */
export const dayText = (day: string): string => DAY.format(new Date(day));
/** The same without the weekday. */
export const dateText = (day: string): string => DATE.format(new Date(day));
