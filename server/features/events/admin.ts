import { type AdminAnswer, type AdminCall, AdminError, type AdminVerb } from "../../edge/admin.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { LIFT_DEFAULT, LIFT_MAX, recordRestore } from "./restore.ts";

interface RestoreDeps {
  /** Signs all users of the dashboard out and answers with how many sessions that were. */
  readonly endAllSessions: (db: Db) => Promise<number>;
  /** Brings the schema up to date: the copy may be of an older version. Answers with the migrations that ran. */
  readonly migrate: () => Promise<readonly string[]>;
}

export const eventVerbs = (deps: RestoreDeps): readonly AdminVerb[] => [
  {
    words: ["restored"],
    usage: "restored [--lift <numbers>] [--force]",
    does: "After the database was restored from a copy, and before any process starts: continues every event sequence above a gap.",
    more: `No sequence number is used twice: every sequence is lifted by --lift (default ${LIFT_DEFAULT}), which must be more than
the events that any business recorded after the copy was made. Every business gets an events.restored event that
names the gap, and every user of the dashboard is signed out. It refuses while a process of the service has a
connection to the database; --force goes on all the same. A copy of an older version is brought up to date first. To
run it again does no harm.`,
    options: { lift: { type: "string" }, force: { type: "boolean" } },
    run: (call) => restored(call, deps),
  },
];

async function restored(
  { database, options }: AdminCall,
  { endAllSessions, migrate }: RestoreDeps,
): Promise<AdminAnswer> {
  const lift = Number(options.lift ?? LIFT_DEFAULT);
  if (!(Number.isInteger(lift) && lift >= 1 && lift <= LIFT_MAX))
    throw new AdminError(`--lift takes a whole number from 1 to ${LIFT_MAX}.`);
  const others = await countOtherConnections(database);
  if (others > 0 && options.force !== true)
    throw new AdminError(
      `${others} connections of the service are open: stop every process first, or numbers are used twice. A pooler may hold them open; then wait until it has let go of them, or say --force.`,
    );
  const migrations = await migrate();
  const gaps = await recordRestore(database, lift);
  const sessionsEnded = await endAllSessions(database);
  return {
    result: {
      object: "restore",
      gaps: gaps.map(({ businessId: business, ...gap }) => ({ object: "sequence_gap", business, ...gap })),
      sessionsEnded,
      migrations,
    },
    text: [
      ...(migrations.length === 0 ? [] : [`Brought the schema up to date (${migrations.join(", ")}).`]),
      `Lifted ${gaps.length} sequences by ${lift} and recorded events.restored in each; ended ${sessionsEnded} sessions.`,
      "Keys, invitations and members are those of the copy: what was revoked since then works again. Revoke it again.",
      "Start the processes now. Once they have caught up: unmatched list.",
    ].join("\n"),
  };
}

/** Connections of the service's processes to this database, as PostgreSQL shows them. */
async function countOtherConnections(db: Db): Promise<number> {
  const row = await db.row<{ others: string }>(sql`
    select count(*) as others from pg_stat_activity
    where datname = current_database() and application_name like 'holdfast%' and pid <> pg_backend_pid()`);
  return Number(row!.others);
}
