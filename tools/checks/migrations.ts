import { basename } from "node:path";

/** Databases know these by name, so they keep the numbers they share. */
const SHARED = new Map([
  ["0012", ["0012_checkout_attempts.sql", "0012_closed_payments.sql"]],
  ["0017", ["0017_keeper.sql", "0017_users.sql"]],
]);

/** Migrations whose number another one has too: which runs first would be decided by the rest of their names. */
export function checkMigrations(_root: string, files: readonly string[]): string[] {
  const byNumber = new Map<string, string[]>();
  const problems: string[] = [];
  for (const path of files.filter((file) => file.startsWith("server/store/migrations/"))) {
    const name = basename(path);
    const number = /^(\d{4})_[a-z_]+\.sql$/.exec(name)?.[1];
    if (number === undefined) problems.push(`${path} is not called NNNN_name.sql.`);
    else byNumber.set(number, [...(byNumber.get(number) ?? []), name]);
  }
  for (const [number, names] of byNumber)
    if (names.length > 1 && SHARED.get(number)?.join() !== names.toSorted().join())
      problems.push(`${names.toSorted().join(" and ")} have the same number: take the next free one.`);
  return problems;
}
