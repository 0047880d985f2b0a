import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Browser } from "../../../tests/harness/staffBrowser.ts";
import { eventually } from "../../../tests/harness/wait.ts";
import { type Receiver, startReceiver } from "../../../tests/harness/webhookReceiver.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import { commandLine } from "../testing.ts";
import { Connections } from "../webhooks/sending/connections.ts";
import { fetchFile } from "../webhooks/sending/fetchFile.ts";
import { createResolveTexts, type Resolve } from "../webhooks/sending/resolver.ts";
import { type NameServer, startNameServer } from "../webhooks/testing/dns.ts";
import { HOST, testAuthority } from "../webhooks/testing/worker.ts";
import { recheckDomains } from "./actions.ts";
import { domainVerbs } from "./admin.ts";
import { proofText } from "./domain.ts";

/** The staff API with a real server behind the domain, and a real DNS server for its records. */
let staff: StaffServer;
let receiver: Receiver;
let names: NameServer;
const connections = new Connections({ ca: testAuthority().ca });
/** The file at the domain. */
let file: { status: number; text: string; headers?: Record<string, string> };
/** Resolves the name. */
let resolve: Resolve;
const toReceiver: Resolve = async () => [{ address: "127.0.0.1", port: receiver.port, listed: true }];
const NOTHING = { status: 404, text: "" };

before(async () => {
  names = await startNameServer({ TXT: [] });
  receiver = await startReceiver(testAuthority().issue([HOST]), (_request, response) =>
    response.writeHead(file.status, file.headers).end(file.text),
  );
  staff = await startStaffServer({
    lookups: {
      fetchFile: (domain, path) => fetchFile({ connections, resolve, attemptMs: 20_000 }, domain, path),
      resolveTexts: createResolveTexts({ servers: [`127.0.0.1:${names.port}`], queryMs: 5_000 }),
    },
  });
});
beforeEach(async () => {
  // Another business with the same proven domain would affect the verdict.
  await staff.database.rows(sql`update businesses set domain = null`);
  await staff.database.rows(sql`delete from business_domains`);
  file = NOTHING;
  names.records = { TXT: [] };
  resolve = toReceiver;
});
after(async () => {
  connections.close();
  await staff?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
  await names?.[Symbol.asyncDispose]();
});

async function open(name: string) {
  const user = await staff.addUser(`${name}@shop.example`);
  const business = await staff.addBusiness(name, { [user]: "owner" });
  const browser = await staff.signIn(`${name}@shop.example`);
  const path = `/businesses/${business}/domain`;
  const claim = async () => (await browser.send("PUT", path, { domain: HOST })).json;
  return { user, business, browser, path, claim };
}

/** A manual check, as if the last one were long ago. */
async function look(browser: Browser, path: string) {
  await staff.database.rows(sql`update business_domains set checked_at = null`);
  const { status, json } = await browser.post(`${path}/check`);
  assert.equal(status, 200, JSON.stringify(json));
  return json;
}

/** The domain that buyers see. */
const shownOf = async (business: string) =>
  (await staff.database.row<{ domain: string | null }>(sql`select domain from businesses where id = ${business}`))!
    .domain;

const actionsOf = async (browser: Browser, business: string) =>
  (await browser.get(`/businesses/${business}/audit`)).json.data.map(
    ({ action, actor }: { action: string; actor: { name: string } }) => [action, actor.name],
  );

/** Makes every proven claim due, and runs a step of the worker's loop. */
async function recheck() {
  await staff.database.rows(sql`update business_domains set next_check_at = now() where proven_at is not null`);
  await recheckDomains(staff.ctx, staff.lookups, "quick", new AbortController().signal);
}

