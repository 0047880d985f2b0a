import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../../store/sql.ts";
import { insertEndpoint } from "../endpoints/queries.ts";
import { newKeyRing } from "../sending/secret.ts";
import { claimAlone } from "../testing/claiming.ts";
import { type EventFixture, openEventFixture } from "../testing/eventFixture.ts";
import type { Endpoint, ErrorClass } from "../webhook.ts";
import { resendDelivery } from "./actions.ts";
import type { Claim } from "./claims.ts";
import { completeDeliveries } from "./completions.ts";
import { listHours } from "./hours/queries.ts";
import { findDelivery, listDeliveriesOf } from "./list.ts";
import type { DeliveryQuery } from "./schema.ts";

const ACTOR = { kind: "service" } as const;
const ALL: DeliveryQuery = {
  status: null,
  statusCode: null,
  errorClass: null,
  type: null,
  object: null,
  createdAfter: null,
  createdBefore: null,
  startingAfter: null,
  limit: 100,
};
const DAY_MS = 86_400_000;

let fixture: EventFixture;
let endpoint: Endpoint;
before(async () => {
  fixture = await openEventFixture();
  const input = { url: "https://shop.com/hooks", eventTypes: null };
  endpoint = (await insertEndpoint(fixture.database, newKeyRing(), fixture.tenant, input))!.endpoint;
});
after(() => fixture?.[Symbol.asyncDispose]());

const claim = () =>
  claimAlone(fixture.database, {
    slots: 500,
    failingSlots: 500,
    endpoints: [{ id: endpoint.id, free: 500, failing: false }],
  });
/** Ends attempts, each after a duration in milliseconds equal to its index. */
const end = (claims: readonly Claim[], how: { statusCode: number | null; errorClass: ErrorClass | null }) =>
  completeDeliveries(
    fixture.database,
    claims.map((one, index) => {
      const succeeded = how.errorClass === null;
      return { claim: one, succeeded, error: succeeded ? null : "failed", ...how, tookMs: 10 + index, agoMs: 5 };
    }),
  );
const OK = { statusCode: 200, errorClass: null } as const;
const listed = async (query: Partial<DeliveryQuery>) =>
  (await listDeliveriesOf(fixture.database, endpoint, { ...ALL, ...query })).map(({ event_id }) => event_id);
const newestFirst = (ids: readonly string[]): string[] => ids.toSorted().toReversed();

/** The figures of an hour, recounted from the attempts. */
const recount = () =>
  fixture.database.rows(sql`
    select date_trunc('hour', a.recorded_at, 'UTC') as hour, count(*)::integer as attempts,
      (count(*) filter (where a.succeeded))::integer as succeeded,
      sum(round(extract(epoch from a.ended_at - a.started_at) * 1000))::bigint as took_ms,
      max(round(extract(epoch from a.ended_at - a.started_at) * 1000))::integer as took_ms_max,
      (count(*) filter (where a.number = 1))::integer as first_attempts,
      sum(case when a.number = 1 then greatest(0, round(extract(epoch from a.started_at - d.created_at) * 1000)) else 0 end)::bigint as waited_ms
    from webhook_attempts a join (
      select business_id, endpoint_id, event_id, created_at from webhook_deliveries union all
      select business_id, endpoint_id, event_id, created_at from webhook_queue where kind = 'scheduled') d
      on d.business_id = a.business_id and d.endpoint_id = a.endpoint_id and d.event_id = a.event_id
    where a.endpoint_id = ${endpoint.id}
    group by 1 order by 1`);

