import { basename } from "node:path";

/** Migrations that share their number: the rest of their names would decide which one runs first. */
export function checkMigrations(_root: string, files: readonly string[]): string[] {
  const byNumber = new Map<string, string[]>();
  const problems: string[] = [];
  for (const path of files.filter((file) => file.startsWith("server/store/migrations/"))) {
    const name = basename(path);
    const number = /^(\d{4})_[a-z_]+\.sql$/.exec(name)?.[1];
    if (number === undefined) problems.push(`${path} is not called NNNN_name.sql.`);
    else byNumber.set(number, [...(byNumber.get(number) ?? []), name]);
  }
  for (const names of byNumber.values())
    if (names.length > 1)
      problems.push(`${names.toSorted().join(" and ")} have the same number: take the next free one.`);
  return problems;
}