test("§13.12.2 a domain is proven by the line of a file, shown from then on and never before", async () => {
  const { business, browser, path, claim } = await open("by-file");
  assert.deepEqual((await browser.get(path)).json.state, "none");
  const claimed = await claim();
  assert.equal(claimed.state, "claimed");
  assert.equal(claimed.proof.fileUrl, `https://${HOST}/.well-known/holdfast-domain.txt`);
  assert.equal(claimed.proof.recordName, `_holdfast-domain.${HOST}`);
  assert.match(claimed.proof.text, /^holdfast-domain=[\w-]{43}$/);
  assert.match((await look(browser, path)).problem, /answered 404 Not Found\. TXT records of .*: there is none\./);
  for (const text of [proofText("x".repeat(43)), `<html>${claimed.proof.text}</html>`, ""]) {
    file = { status: 200, text };
    assert.match((await look(browser, path)).problem, /it has no line holdfast-domain=/);
    assert.equal(await shownOf(business), null, text);
  }
  file = { status: 200, text: `# proofs\r\nholdfast-domain=other\r\n${claimed.proof.text}\r\n` };
  const proven = await look(browser, path);
  assert.deepEqual([proven.state, proven.problem], ["proven", null]);
  assert.equal(await shownOf(business), HOST);
  assert.deepEqual((await browser.get(`/businesses/${business}/profile`)).json.domain, HOST);
  assert.deepEqual((await claim()).provenAt, proven.provenAt, "the same domain again changes nothing");

  const other = (await browser.send("PUT", path, { domain: "other-shop.com" })).json;
  assert.deepEqual(
    [other.state, await shownOf(business)],
    ["claimed", null],
    "a new claim is not proven by the old proof",
  );
  assert.notEqual(other.proof.text, claimed.proof.text);
  assert.equal((await browser.send("DELETE", path)).json.state, "none");
  const me = "by-file@shop.example";
  assert.deepEqual(await actionsOf(browser, business), [
    ["domain.removed", me],
    ["domain.claimed", me],
    ["domain.proven", me],
    ["domain.claimed", me],
  ]);
});

test("§13.12.2 a domain is proven by a TXT record, in pieces or not, though its server is away", async () => {
  const { business, browser, path, claim } = await open("by-record");
  resolve = async () => [];
  const { proof } = await claim();
  names.records = { TXT: ["v=spf1 -all", "x".repeat(300)] };
  assert.match((await look(browser, path)).problem, /has no address in DNS.*none has that text/);
  names.records = { TXT: 2 };
  assert.match((await look(browser, path)).problem, /DNS could not answer \(ESERVFAIL\)/);
  names.records = { TXT: ["v=spf1 -all", proof.text] };
  assert.equal((await look(browser, path)).state, "proven");
  assert.equal(await shownOf(business), HOST);
  assert.ok(names.asked.length > 0 && names.asked.every((asked) => asked === `TXT _holdfast-domain.${HOST}`));
});

test("§13.12.2 no file proves by a redirect, from inside, from an error, or at length", async () => {
  const { browser, path, claim } = await open("refused");
  const { proof } = await claim();
  const good = { status: 200, text: proof.text };
  const refused = async (said: RegExp) => {
    const { state, problem } = await look(browser, path);
    assert.equal(state, "claimed");
    assert.match(problem, said);
  };
  file = { ...good, status: 302, headers: { location: `https://${HOST}/elsewhere` } };
  await refused(/answered 302; redirects are not followed/);
  file = { ...good, status: 500 };
  await refused(/answered 500/);
  file = { ...good, status: 206 };
  await refused(/answered 206/);
  file = { ...good, text: `${"x".repeat(8_192)}\n${proof.text}` };
  await refused(/longer than 8192 bytes/);
  file = good;
  for (const [address, port] of [
    ["127.0.0.1", 443],
    ["169.254.169.254", 443],
    ["10.0.0.7", 443],
    ["::1", 443],
    ["8.8.8.8", 22],
  ] as const) {
    resolve = async () => [{ address, port, listed: false }];
    await refused(/is not a public address/);
  }
  resolve = toReceiver;
  const asked = receiver.received.filter(({ path }) => path !== "/.well-known/holdfast-domain.txt");
  assert.deepEqual(asked, [], "nothing but the file was asked for");
  assert.equal((await look(browser, path)).state, "proven");
});

test("§13.12.5 a person looks once in ten seconds; of many at once one looks", async () => {
  const { browser, path, claim } = await open("often");
  assert.equal((await browser.post(`${path}/check`)).json.error.reason, "domain_not_claimed");
  await claim();
  const before = receiver.received.length;
  const looks = await Promise.all([1, 2, 3, 4].map(() => browser.post(`${path}/check`)));
  assert.deepEqual(looks.map(({ status }) => status).sort(), [200, 409, 409, 409]);
  assert.equal(receiver.received.length, before + 1);
});

