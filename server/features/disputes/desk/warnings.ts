import type { Database } from "../../../store/database.ts";
import type { Finders } from "../../emails/email.ts";
import { queueEmails } from "../../emails/fragments.ts";
import { claimWarnings, type DueWarning, isStillDue, listReaders } from "./warningQueries.ts";

/** Warnings of one step, and those of its last dispute. */
const BATCH_MAX = 20;

/** The step that emails arbiters before the dates of their disputes (§13.22.9). Each date has each warning once. */
export const warnArbiters = (database: Database): Promise<boolean> =>
  database.transaction(async (db) => {
    const claimed = await claimWarnings(db, BATCH_MAX);
    for (const due of claimed.filter((one) => isMostUrgent(one, claimed))) {
      const { id: disputeId, ...facts } = due;
      const readers = await listReaders(db, due);
      await queueEmails(
        db,
        readers.map((recipient) => ({
          kind: "arbiter_warning",
          recipient,
          source: disputeId,
          facts: { ...facts, disputeId },
        })),
      );
    }
    return claimed.length >= BATCH_MAX;
  });

const BY_URGENCY: readonly DueWarning["warning"][] = ["due_soon", "resolve_30", "resolve_7", "resolve_1"];

/** After an outage several warnings of a dispute may be due. The most urgent is sent. */
const isMostUrgent = ({ id, warning }: DueWarning, all: readonly DueWarning[]): boolean =>
  all.every((one) => one.id !== id || BY_URGENCY.indexOf(one.warning) <= BY_URGENCY.indexOf(warning));

/** A dispute that was decided meanwhile, or has another date, needs no warning. */
export const warningFinder =
  (database: Database): Finders["arbiter_warning"] =>
  async (_, { disputeId: id, dueAt, ...place }) =>
    (await isStillDue(database, { ...place, id, dueAt: new Date(dueAt) })) ? {} : null;
