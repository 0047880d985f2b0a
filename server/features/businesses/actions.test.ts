import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { aPng } from "../../lib/pictures/testing/pictures.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { insertKey } from "../keys/queries.ts";
import { commandLine } from "../testing.ts";
import { addBusiness, setProfile } from "./actions.ts";
import { businessVerbs } from "./admin.ts";
import type { ProfileChanges } from "./business.ts";
import { findBusinessProfile, lockBusinessProfile, updateProfile } from "./queries.ts";

const withCode = (code: string) => ({ name: "ActionError", code });
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("§2.3.1 a change sets what it names, null takes away, and what is not named stays", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const { id } = await addBusiness(database, { kind: "service" }, "Corner shop");
  const other = await addBusiness(database, { kind: "service" }, "Other shop");
  const before = await findBusinessProfile(database, other.id);
  const policy = "Rückgabe: 30 days.\n";
  const whole = await setProfile(database, { kind: "service" }, id, {
    supportContact: "help@shop.example",
    refundPolicy: policy,
    returnUrl: "https://shop.example/{intentId}",
    intentLifetimeMinutes: 90,
  });
  assert.deepEqual(whole, {
    id,
    name: "Corner shop",
    domain: null,
    supportContact: "help@shop.example",
    refundPolicy: policy,
    refundPolicyHash: sha256(policy),
    returnUrl: "https://shop.example/{intentId}",
    intentLifetimeMinutes: 90,
    reportingCurrency: null,
    timeZone: null,
    locale: null,
    color: null,
    logo: null,
    emailName: null,
    emailLine: null,
    emailReplyTo: null,
  });
  assert.deepEqual(await setProfile(database, { kind: "service" }, id, { name: "Shop" }), { ...whole, name: "Shop" });
  const bare = {
    ...whole,
    name: "Shop",
    supportContact: null,
    refundPolicy: null,
    refundPolicyHash: null,
    returnUrl: null,
    intentLifetimeMinutes: null,
  };
  const taken = { supportContact: null, refundPolicy: null, returnUrl: null, intentLifetimeMinutes: null };
  assert.deepEqual(await setProfile(database, { kind: "service" }, id, taken), bare);
  assert.deepEqual(await setProfile(database, { kind: "service" }, id, { refundPolicy: policy }), {
    ...bare,
    refundPolicy: policy,
    refundPolicyHash: sha256(policy),
  });
  assert.deepEqual(await findBusinessProfile(database, other.id), before, "another business is as before");
});

test("§2.3.1 a change that waits for another keeps the refund policy which that one sets", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const { id } = await addBusiness(database, { kind: "service" }, "Corner shop");
  const isWaiting = async (db: Db) =>
    (await db.row(sql`
      select l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where not l.granted and a.datname = current_database()`)) !== null;
  let waiting: Promise<unknown> | null = null;
  await database.transaction(async (db) => {
    const before = await lockBusinessProfile(db, id);
    await updateProfile(db, { ...before!, refundPolicy: "30 days." }, undefined);
    waiting = setProfile(database, { kind: "service" }, id, { supportContact: "help@shop.example" });
    while (!(await isWaiting(db))) await sleep(10);
  });
  await waiting;
  const { refundPolicy, refundPolicyHash, supportContact } = (await findBusinessProfile(database, id))!;
  assert.deepEqual(
    { refundPolicy, refundPolicyHash, supportContact },
    { refundPolicy: "30 days.", refundPolicyHash: sha256("30 days."), supportContact: "help@shop.example" },
  );
});

test("§13.6.1 a change has an entry that says what became of each field; what changes nothing has none", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const { id } = await addBusiness(database, { kind: "service" }, "Shop");
  const change = (changes: ProfileChanges) => setProfile(database, { kind: "service" }, id, changes);
  await change({});
  await change({ name: "Shop", supportContact: null, intentLifetimeMinutes: null });
  await change({ name: "Corner shop", supportContact: "help@shop.example", refundPolicy: "30 days." });
  await change({ name: "Corner shop", supportContact: "help@shop.example", refundPolicy: "30 days." });
  await change({ name: "Corner shop", refundPolicy: null, intentLifetimeMinutes: 15 });
  const entries = await database.rows<{ details: string }>(
    sql`select details from audit_log where business_id = ${id} and action = 'business.changed' order by id`,
  );
  assert.deepEqual(
    entries.map(({ details }) => JSON.parse(details)),
    [
      { name: "Corner shop", supportContact: "help@shop.example", refundPolicyHash: sha256("30 days.") },
      { intentLifetimeMinutes: 15, refundPolicyHash: null },
    ],
  );
});

