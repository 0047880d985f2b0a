import type { Log } from "../../../lib/log.ts";
import type { Accounts } from "../../../store/accounts.ts";
import type { Cells } from "../../../store/cells.ts";
import type { Database } from "../../../store/database.ts";
import { listArbiters } from "../../staff/fragments.ts";
import { claimLetters, type DueLetter, dropLetter, listCandidates } from "./letterQueries.ts";
import { listWallets } from "./wallets.ts";

interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface DeskLetterDeps {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly cells: Cells;
  /** Sends a letter, or fails within its own time limit. */
  readonly send: (letter: Letter) => Promise<void>;
  readonly dashboardUrl: string;
  readonly log: Log;
}

const BATCH_MAX = 20;
/** Further arbiters get no letter. */
const ARBITERS_MAX = 1_000;
/** Arbiters who get a letter about one case at most. */
const READERS_MAX = 20;

type Arbiters = Awaited<ReturnType<typeof listArbiters>>;

/**
 * The step that writes to arbiters before the dates of their cases (§13.22.9). A warning is claimed before it is sent, so
 * that several processes send it once; one that nobody could be sent is tried again.
 */
export const sendDeskLetters = async (deps: DeskLetterDeps): Promise<boolean> => {
  const { database, accounts } = deps;
  const arbiters = await listArbiters(accounts, ARBITERS_MAX);
  const claimed = await claimLetters(database, BATCH_MAX);
  let failed = 0;
  for (const letter of claimed.filter((one) => isGravest(one, claimed)))
    if (!(await writeTo(deps, arbiters, letter))) {
      failed++;
      await dropLetter(database, letter);
    }
  return claimed.length === BATCH_MAX && failed === 0;
};

/** Returns false if there are readers, and none of them could be written to. */
async function writeTo(deps: DeskLetterDeps, arbiters: Arbiters, letter: DueLetter): Promise<boolean> {
  const failures: unknown[] = [];
  const readers = await listReaders(deps, arbiters, letter).catch((error: unknown) => {
    failures.push(error);
    return [];
  });
  let sent = 0;
  for (const to of readers)
    await deps.send({ to, ...draftLetter(letter, deps.dashboardUrl) }).then(
      () => sent++,
      (error: unknown) => failures.push(error),
    );
  for (const error of failures) deps.log("A letter to an arbiter could not be sent.", error);
  return failures.length === 0 || sent > 0;
}

/** The addresses of the arbiter who holds a case and may decide it, or else of those who could. */
async function listReaders(
  { database, cells }: DeskLetterDeps,
  arbiters: Arbiters,
  letter: DueLetter,
): Promise<readonly string[]> {
  const emails = new Map(arbiters.map(({ id, email }) => [id, email]));
  const candidates = await listCandidates(database, letter, [...emails.keys()]);
  const readers: string[] = [];
  for (const { userId, holds, conflict, sides } of candidates.toSorted((one, other) => +other.holds - +one.holds)) {
    if (conflict !== null || (await listWallets(cells, userId, sides)).size > 0) continue;
    readers.push(emails.get(userId)!);
    if (holds || readers.length === READERS_MAX) break;
  }
  return readers;
}

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
