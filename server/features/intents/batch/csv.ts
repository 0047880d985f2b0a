/** A row of a file, with the line on which it begins, counted from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Parses comma-separated or semicolon-separated values (RFC 4180): the header's line says which. Empty lines are left out.
 * Null if a quoted cell never ends, or something follows its end.
 */
export function parseCsv(text: string): readonly CsvRow[] | null {
  const source = text.replace(/^\uFEFF/, "");
  const header = /^[^\r\n]*/.exec(source)![0];
  const separator = header.includes(";") && !header.includes(",") ? ";" : ",";
  const rows: CsvRow[] = [];
  let [at, line] = [0, 1];
  while (at < source.length) {
    const row = readRow(source, at, separator);
    if (row === null) return null;
    if (row.cells.length > 1 || row.cells[0]!.trim() !== "") rows.push({ line, cells: row.cells });
    line += source.slice(at, row.end).split("\n").length - 1;
    at = row.end;
  }
  return rows;
}

/** Reads one row from a place on; `end` is where the next one begins. */
function readRow(source: string, start: number, separator: string): { cells: readonly string[]; end: number } | null {
  const cells: string[] = [];
  for (let at = start; ; at++) {
    const cell = source[at] === '"' ? readQuoted(source, at) : readPlain(source, at, separator);
    if (cell === null) return null;
    cells.push(cell.text);
    at = cell.end;
    if (source[at] === separator) continue;
    if (source[at] === "\r" && source[at + 1] === "\n") at++;
    else if (at < source.length && source[at] !== "\n") return null;
    return { cells, end: Math.min(at + 1, source.length) };
  }
}

function readPlain(source: string, start: number, separator: string) {
  let end = start;
  while (end < source.length && source[end] !== separator && source[end] !== "\n") end++;
  const isCarriage = source[end] === "\n" && end > start && source[end - 1] === "\r";
  if (isCarriage) end--;
  return { text: source.slice(start, end), end };
}

function readQuoted(source: string, start: number) {
  let text = "";
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] !== '"') text += source[at];
    else if (source[at + 1] !== '"') return { text, end: at + 1 };
    else {
      text += '"';
      at++;
    }
  }
  return null;
}
