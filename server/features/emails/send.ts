import { Lru } from "../../lib/lru.ts";
import { isOutage } from "../../lib/outages.ts";
import type { Context } from "../context.ts";
import { countEmails, type Finders, retryMinutes } from "./email.ts";
import { type ClaimedEmail, claimEmail, deleteEmail, putBackEmail } from "./queries.ts";
import { draftText, type Sites } from "./texts.ts";

export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Where answers go; left out: to the sender. */
  readonly replyTo?: string;
}

/**
 * Hands an email to the mail server, within its own time limit. Returns the code of its answer about this email: below 400
 * it has taken it, from 500 on it never will. Throws an outage if it says nothing about this email.
 */
export type Mailer = (message: Message) => Promise<number>;

/** Emails of which a process knows that the mail server said nothing about them. */
const UNANSWERED_MAX = 10_000;

/**
 * The step that sends one email (§13.3.4). Its row goes once the mail server has taken it: a crash in between costs a
 * second email, never one that is lost. A server that is away fails the step, so that the loop waits.
 */
export function createEmailStep(ctx: Context, mailer: Mailer, finders: Finders): () => Promise<boolean> {
  const { database, log } = ctx;
  /** The number of emails that the server had taken when it said nothing about this one. */
  const unanswered = new Lru<number, number>(UNANSWERED_MAX);
  let taken = 0;

  /** True if the server took others since it last said nothing about this email: it is this one's attempt that fails. */
  function breaksAlone({ id }: ClaimedEmail): boolean {
    const before = unanswered.get(id) ?? taken;
    unanswered.set(id, taken);
    return taken > before;
  }

  async function send(email: ClaimedEmail): Promise<void> {
    const message = await draftMessage(ctx, finders, email);
    const code = message === null ? null : await mailer(message);
    if (code !== null && code >= 400 && code < 500) return tryLater(ctx, email);
    await deleteEmail(database, email);
    if (code === null) return;
    if (code < 400) taken++;
    countEmails(code < 400 ? "sent" : "refused");
    if (code >= 500) log(`The mail server refused an email (${email.kind}) for good: ${code}.`);
  }

  return async () => {
    const email = await claimEmail(database);
    if (email === null) return false;
    if (email.isExpired) {
      await giveUp(ctx, email);
      return true;
    }
    try {
      await send(email);
    } catch (error) {
      if (isOutage(error) && !breaksAlone(email)) {
        await putBack(ctx, email, OUTAGE_MINUTES);
        throw error;
      }
      await tryLater(ctx, email);
      log(`An email (${email.kind}) could not be sent.`, error);
    }
    return true;
  };
}

/** Null: it is no longer to be sent. */
async function draftMessage(
  sites: Sites,
  finders: Finders,
  { kind, facts, ...email }: ClaimedEmail,
): Promise<Message | null> {
  const known = JSON.parse(facts);
  const find = (finders as Readonly<Record<string, Finders[keyof Finders]>>)[kind];
  const found: { readonly to?: string; readonly replyTo?: string | null } | null =
    find === undefined ? {} : await find(email, known as never);
  if (found === null) return null;
  const { to = email.recipient, replyTo = null } = found;
  return { to, ...(replyTo === null ? {} : { replyTo }), ...draftText(kind, { ...known, ...found }, sites) };
}

/** After an outage, which says nothing of an email, all that wait are soon due. */
const OUTAGE_MINUTES = 5;

async function tryLater(ctx: Context, email: ClaimedEmail): Promise<void> {
  const attempts = email.attempts + 1;
  const minutes = retryMinutes(attempts);
  if (minutes === null) return giveUp(ctx, email);
  await putBack(ctx, { ...email, attempts }, minutes);
}

async function putBack({ database }: Context, email: ClaimedEmail, minutes: number): Promise<void> {
  await putBackEmail(database, email, minutes);
  countEmails("failed");
}

async function giveUp({ database, log }: Context, email: ClaimedEmail): Promise<void> {
  await deleteEmail(database, email);
  countEmails("given_up");
  log(`An email (${email.kind}) was given up after ${email.attempts} attempts.`);
}
