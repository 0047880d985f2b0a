import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { aLoggedRequest } from "./fixtures.ts";
import { findRequest, listRequests } from "./queries.ts";
import { droppedFigure, RequestRecorder } from "./recorder.ts";
import type { LoggedRequest } from "./request.ts";
import { keepRequests } from "./upkeep.ts";

const TENANT = { businessId: `biz_${"1".repeat(32)}`, environment: "test" } as const;
const aRequest = (differs: Partial<LoggedRequest> = {}): LoggedRequest => ({
  ...aLoggedRequest(TENANT),
  ...differs,
});
const silent = () => undefined;
/** A wait that no test reaches: `stop` writes the requests. */
const NEVER_MS = 3_600_000;
const OPTIONS = { perSecondMax: 100_000, gatherMs: NEVER_MS };
const add = (recorder: RequestRecorder, request: LoggedRequest) => recorder.add(request.status, () => request);
const ALL = {
  key: null,
  errorCode: null,
  failed: null,
  about: null,
  arrivedAfter: null,
  arrivedBefore: null,
  startingAfter: null,
  limit: 100,
};

test("§13.9 each filter lists what it names, newest first, and nobody else's", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await keepRequests(database, silent);
  const recorder = new RequestRecorder(database, silent, OPTIONS);
  const made = [
    aRequest({ objectId: "pi_test_1", body: '{"amount":"1"}' }),
    aRequest({ status: 400, errorCode: "invalid_request", keyId: "key_2" }),
    aRequest({ status: 409, errorCode: "reference_in_use", objectId: "pi_test_1" }),
    aRequest({ environment: "live" }),
    aRequest({ businessId: "biz_other" }),
  ];
  for (const one of made) add(recorder, one);
  await recorder.stop();
  const [first, second, third, live, others] = made.map(({ id }) => id);
  const list = async (filter: object) =>
    (await listRequests(database, TENANT, { ...ALL, ...filter })).map(({ id }) => id);
  assert.deepEqual(await list({}), [third, second, first]);
  assert.deepEqual(await list({ key: "key_2" }), [second]);
  assert.deepEqual(await list({ errorCode: "reference_in_use" }), [third]);
  assert.deepEqual(await list({ failed: true }), [third, second]);
  assert.deepEqual(await list({ failed: false }), [first]);
  assert.deepEqual(await list({ key: "key_1", failed: true }), [third]);
  assert.deepEqual(await list({ key: "key_2", errorCode: "invalid_request" }), [second]);
  assert.deepEqual(await list({ key: "key_1", errorCode: "invalid_request" }), []);
  assert.deepEqual(await list({ about: "pi_test_1", errorCode: "reference_in_use" }), [third]);
  assert.deepEqual(await list({ about: "pi_test_1", failed: true }), [third]);
  assert.deepEqual(
    await list({ startingAfter: third, limit: 1 }),
    [second, first],
    "one more says that there are more",
  );
  assert.deepEqual(await list({ arrivedBefore: new Date(0) }), []);
  assert.deepEqual(await list({ arrivedAfter: new Date(0) }), [third, second, first]);
  assert.equal((await findRequest(database, TENANT, first!))!.body, '{"amount":"1"}');
  for (const id of [live!, others!, "none", `req_${"0".repeat(32)}`])
    assert.equal(await findRequest(database, TENANT, id), null, id);
});

test("§13.9 what comes while too many wait is dropped and counted, and so is what cannot be written", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const recorder = new RequestRecorder(database, silent, OPTIONS);
  for (let count = 0; count < 5_003; count++) add(recorder, aRequest());
  assert.equal(recorder.dropped, 3);
  await recorder.stop();
  assert.equal((await database.row<{ count: string }>(sql`select count(*) from request_log`))!.count, "5000");

  const broken = { rows: () => Promise.reject(new Error("away")) } as unknown as Database;
  const failing = new RequestRecorder(broken, silent, OPTIONS);
  for (let count = 0; count < 501; count++) add(failing, aRequest());
  await failing.stop();
  assert.deepEqual(await droppedFigure(failing).read(), [{ labels: {}, value: 501 }]);
});

test("§13.9 of what comes beyond so many a second the rest is dropped and counted, successes and failures apart", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await keepRequests(database, silent);
  let nowMs = 0;
  const recorder = new RequestRecorder(database, silent, { perSecondMax: 2, gatherMs: NEVER_MS, now: () => nowMs });
  const failed = { status: 400, errorCode: "invalid_request" };
  for (let count = 0; count < 5; count++) add(recorder, aRequest());
  for (let count = 0; count < 3; count++) add(recorder, aRequest(failed));
  assert.equal(recorder.dropped, 4);
  nowMs = 999;
  add(recorder, aRequest());
  assert.equal(recorder.dropped, 5);
  nowMs = 1_000;
  for (let count = 0; count < 2; count++) add(recorder, aRequest());
  assert.equal(recorder.dropped, 5, "the next second has an allowance of its own");
  await recorder.stop();
  assert.equal((await listRequests(database, TENANT, { ...ALL, failed: false })).length, 4);
  assert.equal((await listRequests(database, TENANT, { ...ALL, failed: true })).length, 2);
});

test("§13.9.2 what a business sends beyond its rate displaces no failure of another", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await keepRequests(database, silent);
  const recorder = new RequestRecorder(database, silent, { perSecondMax: 2, gatherMs: NEVER_MS, now: () => 0 });
  const limited = { businessId: "biz_other", status: 429, errorCode: "rate_limited" };
  for (let count = 0; count < 5; count++) add(recorder, aRequest(limited));
  const asked = aRequest({ status: 400, errorCode: "invalid_request" });
  add(recorder, asked);
  await recorder.stop();
  assert.notEqual(await findRequest(database, TENANT, asked.id), null);
  assert.equal(recorder.dropped, 3);
});

test("§13.9 days past the seventh are dropped whole", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.rows(sql`
    create table request_log_19700101 partition of request_log for values from ('1970-01-01 00:00Z') to ('1970-01-02 00:00Z')`);
  const old = aRequest({ id: `req_${"0".repeat(32)}` });
  const recorder = new RequestRecorder(database, silent, OPTIONS);
  add(recorder, old);
  await recorder.stop();
  assert.notEqual(await findRequest(database, TENANT, old.id), null);
  await keepRequests(database, silent);
  assert.equal(await findRequest(database, TENANT, old.id), null);
});
