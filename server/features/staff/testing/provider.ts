import { createHmac, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import Provider from "oidc-provider";
import { findFreePorts } from "../../../../tests/harness/ports.ts";
import type { CompanySettings } from "../provider/company.ts";

/** A person at the provider. */
export interface TestPerson {
  readonly email: string;
  readonly email_verified: unknown;
  readonly name: string;
  readonly groups: unknown;
}

type Claims = Record<string, unknown>;
/** Changes an ID token before this deployment gets it; returns the whole token, signed as it wants. */
export type Tamper = (claims: Claims, sign: (claims: Claims, header?: object) => string) => string;

export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly settings: CompanySettings;
  readonly people: Map<string, TestPerson>;
  /** The person who signs in next. */
  next: string;
  /** Changes each ID token; null: none. */
  tamper: Tamper | null;
  /** Takes the place of `fetch` of a deployment. */
  readonly reach: typeof fetch;
  /** Walks a new browser through the provider. Returns the query string with which it comes back. */
  walk(url: string): Promise<string>;
  /** Stops to answer, until `open`. */
  close(): Promise<void>;
  open(): Promise<void>;
}

const CLIENT_ID = "holdfast";
export const CLIENT_SECRET = "a secret of the client, of 32 letters";
const SCOPES = "openid email profile groups";

/** Starts a real OpenID Connect provider on this machine. A browser that comes signs in as the next person. */
export async function startProvider(
  dashboardUrl: string,
  groups: CompanySettings["groups"] = new Map(),
): Promise<TestProvider> {
  const port = await findFreePorts(1);
  const issuer = `http://localhost:${port}`;
  const redirectUri = `${dashboardUrl}/sign-in/company`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const people = new Map<string, TestPerson>();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        require_auth_time: true,
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "test", alg: "RS256", use: "sig" }] },
    cookies: { keys: ["a key of the cookies of the provider"] },
    scopes: SCOPES.split(" "),
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      RefreshToken: 86_400,
      Interaction: 600,
      Session: 600,
      Grant: 86_400,
    },
    findAccount: (_context: unknown, id: string) => {
      const person = people.get(id);
      return person && { accountId: id, claims: () => ({ sub: id, ...person }) };
    },
    loadExistingGrant: async ({ oidc }: GrantContext) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope(SCOPES);
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  const start = async (): Promise<Server> => {
    const server = createServer((request, response) => {
      if (!request.url!.startsWith("/interaction/")) return callback(request, response);
      void provider.interactionFinished(request, response, { login: { accountId: self.next } });
    });
    server.listen(port, "localhost");
    await once(server, "listening");
    return server;
  };
  let server = await start();
  const self: TestProvider = {
    issuer,
    settings: {
      name: "Acme",
      issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      scopes: SCOPES,
      groupsClaim: "groups",
      groups,
      parameters: {},
    },
    people,
    next: "",
    tamper: null,
    reach: async (...request) => {
      const answer = await fetch(...request);
      if (self.tamper === null || !String(request[0]).endsWith("/token") || !answer.ok) return answer;
      const body = (await answer.json()) as { id_token: string };
      const claims = JSON.parse(Buffer.from(body.id_token.split(".")[1]!, "base64url").toString()) as Claims;
      return Response.json({
        ...body,
        id_token: self.tamper(claims, (given, header) => signToken(privateKey, given, header)),
      });
    },
    walk: async (url) => {
      const jar = new Map<string, string>();
      let at = url;
      for (let hops = 0; hops < 10; hops++) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
        const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
        await answer.body?.cancel();
        for (const set of answer.headers.getSetCookie()) {
          const [name = "", value = ""] = set.split(";", 1)[0]!.split(/=(.*)/s);
          jar.set(name, value);
        }
        const location = answer.headers.get("location");
        if (location === null) throw new Error(`The provider answered ${answer.status} at ${at}.`);
        at = new URL(location, at).href;
        if (at.startsWith(`${redirectUri}?`)) return new URL(at).search.slice(1);
      }
      throw new Error(`The provider does not return the browser: ${at}`);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
    open: async () => {
      server = await start();
    },
    [Symbol.asyncDispose]: () => (server.listening ? self.close() : Promise.resolve()),
  };
  return self;
}

interface GrantContext {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly provider: {
      readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    };
  };
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** Signs as a header says: by the key of the provider, by its client's secret, or not at all. */
function signToken(key: KeyObject, claims: Claims, header: object = {}): string {
  const full = { alg: "RS256", kid: "test", ...header };
  const signed = `${encode(full)}.${encode(claims)}`;
  if (full.alg === "none") return `${signed}.`;
  const signature =
    full.alg === "HS256"
      ? createHmac("sha256", CLIENT_SECRET).update(signed).digest("base64url")
      : createSign("sha256").update(signed).sign(key, "base64url");
  return `${signed}.${signature}`;
}
