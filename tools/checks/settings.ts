import { type Setting, type Settings, variableOf } from "../../server/process/setting.ts";
import { readText } from "./files.ts";

const DOCUMENT = "docs/settings.md";

/** Settings by the names of their tables: variables, and members of variables that are JSON. */
export interface SettingTables {
  readonly variables: Readonly<Record<string, Settings>>;
  readonly members: Readonly<Record<string, Settings>>;
}

/** The page with each table, below its mark `<!-- table: service -->`, as the settings declare it. */
export function drawSettings(page: string, { variables, members }: SettingTables): string {
  const tables = new Map([
    ...Object.entries(variables).map(([name, declared]) => [name, rowsOf(declared, variableOf, false)] as const),
    ...Object.entries(members).map(([name, declared]) => [name, rowsOf(declared, (path) => path, true)] as const),
  ]);
  return (
    page.replace(/^<!-- table: (.+) -->\n(?:\|.*\n)*/gm, (mark, name: string) => {
      const rows = tables.get(name);
      if (rows === undefined) return mark;
      tables.delete(name);
      return [
        `<!-- table: ${name} -->`,
        "| Name | Value | Default | Purpose |",
        "| --- | --- | --- | --- |",
        ...rows,
        "",
      ].join("\n");
    }) + [...tables.keys()].map((name) => `\n<!-- table: ${name} -->\n`).join("")
  );
}

const rowsOf = (declared: Settings, nameOf: (path: string) => string, isMember: boolean): string[] =>
  Object.entries(declared).flatMap(([path, one]) => [
    `| \`${nameOf(path)}\` | ${one.form.expected}${one.form.members !== null && !isMember ? ", or the path of a file that holds it" : ""} | ${defaultOf(one)} | ${one.says} |`,
    ...(isMember ? rowsOf(one.form.members ?? {}, (member) => `${path}.${member}`, true) : []),
  ]);

function defaultOf({ shown, fallback }: Setting<unknown>): string {
  if (shown !== null) return shown;
  if (fallback === null || (typeof fallback === "object" && Object.values(fallback as object).length === 0))
    return "none";
  return `\`${typeof fallback === "boolean" ? (fallback ? "on" : "off") : fallback}\``;
}

/** Tables of the page of settings that differ from the code, and documents that name a variable of before. */
export function checkSettings(
  root: string,
  files: readonly string[],
  tables: SettingTables,
  renamed: ReadonlyMap<string, string>,
): string[] {
  const read = (path: string) => readText(root, path);
  const page = read(DOCUMENT);
  const old = [...renamed.keys()].map((name) => name.replace(/^(TEST|LIVE)_/, "($1|…)_")).join("|");
  return [
    ...(drawSettings(page, tables) === page
      ? []
      : [`${DOCUMENT} is not what the settings declare. Write it again: npm run openapi`]),
    ...files
      .filter((path) => path.endsWith(".md") && path !== "CHANGELOG.md")
      .flatMap((path) =>
        [...read(path).matchAll(new RegExp(`(?<![A-Z_])(${old})(?![A-Z_])`, "g"))].map(
          ([name]) => `${path} names ${name}, which is a member of a chain's setting now.`,
        ),
      ),
  ];
}
