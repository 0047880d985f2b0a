import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Browser } from "../../../../tests/harness/staffBrowser.ts";
import { ROLES, type Role } from "../../../domain/roles.ts";
import { type StaffServer, startStaffServer } from "../../../process/testing/staffServer.ts";
import { piece, sql } from "../../../store/sql.ts";
import { FILL_DAYS } from "../../overview/testing.ts";
import { setDeploymentRoles } from "../../staff/actions.ts";
import { commandLine } from "../../testing.ts";
import { acceptOffer, askArbiter, sendStatement } from "../actions.ts";
import type { Dispute } from "../dispute.ts";
import { erase } from "../erasure/actions.ts";
import { actNow, insertDispute, insertFile, offerOfBuyer, ruleNow } from "../testing.ts";
import { DAY_MS } from "../waits.ts";
import { deskVerbs } from "./admin.ts";
import { saveOwnArbiter } from "./queries.ts";
import { warnArbiters } from "./warnings.ts";

let staff: StaffServer;
let business: string;
let jo: Browser;
let mara: Browser;
const ids: Record<string, string> = {};
before(async () => {
  staff = await startStaffServer();
  for (const name of ["owner", "jo", "mara", "gone"]) ids[name] = await staff.addUser(`${name}@shop.example`);
  business = await staff.addBusiness("shop", { [ids.owner!]: "owner" });
  await makeArbiters("jo", "mara");
  [jo, mara] = [await staff.signIn("jo@shop.example"), await staff.signIn("mara@shop.example")];
});
after(() => staff?.[Symbol.asyncDispose]());

const makeArbiters = (...names: string[]) =>
  staff.database.rows(
    sql`update users set is_arbiter = true where id = any(${names.map((name) => ids[name]!)}::text[])`,
  );
const tenant = () => ({ businessId: business, environment: "test" }) as const;
const newDispute = async (agoMs = 1_000, businessId = business): Promise<Dispute> => {
  const dispute = await insertDispute(staff.database, { ...tenant(), businessId }, agoMs);
  if (agoMs > 14 * DAY_MS) return actNow(staff.database, dispute, () => ({ happening: { kind: "clock" } }));
  for (const side of ["buyer", "merchant"] as const) await actNow(staff.database, dispute, askArbiter(side));
  return dispute;
};
const pathOf = ({ id }: Dispute) => `/desk/disputes/${id}`;
const run = (...words: readonly string[]) => commandLine(deskVerbs, staff.database)(...words);
const rowOf = async (browser: Browser, { id }: Dispute, query = "limit=100") =>
  (await browser.get(`/desk/disputes?${query}`)).json.data.find((row: { id: string }) => row.id === id) ?? null;

test("§13.22.1 the desk is there for arbiters alone: every route answers 404 to all others, owners and operators too", async () => {
  const dispute = await newDispute();
  await staff.addUser("op@shop.example", { isOperator: true });
  const others = ["owner@shop.example", "op@shop.example", ...ROLES.map((role) => `${role}@matrix.example`)];
  const members: Record<string, Role> = {};
  for (const role of ROLES) members[await staff.addUser(`${role}@matrix.example`)] = role;
  await staff.addBusiness("matrix", members);
  const ids: Record<string, string> = { dispute: dispute.id, file: "df_x", decision: "dd_x" };
  // A new route is here by being declared.
  const routes = staff.routes
    .filter(({ path }) => path.startsWith("/desk/"))
    .map(({ method, path, docs }) => {
      const body = docs?.body?.example;
      return [method, path.replaceAll(/:(\w+)/g, (_, id: string) => ids[id]!), body] as const;
    });
  assert.ok(routes.length >= 11, "all routes were found");
  for (const email of others) {
    const browser = await staff.signIn(email);
    for (const [method, path, body] of routes) {
      assert.equal((await browser.send(method, path, body)).status, 404, `${email} ${path}`);
      assert.equal((await staff.browser().send(method, path, body)).status, 401, path);
    }
  }
  for (const [method, path] of routes.filter(([method, path]) => method === "GET" && !path.includes("/files/")))
    assert.equal((await jo.send(method, path)).status, 200, path);
});

