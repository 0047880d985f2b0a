import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hashStaffSecret } from "../../../domain/staffSecrets.ts";
import { PASSWORD, type StaffServer, startStaffServer } from "../../../process/testing/staffServer.ts";
import { sql } from "../../../store/sql.ts";
import { commandLine } from "../../testing.ts";
import { makeOwnerLink, makeResetLink, purgeStaff } from "../actions.ts";
import { staffVerbs } from "../admin.ts";
import { PASSWORD_LINK_LIMIT } from "../tries.ts";
import { hashPassword, isPasswordOf, PASSWORD_COST } from "./password.ts";

let staff: StaffServer;
before(async () => {
  staff = await startStaffServer();
});
after(() => staff?.[Symbol.asyncDispose]());

const statusesOf = (answers: readonly { readonly status: number }[]): number[] =>
  answers.map(({ status }) => status).sort();

test("§13.1 a user signs in by password, whatever the spelling of the address, and out", async () => {
  await staff.addUser("kim@shop.example");
  const browser = staff.browser();
  assert.equal((await browser.get("/account")).status, 401);
  const answer = await browser.post("/sign-in", { email: " Kim@Shop.example ", password: PASSWORD });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.status, "signed_in");
  const [cookie] = answer.headers["set-cookie"]!;
  const attributes = "Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=604800";
  assert.match(cookie!, new RegExp(`^__Host-holdfast_session=[\\w-]{43}; ${attributes}$`));
  const account = await browser.get("/account");
  assert.equal(account.json.user.email, "kim@shop.example");
  assert.equal(account.headers["cache-control"], "no-store");
  const kept = browser.cookie;
  const out = await browser.post("/sign-out");
  assert.deepEqual([out.status, out.headers["clear-site-data"]], [200, '"cache"']);
  assert.equal(browser.cookie, null);
  browser.cookie = kept;
  assert.equal((await browser.get("/account")).status, 401);
});

test("§13.1.6 the database holds no session's secret", async () => {
  await staff.addUser("stored@shop.example");
  const { cookie } = await staff.signIn("stored@shop.example");
  const secret = cookie!.split("=")[1]!;
  const [row] = await staff.database.rows<{ hash: string; all: string }>(sql`
    select encode(s.hash, 'hex') as hash, row_to_json(s)::text as all from sessions s
    join users u on u.id = s.user_id where u.email_key = 'stored@shop.example'`);
  assert.equal(row!.hash, hashStaffSecret(secret));
  assert.ok(!row!.all.includes(secret));
});

test("§13.1.6 fixation: a sign-in takes no session that the browser came with, and ends it", async () => {
  await staff.addUser("mallory@shop.example");
  await staff.addUser("victim@shop.example");
  const mallory = await staff.signIn("mallory@shop.example");
  const planted = mallory.cookie;
  for (const cookie of [planted, `__Host-holdfast_session=${"A".repeat(43)}`]) {
    const victim = staff.browser();
    victim.cookie = cookie;
    await victim.post("/sign-in", { email: "victim@shop.example", password: PASSWORD });
    assert.notEqual(victim.cookie, cookie);
    assert.equal((await victim.get("/account")).json.user.email, "victim@shop.example");
    const attacker = staff.browser();
    attacker.cookie = cookie;
    assert.equal((await attacker.get("/account")).status, 401);
  }
});

test("§13.1.7 a cookie given twice is no session", async () => {
  await staff.addUser("twice@shop.example");
  const browser = await staff.signIn("twice@shop.example");
  browser.cookie = `${browser.cookie}; __Host-holdfast_session=${"B".repeat(43)}`;
  assert.equal((await browser.get("/account")).status, 401);
});