test("§13.8.4 each filter lists what it names, alone and together, and pages walk all of it once", async () => {
  const created = await fixture.recordEvents(7);
  const protectedEvents = await fixture.recordEvents(5, "payment.protected");
  const all = newestFirst([...created, ...protectedEvents]);
  assert.deepEqual(await listed({}), all);
  assert.deepEqual(await listed({ status: "pending", type: "payment.protected" }), newestFirst(protectedEvents));

  const claims = await claim();
  assert.equal(claims.length, 12);
  const of = (ids: readonly string[]) => claims.filter(({ event_id }) => ids.includes(event_id));
  await end(of(created), OK);
  await end(of(protectedEvents.slice(0, 2)), { statusCode: 503, errorClass: "server_error" });
  await end(of(protectedEvents.slice(2, 3)), { statusCode: null, errorClass: "timeout" });
  await end(of(protectedEvents.slice(3)), { statusCode: 204, errorClass: null });
  assert.deepEqual(await listed({}), all);
  assert.deepEqual(await listed({ status: "succeeded" }), newestFirst([...created, ...protectedEvents.slice(3)]));
  assert.deepEqual(await listed({ status: "pending" }), newestFirst(protectedEvents.slice(0, 3)));
  assert.deepEqual(await listed({ statusCode: 503 }), newestFirst(protectedEvents.slice(0, 2)));
  assert.deepEqual(await listed({ statusCode: 204 }), newestFirst(protectedEvents.slice(3)));
  assert.deepEqual(await listed({ errorClass: "timeout" }), [protectedEvents[2]]);
  assert.deepEqual(await listed({ errorClass: "timeout", statusCode: 503 }), []);
  assert.deepEqual(await listed({ type: "payment_intent.created" }), newestFirst(created));
  assert.deepEqual(await listed({ type: "payment.protected", statusCode: 204 }), newestFirst(protectedEvents.slice(3)));
  assert.deepEqual(await listed({ status: "abandoned" }), []);
  const { delivery, event, attempts } = (await findDelivery(fixture.database, endpoint, protectedEvents[0]!))!;
  const { object } = JSON.parse(event.body).data;
  assert.deepEqual(await listed({ object: object.id }), [protectedEvents[0]]);
  assert.deepEqual([delivery.status, delivery.status_code, attempts.length], ["pending", 503, 1]);
  assert.deepEqual(await listed({ object: "pi_test_none" }), []);
  const madeAt = new Date(Number.parseInt(all[0]!.slice("evt_test_5szw".length).slice(0, 12), 16));
  assert.deepEqual(await listed({ createdBefore: new Date(madeAt.getTime() - DAY_MS) }), []);
  assert.deepEqual(await listed({ createdAfter: new Date(madeAt.getTime() - DAY_MS) }), all);
  assert.deepEqual(await listed({ createdAfter: madeAt }), []);

  const walked: string[] = [];
  for (let startingAfter: string | null = null; ; ) {
    const page = await listed({ startingAfter, limit: 5 });
    walked.push(...page.slice(0, 5));
    if (page.length <= 5) break;
    startingAfter = page[4]!;
  }
  assert.deepEqual(walked, all);
  assert.deepEqual(await listHours(fixture.database, endpoint, new Date(0), 100), await recount());
});

test("§13.8.6 the hours equal a recount after failures, resends, abandoned deliveries and tests", async () => {
  const [first, second] = await fixture.recordEvents(2);
  const { database, tenant } = fixture;
  for (let attempt = 1; attempt <= 9; attempt++) {
    await database.rows(sql`update webhook_queue set due_at = now() where endpoint_id = ${endpoint.id}`);
    const claims = await claim();
    await end(
      claims.filter(({ event_id }) => event_id === first),
      { statusCode: 500, errorClass: "server_error" },
    );
    await end(
      claims.filter(({ event_id }) => event_id !== first),
      OK,
    );
  }
  assert.deepEqual(await listed({ status: "abandoned" }), [first]);
  assert.deepEqual(await listed({ status: "abandoned", errorClass: "server_error" }), [first]);
  await resendDelivery(database, ACTOR, tenant, endpoint.id, first!);
  await end(await claim(), { statusCode: null, errorClass: "dns" });
  assert.deepEqual(await listed({ status: "abandoned" }), [first], "a failed resend changes nothing");
  await resendDelivery(database, ACTOR, tenant, endpoint.id, first!);
  await end(await claim(), OK);
  assert.deepEqual(await listed({ status: "abandoned" }), []);
  assert.deepEqual(await listed({ statusCode: 500 }), [], "the last attempt counts, also one that a person asked for");
  assert.ok((await listed({ statusCode: 200 })).includes(second!));
  const { attempts } = (await findDelivery(database, endpoint, first!))!;
  assert.deepEqual(
    attempts.map(({ number, succeeded }) => [number, succeeded]),
    [...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => [number, false]), [null, false], [null, true]],
  );
  assert.deepEqual(await listHours(database, endpoint, new Date(0), 100), await recount());
});
