import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Answer } from "../../../../tests/harness/http.ts";
import type { Browser } from "../../../../tests/harness/staffBrowser.ts";
import type { Visitor } from "../../../domain/callers.ts";
import { sql } from "../../../store/sql.ts";
import { openProvider } from "../provider/provider.ts";
import { addApp } from "../testing/app.ts";
import { arrive, type CompanyWorld, startCompany } from "../testing/company.ts";
import { startProvider, type Tamper, type TestProvider } from "../testing/provider.ts";
import * as actions from "./actions.ts";

/**
 * Attacks of a stranger, a member, an administrator of the provider and one of another provider. Each gets an answer that
 * refuses it, and leaves no session, link, user, role or proof behind.
 */

let world: CompanyWorld;
let other: TestProvider;
let shop: string;
let foreign: string;
/** A session of a user who added an authenticator app in it. */
let withApp: Browser;

before(async () => {
  world = await startCompany();
  const { server } = world;
  other = await startProvider(server.ctx.dashboardUrl);
  shop = await server.addBusiness("attacked", { [await server.addUser("owner@shop.example")]: "owner" });
  foreign = await server.addBusiness("foreign", { [await server.addUser("foreign@shop.example")]: "owner" });
  world.map("shop-admins", { [shop]: "admin" });
  world.map("shop-team", { [shop]: "developer" });
  world.map("lost-team", { biz_none: "admin" });
  world.map("foreign-team", { [foreign]: "developer" });
  // A user with a password who is linked, one whom groups made, and one with an app.
  for (const name of ["kim", "app"]) {
    await server.addUser(`${name}@shop.example`);
    world.addPerson(name);
    const own = await server.signIn(`${name}@shop.example`);
    await world.enter(own, name, "/account/company");
    if (name !== "app") continue;
    await addApp(own);
    withApp = own;
  }
  world.addPerson("sam", { groups: ["shop-team"] });
  world.addPerson("boss", { groups: ["shop-admins"] });
  for (const name of ["sam", "boss"]) await world.enter(server.browser(), name);
  // A person of the company without any role here, and an account without a link.
  world.addPerson("mallory", { email: "mallory@shop.example" });
  await server.addUser("victim@shop.example");
});
after(async () => {
  await world?.[Symbol.asyncDispose]();
  await other?.[Symbol.asyncDispose]();
});

/** What an attack must not change. */
async function snapshot(): Promise<unknown> {
  return world.server.database.row(sql`
    select (select count(*) from sessions) as sessions, (select count(*) from users) as users,
      (select json_agg(i order by issuer, subject) from (select issuer, subject, user_id from company_identities) i) as identities,
      (select json_agg(m order by business_id, user_id) from (select business_id, user_id, role, by_group from members) m) as members,
      (select count(*) from sessions where proven_at > now() - interval '10 minutes') as proofs`);
}

interface Attack {
  readonly name: string;
  /** The refusal: its code, or the reason of a 409. */
  readonly refused: string;
  /** Prepares what the attacker may have; the answer of what it returns must refuse. */
  readonly prepare: () => Promise<() => Promise<Answer>>;
}

/** An attack of a new browser. */
const byStranger = (name: string, refused: string, attack: (browser: Browser) => Promise<Answer>): Attack => ({
  name,
  refused,
  prepare: async () => () => attack(world.server.browser()),
});

/** An ID token that is altered on its way, at the sign-in of a linked person. */
const byToken = (name: string, tamper: Tamper): Attack => ({
  name,
  refused: "company_answer_invalid",
  prepare: async () => async () => {
    const browser = world.server.browser();
    const answer = await world.visit(browser, "kim");
    world.provider.tamper = tamper;
    return arrive(browser, answer).finally(() => {
      world.provider.tamper = null;
    });
  },
});

/** The same without further ado: some claims are others. */
const byClaims = (name: string, change: (seconds: number) => Readonly<Record<string, unknown>>): Attack =>
  byToken(name, (claims, sign) => sign({ ...claims, ...change(Math.floor(Date.now() / 1_000)) }));

