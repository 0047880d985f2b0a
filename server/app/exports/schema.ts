import { Type } from "typebox";
import { invalid } from "../../domain/errors.ts";
import { isTimeZone } from "../../domain/timeZone.ts";
import { oneOf } from "../../domain/values.ts";
import type { Declaration } from "../../edge/http/declaration.ts";
import { type Parameter, parameter, type QueryParameters, type QueryValues } from "../../edge/http/parameters.ts";
import { DAY_STYLES } from "./cells.ts";

/** `spreadsheet`: CSV for a double click. */
const EXPORT_FORMATS = ["csv", "jsonl", "spreadsheet"] as const;
/** The decimal mark of a country; with a comma, cells are separated by semicolons. */
const DECIMALS = ["point", "comma"] as const;
/** `rows`: all members of each row. The others are of payments alone, and CSV. */
const EXPORT_LAYOUTS = ["rows", "days", "values", "xero", "quickbooks"] as const;
/** The unit of amounts in files for programs. */
const AMOUNTS_IN = ["token", "fiat"] as const;

const METADATA_KEYS_MAX = 20;

const timeZone: Parameter<string | null> = {
  schema: Type.String(),
  description:
    "The time zone of days and times in CSV, by its name. JSON Lines have UTC. Default: that of the business, else UTC.",
  example: "Europe/Berlin",
  parse: ([text = null], name) => {
    if (text !== null && !isTimeZone(text))
      throw invalid(name, "Expected the name of a time zone, such as Europe/Berlin.");
    return text;
  },
};

const metadata: Parameter<readonly string[]> = {
  schema: Type.Array(Type.String(), { maxItems: METADATA_KEYS_MAX }),
  description: `A key of the intents' metadata that gets a column in CSV; ${METADATA_KEYS_MAX} at most. JSON Lines have all keys.`,
  example: "customer",
  repeatable: true,
  parse: (keys, name) => {
    if (keys.length > METADATA_KEYS_MAX) throw invalid(name, `Give at most ${METADATA_KEYS_MAX} keys.`);
    return [...new Set(keys)];
  },
};

/** The parameters of an export beside the filters of its list. A list without payments or intents has the first two. */
export const EXPORT_PARAMETERS = {
  format: parameter(
    oneOf(EXPORT_FORMATS),
    "The format. `jsonl` is JSON Lines. `spreadsheet` is CSV that Excel and LibreOffice open right by a double click: it begins with the mark of UTF-8, and a text that looks like a number or a date begins with a tab, which keeps it text. Default: csv.",
  ),
  decimal: parameter(
    oneOf(DECIMALS),
    "The decimal mark of `spreadsheet`, as in the country's Excel; with `comma`, cells are separated by semicolons. Default: point.",
  ),
  time_zone: timeZone,
  metadata,
  layout: parameter(
    oneOf(EXPORT_LAYOUTS),
    "`rows`: all members of each row. `days`: sums by token and day. `values`: a line for each movement of funds with its value in the reporting currency. `xero` and `quickbooks`: files that these programs read, of what left to recipients, in one token. Default: rows.",
  ),
  amounts: parameter(
    oneOf(AMOUNTS_IN),
    "The unit of amounts for `xero` and `quickbooks`; `fiat` is the value in the reporting currency, empty for what has none. Default: token.",
  ),
  dates: parameter(oneOf(DAY_STYLES), "The order of year, month and day for `xero` and `quickbooks`. Default: ymd."),
};
export type ExportOptions = QueryValues<typeof EXPORT_PARAMETERS>;

/** The members of a list's own page, which an export does not have: it has all rows. */
export const OF_PAGES: readonly string[] = ["limit", "starting_after", "ending_before"];

/** The declaration of a list's export: the list's filters, and those of {@link EXPORT_PARAMETERS} that it has. */
export function declareExport(list: Declaration, own: QueryParameters): Declaration {
  const filters = Object.entries(list.query ?? {}).filter(([name]) => !OF_PAGES.includes(name));
  return {
    operationId: list.operationId.replace(/^list/, "export"),
    tag: list.tag,
    summary: list.summary.replace(/^List/, "Export"),
    description:
      "A file with all rows that pass the list's filters, as CSV or JSON Lines, for everyone who may read the list. It is sent while it is read; if that fails, the connection is reset. It is also cut off after 15 minutes, for a reader slower than 16 kB a second for a minute, and when the session or the membership ends, both checked before each hundred rows. At most two exports of a user, three of a business and six in all run in a process. The audit log has each. A cell that a spreadsheet would take for a formula begins with an apostrophe, also behind a semicolon, a tab or a line break in it.",
    ...(list.path === undefined ? {} : { path: list.path }),
    query: { ...Object.fromEntries(filters), ...own },
    success: {
      status: 200,
      description:
        'The file: CSV, or JSON Lines that end with `{"object":"export_end","rows":…}`. A file without that line was cut off.',
      mediaTypes: ["text/csv", "application/x-ndjson"],
    },
    errors: [...new Set([...list.errors, "rate_limited" as const])],
  };
}
