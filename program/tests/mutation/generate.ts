/** A small change of the sources. */
export interface Mutation {
  /** File and change, without the line: the same from run to run while the changed line stays. */
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** The whole file with the change in it. */
  readonly text: string;
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly by: string;
  readonly what: string;
}

const FLIPS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "==": "!=",
  "!=": "==",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
  "+=": "-=",
};
const RENAMES: Readonly<Record<string, string>> = {
  ".max(": ".min(",
  ".min(": ".max(",
  "::writable_signer(": "::writable(",
  "::readonly_signer(": "::readonly(",
  "::writable(": "::readonly(",
  "Side::Recipient": "Side::Sender",
  "Side::Sender": "Side::Recipient",
};

/**
 * Generates the changes: every guard removed, every comparison, connective and sum inverted, every negation dropped, every
 * account replaced by its neighbour, every assignment left out.
 */
export function mutate(file: string, text: string): Mutation[] {
  const code = blank(text);
  const edits = [
    ...withoutGuards(code),
    ...flipped(code),
    ...withoutNegations(code),
    ...renamed(code),
    ...swappedAccounts(code, text),
    ...withoutAssignments(code),
  ].sort((one, other) => one.from - other.from);
  const seen = new Map<string, number>();
  return edits.map(({ from, to, by, what }) => {
    const line = text.slice(0, from).split("\n").length;
    const plain = `${file}: ${what}`;
    const times = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, times);
    const name = times === 1 ? plain : `${plain} (${times})`;
    return { name, file, line, text: text.slice(0, from) + by + text.slice(to) };
  });
}

/** The text with comments, strings, attributes and imports blanked out, every other character where it was. */
function blank(text: string): string {
  const gone = (found: string) => found.replace(/[^\n]/g, " ");
  return text
    .replace(/\/\/.*/g, gone)
    .replace(/b?"[^"]*"/g, gone)
    .replace(/#!?\[[^\]]*\]/g, gone)
    .replace(/^use [^;]*;/gm, gone)
    .replace(/^const _: .*;/gm, gone);
}

const short = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 90);

/** The position at which the bracket that opens at `open` closes. */
function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === "(") depth += 1;
    if (code[at] === ")") depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error("a bracket is never closed");
}

/** Removes `require(…)?;` and other statements that only refuse. As the last expression of a function one becomes `Ok(())`. */
function* withoutGuards(code: string): Generator<Edit> {
  for (const found of code.matchAll(/(?<=^\s*|return )(self\.)?(require\w*|read_operator)\(/gm)) {
    const end = closing(code, found.index + found[0].length - 1) + 1;
    const isStatement = code.startsWith("?;", end);
    if (!isStatement && found[0] === "read_operator(") continue;
    const to = isStatement ? end + 2 : end;
    yield {
      from: found.index,
      to,
      by: isStatement ? "" : "Ok(())",
      what: `without ${short(code.slice(found.index, to))}`,
    };
  }
}

function* flipped(code: string): Generator<Edit> {
  for (const found of code.matchAll(/(?<=\s)(<=|>=|==|!=|<|>|&&|\|\||\+=|\+|-)(?=\s)/g)) {
    const by = FLIPS[found[0]]!;
    yield {
      from: found.index,
      to: found.index + found[0].length,
      by,
      what: `${around(code, found.index)}: ${found[0]} to ${by}`,
    };
  }
}

function* withoutNegations(code: string): Generator<Edit> {
  for (const found of code.matchAll(/(?<=[\s(])!(?=[a-z])/g)) {
    yield { from: found.index, to: found.index + 1, by: "", what: `${around(code, found.index)}: without !` };
  }
}

function* renamed(code: string): Generator<Edit> {
  for (const [from, by] of Object.entries(RENAMES)) {
    for (let at = code.indexOf(from); at !== -1; at = code.indexOf(from, at + 1)) {
      yield { from: at, to: at + from.length, by, what: `${around(code, at)}: ${from} to ${by}` };
    }
  }
}

/** Two neighbours in a list of accounts change places: in what an instruction takes apart, and in what a call is given. */
function* swappedAccounts(code: string, text: string): Generator<Edit> {
  const lists = [
    ...code.matchAll(/(?<=let \[)[^\]=]+(?=\]\s*=\s*&mut)/g),
    ...code.matchAll(/(?<=invoke\w*\(&instruction, &\[)[^\]]+(?=\])/g),
    ...code.matchAll(/(?<=let accounts = \[)[^\]]+(?=\];)/g),
  ];
  for (const { 0: list, index } of lists) {
    const items = [...list.matchAll(/[^,\s][^,]*(?=,|$)/g)].filter(([item]) => !item.includes(".."));
    for (const [number, item] of items.entries()) {
      const next = items[number + 1];
      if (next === undefined) break;
      const [from, to] = [index + item.index, index + next.index + next[0].length];
      const between = text.slice(from + item[0].length, index + next.index);
      yield {
        from,
        to,
        by: next[0] + between + item[0],
        what: `${short(item[0])} and ${short(next[0])} in each other's place`,
      };
    }
  }
}

function* withoutAssignments(code: string): Generator<Edit> {
  for (const found of code.matchAll(
    /^\s*((self|operator|views|metas|account|destination|rent_payer)[.[][^=;{}]*(\+?=)[^=][^;]*|(account|destination|rent_payer)\.(set_lamports|resize)\([^;]*);/gm,
  )) {
    const from = found.index + found[0].search(/\S/);
    yield { from, to: found.index + found[0].length, by: "", what: `without ${short(found[0])}` };
  }
}

/** The line around a place, as a part of a name. */
function around(code: string, at: number): string {
  const start = code.lastIndexOf("\n", at) + 1;
  return short(code.slice(start, code.indexOf("\n", at)));
}
