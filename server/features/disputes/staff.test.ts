import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "../../../tests/harness/staffBrowser.ts";
import { ChainUnavailableError } from "../../chain/port.ts";
import { ApiError } from "../../domain/errors.ts";
import { ROLES, type Role } from "../../domain/roles.ts";
import { formOf, runOnce } from "../../edge/http/formKeys.ts";
import { IN_TENANT } from "../../edge/staff/paths.ts";
import { OverloadedError } from "../../lib/batch.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import { DatabaseUnavailableError } from "../../store/unavailable.ts";
import { sendStatement } from "./actions.ts";
import type { Dispute } from "./dispute.ts";
import { actNow, insertDispute, insertFile, offerOfBuyer } from "./testing.ts";

const SHOP = "shop.example";
let staff: StaffServer;
let business: string;
/** The owner of another business, and an arbiter who operates the deployment. */
const OTHERS = ["stranger", "arbiter"] as const;
const browsers = {} as Record<Role | (typeof OTHERS)[number], Browser>;
before(async () => {
  staff = await startStaffServer();
  const members: Record<string, Role> = {};
  for (const role of ROLES) members[await staff.addUser(`${role}@${SHOP}`)] = role;
  business = await staff.addBusiness("shop", members);
  const stranger = await staff.addUser(`stranger@${SHOP}`);
  await staff.addBusiness("other", { [stranger]: "owner" });
  const arbiter = await staff.addUser(`arbiter@${SHOP}`, { isOperator: true });
  await staff.database.rows(sql`update users set is_arbiter = true where id = ${arbiter}`);
  for (const role of [...ROLES, ...OTHERS]) browsers[role] = await staff.signIn(`${role}@${SHOP}`);
});
after(() => staff?.[Symbol.asyncDispose]());

const tenant = () => ({ businessId: business, environment: "test" }) as const;
const newDispute = (agoMs?: number): Promise<Dispute> => insertDispute(staff.database, tenant(), agoMs);
const pathOf = ({ id }: Dispute) => `/businesses/${business}/test/disputes/${id}`;
const KEY = { author: "key_1", authorKind: "key" } as const;

test("§13.20.1 roles × routes: all read, three roles answer, others and strangers are refused and change nothing", async () => {
  const dispute = await newDispute();
  const offer = await offerOfBuyer(staff.database, dispute, "1");
  const one = pathOf(dispute);
  const file = await insertFile(staff.database, dispute);
  const ids: Record<string, string> = { business, environment: "test", dispute: dispute.id, offer, file };
  // A new route is here by being declared. What binds the business needs a proof, and acceptance ends the dispute.
  const routes = staff.routes
    .filter(({ path }) => path.startsWith(`${IN_TENANT}/disputes`))
    .map(({ method, path, docs }) => {
      const name = path.replace(`${IN_TENANT}/disputes/:dispute/`, "");
      return {
        ...{ method, path: path.replaceAll(/:(\w+)/g, (_, id: string) => ids[id]!), body: docs!.body?.example },
        needsProof: ["offers", "offers/:offer/accept"].includes(name),
        isAllowed: name !== "offers/:offer/accept" && !/^export/.test(name),
      };
    });
  assert.ok(routes.length >= 10, "all routes were found");
  const read = async () => (await browsers.owner.get(one)).text;
  const untouched = await read();
  for (const { method, path, body } of routes) {
    assert.equal((await staff.browser().send(method, path, body)).status, 401, path);
    for (const who of OTHERS)
      assert.equal((await browsers[who].send(method, path, body)).status, 404, `${who} ${path}`);
    for (const role of ["developer", "read_only"] as const) {
      const answer = await browsers[role].send(method, path, body);
      assert.equal(answer.status, method === "GET" ? 200 : 403, `${role} ${path}: ${answer.text}`);
    }
  }
  await staff.age();
  for (const { method, path, body, needsProof } of routes)
    if (needsProof) {
      const answer = await browsers.disputes.send(method, path, body);
      assert.equal(answer.json.error.code, "proof_required", path);
    }
  assert.equal(await read(), untouched, "no refused request changed anything");
  for (const role of ["owner", "admin", "disputes"] as const) browsers[role] = await staff.signIn(`${role}@${SHOP}`);
  for (const { method, path, body } of routes.filter(({ isAllowed }) => isAllowed)) {
    const answer = await browsers.disputes.send(method, path, body);
    assert.ok([200, 201].includes(answer.status) || answer.json.error.code === "dispute_changed", answer.text);
  }
});

