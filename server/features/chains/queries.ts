import type { Environment } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

export interface ChainRow {
  readonly environment: Environment;
  readonly genesis_hash: string;
  readonly program_id: string;
  readonly operator: string;
}

export const findChain = (db: Db, environment: Environment) =>
  db.row<ChainRow>(sql`select * from chains where environment = ${environment}`);

/** Remembers which chain an environment is; a database is tied to it from then on. */
export const saveChain = (db: Db, chain: ChainRow) =>
  db.rows(sql`
    insert into chains (environment, genesis_hash, program_id, operator)
    values (${chain.environment}, ${chain.genesis_hash}, ${chain.program_id}, ${chain.operator})
    on conflict (environment) do nothing`);

export const pauseSweep = (db: Db, environment: Environment, paused: boolean) =>
  db.rows(sql`update chains set sweep_paused = ${paused} where environment = ${environment}`);

/** Moves `test`'s clock to run this far ahead of real time; all statements read it from there. */
export const setClockAhead = (db: Db, aheadMs: number) =>
  db.rows(
    sql`update clocks set ahead = make_interval(secs => ${aheadMs / 1000}::double precision) where environment = 'test'`,
  );
