import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Database } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { type OpenTestDatabase, openTestDatabase } from "../../store/testing.ts";
import { testContext } from "../testing.ts";
import { emailCounts, type Finders, type NewEmail } from "./email.ts";
import { queueEmails } from "./fragments.ts";
import { purgeEmails } from "./queries.ts";
import { createEmailStep, type Mailer } from "./send.ts";

let opened: OpenTestDatabase;
let database: Database;
/** Announced topics. */
const topics: string[] = [];
before(async () => {
  opened = await openTestDatabase("", { connectionsMax: 4, onAnnounced: (all) => void topics.push(...all) });
  ({ database } = opened);
});
beforeEach(async () => {
  await database.rows(sql`delete from emails`);
  emails.length = 0;
  lines.length = 0;
  topics.length = 0;
  answer = () => 250;
});
after(() => opened?.[Symbol.asyncDispose]());

const emails: string[] = [];
const lines: string[] = [];
/** What the mail server answers to an address; it may throw. */
let answer: (to: string) => number | Promise<number> = () => 250;

const link = async ({ recipient: to }: { readonly recipient: string }) => ({ to, link: "https://link" });
const finders = { password_link: link, invitation: link } as unknown as Finders;
const stepWith = (mailer: Mailer) =>
  createEmailStep(testContext({ database, log: (line) => void lines.push(line) }), mailer, finders);
const step = () =>
  stepWith(async ({ to }) => {
    emails.push(to);
    return answer(to);
  })();
async function sendAll(): Promise<string[]> {
  emails.length = 0;
  while (await step());
  return emails;
}

const ofUser = (recipient: string): NewEmail => ({
  kind: "account_change",
  recipient,
  source: recipient,
  facts: { notice: "signed_in", network: "192.0.2.1", at: new Date() },
});
const invitation = (recipient: string, source: string): NewEmail => ({
  kind: "invitation",
  recipient,
  source,
  facts: { businessId: source, invitationId: "inv", business: "Shop", by: "Kim" },
});
const passwordLink = (recipient: string, network: string): NewEmail => ({
  kind: "password_link",
  recipient,
  source: network,
  facts: { network },
});

const waiting = () =>
  database.rows<{ recipient: string; attempts: number; minutes: number }>(sql`
    select recipient, attempts, round(extract(epoch from due_at - now()) / 60)::integer as minutes from emails order by id`);
const outage = () => Promise.reject(Object.assign(new Error("away"), { outage: "mail server" }));
const makeDue = () => database.rows(sql`update emails set due_at = now()`);

test("§13.3.4 an email is queued with its change alone, wakes its sender after the commit, and goes once it was taken", async () => {
  await assert.rejects(
    database.transaction(async (db) => {
      await queueEmails(db, [ofUser("gone@shop.example")]);
      throw new Error("undone");
    }),
  );
  assert.deepEqual([await sendAll(), topics], [[], []]);
  await database.transaction(async (db) => {
    await queueEmails(db, [ofUser("kim@shop.example")]);
    assert.deepEqual(topics, []);
  });
  assert.deepEqual(topics, ["emails"]);
  assert.deepEqual(await sendAll(), ["kim@shop.example"]);
  assert.deepEqual(await waiting(), []);
});

test("§13.3.4 an address that defers an email is tried again later, one that refuses it is not, and both hold up no other", async () => {
  await queueEmails(database, ["later@shop.example", "never@shop.example", "kim@shop.example"].map(ofUser));
  answer = (to) => (to.startsWith("later") ? 451 : to.startsWith("never") ? 550 : 250);
  assert.equal((await sendAll()).length, 3);
  assert.deepEqual(await waiting(), [{ recipient: "later@shop.example", attempts: 1, minutes: 1 }]);
  assert.deepEqual(lines, ["The mail server refused an email (account_change) for good: 550."]);
  await makeDue();
  await sendAll();
  assert.deepEqual(await waiting(), [{ recipient: "later@shop.example", attempts: 2, minutes: 2 }]);
  await database.rows(sql`update emails set due_at = now(), attempts = 29`);
  await sendAll();
  assert.deepEqual(await waiting(), []);
  assert.match(lines.at(-1)!, /was given up after 29 attempts/);
});