/** A proof at the provider in a session whose own proof is too old. */
const byProof = (name: string, refused: string, subject: string, change: (seconds: number) => object): Attack => ({
  name,
  refused,
  prepare: async () => {
    const browser = await world.server.signIn("kim@shop.example");
    await world.server.age();
    const answer = await world.visit(browser, subject, "/proof/company");
    return async () => {
      world.provider.tamper = (claims, sign) => sign({ ...claims, ...change(Math.floor(Date.now() / 1_000)) });
      return arrive(browser, answer).finally(() => {
        world.provider.tamper = null;
      });
    };
  },
});

/** A first sign-in of a person whom the provider describes like this. */
const byPerson = (name: string, person: Parameters<CompanyWorld["addPerson"]>[1]): Attack =>
  byStranger(name, "company_unknown", (browser) => {
    world.addPerson("mallory", { email: "mallory@shop.example", groups: ["shop-team"], ...person });
    return world.enter(browser, "mallory");
  });

/** A request of a signed-in browser; the sign-in belongs to the preparation. */
const byMember = (
  name: string,
  refused: string,
  enter: () => Promise<Browser>,
  attack: (browser: Browser) => Promise<Answer>,
): Attack => ({
  name,
  refused,
  prepare: async () => {
    const browser = await enter();
    return () => attack(browser);
  },
});

const withPassword = (name: string) => () => world.server.signIn(`${name}@shop.example`);
const byCompany = (name: string) => async () => {
  const browser = world.server.browser();
  assert.equal((await world.enter(browser, name)).status, 200);
  return browser;
};
const stale = (enter: () => Promise<Browser>) => async () => {
  const browser = await enter();
  await world.server.age();
  return browser;
};

const stateOf = (answer: string): string => new URLSearchParams(answer).get("state")!;
const change = (answer: string, fields: Readonly<Record<string, string>>): string => {
  const changed = new URLSearchParams(answer);
  for (const [name, value] of Object.entries(fields)) changed.set(name, value);
  return changed.toString();
};
const without = (answer: string, name: string): string => {
  const changed = new URLSearchParams(answer);
  changed.delete(name);
  return changed.toString();
};
const FOREIGN_PAGE = [
  ["Origin", "https://evil.example"],
  ["Sec-Fetch-Site", "cross-site"],
] as const;