test("§13.22.2 the queue: disputes to decide by their dates, then those that still talk; pages, filters and warnings", async () => {
  const talking = await insertDispute(staff.database, tenant());
  const [late, early] = [await newDispute(), await newDispute()];
  // An old dispute: its decision is overdue, and the lapse is six days away.
  const old = await newDispute(84 * DAY_MS);
  await staff.database.rows(sql`
    update disputes set deciding_at = now() - interval '20 days', decide_by = now() + interval '2 days' where id = ${early.id}`);
  const { data } = (await jo.get("/desk/disputes?limit=100")).json;
  const order = data.map(({ id }: { id: string }) => id);
  assert.deepEqual(
    [old, early, late, talking].map(({ id }) => order.indexOf(id)),
    [old, early, late, talking].map(({ id }) => order.indexOf(id)).toSorted((one, other) => one - other),
  );
  const warnings = [old, early, late].map(({ id }) => data.find((row: { id: string }) => row.id === id).warning);
  assert.deepEqual(warnings, ["resolve_7", "due_soon", "none"]);
  const row = data.find(({ id }: { id: string }) => id === late.id);
  assert.deepEqual(
    [row.business, row.total, row.heldBy, row.conflict],
    [{ id: business, name: "shop" }, late.amount, null, null],
  );
  const paged: string[] = [];
  for (let pages = 0; pages <= order.length; pages++) {
    const cursor = paged.length === 0 ? "" : `&starting_after=${paged.at(-1)}`;
    const page = (await jo.get(`/desk/disputes?limit=1${cursor}`)).json;
    paged.push(...page.data.map(({ id }: { id: string }) => id));
    if (!page.hasMore) break;
  }
  assert.deepEqual(paged, order, "pages go on where they ended");
  assert.equal(await rowOf(jo, talking, "status=deciding&limit=100"), null);
  assert.equal(await rowOf(jo, talking, "environment=live&limit=100"), null);
  const soon = new Date(Date.now() + 3 * DAY_MS).toISOString();
  assert.ok(await rowOf(jo, early, `due_before=${soon}&limit=100`));
  assert.equal(await rowOf(jo, late, `due_before=${soon}&limit=100`), null);
  assert.equal((await jo.get("/desk/disputes?starting_after=none")).status, 404);
});

test("§13.22.3 a dispute shows what both sides wrote, facts and counts, and keeps the counts from both sides", async () => {
  const dispute = await insertDispute(staff.database, tenant());
  const by = { author: "usr_1", authorKind: "user" } as const;
  await actNow(staff.database, dispute, sendStatement("merchant", by, "We sent it."));
  const { json } = await jo.get(pathOf(dispute));
  assert.deepEqual(
    [json.statements[0].text, json.facts.amount, json.business.id, json.ownArbiter, json.usualOutcome, json.warning],
    ["We sent it.", dispute.amount, business, false, null, "none"],
  );
  assert.ok(json.history.merchant.disputes >= 1);
  assert.equal(json.history.buyer.disputes, 1);
  const owner = await staff.signIn("owner@shop.example");
  const seen = (await owner.get(`/businesses/${business}/test/disputes/${dispute.id}`)).json;
  assert.deepEqual([seen.history, seen.facts, seen.heldBy], [undefined, undefined, undefined]);
  assert.equal((await jo.get(`/desk/disputes/dp_test_${"f".repeat(36)}`)).status, 404);
});

/** Both sides agreed on a total, and the arbiter ruled exactly that. */
async function ruleAsAgreed(businessId: string, total: string): Promise<Dispute> {
  const dispute = await insertDispute(staff.database, { ...tenant(), businessId });
  const offer = await offerOfBuyer(staff.database, dispute, total);
  const agreed = await actNow(staff.database, dispute, acceptOffer("merchant", offer, "usr_1"));
  await ruleNow(staff.database, agreed, { total, memo: "record", reasons: null });
  return agreed;
}

