import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ROLES, type Role } from "../../../domain/roles.ts";
import { PASSWORD, type StaffServer, startStaffServer } from "../../../process/testing/staffServer.ts";
import { sql } from "../../../store/sql.ts";

let staff: StaffServer;
before(async () => {
  staff = await startStaffServer();
});
after(() => staff?.[Symbol.asyncDispose]());

let shops = 0;
/** A business with a member of each role, signed in. */
async function openShop() {
  const name = `shop${++shops}`;
  const ids = {} as Record<Role, string>;
  for (const role of ROLES) ids[role] = await staff.addUser(`${role}@${name}.example`);
  const business = await staff.addBusiness(name, Object.fromEntries(ROLES.map((role) => [ids[role], role])));
  const signIn = (role: Role) => staff.signIn(`${role}@${name}.example`);
  return { name, business, ids, signIn, path: `/businesses/${business}` };
}

const audit = (business: string) =>
  staff.database.rows<{ action: string; actor: string }>(
    sql`select action, actor_name as actor from audit_log where business_id = ${business} order by id`,
  );

test("§13.5.1 what each role cannot do, by direct requests", async () => {
  const { path, ids, signIn } = await openShop();
  const attempts: readonly (readonly [method: string, path: string, body: unknown, allowed: readonly Role[]])[] = [
    ["GET", "", undefined, ROLES],
    ["GET", "/members", undefined, ROLES],
    ["GET", "/test/keys", undefined, ROLES],
    ["GET", "/profile", undefined, ROLES],
    ["PATCH", "/profile", { name: "New name" }, ["owner", "admin"]],
    ["GET", "/audit", undefined, ["owner", "admin"]],
    ["GET", "/invitations", undefined, ["owner", "admin"]],
    ["POST", "/test/keys", { name: "Server" }, ["owner", "admin", "developer"]],
    ["POST", "/test/keys/key_none/roll", { grace: "none" }, ["owner", "admin", "developer"]],
    ["POST", "/test/keys/key_none/revoke", undefined, ["owner", "admin", "developer"]],
    ["POST", "/invitations", { email: "no address", role: "read_only" }, ["owner", "admin"]],
    ["DELETE", "/invitations/inv_none", undefined, ["owner", "admin"]],
    ["PATCH", `/members/${ids.read_only}`, { role: "read_only" }, ["owner", "admin"]],
    ["DELETE", "/members/usr_none", undefined, ["owner", "admin"]],
  ];
  for (const role of ROLES) {
    const browser = await signIn(role);
    for (const [method, below, body, allowed] of attempts) {
      const answer = await browser.send(method, `${path}${below}`, body);
      const said = `${role}: ${method} ${below} → ${answer.text}`;
      if (allowed.includes(role)) assert.notEqual(answer.json.error?.code, "forbidden", said);
      else assert.deepEqual([answer.status, answer.json.error.code], [403, "forbidden"], said);
    }
    assert.equal((await browser.post("/businesses", { name: "Mine" })).json.error.code, "forbidden");
    assert.equal((await browser.get("/operator/businesses")).json.error.code, "forbidden");
  }
});

test("§13.5.2 only owners decide about owners, and one stays", async () => {
  const { path, business, ids, signIn } = await openShop();
  const [owner, admin] = [await signIn("owner"), await signIn("admin")];
  const setRole = (browser: typeof owner, id: string, role: Role) =>
    browser.send("PATCH", `${path}/members/${id}`, { role });
  for (const answer of [
    await setRole(admin, ids.owner, "read_only"),
    await setRole(admin, ids.admin, "owner"),
    await setRole(admin, ids.developer, "owner"),
    await admin.send("DELETE", `${path}/members/${ids.owner}`),
    await admin.post(`${path}/invitations`, { email: "boss@shop.example", role: "owner" }),
  ])
    assert.equal(answer.json.error.reason, "role_not_assignable", answer.text);
  assert.equal((await setRole(owner, ids.owner, "admin")).json.error.reason, "last_owner");
  assert.equal((await owner.post(`${path}/leave`)).json.error.reason, "last_owner");
  assert.equal((await setRole(owner, ids.admin, "owner")).status, 200);

  // Two owners remove each other's role at once: one stays. The other is refused as no owner any more, or as the last.
  const answers = await Promise.all([setRole(owner, ids.admin, "developer"), setRole(admin, ids.owner, "developer")]);
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const [refused] = answers.filter(({ status }) => status !== 200);
  const { code, reason } = refused!.json.error;
  assert.ok(code === "forbidden" || ["last_owner", "role_not_assignable"].includes(reason), refused!.text);
  const owners = await staff.database.rows(
    sql`select 1 from members where business_id = ${business} and role = 'owner'`,
  );
  assert.equal(owners.length, 1);
  assert.deepEqual(
    (await audit(business)).map(({ action }) => action),
    ["member.role_changed", "member.role_changed"],
  );
});

