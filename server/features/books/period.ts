/** A period of days of UTC, the last one included. */
export interface BooksPeriod {
  readonly from: string;
  readonly until: string;
  /** True if it goes on to the present. */
  readonly isNow: boolean;
}

/** Before the first payment, and after the last: `infinity` is the row of all days. */
const FIRST_DAY = "1970-01-01";
const LAST_DAY = "9999-12-31";

/** The period between two days; null: without a bound. */
export const periodOf = (from: string | null, until: string | null, today: string): BooksPeriod => ({
  from: from ?? FIRST_DAY,
  until: until ?? LAST_DAY,
  isNow: until === null || until >= today,
});
