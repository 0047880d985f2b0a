import type { Visitor } from "../../../domain/callers.ts";
import { type JsonText, showObject } from "../../../domain/show.ts";
import { ok, type Reply, type Route } from "../../../edge/http/route.ts";
import { visitorWrite } from "../../../edge/staff/route.ts";
import type { StaffDeps } from "../deps.ts";
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
import { challengeSignIn, signInByPasskey } from "./passkeys.ts";
import type { User } from "./queries.ts";
import {
  CHALLENGE_SIGN_IN,
  GIVE_CODE,
  READ_RESET,
  REQUEST_RESET,
  RESET_PASSWORD,
  SIGN_IN,
  SIGN_IN_BY_PASSKEY,
  SIGN_UP_OWNER,
} from "./schema.ts";
import { relyingPartyOf } from "./webAuthn.ts";

/** A user as everyone who may see them does. */
export const showUser = ({
  id,
  email,
  name,
  isOperator,
  isArbiter,
}: Pick<User, "id" | "email" | "name" | "isOperator" | "isArbiter">) => ({
  object: "user",
  id,
  email,
  name,
  isOperator,
  isArbiter,
});

/** The answer to one who is signed in from now on. */
export const greet = (deps: StaffDeps, { user, secret, browserSecret }: SignedIn): Reply => ({
  ...ok(showObject({ object: "sign_in", status: "signed_in", ticket: null, user: showUser(user) })),
  cookies: [deps.cookie.set(secret, SESSION_SECONDS_MAX), keepCookie(deps, browserSecret)],
});

const keepCookie = ({ browserCookie }: StaffDeps, secret: string): string =>
  browserCookie.set(secret, BROWSER_SECONDS_MAX);

const showTicket = (ticket: string): JsonText =>
  showObject({ object: "sign_in", status: "second_factor", ticket, user: null });

export const showChallenge = (publicKey: object): JsonText => showObject({ object: "passkey_challenge", publicKey });

/** How long a browser waits for a passkey. */
export const CEREMONY_MS = 300_000;

/** §13.1, §13.3. */
export const signInRoutes = (deps: StaffDeps): Route<Visitor>[] => [
  visitorWrite("POST", "/sign-in", SIGN_IN, async ({ caller, input, write }) => {
    const outcome = await counted("password", () => signIn(deps, caller, input));
    return write.commit({ reply: "ticket" in outcome ? ok(showTicket(outcome.ticket)) : greet(deps, outcome) });
  }),
  visitorWrite("POST", "/sign-in/code", GIVE_CODE, async ({ caller, input, write }) =>
    write.commit({ reply: greet(deps, await counted("code", () => giveSecondFactor(deps, caller, input))) }),
  ),
  visitorWrite("POST", "/sign-in/passkey/challenge", CHALLENGE_SIGN_IN, async ({ caller, write }) => {
    const challenge = await challengeSignIn(deps, caller);
    const { id } = relyingPartyOf(deps.dashboardUrl);
    const publicKey = { challenge, rpId: id, timeout: CEREMONY_MS, userVerification: "required", allowCredentials: [] };
    return write.commit({ reply: ok(showChallenge(publicKey)) });
  }),
  visitorWrite("POST", "/sign-in/passkey", SIGN_IN_BY_PASSKEY, async ({ caller, input, write }) =>
    write.commit({
      reply: greet(deps, await counted("passkey", () => signInByPasskey(deps, caller, input.credential))),
    }),
  ),
  visitorWrite("POST", "/sign-up/owner", SIGN_UP_OWNER, async ({ caller, input, write }) =>
    write.commit({ reply: greet(deps, await signUpOwner(deps, caller, input)) }),
  ),
  visitorWrite("POST", "/password-resets", REQUEST_RESET, async ({ caller, input, write }) => {
    await requestReset(deps, caller, input.email);
    return write.commit({ reply: ok(showObject({ object: "password_reset", byMail: deps.outbox.canSend })) });
  }),
  visitorWrite("POST", "/password-resets/read", READ_RESET, async ({ caller, input, write }) => {
    const { hasApp, passkeys, sessions } = await readReset(deps, caller, input.link);
    const details = {
      object: "password_reset_details",
      hasApp,
      passkeys: passkeys.map((one) => ({ object: "passkey", ...one })),
      sessions: sessions.map((one) => ({ object: "session", ...one, isCurrent: false })),
    };
    return write.commit({ reply: ok(showObject(details)) });
  }),
  visitorWrite("POST", "/password-resets/complete", RESET_PASSWORD, async ({ caller, input, write }) => {
    const { browserSecret } = await resetPassword(deps, caller, input);
    const cookies = [keepCookie(deps, browserSecret)];
    return write.commit({ reply: { ...ok(showObject({ object: "password_set" })), cookies } });
  }),
];
