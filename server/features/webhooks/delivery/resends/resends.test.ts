import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import type { Actor } from "../../../../domain/callers.ts";
import { parseJsonObject } from "../../../../domain/json.ts";
import { sql } from "../../../../store/sql.ts";
import { insertEndpoint } from "../../endpoints/queries.ts";
import { newKeyRing } from "../../sending/secret.ts";
import { claimAlone } from "../../testing/claiming.ts";
import { type EventFixture, openEventFixture } from "../../testing/eventFixture.ts";
import type { Endpoint } from "../../webhook.ts";
import { resendDelivery } from "../actions.ts";
import { completeDeliveries } from "../completions.ts";
import { countSince } from "../queueQueries.ts";
import { keepHistory } from "../upkeep.ts";
import { replaySince, resendAllOfObject, resendMatching } from "./actions.ts";
import type { ResendRow } from "./queries.ts";
import { RESEND_MATCHING, RESEND_OBJECT } from "./schema.ts";

const ACTOR = { kind: "service" } as Actor;
/** An actor that the audit log cannot store: the transaction fails at its end, as if the database were lost. */
const BROKEN: Actor = { kind: "user", userId: "\u0000", email: "a@b.example", address: "127.0.0.1" };
const ALL = {
  status: null,
  statusCode: null,
  errorClass: null,
  type: null,
  object: null,
  createdAfter: null,
  createdBefore: null,
};
const EVENTS = 1_203;

let fixture: EventFixture;
let endpoint: Endpoint;
let events: readonly string[];
before(async () => {
  fixture = await openEventFixture();
  const input = { url: "https://shop.com/hooks", eventTypes: null };
  endpoint = (await insertEndpoint(fixture.database, newKeyRing(), fixture.tenant, input))!.endpoint;
  events = await fixture.recordEvents(EVENTS);
  await sendAll();
});
after(() => fixture?.[Symbol.asyncDispose]());

const newCall = () => ({
  tenant: fixture.tenant,
  endpointId: endpoint.id,
  id: `res_${randomBytes(16).toString("hex")}`,
});
type Call = ReturnType<typeof newCall>;
const databases = () => ({ database: fixture.database, slowDatabase: fixture.database });
const matching = (call: Call, query = {}, actor: Actor = ACTOR) =>
  resendMatching(databases(), actor, call, { ...ALL, ...query });
const goOn = async (step: () => Promise<ResendRow>): Promise<{ row: ResendRow; calls: number }> => {
  for (let calls = 1; ; calls++) {
    const row = await step();
    if (row.ended_at !== null) return { row, calls };
  }
};

/** Sends due deliveries until none is left. Returns the events in the order of their claims. */
async function sendAll(attempts: "gone" | "ended" = "gone"): Promise<string[]> {
  const sent: string[] = [];
  for (;;) {
    const room = { slots: 2_000, failingSlots: 2_000, endpoints: [{ id: endpoint.id, free: 2_000, failing: false }] };
    const claims = await claimAlone(fixture.database, room);
    if (claims.length === 0) return sent;
    sent.push(...claims.map(({ event_id }) => event_id));
    // Manual attempts are recorded one by one; most tests only need them gone.
    if (attempts === "gone")
      await fixture.database.rows(sql`
        delete from webhook_queue where lease_token = ${claims[0]!.token}::uuid and kind <> 'scheduled'`);
    await completeDeliveries(
      fixture.database,
      claims
        .filter(({ kind }) => kind === "scheduled" || attempts === "ended")
        .map((claim) => ({
          ...{ claim, succeeded: true, statusCode: 200, error: null, errorClass: null },
          ...{ tookMs: 1, agoMs: 0 },
        })),
    );
  }
}

const waiting = async () =>
  (await fixture.database.rows<{ event_id: string }>(sql`select event_id from webhook_queue`)).map(
    ({ event_id }) => event_id,
  );
