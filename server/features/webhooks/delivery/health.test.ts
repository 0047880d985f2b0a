import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../store/sql.ts";
import { findEndpoint } from "../endpointQueries.ts";
import { describeState } from "../endpoints/describeState.ts";
import { changeEndpoint, insertEndpoint } from "../endpoints/queries.ts";
import { webhookFigures } from "../figures.ts";
import { newKeyRing } from "../sending/secret.ts";
import { claimAlone } from "../testing/claiming.ts";
import { type EventFixture, openEventFixture } from "../testing/eventFixture.ts";
import type { Endpoint } from "../webhook.ts";
import type { Claim } from "./claims.ts";
import { completeDeliveries, type Result } from "./completions.ts";
import { queueResend, queueTest } from "./queueQueries.ts";

const URL = "https://shop.com/hooks";
const REFUSED = "the connection was refused";

/** An endpoint of a fixture, with attempts that change its row. */
async function openEndpoint(fixture: EventFixture) {
  const added = await insertEndpoint(fixture.database, newKeyRing(), fixture.tenant, { url: URL, eventTypes: null });
  const { id } = added!.endpoint;
  const read = async (): Promise<Endpoint> => (await findEndpoint(fixture.database, fixture.tenant, id))!;
  const claim = () =>
    claimAlone(fixture.database, {
      slots: 100,
      failingSlots: 100,
      endpoints: [{ id, free: 64, failing: false }],
    });
  return {
    id,
    read,
    /** Attempts one new delivery per error, in one batch; null is a success. The last one ends last. */
    attempt: async (...errors: readonly (string | null)[]) => {
      await fixture.recordEvents(errors.length);
      const claims = await claim();
      await completeDeliveries(
        fixture.database,
        errors.map((error, index) => resultOf(claims[index]!, error, errors.length - index)),
      );
    },
    claim,
    /** Changes whenever the row is written. */
    version: async () =>
      (await fixture.database.row<{ version: string }>(
        sql`select xmin::text || ctid::text as version from webhook_endpoints where id = ${id}`,
      ))!.version,
  };
}

const resultOf = (claim: Claim, error: string | null, agoMs = 0): Result => ({
  claim,
  succeeded: error === null,
  statusCode: error === null ? 200 : null,
  error,
  errorClass: error === null ? null : "connection",
  tookMs: 1,
  agoMs,
});

test("§6.7.7 an endpoint fails from its first failed attempt on, with the newest reason, until one succeeds", async () => {
  await using fixture = await openEventFixture();
  const endpoint = await openEndpoint(fixture);
  assert.equal((await endpoint.read()).failingSince, null, "no attempt yet");
  // It began two milliseconds before it was written down.
  const before = Date.now() - 2;
  await endpoint.attempt(REFUSED);
  const first = await endpoint.read();
  const since = first.failingSince!.getTime();
  assert.ok(before <= since && since <= Date.now());
  assert.deepEqual([first.status, first.lastError], ["enabled", REFUSED]);
  const state = describeState(first, { endpointId: first.id, pending: 342, oldestAt: null });
  assert.match(
    state,
    /^Enabled\. Every attempt since \S+Z has failed: the connection was refused\. 342 deliveries wait to be sent\.$/,
  );
  await endpoint.attempt("answered 503 Service Unavailable", REFUSED, "no answer within 10 seconds");
  const later = await endpoint.read();
  assert.deepEqual([later.failingSince, later.lastError], [first.failingSince, "no answer within 10 seconds"]);
  await endpoint.attempt(REFUSED, null);
  const well = await endpoint.read();
  assert.deepEqual([well.failingSince, well.lastError], [null, null]);
  await endpoint.attempt(null, REFUSED, "answered 500 Internal Server Error");
  const again = await endpoint.read();
  assert.ok(again.failingSince! > first.failingSince!, "since the failure after the success");
  assert.equal(again.lastError, "answered 500 Internal Server Error");
});

test("§6.7.7 deliveries that go as those before them do not write the endpoint's row", async () => {
  await using fixture = await openEventFixture();
  const endpoint = await openEndpoint(fixture);
  for (const steady of [null, REFUSED]) {
    await endpoint.attempt(steady);
    const version = await endpoint.version();
    await endpoint.attempt(steady, steady);
    await endpoint.attempt(steady);
    assert.equal(await endpoint.version(), version, String(steady));
  }
});

test("§6.7.7 the ninth failure and resends count for an endpoint's health; tests do not, and another URL begins again", async () => {
  await using fixture = await openEventFixture();
  const { database } = fixture;
  const endpoint = await openEndpoint(fixture);
  const [event] = await fixture.recordEvents(1);
  await database.rows(sql`update webhook_queue set attempts = 8`);
  await completeDeliveries(database, [resultOf((await endpoint.claim())[0]!, REFUSED)]);
  assert.deepEqual([(await endpoint.read()).abandonedInARow, (await endpoint.read()).lastError], [1, REFUSED]);

  const resend = async (error: string | null) => {
    await database.transaction(async (db) => queueResend(db, await endpoint.read(), event!));
    await completeDeliveries(database, [resultOf((await endpoint.claim())[0]!, error)]);
  };
  await resend(null);
  assert.deepEqual([(await endpoint.read()).abandonedInARow, (await endpoint.read()).failingSince], [0, null]);
  await queueTest(database, await endpoint.read());
  await completeDeliveries(database, [resultOf((await endpoint.claim())[0]!, REFUSED)]);
  assert.equal((await endpoint.read()).failingSince, null, "a test");
  await resend("the certificate is self-signed");
  assert.equal((await endpoint.read()).lastError, "the certificate is self-signed");

  await changeEndpoint(database, await endpoint.read(), { url: URL, eventTypes: ["payment.protected"] });
  assert.notEqual((await endpoint.read()).failingSince, null, "the same URL");
  await changeEndpoint(database, await endpoint.read(), { url: `${URL}/2`, eventTypes: null });
  assert.deepEqual([(await endpoint.read()).failingSince, (await endpoint.read()).lastError], [null, null]);
});

test("§6.7.7 the figures count endpoints whose newest attempt failed, but none that a person disabled", async () => {
  await using fixture = await openEventFixture();
  const { database } = fixture;
  await database.rows(
    sql`insert into chains (environment, genesis_hash, program_id, operator) values ('test', 'any', 'any', 'any')`,
  );
  const [refusing, repaired, disabled] = [
    await openEndpoint(fixture),
    await openEndpoint(fixture),
    await openEndpoint(fixture),
  ];
  for (const endpoint of [refusing, repaired, disabled])
    await database.rows(sql`
      update webhook_endpoints set failing_since = now(), last_error = ${REFUSED} where id = ${endpoint.id}`);
  await database.rows(
    sql`update webhook_endpoints set failing_since = null, last_error = null where id = ${repaired.id}`,
  );
  await database.rows(
    sql`update webhook_endpoints set status = 'disabled', disabled_at = now() where id = ${disabled.id}`,
  );
  const figure = webhookFigures(database).find(({ name }) => name === "holdfast_webhook_endpoints_failing");
  assert.deepEqual(await figure!.read(), [{ labels: { environment: "test" }, value: 1 }]);
});