test("§13.13.4 another claim can be looked at at once, but a user has thirty looks in a minute", async () => {
  const { user, browser, path } = await open("restless");
  for (let looks = 1; looks <= 28; looks++) staff.ctx.countLook(user);
  const statuses: number[] = [];
  for (const domain of ["one-shop.com", "two-shop.com", "three-shop.com"]) {
    await browser.send("PUT", path, { domain });
    statuses.push((await browser.post(`${path}/check`)).status);
  }
  assert.deepEqual(statuses, [200, 200, 429]);
});

test("§13.12.4 a lost proof goes on for seven days, then it is gone, by the service and with its entry", async () => {
  const { business, browser, path, claim } = await open("lost");
  const { proof } = await claim();
  file = { status: 200, text: proof.text };
  await look(browser, path);
  file = NOTHING;
  await recheck();
  const failing = (await browser.get(path)).json;
  assert.equal(failing.state, "failing");
  assert.equal(Date.parse(failing.shownUntil) - Date.parse(failing.failingSince), 7 * 86_400_000);
  assert.equal(await shownOf(business), HOST);
  await staff.database.rows(
    sql`update business_domains set failing_since = now() - interval '6 days' where business_id = ${business}`,
  );
  file = { status: 200, text: proof.text };
  await recheck();
  assert.equal((await browser.get(path)).json.state, "proven", "found again in time");
  file = NOTHING;
  await recheck();
  await staff.database.rows(
    sql`update business_domains set failing_since = now() - interval '7 days' where business_id = ${business}`,
  );
  await recheck();
  assert.deepEqual([(await browser.get(path)).json.state, await shownOf(business)], ["claimed", null]);
  assert.deepEqual((await actionsOf(browser, business))[0], ["domain.lost", "Holdfast"]);
});

test("§13.12.4 two businesses of one owner may both prove a domain; who cannot any more loses it to who can", async () => {
  const [first, second] = [await open("first"), await open("second")];
  const proofs = [(await first.claim()).proof.text, (await second.claim()).proof.text];
  assert.notEqual(proofs[0], proofs[1]);
  file = { status: 200, text: proofs[0]! };
  await look(first.browser, first.path);
  assert.equal((await look(second.browser, second.path)).state, "claimed", "another's proof is none of one's own");
  file = { status: 200, text: proofs.join("\n") };
  await look(second.browser, second.path);
  await recheck();
  assert.deepEqual([await shownOf(first.business), await shownOf(second.business)], [HOST, HOST]);
  file = { status: 500, text: "" };
  await recheck();
  assert.deepEqual([await shownOf(first.business), await shownOf(second.business)], [HOST, HOST], "an outage");
  file = { status: 200, text: proofs[1]! };
  await recheck();
  assert.deepEqual([await shownOf(first.business), await shownOf(second.business)], [null, HOST]);
});

test("§13.12.1 developers and readers see the domain and change nothing; a claim, a look and a removal need a recent proof", async () => {
  const { business, browser, path, claim } = await open("roles");
  await claim();
  const changes = [
    ["PUT", path, { domain: "evil-shop.com" }],
    ["POST", `${path}/check`, undefined],
    ["DELETE", path, undefined],
  ] as const;
  for (const role of ["developer", "read_only"] as const) {
    const user = await staff.addUser(`${role}@roles.example`);
    await staff.database.rows(sql`
      insert into members (business_id, user_id, role, created_at) values (${business}, ${user}, ${role}, now())`);
    const member = await staff.signIn(`${role}@roles.example`);
    assert.equal((await member.get(path)).json.domain, HOST);
    for (const [method, url, body] of changes)
      assert.equal((await member.send(method, url, body)).json.error.code, "forbidden", `${role} ${method}`);
  }
  await staff.age();
  for (const [method, url, body] of changes)
    assert.equal((await browser.send(method, url, body)).json.error.code, "proof_required", method);
  assert.equal((await browser.get(path)).json.domain, HOST);
});