test("§4.18.6 the business accepts the buyer's offer: both have agreed, and the audit log and one event say so", async () => {
  const dispute = await newDispute();
  const browser = browsers.disputes;
  const said = await browser.post(`${pathOf(dispute)}/statements`, { text: "It was sent on Monday." });
  assert.equal(said.status, 201, said.text);
  assert.deepEqual(
    [said.json.turn, said.json.statements.map(({ text }: { text: string }) => text)],
    ["buyer", ["It was sent on Monday."]],
  );
  const offer = await offerOfBuyer(staff.database, dispute, "2000000");
  const accepted = await browser.post(`${pathOf(dispute)}/offers/${offer}/accept`);
  assert.equal(accepted.status, 200, accepted.text);
  const { status, turn, agreement, nextActions } = accepted.json;
  assert.deepEqual(
    [status, turn, agreement.total, agreement.executes],
    ["agreed", "merchant", "2000000", ["refund", "release"]],
  );
  assert.deepEqual(
    [nextActions[0].action, nextActions[0].by, nextActions[0].otherwise],
    ["refund", "merchant", "agreement_fails"],
  );
  const again = await browser.post(`${pathOf(dispute)}/offers/${offer}/accept`);
  assert.deepEqual([again.status, again.json.error.reason], [409, "offer_not_open"]);

  const audit = await staff.database.rows<{ action: string; details: string }>(
    sql`select action, details from audit_log where business_id = ${business} and target = ${dispute.id} order by id`,
  );
  assert.deepEqual(
    audit.map(({ action }) => action),
    ["dispute.statement_sent", "dispute.offer_accepted"],
  );
  const events = await staff.database.rows<{ type: string; body: string }>(
    sql`select type, body from events where business_id = ${business} and payment_address = ${dispute.payment} order by sequence`,
  );
  assert.deepEqual(
    events.map(({ type }) => type),
    ["dispute.opened", ...Array(3).fill("dispute.updated")],
  );
  for (const { body } of events) assert.ok(!/Monday|Let us end/.test(body), "events have no text");
  assert.deepEqual(JSON.parse(events.at(-1)!.body).data.previousAttributes.status, "talking");
});

test("§13.20.1 400: what is no offer is refused, and changes nothing", async () => {
  const dispute = await newDispute();
  for (const [body, param] of [
    [{}, "total"],
    [{ total: "01" }, "total"],
    [{ total: "18446744073709551616" }, "total"],
    [{ total: "18446744073709551615" }, "total"],
    [{ total: "1", until: "soon" }, "until"],
    [{ total: "1", until: new Date().toISOString() }, "until"],
    [{ total: "1", until: "2099-01-01T00:00:00Z" }, "until"],
    [{ total: "1", text: "x".repeat(501) }, "text"],
    [{ total: "1", side: "buyer" }, "side"],
  ] as const) {
    const { status, json } = await browsers.owner.post(`${pathOf(dispute)}/offers`, body);
    assert.deepEqual([status, json.error.param], [400, param], JSON.stringify(body));
  }
  assert.deepEqual((await browsers.owner.get(pathOf(dispute))).json.offers, []);
});

test("§13.20.2 with a turn, the list has what is due first in front, page by page", async () => {
  const tenant = { businessId: await staff.addBusiness("list", {}), environment: "test" } as const;
  const owner = await staff.addUser(`owner@list.example`);
  await staff.database.rows(
    sql`insert into members (business_id, user_id, role, created_at) values (${tenant.businessId}, ${owner}, 'disputes', now())`,
  );
  const browser = await staff.signIn("owner@list.example");
  const hour = 3_600_000;
  const made: Dispute[] = [];
  for (const ago of [3, 30, 12]) made.push(await insertDispute(staff.database, tenant, ago * hour));
  await actNow(staff.database, made[2]!, sendStatement("merchant", KEY, "Seen."));
  const list = async (query: string) =>
    (await browser.get(`/businesses/${tenant.businessId}/test/disputes?${query}`)).json;
  const ids = async (query: string) => (await list(query)).data.map(({ id }: { id: string }) => id);
  const [late, early, buyers] = made.map(({ id }) => id);
  assert.deepEqual(await ids(""), [buyers, early, late]);
  assert.deepEqual(await ids("turn=merchant"), [early, late]);
  assert.equal((await list("turn=merchant&limit=1")).hasMore, true);
  assert.deepEqual(await ids(`turn=merchant&limit=1&starting_after=${early}`), [late]);
  assert.deepEqual(await ids("turn=buyer"), [buyers]);
  assert.deepEqual(await ids(`payment=${made[0]!.payment}`), [late]);
  assert.deepEqual(await ids(`due_before=${new Date(Date.now() + 4 * 24 * hour).toISOString()}`), [early]);
  assert.deepEqual(await ids("status=closed"), []);
});

test("§4.18.8 of eight statements at once five are sent, and none is ever changed or deleted", async () => {
  const dispute = await newDispute();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      browsers.owner.post(`${pathOf(dispute)}/statements`, { text: `Statement ${index}.` }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [...Array(5).fill(201), ...Array(3).fill(409)]);
  for (const { json } of answers.filter(({ status }) => status === 409))
    assert.equal(json.error.reason, "daily_limit_reached");
  const { database } = staff;
  await assert.rejects(
    database.rows(sql`update dispute_statements set text = 'x' where dispute_id = ${dispute.id}`),
    /never changed/,
  );
  await assert.rejects(
    database.rows(sql`delete from dispute_statements where dispute_id = ${dispute.id}`),
    /never changed/,
  );
});