test("§13.5.1 a member who is removed, demoted or leaves is out with the next request", async () => {
  const { path, ids, signIn } = await openShop();
  const [owner, developer, reader] = [await signIn("owner"), await signIn("developer"), await signIn("read_only")];
  assert.equal((await developer.post(`${path}/test/keys`, { name: "Server" })).status, 201);
  await owner.send("PATCH", `${path}/members/${ids.developer}`, { role: "read_only" });
  assert.equal((await developer.post(`${path}/test/keys`, { name: "Server" })).status, 403);
  await owner.send("DELETE", `${path}/members/${ids.developer}`);
  assert.equal((await developer.get(path)).status, 404);
  assert.equal((await reader.post(`${path}/leave`)).status, 200);
  assert.equal((await reader.get(path)).status, 404);
});

test("§13.4.2 keys, members and invitations need a recent proof", async () => {
  const { path, ids, signIn } = await openShop();
  const owner = await signIn("owner");
  await staff.age();
  for (const [method, below, body] of [
    ["POST", "/test/keys", { name: "Server" }],
    ["POST", "/invitations", { email: "sam@shop.example", role: "developer" }],
    ["PATCH", `/members/${ids.developer}`, { role: "admin" }],
    ["DELETE", `/members/${ids.developer}`, undefined],
    ["POST", "/leave", undefined],
  ] as const)
    assert.equal((await owner.send(method, `${path}${below}`, body)).json.error.code, "proof_required", below);
  assert.equal((await owner.get(path)).status, 200);
});