test("§13.1.2 an unknown address, a wrong password and no password get one answer, after the same work", async () => {
  // A third of the real cost is far above that of a request without it.
  await using costly = await startStaffServer({ passwordCost: { ...PASSWORD_COST, p: 1 } });
  await costly.addUser("known@shop.example");
  const nameless = await costly.addUser("linked@shop.example");
  await costly.database.rows(sql`update users set password = null where id = ${nameless}`);
  const ask = async (email: string) => {
    const before = process.cpuUsage();
    const { status, text, headers } = await costly
      .browser()
      .post("/sign-in", { email, password: "wrong password here" });
    const { "request-id": _, date: __, ...others } = headers;
    const { user, system } = process.cpuUsage(before);
    return { answer: { status, text, headers: others }, cpuMs: (user + system) / 1_000 };
  };
  const emails = ["known@shop.example", "linked@shop.example", "nobody@shop.example", "no address"];
  const times = new Map<string, number[]>(emails.map((email) => [email, []]));
  const answers = [];
  for (let round = 0; round < 2; round++)
    for (const email of emails) {
      const { answer, cpuMs } = await ask(email);
      answers.push(answer);
      times.get(email)!.push(cpuMs);
    }
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.equal(answers[0]!.status, 401);
  // Without the same work, the answer for an unknown address would cost a small part. CPU time is that of the process alone,
  // however busy the machine is.
  const least = [...times.values()].map((some) => Math.min(...some));
  assert.ok(Math.max(...least) < 4 * Math.min(...least), `${least}`);
});

test("§13.4.5 many accounts from one address are one address's tries, and an IPv6 network is one address", async () => {
  const from = (address: string) =>
    staff.browser().send("POST", "/sign-in/passkey/challenge", undefined, [
      ["Origin", staff.origin],
      ["X-Forwarded-For", `192.0.2.1, ${address}`],
    ]);
  await staff.database.rows(sql`
    insert into sign_in_tries (subject, window_ends_at, used) values
      ('address 198.51.100.7', now() + interval '1 minute', 299), ('address 2001:db8:0:7', now() + interval '1 minute', 299)`);
  assert.deepEqual([(await from("198.51.100.7")).status, (await from("198.51.100.7")).status], [200, 429]);
  assert.deepEqual([(await from("2001:db8::7:1:2:3:4")).status, (await from("2001:db8:0:7::9")).status], [200, 429]);
  assert.equal((await from("198.51.100.8")).status, 200);
});

test("§13.1.8 a session ends when it is idle, too old or ended elsewhere; others see nothing of it", async () => {
  const userId = await staff.addUser("sessions@shop.example");
  await staff.addUser("stranger@shop.example");
  const [here, there] = [await staff.signIn("sessions@shop.example"), await staff.signIn("sessions@shop.example")];
  const { data } = (await here.get("/sessions")).json;
  assert.equal(data.length, 2);
  const other = data.find((one: { isCurrent: boolean }) => !one.isCurrent);
  const stranger = await staff.signIn("stranger@shop.example");
  assert.equal((await stranger.send("DELETE", `/sessions/${other.id}`)).status, 404);
  assert.equal((await there.get("/account")).status, 200);
  assert.equal((await here.send("DELETE", `/sessions/${other.id}`)).status, 200);
  assert.equal((await there.get("/account")).status, 401);
  assert.equal((await here.get("/account")).status, 200);

  for (const over of [sql`last_used_at = now() - interval '12 hours 1 second'`, sql`expires_at = now()`]) {
    const browser = await staff.signIn("sessions@shop.example");
    await staff.database.rows(sql`update sessions set ${over} where user_id = ${userId}`);
    assert.equal((await browser.get("/account")).status, 401);
    assert.deepEqual((await (await staff.signIn("sessions@shop.example")).get("/sessions")).json.data.length, 1);
  }
});

test("§13.1.8 a session's use is noted, and what is over is purged", async () => {
  const userId = await staff.addUser("used@shop.example");
  const browser = await staff.signIn("used@shop.example");
  await staff.database.rows(
    sql`update sessions set last_used_at = now() - interval '2 minutes' where user_id = ${userId}`,
  );
  await browser.get("/account");
  const recent = await staff.database.row<{ recent: boolean }>(
    sql`select last_used_at > now() - interval '1 minute' as recent from sessions where user_id = ${userId}`,
  );
  assert.equal(recent!.recent, true);
  await staff.database.rows(
    sql`update sessions set expires_at = now() - interval '1 second' where user_id = ${userId}`,
  );
  assert.equal(await purgeStaff(staff.database), false);
  assert.deepEqual(await staff.database.rows(sql`select 1 from sessions where user_id = ${userId}`), []);
});

