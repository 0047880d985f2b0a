import { ActionError } from "../../../domain/actionError.ts";
import type { Actor, Visitor } from "../../../domain/callers.ts";
import type { Db } from "../../../store/database.ts";
import type { Context } from "../../context.ts";
import type { Finders } from "../../emails/email.ts";
import { queueEmails } from "../../emails/fragments.ts";
import { type CompanySession, dropIdentities, finishEntry } from "../company/enter.ts";
import type { StaffContext } from "../context.ts";
import { notifyUser } from "../fragments.ts";
import { passwordLink } from "../links.ts";
import { countVisit, isBeyond, PASSWORD_LINK_LIMIT, settleTry } from "../tries.ts";
import {
  type Email,
  isPassword,
  isUserName,
  PASSWORD_RULE,
  type Passkey,
  parseEmail,
  type Session,
  type SignInMethod,
  type User,
} from "../user.ts";
import { findBrowser, forgetBrowsers, keepBrowser } from "./browsers.ts";
import { dropOneTimes, dropPasswordLinks, issueOneTime, peekOneTime, takeFirstOwner, takeOneTime } from "./oneTime.ts";
import { deletePasskeys, listPasskeysOfUser } from "./passkeyQueries.ts";
import { hashPassword } from "./password.ts";
import {
  type CodeMethod,
  countCode,
  forgetGuesses,
  passwordExposed,
  provePassword,
  triesOfSignIn,
  useCode,
  wrongCode,
} from "./proof.ts";
import {
  endSessions,
  findUser,
  findUserByEmail,
  hasFirstUser,
  hasSignedIn,
  insertSession,
  insertUser,
  logUser,
  setPassword,
} from "./queries.ts";
import { listSessionsOfUser } from "./sessions.ts";

/** A user who has just signed in, with the secrets for the cookies. */
export interface SignedIn {
  readonly user: User;
  readonly secret: string;
  readonly browserSecret: string;
}

export const actorOf = (user: Pick<User, "id" | "email">, { address }: Visitor): Actor => ({
  kind: "user",
  userId: user.id,
  email: user.email,
  address,
});

/**
 * Begins a session, in the transaction of the proof. A user who has signed in before, but never with this browser,
 * gets an email.
 */
export async function beginSession(
  ctx: StaffContext,
  visitor: Visitor,
  prove: (db: Db) => Promise<{
    readonly user: User;
    readonly method: SignInMethod;
    readonly company?: CompanySession | undefined;
  }>,
): Promise<SignedIn> {
  return ctx.database.transaction(async (db) => {
    const { user, method, company } = await prove(db);
    const isFirst = !(await hasSignedIn(db, user.id));
    const browser = await keepBrowser(db, user.id, visitor.browserSecret);
    const operator = company?.isOperator ? { operator: "group" } : {};
    const details = { method, browser: browser.isNew ? "new" : "known", ...operator };
    await logUser(db, actorOf(user, visitor), user.id, "signed_in", details);
    const secret = await insertSession(db, user.id, method, visitor, company);
    if (browser.isNew && !isFirst) await notifyUser(db, user, { notice: "signed_in" }, visitor);
    return { user, secret, browserSecret: browser.secret };
  });
}

/**
 * Signs in by password (§13.1). If the user has an authenticator app, returns a ticket for the second step. Throws
 * `rate_limited`, `unauthorized`: the same answer after the same work, whether the address is known or not.
 */
