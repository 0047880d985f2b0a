import type { Log } from "../../lib/log.ts";

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a letter, or fails within its own time limit. */
export type Mailer = (letter: Letter) => Promise<void>;

/**
 * The kind of a letter. A `recipient` letter says who may be paid, and no flood of notices may drop it (§13.11.6). A
 * `record` is no letter: it only writes to the log. Each kind has its own queue.
 */
export type LetterKind = "reset" | "invitation" | "notice" | "recipient" | "record";

/** Letters of one kind that may wait to be sent. Any beyond that are dropped and logged. */
const OF_KIND_MAX = 200;
/** Waiting letters per kind and source. A source is a network, a business or a user. */
const OF_SOURCE_MAX = 20;

type Draft = () => Promise<Letter | null>;

/** The queue of one kind. Its sources take turns, so that none waits for all the letters of another. */
class Waiting {
  readonly #sources = new Map<string, Draft[]>();
  #count = 0;

  /** Returns false if too many wait. */
  add(source: string, draft: Draft): boolean {
    const drafts = this.#sources.get(source) ?? [];
    if (this.#count >= OF_KIND_MAX || drafts.length >= OF_SOURCE_MAX) return false;
    this.#sources.set(source, [...drafts, draft]);
    this.#count++;
    return true;
  }

  take(): Draft | null {
    const [first] = this.#sources;
    if (first === undefined) return null;
    const [source, [draft, ...rest]] = first;
    this.#sources.delete(source);
    // Put the source behind all others.
    if (rest.length > 0) this.#sources.set(source, rest);
    this.#count--;
    return draft!;
  }
}

/**
 * Runs work after the answer, one piece after the other, so that the answer to a request for a letter takes as long
 * whether a letter is sent or not.
 */
export class Outbox {
  readonly canSend: boolean;
  readonly #mailer: Mailer | null;
  readonly #log: Log;
  readonly #kinds = new Map<LetterKind, Waiting>();
  #isRunning = false;
  #last: Promise<void> = Promise.resolve();

  constructor(mailer: Mailer | null, log: Log) {
    this.canSend = mailer !== null;
    this.#mailer = mailer;
    this.#log = log;
  }

  /** Drafts a letter later, and sends it if there is one. */
  add(kind: LetterKind, source: string, draft: Draft): void {
    const waiting = this.#kinds.get(kind) ?? new Waiting();
    this.#kinds.set(kind, waiting);
    if (!waiting.add(source, draft)) {
      this.#log(`A letter (${kind}) was dropped: too many wait to be sent.`);
      return;
    }
    if (!this.#isRunning) this.#last = this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let draft = this.#take(); draft !== null; draft = this.#take()) {
      try {
        const letter = await draft();
        if (letter !== null) await this.#mailer?.(letter);
      } catch (error) {
        this.#log("A letter could not be sent.", error);
      }
    }
    this.#isRunning = false;
  }

  /** The next draft. Kinds take turns, as do the sources of each. */
  #take(): Draft | null {
    for (const [kind, waiting] of [...this.#kinds]) {
      const draft = waiting.take();
      this.#kinds.delete(kind);
      if (draft === null) continue;
      this.#kinds.set(kind, waiting);
      return draft;
    }
    return null;
  }

  /** Waits for the work under way. */
  drain(): Promise<void> {
    return this.#last;
  }
}

/** Characters of a name in a letter. A longer text is no name. */
const NAME_CHARACTERS_MAX = 40;

/**
 * A user-chosen name for a letter: cut, in quotation marks that it cannot close, and without characters from which a
 * mail program makes a link.
 */
export function quoteName(name: string): string {
  const plain = name
    .replaceAll(/["“”]|:\/\//gu, " ")
    .replaceAll(/(?<=\S)[.\u3002\uFF0E\uFF61]+(?=\S)/gu, " ")
    .replaceAll(/[\s\p{C}]+/gu, " ")
    .trim();
  return `“${[...plain].slice(0, NAME_CHARACTERS_MAX).join("").trim()}”`;
}

const SIGN = "\n\nIf you did not request this, you can ignore this email.\n";

export const draftResetLetter = (to: string, link: string, network: string): Letter => ({
  to,
  subject: "Set a new password",
  text: `Set a new password for the dashboard within the next hour:\n\n${link}\n\nSomeone in the network ${network} requested this link.${SIGN}`,
});

export const draftInvitationLetter = (to: string, business: string, by: string, link: string): Letter => ({
  to,
  subject: "Invitation to the dashboard",
  text: `A member called ${quoteName(by)} invites you to the dashboard of a business called ${quoteName(business)}. Accept within the next seven days:\n\n${link}${SIGN}`,
});
