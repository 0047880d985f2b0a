import { ActionError } from "../../../domain/actionError.ts";
import type { Staff, Visitor } from "../../../domain/callers.ts";
import { ApiError } from "../../../domain/errors.ts";
import { newPasskeyId } from "../../../domain/ids.ts";
import { newNonce, readNonce } from "../../../domain/nonces.ts";
import { pick } from "../../../lib/columns.ts";
import type { Db } from "../../../store/database.ts";
import { findNonceSecret } from "../../../store/nonces.ts";
import { sql } from "../../../store/sql.ts";
import { selected } from "../../../store/table.ts";
import type { StaffContext } from "../context.ts";
import { notifyUser } from "../fragments.ts";
import { countVisit } from "../tries.ts";
import { isUserName, PASSKEYS, type Passkey } from "../user.ts";
import { beginSession, type SignedIn } from "./actions.ts";
import { takeOneTime, useOnce } from "./oneTime.ts";
import { insertPasskey, listCredentialIds, PASSKEYS_MAX } from "./passkeyQueries.ts";
import { findUser, hasOwnCredential, isOwner, lockUser, logUser } from "./queries.ts";
import {
  type Assertion,
  challengeOf,
  type NewPasskey,
  type Registration,
  relyingPartyOf,
  verifyAssertion,
  verifyRegistration,
} from "./webAuthn.ts";

/** The time for which a browser waits for a passkey. */
export const CEREMONY_MS = 300_000;

/** The challenge for a sign-in with any passkey. It names no user. */
export async function challengeSignIn({ database }: StaffContext, visitor: Visitor): Promise<string> {
  await countVisit(database, visitor);
  const { secret, now } = await findNonceSecret(database);
  return newNonce(secret, SIGN_IN, new Date(now.getTime() + CEREMONY_MS));
}
const SIGN_IN = ["passkey_sign_in"];

const wrongPasskey = () =>
  new ApiError("unauthorized", "The passkey was not accepted. Try again, or sign in another way.");

const STORED = selected(pick(PASSKEYS.columns, "userId", "credentialId", "publicKey", "counter"), "p");
interface StoredPasskey extends Omit<NewPasskey, "transports"> {
  readonly userId: string;
}

/** Finds the passkey of an answer to one of our challenges, of any user or of this one. */
async function proveAssertion(
  { database, dashboardUrl }: StaffContext,
  assertion: Assertion,
  isOurs: (challenge: string) => Promise<boolean>,
  userId: string | null = null,
): Promise<StoredPasskey> {
  const challenge = challengeOf(assertion);
  if (challenge === null || !(await isOurs(challenge))) throw wrongPasskey();
  const row = await database.row<StoredPasskey & { readonly counter: string }>(sql`
    select ${STORED} from passkeys p where p.credential_id = ${assertion.id}`);
  if (row === null || (userId !== null && userId !== row.userId)) throw wrongPasskey();
  const { userHandle } = assertion.response;
  if (userHandle !== undefined && Buffer.from(userHandle, "base64url").toString() !== row.userId) throw wrongPasskey();
  const passkey = { ...row, counter: Number(row.counter) };
  const counter = await verifyAssertion(assertion, challenge!, relyingPartyOf(dashboardUrl), passkey);
  if (counter === null) throw wrongPasskey();
  return { ...passkey, counter };
}

/** Records a use. A counter that does not grow indicates a copy of the passkey; most passkeys do not count and stay at 0. */
async function recordUse(db: Db, { userId, credentialId, counter }: StoredPasskey): Promise<void> {
  const row = await db.row(sql`
    update passkeys set counter = ${counter}::bigint, last_used_at = now()
    where user_id = ${userId} and credential_id = ${credentialId}
      and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))
    returning id`);
  if (row === null) throw wrongPasskey();
}

/**
 * Signs in by passkey (§13.1), which proves possession and, by its own check of the user, a second factor. Throws
 * `unauthorized`.
 */