const ATTACKS: readonly Attack[] = [
  // The way there and back belongs to one browser, and is used once.
  byStranger("an answer without the cookie", "company_answer_invalid", async (browser) => {
    const answer = await world.visit(browser, "kim");
    browser.company = null;
    return arrive(browser, answer);
  }),
  byStranger(
    "login CSRF: the attacker's answer in a browser without a way",
    "company_answer_invalid",
    async (browser) => arrive(world.server.browser(), await world.visit(browser, "kim")),
  ),
  byStranger(
    "login CSRF: the attacker's answer in a browser on its own way",
    "company_answer_invalid",
    async (browser) => {
      const answer = await world.visit(world.server.browser(), "kim");
      await browser.post("/sign-in/company");
      return arrive(browser, answer);
    },
  ),
  byStranger("code injection: the state of one way, the code of another", "company_refused", async (browser) => {
    const stolen = await world.visit(world.server.browser(), "kim");
    const own = await world.visit(browser, "sam");
    return arrive(browser, change(stolen, { state: stateOf(own) }));
  }),
  byStranger("no state", "company_answer_invalid", async (browser) =>
    arrive(browser, without(await world.visit(browser, "kim"), "state")),
  ),
  byStranger("a state twice", "company_answer_invalid", async (browser) => {
    const answer = await world.visit(browser, "kim");
    return arrive(browser, `${answer}&state=${stateOf(answer)}`);
  }),
  byStranger("a code twice", "company_answer_invalid", async (browser) =>
    arrive(browser, `${await world.visit(browser, "kim")}&code=another`),
  ),
  byStranger("an answer without a code", "company_answer_invalid", async (browser) =>
    arrive(browser, without(await world.visit(browser, "kim"), "code")),
  ),
  byStranger("an answer that took too long", "company_answer_invalid", async (browser) => {
    const answer = await world.visit(browser, "kim");
    await world.server.database.rows(
      sql`update one_time_secrets set expires_at = now() - interval '1 second' where purpose = 'company_sign_in'`,
    );
    return arrive(browser, answer);
  }),
  {
    name: "the same answer again, in the same browser",
    refused: "company_answer_invalid",
    prepare: async () => {
      const browser = world.server.browser();
      const answer = await world.visit(browser, "kim");
      const { company } = browser;
      assert.equal((await arrive(browser, answer)).status, 200);
      browser.company = company;
      return () => arrive(browser, answer);
    },
  },
  {
    name: "a code that was used, on a new way",
    refused: "company_refused",
    prepare: async () => {
      const browser = world.server.browser();
      const answer = await world.visit(browser, "kim");
      assert.equal((await arrive(browser, answer)).status, 200);
      return async () => arrive(browser, change(answer, { state: stateOf(await world.visit(browser, "kim")) }));
    },
  },
  byStranger(
    "cookie fixation: a cookie that another host or plain http could set",
    "company_answer_invalid",
    async (browser) => {
      const answer = await world.visit(browser, "kim");
      browser.company = browser.company!.replace("__Host-", "");
      return arrive(browser, answer);
    },
  ),
  byStranger("cookie fixation: a second cookie of the same name", "company_answer_invalid", async (browser) => {
    const answer = await world.visit(browser, "kim");
    browser.company = `${browser.company}; ${browser.company}`;
    return arrive(browser, answer);
  }),
  byStranger("a callback from another site", "cross_site_request", async (browser) =>
    browser.send("POST", "/sign-in/company/answer", { answer: await world.visit(browser, "kim") }, FOREIGN_PAGE),
  ),
  byStranger("a beginning from another site", "cross_site_request", (browser) =>
    browser.send("POST", "/sign-in/company", undefined, FOREIGN_PAGE),
  ),
  byStranger("a callback by GET", "not_found", async (browser) =>
    browser.get(`/sign-in/company/answer?${await world.visit(browser, "kim")}`),
  ),
  byStranger("a page of the attacker as the page to return to", "invalid_request", (browser) =>
    browser.post("/sign-in/company", { returnTo: "https://evil.example", redirect_uri: "https://evil.example" }),
  ),
  byStranger("an error of the provider, with a right state", "company_refused", async (browser) =>
    arrive(
      browser,
      `error=access_denied&state=${stateOf(await world.visit(browser, "kim"))}&iss=${encodeURIComponent(world.provider.issuer)}`,
    ),
  ),
  // Another provider.
  byStranger("mix-up: the answer names another issuer", "company_answer_invalid", async (browser) =>
    arrive(browser, change(await world.visit(browser, "kim"), { iss: other.issuer })),
  ),
  byStranger("mix-up: the answer names no issuer", "company_answer_invalid", async (browser) =>
    arrive(browser, without(await world.visit(browser, "kim"), "iss")),
  ),
  byToken("an ID token of another issuer", (claims, sign) => sign({ ...claims, iss: other.issuer })),
  {
    name: "the same subject and address at a second issuer",
    refused: "company_unknown",
    prepare: async () => async () => {
      const { ctx } = world.server;
      other.people.set("kim", { ...world.provider.people.get("kim")!, groups: ["shop-admins"] });
      other.next = "kim";
      const settings = { ...other.settings, groups: world.provider.settings.groups };
      const elsewhere = { ...ctx, company: openProvider(settings, ctx.dashboardUrl, other.reach) };
      const visitor: Visitor = {
        staff: null,
        address: "203.0.113.9",
        userAgent: "test",
        sessionSecret: null,
        browserSecret: null,
        companySecret: null,
        findRole: async () => null,
      };
      const { url, secret } = await actions.beginCompanySignIn(elsewhere, visitor);
      const error = await actions
        .arrive(elsewhere, { ...visitor, companySecret: secret }, await other.walk(url))
        .then(() => ({ code: "none" }))
        .catch((refusal: { readonly code: string }) => refusal);
      return { status: 409, json: { error: { reason: error.code } } } as Answer;
    },
  },
  // The ID token.
  byToken("no signature (alg none)", (claims, sign) => sign(claims, { alg: "none" })),
  byToken("a signature by the client's secret (alg HS256)", (claims, sign) => sign(claims, { alg: "HS256" })),
  byToken("a signature of other claims", (claims, sign) => {
    const [header, , signature] = sign(claims).split(".");
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: "boss" })).toString("base64url");
    return `${header}.${forged}.${signature}`;
  }),
  byToken("a key that the provider does not list", (claims, sign) => sign(claims, { kid: "another" })),
  byClaims("another audience", () => ({ aud: "another-client" })),
  byClaims("several audiences without azp", () => ({ aud: ["holdfast", "another-client"] })),
  byClaims("azp of another client", () => ({ azp: "another-client" })),
  byClaims("expired", (seconds) => ({ iat: seconds - 700, exp: seconds - 100 })),
  byClaims("issued in the future", (seconds) => ({ iat: seconds + 300 })),
  byClaims("authenticated in the future", (seconds) => ({ auth_time: seconds + 300 })),
  byClaims("another nonce", () => ({ nonce: "another" })),
  byClaims("no nonce", () => ({ nonce: undefined })),
  byClaims("no subject", () => ({ sub: undefined })),
  byClaims("an empty subject", () => ({ sub: "" })),
  byClaims("a subject of another person, whose data the provider does not give", () => ({ sub: "boss" })),
  // Accounts.
  byPerson("a person whose groups have no role", { groups: ["strangers"] }),
  byPerson("a group whose only business does not exist", { groups: ["lost-team"] }),
  byPerson("names of groups that are no own members", {
    groups: ["__proto__", "constructor", "Shop-Team", "shop-team "],
  }),
  byPerson("groups as an object", { groups: { "shop-team": true } }),
  byPerson("an unverified address", { email_verified: false }),
  byPerson("an address that is verified in words", { email_verified: "true" }),
  byPerson("the address of a user, verified", { email: "victim@shop.example" }),
  byPerson("the address of a user in other letters", { email: "VICTIM@Shop.Example" }),
  byPerson("the address of the owner", { email: "owner@shop.example", groups: ["shop-admins"] }),
  // Links.
  byMember("a link without a recent proof", "proof_required", stale(withPassword("victim")), (browser) =>
    browser.post("/account/company"),
  ),
  byMember("an unlinking without a recent proof", "proof_required", stale(withPassword("kim")), (browser) =>
    browser.send("DELETE", "/account/company"),
  ),
  byMember("the last way to sign in is unlinked", "last_credential", byCompany("sam"), (browser) =>
    browser.send("DELETE", "/account/company"),
  ),
  byMember("a person who is linked to another user", "company_linked", withPassword("victim"), (browser) =>
    world.enter(browser, "kim", "/account/company"),
  ),
  byMember("a second person for one user", "company_linked", withPassword("kim"), (browser) => {
    world.addPerson("mallory");
    return world.enter(browser, "mallory", "/account/company");
  }),
  {
    name: "linking CSRF: the attacker's way to link ends in the victim's session",
    refused: "company_answer_invalid",
    prepare: async () => {
      const attacker = await world.server.signIn("foreign@shop.example");
      const victim = await world.server.signIn("victim@shop.example");
      const answer = await world.visit(attacker, "mallory", "/account/company");
      return async () => {
        victim.company = attacker.company;
        return arrive(victim, answer);
      };
    },
  },
  {
    name: "a way to link that ends in a later session of the same browser",
    refused: "company_answer_invalid",
    prepare: async () => {
      const browser = await world.server.signIn("victim@shop.example");
      const answer = await world.visit(browser, "mallory", "/account/company");
      browser.cookie = (await world.server.signIn("victim@shop.example")).cookie;
      return () => arrive(browser, answer);
    },
  },
  {
    name: "a way to link that ends without a session",
    refused: "company_answer_invalid",
    prepare: async () => {
      const browser = await world.server.signIn("victim@shop.example");
      const answer = await world.visit(browser, "mallory", "/account/company");
      browser.cookie = null;
      return () => arrive(browser, answer);
    },
  },
  {
    name: "a link to whoever was signed in at the provider before",
    refused: "company_answer_invalid",
    prepare: async () => {
      const browser = await world.server.signIn("victim@shop.example");
      world.addPerson("mallory");
      const answer = await world.visit(browser, "mallory", "/account/company");
      return async () => {
        world.provider.tamper = (claims, sign) => sign({ ...claims, auth_time: Number(claims.auth_time) - 300 });
        return arrive(browser, answer).finally(() => {
          world.provider.tamper = null;
        });
      };
    },
  },
  // Proofs.
  byProof("a proof by a sign-in of before", "company_answer_invalid", "kim", (seconds) => ({
    auth_time: seconds - 300,
  })),
  byProof("a proof without auth_time", "company_answer_invalid", "kim", () => ({ auth_time: undefined })),
  byProof("a proof by another person", "company_not_linked", "sam", () => ({})),
  byMember(
    "a sign-in by an old session of the provider is no recent proof",
    "proof_required",
    async () => {
      world.provider.tamper = (claims, sign) => sign({ ...claims, auth_time: Number(claims.auth_time) - 3_600 });
      return byCompany("boss")().finally(() => {
        world.provider.tamper = null;
      });
    },
    (browser) => browser.post(`/businesses/${shop}/invitations`, { email: "x@shop.example", role: "admin" }),
  ),
  byMember(
    "a proof without the code of the user's app",
    "code_needed",
    async () => withApp,
    (browser) => browser.post("/proof/company"),
  ),
  {
    name: "a ticket of the company with a wrong code",
    refused: "unauthorized",
    prepare: async () => {
      const browser = world.server.browser();
      const { ticket } = (await world.enter(browser, "app")).json;
      return () => browser.post("/sign-in/code", { ticket, code: "AAAA-AAAA-AAAA-AAAA" });
    },
  },
  {
    name: "a ticket of the company whose user was unlinked since",
    refused: "unauthorized",
    prepare: async () => {
      const browser = world.server.browser();
      const { ticket } = (await world.enter(browser, "app")).json;
      await world.server.database.rows(sql`update sessions set proven_at = now() where company_issuer is null`);
      const code = (await withApp.post("/backup-codes")).json.codes[0];
      assert.equal((await withApp.send("DELETE", "/account/company")).status, 200);
      return () => browser.post("/sign-in/code", { ticket, code });
    },
  },
  // Roles.
  byMember("a group of one business in another", "not_found", byCompany("sam"), (browser) =>
    browser.get(`/businesses/${foreign}/members`),
  ),
  byMember("a role by a group in a session by another way", "not_found", passwordOf("sam"), (browser) =>
    browser.get(`/businesses/${shop}/members`),
  ),
  byMember("members of a group keep each other's roles", "role_by_group", byCompany("boss"), async (browser) => {
    const sam = await memberOf(browser, "sam@shop.example");
    return browser.send("PATCH", `/businesses/${shop}/members/${sam}`, { role: "admin" });
  }),
  byMember("a member of a group keeps the own role", "role_by_group", byCompany("boss"), async (browser) => {
    const boss = await memberOf(browser, "boss@shop.example");
    return browser.send("PATCH", `/businesses/${shop}/members/${boss}`, { role: "admin" });
  }),
  byMember("a member of a group invites an owner", "role_not_assignable", byCompany("boss"), (browser) =>
    browser.post(`/businesses/${shop}/invitations`, { email: "new@shop.example", role: "owner" }),
  ),
  {
    name: "an invitation of an admin who signed out, and whom nobody confirms since",
    refused: "invitation_unusable",
    prepare: async () => {
      const { browser, accept } = await inviteBy("quiet");
      await browser.post("/sign-out");
      await world.server.database.rows(sql`
        update company_identities set confirmed_at = now() - interval '11 minutes' where subject = 'quiet'`);
      return accept;
    },
  },
  {
    name: "an invitation of an admin who left the group, and came back",
    refused: "invitation_unusable",
    prepare: async () => {
      const { browser, accept } = await inviteBy("back");
      world.addPerson("back");
      await world.pass(5);
      world.addPerson("back", { groups: ["shop-admins"] });
      await world.pass(5);
      assert.equal((await browser.get(`/businesses/${shop}/members`)).status, 200);
      return accept;
    },
  },
  {
    name: "a role whose group the person left",
    refused: "not_found",
    prepare: async () => {
      world.addPerson("left", { groups: ["shop-team"] });
      const browser = await byCompany("left")();
      world.addPerson("left");
      await world.pass(5);
      return () => browser.get(`/businesses/${shop}/members`);
    },
  },
  {
    name: "the cookie of a person who was removed",
    refused: "unauthorized",
    prepare: async () => {
      world.addPerson("gone", { groups: ["shop-team"] });
      const browser = await byCompany("gone")();
      world.provider.people.delete("gone");
      await world.pass(5);
      return () => browser.get("/account");
    },
  },
  {
    name: "the cookie of a session that nobody confirmed for ten minutes",
    refused: "unauthorized",
    prepare: async () => {
      const browser = await byCompany("kim")();
      await world.pass(11, true);
      return () => browser.get("/account");
    },
  },
  {
    name: "a refresh token of another person",
    refused: "unauthorized",
    prepare: async () => {
      const browser = await byCompany("kim")();
      world.provider.tamper = (claims, sign) => sign({ ...claims, sub: "boss" });
      await world.pass(5).finally(() => {
        world.provider.tamper = null;
      });
      return () => browser.get("/account");
    },
  },
];