test("§13.22.3 a refund is what the business gave back by itself or by agreement, and a ruling as agreed is against nobody", async () => {
  const shop = await staff.addBusiness("counted");
  const end = async (outcome: string, total: string) =>
    staff.database.rows(sql`
      update payments set outcome = ${outcome}, refund_total = ${total} where address = ${(await newDispute(1_000, shop)).payment}`);
  await end("refunded_by_recipient", "3");
  await end("refunded_unresolved", "3");
  const decide = async (total: string) =>
    ruleNow(staff.database, await newDispute(1_000, shop), { total, memo: "record", reasons: "So." });
  const { disputeId: raised } = await decide("0");
  for (const total of ["3", "0"]) await decide(total);
  for (const total of ["3", "0"]) await ruleAsAgreed(shop, total);
  await staff.database.rows(sql`
    update payments p set refund_total = 3 from disputes d where d.payment_address = p.address and d.id = ${raised}`);
  const open = await newDispute(1_000, shop);
  await staff.database.rows(sql`
    update payments set amount_refunded = refund_total, refunded_at = case when refund_total > 0 then now() end,
      sender = (select sender from payments where address = ${open.payment})
    where business_id = ${shop}`);
  await staff.database.rows(sql`${piece(FILL_DAYS)}`);
  assert.deepEqual((await jo.get(pathOf(open))).json.history, {
    merchant: { payments: 8, disputes: 8, decidedAgainst: 1, refunds: 3 },
    buyer: { payments: 8, disputes: 8, decidedAgainst: 2 },
  });
});

test("§13.22.3 an arbiter reads of an agreement that failed: of what, since when, and until when it held", async () => {
  const dispute = await insertDispute(staff.database, tenant());
  const offer = await offerOfBuyer(staff.database, dispute, "1");
  await actNow(staff.database, dispute, acceptOffer("merchant", offer, "usr_1"));
  const held = (await jo.get(pathOf(dispute))).json;
  assert.equal(held.failedAgreement, null, "while it holds");
  assert.equal((await rowOf(jo, dispute)).agreedUntil, held.agreement.until, "the queue names its end");
  await staff.database.rows(sql`
    update dispute_agreements set failed_at = agreed_at + interval '7 days' where dispute_id = ${dispute.id}`);
  await staff.database.rows(sql`
    update disputes set status = 'deciding', turn = 'arbiter', deciding_at = now(), decide_by = opened_at + interval '5 days'
    where id = ${dispute.id}`);
  const { agreement, failedAgreement } = (await jo.get(pathOf(dispute))).json;
  const { total, agreedAt, failedAt } = failedAgreement;
  assert.deepEqual([agreement, total, Date.parse(failedAt) - Date.parse(agreedAt)], [null, "1", 7 * DAY_MS]);
  assert.equal((await rowOf(jo, dispute)).agreedUntil, null);
});

test("§13.22.3 the address of a file in a dispute leads an arbiter to its bytes, as an attachment, and nobody else", async () => {
  const [dispute, other] = [await newDispute(), await insertDispute(staff.database, tenant())];
  const id = await insertFile(staff.database, other, Buffer.from("An empty parcel.\n"));
  const [file] = (await jo.get(pathOf(other))).json.files;
  const path = `${pathOf(other)}/files/${id}`;
  assert.equal(file.url, `/staff/v1${path}`);
  const answer = await jo.get(path);
  assert.deepEqual([answer.status, answer.text], [200, "An empty parcel.\n"]);
  assert.match(String(answer.headers["content-disposition"]), /^attachment; /);
  assert.equal(answer.headers["content-security-policy"], "sandbox; default-src 'none'");
  assert.equal((await jo.get(`${pathOf(dispute)}/files/${id}`)).status, 404, "a file of another dispute");
  const owner = await staff.signIn("owner@shop.example");
  assert.equal((await owner.get(path)).status, 404);
  assert.equal((await staff.browser().get(path)).status, 401);
});