export async function signInByPasskey(ctx: StaffContext, visitor: Visitor, assertion: Assertion): Promise<SignedIn> {
  await countVisit(ctx.database, visitor);
  const { secret, now } = await findNonceSecret(ctx.database);
  const endOf = (challenge: string | null) => readNonce(secret, SIGN_IN, challenge);
  const isOurs = async (challenge: string) => (endOf(challenge) ?? now) > now;
  const passkey = await proveAssertion(ctx, assertion, isOurs);
  return beginSession(ctx, visitor, async (db) => {
    const challenge = challengeOf(assertion);
    if (!(await useOnce(db, "passkey_sign_in", challenge!, endOf(challenge)!))) throw wrongPasskey();
    await recordUse(db, passkey);
    return { user: (await findUser(db, passkey.userId))!, method: "passkey" };
  });
}

/** Proves the signed-in user's presence by one of their passkeys. Throws `unauthorized`. */
export async function provePasskey(ctx: StaffContext, { userId }: Staff, assertion: Assertion): Promise<void> {
  const isOurs = async (challenge: string) =>
    (await takeOneTime(ctx.database, "passkey_proof", challenge))?.userId === userId;
  const passkey = await proveAssertion(ctx, assertion, isOurs, userId);
  await recordUse(ctx.database, passkey);
}

/**
 * Adds a passkey (§13.1). Throws {@link ActionError}: `name_invalid`, `passkey_invalid`, `passkey_limit_reached`.
 */
export async function addPasskey(
  ctx: StaffContext,
  { userId, email, actor }: Staff,
  name: string,
  registration: Registration,
): Promise<Passkey> {
  const { database, dashboardUrl } = ctx;
  if (!isUserName(name)) throw new ActionError("name_invalid", "Enter a name of 1 to 100 characters.");
  const challenge = challengeOf(registration);
  const taken = challenge === null ? null : await takeOneTime(database, "passkey_registration", challenge);
  const passkey =
    taken?.userId === userId ? await verifyRegistration(registration, challenge!, relyingPartyOf(dashboardUrl)) : null;
  if (passkey === null) throw new ActionError("passkey_invalid", "The passkey was not accepted. Start again.");
  return database.transaction(async (db) => {
    await lockUser(db, userId);
    const { length } = await listCredentialIds(db, userId);
    if (length >= PASSKEYS_MAX)
      throw new ActionError("passkey_limit_reached", `You have ${PASSKEYS_MAX} passkeys. Remove one first.`);
    const { credentialId, publicKey, counter, transports } = passkey;
    const id = newPasskeyId(new Date());
    const added = await insertPasskey(
      db,
      { userId, id, credentialId, publicKey, counter: String(counter), name },
      transports,
    );
    if (added === null) throw new ActionError("passkey_invalid", "This passkey is already added.");
    await logUser(db, actor, userId, "passkey_added", { id: added.id, name });
    await notifyUser(db, { id: userId, email }, { notice: "passkey_added", name }, actor);
    return added;
  });
}

/**
 * Removes a passkey. An owner of a business keeps a password or a passkey. Throws {@link ActionError}:
 * `passkey_not_found`, `last_credential`.
 */
export async function removePasskey(ctx: StaffContext, { userId, email, actor }: Staff, id: string): Promise<void> {
  await ctx.database.transaction(async (db) => {
    await lockUser(db, userId);
    const row = await db.row<{ name: string }>(
      sql`delete from passkeys where user_id = ${userId} and id = ${id} returning name`,
    );
    if (row === null) throw new ActionError("passkey_not_found", `There is no passkey ${id}.`);
    if (!(await hasOwnCredential(db, userId)) && (await isOwner(db, userId)))
      throw new ActionError("last_credential", "An owner keeps a password or a passkey. Add another one first.");
    await logUser(db, actor, userId, "passkey_removed", { id, name: row.name });
    await notifyUser(db, { id: userId, email }, { notice: "passkey_removed", name: row.name }, actor);
  });
}
