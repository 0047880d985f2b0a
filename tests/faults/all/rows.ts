import { readFileSync } from "node:fs";

/** One run of everything at once that found nothing lost and nothing done twice. */
export interface Row {
  readonly commit: string;
  readonly seed: number;
  readonly minutes: number;
  readonly faults: number;
  /** Faults that hit work under way, and those of the most frequent kind among them. */
  readonly hit: number;
  readonly most: number;
  readonly upgrades: number;
  readonly intents: number;
  readonly payments: number;
  readonly disputes: number;
  /** Statements, files, refunds, links, checkouts, emails and reads of people. */
  readonly acts: number;
  readonly events: number;
  readonly deliveries: number;
  /** Deliveries that came again. */
  readonly repeated: number;
  /** The longest time until all figures were at rest again. */
  readonly restSeconds: number;
  /**
   * The longest time until the rate was that of before a restart of PostgreSQL; infinite: it did not come back in time; null:
   * no restart came alone.
   */
  readonly rateSeconds: number | null;
}

const COLUMNS = [
  ...(["commit", "seed", "minutes", "faults", "hit", "most", "upgrades", "intents", "payments", "disputes"] as const),
  ...(["acts", "events", "deliveries", "repeated", "restSeconds", "rateSeconds"] as const),
];
const LONGEST = new Set<keyof Row>(["restSeconds", "rateSeconds"]);
/** The part of the faults that hit work which one kind may have. */
const MOST = 1 / 20;

/** Words in place of a time. */
const WORDS: ReadonlyMap<string, number | null> = new Map([
  ["none", null],
  ["never", Number.POSITIVE_INFINITY],
]);

function readCell(cell: string): number | null {
  const word = WORDS.get(cell);
  return word === undefined ? Number.parseFloat(cell.replaceAll(",", "")) : word;
}

const writeCell = (value: number | string | null): number | string =>
  [...WORDS].find(([, meant]) => meant === value)?.[0] ?? value!;

/** A row says so where a kind has more than its part. */
export const writeRow = (row: { readonly [Name in keyof Row]: Row[Name] | string }): string =>
  `| ${COLUMNS.map((name) => (name === "most" && Number(row.most) > Number(row.hit) * MOST ? `${row.most} (above 5 %)` : writeCell(row[name]))).join(" | ")} |`;

/** The longest of some times; null: there are none. */
export const longestOf = (times: readonly (number | null)[]): number | null =>
  times.reduce((longest, time) => (time === null || (longest ?? 0) > time ? longest : time), null);

/** The sum of the rows of a document, as a row of its own; of times the longest. No kind has more faults than `most` of it says. */
export function sumRows(path: string): string {
  const rows = readFileSync(path, "utf8")
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells) => cells.length === COLUMNS.length && /^[0-9a-f]{7,}$/.test(cells[0]!));
  const sums = COLUMNS.map((name, at) => {
    const values = rows.map((cells) => readCell(cells[at]!));
    return [name, LONGEST.has(name) ? longestOf(values) : values.reduce((sum: number, value) => sum + (value ?? 0), 0)];
  });
  return writeRow({ ...Object.fromEntries(sums), commit: "all", seed: `${rows.length} runs` } as Row);
}