test("§2.3.2 a policy is kept under its hash after another has replaced it", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const { id } = await addBusiness(database, { kind: "service" }, "Shop");
  for (const refundPolicy of ["first", "second", "first", "third"])
    await setProfile(database, { kind: "service" }, id, { refundPolicy });
  const kept = await database.rows<{ hash: string; body: string }>(
    sql`select hash, body from refund_policies where business_id = ${id} order by created_at`,
  );
  assert.deepEqual(
    kept,
    ["first", "second", "third"].map((body) => ({ hash: sha256(body), body })),
  );
});

test("§2.3 a wrong value is refused by name, and nothing has changed", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const { id } = await addBusiness(database, { kind: "service" }, "Shop");
  const before = await findBusinessProfile(database, id);
  const good = { name: "New name", refundPolicy: "New policy" };
  for (const [changes, code] of [
    [{ name: "" }, "business_name_invalid"],
    [{ name: " x" }, "business_name_invalid"],
    [{ supportContact: "" }, "support_contact_invalid"],
    [{ refundPolicy: "" }, "refund_policy_invalid"],
    [{ returnUrl: "http://shop.example" }, "return_url_invalid"],
    [{ returnUrl: "" }, "return_url_invalid"],
    [{ intentLifetimeMinutes: 14 }, "intent_lifetime_invalid"],
    [{ intentLifetimeMinutes: 10_081 }, "intent_lifetime_invalid"],
    [{ intentLifetimeMinutes: 15.5 }, "intent_lifetime_invalid"],
    [{ reportingCurrency: "eur" }, "reporting_currency_invalid"],
    [{ timeZone: "Mars/Base" }, "time_zone_invalid"],
    [{ locale: "not_a_tag" }, "locale_invalid"],
    [{ color: "#808080" }, "color_invalid"],
  ] as const)
    await assert.rejects(setProfile(database, { kind: "service" }, id, { ...good, ...changes }), withCode(code));
  assert.deepEqual(await findBusinessProfile(database, id), before);
  await assert.rejects(setProfile(database, { kind: "service" }, "biz_nobody", good), withCode("business_not_found"));
  assert.deepEqual(await database.rows(sql`select from refund_policies`), []);
});

test("business list pages through all businesses with their active keys; show and rename name one", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const cli = commandLine(businessVerbs, database);
  const run = (word: string, ...words: readonly string[]) => cli("business", word, ...words);
  assert.deepEqual((await run("list")).text, "No businesses.");
  const ids: string[] = [];
  for (let number = 0; number < 101; number++)
    ids.push((await addBusiness(database, { kind: "service" }, `Shop ${number}`)).id);
  await insertKey(database, ids[0]!, "test");
  const first = (await run("list")).result as { data: { id: string; activeKeys: number }[]; hasMore: boolean };
  assert.deepEqual(
    [first.data.length, first.hasMore, first.data[0]?.activeKeys, first.data[1]?.activeKeys],
    [100, true, 1, 0],
  );
  const rest = (await run("list", "--after", first.data.at(-1)!.id)).result as typeof first;
  assert.equal(rest.hasMore, false);
  assert.deepEqual(
    [...first.data, ...rest.data].map(({ id }) => id),
    ids.toSorted(),
  );

  await run("rename", ids[3]!, "New name");
  assert.match((await run("show", ids[3]!)).text, /New name\ndomain +none/);
  assert.match((await run("show", ids[3]!)).text, /recipients +any$/);
  await database.rows(sql`
    insert into saved_recipients_only (business_id, environment, since) values (${ids[3]!}, 'live', now())`);
  assert.match((await run("show", ids[3]!)).text, /recipients +live: saved only$/);
  await assert.rejects(run("rename", ids[3]!, ""), withCode("business_name_invalid"));
  await assert.rejects(run("show", "biz_nobody"), withCode("business_not_found"));
  await assert.rejects(run("rename", "biz_nobody", "x"), withCode("business_not_found"));
});