test("§4.18.6 in two tabs at once, one acceptance counts, and a withdrawn offer binds nobody", async () => {
  for (let round = 0; round < 4; round++) {
    const dispute = await newDispute();
    const offer = await offerOfBuyer(staff.database, dispute, "7");
    const accept = () => browsers.owner.post(`${pathOf(dispute)}/offers/${offer}/accept`);
    const withdraw = actNow(staff.database, dispute, () => ({
      happening: { kind: "offer_withdrawn", side: "buyer", offer },
    })).then(
      () => 200,
      () => 409,
    );
    const statuses = [...(await Promise.all([accept(), accept()])).map(({ status }) => status), await withdraw];
    assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
    const { status, agreement, offers } = (await browsers.owner.get(pathOf(dispute))).json;
    assert.deepEqual([status, agreement !== null], statuses[2] === 200 ? ["talking", false] : ["agreed", true]);
    assert.equal(offers[0].status, statuses[2] === 200 ? "withdrawn" : "accepted");
  }
});

test("§4.18 the database refuses what the rules refuse", async () => {
  const dispute = await newDispute();
  const offer = await offerOfBuyer(staff.database, dispute, "7");
  const { database } = staff;
  for (const [what, change, by] of [
    [
      "an answer after fourteen days",
      sql`update disputes set answer_by = opened_at + interval '15 days' where id = ${dispute.id}`,
      /disputes_clocks/,
    ],
    [
      "deciding without its time",
      sql`update disputes set status = 'deciding', turn = 'arbiter' where id = ${dispute.id}`,
      /disputes_deciding/,
    ],
    [
      "closed without a time",
      sql`update disputes set status = 'closed', resumes_as = 'talking', turn = 'nobody', next_at = null where id = ${dispute.id}`,
      /disputes_closed/,
    ],
    [
      "an offer of a key",
      sql`update dispute_offers set author_kind = 'key' where id = ${offer}`,
      /dispute_offers_author_kind_check/,
    ],
    [
      "acceptance without a party",
      sql`update dispute_offers set accepted_at = now() where id = ${offer}`,
      /dispute_offers_accepted/,
    ],
  ] as const)
    await assert.rejects(database.rows(change), by, what);
  await assert.rejects(
    database.rows(sql`
      insert into dispute_offers (business_id, dispute_id, id, number, side, total, refund_total, until, status, author, author_kind, signed_text, signature, created_at)
      select business_id, dispute_id, 'of-2', 2, side, total, refund_total, until, status, author, author_kind, signed_text, signature, created_at
      from dispute_offers where id = ${offer}`),
    /dispute_offers_open/,
  );
});

test("§13.4.6 a form that is sent again because its answer was lost is done once; a refusal frees its key", async () => {
  const dispute = await newDispute();
  const path = `${pathOf(dispute)}/statements`;
  const { origin } = browsers.owner;
  const send = (key: string, body: unknown, to = path) =>
    browsers.owner.send("POST", to, body, [
      ["Origin", origin],
      ["Idempotency-Key", key],
    ]);
  const body = { text: "It left on Monday." };
  const first = await Promise.all(Array.from({ length: 5 }, () => send("form-1", body)));
  assert.deepEqual(first.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409]);
  const again = await send("form-1", body);
  assert.deepEqual([again.status, again.json.error.code], [409, "sent_before"]);
  assert.equal((await send("form-2", { text: "" })).status, 400);
  assert.equal((await send("form-2", { text: "It has arrived." })).status, 201);
  const other = `${pathOf(await newDispute())}/statements`;
  assert.equal((await send("form-1", body, other)).status, 201, "another route is another form");
  const { statements } = (await browsers.owner.get(pathOf(dispute))).json;
  assert.deepEqual(
    statements.map(({ text }: { text: string }) => text),
    ["It left on Monday.", "It has arrived."],
  );
  // A process was killed between the key and the end of its work: nobody knows.
  await staff.database.rows(sql`update form_keys set done_at = null`);
  assert.equal((await send("form-2", body)).json.error.code, "idempotency_in_progress");
});

test("§13.4.6 a form that had no turn or no chain can be sent again, and one that is done is answered", async () => {
  const { database } = staff;
  for (const error of [
    new OverloadedError("full"),
    new ChainUnavailableError("away"),
    new ApiError("chain_unavailable", "away"),
  ]) {
    const form = formOf("POST", `/${error.name}${error.message}`, "again");
    await assert.rejects(
      runOnce(database, form, () => Promise.reject(error)),
      error,
    );
    assert.equal(await runOnce(database, form, async () => "done"), "done");
  }
  const lost = formOf("POST", "/lost", "once");
  const away = () => Promise.reject(new DatabaseUnavailableError("The connection was lost.", "away"));
  await assert.rejects(runOnce(database, lost, away), DatabaseUnavailableError);
  await assert.rejects(runOnce(database, lost, away), { code: "idempotency_in_progress" });
  const isShownOnce = async () => {
    await database.rows(sql`alter table form_keys rename to away`);
    return "a secret";
  };
  assert.equal(await runOnce(database, formOf("POST", "/secret", "once"), isShownOnce), "a secret");
  await database.rows(sql`alter table away rename to form_keys`);
});
