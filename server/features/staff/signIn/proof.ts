import { hash } from "node:crypto";
import { ActionError } from "../../../domain/actionError.ts";
import type { Staff, Visitor } from "../../../domain/callers.ts";
import { ApiError } from "../../../domain/errors.ts";
import type { Database, Db } from "../../../store/database.ts";
import type { StaffContext } from "../context.ts";
import { notifyUser } from "../fragments.ts";
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

/** The subject of an account in limits: a hash, so that the counts contain no addresses. */
const accountSubject = (emailKey: string): string => hash("sha256", emailKey, "hex");

/**
 * The counts of a password attempt at sign-in (§13.4.5), in order: an attempt beyond a network's limit no longer
 * counts against the account. A browser that the account knows has its own count, which no stranger can use up.
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

/** The counts of a password attempt in a session: only the session itself can use them up. */
export const triesOfSession = ({ sessionId }: Staff): Try[] => [{ limit: GUESS_LIMIT, subject: sessionId }];

/** One answer for a wrong password, an unknown address and an account without a password. */
const wrongPassword = (): ApiError => new ApiError("unauthorized", "The email address or the password is wrong.");

export const wrongCode = (): ApiError =>
  new ApiError("unauthorized", "The code is wrong, used or expired. Enter the next code, or sign in again.");

/** A password sent for an account, or for an address without one. */
export interface GivenPassword {
  readonly emailKey: string;
  readonly password: string;
  readonly address: string;
  readonly tries: readonly Try[];
}

/**
 * Checks a password, with the same work and the same answer whether the address has an account or not. Throws
 * `rate_limited`, `unauthorized`.
 */
export async function provePassword(ctx: StaffContext, given: GivenPassword): Promise<User> {
  const { database, passwordCost } = ctx;
  const { emailKey, password, address, tries } = given;
  for (const one of tries) await countTry(database, one, (limit) => recordLock(ctx, address, limit, { emailKey }));
  const user = await findUserByEmail(database, emailKey);
  const isRight = await isPasswordOf(user?.password ?? null, password, passwordCost);
  if (user === null || !isRight) throw wrongPassword();
  for (const one of tries) await settleTry(database, one);
  if (isOutdated(user.password!, passwordCost))
    await raisePassword(database, user.id, user.password!, await hashPassword(password, passwordCost));
  return user;
}

/** The place in which a code is entered. Each place has its own counts (§13.4.5). */
export interface CodePlace {
  readonly user: User;
  /** A session, or a browser in which the user signed in before; null elsewhere. */
  readonly id: string | null;
  readonly address: string;
}

/** A code without blanks and hyphens. */
const compact = (code: string): string => code.replaceAll(/[\s-]/g, "");
const isAppCode = (code: string): boolean => /^\d{6}$/.test(compact(code));

/**
 * Counts a code before it is checked. Returns the tries to settle if it is right. Throws `rate_limited`, {@link
 * ActionError} `password_exposed`.
 */
export async function countCode(ctx: StaffContext, place: CodePlace, code: string): Promise<readonly Try[]> {
  const { database } = ctx;
  const { user, id, address } = place;
  const onLock = (limit: Limit) => recordLock(ctx, address, limit, { user });
  if (!isAppCode(code)) {
    const backup = { limit: BACKUP_CODE_LIMIT, subject: `${id ?? user.id} ${address}` };
    await countTry(database, backup, onLock);
    return [backup];
  }
  const tries = [CODE_LIMIT, CODE_DAY_LIMIT].map((limit) => ({ limit, subject: id ?? user.id }));
  const [ofHour, ofDay] = tries as [Try, Try];
  await countTry(database, ofHour, onLock);
  if (await isBeyond(database, ofDay)) {
    await exposePassword(database, place);
    throw passwordExposed();
  }
  return tries;
}

/** Records that another person has the password, and forgets the browser from which the codes came. */
const exposePassword = (database: Database, { user, id, address }: CodePlace): Promise<void> =>
  database.transaction(async (db) => {
    if (id !== null) await forgetBrowser(db, user.id, id);
    if (!(await markExposed(db, user.id))) return;
    await dropOneTimes(db, "second_factor", user.id);
    await logUser(db, { kind: "service" }, user.id, "password_exposed", { network: address });
    await notifyUser(db, user, { notice: "password_exposed" }, { address });
  });

/** The answer to the right password in a browser in which its user never signed in. */
export const passwordExposed = (): ActionError =>
  new ActionError(
    "password_exposed",
    "Too many wrong codes followed this password, so someone else may know it. Request a reset link, or sign in with a passkey.",
  );

/** Forgets earlier guesses at the password of a user who has just set a new one, also those from this network. */
export async function forgetGuesses(db: Db, { id, email }: Pick<User, "id" | "email">, address: string): Promise<void> {
  const account = accountSubject(email.toLowerCase());
  await forgetTries(db, ACCOUNT_LIMIT, account);
  await forgetTries(db, GUESS_LIMIT, `${account} ${address}`);
  for (const limit of [CODE_LIMIT, CODE_DAY_LIMIT]) await forgetTries(db, limit, id);
}

export const totpBinding = (userId: string): string => `totp ${userId}`;

/** A typed backup code, in the form in which it is hashed. */
export const hashBackupCode = (code: string): string =>
  hash("sha256", code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ""), "hex");

export type CodeMethod = Extract<SignInMethod, `password_and_${string}`>;

/**
 * Uses up a code of the app or a backup code, and returns its kind. Null if it is wrong, or was used before. The
 * caller has counted the try.
 */
export async function useCode(db: Db, { sealing }: StaffContext, user: User, code: string): Promise<CodeMethod | null> {
  if (!isAppCode(code))
    return (await useBackupCode(db, user.id, hashBackupCode(code))) ? "password_and_backup_code" : null;
  for (const step of stepsOfCode(openTotp(sealing, user), compact(code), new Date()))
    if (await useTotpStep(db, user.id, step)) return "password_and_code";
  return null;
}

/** Throws {@link ActionError} `second_factor_unavailable`. */
export function openTotp(sealing: StaffContext["sealing"], user: User): string {
  if (sealing === null)
    throw new ActionError(
      "second_factor_unavailable",
      "This deployment has no keys to encrypt secrets. Its operator sets WEBHOOK_KEYS_FILE.",
    );
  return sealing.open(totpBinding(user.id), user.totpSecret!);
}
