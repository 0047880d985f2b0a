import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Statement } from "./collect.ts";

export interface Rules {
  /** Every other table is one of each cell. */
  readonly global: readonly string[];
  /** The suites run at least so many statements. */
  readonly min: number;
}

/** The tables that the statement of this transaction names: PostgreSQL locks them when it parses it, and those of views. */
const LOCKED = `
  select distinct c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
  where l.pid = pg_backend_pid() and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`;

/** The statements that the processes of a run wrote, each text once. */
export function readStatements(folder: string): Statement[] {
  const found = new Map<string, Statement>();
  for (const name of readdirSync(folder))
    for (const line of readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1)) {
      const statement = JSON.parse(line) as Statement;
      found.set(`${statement.path} ${statement.text}`, statement);
    }
  return [...found.values()];
}

/** The tables that a statement names, as PostgreSQL itself parses it. */
async function listTables(client: pg.Client, text: string): Promise<string[]> {
  await client.query("begin");
  try {
    await client.query(`prepare statement as ${text}`);
    return (await client.query<{ name: string }>(LOCKED)).rows.map(({ name }) => name);
  } finally {
    await client.query("rollback");
    await client.query("deallocate all");
  }
}

/**
 * Finds statements that name tables of a cell and global ones. `url` is a database with the schema. `isAll`: the statements
 * are those of all suites.
 */
export async function findMixed(
  url: string,
  statements: readonly Statement[],
  { global, min }: Rules,
  isAll: boolean,
): Promise<string[]> {
  const problems = new Set<string>();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const { path, text } of statements) {
      const tables = await listTables(client, text).catch((error: Error) => {
        problems.add(`${path}: PostgreSQL does not parse a statement: ${error.message}.\n${text}`);
        return [];
      });
      const ofCell = tables.filter((table) => !global.includes(table));
      if (ofCell.length === 0) continue;
      for (const table of tables.filter((one) => global.includes(one)))
        problems.add(
          `${path}: a statement names the global table ${table} together with ${ofCell.sort().join(", ")} of a cell. They may be in different databases: make it two statements.`,
        );
    }
  } finally {
    await client.end();
  }
  if (isAll && statements.length < min)
    problems.add(`The suites ran only ${statements.length} statements, of at least ${min}: were they collected?`);
  return [...problems];
}
