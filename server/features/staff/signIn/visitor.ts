import type { Visitor } from "../../../domain/callers.ts";
import { type JsonText, showObject } from "../../../domain/show.ts";
import { ok, type Reply, type Route } from "../../../edge/http/route.ts";
import { visitorWrite } from "../../../edge/staff/route.ts";
import type { StaffContext } from "../context.ts";
import {
  giveSecondFactor,
  readReset,
  requestReset,
  resetPassword,
  type SignedIn,
  signIn,
  signUpOwner,
} from "./actions.ts";
import { SESSION_SECONDS_MAX } from "./admission.ts";
import { BROWSER_SECONDS_MAX } from "./browsers.ts";
import { counted } from "./outcomes.ts";
import { CEREMONY_MS, challengeSignIn, signInByPasskey } from "./passkeys.ts";
import * as api from "./schema.ts";
import { relyingPartyOf } from "./webAuthn.ts";

/** The answer to a user who has just signed in. */
export const greet = (ctx: StaffContext, { user, secret, browserSecret }: SignedIn): Reply => ({
  ...ok(showObject(api.STEP.show({ status: "signed_in", ticket: null, user }))),
  cookies: [ctx.cookie.set(secret, SESSION_SECONDS_MAX), keepCookie(ctx, browserSecret)],
});

const keepCookie = ({ browserCookie }: StaffContext, secret: string): string =>
  browserCookie.set(secret, BROWSER_SECONDS_MAX);

export const showTicket = (ticket: string): JsonText =>
  showObject(api.STEP.show({ status: "second_factor", ticket, user: null }));

export const showChallenge = (publicKey: object): JsonText => showObject(api.CHALLENGE.show({ publicKey }));

/** §13.1, §13.3. */
export const signInRoutes = (ctx: StaffContext): Route<Visitor>[] => [
  visitorWrite("POST", "/sign-in", api.SIGN_IN, async ({ caller, input }) => {
    const outcome = await counted("password", () => signIn(ctx, caller, input));
    return "ticket" in outcome ? ok(showTicket(outcome.ticket)) : greet(ctx, outcome);
  }),
  visitorWrite("POST", "/sign-in/code", api.GIVE_CODE, async ({ caller, input }) =>
    greet(ctx, await counted("code", () => giveSecondFactor(ctx, caller, input))),
  ),
  visitorWrite("POST", "/sign-in/passkey/challenge", api.CHALLENGE_SIGN_IN, async ({ caller }) => {
    const challenge = await challengeSignIn(ctx, caller);
    const { id } = relyingPartyOf(ctx.dashboardUrl);
    const publicKey = { challenge, rpId: id, timeout: CEREMONY_MS, userVerification: "required", allowCredentials: [] };
    return ok(showChallenge(publicKey));
  }),
  visitorWrite("POST", "/sign-in/passkey", api.SIGN_IN_BY_PASSKEY, async ({ caller, input }) =>
    greet(ctx, await counted("passkey", () => signInByPasskey(ctx, caller, input.credential))),
  ),
  visitorWrite("POST", "/sign-up/owner", api.SIGN_UP_OWNER, async ({ caller, input }) =>
    greet(ctx, await signUpOwner(ctx, caller, input)),
  ),
  visitorWrite("POST", "/password-resets", api.REQUEST_RESET, async ({ caller, input }) => {
    await requestReset(ctx, caller, input.email);
    return ok(showObject(api.RESET.show({ byEmail: ctx.sendsEmails })));
  }),
  visitorWrite("POST", "/password-resets/read", api.READ_RESET, async ({ caller, input }) => {
    const { hasApp, passkeys, sessions } = await readReset(ctx, caller, input.link);
    const others = sessions.map((one) => ({ ...one, isCurrent: false }));
    return ok(showObject(api.RESET_DETAILS.show({ hasApp, passkeys, sessions: others })));
  }),
  visitorWrite("POST", "/password-resets/complete", api.RESET_PASSWORD, async ({ caller, input }) => {
    const { browserSecret } = await resetPassword(ctx, caller, input);
    const cookies = [keepCookie(ctx, browserSecret)];
    return { ...ok(showObject({ object: "password_set" })), cookies };
  }),
];