test("§13.22.2 a dispute that is refunded on day 90, since nobody decided, leaves the queue", async () => {
  const dispute = await newDispute(90 * DAY_MS);
  await jo.post(`${pathOf(dispute)}/claim`);
  assert.equal((await rowOf(jo, dispute)).warning, "lapsed");
  const holdsOf = async () =>
    (await mara.get("/desk/arbiters")).json.data.find((one: { id: string }) => one.id === ids.jo).holds;
  const held = await holdsOf();
  const ended = { kind: "outcome_bound", outcome: "refunded_unresolved", at: new Date() } as const;
  await actNow(staff.database, dispute, () => ({ happening: ended }));
  for (const query of ["limit=100", "held=me&limit=100", "status=deciding&limit=100"])
    assert.equal(await rowOf(jo, dispute, query), null, query);
  const row = await rowOf(jo, dispute, "status=closed&limit=100");
  assert.deepEqual([row.status, row.warning], ["closed", "none"]);
  assert.equal(await holdsOf(), held - 1, "it no longer counts among those that are held");
  const late = await jo.post(`${pathOf(dispute)}/questions`, { text: "When?" });
  assert.deepEqual([late.status, late.json.error.reason], [409, "closed"]);
});

test("§13.22.4 of two arbiters who claim a dispute at once one holds it, and hands it over", async () => {
  const dispute = await newDispute();
  const claim = (browser: Browser) => browser.post(`${pathOf(dispute)}/claim`);
  const answers = await Promise.all([claim(jo), claim(mara), claim(jo), claim(mara)]);
  const won = answers.filter(({ status }) => status === 200);
  const holders = new Set(won.map(({ json }) => json.heldBy.id));
  assert.equal(holders.size, 1, "one holder");
  for (const { status, json } of answers)
    if (status !== 200) assert.deepEqual([status, json.error.reason], [409, "held_by_other"]);
  const [holder, other] = holders.has(ids.jo!) ? [jo, mara] : [mara, jo];
  const otherId = holders.has(ids.jo!) ? ids.mara : ids.jo;
  assert.equal((await claim(holder)).status, 200, "claiming it again changes nothing");
  assert.ok(await rowOf(holder, dispute, "held=me&limit=100"));
  assert.ok(await rowOf(other, dispute, "held=others&limit=100"));
  assert.equal(await rowOf(other, dispute, "held=nobody&limit=100"), null);
  const refused = await other.post(`${pathOf(dispute)}/hand-over`, {});
  assert.deepEqual([refused.status, refused.json.error.reason], [409, "held_by_other"]);
  assert.equal((await holder.post(`${pathOf(dispute)}/hand-over`, { to: ids.owner })).status, 400);
  const handed = await holder.post(`${pathOf(dispute)}/hand-over`, { to: otherId });
  assert.deepEqual([handed.status, handed.json.heldBy.id], [200, otherId], handed.text);
  const back = await other.post(`${pathOf(dispute)}/hand-over`, { to: null });
  assert.deepEqual([back.status, back.json.heldBy], [200, null]);
  const { data } = (await jo.get("/desk/arbiters")).json;
  assert.deepEqual(data.map(({ name }: { name: string }) => name).slice(-2), ["jo", "mara"]);
});

