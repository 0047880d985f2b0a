import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { Database } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import type { Intent } from "../../intents/intent.ts";
import { openWithIntents } from "./fixtures.ts";
import { findTermsByHash } from "./fragments.ts";
import {
  claimSent,
  findInFlight,
  findPayable,
  isTermsKept,
  pruneAttempts,
  saveBuilt,
  saveFindings,
  saveSent,
} from "./queries.ts";

const LEASE_MS = 10_000;
const textOf = (text: string) => ({ text, hash: createHash("sha256").update(text).digest("hex") });
const TERMS = textOf('{"v":1}');
const inMinutes = (now: Date, minutes: number) => new Date(now.getTime() + minutes * 60_000);

const built = (account: string, until: Date, terms = TERMS) => ({ account, until, terms });
const sent = (signature: string, until: Date, transaction: string | null = null) => ({
  signature,
  account: null,
  until,
  transaction,
  canLand: transaction !== null,
});
const signaturesOf = async (database: Database, intent: Intent) =>
  (await findInFlight(database, intent)).map(({ kind, account, signature }) => `${kind} ${signature ?? account}`);

test("what is in flight is what was sent, then what was built, until it cannot land any more", async () => {
  const { opened, database, now, intent, other } = await openWithIntents();
  await using _ = opened;
  assert.deepEqual(await findInFlight(database, intent), []);
  const until = inMinutes(now, 10);
  await saveBuilt(database, intent, built("account-1", until), now);
  await saveBuilt(database, intent, built("account-2", inMinutes(now, -1)), now);
  await saveSent(database, intent, sent("signature-1", until), now);
  await saveSent(database, intent, sent("signature-2", inMinutes(now, -1)), now);
  assert.deepEqual(await findInFlight(database, intent), [
    { kind: "sent", account: null, signature: "signature-1", until },
    { kind: "built", account: "account-1", signature: null, until },
  ]);
  assert.deepEqual(await findInFlight(database, other), []);
  // A second build for the same account leaves one hint, with the later time.
  await saveBuilt(database, intent, built("account-1", inMinutes(now, 11)), now);
  assert.deepEqual((await findInFlight(database, intent))[1]?.until, inMinutes(now, 11));
});

test("a holder of the link fills neither the hints of an intent nor the signatures it follows", async () => {
  const { opened, database, now, intent, other } = await openWithIntents();
  await using _ = opened;
  const until = inMinutes(now, 10);
  for (let number = 1; number <= 30; number++) {
    await saveBuilt(database, intent, built(`account-${number}`, until), now);
    assert.ok(await saveSent(database, intent, sent(`signature-${number}`, until), inMinutes(now, number / 100)));
  }
  const followed = (await findInFlight(database, intent)).flatMap(({ signature }) => signature ?? []);
  assert.equal((await findInFlight(database, intent)).length, 20);
  assert.deepEqual(
    followed,
    Array.from({ length: 10 }, (_, at) => `signature-${30 - at}`),
    "the oldest make way, so the buyer's own always finds room",
  );
  assert.ok(await saveSent(database, other, sent("signature-1", until), now), "another intent has its own");
});

test("the relay has room for many buyers of an intent, and for three transactions of one", async () => {
  const { opened, database, now, intent } = await openWithIntents();
  await using _ = opened;
  const until = inMinutes(now, 10);
  const send = (signature: string, account: string) =>
    saveSent(database, intent, { ...sent(signature, until, "AQ=="), account }, now);
  for (let number = 1; number <= 12; number++) await saveSent(database, intent, sent(`report-${number}`, until), now);
  for (let number = 1; number <= 10; number++) assert.equal(await send(`stranger-${number}`, "stranger"), number <= 3);
  for (let number = 2; number <= 25; number++)
    assert.equal(await send(`one-${number}`, `buyer-${number}`), number <= 20);
  assert.ok(await send("stranger-1", "stranger"), "a repeat needs no room");
});

test("what could not land is a report: it needs no room of the relay, and takes none", async () => {
  const { opened, database, now, intent } = await openWithIntents();
  await using _ = opened;
  const until = inMinutes(now, 10);
  const send = (signature: string, account: string, canLand: boolean) =>
    saveSent(database, intent, { ...sent(signature, until, "AQ=="), account, canLand }, now);
  for (let number = 1; number <= 20; number++) assert.ok(await send(`empty-${number}`, `stranger-${number}`, false));
  const reports = () => database.rows(sql`select id from checkout_attempts where not can_land and ended_at is null`);
  assert.equal((await reports()).length, 10);
  for (let number = 1; number <= 20; number++) assert.ok(await send(`full-${number}`, `buyer-${number}`, true));
  assert.equal((await reports()).length, 10);
  await send("empty-20", "stranger-20", true);
  assert.equal((await reports()).length, 10, "there is no room for it as more than that");
  assert.ok(await saveSent(database, intent, sent("full-1", until), now));
  const landing = await database.rows(sql`select id from checkout_attempts where can_land and ended_at is null`);
  assert.equal(landing.length, 20, "a report of it takes nothing from it");
});

