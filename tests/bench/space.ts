import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@holdfast/embedded-postgres/postgres.ts";
import pg from "pg";
import { openDatabase } from "../../server/store/database.ts";
import { migrate } from "../../server/store/migrate.ts";
import { sql } from "../../server/store/sql.ts";
import { BUSINESSES, SEEDING, seedHistory } from "./history.ts";
import { seedBusinesses } from "./seed.ts";

/** What nothing ever prunes. The other tables keep their rows for a time, whose length is a setting or a constant. */
const FOR_EVER = ["intents", "event_keys", "payments", "payment_ids", "payment_addresses"];
const FOR_A_TIME = ["events", "webhook_deliveries", "webhook_attempts"];
const WALLET = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

interface Relation {
  readonly table: string;
  /** Null: the rows themselves. */
  readonly index: string | null;
  readonly bytes: string;
}

/** Bytes per intent of the mix of {@link seedHistory}, by table and index. Partitions count with their table. */
export async function benchSpace(args: readonly string[]): Promise<void> {
  const [rows = 40_000] = args.map(Number);
  const dataDir = mkdtempSync(join(tmpdir(), "holdfast-bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, settings: SEEDING });
  const connection = { connectionString: postgres.url };
  const database = openDatabase({ connection, connectionsMax: 1, statementTimeoutMs: 60_000, log: () => undefined });
  try {
    const client = new pg.Client(connection);
    await client.connect();
    await migrate(client);
    await client.end();
    await seedBusinesses(database, BUSINESSES);
    await seedHistory({ url: postgres.url, rows, recipient: WALLET, asset: WALLET });
    const relations = await database.rows<Relation>(sql`
      with tables as (
        select c.oid, coalesce(p.relname, c.relname) as name from pg_class c
        left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
        where c.relkind = 'r' and coalesce(p.relname, c.relname) = any(${[...FOR_EVER, ...FOR_A_TIME]}::text[]))
      select name as table, null as index, sum(pg_table_size(oid)) as bytes from tables group by name
      union all
      select t.name, coalesce(p.relname, c.relname), sum(pg_relation_size(c.oid))
      from tables t join pg_index x on x.indrelid = t.oid join pg_class c on c.oid = x.indexrelid
      left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
      group by 1, 2`);
    const per = (chosen: readonly Relation[]) =>
      Math.round(chosen.reduce((sum, { bytes }) => sum + Number(bytes), 0) / rows);
    console.log("| table | bytes per intent | of that |\n|---|---|---|");
    for (const table of [...FOR_EVER, ...FOR_A_TIME]) {
      const own = relations.filter((one) => one.table === table);
      const parts = own
        .toSorted((a, b) => Number(b.bytes) - Number(a.bytes))
        .map((one) => `${one.index ?? "rows"} ${per([one])}`);
      console.log(`| ${table} | ${per(own)} | ${parts.join(", ")} |`);
    }
    console.log(`| kept for ever | ${per(relations.filter(({ table }) => FOR_EVER.includes(table)))} | |`);
  } finally {
    await database.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
