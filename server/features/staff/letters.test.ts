import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import { draftInvitationLetter, type Letter, Outbox, quoteName } from "./letters.ts";

let staff: StaffServer;
before(async () => {
  staff = await startStaffServer();
});
after(() => staff?.[Symbol.asyncDispose]());

/** An outbox whose letters leave when the test releases them. */
function aSlowOutbox() {
  const sent: string[] = [];
  const lines: string[] = [];
  const first = Promise.withResolvers<void>();
  const mailer = async ({ to }: Letter) => {
    await first.promise;
    sent.push(to);
  };
  const outbox = new Outbox(mailer, (line) => void lines.push(line));
  const add = (kind: Parameters<Outbox["add"]>[0], source: string, to: string) =>
    outbox.add(kind, source, async () => ({ to, subject: "", text: "" }));
  const send = () => {
    first.resolve();
    return outbox.drain();
  };
  return { sent, lines, add, send };
}

test("§13.3.4 a flood of invitations or of one asker drops and delays no other's reset letter", async () => {
  const { sent, lines, add, send } = aSlowOutbox();
  for (let business = 0; business < 20; business++)
    for (let count = 0; count < 30; count++) add("invitation", `business ${business}`, "flood");
  for (let count = 0; count < 30; count++) add("reset", "a flooding network", "flood");
  add("reset", "another network", "owner");
  add("notice", "a user", "user");
  await send();
  assert.ok(sent.indexOf("owner") < 8, `the owner's letter is number ${sent.indexOf("owner")}`);
  assert.ok(sent.indexOf("user") < 8);
  assert.equal(sent.length, 1 + 200 + 20 + 2, "a kind and a source have their bounds; the first letter was under way");
  assert.ok(lines.every((line) => /^A letter \((invitation|reset)\) was dropped/.test(line)));
});

test("an outbox that was empty for a while goes on", async () => {
  const { sent, add, send } = aSlowOutbox();
  for (const to of ["one", "two"]) {
    add("reset", "a network", to);
    await send();
  }
  assert.deepEqual(sent, ["one", "two"]);
});

test("§13.5.6 names in letters hold no link, close no quotation mark and are cut", () => {
  const names: readonly (readonly [name: string, quoted: string])[] = [
    ["Kim's shop", "“Kim's shop”"],
    ["Bakery Ltd. of Bern", "“Bakery Ltd. of Bern”"],
    ["confirm at evil.example/unlock", "“confirm at evil example/unlock”"],
    ["https://evil.example", "“https evil example”"],
    ["evil。example evil．example", "“evil example evil example”"],
    ['Shop". Your account is locked', "“Shop . Your account is locked”"],
    ["Pay\u200b\u202epal", "“Pay pal”"],
    ["x".repeat(60), `“${"x".repeat(40)}”`],
  ];
  for (const [name, quoted] of names) assert.equal(quoteName(name), quoted);
  const { text } = draftInvitationLetter("kim@shop.example", "www.evil.example", "Boss", "https://dash/#invitation=x");
  assert.match(text, /^A member called “Boss” invites you to the dashboard of a business called “www evil example”\./);
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
  await staff.deps.outbox.drain();
  const subjects = staff.letters.filter(({ to }) => to === victim).map(({ subject }) => subject);
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