test("§4.14.5 mere signatures displace no transaction that a node could not try yet", async () => {
  const { opened, database, now, intent } = await openWithIntents();
  await using _ = opened;
  const until = inMinutes(now, 10);
  await saveSent(database, intent, { ...sent("buyer", until, "AQ=="), account: "a", canLand: false }, now);
  for (let number = 1; number <= 12; number++)
    await saveSent(database, intent, sent(`flood-${number}`, until), inMinutes(now, number / 100));
  const followed = await signaturesOf(database, intent);
  assert.equal(followed.length, 10);
  assert.ok(followed.includes("sent buyer"));
});

test("each business gets its turn, however much another has under way", async () => {
  const { opened, database, now, intent, other } = await openWithIntents();
  await using _ = opened;
  const until = inMinutes(now, 10);
  for (let number = 1; number <= 6; number++)
    await saveSent(database, intent, { ...sent(`flood-${number}`, until, "AQ=="), account: `account-${number}` }, now);
  await saveSent(database, other, sent("quiet", until, "AQ=="), now);
  await database.rows(sql`update checkout_attempts set due_at = now() - interval '1 minute' where id like 'flood%'`);
  const claim = async () => (await claimSent(database, "test", 3, LEASE_MS)).map(({ signature }) => signature);
  assert.ok((await claim()).includes("quiet"));
  assert.equal((await claim()).length, 3);
  assert.equal((await claim()).length, 1);
  assert.deepEqual(await claim(), []);
});

test("terms texts are kept under their hash, each once, and found by it", async () => {
  const { opened, database, now, intent, other } = await openWithIntents();
  await using _ = opened;
  const later = textOf('{"v":1,"arbiter":"another"}');
  for (const terms of [TERMS, TERMS, later]) await saveBuilt(database, intent, built("account-1", now, terms), now);
  assert.equal(await findTermsByHash(database, TERMS.hash), TERMS.text);
  assert.equal(await findTermsByHash(database, later.hash), later.text);
  assert.equal(await findTermsByHash(database, "0".repeat(64)), null);
  assert.equal(await isTermsKept(database, intent, TERMS.hash), true);
  assert.equal(await isTermsKept(database, other, TERMS.hash), false);
  await assert.rejects(
    saveBuilt(database, intent, built("account-1", now, { ...TERMS, hash: later.hash.replace(/^./, "g") }), now),
    /checkout_terms_check/,
  );
});

test("§4.13.2 an intent's texts share the nonce of the first, and those of version 1 have none", async () => {
  const { opened, database, now, intent, other } = await openWithIntents();
  await using _ = opened;
  const nonceOf = async ({ id }: Intent) => (await findPayable(database, id))?.termsNonce;
  await saveBuilt(database, intent, built("account-1", now, TERMS), now);
  assert.equal(await nonceOf(intent), null);
  for (const [minute, nonce] of ["one", "two"].entries())
    await saveBuilt(database, intent, built("a", now, textOf(`{"nonce":"${nonce}","v":2}`)), inMinutes(now, minute));
  assert.deepEqual([await nonceOf(intent), await nonceOf(other)], ["one", null]);
});

test("a claim leases what is due to one worker; what a killed one had is due again after the lease", async () => {
  const { opened, database, now, intent } = await openWithIntents();
  await using _ = opened;
  const until = inMinutes(now, 10);
  for (const number of [1, 2, 3])
    await saveSent(
      database,
      intent,
      { ...sent(`signature-${number}`, until, "AQ=="), account: `account-${number}` },
      now,
    );
  const claims = await Promise.all([1, 2].map(() => claimSent(database, "test", 10, LEASE_MS)));
  // Two claims at once: the second may find all rows locked, and repeats.
  claims.push(await claimSent(database, "test", 10, LEASE_MS));
  assert.deepEqual(
    claims
      .flat()
      .map(({ signature }) => signature)
      .sort(),
    ["signature-1", "signature-2", "signature-3"],
  );
  assert.deepEqual(await claimSent(database, "test", 10, LEASE_MS), []);
  assert.deepEqual(await claimSent(database, "live", 10, LEASE_MS), []);
  await database.rows(sql`update checkout_attempts set due_at = now() where id = 'signature-2'`);
  assert.deepEqual(await claimSent(database, "test", 10, LEASE_MS), [
    {
      businessId: intent.businessId,
      intentId: intent.id,
      signature: "signature-2",
      transaction: "AQ==",
      canLand: true,
      isOver: false,
      isStale: false,
      isPayable: true,
    },
  ]);
});

