import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PASSWORD } from "../../../process/testing/staffServer.ts";
import { sql } from "../../../store/sql.ts";
import { makeOwnerLink } from "../actions.ts";
import { grantOf, readGroups } from "../provider/company.ts";
import { openProvider } from "../provider/provider.ts";
import { addApp } from "../testing/app.ts";
import { arrive, type CompanyWorld, startCompany } from "../testing/company.ts";
import { addPasskey } from "../testing/passkey.ts";
import { forgetUnconfirmed } from "./confirm.ts";

let world: CompanyWorld;
before(async () => {
  world = await startCompany();
});
after(() => world?.[Symbol.asyncDispose]());

const actionsOf = async (userId: string): Promise<readonly string[]> =>
  (
    await world.server.database.rows<{ action: string }>(
      sql`select action from user_log where user_id = ${userId} order by id`,
    )
  ).map(({ action }) => action);
const auditOf = async (businessId: string): Promise<readonly object[]> =>
  (
    await world.server.database.rows<{ action: string; details: string; actor: string }>(
      sql`select action, details, actor from audit_log where business_id = ${businessId} order by recorded_at, id`,
    )
  ).map(({ action, details, actor }) => ({ action, actor, ...JSON.parse(details) }));

test("§13.24 several groups give the first role of the list, and unknown ones nothing", () => {
  const grant = (role: "admin" | "read_only") => ({ roles: new Map([["biz_1", role]]), isOperator: false });
  const groups = new Map([
    ["readers", grant("read_only")],
    ["admins", grant("admin")],
    ["platform", { roles: new Map(), isOperator: true }],
  ]);
  assert.deepEqual(grantOf({ groups }, ["readers", "admins", "Admins", "__proto__"]), {
    roles: new Map([["biz_1", "admin"]]),
    isOperator: false,
  });
  assert.equal(grantOf({ groups }, ["platform"]).isOperator, true);
  assert.deepEqual(readGroups({ admins: true }), []);
  assert.deepEqual(readGroups(["admins", 1, null, ["admins"]]), ["admins"]);
  assert.deepEqual(readGroups("admins"), ["admins"]);
  assert.deepEqual(readGroups(undefined), []);
});

test("§13.24 a first sign-in makes a user with the roles of their groups, in sessions by the company alone", async () => {
  const { server } = world;
  const shop = await server.addBusiness("first", { [await server.addUser("first.owner@shop.example")]: "owner" });
  world.map("first-team", { [shop]: "developer" });
  world.addPerson("ada", { groups: ["first-team"] });
  const browser = server.browser();
  const entered = await world.enter(browser, "ada");
  assert.equal(entered.status, 200, entered.text);
  assert.equal(entered.json.status, "signed_in");
  assert.equal(entered.json.user.email, "ada@shop.example");
  assert.equal(browser.company, null, "the cookie of the way is gone");
  const account = (await browser.get("/account")).json;
  assert.equal(account.signIn.isLinked, true);
  assert.equal(account.session.isFresh, true, "the provider has just authenticated the person");
  assert.deepEqual(
    account.businesses.map((one: { id: string; role: string }) => [one.id, one.role]),
    [[shop, "developer"]],
  );
  assert.deepEqual(await actionsOf(account.user.id), ["signed_up", "signed_in"]);
  assert.deepEqual(await auditOf(shop), [
    { action: "member.added", actor: "service", email: "ada@shop.example", role: "developer", by: "group" },
  ]);
  const members = await (await server.signIn("first.owner@shop.example")).get(`/businesses/${shop}/members`);
  assert.deepEqual(
    members.json.data.map((one: { email: string; byGroup: boolean }) => [one.email, one.byGroup]),
    [
      ["first.owner@shop.example", false],
      ["ada@shop.example", true],
    ],
  );

  // The same person again, in another browser, is the same user.
  const again = server.browser();
  assert.equal((await world.enter(again, "ada")).json.user.id, account.user.id);

  // A password of their own signs in, without the role.
  await browser.post("/password-resets", { email: "ada@shop.example" });
  const link = await server.awaitLink("ada@shop.example");
  await server.database.rows(
    sql`update users set password = (select password from users where email_key = 'first.owner@shop.example') where email_key = 'ada@shop.example'`,
  );
  assert.ok(link);
  const byPassword = await server.signIn("ada@shop.example");
  assert.deepEqual((await byPassword.get("/account")).json.businesses, []);
  assert.equal((await byPassword.get(`/businesses/${shop}/members`)).status, 404);
  assert.equal((await again.get(`/businesses/${shop}/members`)).status, 200);
});

