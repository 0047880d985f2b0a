import { hash } from "node:crypto";
import { ActionError } from "../../../domain/actionError.ts";
import { ApiError } from "../../../domain/errors.ts";
import type { Db } from "../../../store/database.ts";
import type { StaffDeps } from "../deps.ts";
import type { SignInMethod } from "../staff.ts";
import { hashPassword, isOutdated, isPasswordOf } from "./password.ts";
import { raisePassword, type User, useBackupCode, useTotpStep } from "./queries.ts";
import { stepsOfCode } from "./totp.ts";
import { ACCOUNT_LIMIT, CODE_LIMIT, countTry, forgetTries } from "./tries.ts";

/** An account as its limit counts it: the log of tries holds no addresses. */
const accountSubject = (emailKey: string): string => hash("sha256", emailKey, "hex");

/** One answer for a wrong password, an unknown address and an account without a password. */
const wrongPassword = (): ApiError => new ApiError("unauthorized", "The e-mail address or the password is wrong.");

export const wrongCode = (): ApiError =>
  new ApiError(
    "unauthorized",
    "The code is wrong, was used before, or comes too late. Sign in again, or take the next code.",
  );

/**
 * Checks a password, for the account that has the address or for none, with the same work and the same answer. Throws
 * `rate_limited`, `unauthorized`.
 */
export async function provePassword(
  { database, passwordCost }: StaffDeps,
  emailKey: string,
  password: string,
  find: () => Promise<User | null>,
): Promise<User> {
  const subject = accountSubject(emailKey);
  await countTry(database, ACCOUNT_LIMIT, subject);
  const user = await find();
  const isRight = await isPasswordOf(user?.password ?? null, password, passwordCost);
  if (user === null || !isRight) throw wrongPassword();
  await forgetTries(database, ACCOUNT_LIMIT, subject);
  if (isOutdated(user.password!, passwordCost))
    await raisePassword(database, user.id, user.password!, await hashPassword(password, passwordCost));
  return user;
}

/** For a user whom a link has proven: others may have used up the tries of the account. */
export const forgetWrongPasswords = (db: Db, { email }: User): Promise<unknown> =>
  forgetTries(db, ACCOUNT_LIMIT, accountSubject(email.toLowerCase()));

export const countCode = (db: Db, userId: string): Promise<void> => countTry(db, CODE_LIMIT, userId);

export const totpBinding = (userId: string): string => `totp ${userId}`;

/** A backup code as it is typed, in the form in which it is hashed. */
export const hashBackupCode = (code: string): string =>
  hash("sha256", code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ""), "hex");

/**
 * Uses a code of the app, or a backup code, up; answers with the kind. Null: it is neither, or was used before. The caller
 * has counted the try.
 */
export async function useCode(db: Db, { sealing }: StaffDeps, user: User, code: string): Promise<SignInMethod | null> {
  const typed = code.replaceAll(/[\s-]/g, "");
  if (!/^\d{6}$/.test(typed))
    return (await useBackupCode(db, user.id, hashBackupCode(code))) ? "password_and_backup_code" : null;
  for (const step of stepsOfCode(openTotp(sealing, user), typed, new Date()))
    if (await useTotpStep(db, user.id, step)) return "password_and_code";
  return null;
}

/** Throws {@link ActionError} `second_factor_unavailable`. */
export function openTotp(sealing: StaffDeps["sealing"], user: User): string {
  if (sealing === null)
    throw new ActionError(
      "second_factor_unavailable",
      "This deployment has no keys to keep secrets under: its operator sets WEBHOOK_KEYS_FILE.",
    );
  return sealing.open(totpBinding(user.id), user.totpSecret!);
}