test("§13.1.9 a new password ends the other sessions, and needs a recent proof and the one before", async () => {
  await staff.addUser("changed@shop.example");
  const [here, there] = [await staff.signIn("changed@shop.example"), await staff.signIn("changed@shop.example")];
  await staff.age();
  const change = () => here.post("/account/password", { password: "another horse battery", current: PASSWORD });
  assert.equal((await change()).json.error.code, "proof_required");
  assert.equal((await here.post("/proof", { password: "wrong password here" })).status, 401);
  const before = here.cookie;
  assert.equal((await here.post("/proof", { password: PASSWORD })).status, 200);
  assert.notEqual(here.cookie, before, "a proof gives the session a new secret");
  const stolen = staff.browser();
  stolen.cookie = before;
  assert.equal((await stolen.get("/account")).status, 401);
  const proven = here.cookie;
  for (const current of [undefined, "wrong password here"]) {
    const refused = await here.post("/account/password", { password: "another horse battery", current });
    assert.equal(refused.json.error.reason, "password_wrong");
  }
  assert.equal((await change()).status, 200);
  assert.notEqual(here.cookie, proven, "a new password gives the session a new secret");
  stolen.cookie = proven;
  assert.equal((await stolen.get("/account")).status, 401);
  assert.equal((await there.get("/account")).status, 401);
  assert.equal((await here.get("/account")).status, 200);
  const old = await staff.browser().post("/sign-in", { email: "changed@shop.example", password: PASSWORD });
  assert.equal(old.status, 401);
});

test("§13.1.3 a weak password is refused; one of an older cost is raised at the next sign-in", async () => {
  const userId = await staff.addUser("cost@shop.example");
  const browser = await staff.signIn("cost@shop.example");
  for (const password of ["short", "aaaaaaaaaaaaaaaa", "Cost@shop.example!!"])
    assert.equal((await browser.post("/account/password", { password })).json.error.reason, "password_invalid");
  const cheap = await hashPassword(PASSWORD, { ln: 9, r: 8, p: 1 });
  await staff.database.rows(sql`update users set password = ${cheap} where id = ${userId}`);
  await staff.signIn("cost@shop.example");
  const row = await staff.database.row<{ password: string }>(sql`select password from users where id = ${userId}`);
  const { passwordCost } = staff.ctx;
  assert.match(row!.password, /^\$scrypt\$ln=11,r=8,p=1\$/);
  assert.equal(await isPasswordOf(row!.password, PASSWORD, passwordCost), true);
  assert.equal(await isPasswordOf(row!.password, `${PASSWORD} `, passwordCost), false);
});

test("§13.2.1 the first user is made by one of the links, once; then there are no such links", async () => {
  await using fresh = await startStaffServer();
  const cli = commandLine(
    staffVerbs(async () => "https://dash.shop.example"),
    fresh.database,
  );
  const printed = (await cli("user", "first-link")).text.split("\n")[0]!;
  const links = [await makeOwnerLink(fresh.database), new URL(printed).hash.replace("#owner=", "")];
  const signUp = (link: string | null, email: string) =>
    fresh.browser().post("/sign-up/owner", { link, email, name: "Kim", password: PASSWORD });
  assert.equal((await signUp("A".repeat(43), "kim@shop.example")).json.error.reason, "link_unusable");
  const answers = await Promise.all(
    [...links, ...links].map((link, index) => signUp(link, `kim${index}@shop.example`)),
  );
  assert.deepEqual(statusesOf(answers), [200, 409, 409, 409]);
  assert.equal(answers.find(({ status }) => status === 200)!.json.user.isOperator, true);
  assert.equal(await makeOwnerLink(fresh.database), null);
  await assert.rejects(cli("user", "first-link"), /already has a user/);
  assert.equal((await fresh.database.rows(sql`select 1 from users`)).length, 1);
});

