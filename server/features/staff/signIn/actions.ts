import { ActionError } from "../../../domain/actionError.ts";
import type { Actor, Visitor } from "../../../domain/callers.ts";
import type { Db } from "../../../store/database.ts";
import type { StaffDeps } from "../deps.ts";
import { draftResetLetter } from "../letters.ts";
import { passwordLink } from "../links.ts";
import { type Email, isPassword, isUserName, PASSWORD_RULE, parseEmail, type SignInMethod } from "../staff.ts";
import { findBrowser, forgetBrowsers, keepBrowser } from "./browsers.ts";
import { dropOneTimes, issueOneTime, peekOneTime, takeFirstOwner, takeOneTime } from "./oneTime.ts";
import { hashPassword } from "./password.ts";
import {
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
  hasUsers,
  insertSession,
  insertUser,
  logUser,
  setPassword,
  type User,
} from "./queries.ts";
import { countVisit, isBeyond, LETTER_LIMIT, settleTry } from "./tries.ts";

/** Someone who is signed in from now on, with the secrets for their cookies. */
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

/** Begins a session, in the transaction of what proved the user. */
export async function beginSession(db: Db, user: User, method: SignInMethod, visitor: Visitor): Promise<SignedIn> {
  await logUser(db, actorOf(user, visitor), user.id, "signed_in", { method });
  const secret = await insertSession(db, user.id, method, visitor);
  const browser = await keepBrowser(db, user.id, visitor.browserSecret);
  return { user, secret, browserSecret: browser.secret };
}

/**
 * Signs in by password (§13.1). Where the user has an authenticator app, the answer is a ticket for the second step.
 * Throws `rate_limited`, `unauthorized`: the same answer after the same work, whether the address is known or not.
 */
