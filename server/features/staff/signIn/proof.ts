import { hash } from "node:crypto";
import { ActionError } from "../../../domain/actionError.ts";
import type { Staff, Visitor } from "../../../domain/callers.ts";
import { ApiError } from "../../../domain/errors.ts";
import type { Database, Db } from "../../../store/database.ts";
import type { StaffDeps } from "../deps.ts";
import { notifyUser } from "../notices.ts";
import {
  ACCOUNT_LIMIT,
  ADDRESS_LIMIT,
  BACKUP_CODE_LIMIT,
  CODE_DAY_LIMIT,
  CODE_LIMIT,
  countTry,
  forgetTries,
  GUESS_LIMIT,
  isBeyond,
  type Limit,
  settleTry,
  type Try,
} from "../tries.ts";
import type { SignInMethod, User } from "../user.ts";
import { forgetBrowser } from "./browsers.ts";
import { dropOneTimes } from "./oneTime.ts";
import { recordLock } from "./outcomes.ts";
import { hashPassword, isOutdated, isPasswordOf } from "./password.ts";
import { findUserByEmail, logUser, markExposed, raisePassword, useBackupCode, useTotpStep } from "./queries.ts";
import { stepsOfCode } from "./totp.ts";

/** An account as limits count it: the log of tries holds no addresses. */
const accountSubject = (emailKey: string): string => hash("sha256", emailKey, "hex");

/**
 * The tries that a password at the sign-in is (§13.4.5), in the order in which they are counted: what one network has used
 * up costs the account nothing more. A browser that the account knows has a count of its own, which no stranger can use up.
 */
export function triesOfSignIn(emailKey: string, { address }: Visitor, browser: { readonly id: string } | null): Try[] {
  const account = accountSubject(emailKey);
  if (browser !== null) return [{ limit: GUESS_LIMIT, subject: `${account} ${browser.id}` }];
  return [
    { limit: ADDRESS_LIMIT, subject: address },
    { limit: GUESS_LIMIT, subject: `${account} ${address}` },
    { limit: ACCOUNT_LIMIT, subject: account },
  ];
}

/** The tries that a password in a session is: nobody without the session can use them up. */
export const triesOfSession = ({ sessionId }: Staff): Try[] => [{ limit: GUESS_LIMIT, subject: sessionId }];

/** One answer for a wrong password, an unknown address and an account without a password. */
const wrongPassword = (): ApiError => new ApiError("unauthorized", "The email address or the password is wrong.");

export const wrongCode = (): ApiError =>
  new ApiError("unauthorized", "The code is wrong, used or expired. Enter the next code, or sign in again.");

/** A password that is given for an account, or for an address that has none. */
export interface GivenPassword {
  readonly emailKey: string;
  readonly password: string;
  readonly address: string;
  readonly tries: readonly Try[];
}

/**
 * Checks a password, for the account that has the address or for none, with the same work and the same answer. Throws
 * `rate_limited`, `unauthorized`.
 */
export async function provePassword(deps: StaffDeps, given: GivenPassword): Promise<User> {
  const { database, passwordCost } = deps;
  const { emailKey, password, address, tries } = given;
  for (const one of tries) await countTry(database, one, (limit) => recordLock(deps, address, limit, { emailKey }));
  const user = await findUserByEmail(database, emailKey);
  const isRight = await isPasswordOf(user?.password ?? null, password, passwordCost);
  if (user === null || !isRight) throw wrongPassword();
  for (const one of tries) await settleTry(database, one);
  if (isOutdated(user.password!, passwordCost))
    await raisePassword(database, user.id, user.password!, await hashPassword(password, passwordCost));
  return user;
}

/** The place where a code is given. The counts of one place leave those of the others alone (§13.4.5). */
export interface CodePlace {
  readonly user: User;
  /** A session, or a browser that the user signed in with before; null: anywhere else. */
  readonly id: string | null;
  readonly address: string;
}

/** A code without what people type between its parts. */
const compact = (code: string): string => code.replaceAll(/[\s-]/g, "");
const isAppCode = (code: string): boolean => /^\d{6}$/.test(compact(code));

/**
 * Counts a code before it is tried; answers with what is to be settled if it is right. Throws `rate_limited`,
 * {@link ActionError} `password_exposed`.
 */
export async function countCode(deps: StaffDeps, place: CodePlace, code: string): Promise<readonly Try[]> {
  const { database } = deps;
  const { user, id, address } = place;
  const onLock = (limit: Limit) => recordLock(deps, address, limit, { user });
  if (!isAppCode(code)) {
    const backup = { limit: BACKUP_CODE_LIMIT, subject: `${id ?? user.id} ${address}` };
    await countTry(database, backup, onLock);
    return [backup];
  }
  const tries = [CODE_LIMIT, CODE_DAY_LIMIT].map((limit) => ({ limit, subject: id ?? user.id }));
  const [ofHour, ofDay] = tries as [Try, Try];
  await countTry(database, ofHour, onLock);
  if (await isBeyond(database, ofDay)) {
    if (await exposePassword(database, place)) notifyUser(deps, user, "password_exposed", { address });
    throw passwordExposed();
  }
  return tries;
}

/** Notes that somebody else has the password; false: it was noted. The browser from which the codes came is known no more. */
const exposePassword = (database: Database, { user, id, address }: CodePlace): Promise<boolean> =>
  database.transaction(async (db) => {
    if (id !== null) await forgetBrowser(db, user.id, id);
    if (!(await markExposed(db, user.id))) return false;
    await dropOneTimes(db, "second_factor", user.id);
    await logUser(db, { kind: "service" }, user.id, "password_exposed", { network: address });
    return true;
  });

/** The answer to the right password in a browser that its user never signed in with. */
export const passwordExposed = (): ActionError =>
  new ActionError(
    "password_exposed",
    "Too many wrong codes followed this password, so someone else may know it. Request a reset link, or sign in with a passkey.",
  );

/** For a user who has just set a new password: what others tried before counts no more, from this network neither. */
export async function forgetGuesses(db: Db, { id, email }: Pick<User, "id" | "email">, address: string): Promise<void> {
  const account = accountSubject(email.toLowerCase());
  await forgetTries(db, ACCOUNT_LIMIT, account);
  await forgetTries(db, GUESS_LIMIT, `${account} ${address}`);
  for (const limit of [CODE_LIMIT, CODE_DAY_LIMIT]) await forgetTries(db, limit, id);
}

export const totpBinding = (userId: string): string => `totp ${userId}`;

/** A backup code as it is typed, in the form in which it is hashed. */
export const hashBackupCode = (code: string): string =>
  hash("sha256", code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ""), "hex");

/**
 * Uses a code of the app, or a backup code, up; answers with the kind. Null: it is neither, or was used before. The caller
 * has counted the try.
 */
export async function useCode(db: Db, { sealing }: StaffDeps, user: User, code: string): Promise<SignInMethod | null> {
  if (!isAppCode(code))
    return (await useBackupCode(db, user.id, hashBackupCode(code))) ? "password_and_backup_code" : null;
  for (const step of stepsOfCode(openTotp(sealing, user), compact(code), new Date()))
    if (await useTotpStep(db, user.id, step)) return "password_and_code";
  return null;
}

/** Throws {@link ActionError} `second_factor_unavailable`. */
export function openTotp(sealing: StaffDeps["sealing"], user: User): string {
  if (sealing === null)
    throw new ActionError(
      "second_factor_unavailable",
      "This deployment has no keys to encrypt secrets. Its operator sets WEBHOOK_KEYS_FILE.",
    );
  return sealing.open(totpBinding(user.id), user.totpSecret!);
}