test("§2.3.6 a name from before a rule stays until it is changed, and the command lists it; only the proven domain is a name", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const service = { kind: "service" } as const;
  const [{ id: old }, { id: own }] = [
    await addBusiness(database, service, "Old"),
    await addBusiness(database, service, "Own"),
  ];
  await database.rows(sql`update businesses set name = 'Pay' || chr(8203) || 'Pal' where id = ${old}`);
  await database.rows(sql`
    insert into business_domains (business_id, domain, token, claimed_at, proven_at) values (${own}, 'own-shop.com', 't', now(), now())`);
  await database.rows(sql`update businesses set domain = 'own-shop.com' where id = ${own}`);
  const names = async () => {
    const { result } = await commandLine(businessVerbs, database)("business", "names");
    return (result as { data: { id: string; problem: string }[] }).data;
  };
  assert.deepEqual(
    (await names()).map(({ id, problem }) => [id, /invisible characters/.test(problem)]),
    [[old, true]],
  );
  await setProfile(database, service, old, { name: "Pay\u200bPal", refundPolicy: "30 days." });
  await setProfile(database, service, own, { name: "Own-Shop.com" });
  await assert.rejects(setProfile(database, service, old, { name: "own-shop.com" }), withCode("business_name_invalid"));
  assert.equal((await names()).length, 1);
  await setProfile(database, service, old, { name: "Pal" });
  assert.deepEqual(await names(), []);
});

test("business set reads the policy of a file, takes fields away, and names a file it cannot read", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const { id } = await addBusiness(database, { kind: "service" }, "Shop");
  const run = commandLine(businessVerbs, database);
  const folder = await mkdtemp(join(tmpdir(), "holdfast-policy-"));
  try {
    const [file, binary] = [join(folder, "policy.txt"), join(folder, "policy.pdf")];
    await writeFile(file, "30 days.");
    await writeFile(binary, Buffer.from([0x25, 0xff, 0xfe]));
    const set = (options: Record<string, string>) =>
      run("business", "set", id, ...Object.entries(options).map(([name, value]) => `--${name}=${value}`));
    const { result, text } = await set({ "refund-policy-file": file, support: "https://shop.example/help" });
    assert.deepEqual(result, { object: "business_profile", ...(await findBusinessProfile(database, id)) });
    assert.match(text, new RegExp(`SHA-256 ${sha256("30 days.")}`));
    await assert.rejects(set({ "refund-policy-file": join(folder, "missing") }), /missing cannot be read \(ENOENT\)/);
    await assert.rejects(set({ "refund-policy-file": binary }), /not UTF-8 text/);
    await assert.rejects(set({ "logo-file": file }), /must be a PNG, JPEG or WebP/);
    await writeFile(binary, aPng());
    assert.match(
      (await set({ "logo-file": binary, color: "#5B3A8C" })).text,
      /colour +#5b3a8c\nlogo +SHA-256 [0-9a-f]{64}$/,
    );
    assert.match((await set({ "logo-file": "", color: "" })).text, /colour +none\nlogo +none$/);
    for (const wrong of ["1 hour", "015", "+60"])
      await assert.rejects(
        set({ "intent-lifetime": wrong }),
        /--intent-lifetime takes a whole number of minutes from 15/,
        wrong,
      );
    assert.match((await set({ "intent-lifetime": "60" })).text, /time to pay +60 minutes/);
    await set({ "refund-policy-file": "", support: "", "intent-lifetime": "" });
    const { refundPolicy, supportContact, intentLifetimeMinutes } = (await findBusinessProfile(database, id))!;
    assert.deepEqual([refundPolicy, supportContact, intentLifetimeMinutes], [null, null, null]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