test("§13.3.4 a mail server that is away fails the step and loses nothing; what has expired is not sent", async () => {
  await queueEmails(database, [ofUser("kim@shop.example"), passwordLink("sam@shop.example", "192.0.2.1")]);
  answer = outage;
  for (let hours = 0; hours < 6; hours++) {
    await makeDue();
    await assert.rejects(step(), /away/);
    await assert.rejects(step(), /away/);
  }
  const soon = (await waiting()).filter(({ attempts, minutes }) => attempts === 0 && minutes <= 5);
  assert.equal(soon.length, 2, "all are due soon after an outage of hours");
  await makeDue();
  const expired = await database.rows<{ hours: number }>(sql`
    select round(extract(epoch from expires_at - now()) / 3600)::integer as hours from emails order by 1`);
  assert.deepEqual(
    expired.map(({ hours }) => hours),
    [1, 24],
  );
  await database.rows(sql`update emails set expires_at = now() where kind = 'password_link'`);
  answer = () => 250;
  assert.deepEqual(await sendAll(), ["kim@shop.example"]);
  assert.deepEqual(await waiting(), []);
});

test("§13.3.4 an email about which the server says nothing, while it takes others, is tried ever more rarely", async () => {
  const send = stepWith(({ to }) => (to.startsWith("hangs") ? outage() : Promise.resolve(250)));
  await queueEmails(database, [ofUser("hangs@shop.example")]);
  for (let tries = 0; tries < 2; tries++) {
    await makeDue();
    await assert.rejects(send(), /away/);
  }
  assert.deepEqual(await waiting(), [{ recipient: "hangs@shop.example", attempts: 0, minutes: 5 }]);
  for (const [attempts, minutes] of [
    [1, 1],
    [2, 2],
    [3, 4],
  ] as const) {
    await queueEmails(database, [ofUser(`user${attempts}@shop.example`)]);
    await makeDue();
    while (await send());
    assert.deepEqual(await waiting(), [{ recipient: "hangs@shop.example", attempts, minutes }]);
  }
  await makeDue();
  await assert.rejects(send(), /away/, "it took no other since");
});

test("§13.3.4 an email that is tried again goes behind one that was queued meanwhile", async () => {
  await queueEmails(database, [ofUser("later@shop.example")]);
  answer = () => 451;
  await sendAll();
  await queueEmails(database, [ofUser("kim@shop.example")]);
  await makeDue();
  answer = () => 250;
  assert.deepEqual(await sendAll(), ["kim@shop.example", "later@shop.example"]);
});

test("§13.3.4 parallel senders send each email once; one that died leaves its email to the others when its lease ends", async () => {
  await queueEmails(
    database,
    Array.from({ length: 12 }, (_, index) => ofUser(`user${index}@shop.example`)),
  );
  await Promise.all(Array.from({ length: 4 }, sendAll));
  assert.equal(new Set(emails).size, 12);
  assert.equal(emails.length, 12);

  await queueEmails(database, [ofUser("kim@shop.example")]);
  const [reached, frozen] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
  answer = () => {
    reached.resolve();
    return frozen.promise;
  };
  const dead = step();
  await reached.promise;
  answer = () => 451;
  assert.deepEqual(await sendAll(), [], "leased");
  await database.rows(sql`update emails set leased_until = now()`);
  assert.deepEqual(await sendAll(), ["kim@shop.example"]);
  frozen.resolve(250);
  await dead;
  assert.equal((await waiting()).length, 1, "its late result changes nothing of another's claim");
});

test("§13.3.4 a flood of invitations or of one asker drops and delays no other's email", async () => {
  const dropped = emailCounts.get("dropped")!;
  const flood = Array.from({ length: 5 }, (_, business) =>
    Array.from({ length: 120 }, () => invitation("flood@else.example", `business ${business}`)),
  ).flat();
  // Both kinds flood for no time at all, so rank alone decides.
  await database.transaction(async (db) => {
    for (const one of flood) await queueEmails(db, [one]);
    for (let count = 0; count < 110; count++)
      await queueEmails(db, [passwordLink("flood@else.example", "a flooding network")]);
    await queueEmails(db, [passwordLink("owner@shop.example", "another network"), ofUser("user@shop.example")]);
  });
  assert.equal(emailCounts.get("dropped")! - dropped, 5 * 20 + 10, "100 of a source wait");
  const sent = await sendAll();
  assert.equal(sent.length, 602);
  assert.ok(sent.indexOf("user@shop.example") < 5, `the user's is number ${sent.indexOf("user@shop.example")}`);
  assert.ok(sent.indexOf("owner@shop.example") < 50, `the owner's is number ${sent.indexOf("owner@shop.example")}`);
});

test("§13.3.4 a process without a mail server leaves emails to the others, and drops those that have expired", async () => {
  const dropped = emailCounts.get("dropped")!;
  await queueEmails(database, [ofUser("kim@shop.example"), passwordLink("sam@shop.example", "192.0.2.1")]);
  await database.rows(sql`update emails set expires_at = now() where kind = 'password_link'`);
  assert.equal(await purgeEmails(database), false);
  assert.equal(emailCounts.get("dropped")! - dropped, 1);
  assert.deepEqual(await sendAll(), ["kim@shop.example"]);
});
