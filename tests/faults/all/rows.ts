import { readFileSync } from "node:fs";

/** One run of everything at once that found nothing lost and nothing done twice. */
export interface Row {
  readonly commit: string;
  readonly seed: number;
  readonly minutes: number;
  readonly faults: number;
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
}

const COLUMNS = [
  ...(["commit", "seed", "minutes", "faults", "intents", "payments", "disputes"] as const),
  ...(["acts", "events", "deliveries", "repeated", "restSeconds"] as const),
];

export const writeRow = (row: Row): string => `| ${COLUMNS.map((name) => row[name]).join(" | ")} |`;

/** The sum of the rows of a document, as a row of its own; of the times to rest the longest. */
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
    if (name === "commit") return "all";
    if (name === "seed") return `${rows.length} runs`;
    const values = rows.map((cells) => Number(cells[at]!.replaceAll(",", "")));
    return name === "restSeconds" ? Math.max(0, ...values) : values.reduce((sum, value) => sum + value, 0);
  });
  return `| ${sums.join(" | ")} |`;
}