test("a claim says when an attempt is over, and when its intent takes no payment any more", async () => {
  const { opened, database, now, intent } = await openWithIntents();
  await using _ = opened;
  await saveSent(database, intent, sent("signature-1", inMinutes(now, -1)), now);
  await database.rows(sql`update intents set status = 'canceled', holds_reference = false, canceled_at = now()`);
  const [claimed] = await claimSent(database, "test", 10, LEASE_MS);
  assert.deepEqual([claimed?.isOver, claimed?.isPayable], [true, false]);
});

test("what ended is in flight no more; what landed stays so until it is recorded", async () => {
  const { opened, database, now, intent } = await openWithIntents();
  await using _ = opened;
  const findings = ["waiting", "landed", "recorded", "failed", "expired", "given_up"] as const;
  for (const finding of findings) await saveSent(database, intent, sent(finding, inMinutes(now, 0.5)), now);
  const all = findings.map((finding) => ({ ...intent, intentId: intent.id, signature: finding, finding }));
  await saveFindings(database, "test", all);
  assert.deepEqual((await signaturesOf(database, intent)).sort(), ["sent landed", "sent waiting"]);
  const [landed] = (await findInFlight(database, intent)).filter(({ signature }) => signature === "landed");
  assert.ok(landed!.until > inMinutes(now, 0.9));
  const ended = await database.rows(sql`
    select id, failure from checkout_attempts where ended_at is not null order by id`);
  assert.deepEqual(ended, [
    { id: "expired", failure: "expired" },
    { id: "failed", failure: "failed" },
    { id: "given_up", failure: null },
    { id: "recorded", failure: null },
  ]);
  assert.equal((await claimSent(database, "test", 10, LEASE_MS)).length, 0, "the others are looked at later");
  assert.ok(await saveSent(database, intent, sent("failed", inMinutes(now, 9)), now));
  assert.equal((await signaturesOf(database, intent)).length, 2, "a repeat does not bring back what ended");
});

test("what landed and cannot be recorded is followed for a quarter of an hour, not for ever", async () => {
  const { opened, database, now, intent } = await openWithIntents();
  await using _ = opened;
  await saveSent(database, intent, sent("odd", inMinutes(now, -10)), inMinutes(now, -14.5));
  const look = async () => {
    await database.rows(sql`update checkout_attempts set due_at = now()`);
    const [claimed] = await claimSent(database, "test", 10, LEASE_MS);
    await saveFindings(database, "test", [{ ...claimed!, finding: "landed" }]);
    return claimed!.isStale;
  };
  assert.equal(await look(), false);
  const [followed] = await findInFlight(database, intent);
  assert.ok(followed!.until.getTime() <= inMinutes(now, 0.5).getTime() + 1_000, "until its quarter of an hour ends");
  await database.rows(sql`update checkout_attempts set created_at = created_at - interval '1 minute', until = now()`);
  assert.equal(await look(), true);
  assert.deepEqual(await findInFlight(database, intent), []);
});

test("attempts are deleted a day after their end, so many at a time", async () => {
  const { opened, database, now, intent } = await openWithIntents();
  await using _ = opened;
  for (const [signature, minutes] of [
    ["old-1", -1_500],
    ["old-2", -1_441],
    ["young", -1_439],
  ] as const)
    await saveSent(database, intent, sent(signature, inMinutes(now, minutes)), now);
  assert.equal(await pruneAttempts(database, "test", 1), 1);
  assert.equal(await pruneAttempts(database, "test", 10), 1);
  assert.equal(await pruneAttempts(database, "test", 10), 0);
  assert.deepEqual(await database.rows(sql`select id from checkout_attempts`), [{ id: "young" }]);
});

test("a checkout link leads to its intent with the profile of its business", async () => {
  const { opened, database, intent } = await openWithIntents();
  await using _ = opened;
  const view = await findPayable(database, intent.id);
  assert.deepEqual(view?.intent, intent);
  assert.equal(view?.profile.name, "Shop");
  assert.equal(await findPayable(database, intent.id.replace(/.$/, "g")), null);
});