test("§13.2.1 a user whom the company alone signs in does not take the first user's place", async () => {
  await using fresh = await startCompany();
  const { server } = fresh;
  fresh.map("platform", {}, true);
  fresh.addPerson("early", { groups: ["platform"] });
  assert.equal((await fresh.enter(server.browser(), "early")).status, 200);
  const first = {
    link: await makeOwnerLink(server.database),
    email: "kim@shop.example",
    name: "Kim",
    password: PASSWORD,
  };
  const made = await server.browser().post("/sign-up/owner", first);
  assert.equal(made.status, 200, made.text);
  assert.equal(made.json.user.isOperator, true);
  assert.equal(await makeOwnerLink(server.database), null);
});

test("§13.24 a user is linked by an act of their own, keeps the roles that people gave, and is told by email", async () => {
  const { server } = world;
  const userId = await server.addUser("grace@shop.example");
  const shop = await server.addBusiness("linked", { [userId]: "owner" });
  world.map("linked-team", { [shop]: "read_only" });
  world.addPerson("grace.hopper", { email: "other@shop.example", groups: ["linked-team"] });
  const own = await server.signIn("grace@shop.example");
  const { url } = (await own.post("/account/company")).json;
  const asked = new URL(url).searchParams;
  assert.deepEqual(
    [asked.get("max_age"), asked.get("prompt")],
    ["0", "login"],
    "whoever is signed in at the provider authenticates anew",
  );
  assert.equal((await world.enter(own, "grace.hopper", "/account/company")).json.status, "linked");
  await server.sendEmails();
  assert.match(server.emails.at(-1)!.subject, /linked to your company/);
  assert.match(server.emails.at(-1)!.text, /The person there is “other@shop example”/);

  const browser = server.browser();
  assert.equal((await world.enter(browser, "grace.hopper")).json.user.id, userId);
  assert.equal((await browser.get("/account")).json.businesses[0].role, "owner");

  // The proof of a session by password, in place of the password.
  await server.age();
  assert.equal((await own.get("/account")).json.session.isFresh, false);
  const before = own.cookie;
  assert.equal((await world.enter(own, "grace.hopper", "/proof/company")).json.status, "proven");
  assert.notEqual(own.cookie, before);
  assert.equal((await own.get("/account")).json.session.isFresh, true);

  // The link goes, and with it the sessions that began by it.
  assert.equal((await own.send("DELETE", "/account/company")).status, 200);
  assert.equal((await browser.get("/account")).status, 401);
  assert.equal((await own.get("/account")).json.signIn.isLinked, false);
  assert.deepEqual((await actionsOf(userId)).slice(-1), ["company_unlinked"]);
});

test("§13.24 a provider that does not say when a person authenticated links, and the activity names the person", async () => {
  const { server, provider } = world;
  const userId = await server.addUser("untimed@shop.example");
  world.addPerson("untimed.person", { email: "person@shop.example" });
  const own = await server.signIn("untimed@shop.example");
  provider.tamper = (claims, sign) => sign({ ...claims, auth_time: undefined });
  const linked = await world.enter(own, "untimed.person", "/account/company").finally(() => {
    provider.tamper = null;
  });
  assert.equal(linked.json.status, "linked", linked.text);
  const entry = await server.database.row<{ details: string }>(
    sql`select details from user_log where user_id = ${userId} and action = 'company_linked'`,
  );
  assert.deepEqual(JSON.parse(entry!.details), { issuer: provider.issuer, person: "person@shop.example" });
  const { ctx } = server;
  const urlOf = async (prompt: string) => {
    const settings = { ...provider.settings, parameters: { prompt } };
    const url = await openProvider(settings, ctx.dashboardUrl, provider.reach).authorizationUrl("secret", true);
    return new URL(url).searchParams.get("prompt");
  };
  assert.equal(await urlOf("consent"), "login consent");
  assert.equal(await urlOf("select_account consent"), "select_account consent");
});

test("§13.24 an authenticator app is asked for after the company too", async () => {
  const { server } = world;
  await server.addUser("mae@shop.example");
  world.addPerson("mae");
  const own = await server.signIn("mae@shop.example");
  await world.enter(own, "mae", "/account/company");
  const { code } = await addApp(own);
  const browser = server.browser();
  const step = await world.enter(browser, "mae");
  assert.equal(step.json.status, "second_factor");
  assert.equal(browser.cookie, null);
  const { ticket } = step.json;
  assert.equal((await browser.post("/sign-in/code", { ticket, code: "000000" })).status, 401);
  assert.equal((await browser.post("/sign-in/code", { ticket, code: code(0) })).status, 200);
  const sessions = (await browser.get("/sessions")).json.data as { method: string; isCurrent: boolean }[];
  assert.equal(sessions.find((one) => one.isCurrent)!.method, "company_and_code");
  await world.pass(5);
  assert.equal((await browser.get("/account")).status, 200, "such a session is confirmed like any other");
});

