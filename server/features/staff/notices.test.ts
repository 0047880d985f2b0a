import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { PASSWORD, type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import { addApp } from "./testing/app.ts";
import { addPasskey, signInByPasskey } from "./testing/passkey.ts";

let staff: StaffServer;
before(async () => {
  staff = await startStaffServer();
});
beforeEach(() => {
  staff.emails.length = 0;
});
after(() => staff?.[Symbol.asyncDispose]());

const NEW_PASSWORD = "another horse battery";

/** The subjects of the emails to an address, in order. */
async function subjectsTo(email: string): Promise<string[]> {
  await staff.sendEmails();
  return staff.emails.filter(({ to }) => to === email).map(({ subject }) => subject);
}

async function askForLink(email: string): Promise<string> {
  await staff.browser().post("/password-resets", { email });
  return staff.awaitLink(email);
}

test("§13.3.3 a link shows what an intruder left, and a new password removes it", async () => {
  const email = "robbed@shop.example";
  await staff.addUser(email);
  const intruder = await staff.signIn(email);
  const { id, authenticator } = await addPasskey(intruder, "Backup");
  const link = await askForLink(email);
  const read = await staff.browser().post("/password-resets/read", { link });
  assert.equal(read.status, 200, read.text);
  const { hasApp, passkeys, sessions } = read.json;
  assert.deepEqual([hasApp, passkeys[0].id, passkeys[0].name, sessions.length], [false, id, "Backup", 1]);
  assert.ok(!read.text.includes(intruder.cookie!.split("=")[1]!));
  assert.equal((await staff.browser().post("/password-resets/read", { link: "A".repeat(43) })).status, 409);
  const set = await staff.browser().post("/password-resets/complete", { link, password: NEW_PASSWORD });
  assert.equal(set.status, 200, set.text);
  assert.equal(await signInByPasskey(staff.browser(), authenticator), 401);
  assert.equal((await intruder.get("/account")).status, 401);
  await staff.sendEmails();
  const { text } = staff.emails.find(({ subject }) => subject === "Your password was changed")!;
  assert.match(text, /all sessions have ended, and 1 of your passkeys were removed/);
});

test("§13.3.3 passkeys that are named stay, others go; an app stays in any case", async () => {
  const email = "keeper@shop.example";
  await staff.addUser(email);
  const owner = await staff.signIn(email);
  const [own, left] = [await addPasskey(owner, "Mine"), await addPasskey(owner, "Left")];
  await addApp(owner);
  const link = await askForLink(email);
  const wrong = { link, password: NEW_PASSWORD, keepPasskeys: ["Mine"] };
  assert.equal((await staff.browser().post("/password-resets/complete", wrong)).status, 400);
  const right = { ...wrong, keepPasskeys: [own.id] };
  assert.equal((await staff.browser().post("/password-resets/complete", right)).status, 200);
  assert.equal(await signInByPasskey(staff.browser(), own.authenticator), 200);
  assert.equal(await signInByPasskey(staff.browser(), left.authenticator), 401);
  const answer = await staff.browser().post("/sign-in", { email, password: NEW_PASSWORD });
  assert.equal(answer.json.status, "second_factor");
});

test("§13.3.5 users are written to about changes of their account, without a secret, and find them listed", async () => {
  const email = "kim@shop.example";
  await staff.addUser(email);
  const kim = await staff.signIn(email);
  assert.deepEqual(await subjectsTo(email), [], "the first sign-in is expected");
  const { id } = await addPasskey(kim, "Visit https://evil.example");
  await kim.send("DELETE", `/passkeys/${id}`);
  const { backupCodes, secret } = await addApp(kim);
  await kim.post("/backup-codes");
  await kim.send("DELETE", "/authenticator-app");
  await kim.post("/account/password", { password: NEW_PASSWORD, current: PASSWORD });
  await staff.browser().post("/sign-in", { email, password: NEW_PASSWORD });
  await kim.post("/sign-in", { email, password: NEW_PASSWORD });
  assert.deepEqual(await subjectsTo(email), [
    "A passkey was added to your account",
    "A passkey was removed from your account",
    "An authenticator app was added to your account",
    "Your backup codes were replaced",
    "The authenticator app was removed from your account",
    "Your password was changed",
    "Your account was signed in to from a new browser",
  ]);
  const texts = staff.emails.map(({ text }) => text).join("\n");
  for (const hidden of [secret, backupCodes[0]!, NEW_PASSWORD, PASSWORD, "https://evil", "evil.example"])
    assert.ok(!texts.includes(hidden), hidden);
  assert.match(texts, /from the network (127\.0\.0\.1|::1)/);

  const { data } = (await kim.get("/account/history")).json;
  assert.deepEqual(
    data.map((one: { action: string }) => one.action),
    [
      "signed_in",
      "signed_in",
      "password_changed",
      "second_factor_removed",
      "backup_codes_renewed",
      "second_factor_added",
      "passkey_removed",
      "passkey_added",
      "signed_in",
    ],
  );
  assert.deepEqual(data[0].details, { method: "password", browser: "known" });
  assert.equal(data[0].actor.name, email);
});

test("§13.3.5 five emails an hour of one kind reach a user, and none of another is lost by them", async () => {
  const email = "flooded@shop.example";
  await staff.addUser(email);
  await staff.signIn(email);
  for (let count = 0; count < 8; count++) await staff.signIn(email);
  const browser = await staff.signIn(email);
  await addPasskey(browser, "Laptop");
  const subjects = await subjectsTo(email);
  assert.equal(subjects.filter((one) => one.startsWith("Your account was signed in to")).length, 5);
  assert.equal(subjects.filter((one) => one.startsWith("A passkey")).length, 1);
});

test("§13.3.5 somebody else who may have the password is one email, though the codes go on", async () => {
  const email = "exposed@shop.example";
  const id = await staff.addUser(email);
  await addApp(await staff.signIn(email));
  const thief = staff.browser();
  const { ticket } = (await thief.post("/sign-in", { email, password: PASSWORD })).json;
  await thief.post("/sign-in/code", { ticket, code: "000000" });
  await staff.database.rows(sql`update sign_in_tries set used = 30 where subject = ${`codes-of-day ${id}`}`);
  await Promise.all(Array.from({ length: 3 }, () => thief.post("/sign-in/code", { ticket, code: "000000" })));
  const subjects = await subjectsTo(email);
  assert.equal(subjects.filter((one) => one === "Someone else may know your password").length, 1);
});

test("§13.5.9 owners are written to about keys, endpoints, roles, who left and who joined; a member about their role", async () => {
  const [owner, other, third, member] = [
    await staff.addUser("owner@else.example"),
    await staff.addUser("other@else.example"),
    await staff.addUser("third@else.example"),
    await staff.addUser("member@else.example"),
  ];
  const business = await staff.addBusiness("Shop at evil.example", {
    [owner]: "owner",
    [other]: "owner",
    [third]: "owner",
    [member]: "developer",
  });
  const browser = await staff.signIn("owner@else.example");
  const path = `/businesses/${business}`;
  const key = await browser.post(`${path}/test/keys`, { name: "Shop server" });
  assert.equal(key.status, 201, key.text);
  const rolled = await browser.post(`${path}/test/keys/${key.json.id}/roll`, { grace: "24h" });
  assert.equal(rolled.status, 201, rolled.text);
  const endpoint = await browser.post(`${path}/test/endpoints`, { url: "https://shop.com/a" });
  assert.equal(endpoint.status, 201, endpoint.text);
  await browser.send("PATCH", `${path}/test/endpoints/${endpoint.json.id}`, {
    url: "https://shop.com/b",
  });
  await browser.send("PATCH", `${path}/members/${member}`, { role: "admin" });
  assert.equal((await browser.send("DELETE", `${path}/members/${third}`)).status, 200);
  await browser.post(`${path}/invitations`, { email: "joiner@else.example", role: "owner" });
  const invitation = await staff.awaitLink("joiner@else.example");
  const joined = await staff.browser().post("/sign-up/invitation", { invitation, name: "Joe", password: NEW_PASSWORD });
  assert.equal(joined.status, 200, joined.text);
  const expected = [
    "An API key was created",
    "An API key was rolled",
    "A webhook endpoint was added",
    "The URL of a webhook endpoint was changed",
    "The role of a member was changed",
    "A member was removed",
    "A member joined",
  ];
  assert.deepEqual(await subjectsTo("other@else.example"), expected);
  assert.deepEqual(await subjectsTo("owner@else.example"), expected, "a session of theirs may be another's");
  assert.deepEqual(await subjectsTo("member@else.example"), ["Your role in a business was changed"]);
  assert.ok((await subjectsTo("third@else.example")).includes("Your role in a business was changed"));
  const texts = staff.emails.map(({ text }) => text).join("\n");
  for (const hidden of [key.json.secret, endpoint.json.secret, "evil.example"])
    assert.ok(!texts.includes(hidden), hidden);
});

test("§13.15 the list of what happened is the user's own, newest first, in pages", async () => {
  await staff.addUser("pages@shop.example");
  await staff.addUser("stranger@shop.example");
  const browser = await staff.signIn("pages@shop.example");
  for (let count = 0; count < 3; count++) await staff.signIn("pages@shop.example");
  const page = (await browser.get("/account/history?limit=3")).json;
  assert.deepEqual([page.data.length, page.hasMore], [3, true]);
  const rest = (await browser.get(`/account/history?limit=3&starting_after=${page.data[2].id}`)).json;
  assert.deepEqual([rest.data.length, rest.hasMore], [1, false]);
  const stranger = await staff.signIn("stranger@shop.example");
  assert.equal((await stranger.get(`/account/history?starting_after=${page.data[0].id}`)).status, 404);
  assert.equal((await browser.get("/account/history?starting_after=nothing")).status, 404);
  assert.equal((await staff.browser().get("/account/history")).status, 401);
});

test("§13.5.6 an address gets three invitations an hour, a business sends fifty a day, and neither takes a reset's", async () => {
  const owner = await staff.addUser("owner@shop.example");
  const [one, two] = [
    await staff.addBusiness("one", { [owner]: "owner" }),
    await staff.addBusiness("two", { [owner]: "owner" }),
  ];
  const browser = await staff.signIn("owner@shop.example");
  const invite = async (business: string, email: string) => {
    const path = `/businesses/${business}/invitations`;
    const answer = await browser.post(path, { email, role: "developer" });
    await staff.sendEmails();
    if (answer.status === 201) await browser.send("DELETE", `${path}/${answer.json.id}`);
    return answer;
  };
  const victim = "victim@else.example";
  await staff.addUser(victim);
  for (const business of [one, two, one]) assert.equal((await invite(business, victim)).status, 201);
  const refused = await invite(two, victim);
  assert.equal(refused.status, 429, refused.text);
  assert.match(refused.json.error.message, /^Too many invitations to this address\. Wait \d+ minutes\.$/);
  await staff.browser().post("/password-resets", { email: victim });
  await staff.sendEmails();
  const subjects = staff.emails.filter(({ to }) => to === victim).map(({ subject }) => subject);
  assert.deepEqual(subjects.toSorted(), [...Array(3).fill("Invitation to the dashboard"), "Set a new password"]);

  await staff.database.rows(
    sql`update sign_in_tries set used = 49 where subject = ${`business-invitation ${one}`} and used = 2`,
  );
  assert.equal((await invite(one, "last@else.example")).status, 201);
  const beyond = await invite(one, "beyond@else.example");
  assert.equal(beyond.status, 429);
  assert.match(beyond.json.error.message, /^Too many invitations of this business\. Wait 24 hours\.$/);
  const rows = await staff.database.rows(sql`select 1 from invitations where email_key = 'beyond@else.example'`);
  assert.deepEqual(rows, [], "what is refused makes no invitation");
  assert.equal((await invite(two, "beyond@else.example")).status, 201);
});
