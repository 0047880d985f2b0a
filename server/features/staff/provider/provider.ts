import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  ResponseBodyError,
  refreshTokenGrant,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
  type UserInfoResponse,
  WWWAuthenticateChallengeError,
} from "openid-client";
import { KeptAnswers } from "../../../lib/keptAnswers.ts";
import { isLoopback } from "../../../lib/loopback.ts";
import { CLOCK_SECONDS, type CompanySettings, FLOW_SECONDS, flowValue, readGroups, redirectUriOf } from "./company.ts";

/** What the provider says of a person whose session it confirms. */
export interface Confirmation {
  readonly groups: readonly string[];
  /** Null: the provider gave none. */
  readonly refreshToken: string | null;
}

/** A person who has just come back from the provider. */
export interface Person extends Confirmation {
  readonly subject: string;
  /** Null unless the provider verified it. */
  readonly email: string | null;
  readonly name: string | null;
  /** The time at which the person gave the provider a proof of identity; null: it does not say. */
  readonly authenticatedAt: Date | null;
}

/** A way to the provider and back, with the database's times. */
interface Flow {
  /** The person was to authenticate anew. */
  readonly isAnew: boolean;
  /** The provider is to say when the person did. */
  readonly isProof: boolean;
  readonly startedAt: Date;
  readonly now: Date;
}

/** The provider cannot be reached, or does not work with this client. */
export class ProviderAwayError extends Error {
  override readonly name = "ProviderAwayError";
}

/** The provider refused the person, or its answer proves nothing. The message is for the log. */
export class ProviderAnswerError extends Error {
  override readonly name = "ProviderAnswerError";
  /** True: the provider itself refused. */
  readonly isRefusal: boolean;

  constructor(message: string, isRefusal: boolean, cause?: unknown) {
    super(message, { cause });
    this.isRefusal = isRefusal;
  }
}

export interface Provider {
  readonly settings: CompanySettings;
  /**
   * The address to which the browser goes. `isAnew`: the provider asks the person to authenticate, whoever is signed in
   * there. Throws {@link ProviderAwayError}.
   */
  authorizationUrl(secret: string, isAnew: boolean): Promise<string>;
  /** Reads the answer that the browser brought. Throws {@link ProviderAwayError}, {@link ProviderAnswerError}. */
  exchange(answer: URLSearchParams, secret: string, flow: Flow): Promise<Person>;
  /** Asks whether the person may still sign in. Throws {@link ProviderAwayError}, {@link ProviderAnswerError}. */
  confirm(refreshToken: string, subject: string): Promise<Confirmation>;
  /** Reads the provider's own description anew. Throws {@link ProviderAwayError}. */
  describe(): Promise<ReturnType<Configuration["serverMetadata"]>>;
}

/** How the provider is reached: a test leads to its own. */
export type Fetch = typeof fetch;

const REQUEST_SECONDS_MAX = 10;
const ANSWER_BYTES_MAX = 1_048_576;
const SUBJECT_CHARACTERS_MAX = 255;
/** The description of a provider is read again after this time, so that one that is away is noticed. */
const DESCRIBED_MS = 5_000;

/** Bounds the length of an answer. The library follows no redirect and has a time limit of its own. */
const bounded =
  (reach: Fetch): Fetch =>
  async (...request) => {
    const answer = await reach(...request);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer.body ?? []) {
      size += chunk.byteLength;
      if (size > ANSWER_BYTES_MAX) throw new TypeError(`The answer has more than ${ANSWER_BYTES_MAX} bytes.`);
      chunks.push(chunk);
    }
    const { status, headers } = answer;
    return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), { status, headers });
  };