const audited = (call: Call) =>
  fixture.database.rows<{ action: string; count: number; actor: string }>(sql`
    select action, coalesce((details::json ->> 'count')::integer, (details::json ->> 'resent')::integer) as count, actor
    from audit_log where details::json ->> 'resend' = ${call.id} order by id`);

test("§13.8.5 what matches is resent in parts; the same request again, at once or later, sends nothing twice", async () => {
  const call = newCall();
  const { row, calls } = await goOn(() => matching(call));
  assert.deepEqual([row.resent, row.limited, calls], [EVENTS, false, 3]);
  assert.deepEqual((await waiting()).toSorted(), events.toSorted());
  assert.deepEqual(await matching(call), row, "a further call is answered with what came of it");
  assert.equal((await waiting()).length, EVENTS);
  assert.deepEqual(
    await audited(call),
    [500, 500, 203].map((count) => ({ action: "deliveries.resent", count, actor: "service" })),
  );
  await sendAll();
  await matching(call);
  assert.deepEqual(await waiting(), [], "nor after all has been sent");

  const twice = newCall();
  for (;;) {
    const rows = await Promise.all([matching(twice), matching(twice), matching(twice)]);
    if (rows.some(({ ended_at }) => ended_at !== null)) break;
  }
  assert.deepEqual((await waiting()).toSorted(), events.toSorted(), "three at once do each part once");
  await sendAll();
});

test("§13.8.5 a part and how far it came commit together: after a failure in between nothing is queued, and it goes on", async () => {
  const call = newCall();
  assert.equal((await matching(call)).resent, 500);
  await assert.rejects(matching(call, {}, BROKEN));
  assert.equal((await waiting()).length, 500, "the failed part left nothing");
  const { row } = await goOn(() => matching(call));
  assert.equal(row.resent, EVENTS);
  assert.equal(new Set(await waiting()).size, EVENTS);
  await sendAll();

  const replay = newCall();
  await assert.rejects(replaySince(fixture.database, BROKEN, replay, { afterSequence: 0n }));
  assert.deepEqual(await waiting(), []);
});

test("§13.8.5 an id stands for one request, of one endpoint: another request under it is refused", async () => {
  const call = newCall();
  await goOn(() => matching(call, { status: "abandoned" }));
  for (const differs of [
    () => matching(call, { status: "succeeded" }),
    () => replaySince(fixture.database, ACTOR, call, { afterSequence: 0n }),
    () => resendAllOfObject(fixture.database, ACTOR, call, "pi_test_none"),
  ])
    await assert.rejects(differs(), { code: "resend_differs" });
  const other = await fixture.addTenant();
  await assert.rejects(matching({ ...call, tenant: other }), { code: "endpoint_not_found" });
  assert.deepEqual(await waiting(), []);
});

test("§13.8.5 a resend ends at ten thousand and says that there is more, and none begins while ten thousand wait", async () => {
  const call = newCall();
  await matching(call);
  await fixture.database.rows(sql`update webhook_resends set resent = 9700 where id = ${call.id}`);
  const row = await matching(call);
  assert.deepEqual([row.resent, row.limited, row.ended_at !== null], [10_000, true, true]);
  assert.equal((await waiting()).length, 800);
  await sendAll();
  await fixture.database.rows(sql`
    insert into webhook_queue (business_id, endpoint_id, event_id, kind, resend, event_type, event_recorded_at, priority, due_at, created_at)
    select ${fixture.tenant.businessId}, ${endpoint.id}, 'evt_test_' || n, 'resend', 'res_1', 'payment.protected', now(), 'asked', now(), now()
    from generate_series(1, 10000) n`);
  const refused = { code: "resends_waiting" };
  await assert.rejects(matching(newCall()), refused);
  await assert.rejects(resendAllOfObject(fixture.database, ACTOR, newCall(), "pi_test_x"), refused);
  await fixture.database.rows(sql`delete from webhook_queue`);
});