test("§13.3 a reset by mail: one answer for every address, a link that works once, all sessions over", async () => {
  await staff.addUser("forgot@shop.example");
  const browser = await staff.signIn("forgot@shop.example");
  const ask = (email: string) => staff.browser().post("/password-resets", { email });
  const [known, unknown, none] = [
    await ask("forgot@shop.example"),
    await ask("nobody@shop.example"),
    await ask("no address"),
  ];
  assert.deepEqual([known.status, known.text], [200, unknown.text]);
  assert.deepEqual([unknown.status, unknown.text], [200, none.text]);
  await staff.sendEmails();
  const resets = () => staff.emails.filter(({ subject }) => subject === "Set a new password");
  assert.deepEqual(
    resets().map(({ to }) => to),
    ["forgot@shop.example"],
  );
  const link = /https:\/\/dash\.shop\.example\/dashboard\/password#link=([\w-]{43})/.exec(resets()[0]!.text)![1]!;
  const set = (password: string) => staff.browser().post("/password-resets/complete", { link, password });
  assert.equal((await set("short")).json.error.reason, "password_invalid", "a refusal uses no link up");
  const twice = await Promise.all([set("another horse battery"), set("another horse battery")]);
  assert.deepEqual(statusesOf(twice), [200, 409]);
  assert.ok(
    twice.every(({ headers }) => !`${headers["set-cookie"]}`.includes("holdfast_session")),
    "it signs nobody in",
  );
  assert.equal((await browser.get("/account")).status, 401);
  const signIn = (password: string) => staff.browser().post("/sign-in", { email: "forgot@shop.example", password });
  assert.deepEqual([(await signIn(PASSWORD)).status, (await signIn("another horse battery")).status], [401, 200]);

  for (let count = 0; count < PASSWORD_LINK_LIMIT.max + 2; count++) await ask("forgot@shop.example");
  await staff.sendEmails();
  assert.equal(resets().length, PASSWORD_LINK_LIMIT.max, "nobody is flooded");
});

test("§13.3 a new password or a link by the operator drops the link of an email that waits", async () => {
  const email = "waits@shop.example";
  await staff.addUser(email);
  const ask = () => staff.browser().post("/password-resets", { email });
  await ask();
  const link = await staff.awaitLink(email);
  await ask();
  const password = "another horse battery";
  assert.equal((await staff.browser().post("/password-resets/complete", { link, password })).status, 200);
  const waiting = () => staff.database.rows(sql`select from emails where kind = 'password_link'`);
  assert.deepEqual(await waiting(), []);
  await ask();
  assert.equal((await waiting()).length, 1);
  await makeResetLink(staff.database, { kind: "service" }, email, { withoutApp: false });
  assert.deepEqual(await waiting(), []);
});

test("§13.3 a link that is too old is refused", async () => {
  await staff.addUser("late@shop.example");
  await staff.browser().post("/password-resets", { email: "late@shop.example" });
  const link = await staff.awaitLink("late@shop.example");
  await staff.database.rows(sql`update one_time_secrets set expires_at = now()`);
  const answer = await staff.browser().post("/password-resets/complete", { link, password: "another horse battery" });
  assert.equal(answer.json.error.reason, "link_unusable");
});

test("§13.1.12 signing out everywhere ends all sessions at once and forgets other browsers", async () => {
  const userId = await staff.addUser("everywhere@shop.example");
  const [here, there] = [await staff.signIn("everywhere@shop.example"), await staff.signIn("everywhere@shop.example")];
  const answer = await here.post("/sign-out/everywhere");
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers["clear-site-data"], '"cache"');
  assert.equal(here.cookie, null);
  assert.equal((await there.get("/account")).status, 401);
  assert.deepEqual(await staff.database.rows(sql`select 1 from sessions where user_id = ${userId}`), []);
  assert.equal((await staff.database.rows(sql`select 1 from known_browsers where user_id = ${userId}`)).length, 1);
});