test("§13.22.6 a member, a former member and the owner of a wallet are refused with the reason, and may hand over", async () => {
  const dispute = await newDispute();
  await makeArbiters("owner", "gone");
  const refusal = async (browser: Browser) => {
    const answer = await browser.post(`${pathOf(dispute)}/claim`);
    return [answer.status, answer.json.error?.code, answer.json.error?.reason];
  };
  const owner = await staff.signIn("owner@shop.example");
  assert.deepEqual(await refusal(owner), [403, "conflict_of_interest", "member"]);
  const { conflict, history } = (await owner.get(pathOf(dispute))).json;
  assert.deepEqual([conflict, history], ["member", null], "nobody of the shop reads the buyer's counts");
  assert.equal((await rowOf(owner, dispute)).conflict, "member");

  const gone = await staff.signIn("gone@shop.example");
  await staff.database.rows(sql`
    insert into members (business_id, user_id, role, created_at) values (${business}, ${ids.gone!}, 'owner', now())`);
  await staff.database.rows(sql`delete from members where user_id = ${ids.gone!}`);
  assert.deepEqual(await refusal(gone), [403, "conflict_of_interest", "former_member"]);
  await staff.database.rows(sql`update former_members set left_at = now() - interval '366 days'`);

  const other = await staff.addBusiness("other", { [ids.gone!]: "read_only" });
  await staff.database.rows(sql`
    insert into saved_recipients (business_id, environment, address, label, slot, added_at)
    select ${other}, 'live', sender, 'Wallet', 1, now() from payments where address = ${dispute.payment}`);
  assert.deepEqual(await refusal(gone), [403, "conflict_of_interest", "wallet"]);
  await jo.post(`${pathOf(dispute)}/claim`);
  const handed = await jo.post(`${pathOf(dispute)}/hand-over`, { to: ids.gone });
  assert.deepEqual([handed.status, handed.json.error.code], [403, "conflict_of_interest"]);
  assert.equal((await jo.get(pathOf(dispute))).json.heldBy.id, ids.jo, "a refused hand-over changes nothing");

  await run("business", "own-arbiter", business, "on");
  assert.deepEqual(await refusal(owner), [403, "conflict_of_interest", "member"], "it holds for later orders alone");
  const later = await newDispute();
  assert.equal((await owner.get(pathOf(later))).json.ownArbiter, true);
  assert.equal((await owner.post(`${pathOf(later)}/claim`)).status, 200);
  await run("business", "own-arbiter", business, "off");
  assert.equal((await owner.get(pathOf(later))).json.ownArbiter, true, "an order keeps what held at its creation");
  assert.equal((await owner.get(pathOf(await newDispute()))).json.conflict, "member");
});

test("§13.22.6 a wallet that a business removed stays a conflict of its members", async () => {
  const dispute = await newDispute();
  const trader = await staff.addUser("trader@shop.example");
  ids.trader = trader;
  await makeArbiters("trader");
  const trade = await staff.addBusiness("trade", { [trader]: "owner" });
  await staff.database.rows(sql`
    insert into saved_recipients (business_id, environment, address, label, slot, added_at)
    select ${trade}, 'test', sender, 'Wallet', 1, now() from payments where address = ${dispute.payment}`);
  await staff.database.rows(sql`delete from saved_recipients where business_id = ${trade}`);
  const refused = await (await staff.signIn("trader@shop.example")).post(`${pathOf(dispute)}/claim`);
  assert.deepEqual([refused.status, refused.json.error?.reason], [403, "wallet"]);
});

test("§13.22.4 the disputes of a user who is no arbiter any more go back to the queue", async () => {
  const dispute = await newDispute();
  ids.left = await staff.addUser("left@shop.example");
  await makeArbiters("left");
  const left = await staff.signIn("left@shop.example");
  assert.equal((await left.post(`${pathOf(dispute)}/claim`)).status, 200);
  const roles = { isOperator: false, isArbiter: false };
  await setDeploymentRoles(staff.database, { kind: "cli", name: "root" }, "left@shop.example", roles);
  assert.equal((await rowOf(jo, dispute)).heldBy, null);
  assert.equal((await jo.post(`${pathOf(dispute)}/claim`)).status, 200);
});

test("§13.22.9 of a dispute whose holder has a conflict since, those who could decide it are warned", async () => {
  const dispute = await newDispute(84 * DAY_MS);
  ids.joined = await staff.addUser("joined@shop.example");
  await makeArbiters("joined");
  const joined = await staff.signIn("joined@shop.example");
  assert.equal((await joined.post(`${pathOf(dispute)}/claim`)).status, 200);
  await staff.database.rows(sql`
    insert into members (business_id, user_id, role, created_at) values (${business}, ${ids.joined}, 'read_only', now())`);
  await warnArbiters(staff.database);
  await staff.sendEmails();
  const readers = staff.emails.filter(({ text }) => text.includes(dispute.id)).map(({ to }) => to);
  assert.ok(readers.includes("mara@shop.example"), readers.join());
  assert.ok(!readers.includes("joined@shop.example"), readers.join());
});

