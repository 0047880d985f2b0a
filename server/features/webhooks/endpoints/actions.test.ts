import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tenant } from "../../../domain/callers.ts";
import { newResendId } from "../../../domain/ids.ts";
import { ENDPOINTS_MAX } from "../../../domain/limits.ts";
import { sql } from "../../../store/sql.ts";
import { listDeliveries, resendDelivery, testEndpoint } from "../delivery/actions.ts";
import { replaySince, resendAllOfObject } from "../delivery/resends/actions.ts";
import { newKeyRing } from "../sending/secret.ts";
import { type EventFixture, openEventFixture } from "../testing/eventFixture.ts";
import { ENDPOINT_STEPS } from "../webhook.ts";
import { addEndpoint, deleteEndpoint, disableEndpoint, enableEndpoint, rollSecret, updateEndpoint } from "./actions.ts";
import { insertEndpoint } from "./queries.ts";

const ring = newKeyRing();
const actor = { kind: "service" } as const;
const URL = "https://shop.com/hooks";
const callOf = (tenant: Tenant, endpointId: string) => ({ tenant, endpointId, id: newResendId(new Date()) });

const configureChain = ({ database }: EventFixture) =>
  database.rows(
    sql`insert into chains (environment, genesis_hash, program_id, operator) values ('test', 'genesis', 'program', 'operator')`,
  );

const withCode = (code: string) => ({ name: "ActionError", code });

test("an endpoint is out of reach for another business, and for the other environment of its own", async () => {
  await using fixture = await openEventFixture();
  const { database, tenant } = fixture;
  const { endpoint } = (await insertEndpoint(database, ring, tenant, { url: URL, eventTypes: null }))!;
  const [eventId] = await fixture.recordEvents(1);
  const rows = async () => ({
    endpoints: await database.rows(sql`select * from webhook_endpoints`),
    queue: await database.rows(sql`select * from webhook_queue`),
  });
  const before = await rows();
  for (const other of [await fixture.addTenant(), { ...tenant, environment: "live" as const }])
    for (const act of [
      () => updateEndpoint(database, actor, other, endpoint.id, { url: "https://evil.com/" }),
      () => rollSecret(database, actor, ring, other, endpoint.id, "none"),
      () => enableEndpoint(database, actor, other, endpoint.id),
      () => disableEndpoint(database, actor, other, endpoint.id),
      () => deleteEndpoint(database, actor, other, endpoint.id),
      () => testEndpoint(database, actor, other, endpoint.id),
      () => listDeliveries(database, other, endpoint.id, { status: null, eventId: null, limit: 20 }),
      () => resendDelivery(database, actor, other, endpoint.id, eventId!),
      () => resendAllOfObject(database, actor, callOf(other, endpoint.id), `pi_test_${"1".padStart(36, "0")}`),
      () => replaySince(database, actor, callOf(other, endpoint.id), { afterSequence: 0n }),
    ])
      await assert.rejects(act, withCode("endpoint_not_found"));
  assert.deepEqual(await rows(), before);
});

test("an endpoint needs a chain, a public URL, known types and a business, in this order; the sixth is refused", async () => {
  await using fixture = await openEventFixture();
  const { database, tenant } = fixture;
  const bad = { url: "http://shop.com/", eventTypes: ["payment.vanished"] };
  const nobody = { ...tenant, businessId: `biz_${"0".repeat(32)}` };
  await assert.rejects(addEndpoint(database, actor, ring, nobody, bad), withCode("chain_not_configured"));
  await configureChain(fixture);
  await assert.rejects(addEndpoint(database, actor, ring, nobody, bad), withCode("endpoint_url_invalid"));
  await assert.rejects(
    addEndpoint(database, actor, ring, nobody, { ...bad, url: URL }),
    withCode("endpoint_types_invalid"),
  );
  const good = { url: URL, eventTypes: ["all"] };
  await assert.rejects(addEndpoint(database, actor, ring, nobody, good), withCode("business_not_found"));
  for (let count = 0; count < ENDPOINTS_MAX; count++) await addEndpoint(database, actor, ring, tenant, good);
  await assert.rejects(addEndpoint(database, actor, ring, tenant, good), withCode("endpoint_limit_reached"));
});

test("what has nothing to send again says so", async () => {
  await using fixture = await openEventFixture();
  const { database, tenant } = fixture;
  const { endpoint } = (await insertEndpoint(database, ring, tenant, { url: URL, eventTypes: null }))!;
  await assert.rejects(
    resendDelivery(database, actor, tenant, endpoint.id, "evt_test_unknown"),
    withCode("delivery_not_found"),
  );
  await assert.rejects(
    resendAllOfObject(database, actor, callOf(tenant, endpoint.id), "pi_test_unknown"),
    withCode("object_has_no_events"),
  );
});

test("§6.7 a person's steps lead where their table says, from every status", async () => {
  await using fixture = await openEventFixture();
  const { database, tenant } = fixture;
  const { id } = (await insertEndpoint(database, ring, tenant, { url: URL, eventTypes: null }))!.endpoint;
  const acts = { enabled_by_a_person: enableEndpoint, disabled_by_a_person: disableEndpoint };
  for (const name of ["enabled_by_a_person", "disabled_by_a_person"] as const)
    for (const status of ["enabled", "disabled", "failing"] as const) {
      await database.rows(sql`
        update webhook_endpoints set status = ${status}, times_failing = 1,
          disabled_at = case when ${status}::text <> 'enabled' then now() end
        where id = ${id}`);
      const { from, to } = ENDPOINT_STEPS[name];
      const { status: now } = await acts[name](database, actor, tenant, id);
      assert.equal(now, from.some((one) => one === status) ? to : status, `${name} of ${status}`);
    }
});