test("§13.24 the provider's groups of today count: a role changes, goes, and an operator's rights with it", async () => {
  const { server, provider } = world;
  const shop = await server.addBusiness("groups", { [await server.addUser("groups.owner@shop.example")]: "owner" });
  world.map("groups-admins", { [shop]: "admin" });
  world.map("groups-readers", { [shop]: "read_only" });
  world.map("platform", {}, true);
  world.addPerson("kay", { groups: ["groups-admins", "platform"] });
  const browser = server.browser();
  assert.equal((await world.enter(browser, "kay")).status, 200);
  const read = async () => {
    const { user, businesses } = (await browser.get("/account")).json;
    return [user.isOperator, businesses[0]?.role ?? null];
  };
  assert.deepEqual(await read(), [true, "admin"]);
  provider.people.set("kay", { ...provider.people.get("kay")!, groups: ["groups-readers"] });
  await world.pass(5);
  assert.deepEqual(await read(), [false, "read_only"]);
  provider.people.set("kay", { ...provider.people.get("kay")!, groups: [] });
  await world.pass(5);
  assert.deepEqual(await read(), [false, null]);
  assert.deepEqual(
    (await auditOf(shop)).map((one) => ("action" in one ? one.action : null)),
    ["member.added", "member.role_changed", "member.removed"],
  );
  const { user } = (await browser.get("/account")).json;
  assert.deepEqual((await actionsOf(user.id)).slice(-1), ["roles_changed"]);
});

test("§13.24 while the provider is away, words say so, passwords work, and sessions close until it is back", async () => {
  const { server, provider } = world;
  const shop = await server.addBusiness("away", { [await server.addUser("away.owner@shop.example")]: "owner" });
  world.map("away-team", { [shop]: "developer" });
  world.addPerson("lin", { groups: ["away-team"] });
  const browser = server.browser();
  await world.enter(browser, "lin");
  const answer = await world.visit(server.browser(), "lin");
  await provider.close();
  const begun = await server.browser().post("/sign-in/company");
  assert.equal(begun.status, 409);
  assert.equal(begun.json.error.reason, "company_unavailable");
  assert.match(begun.json.error.message, /^Acme cannot be reached\. .* sign in by password or passkey\.$/);
  assert.ok(answer.includes("code="));
  assert.equal((await server.signIn("away.owner@shop.example")).cookie !== null, true);
  await world.pass(5);
  assert.equal((await browser.get("/account")).status, 200, "five minutes without a word are no end");
  await world.pass(6);
  assert.equal((await browser.get("/account")).status, 401, "ten minutes are");
  await provider.open();
  await world.pass(5);
  assert.equal((await browser.get("/account")).status, 200);
  const said = server.lines.filter((line) => /^Company sign-in: sessions/.test(line));
  assert.equal(said.length, 2, said.join("\n"));
  assert.match(said.join("\n"), /cannot be confirmed.*\n.*are confirmed again/);
});

test("§13.24 a person who is removed at the provider is out within ten minutes, and their roles with them", async () => {
  const { server, provider } = world;
  const shop = await server.addBusiness("removed", { [await server.addUser("removed.owner@shop.example")]: "owner" });
  world.map("removed-team", { [shop]: "developer" });
  world.addPerson("eve", { groups: ["removed-team"] });
  const browser = server.browser();
  await world.enter(browser, "eve");
  provider.people.delete("eve");
  await world.pass(5);
  assert.equal((await browser.get("/account")).status, 401);
  assert.deepEqual(
    (await auditOf(shop)).map((one) => ("action" in one ? one.action : null)),
    ["member.added", "member.removed"],
  );
  // Even if no process asks.
  world.addPerson("eve", { groups: ["removed-team"] });
  const later = server.browser();
  await world.enter(later, "eve");
  await world.pass(11, true);
  assert.equal((await later.get("/account")).status, 401);
});

test("§13.24 a confirmation that cannot be written is written later, and a lost token ends the session alone", async () => {
  const { server, provider } = world;
  const { database } = server;
  const shop = await server.addBusiness("unwritten", { [await server.addUser("un.owner@shop.example")]: "owner" });
  world.map("unwritten-team", { [shop]: "developer" });
  world.addPerson("wren", { groups: ["unwritten-team"] });
  const browser = server.browser();
  await world.enter(browser, "wren");
  const tokenOf = async () =>
    (await database.row<{ token: string }>(
      sql`select company_token as token from sessions where company_subject = 'wren'`,
    ))!.token;
  const first = await tokenOf();
  await database.rows(sql`
    alter table company_identities add constraint broken check (subject <> 'wren') not valid`);
  await assert.rejects(world.pass(5), /broken/);
  await database.rows(sql`alter table company_identities drop constraint broken`);
  await world.pass(0);
  assert.notEqual(await tokenOf(), first, "the new token of the provider");
  await world.pass(5);
  assert.equal((await browser.get("/account")).status, 200);

  // The token of a claim that nobody finished is gone.
  await database.rows(sql`
    update sessions set company_token = ${first}, company_due_at = company_confirmed_at + interval '5 minutes'
    where company_subject = 'wren'`);
  assert.ok(provider.people.has("wren"));
  await world.pass(6);
  assert.equal((await browser.get("/account")).status, 401);
  assert.equal((await auditOf(shop)).length, 1, "the role stays");
});

