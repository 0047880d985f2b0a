import { addDays } from "../home/figures.ts";

/** A period of the books as the address of the page has it; a bound that is left out is not set. */
export interface Period {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

const MONTH = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" });

/** This month and the two before it, each with its name. */
export function latestMonths(today: string): readonly (Period & { readonly title: string })[] {
  const months: (Period & { title: string })[] = [];
  let last = today;
  for (let count = 0; count < 3; count++) {
    const from = `${last.slice(0, 8)}01`;
    const until = addDays(`${addDays(from, 31).slice(0, 8)}01`, -1);
    months.push({ title: MONTH.format(new Date(from)), from, until });
    last = addDays(from, -1);
  }
  return months;
}
