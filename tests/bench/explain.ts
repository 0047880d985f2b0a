import pg from "pg";
import { type Database, type Db, openDatabase } from "../../server/store/database.ts";
import { prepare, type Sql } from "../../server/store/sql.ts";

/** What one execution of a statement took, by PostgreSQL's own account. */
export interface Cost {
  /** Planning and execution. */
  readonly ms: number;
  /** Pages it looked at, in memory or not. */
  readonly pages: number;
}

interface Plan {
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
}
interface Explained {
  readonly Plan: Plan;
  readonly Planning?: Plan;
  readonly "Planning Time"?: number;
  readonly "Execution Time": number;
}

const pagesOf = (plan: Plan | undefined): number =>
  (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);

/**
 * A database of one connection that explains each statement before it runs it, prepared as the service prepares it: so
 * the plan is the one that PostgreSQL would choose after as many executions, generic or not. Nothing it writes stays.
 */
export class Explaining {
  readonly database: Database;
  readonly costs: Cost[] = [];
  readonly #client: pg.Client;
  readonly #prepared = new Set<string>();

  private constructor(client: pg.Client, beside: Database) {
    this.#client = client;
    const rows = <Row>(statement: Sql) => this.#rows<Row>(statement);
    const row = async <Row>(statement: Sql) => (await rows<Row>(statement))[0] ?? null;
    const db: Db = { rows, row };
    this.database = {
      ...db,
      transaction: (work) => work(db),
      connect: () => beside.connect(),
      close: () => Promise.all([client.end(), beside.close()]).then(() => undefined),
    };
  }

  /** `planning`: what the service's own connections for such statements are told of it. */
  static async open(url: string, planning: string | undefined): Promise<Explaining> {
    const client = new pg.Client({ connectionString: url, options: planning });
    await client.connect();
    const connection = { connectionString: url };
    const beside = openDatabase({ connection, connectionsMax: 1, statementTimeoutMs: 60_000, log: () => undefined });
    return new Explaining(client, beside);
  }

  /** Runs the work in a transaction that is undone. */
  async undone(work: (database: Database) => Promise<unknown>): Promise<void> {
    await this.#client.query("begin");
    await work(this.database).finally(() => this.#client.query("rollback"));
  }

  async #rows<Row>(statement: Sql): Promise<Row[]> {
    const { name, text, values } = prepare(statement);
    if (!this.#prepared.has(name)) {
      await this.#client.query(`prepare "${name}" as ${text}`);
      this.#prepared.add(name);
    }
    const literals = values.map(literalOf).join(", ");
    const execute = `execute "${name}"${values.length === 0 ? "" : ` (${literals})`}`;
    await this.#client.query("savepoint before");
    const { rows } = await this.#client.query<{ "QUERY PLAN": Explained[] }>(
      `explain (analyze, buffers, format json) ${execute}`,
    );
    await this.#client.query("rollback to savepoint before");
    const [explained] = rows[0]!["QUERY PLAN"];
    const ms = (explained!["Planning Time"] ?? 0) + explained!["Execution Time"];
    // What planning looks at is the catalog: as large at any number of rows.
    this.costs.push({ ms, pages: pagesOf(explained!.Plan) });
    return (await this.#client.query(execute)).rows as Row[];
  }
}

/** As it would travel as a parameter. */
function literalOf(value: unknown): string {
  const text = textOf(value);
  return text === null ? "null" : pg.escapeLiteral(text);
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return `\\x${value.toString("hex")}`;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(elementOf).join(",")}}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function elementOf(value: unknown): string {
  const text = textOf(value);
  return text === null ? "null" : `"${text.replace(/["\\]/g, "\\$&")}"`;
}
