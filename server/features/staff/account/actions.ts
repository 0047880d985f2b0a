import { randomBytes } from "node:crypto";
import { ActionError } from "../../../domain/actionError.ts";
import type { Staff } from "../../../domain/callers.ts";
import { ApiError } from "../../../domain/errors.ts";
import { NO_PREFIX, type OnUnreadable, type SealedSecret, type Sealing } from "../../../domain/sealing.ts";
import type { Database } from "../../../store/database.ts";
import type { StaffContext } from "../context.ts";
import { notifyUser } from "../fragments.ts";
import { checkPassword, endWhatPasswordBegan } from "../signIn/actions.ts";
import { forgetBrowsers } from "../signIn/browsers.ts";
import { dropOneTimes } from "../signIn/oneTime.ts";
import { hashPassword } from "../signIn/password.ts";
import {
  countCode,
  hashBackupCode,
  openTotp,
  provePassword,
  totpBinding,
  triesOfSession,
  useCode,
  wrongCode,
} from "../signIn/proof.ts";
import { endSessions, findUser, logUser, proveSession, setPassword, useTotpStep } from "../signIn/queries.ts";
import { deleteSession } from "../signIn/sessions.ts";
import { base32, newTotpSecret, stepsOfCode, totpUri } from "../signIn/totp.ts";
import { CODE_LIMIT, countTry, settleTry } from "../tries.ts";
import {
  confirmTotpSecret,
  eachOutdatedTotp,
  keepTotpSecret,
  removeTotpSecret,
  replaceBackupCodes,
  resealTotp,
} from "./queries.ts";

/** Ends the current session (§13.1). */
export async function signOut({ database }: StaffContext, { userId, sessionId, actor }: Staff): Promise<void> {
  await database.transaction(async (db) => {
    if (await deleteSession(db, userId, sessionId)) await logUser(db, actor, userId, "signed_out");
  });
}

/** Ends all sessions of the user at once, and forgets all browsers except the current one (§13.1.12). */
export async function signOutEverywhere({ database }: StaffContext, staff: Staff): Promise<void> {
  const { userId, browserSecret, actor } = staff;
  await database.transaction(async (db) => {
    await endSessions(db, userId, null);
    await forgetBrowsers(db, userId, browserSecret);
    await dropOneTimes(db, "second_factor", userId);
    await logUser(db, actor, userId, "sessions_ended");
  });
}

/** Ends a session of the user in any browser (§13.1). Throws {@link ActionError}: `session_not_found`. */
export async function endSession({ database }: StaffContext, { userId, actor }: Staff, id: string): Promise<void> {
  await database.transaction(async (db) => {
    if (!(await deleteSession(db, userId, id)))
      throw new ActionError("session_not_found", `There is no session ${id}.`);
    await logUser(db, actor, userId, "session_ended", { id });
  });
}

/**
 * Proves the user's presence by password, and by code if there is an app (§13.4). The session continues with a new
 * secret. Tries are counted per session. Throws `unauthorized`, `rate_limited`, {@link ActionError}
 * `password_exposed`.
 */
export async function proveByPassword(
  ctx: StaffContext,
  staff: Staff,
  { password, code }: { readonly password: string; readonly code: string | null },
): Promise<string> {
  const { database } = ctx;
  const { userId, sessionId } = staff;
  const user = await proveOwnPassword(ctx, staff, password);
  const hasApp = user.totpConfirmedAt !== null;
  const tries = hasApp ? await countCode(ctx, { user, id: sessionId, address: staff.actor.address }, code ?? "") : [];
  const secret = await database.transaction(async (db) => {
    if (hasApp && (await useCode(db, ctx, user, code ?? "")) === null) throw wrongCode();
    return proveSession(db, userId, sessionId);
  });
  for (const one of tries) await settleTry(database, one);
  return secret;
}

const proveOwnPassword = (ctx: StaffContext, staff: Staff, password: string) =>
  provePassword(ctx, {
    emailKey: staff.email.toLowerCase(),
    password,
    address: staff.actor.address,
    tries: triesOfSession(staff),
  });

/**
 * Replaces the password, given the old one, and ends all other sessions. Returns the new secret of this session.
 * Throws `rate_limited`, {@link ActionError}: `password_invalid`, `password_wrong`.
 */
export async function changePassword(
  ctx: StaffContext,
  staff: Staff,
  { password, current }: { readonly password: string; readonly current: string | null },
): Promise<string> {
  const { database, passwordCost } = ctx;
  const { userId, email, sessionId, browserSecret, actor } = staff;
  checkPassword(password, email);
  await proveOwnPassword(ctx, staff, current ?? "").catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "unauthorized") throw error;
    throw new ActionError("password_wrong", "The current password is wrong. If you forgot it, request a reset link.");
  });
  const hashed = await hashPassword(password, passwordCost);
  return database.transaction(async (db) => {
    await setPassword(db, userId, hashed);
    await endWhatPasswordBegan(db, { id: userId, email }, { sessionId, browserSecret, address: actor.address });
    await logUser(db, actor, userId, "password_changed", { by: "user" });
    await notifyUser(db, { id: userId, email }, { notice: "password_changed", passkeysRemoved: null }, actor);
    return proveSession(db, userId, sessionId);
  });
}