test("§13.24 a provider without refresh tokens gives ten minutes", async () => {
  const { server } = world;
  await server.addUser("brief@shop.example");
  world.addPerson("brief");
  await world.enter(await server.signIn("brief@shop.example"), "brief", "/account/company");
  const browser = server.browser();
  await world.enter(browser, "brief");
  await server.database.rows(
    sql`update sessions set company_token = null, company_due_at = null where company_subject = 'brief'`,
  );
  await world.pass(9);
  assert.equal((await browser.get("/account")).status, 200);
  await world.pass(2);
  assert.equal((await browser.get("/account")).status, 401);
});

test("§13.24 roles by groups of people whom nobody has confirmed for a week go", async () => {
  const { server } = world;
  const { database } = server;
  const shop = await server.addBusiness("forgotten", {
    [await server.addUser("forgotten.owner@shop.example")]: "owner",
  });
  world.map("forgotten-team", { [shop]: "developer" });
  world.addPerson("fay", { groups: ["forgotten-team"] });
  await world.enter(server.browser(), "fay");
  await forgetUnconfirmed(database);
  assert.equal((await auditOf(shop)).length, 1);
  await database.rows(sql`
    update company_identities set confirmed_at = now() - interval '8 days' where subject = 'fay'`);
  await forgetUnconfirmed(database);
  assert.equal((await auditOf(shop)).length, 2);
});

test("§13.24 tokens are stored encrypted, and a link that sets a password removes the company's", async () => {
  const { server } = world;
  const userId = await server.addUser("reset@shop.example");
  world.addPerson("reset");
  await world.enter(await server.signIn("reset@shop.example"), "reset", "/account/company");
  const browser = server.browser();
  await world.enter(browser, "reset");
  const stored = await server.database.row<{ token: string }>(
    sql`select company_token as token from sessions where user_id = ${userId} and company_token is not null`,
  );
  assert.match(stored!.token, /^v1\./);
  await server.browser().post("/password-resets", { email: "reset@shop.example" });
  const link = await server.awaitLink("reset@shop.example");
  const set = await server.browser().post("/password-resets/complete", { link, password: `${PASSWORD} again` });
  assert.equal(set.status, 200, set.text);
  assert.equal((await browser.get("/account")).status, 401);
  const refused = await arrive(browser, await world.visit(browser, "reset"));
  assert.equal(refused.json.error.reason, "company_unknown");
});

test("§13.24.5 the last owner who can sign in alone stays, and an owner keeps a password or passkey", async () => {
  const { server } = world;
  const owner = await server.addUser("last@shop.example");
  const shop = await server.addBusiness("last", { [owner]: "owner" });
  world.map("last-team", { [shop]: "developer" });
  world.addPerson("second", { groups: ["last-team"] });
  const browser = server.browser();
  const { user } = (await world.enter(browser, "second")).json;
  const own = await server.signIn("last@shop.example");
  const promoted = await own.send("PATCH", `/businesses/${shop}/members/${user.id}`, { role: "owner" });
  assert.equal(promoted.json.byGroup, false);
  const left = await own.post(`/businesses/${shop}/leave`);
  assert.equal(left.json.error.reason, "last_owner");
  const unlinked = await browser.send("DELETE", "/account/company");
  assert.equal(unlinked.json.error.reason, "last_credential");

  // With a passkey the second owner can stay alone, and keeps it.
  const { id } = await addPasskey(browser, "Laptop");
  assert.equal((await own.post(`/businesses/${shop}/leave`)).status, 200);
  const removed = await browser.send("DELETE", `/passkeys/${id}`);
  assert.equal(removed.json.error.reason, "last_credential");

  // An operator by a group who can sign in by the company alone owns no business.
  world.map("last-operators", {}, true);
  world.addPerson("third", { groups: ["last-operators"] });
  const operator = server.browser();
  await world.enter(operator, "third");
  const added = await operator.post("/businesses", { name: "Another shop" });
  assert.equal(added.json.error.reason, "last_credential");
});
