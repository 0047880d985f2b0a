import type { Log } from "../../../lib/log.ts";
import type { Database } from "../../../store/database.ts";
import { claimLetters, type DueLetter, dropLetter, listReaders } from "./letterQueries.ts";

interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface DeskLetterDeps {
  readonly database: Database;
  /** Sends a letter, or fails within its own time limit. */
  readonly send: (letter: Letter) => Promise<void>;
  readonly dashboardUrl: string;
  readonly log: Log;
}

const BATCH_MAX = 20;

/**
 * The step that writes to arbiters before the dates of their cases (§13.22.9). A warning is claimed before it is sent, so
 * that several processes send it once; one that nobody could be sent is tried again.
 */
export const sendDeskLetters = async ({ database, send, dashboardUrl, log }: DeskLetterDeps): Promise<boolean> => {
  const claimed = await claimLetters(database, BATCH_MAX);
  let failed = 0;
  for (const letter of claimed.filter((one) => isGravest(one, claimed))) {
    const readers = await listReaders(database, letter);
    let sent = 0;
    for (const to of readers)
      try {
        await send({ to, ...draftLetter(letter, dashboardUrl) });
        sent++;
      } catch (error) {
        log("A letter to an arbiter could not be sent.", error);
      }
    if (sent === 0 && readers.length > 0) {
      failed++;
      await dropLetter(database, letter);
    }
  }
  return claimed.length === BATCH_MAX && failed === 0;
};

const BY_GRAVITY: readonly DueLetter["warning"][] = ["due_soon", "resolve_30", "resolve_7", "resolve_1"];

/** Of the warnings of one case that are due at once, after an outage, the gravest is sent. */
const isGravest = ({ id, warning }: DueLetter, all: readonly DueLetter[]): boolean =>
  all.every((one) => one.id !== id || BY_GRAVITY.indexOf(one.warning) <= BY_GRAVITY.indexOf(warning));

const TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** No words of the case, and no text that a user chose. */
function draftLetter({ id, warning, dueAt }: DueLetter, dashboardUrl: string): Omit<Letter, "to"> {
  const at = `${TIME.format(dueAt)} UTC`;
  return warning === "due_soon"
    ? {
        subject: "A dispute is to be decided soon",
        text: `A dispute is to be decided by ${at}.\n\nThe case: ${dashboardUrl}/desk/${id}\n`,
      }
    : {
        subject: "A dispute ends soon without a decision",
        text: `Nobody has decided a dispute. From ${at} on, anyone can have all of the payment refunded to the buyer.\n\nThe case: ${dashboardUrl}/desk/${id}\n`,
      };
}
