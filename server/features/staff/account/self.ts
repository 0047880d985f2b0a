import type { Staff, Visitor } from "../../../domain/callers.ts";
import { showList, showObject } from "../../../domain/show.ts";
import { created, ok, type Reply, type Route } from "../../../edge/http/route.ts";
import { done } from "../../../edge/staff/answers.ts";
import { FRESH, STALE, staffRead, staffWrite } from "../../../edge/staff/route.ts";
import type { Db } from "../../../store/database.ts";
import type { StaffContext } from "../context.ts";
import { listMemberships } from "../members/queries.ts";
import { SESSION_SECONDS_MAX } from "../signIn/admission.ts";
import { issueOneTime } from "../signIn/oneTime.ts";
import { counted } from "../signIn/outcomes.ts";
import { listCredentialIds, listPasskeysOfUser } from "../signIn/passkeyQueries.ts";
import { addPasskey, CEREMONY_MS, provePasskey, removePasskey } from "../signIn/passkeys.ts";
import { proveSession } from "../signIn/queries.ts";
import { PASSKEY, SESSION } from "../signIn/schema.ts";
import { listSessionsOfUser } from "../signIn/sessions.ts";
import { showChallenge } from "../signIn/visitor.ts";
import { ALGORITHMS, relyingPartyOf } from "../signIn/webAuthn.ts";
import type { Passkey, Session } from "../user.ts";
import {
  beginTotp,
  changePassword,
  confirmTotp,
  endSession,
  proveByPassword,
  removeTotp,
  renewBackupCodes,
  signOut,
  signOutEverywhere,
} from "./actions.ts";
import { findSignInWays } from "./queries.ts";
import * as api from "./schema.ts";

/** §13.1, §13.4. Signed-in users read and change their own accounts. */
export const accountRoutes = (ctx: StaffContext): Route<Visitor>[] => [
  staffRead("/account", api.GET_ACCOUNT, async ({ caller }) => ok(await showAccount(ctx, caller))),
  staffWrite("POST", "/account/password", api.CHANGE_PASSWORD, FRESH, async ({ caller, input }) => {
    const secret = await counted("proof", () => changePassword(ctx, caller, input));
    return { ...done, cookies: [ctx.cookie.set(secret, SESSION_SECONDS_MAX)] };
  }),
  ...sessionRoutes(ctx),
  ...proofRoutes(ctx),
  ...passkeyRoutes(ctx),
  ...appRoutes(ctx),
];

async function showAccount({ database: db, company }: StaffContext, staff: Staff) {
  const user = { ...staff, id: staff.userId };
  const session = { id: staff.sessionId, isFresh: staff.isFresh };
  const signIn = await findSignInWays(db, staff.userId, company?.settings.issuer ?? null);
  const businesses = await listMemberships(db, staff);
  return showObject(api.ACCOUNT.show({ user, session, signIn, businesses }));
}

/**
 * Also clears the browser's cache of the pages, but not its storage: checkout pages on the same host store there what
 * keeps a buyer from paying twice.
 */
const signedOut = ({ cookie }: StaffContext): Reply => ({
  ...done,
  cookies: [cookie.clear],
  headers: { "Clear-Site-Data": '"cache"' },
});

const sessionRoutes = (ctx: StaffContext): Route<Visitor>[] => [
  staffWrite("POST", "/sign-out", api.SIGN_OUT, STALE, async ({ caller }) => {
    await signOut(ctx, caller);
    return signedOut(ctx);
  }),
  staffWrite("POST", "/sign-out/everywhere", api.SIGN_OUT_EVERYWHERE, STALE, async ({ caller }) => {
    await signOutEverywhere(ctx, caller);
    return signedOut(ctx);
  }),
  staffRead("/sessions", api.LIST_SESSIONS, async ({ caller }) => {
    const sessions = await listSessionsOfUser(ctx.database, caller.userId);
    return ok(showList(sessions.map((one) => showSession(one, caller))));
  }),
  staffWrite("DELETE", "/sessions/:id", api.END_SESSION, STALE, async ({ caller, params }) => {
    await endSession(ctx, caller, params.id!);
    return done;
  }),
];