test("§13.5.3 an invitation goes to its address alone, makes a user there, and works once", async () => {
  const { path, business, signIn } = await openShop();
  const owner = await signIn("owner");
  const made = await owner.post(`${path}/invitations`, { email: "Sam@New.example", role: "developer" });
  assert.equal(made.status, 201, made.text);
  assert.ok(!/[\w-]{43}/.test(made.text), "the answer holds no secret");
  assert.equal(made.json.link, null);
  const again = await owner.post(`${path}/invitations`, { email: "sam@new.example", role: "admin" });
  assert.equal(again.json.error.reason, "invitation_open");
  const invitation = await staff.awaitLink("Sam@new.example");
  const read = await staff.browser().post("/invitations/read", { invitation });
  assert.deepEqual([read.json.role, read.json.hasUser], ["developer", false]);
  const signUp = () => staff.browser().post("/sign-up/invitation", { invitation, name: "Sam", password: PASSWORD });
  const answers = await Promise.all([signUp(), signUp()]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  const sam = await staff.signIn("sam@new.example");
  assert.equal((await sam.get(path)).json.role, "developer");
  const used = await sam.post("/invitations/accept", { invitation });
  assert.equal(used.json.error.reason, "invitation_unusable");
  assert.deepEqual(
    (await audit(business)).map(({ action }) => action),
    ["invitation.made", "invitation.accepted"],
  );
});

test("§13.5.8 where no mail is set up, the answer to an invitation alone has its link, and the audit log says so", async () => {
  await using alone = await startStaffServer({ mail: false });
  const business = await alone.addBusiness("no mail", { [await alone.addUser("owner@alone.example")]: "owner" });
  const owner = await alone.signIn("owner@alone.example");
  const path = `/businesses/${business}`;
  const invite = () => owner.post(`${path}/invitations`, { email: "sam@alone.example", role: "developer" });
  await alone.age();
  assert.equal((await invite()).json.error.code, "proof_required");
  await alone.database.rows(sql`update sessions set proven_at = now()`);
  const made = (await invite()).json;
  assert.equal(made.byEmail, false);
  const [start, invitation] = made.link.split("#invitation=");
  assert.equal(start, `${alone.ctx.dashboardUrl}/invitation`);
  const [, , secret] = invitation.split(".");
  for (const later of [await owner.get(`${path}/invitations`), await owner.get(`${path}/audit`)])
    assert.ok(!later.text.includes(secret), "shown once");
  const { data } = (await owner.get(`${path}/audit`)).json;
  assert.deepEqual(
    data.map((entry: { action: string }) => entry.action),
    ["invitation.link_made", "invitation.made"],
  );
  const joined = await alone.browser().post("/sign-up/invitation", { invitation, name: "Sam", password: PASSWORD });
  assert.equal(joined.status, 200, joined.text);
});

test("§13.5.4 a user accepts what was sent to their own address alone; a revoked or old one is refused", async () => {
  const { path, signIn } = await openShop();
  const owner = await signIn("owner");
  await staff.addUser("invited@old.example");
  await staff.addUser("thief@old.example");
  const [invited, thief] = [await staff.signIn("invited@old.example"), await staff.signIn("thief@old.example")];
  const invite = async () => {
    const { id } = (await owner.post(`${path}/invitations`, { email: "invited@old.example", role: "admin" })).json;
    return { id, invitation: await staff.awaitLink("invited@old.example") };
  };
  const first = await invite();
  const accept = (browser: typeof owner, invitation: string) => browser.post("/invitations/accept", { invitation });
  assert.equal((await accept(thief, first.invitation)).json.error.reason, "invitation_for_another");
  const signUp = await staff.browser().post("/sign-up/invitation", {
    invitation: first.invitation,
    name: "Thief",
    password: PASSWORD,
  });
  assert.equal(signUp.json.error.reason, "user_already", "it sets no password of a user who exists");
  assert.equal((await owner.send("DELETE", `${path}/invitations/${first.id}`)).status, 200);
  assert.equal((await accept(invited, first.invitation)).json.error.reason, "invitation_unusable");
  const second = await invite();
  await staff.database.rows(sql`update invitations set expires_at = now() where id = ${second.id}`);
  assert.equal((await accept(invited, second.invitation)).json.error.reason, "invitation_unusable");
  const third = await invite();
  assert.equal((await accept(invited, third.invitation)).status, 200);
  assert.equal((await invited.get(path)).json.role, "admin");
});

test("§13.5.5 an invitation ends with its author's right to give that role", async () => {
  const { path, ids, signIn } = await openShop();
  const [owner, admin] = [await signIn("owner"), await signIn("admin")];
  await admin.post(`${path}/invitations`, { email: "friend@own.example", role: "admin" });
  const invitation = await staff.awaitLink("friend@own.example");
  await owner.send("DELETE", `${path}/members/${ids.admin}`);
  const answer = await staff.browser().post("/sign-up/invitation", { invitation, name: "Friend", password: PASSWORD });
  assert.equal(answer.json.error.reason, "invitation_unusable");
  assert.deepEqual(await staff.database.rows(sql`select 1 from users where email_key = 'friend@own.example'`), []);
});

test("§13.2.4 an operator sees all names, enters no business, and owns the one they add", async () => {
  const { name, path } = await openShop();
  await staff.addUser("operator@host.example", { isOperator: true });
  const operator = await staff.signIn("operator@host.example");
  const listed = (await operator.get("/operator/businesses?limit=100")).json.data;
  assert.ok(listed.some((one: { name: string }) => one.name === name));
  for (const below of ["", "/members", "/test/keys", "/audit", "/invitations"])
    assert.equal((await operator.get(`${path}${below}`)).status, 404, below);
  const added = await operator.post("/businesses", { name: "New shop" });
  assert.equal(added.status, 201);
  assert.equal((await operator.get(`/businesses/${added.json.id}`)).json.role, "owner");
});

test("§13.6 the audit log has each change of a key with its author, in pages, and no secret", async () => {
  const { path, business, signIn, name } = await openShop();
  const [owner, developer] = [await signIn("owner"), await signIn("developer")];
  assert.equal(
    (await developer.post(`${path}/test/keys`, { name: "Server", scope: "write" })).json.error.param,
    "scope",
  );
  const issued = (await developer.post(`${path}/test/keys`, { name: "Server", scope: "read" })).json;
  const rolled = (await developer.post(`${path}/test/keys/${issued.id}/roll`, { grace: "1h" })).json;
  assert.deepEqual([issued.scope, rolled.scope, rolled.name], ["read", "read", "Server"]);
  await owner.post(`${path}/test/keys/${rolled.id}/revoke`);
  const entries = [];
  let cursor = "";
  for (let pages = 0; pages < 5; pages++) {
    const { data, hasMore } = (await owner.get(`${path}/audit?limit=2${cursor}`)).json;
    entries.push(...data);
    if (!hasMore) break;
    cursor = `&starting_after=${data.at(-1).id}`;
  }
  assert.deepEqual(
    entries.map(({ action, target, actor, details }) => [action, target, actor.name, details.scope]),
    [
      ["key.revoked", rolled.id, `owner@${name}.example`, "read"],
      ["key.rolled", issued.id, `developer@${name}.example`, "read"],
      ["key.issued", issued.id, `developer@${name}.example`, "read"],
    ],
  );
  const all = JSON.stringify(await staff.database.rows(sql`select * from audit_log where business_id = ${business}`));
  for (const { secret } of [issued, rolled]) assert.ok(!all.includes(secret));
});

test("§13.6.1 a change that is refused leaves no entry, and a change whose entry fails does not happen", async () => {
  const { path, business, signIn } = await openShop();
  const owner = await signIn("owner");
  for (let count = 0; count < 5; count++) await owner.post(`${path}/test/keys`, { name: `Key ${count}` });
  assert.equal((await owner.post(`${path}/test/keys`, { name: "Sixth" })).json.error.reason, "key_limit_reached");
  assert.equal((await audit(business)).length, 5);
  const [{ id }] = (await owner.get(`${path}/test/keys`)).json.data;
  await staff.database.rows(
    sql`alter table audit_log add constraint planted check (action <> 'key.revoked') not valid`,
  );
  try {
    assert.equal((await owner.post(`${path}/test/keys/${id}/revoke`)).status, 500);
    const { data } = (await owner.get(`${path}/test/keys`)).json;
    assert.ok(data.every((one: { state: string }) => one.state === "active"));
  } finally {
    await staff.database.rows(sql`alter table audit_log drop constraint planted`);
  }
});
