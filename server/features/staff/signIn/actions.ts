import { ActionError } from "../../../domain/actionError.ts";
import type { Actor, Visitor } from "../../../domain/callers.ts";
import { ApiError } from "../../../domain/errors.ts";
import type { Db } from "../../../store/database.ts";
import type { StaffDeps } from "../deps.ts";
import { draftResetLetter } from "../letters.ts";
import { passwordLink } from "../links.ts";
import { type Email, isPassword, isUserName, PASSWORD_RULE, parseEmail, type SignInMethod } from "../staff.ts";
import { dropOneTimes, issueOneTime, peekOneTime, takeFirstOwner, takeOneTime } from "./oneTime.ts";
import { hashPassword } from "./password.ts";
import { countCode, forgetWrongPasswords, provePassword, useCode, wrongCode } from "./proof.ts";
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
import { ADDRESS_LIMIT, countTry, LETTER_LIMIT } from "./tries.ts";

/** Someone who is signed in from now on, with the secret for their cookie. */
export interface SignedIn {
  readonly user: User;
  readonly secret: string;
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
  return { user, secret: await insertSession(db, user.id, method, visitor) };
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
  await countTry(database, ADDRESS_LIMIT, visitor.address);
  const key = parseEmail(email)?.key ?? email.trim().toLowerCase();
  const user = await provePassword(deps, key, password, () => findUserByEmail(database, key));
  if (user.totpConfirmedAt !== null) return { ticket: await issueOneTime(database, "second_factor", user.id) };
  return database.transaction((db) => beginSession(db, user, "password", visitor));
}

/** The second step of a sign-in (§13.1). The ticket lasts until its code is right. Throws `rate_limited`, `unauthorized`. */
export async function giveSecondFactor(
  deps: StaffDeps,
  visitor: Visitor,
  { ticket, code }: { readonly ticket: string; readonly code: string },
): Promise<SignedIn> {
  const { database } = deps;
  await countTry(database, ADDRESS_LIMIT, visitor.address);
  const userId = (await peekOneTime(database, "second_factor", ticket))?.userId ?? null;
  if (userId === null) throw wrongCode();
  await countCode(database, userId);
  return database.transaction(async (db) => {
    const user = await findUser(db, userId);
    if (user === null || (await takeOneTime(db, "second_factor", ticket)) === null) throw wrongCode();
    // Without an app by now, the ticket is no proof: the sign-in begins again.
    const method = user.totpConfirmedAt === null ? null : await useCode(db, deps, user, code);
    if (method === null) throw wrongCode();
    return beginSession(db, user, method, visitor);
  });
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
  await countTry(database, ADDRESS_LIMIT, visitor.address);
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
  await countTry(database, ADDRESS_LIMIT, visitor.address);
  const email = parseEmail(text);
  if (email === null || !outbox.canSend) return;
  outbox.add(async () => {
    const user = await findUserByEmail(database, email.key);
    if (user === null || (await isLetterRefused(database, email.key))) return null;
    const secret = await issueOneTime(database, "set_password", user.id);
    return draftResetLetter(user.email, passwordLink(dashboardUrl, secret));
  });
}

/** Whether the address has had its letters for now: nobody is to be flooded by others' requests. */
async function isLetterRefused(db: Db, emailKey: string): Promise<boolean> {
  try {
    await countTry(db, LETTER_LIMIT, emailKey);
    return false;
  } catch (error) {
    if (error instanceof ApiError && error.code === "rate_limited") return true;
    throw error;
  }
}

/**
 * Sets a password by a link, and ends all sessions (§13.3). The second factor stays: a mailbox alone signs nobody in who
 * has one. Throws {@link ActionError}: `link_unusable`, `password_invalid`.
 */
export async function resetPassword(
  { database, passwordCost }: StaffDeps,
  visitor: Visitor,
  { link, password }: { readonly link: string; readonly password: string },
): Promise<void> {
  await countTry(database, ADDRESS_LIMIT, visitor.address);
  const peeked = await peekOneTime(database, "set_password", link);
  const user = peeked?.userId == null ? null : await findUser(database, peeked.userId);
  if (user === null) throw unusableLink();
  checkPassword(password, user.email);
  const hashed = await hashPassword(password, passwordCost);
  await forgetWrongPasswords(database, user);
  await database.transaction(async (db) => {
    if ((await takeOneTime(db, "set_password", link)) === null) throw unusableLink();
    await setPassword(db, user.id, hashed);
    await dropOneTimes(db, "set_password", user.id);
    await dropOneTimes(db, "second_factor", user.id);
    await endSessions(db, user.id, null);
    await logUser(db, actorOf(user, visitor), user.id, "password_changed", { by: "link" });
  });
}
