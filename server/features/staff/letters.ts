import type { Log } from "../../lib/log.ts";

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a letter, or fails within a bound of its own. */
export type Mailer = (letter: Letter) => Promise<void>;

/** Letters that may wait to be sent; beyond that they are dropped with a line in the log. */
const WAITING_MAX = 200;

/**
 * Work that happens behind an answer, one piece after the other: the answer to someone who asks for a letter takes as long
 * whether there is one to send or not.
 */
export class Outbox {
  readonly canSend: boolean;
  readonly #mailer: Mailer | null;
  readonly #log: Log;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(mailer: Mailer | null, log: Log) {
    this.canSend = mailer !== null;
    this.#mailer = mailer;
    this.#log = log;
  }

  /** Drafts a letter later, and sends it if there is one. */
  add(draft: () => Promise<Letter | null>): void {
    if (this.#waiting >= WAITING_MAX) {
      this.#log("A letter was dropped: too many wait to be sent.");
      return;
    }
    this.#waiting++;
    this.#last = this.#last.then(async () => {
      try {
        const letter = await draft();
        if (letter !== null) await this.#mailer?.(letter);
      } catch (error) {
        this.#log("A letter could not be sent.", error);
      } finally {
        this.#waiting--;
      }
    });
  }

  /** Waits for what is under way. */
  drain(): Promise<void> {
    return this.#last;
  }
}

const SIGN = "\n\nIf you did not ask for this, you need not do anything.\n";

export const draftResetLetter = (to: string, link: string): Letter => ({
  to,
  subject: "Set a new password",
  text: `Set a new password for the dashboard within the next hour:\n\n${link}${SIGN}`,
});

export const draftInvitationLetter = (to: string, business: string, by: string, link: string): Letter => ({
  to,
  subject: "An invitation to the dashboard",
  text: `${by} invites you to the business "${business}". Accept within the next seven days:\n\n${link}${SIGN}`,
});
