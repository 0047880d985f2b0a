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
  staff.letters.length = 0;
});
after(() => staff?.[Symbol.asyncDispose]());

const NEW_PASSWORD = "another horse battery";

/** The subjects of the letters to an address, in order. */
async function subjectsTo(email: string): Promise<string[]> {
  await staff.deps.outbox.drain();
  return staff.letters.filter(({ to }) => to === email).map(({ subject }) => subject);
}

async function askForLink(email: string): Promise<string> {
  await staff.browser().post("/password-resets", { email });
  await staff.deps.outbox.drain();
  const letter = staff.letters.findLast(({ to, subject }) => to === email && subject === "Set a new password")!;
  return /#link=([\w-]{43})/.exec(letter.text)![1]!;
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
  const letter = staff.letters.find(({ subject }) => subject === "Your password was changed")!;
  assert.match(letter.text, /all sessions have ended, and 1 of your passkeys were removed/);
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
  const texts = staff.letters.map(({ text }) => text).join("\n");
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

test("§13.3.5 five letters an hour of one kind reach a user, and none of another is lost by them", async () => {
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

test("§13.3.5 somebody else who may have the password is one letter, though the codes go on", async () => {
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
  await staff.deps.outbox.drain();
  const invitation = /#invitation=([\w.-]+)/.exec(staff.letters.at(-1)!.text)![1]!;
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
  assert.equal((await subjectsTo("third@else.example")).at(-1), "Your role in a business was changed");
  const texts = staff.letters.map(({ text }) => text).join("\n");
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
