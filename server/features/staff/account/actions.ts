import { randomBytes } from "node:crypto";
import { ActionError } from "../../../domain/actionError.ts";
import type { Staff } from "../../../domain/callers.ts";
import type { StaffDeps } from "../deps.ts";
import { checkPassword } from "../signIn/actions.ts";
import { forgetBrowsers } from "../signIn/browsers.ts";
import { dropOneTimes } from "../signIn/oneTime.ts";
import { hashPassword } from "../signIn/password.ts";
import {
  countCode,
  forgetGuesses,
  hashBackupCode,
  openTotp,
  provePassword,
  totpBinding,
  triesOfSession,
  useCode,
  wrongCode,
} from "../signIn/proof.ts";
import { endSessions, findUser, logUser, proveSession, setPassword, useTotpStep } from "../signIn/queries.ts";
import { base32, newTotpSecret, stepsOfCode, totpUri } from "../signIn/totp.ts";
import { CODE_LIMIT, countTry, settleTry } from "../signIn/tries.ts";
import { confirmTotpSecret, deleteSession, keepTotpSecret, removeTotpSecret, replaceBackupCodes } from "./queries.ts";

/** Ends a session of the user's, wherever it is (§13.1). Throws {@link ActionError}: `session_not_found`. */
export async function endSession({ database }: StaffDeps, { userId, actor }: Staff, id: string): Promise<void> {
  await database.transaction(async (db) => {
    if (!(await deleteSession(db, userId, id)))
      throw new ActionError("session_not_found", `There is no session ${id}.`);
    await logUser(db, actor, userId, "session_ended", { id });
  });
}

/**
 * Proves by password, and code where there is an app, that the user is there (§13.4). The session goes on under a new
 * secret. Tries are those of the session. Throws `unauthorized`, `rate_limited`, {@link ActionError} `password_exposed`.
 */
export async function proveByPassword(
  deps: StaffDeps,
  staff: Staff,
  { password, code }: { readonly password: string; readonly code: string | null },
): Promise<string> {
  const { database } = deps;
  const { userId, sessionId } = staff;
  const user = await proveOwnPassword(deps, staff, password);
  const hasApp = user.totpConfirmedAt !== null;
  const tries = hasApp ? await countCode(deps, { user, id: sessionId, address: staff.actor.address }, code ?? "") : [];
  const secret = await database.transaction(async (db) => {
    if (hasApp && (await useCode(db, deps, user, code ?? "")) === null) throw wrongCode();
    return proveSession(db, userId, sessionId);
  });
  for (const one of tries) await settleTry(database, one);
  return secret;
}

const proveOwnPassword = (deps: StaffDeps, staff: Staff, password: string) =>
  provePassword(deps, {
    emailKey: staff.email.toLowerCase(),
    password,
    address: staff.actor.address,
    tries: triesOfSession(staff),
  });

/** Sets another password and ends all other sessions. Throws {@link ActionError}: `password_invalid`. */
export async function changePassword(
  { database, passwordCost }: StaffDeps,
  { userId, email, sessionId, browserSecret, actor }: Staff,
  password: string,
): Promise<void> {
  checkPassword(password, email);
  const hashed = await hashPassword(password, passwordCost);
  await database.transaction(async (db) => {
    await setPassword(db, userId, hashed);
    await endSessions(db, userId, sessionId);
    await dropOneTimes(db, "set_password", userId);
    await dropOneTimes(db, "second_factor", userId);
    await forgetGuesses(db, { id: userId, email }, actor.address);
    await forgetBrowsers(db, userId, browserSecret);
    await logUser(db, actor, userId, "password_changed", { by: "user" });
  });
}

const ISSUER = "Holdfast";

/**
 * Begins to add an authenticator app: its secret, which counts once a code has confirmed it. Throws {@link ActionError}:
 * `second_factor_unavailable`, `second_factor_already`, `password_missing`.
 */
export async function beginTotp(
  { database, sealing }: StaffDeps,
  { userId, email }: Staff,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const user = (await findUser(database, userId))!;
  if (user.password === null) throw new ActionError("password_missing", "Set a password first: the code goes with it.");
  if (sealing === null) openTotp(sealing, user);
  const secret = newTotpSecret();
  if (!(await keepTotpSecret(database, userId, sealing!.seal(totpBinding(userId), secret))))
    throw new ActionError("second_factor_already", "You have an authenticator app. Remove it first.");
  return { secret, uri: totpUri(ISSUER, email, secret) };
}

const BACKUP_CODES = 10;
const BACKUP_CODE_BYTES = 10;

/** Codes of 80 random bits, as people write them down. */
const newBackupCodes = (): string[] =>
  Array.from({ length: BACKUP_CODES }, () => base32(randomBytes(BACKUP_CODE_BYTES)).replaceAll(/(.{4})(?=.)/g, "$1-"));

/**
 * Confirms the app by one of its codes; answers with the backup codes, which are shown this once. Throws `rate_limited`,
 * {@link ActionError}: `second_factor_missing`, `second_factor_already`, `code_wrong`.
 */
export async function confirmTotp(
  { database, sealing }: StaffDeps,
  { userId, sessionId, actor }: Staff,
  code: string,
): Promise<readonly string[]> {
  const counted = { limit: CODE_LIMIT, subject: sessionId };
  await countTry(database, counted);
  const user = (await findUser(database, userId))!;
  if (user.totpSecret === null) throw new ActionError("second_factor_missing", "Begin to add the app first.");
  const [step] = stepsOfCode(openTotp(sealing, user), code.replaceAll(/\s/g, ""), new Date()).slice(-1);
  const codes = newBackupCodes();
  await database.transaction(async (db) => {
    if (step === undefined || !(await useTotpStep(db, userId, step)))
      throw new ActionError("code_wrong", "The code is wrong. Check the clock of your device, and take the next one.");
    if (!(await confirmTotpSecret(db, userId, user.totpSecret!)))
      throw new ActionError("second_factor_already", "You have an authenticator app already.");
    await replaceBackupCodes(db, userId, codes.map(hashBackupCode));
    await logUser(db, actor, userId, "second_factor_added");
  });
  await settleTry(database, counted);
  return codes;
}

/** Throws {@link ActionError}: `second_factor_missing`. */
export async function removeTotp({ database }: StaffDeps, { userId, actor }: Staff): Promise<void> {
  await database.transaction(async (db) => {
    if (!(await removeTotpSecret(db, userId)))
      throw new ActionError("second_factor_missing", "You have no authenticator app.");
    await logUser(db, actor, userId, "second_factor_removed");
  });
}

/** Replaces the backup codes; answers with the new ones. Throws {@link ActionError}: `second_factor_missing`. */
export async function renewBackupCodes({ database }: StaffDeps, { userId, actor }: Staff): Promise<readonly string[]> {
  const codes = newBackupCodes();
  await database.transaction(async (db) => {
    const user = await findUser(db, userId);
    if (user!.totpConfirmedAt === null)
      throw new ActionError("second_factor_missing", "Backup codes go with an authenticator app. Add one first.");
    await replaceBackupCodes(db, userId, codes.map(hashBackupCode));
    await logUser(db, actor, userId, "backup_codes_renewed");
  });
  return codes;
}
