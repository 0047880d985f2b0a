import pg from "pg";
import { type Database, type Db, openDatabase } from "../../server/store/database.ts";
import { prepare, type Sql } from "../../server/store/sql.ts";

/** The cost of one execution of a statement, as PostgreSQL reports it. */
export interface Cost {
  /** Planning and execution. */
  readonly ms: number;
  /** Pages it read, in memory or not. */
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
  /** The same connection without the explaining. */
  readonly unmeasured: Database;
  readonly costs: Cost[] = [];
  readonly #client: pg.Client;
  readonly #prepared = new Set<string>();

  private constructor(client: pg.Client, other: Database) {
    this.#client = client;
    const databaseOf = (rows: Db["rows"]): Database => {
      const row = async <Row>(statement: Sql) => (await rows<Row>(statement))[0] ?? null;
      const db: Db = { rows, row, has: async (statement) => (await row(statement)) !== null };
      return {
        ...db,
        transaction: (work) => work(db),
        connect: () => other.connect(),
        close: () => Promise.all([client.end(), other.close()]).then(() => undefined),
      };
    };
    this.database = databaseOf((statement) => this.#explain(statement));
    this.unmeasured = databaseOf((statement) => this.#run(statement));
  }

  /** `planning`: the planner settings of the service's own connections for such statements. */
  static async open(url: string, planning: string | undefined): Promise<Explaining> {
    const client = new pg.Client({ connectionString: url, options: planning });
    await client.connect();
    const connection = { connectionString: url };
    const other = openDatabase({ connection, connectionsMax: 1, statementTimeoutMs: 60_000, log: () => undefined });
    return new Explaining(client, other);
  }

  /** Runs the work in a transaction that is undone. */
  async undone(work: (database: Database, unmeasured: Database) => Promise<unknown>): Promise<void> {
    await this.#client.query("begin");
    await work(this.database, this.unmeasured).finally(() => this.#client.query("rollback"));
  }

  async #run<Row>(statement: Sql): Promise<Row[]> {
    return (await this.#client.query(await this.#prepare(statement))).rows as Row[];
  }

  async #explain<Row>(statement: Sql): Promise<Row[]> {
    const execute = await this.#prepare(statement);
    await this.#client.query("savepoint before");
    const { rows } = await this.#client.query<{ "QUERY PLAN": Explained[] }>(
      `explain (analyze, buffers, format json) ${execute}`,
    );
    await this.#client.query("rollback to savepoint before");
    const [explained] = rows[0]!["QUERY PLAN"];
    const ms = (explained!["Planning Time"] ?? 0) + explained!["Execution Time"];
    // The pages that planning reads are the catalog's: as many at any number of rows.
    this.costs.push({ ms, pages: pagesOf(explained!.Plan) });
    return (await this.#client.query(execute)).rows as Row[];
  }

  /** Prepares the statement the first time; returns the text that executes it. */
  async #prepare(statement: Sql): Promise<string> {
    const { name, text, values } = prepare(statement);
    if (!this.#prepared.has(name)) {
      await this.#client.query(`prepare "${name}" as ${text}`);
      this.#prepared.add(name);
    }
    const literals = values.map(literalOf).join(", ");
    return `execute "${name}"${values.length === 0 ? "" : ` (${literals})`}`;
  }
}

/** The literal for a value that a client would send as a parameter. */
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