test("§13.8.5 all of an object goes once and in order, also when it is asked for twice", async () => {
  const { database } = fixture;
  const five = events.slice(10, 15);
  await database.rows(sql`update events set intent_id = 'pi_test_five' where id = any(${five}::text[])`);
  const call = newCall();
  const rows = await Promise.all([0, 1].map(() => resendAllOfObject(database, ACTOR, call, "pi_test_five")));
  assert.deepEqual(
    rows.map(({ resent, ended_at }) => [resent, ended_at !== null]),
    [
      [5, true],
      [5, true],
    ],
  );
  assert.deepEqual(await sendAll("ended"), five);
  assert.deepEqual((await audited(call)).length, 1);
  await assert.rejects(resendAllOfObject(database, ACTOR, newCall(), "pi_test_none"), { code: "object_has_no_events" });
});

test("§13.8.5 a replay is bounded before, goes on where it stopped, and leaves out what came after it began", async () => {
  const { database, tenant } = fixture;
  assert.equal(await countSince(database, tenant, new Date(0)), EVENTS);
  assert.equal(await countSince(database, tenant, new Date(Date.now() + 86_400_000)), 0);
  const call = newCall();
  await database.rows(sql`delete from webhook_deliveries where event_id = ${events[0]}`);
  const row = await replaySince(database, ACTOR, call, { since: new Date(0) });
  assert.deepEqual([row.resent, row.made, row.ended_at !== null], [EVENTS - 1, 1, true]);
  const due = await database.rows(
    sql`select distinct due_at from webhook_queue where kind = 'replay' and due_at <= now()`,
  );
  assert.equal(due.length, EVENTS - 1, "each has a place of its own in the order of claims");
  assert.deepEqual(await sendAll(), events, "oldest first");
  const [later] = await fixture.recordEvents(1);
  await replaySince(database, ACTOR, call, { since: new Date(0) });
  assert.deepEqual(await sendAll(), [later], "its first delivery alone");
  // The position of a part is the start of the next.
  const half = newCall();
  await assert.rejects(replaySince(database, BROKEN, half, { afterSequence: 1_000n }));
  await database.rows(sql`update webhook_resends set position = '1200', up_to_sequence = 1203 where id = ${half.id}`);
  assert.equal((await replaySince(database, ACTOR, half, { afterSequence: 1_000n })).resent, 3);
  await sendAll();
});

test("§13.8.5 a second click on one delivery, at the same moment or while the first waits, sends it once", async () => {
  const { database, tenant } = fixture;
  const resend = () => resendDelivery(database, ACTOR, tenant, endpoint.id, events[3]!);
  const both = await Promise.all([resend(), resend()]);
  assert.deepEqual(both.map(({ isNew }) => isNew).toSorted(), [false, true]);
  assert.equal(both[0]!.id, both[1]!.id);
  assert.deepEqual(await sendAll(), [events[3]]);
  assert.equal((await resend()).isNew, true, "once it has been sent it may be sent again");
  await sendAll();
});

test("§13.8.5 what is no id of an object is refused before anything is begun", () => {
  const id = newCall().id;
  for (const body of [RESEND_OBJECT.body, RESEND_MATCHING.body]) {
    const parse = (object: string) => body.parse(parseJsonObject(JSON.stringify({ id, object }))!);
    assert.equal(parse(`pi_test_${"0".repeat(36)}`).object, `pi_test_${"0".repeat(36)}`);
    assert.throws(() => parse("x".repeat(9_000)), { code: "invalid_request" });
    assert.throws(() => body.parse(parseJsonObject('{"id":"res_1"}')!), { code: "invalid_request" });
  }
});

test("resends are forgotten when events are", async () => {
  const { database } = fixture;
  await database.rows(sql`update webhook_resends set begun_at = now() - interval '31 days'`);
  await keepHistory({ database, log: () => undefined }, 30);
  assert.deepEqual(await database.rows(sql`select id from webhook_resends`), []);
});