test("§17 a draft is signed by the arbiter who froze it alone, and the business reads neither its total nor whose it is", async () => {
  const dispute = await newDispute();
  await jo.post(`${pathOf(dispute)}/claim`);
  const wanted = { total: "4321", reasons: "It came late.", noInterest: true };
  const frozen = await jo.post(`${pathOf(dispute)}/decisions`, wanted);
  assert.equal(frozen.status, 201, frozen.text);
  const owner = await staff.signIn("owner@shop.example");
  const log = await owner.get(`/businesses/${business}/audit?action=dispute.decision_frozen`);
  const entry = log.json.data.find((one: { target: string }) => one.target === dispute.id);
  assert.deepEqual(entry.details, { decision: frozen.json.id, sha256: frozen.json.sha256 });
  assert.deepEqual(entry.actor, { id: ids.jo, name: "The arbiter", address: null });

  await jo.post(`${pathOf(dispute)}/hand-over`, { to: ids.mara });
  const path = `${pathOf(dispute)}/decisions/${frozen.json.id}`;
  for (const [step, body] of [["build"], ["submit", { transaction: "AA==" }]] as const)
    assert.equal((await mara.post(`${path}/${step}`, body)).status, 404, step);
});

test("§13.22.7 the operator's words on a reason are set, shown in the dispute and on the desk, and cleared", async () => {
  const dispute = await newDispute();
  const set = (reason: string, text: string) => run("dispute", "outcomes", "set", reason, "--text", text);
  await set("not_given", "It depends.");
  assert.equal((await jo.get(pathOf(dispute))).json.usualOutcome, "It depends.");
  for (const [reason, text] of [
    ["fraud", "x"],
    ["other", "a".repeat(501)],
    ["other", "a\u0000"],
  ] as const)
    await assert.rejects(set(reason, text), { name: "AdminError" });
  assert.match((await run("dispute", "outcomes", "list")).text, /^not_given {2}It depends\.$/);
  await set("not_given", "");
  assert.equal((await jo.get(pathOf(dispute))).json.usualOutcome, null);
  await assert.rejects(run("business", "own-arbiter", "biz_none", "on"), /There is no business biz_none/);
});

test("§13.22.5 a question to both sides or one gives both three days, twice; decideBy moves; only the holder asks", async () => {
  const dispute = await newDispute();
  const by = { author: "usr_1", authorKind: "user" } as const;
  const say = (text: string) => actNow(staff.database, dispute, sendStatement("merchant", by, text));
  await say("The buyer opened the dispute, so this is our one answer.");
  await assert.rejects(() => say("And more."), { code: "dispute_changed" });
  const ask = (browser: Browser, to: object = {}) =>
    browser.post(`${pathOf(dispute)}/questions`, { text: "When did each of you see it?", ...to });
  assert.equal((await ask(jo)).json.error.reason, "not_held");
  const before = (await jo.post(`${pathOf(dispute)}/claim`)).json;
  assert.equal((await ask(mara)).json.error.reason, "held_by_other");
  const asked = await ask(jo);
  assert.equal(asked.status, 201, asked.text);
  assert.deepEqual([asked.json.turn, asked.json.questions.length], ["merchant", 1]);
  assert.equal(
    (await rowOf(jo, dispute)).questionUntil,
    asked.json.questions[0].until,
    "the queue names the time for answers",
  );
  assert.equal(Date.parse(asked.json.decideBy) - Date.parse(before.decideBy), 3 * DAY_MS);
  assert.equal((await say("On Monday.")).turn, "buyer");
  await say("And on Tuesday.");
  const toBuyer = await ask(jo, { side: "buyer" });
  assert.deepEqual([toBuyer.status, toBuyer.json.turn], [201, "buyer"]);
  const third = await ask(jo);
  assert.deepEqual([third.status, third.json.error.reason], [409, "limit_reached"]);
  const owner = await staff.signIn("owner@shop.example");
  const seen = (await owner.get(`/businesses/${business}/test/disputes/${dispute.id}`)).json;
  assert.deepEqual(
    seen.questions.map(({ number, text, askedSide }: Record<string, unknown>) => [number, text, askedSide]),
    [1, 2].map((number) => [number, "When did each of you see it?", number === 1 ? null : "buyer"]),
  );
  await staff.age();
  assert.equal((await ask(jo)).json.error.code, "proof_required");
});

