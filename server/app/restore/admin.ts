import { whole } from "../../domain/values.ts";
import { AdminError, adminVerb, flag, option, withDefault } from "../../edge/admin.ts";
import { endAllSessions } from "../../features/staff/actions.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { LIFT_DEFAULT, LIFT_MAX, recordRestore } from "./restore.ts";

/** Migrates the schema: the backup may be of an older version. Returns the migrations that ran. */
type Migrate = () => Promise<readonly string[]>;

export const restoreVerbs = (migrate: Migrate) => [
  adminVerb({
    words: "restored",
    takes: { lift: withDefault(option(whole(1, LIFT_MAX), "numbers"), LIFT_DEFAULT), force: flag },
    does: "Continues every event sequence above a gap. Run it after you restored the database from a backup, before any process starts.",
    more: `The command adds --lift to every sequence, so that no number is used twice. The value must be larger
than the number of events that any business recorded after the backup. Every business gets an events.restored event
with the gap, and all dashboard users are signed out. The command fails while a process of the
service is connected to the database; --force skips this check. A backup of an older version is migrated first. You can
run it again safely.`,
    run: async ({ database, lift, force }) => {
      const others = await countOtherConnections(database);
      if (others > 0 && !force)
        throw new AdminError(
          `The service has ${others} open connections to the database. Stop every process first, or sequence numbers are used twice. If a connection pooler holds them, wait until it closes them, or add --force.`,
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
          ...(migrations.length === 0 ? [] : [`Migrated the schema (${migrations.join(", ")}).`]),
          `Sequences raised by ${lift}, each with an events.restored event: ${gaps.length}. Sessions ended: ${sessionsEnded}.`,
          "Keys, invitations and members are those of the backup: anything that was revoked since then works again. Revoke it again.",
          "Start the processes now. When they have caught up, run: unmatched list",
        ].join("\n"),
      };
    },
  }),
];

/** The number of other connections of the service to this database, by PostgreSQL's count. */
async function countOtherConnections(db: Db): Promise<number> {
  const row = await db.row<{ others: string }>(sql`
    select count(*) as others from pg_stat_activity
    where datname = current_database() and application_name like 'holdfast%' and pid <> pg_backend_pid()`);
  return Number(row!.others);
}