const ISSUER = "Holdfast";

/**
 * Begins to add an authenticator app. Its secret is valid once a code has confirmed it. Throws {@link ActionError}:
 * `second_factor_unavailable`, `second_factor_already`, `password_missing`.
 */
export async function beginTotp(
  { database, sealing }: StaffContext,
  { userId, email }: Staff,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const user = (await findUser(database, userId))!;
  if (user.password === null)
    throw new ActionError("password_missing", "Set a password first. The app adds a code to it.");
  if (sealing === null) openTotp(sealing, user);
  const secret = newTotpSecret();
  if (!(await keepTotpSecret(database, userId, sealing!.seal(totpBinding(userId), secret))))
    throw new ActionError("second_factor_already", "You have an authenticator app. Remove it first.");
  return { secret, uri: totpUri(ISSUER, email, secret) };
}

/** Every secret of an app that is stored. */
export async function* listSealedTotp(database: Database): AsyncGenerator<SealedSecret> {
  for await (const { id, sealed } of eachOutdatedTotp(database, NO_PREFIX))
    yield { what: `authenticator app of ${id}`, boundTo: totpBinding(id), sealed };
}

/**
 * Seals the secrets of all apps under the deployment's current key, so that an older one can be removed. A secret that cannot
 * be opened is named, and stays as it is.
 */
export async function resealTotpSecrets(
  database: Database,
  sealing: Sealing,
  onUnreadable: OnUnreadable,
): Promise<void> {
  for await (const { id, sealed } of eachOutdatedTotp(database, sealing.prefix)) {
    const boundTo = totpBinding(id);
    let text: string;
    try {
      text = sealing.open(boundTo, sealed);
    } catch (error) {
      onUnreadable(`authenticator app of ${id}`, error);
      continue;
    }
    await resealTotp(database, id, sealed, sealing.seal(boundTo, text));
  }
}

const BACKUP_CODES = 10;
const BACKUP_CODE_BYTES = 10;

/** Codes of 80 random bits, as people write them down. */
const newBackupCodes = (): string[] =>
  Array.from({ length: BACKUP_CODES }, () => base32(randomBytes(BACKUP_CODE_BYTES)).replaceAll(/(.{4})(?=.)/g, "$1-"));

/**
 * Confirms the app by one of its codes. Returns the backup codes, which are never shown again. Throws `rate_limited`,
 * {@link ActionError}: `second_factor_missing`, `second_factor_already`, `code_wrong`.
 */
export async function confirmTotp(
  ctx: StaffContext,
  { userId, sessionId, actor }: Staff,
  code: string,
): Promise<readonly string[]> {
  const { database, sealing } = ctx;
  const counted = { limit: CODE_LIMIT, subject: sessionId };
  await countTry(database, counted);
  const user = (await findUser(database, userId))!;
  if (user.totpSecret === null) throw new ActionError("second_factor_missing", "Start the setup of the app first.");
  const [step] = stepsOfCode(openTotp(sealing, user), code.replaceAll(/\s/g, ""), new Date()).slice(-1);
  const codes = newBackupCodes();
  await database.transaction(async (db) => {
    if (step === undefined || !(await useTotpStep(db, userId, step)))
      throw new ActionError("code_wrong", "The code is wrong. Check the clock of your device and enter the next code.");
    if (!(await confirmTotpSecret(db, userId, user.totpSecret!)))
      throw new ActionError("second_factor_already", "You already have an authenticator app.");
    await replaceBackupCodes(db, userId, codes.map(hashBackupCode));
    await logUser(db, actor, userId, "second_factor_added");
    await notifyUser(db, user, { notice: "second_factor_added" }, actor);
  });
  await settleTry(database, counted);
  return codes;
}

/** Throws {@link ActionError}: `second_factor_missing`. */
export async function removeTotp(ctx: StaffContext, { userId, email, actor }: Staff): Promise<void> {
  await ctx.database.transaction(async (db) => {
    if (!(await removeTotpSecret(db, userId)))
      throw new ActionError("second_factor_missing", "You have no authenticator app.");
    await logUser(db, actor, userId, "second_factor_removed");
    await notifyUser(db, { id: userId, email }, { notice: "second_factor_removed" }, actor);
  });
}

/** Replaces the backup codes and returns the new ones. Throws {@link ActionError}: `second_factor_missing`. */
export async function renewBackupCodes(ctx: StaffContext, { userId, email, actor }: Staff): Promise<readonly string[]> {
  const codes = newBackupCodes();
  await ctx.database.transaction(async (db) => {
    const user = await findUser(db, userId);
    if (user!.totpConfirmedAt === null)
      throw new ActionError("second_factor_missing", "Backup codes need an authenticator app. Set one up first.");
    await replaceBackupCodes(db, userId, codes.map(hashBackupCode));
    await logUser(db, actor, userId, "backup_codes_renewed");
    await notifyUser(db, { id: userId, email }, { notice: "backup_codes_renewed" }, actor);
  });
  return codes;
}