function passwordOf(name: string) {
  return async (): Promise<Browser> => {
    await world.server.database.rows(sql`
      update users set password = (select password from users where email_key = 'kim@shop.example')
      where email_key = ${`${name}@shop.example`}`);
    return world.server.signIn(`${name}@shop.example`);
  };
}

/** An admin by a group invites a mailbox of their own. */
async function inviteBy(name: string) {
  const email = `${name}@private.example`;
  await world.server.addUser(email);
  world.addPerson(name, { groups: ["shop-admins"] });
  const browser = await byCompany(name)();
  const invited = await browser.post(`/businesses/${shop}/invitations`, { email, role: "admin" });
  assert.equal(invited.status, 201, invited.text);
  const invitation = await world.server.awaitLink(email);
  const own = await world.server.signIn(email);
  return { browser, accept: () => own.post("/invitations/accept", { invitation }) };
}

async function memberOf(browser: Browser, email: string): Promise<string> {
  const { data } = (await browser.get(`/businesses/${shop}/members`)).json;
  return data.find((one: { readonly email: string }) => one.email === email).userId;
}

for (const { name, refused, prepare } of ATTACKS)
  test(`§13.24 refused: ${name}`, async () => {
    const attack = await prepare();
    const before = await snapshot();
    const { status, json, text } = await attack();
    const code = json?.error?.reason ?? json?.error?.code;
    assert.equal(code, refused, `${status} ${text}`);
    assert.deepEqual(await snapshot(), before);
  });

test("§13.24 at least forty attacks are tried", () => {
  assert.ok(ATTACKS.length >= 40, String(ATTACKS.length));
});