export async function signIn(
  deps: StaffDeps,
  visitor: Visitor,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<SignedIn | { readonly ticket: string }> {
  const { database } = deps;
  const key = parseEmail(email)?.key ?? email.trim().toLowerCase();
  const browser = await findBrowser(database, key, visitor.browserSecret);
  const tries = triesOfSignIn(key, visitor, browser);
  const user = await provePassword(deps, { emailKey: key, password, address: visitor.address, tries });
  if (user.passwordExposedAt !== null && browser === null) throw passwordExposed();
  if (user.totpConfirmedAt !== null) return { ticket: await issueOneTime(database, "second_factor", user.id) };
  return database.transaction((db) => beginSession(db, user, "password", visitor));
}

/**
 * The second step of a sign-in (§13.1). The ticket lasts until its code is right. Throws `rate_limited`, `unauthorized`,
 * {@link ActionError} `password_exposed`.
 */
export async function giveSecondFactor(
  deps: StaffDeps,
  visitor: Visitor,
  { ticket, code }: { readonly ticket: string; readonly code: string },
): Promise<SignedIn> {
  const { database } = deps;
  await countVisit(database, visitor);
  const userId = (await peekOneTime(database, "second_factor", ticket))?.userId ?? null;
  const known = userId === null ? null : await findUser(database, userId);
  if (known === null) throw wrongCode();
  const browser = await findBrowser(database, known.email.toLowerCase(), visitor.browserSecret);
  const { address } = visitor;
  const tries = await countCode(deps, { user: known, id: browser?.id ?? null, address }, code);
  const signedIn = await database.transaction(async (db) => {
    const user = await findUser(db, known.id);
    if (user === null || (await takeOneTime(db, "second_factor", ticket)) === null) throw wrongCode();
    // Without an app by now, the ticket is no proof: the sign-in begins again.
    const method = user.totpConfirmedAt === null ? null : await useCode(db, deps, user, code);
    if (method === null) throw wrongCode();
    return beginSession(db, user, method, visitor);
  });
  for (const one of tries) await settleTry(database, one);
  return signedIn;
}

export interface NewAccount {
  readonly name: string;
  readonly password: string;
}

/** Checks what a new user gives about themselves. Throws {@link ActionError}: `name_invalid`, `password_invalid`. */
export function checkAccount({ name, password }: NewAccount, email: string): void {
  if (!isUserName(name)) throw new ActionError("name_invalid", "Give a name of 1 to 100 characters.");
  checkPassword(password, email);
}

export function checkPassword(password: string, email: string): void {
  if (!isPassword(password, email)) throw new ActionError("password_invalid", `A password has ${PASSWORD_RULE}.`);
}

/** Throws {@link ActionError}: `email_invalid`. */
export function requireEmail(text: string): Email {
  const email = parseEmail(text);
  if (email === null) throw new ActionError("email_invalid", "Give an e-mail address, such as kim@example.com.");
  return email;
}

const unusableLink = () =>
  new ActionError("link_unusable", "The link is unknown, too old, or was used. Ask for a new one.");

/**
 * Makes the first user, an operator, by the link that the log shows while there is none (§13.2). Throws
 * {@link ActionError}: `email_invalid`, `name_invalid`, `password_invalid`, `link_unusable`.
 */
export async function signUpOwner(
  { database, passwordCost }: StaffDeps,
  visitor: Visitor,
  { link, email, ...account }: NewAccount & { readonly link: string; readonly email: string },
): Promise<SignedIn> {
  await countVisit(database, visitor);
  const address = requireEmail(email);
  checkAccount(account, address.shown);
  const password = await hashPassword(account.password, passwordCost);
  return database.transaction(async (db) => {
    if (!(await takeFirstOwner(db, link)) || (await hasUsers(db))) throw unusableLink();
    const first = { email: address, name: account.name, password, isOperator: true, isArbiter: false };
    const user = await insertUser(db, first);
    if (user === null) throw unusableLink();
    await logUser(db, actorOf(user, visitor), user.id, "signed_up", { by: "first_owner" });
    return beginSession(db, user, "link", visitor);
  });
}

/**
 * Asks for a link to set a new password (§13.3). Whether the address has a user shows neither in the answer nor in its
 * time: everything else happens behind it. Throws `rate_limited`.
 */
export async function requestReset(
  { database, outbox, dashboardUrl }: StaffDeps,
  visitor: Visitor,
  text: string,
): Promise<void> {
  await countVisit(database, visitor);
  const email = parseEmail(text);
  if (email === null || !outbox.canSend) return;
  outbox.add("reset", visitor.address, async () => {
    const user = await findUserByEmail(database, email.key);
    if (user === null || (await isBeyond(database, { limit: LETTER_LIMIT, subject: email.key }))) return null;
    const secret = await issueOneTime(database, "set_password", user.id);
    return draftResetLetter(user.email, passwordLink(dashboardUrl, secret));
  });
}

/**
 * Sets a password by a link, and ends all sessions (§13.3). The second factor stays: a mailbox alone signs nobody in who
 * has one. The browser is the only one that the account knows from then on; the answer is its secret: others may go on to
 * guess, and use up no tries of its. Throws {@link ActionError}: `link_unusable`, `password_invalid`.
 */
export async function resetPassword(
  { database, passwordCost }: StaffDeps,
  visitor: Visitor,
  { link, password }: { readonly link: string; readonly password: string },
): Promise<{ readonly browserSecret: string }> {
  await countVisit(database, visitor);
  const peeked = await peekOneTime(database, "set_password", link);
  const user = peeked?.userId == null ? null : await findUser(database, peeked.userId);
  if (user === null) throw unusableLink();
  checkPassword(password, user.email);
  const hashed = await hashPassword(password, passwordCost);
  return database.transaction(async (db) => {
    if ((await takeOneTime(db, "set_password", link)) === null) throw unusableLink();
    await setPassword(db, user.id, hashed);
    await dropOneTimes(db, "set_password", user.id);
    await dropOneTimes(db, "second_factor", user.id);
    await endSessions(db, user.id, null);
    await forgetGuesses(db, user, visitor.address);
    await forgetBrowsers(db, user.id, null);
    const browser = await keepBrowser(db, user.id, visitor.browserSecret);
    await logUser(db, actorOf(user, visitor), user.id, "password_changed", { by: "link" });
    return { browserSecret: browser.secret };
  });
}
