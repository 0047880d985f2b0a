/** A text that a spreadsheet would take for a formula: it begins with one of these, or with blanks and then one. */
const FORMULA = /^[\s\u0000]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/**
 * Blanks, quotes and ends of cells, with what begins a formula behind them. A spreadsheet that separates cells by something else,
 * such as semicolons or commas, ends cells at these, whatever the quotes around them.
 */
const BETWEEN = /[;,\s\u0000"]+[=+\-@\uff1d\uff0b\uff0d\uff20]?/g;
const ENDS_CELL = /[;\t\r\n][^;\t\r\n]*[=+\-@\uff1d\uff0b\uff0d\uff20]$/;
/** The same in a file that separates cells by semicolons, where a spreadsheet may take a comma for their end. */
const ENDS_CELL_OR_COMMA = /[;,\t\r\n][^;,\t\r\n]*[=+\-@\uff1d\uff0b\uff0d\uff20]$/;

const inert = (text: string, ends = ENDS_CELL): string =>
  `${FORMULA.test(text) ? "'" : ""}${text.replaceAll(BETWEEN, (run) => (ends.test(run) ? `${run.slice(0, -1)}'${run.at(-1)}` : run))}`;

/** A cell of CSV with any text: quoted, and inert in spreadsheets by an apostrophe where it would be a formula. */
export const textCell = (text: string): string => quoted(inert(text));
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The way in which a file writes its cells. */
export interface CellForm {
  /** Stands before the first line. */
  readonly mark: string;
  /** Any text. */
  readonly text: (text: string) => string;
  /** Digits, with a decimal point where there are decimals. */
  readonly number: (digits: string) => string;
  readonly line: (cells: readonly string[]) => string;
}

const formWith = (separator: "," | ";", cells: Pick<CellForm, "mark" | "text" | "number">): CellForm => ({
  ...cells,
  line: (all) => `${all.join(separator)}\r\n`,
});

/** CSV (RFC 4180), for programs. */
export const CSV: CellForm = formWith(",", { mark: "", text: textCell, number: (digits) => digits });

/** By these a spreadsheet knows UTF-8. */
const BYTE_ORDER_MARK = "\ufeff";
/** A spreadsheet keeps this many digits of a number. */
const DIGITS_MAX = 15;
/** Short texts with a digit may be taken for a number or a date, and these for a truth. */
const LOOKS_SHORT = /^(?=.*\d).{1,20}$|^(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|vero)$/iu;
const LOOKS_NUMERIC = /^[\d.,\s+\-e]+$/i;

/**
 * A text that a spreadsheet leaves as it is: `00123` keeps its zeros. A tab in front makes it text for Excel and LibreOffice,
 * and is not seen; LibreOffice shows `="00123"` with its signs.
 */
const keptText = (text: string): string => `"\t${text.replaceAll('"', '""')}"`;

function spreadsheetText(text: string, ends: RegExp): string {
  const safe = inert(text, ends);
  return LOOKS_SHORT.test(safe) || LOOKS_NUMERIC.test(safe) ? keptText(safe) : quoted(safe);
}

/** CSV for a double click: the mark, the separators of a country, and text that stays text. */
export function spreadsheetForm(decimal: "point" | "comma"): CellForm {
  const shown = (digits: string) => (decimal === "comma" ? digits.replace(".", ",") : digits);
  return formWith(decimal === "comma" ? ";" : ",", {
    mark: BYTE_ORDER_MARK,
    text: (text) => spreadsheetText(text, decimal === "comma" ? ENDS_CELL_OR_COMMA : ENDS_CELL),
    number: (digits) =>
      digits.replace(/\D/g, "").replace(/^0+/, "").length > DIGITS_MAX ? keptText(shown(digits)) : shown(digits),
  });
}

const QUARTER_MS = 900_000;
const KEPT_MAX = 10_000;
const MINUTE_MS = 60_000;

/** The styles of a day. */
export const DAY_STYLES = ["ymd", "dmy", "mdy"] as const;
export type DayStyle = (typeof DAY_STYLES)[number];

/** Times in the form of a time zone. */
export interface ZoneClock {
  /** "2026-11-25 09:30:00", with milliseconds only where there are any. */
  readonly showTime: (at: Date) => string;
  /** "2026-11-25" */
  readonly showDay: (at: Date) => string;
}

/** Makes the clock of a time zone. Its offset is read once for each quarter of an hour: no zone changes between. */
export function zoneClock(timeZone: string): ZoneClock {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const offsets = new Map<number, number>();
  const readOffset = (quarterMs: number): number => {
    const part = Object.fromEntries(format.formatToParts(quarterMs).map(({ type, value }) => [type, Number(value)]));
    const local = Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute);
    return Math.round((local - quarterMs) / MINUTE_MS) * MINUTE_MS;
  };
  const localOf = (at: Date): string => {
    const quarterMs = Math.floor(at.getTime() / QUARTER_MS) * QUARTER_MS;
    let offset = offsets.get(quarterMs);
    if (offset === undefined) {
      if (offsets.size >= KEPT_MAX) offsets.clear();
      offset = readOffset(quarterMs);
      offsets.set(quarterMs, offset);
    }
    return new Date(at.getTime() + offset).toISOString();
  };
  return {
    showTime: (at) => {
      const local = localOf(at);
      return `${local.slice(0, 10)} ${local.endsWith(".000Z") ? local.slice(11, 19) : local.slice(11, 23)}`;
    },
    showDay: (at) => localOf(at).slice(0, 10),
  };
}

/** A day such as 2026-11-25 in another style: 25/11/2026 or 11/25/2026. */
export function styleDay(day: string, style: DayStyle): string {
  const [year, month, date] = day.split("-");
  return style === "ymd" ? day : style === "dmy" ? `${date}/${month}/${year}` : `${month}/${date}/${year}`;
}