export async function signIn(
  ctx: StaffContext,
  visitor: Visitor,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<SignedIn | { readonly ticket: string }> {
  const { database } = ctx;
  const key = parseEmail(email)?.key ?? email.trim().toLowerCase();
  const browser = await findBrowser(database, key, visitor.browserSecret);
  const tries = triesOfSignIn(key, visitor, browser);
  const user = await provePassword(ctx, { emailKey: key, password, address: visitor.address, tries });
  if (user.passwordExposedAt !== null && browser === null) throw passwordExposed();
  if (user.totpConfirmedAt !== null) return { ticket: await issueOneTime(database, "second_factor", user.id) };
  return beginSession(ctx, visitor, async () => ({ user, method: "password" }));
}

/**
 * The second step of a sign-in (§13.1). The ticket is valid until its code is right. Throws `rate_limited`,
 * `unauthorized`, {@link ActionError} `password_exposed`.
 */
export async function giveSecondFactor(
  ctx: StaffContext,
  visitor: Visitor,
  { ticket, code }: { readonly ticket: string; readonly code: string },
): Promise<SignedIn> {
  const { database } = ctx;
  const userId = (await peekOneTime(database, "second_factor", ticket))?.userId ?? null;
  const known = userId === null ? null : await findUser(database, userId);
  const browser = known === null ? null : await findBrowser(database, known.email.toLowerCase(), visitor.browserSecret);
  if (browser === null) await countVisit(database, visitor);
  if (known === null) throw wrongCode();
  const { address } = visitor;
  const tries = await countCode(ctx, { user: known, id: browser?.id ?? null, address }, code);
  const signedIn = await beginSession(ctx, visitor, async (db) => {
    const user = await findUser(db, known.id);
    const taken = await takeOneTime(db, "second_factor", ticket);
    if (user === null || taken === null) throw wrongCode();
    // The user removed the app after this ticket was issued, so it proves nothing. The sign-in starts again.
    const method = user.totpConfirmedAt === null ? null : await useCode(db, ctx, user, code);
    if (method === null) throw wrongCode();
    if (taken.company === null) return { user, method };
    const company = await finishEntry(db, ctx, user, taken.company);
    if (company === null) throw wrongCode();
    return { user, method: BY_COMPANY[method], company };
  });
  for (const one of tries) await settleTry(database, one);
  return signedIn;
}

const BY_COMPANY: Readonly<Record<CodeMethod, SignInMethod>> = {
  password_and_code: "company_and_code",
  password_and_backup_code: "company_and_backup_code",
};

export interface NewAccount {
  readonly name: string;
  readonly password: string;
}

/** Checks a new user's name and password. Throws {@link ActionError}: `name_invalid`, `password_invalid`. */
export function checkAccount({ name, password }: NewAccount, email: string): void {
  if (!isUserName(name)) throw new ActionError("name_invalid", "Enter a name of 1 to 100 characters.");
  checkPassword(password, email);
}

export function checkPassword(password: string, email: string): void {
  if (!isPassword(password, email))
    throw new ActionError("password_invalid", `The password must have ${PASSWORD_RULE}.`);
}

/** Throws {@link ActionError}: `email_invalid`. */
export function requireEmail(text: string): Email {
  const email = parseEmail(text);
  if (email === null) throw new ActionError("email_invalid", "Enter an email address, such as kim@example.com.");
  return email;
}

const unusableLink = () => new ActionError("link_unusable", "The link is unknown, expired or used. Ask for a new one.");

/**
 * Creates the first user, an operator, by the link that the log shows until there is one (§13.2). Throws {@link
 * ActionError}: `email_invalid`, `name_invalid`, `password_invalid`, `link_unusable`.
 */
export async function signUpOwner(
  ctx: StaffContext,
  visitor: Visitor,
  { link, email, ...account }: NewAccount & { readonly link: string; readonly email: string },
): Promise<SignedIn> {
  const { database, passwordCost } = ctx;
  await countVisit(database, visitor);
  const address = requireEmail(email);
  checkAccount(account, address.shown);
  const password = await hashPassword(account.password, passwordCost);
  return beginSession(ctx, visitor, async (db) => {
    if (!(await takeFirstOwner(db, link)) || (await hasFirstUser(db))) throw unusableLink();
    const first = { email: address, name: account.name, password, isOperator: true, isArbiter: false };
    const user = await insertUser(db, first);
    if (user === null) throw unusableLink();
    await logUser(db, actorOf(user, visitor), user.id, "signed_up", { by: "first_owner" });
    return { user, method: "link" };
  });
}

/**
 * Requests a link to set a new password (§13.3). Neither the answer nor its time reveals whether the address has a
 * user: an email is queued for every address, and dropped when it is sent. Throws `rate_limited`.
 */
export async function requestReset(
  { database, sendsEmails }: StaffContext,
  visitor: Visitor,
  text: string,
): Promise<void> {
  await countVisit(database, visitor);
  const email = parseEmail(text);
  if (email === null || !sendsEmails) return;
  if (await isBeyond(database, { limit: PASSWORD_LINK_LIMIT, subject: email.key })) return;
  const { address: network } = visitor;
  await queueEmails(database, [{ kind: "password_link", recipient: email.key, source: network, facts: { network } }]);
}

/** Makes the link of an email; null if its address has no user. */
export const passwordLinkFinder =
  ({ database, dashboardUrl }: Context): Finders["password_link"] =>
  ({ recipient, attempts }, { network }) =>
    database.transaction(async (db) => {
      const user = await findUserByEmail(db, recipient);
      if (user === null) return null;
      if (attempts === 0) await logUser(db, { kind: "service" }, user.id, "reset_asked", { network });
      return { to: user.email, link: passwordLink(dashboardUrl, await issueOneTime(db, "set_password", user.id)) };
    });

/** The user of a password link, which stays valid. Throws {@link ActionError} `link_unusable`. */
async function requireLinked(db: Db, link: string): Promise<User> {
  const peeked = await peekOneTime(db, "set_password", link);
  const user = peeked?.userId == null ? null : await findUser(db, peeked.userId);
  if (user === null) throw unusableLink();
  return user;
}

/**
 * The sign-in methods that an account has when a link sets its password: shown, so that the user sees those that
 * others may have added.
 */
export interface WaysIn {
  readonly hasApp: boolean;
  readonly passkeys: readonly Passkey[];
  readonly sessions: readonly Session[];
}

/** Throws `rate_limited`, {@link ActionError} `link_unusable`. */
export async function readReset({ database }: StaffContext, visitor: Visitor, link: string): Promise<WaysIn> {
  await countVisit(database, visitor);
  const { id, totpConfirmedAt } = await requireLinked(database, link);
  const [passkeys, sessions] = await Promise.all([listPasskeysOfUser(database, id), listSessionsOfUser(database, id)]);
  return { hasApp: totpConfirmedAt !== null, passkeys, sessions };
}

/**
 * Sets a password by a link, ends all sessions, and removes all passkeys except those to be kept (§13.3). An
 * authenticator app stays: it is no sign-in by itself, and without it, access to the mailbox would suffice. Afterwards
 * the account knows only this browser, whose secret is returned: guesses from elsewhere use up none of its tries.
 * Throws {@link ActionError}: `link_unusable`, `password_invalid`.
 */
export async function resetPassword(
  ctx: StaffContext,
  visitor: Visitor,
  { link, password, keepPasskeys }: NewPassword,
): Promise<{ readonly browserSecret: string }> {
  const { database, passwordCost } = ctx;
  await countVisit(database, visitor);
  const user = await requireLinked(database, link);
  checkPassword(password, user.email);
  const hashed = await hashPassword(password, passwordCost);
  const actor = actorOf(user, visitor);
  const browser = await database.transaction(async (db) => {
    if ((await takeOneTime(db, "set_password", link)) === null) throw unusableLink();
    await setPassword(db, user.id, hashed);
    await endWhatPasswordBegan(db, user, { sessionId: null, browserSecret: null, address: visitor.address });
    if (await dropIdentities(db, user)) await logUser(db, actor, user.id, "company_unlinked", { by: "link" });
    await logUser(db, actor, user.id, "password_changed", { by: "link" });
    const removed = await deletePasskeys(db, user.id, keepPasskeys);
    for (const one of removed) await logUser(db, actor, user.id, "passkey_removed", { ...one, by: "link" });
    if (user.password !== null)
      await notifyUser(db, user, { notice: "password_changed", passkeysRemoved: removed.length }, visitor);
    return keepBrowser(db, user.id, visitor.browserSecret);
  });
  return { browserSecret: browser.secret };
}

interface NewPassword {
  readonly link: string;
  readonly password: string;
  /** Ids of passkeys to keep. All others are removed. */
  readonly keepPasskeys: readonly string[];
}

/** Deletes everything that depends on the old password: sessions and browsers except the given ones, links, tickets and counts. */
export async function endWhatPasswordBegan(
  db: Db,
  user: Pick<User, "id" | "email">,
  kept: { readonly sessionId: string | null; readonly browserSecret: string | null; readonly address: string },
): Promise<void> {
  await dropPasswordLinks(db, user);
  await dropOneTimes(db, "second_factor", user.id);
  await endSessions(db, user.id, kept.sessionId);
  await forgetBrowsers(db, user.id, kept.browserSecret);
  await forgetGuesses(db, user, kept.address);
}