/** Opens the provider of the settings. Nothing is asked of it before the first use. */
export function openProvider(
  settings: CompanySettings,
  dashboardUrl: string,
  reach: Fetch,
  describedMs = DESCRIBED_MS,
): Provider {
  const { clientId, clientSecret, groupsClaim, scopes, parameters } = settings;
  const issuer = new URL(settings.issuer);
  const redirectUri = redirectUriOf(dashboardUrl);
  const kept = new KeptAnswers<Configuration>({ keptMs: describedMs });

  const authenticate: ClientAuth = (server, client, body, headers) => {
    const takesBasic = server.token_endpoint_auth_methods_supported?.includes("client_secret_basic") ?? true;
    (takesBasic ? ClientSecretBasic : ClientSecretPost)(clientSecret)(server, client, body, headers);
  };
  const discover = async (): Promise<Configuration> => {
    const config = await asking(() =>
      discovery(issuer, clientId, { [clockTolerance]: CLOCK_SECONDS }, authenticate, {
        timeout: REQUEST_SECONDS_MAX,
        [customFetch]: bounded(reach) as never,
        execute: [enableNonRepudiationChecks, ...(isLoopback(issuer.hostname) ? [allowInsecureRequests] : [])],
      }),
    ).catch((error: Error) => {
      throw error instanceof ProviderAnswerError ? new ProviderAwayError(error.message, { cause: error }) : error;
    });
    // The library lets some providers pass that sign in the people of every customer of theirs.
    const named = config.serverMetadata().issuer;
    if (named !== settings.issuer)
      throw new ProviderAwayError(`The provider calls itself ${named}, and issuer is ${settings.issuer}.`);
    return config;
  };
  const configure = () => kept.read("", discover);

  /** The person's claims: those of the ID token, and further ones that the provider gives only by its own endpoint. */
  async function readClaims(
    config: Configuration,
    tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
    subject: string,
  ): Promise<Partial<IDToken & UserInfoResponse>> {
    const own = tokens.claims();
    const hasAll = own?.[groupsClaim] !== undefined && own.email !== undefined;
    if (hasAll || config.serverMetadata().userinfo_endpoint === undefined) return own ?? {};
    const told = await fetchUserInfo(config, tokens.access_token, subject);
    const { email, email_verified } = own?.email === undefined ? told : own;
    return { ...told, ...own, email, email_verified } as Partial<IDToken & UserInfoResponse>;
  }

  return {
    settings,
    describe: async () => (await discover()).serverMetadata(),
    authorizationUrl: async (secret, isAnew) => {
      const config = await configure();
      return buildAuthorizationUrl(config, {
        ...parameters,
        redirect_uri: redirectUri,
        scope: scopes,
        state: flowValue(secret, "state"),
        nonce: flowValue(secret, "nonce"),
        code_challenge: await calculatePKCECodeChallenge(flowValue(secret, "verifier")),
        code_challenge_method: "S256",
        ...(isAnew ? { max_age: "0", prompt: promptAnew(parameters.prompt) } : {}),
      }).href;
    },
    exchange: async (answer, secret, flow) => {
      const config = await configure();
      const returned = new URL(redirectUri);
      returned.search = answer.toString();
      return asking(async () => {
        const tokens = await authorizationCodeGrant(config, returned, {
          pkceCodeVerifier: flowValue(secret, "verifier"),
          expectedState: flowValue(secret, "state"),
          expectedNonce: flowValue(secret, "nonce"),
          idTokenExpected: true,
          ...(flow.isProof ? { maxAge: FLOW_SECONDS } : {}),
        });
        const claims = tokens.claims()!;
        if (claims.sub === "" || claims.sub.length > SUBJECT_CHARACTERS_MAX)
          throw new ProviderAnswerError("The ID token has no valid subject (sub).", false);
        judgeTimes(claims, flow);
        if (claims.azp !== undefined && claims.azp !== clientId)
          throw new ProviderAnswerError("The ID token was issued to another client (azp).", false);
        const { email, email_verified, name, [groupsClaim]: groups } = await readClaims(config, tokens, claims.sub);
        return {
          subject: claims.sub,
          groups: readGroups(groups),
          refreshToken: tokens.refresh_token ?? null,
          email: email_verified === true && typeof email === "string" ? email : null,
          name: typeof name === "string" ? name : null,
          authenticatedAt: claims.auth_time === undefined ? null : new Date(claims.auth_time * 1_000),
        };
      });
    },
    confirm: async (refreshToken, subject) => {
      const config = await configure();
      return asking(async () => {
        const tokens = await refreshTokenGrant(config, refreshToken);
        const claims = tokens.claims();
        if (claims !== undefined && claims.sub !== subject)
          throw new ProviderAnswerError("The refresh token belongs to another person.", false);
        const { [groupsClaim]: groups } = await readClaims(config, tokens, subject);
        return { groups: readGroups(groups), refreshToken: tokens.refresh_token ?? refreshToken };
      });
    },
  };
}

/** Asks for a sign-in, and for what the setting asks. A provider that lets people choose an account may know no `login`. */
const promptAnew = (set = ""): string =>
  /\bselect_account\b/.test(set) ? set : [...new Set(["login", ...set.split(" ")])].join(" ").trim();

/** Checks what the library leaves open: times to come, and that the person authenticated on this way and not before. */
function judgeTimes({ iat, auth_time }: IDToken, { isAnew, isProof, startedAt, now }: Flow): void {
  const latest = now.getTime() / 1_000 + CLOCK_SECONDS;
  if (iat > latest || (auth_time ?? 0) > latest)
    throw new ProviderAnswerError("The ID token has times to come: the clocks differ.", false);
  // Some providers never say: a link then rests on the prompt, a proof on nothing.
  const isOld = auth_time === undefined ? isProof : auth_time < startedAt.getTime() / 1_000 - CLOCK_SECONDS;
  if (isAnew && isOld) throw new ProviderAnswerError("The person did not authenticate anew (auth_time).", false);
}

/** Codes of errors of the library that say that the answer, not the way to it, is wrong. */
const WRONG_ANSWER =
  /^OAUTH_(JWT_|JSON_ATTRIBUTE|INVALID_RESPONSE|KEY_SELECTION|UNSUPPORTED_OPERATION|INVALID_REQUEST|MISSING_SERVER)/;

/** An error's code for the log. A visitor writes one too, in the query string. */
const wordOf = (code: string): string => (/^[\w.-]{1,60}$/.test(code) ? code : "an unknown error");

/** Sorts the errors of the library into the two that callers know. */
async function asking<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderAnswerError) throw error;
    const { code = "", message } = error as Error & { readonly code?: string };
    if (error instanceof AuthorizationResponseError)
      throw new ProviderAnswerError(`The provider answered ${wordOf(error.error)}.`, true, error);
    if (error instanceof ResponseBodyError && error.error === "invalid_grant")
      throw new ProviderAnswerError("The provider refused the code or token (invalid_grant).", true, error);
    if (WRONG_ANSWER.test(code)) throw new ProviderAnswerError(`${message} (${code}).`, false, error);
    if (error instanceof ResponseBodyError)
      throw new ProviderAwayError(`The provider refused this client: ${wordOf(error.error)} (${error.status}).`, {
        cause: error,
      });
    if (error instanceof WWWAuthenticateChallengeError)
      throw new ProviderAwayError(`The provider refused this client or its token (${error.status}).`, { cause: error });
    if (!(error instanceof Error)) throw error;
    throw new ProviderAwayError(`The provider does not answer: ${message}${code && ` (${code})`}.`, { cause: error });
  }
}