const showSession = (session: Session, { sessionId }: Staff): string =>
  showObject(SESSION.show({ ...session, isCurrent: session.id === sessionId }));

const proofRoutes = (ctx: StaffContext): Route<Visitor>[] => [
  staffWrite("POST", "/proof", api.PROVE, STALE, async ({ caller, input }) => {
    const secret = await counted("proof", () => proveByPassword(ctx, caller, input));
    return { ...done, cookies: [ctx.cookie.set(secret, SESSION_SECONDS_MAX)] };
  }),
  staffWrite("POST", "/proof/passkey/challenge", api.CHALLENGE_PROOF, STALE, async ({ caller }) => {
    const challenge = await issueOneTime(ctx.database, "passkey_proof", caller.userId);
    const { id: rpId } = relyingPartyOf(ctx.dashboardUrl);
    const allowCredentials = await describeCredentials(ctx.database, caller);
    const publicKey = { challenge, rpId, timeout: CEREMONY_MS, userVerification: "required", allowCredentials };
    return ok(showChallenge(publicKey));
  }),
  staffWrite("POST", "/proof/passkey", api.PROVE_BY_PASSKEY, STALE, async ({ caller, input }) => {
    await counted("proof", () => provePasskey(ctx, caller, input.credential));
    const secret = await proveSession(ctx.database, caller.userId, caller.sessionId);
    return { ...done, cookies: [ctx.cookie.set(secret, SESSION_SECONDS_MAX)] };
  }),
];

const describeCredentials = async (db: Db, { userId }: Staff) =>
  (await listCredentialIds(db, userId)).map((id) => ({ type: "public-key", id }));

const passkeyRoutes = (ctx: StaffContext): Route<Visitor>[] => [
  staffRead("/passkeys", api.LIST_PASSKEYS, async ({ caller }) => {
    const passkeys = await listPasskeysOfUser(ctx.database, caller.userId);
    return ok(showList(passkeys.map(showPasskey)));
  }),
  staffWrite("POST", "/passkeys/challenge", api.CHALLENGE_PASSKEY, FRESH, async ({ caller }) => {
    const challenge = await issueOneTime(ctx.database, "passkey_registration", caller.userId);
    const { id } = relyingPartyOf(ctx.dashboardUrl);
    const publicKey = {
      challenge,
      rp: { id, name: "Holdfast" },
      user: { id: Buffer.from(caller.userId).toString("base64url"), name: caller.email, displayName: caller.name },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
      timeout: CEREMONY_MS,
      attestation: "none",
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      excludeCredentials: await describeCredentials(ctx.database, caller),
    };
    return ok(showChallenge(publicKey));
  }),
  staffWrite("POST", "/passkeys", api.ADD_PASSKEY, FRESH, async ({ caller, input }) =>
    created(showPasskey(await addPasskey(ctx, caller, input.name, input.credential))),
  ),
  staffWrite("DELETE", "/passkeys/:id", api.REMOVE_PASSKEY, FRESH, async ({ caller, params }) => {
    await removePasskey(ctx, caller, params.id!);
    return done;
  }),
];

const showPasskey = (passkey: Passkey) => showObject(PASSKEY.show(passkey));

const appRoutes = (ctx: StaffContext): Route<Visitor>[] => [
  staffWrite("POST", "/authenticator-app", api.BEGIN_TOTP, FRESH, async ({ caller }) =>
    created(showObject(api.APP.show(await beginTotp(ctx, caller)))),
  ),
  staffWrite("POST", "/authenticator-app/confirm", api.CONFIRM_TOTP, FRESH, async ({ caller, input }) =>
    ok(showCodes(await confirmTotp(ctx, caller, input.code))),
  ),
  staffWrite("DELETE", "/authenticator-app", api.REMOVE_TOTP, FRESH, async ({ caller }) => {
    await removeTotp(ctx, caller);
    return done;
  }),
  staffWrite("POST", "/backup-codes", api.RENEW_BACKUP_CODES, FRESH, async ({ caller }) =>
    created(showCodes(await renewBackupCodes(ctx, caller))),
  ),
];

const showCodes = (codes: readonly string[]) => showObject(api.CODES.show({ codes }));