test("§13.22.10 an arbiter's note is their own: no side and no other arbiter reads it, and it goes with the texts", async () => {
  const dispute = await newDispute();
  const note = (browser: Browser, body: object) => browser.send("PUT", `${pathOf(dispute)}/note`, body);
  assert.equal(
    (await note(jo, { text: "The carrier names another town." })).json.note,
    "The carrier names another town.",
  );
  assert.equal((await note(jo, { text: "It was the right town." })).json.note, "It was the right town.");
  assert.equal((await mara.get(pathOf(dispute))).json.note, null);
  const owner = await staff.signIn("owner@shop.example");
  const seen = await owner.get(`/businesses/${business}/test/disputes/${dispute.id}`);
  assert.doesNotMatch(seen.text, /right town/);
  assert.equal((await note(jo, {})).json.note, null);
  await note(jo, { text: "Once more." });
  await staff.database.rows(sql`update disputes set erased_at = now() where id = ${dispute.id}`);
  assert.equal((await note(mara, { text: "Too late." })).json.error.reason, "closed");
});

test("§17.6 every erasure deletes the notes on a dispute, and one that is written meanwhile waits for it", async () => {
  const dispute = await newDispute();
  const by = { author: "usr_1", authorKind: "user" } as const;
  await actNow(staff.database, dispute, sendStatement("merchant", by, "Kim of the next house took it."));
  const note = async (text: string) => (await jo.send("PUT", `${pathOf(dispute)}/note`, { text })).json;
  const request = { cause: "request", note: "Asked.", erasedBy: "root" } as const;
  await note("Kim of the next house.");
  const statement = { part: "statement", target: "1", ...request } as const;
  assert.equal(await staff.database.transaction((db) => erase(db, tenant(), dispute, statement)), "erased");
  assert.equal((await jo.get(pathOf(dispute))).json.note, null);

  await note("The parcel is there.");
  await staff.database.rows(sql`
    update disputes set status = 'closed', resumes_as = 'deciding', turn = 'nobody', closed_at = now() where id = ${dispute.id}`);
  const { late } = await staff.database.transaction(async (db) => {
    assert.equal(await erase(db, tenant(), dispute, { part: "dispute", target: null, ...request }), "erased");
    const late = note("Too late.");
    await setTimeout(200);
    return { late };
  });
  assert.equal((await late).error?.reason, "closed");
  const isLeft = await staff.database.has(sql`select dispute_id from dispute_notes where dispute_id = ${dispute.id}`);
  assert.equal(isLeft, false);
});

