import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { Client } from "pg";

const FOLDER = new URL("./migrations/", import.meta.url);
/** Any number, the same in every process: only one migrates at a time. */
const MIGRATION_LOCK = 7_246_001;

/**
 * Brings the schema up to date: each file of `migrations/` once, in order, each in a transaction of its own, forward only.
 * Throws when a file that ran was changed since, or when the database is newer than this program.
 */
export async function migrate(client: Client): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();
  await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
  try {
    await client.query(
      "create table if not exists migrations (name text primary key, hash text not null, ran_at timestamptz not null default now())",
    );
    const ran = new Map<string, string>(
      (await client.query("select name, hash from migrations")).rows.map((row: { name: string; hash: string }) => [
        row.name,
        row.hash,
      ]),
    );
    for (const name of ran.keys())
      if (!files.includes(name))
        throw new Error(
          `The database has the migration ${name}, which this version does not know. Run the newer version.`,
        );

    const fresh: string[] = [];
    for (const name of files) {
      const text = await readFile(new URL(name, FOLDER), "utf8");
      const hash = createHash("sha256").update(text).digest("hex");
      if (ran.has(name)) {
        if (ran.get(name) !== hash)
          throw new Error(`The migration ${name} was changed after it ran. Add a new file instead.`);
        continue;
      }
      await client.query("begin");
      try {
        await client.query(text);
        await client.query("insert into migrations (name, hash) values ($1, $2)", [name, hash]);
        await client.query("commit");
      } catch (error) {
        await client.query("rollback");
        throw new Error(`The migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
      fresh.push(name);
    }
    return fresh;
  } finally {
    await client.query("select pg_advisory_unlock($1)", [MIGRATION_LOCK]).catch(() => undefined);
  }
}