test("§13.12.6 who hangs waits for those that hang: the next look of anybody else is not held up", async (t) => {
  const { business, claim } = await open("answers");
  file = { status: 200, text: (await claim()).proof.text };
  const signal = new AbortController().signal;
  const due = (where = sql`true`) =>
    staff.database.rows(sql`update business_domains set next_check_at = now() - interval '1 hour' where ${where}`);
  for (let number = 0; number < 20; number++) {
    const id = await staff.addBusiness(`hangs ${number}`);
    await staff.database.rows(sql`
      insert into business_domains (business_id, domain, token, claimed_at, next_check_at)
      values (${id}, ${`hangs-${number}-shop.com`}, 'token', now(), now() - interval '2 hours')`);
  }
  let nowMs = 0;
  t.mock.method(performance, "now", () => nowMs);
  let hanging = 0;
  let release: Promise<void> = Promise.resolve();
  const lookups = {
    ...staff.lookups,
    fetchFile: async (domain: string, path: string) => {
      if (!domain.startsWith("hangs")) return staff.lookups.fetchFile(domain, path);
      hanging++;
      await release;
      nowMs += 10_000;
      return { text: null, isAnswer: false, reason: "no answer within 10 s" };
    },
  };
  while (await recheckDomains(staff.ctx, lookups, "quick", signal));
  assert.equal(hanging, 20);
  await due();
  const { promise, resolve: end } = Promise.withResolvers<void>();
  release = promise;
  const slow = recheckDomains(staff.ctx, lookups, "slow", signal);
  await eventually("eight of them hang", async () => hanging === 28);
  assert.equal(await recheckDomains(staff.ctx, lookups, "quick", signal), false);
  assert.equal(await shownOf(business), HOST, "seen though all the others hang");
  end();
  assert.equal(await slow, true);

  release = Promise.resolve();
  lookups.fetchFile = async () => ({ text: "", isAnswer: true, reason: null });
  await due(sql`domain like 'hangs%'`);
  while (await recheckDomains(staff.ctx, lookups, "slow", signal));
  const left = await staff.database.rows(sql`select from business_domains where is_slow`);
  assert.equal(left.length, 0, "who answers again is looked at with the others");
});

test("§13.12.1 a name that is no longer taken is looked up nowhere, and its proof is lost as any other", async () => {
  const { business, claim } = await open("nobodys");
  await claim();
  await staff.database.rows(sql`
    update business_domains set domain = 'shop.home.arpa', proven_at = now(), next_check_at = now() where business_id = ${business}`);
  const lookups = {
    fetchFile: () => assert.fail("a file was asked for"),
    resolveTexts: () => assert.fail("a record was asked for"),
  };
  await recheckDomains(staff.ctx, lookups, "quick", new AbortController().signal);
  const row = await staff.database.row<{ failing: boolean; problem: string }>(sql`
    select failing_since is not null as failing, problem from business_domains where business_id = ${business}`);
  assert.deepEqual(row, { failing: true, problem: "shop.home.arpa is not a public name." });
});

test("§13.12 the command line claims, shows, has looked at and removes; the database keeps what is not proven unshown", async () => {
  const { business, claim } = await open("cli");
  const { database } = staff;
  const run = async (...words: string[]) => (await commandLine(domainVerbs, database)("domain", ...words)).text;
  assert.match(await run("show", business), /has no domain/);
  await assert.rejects(run("claim", business, "co.uk"), { code: "domain_invalid" });
  await assert.rejects(run("claim", "biz_nobody", "shop.com"), { code: "business_not_found" });
  await assert.rejects(run("check", business), { code: "domain_not_claimed" });
  assert.match(await run("claim", business, HOST), /claimed\nproof +holdfast-domain=/);
  const { proof } = await claim();
  file = { status: 200, text: proof.text };
  await run("check", business);
  await recheckDomains(staff.ctx, staff.lookups, "quick", new AbortController().signal);
  assert.match(await run("show", business), /proven/);
  assert.equal(await shownOf(business), HOST);
  await run("remove", business);
  assert.equal(await shownOf(business), null);
  await assert.rejects(database.rows(sql`update businesses set domain = 'evil.com' where id = ${business}`), {
    code: "23503",
  });
  await claim();
  await assert.rejects(database.rows(sql`update businesses set domain = ${HOST} where id = ${business}`), {
    code: "23503",
  });
});