test("§13.22.10 the desk counts how disputes with the same reason were decided, and names what the payment was worth", async () => {
  const dispute = await newDispute();
  const read = async (browser = jo) => (await browser.get(pathOf(dispute))).json;
  assert.equal((await read()).worth, null);
  const decide = async (businessId: string, total: string) => {
    const other = await newDispute(1_000, businessId);
    await staff.database.rows(sql`
      update disputes set status = 'closed', resumes_as = 'deciding', turn = 'nobody', closed_at = now(), reason = ${dispute.reason} where id = ${other.id}`);
    await staff.database.rows(sql`
      update payments set outcome = 'resolved',
        refund_total = case when ${total} = 'amount' then amount else ${total === "amount" ? "0" : total}::numeric end
      where address = ${other.payment}`);
  };
  const others = [await staff.addBusiness("one"), await staff.addBusiness("two")] as const;
  for (const total of ["0", "1", "amount", "amount"]) await decide(others[0], total);
  const agreed = await ruleAsAgreed(others[0], "1");
  await staff.database.rows(sql`
    update disputes set status = 'closed', closed_at = now(), reason = ${dispute.reason} where id = ${agreed.id}`);
  for (let count = 0; count < 5; count++) await decide(business, "0");
  const own = await staff.addBusiness("own");
  await saveOwnArbiter(staff.database, own, true);
  for (let count = 0; count < 5; count++) await decide(own, "0");
  assert.equal((await read()).comparable, null, "too few of others that do not decide themselves");
  for (let count = 0; count < 22; count++) await decide(others[1], "amount");
  await staff.database.rows(sql`
    insert into fiat_entries (business_id, environment, payment, number, kind, asset, amount, occurred_at, currency, value, rate, source, rate_day)
    values (${business}, 'test', ${dispute.payment}, 1, 'payment', 'USDC', 1, now(), 'EUR', 41.81, 1, 'par', now())`);
  const { comparable, worth } = await read();
  assert.deepEqual(comparable, { decided: 24, nothing: 1, part: 1, all: 22 });
  ids.member = await staff.addUser("member@shop.example");
  await makeArbiters("member");
  await staff.database.rows(sql`
    insert into members (business_id, user_id, role, created_at) values (${business}, ${ids.member}, 'read_only', now())`);
  assert.equal((await read(await staff.signIn("member@shop.example"))).comparable, null, "a conflict of interest");
  assert.deepEqual(worth, { value: "41.81", currency: "EUR" });
});

test("§13.22.9 each date has one warning, to the holder or to those who could decide, whoever sends it, and none while the dispute is paused", async () => {
  const [dispute, paused] = [await newDispute(84 * DAY_MS), await newDispute(84 * DAY_MS)];
  for (const one of [dispute, paused]) await jo.post(`${pathOf(one)}/claim`);
  const more: Dispute[] = [];
  for (let count = 0; count < 12; count++) more.push(await newDispute(84 * DAY_MS));
  staff.emails.length = 0;
  await Promise.all([warnArbiters(staff.database), warnArbiters(staff.database)]);
  while (await warnArbiters(staff.database));
  await staff.database.rows(sql`
    update disputes set status = 'paused', resumes_as = 'deciding', turn = 'nobody', next_at = null where id = ${paused.id}`);
  await staff.sendEmails();
  const warned = ({ id }: Dispute) => staff.emails.filter(({ text }) => text.includes(id));
  assert.deepEqual(
    warned(dispute).map(({ to }) => to),
    ["jo@shop.example"],
    "of three dates that are near at once, the most urgent",
  );
  assert.match(warned(dispute)[0]!.text, /Nobody has decided a dispute/);
  assert.deepEqual(warned(paused), []);
  for (const one of more)
    assert.equal(warned(one).filter(({ to }) => to === "mara@shop.example").length, 1, "more than one step takes");
});

test("§13.22.9 the arbiter's own date warns nobody while an agreement holds, and does once it has failed", async () => {
  const dispute = await insertDispute(staff.database, tenant());
  const offer = await offerOfBuyer(staff.database, dispute, "1");
  await actNow(staff.database, dispute, acceptOffer("merchant", offer, "usr_1"));
  await staff.database.rows(sql`
    update disputes set deciding_at = now(), decide_by = date_trunc('second', now()) + interval '1 day' where id = ${dispute.id}`);
  const warned = async () => {
    staff.emails.length = 0;
    while (await warnArbiters(staff.database));
    await staff.sendEmails();
    return staff.emails.some(({ text }) => text.includes(dispute.id));
  };
  assert.deepEqual([(await rowOf(jo, dispute)).warning, await warned()], ["none", false]);
  await staff.database.rows(sql`
    update dispute_agreements set failed_at = now() where dispute_id = ${dispute.id}`);
  await staff.database.rows(sql`update disputes set status = 'deciding', turn = 'arbiter' where id = ${dispute.id}`);
  assert.deepEqual([(await rowOf(jo, dispute)).warning, await warned()], ["due_soon", true]);
});
