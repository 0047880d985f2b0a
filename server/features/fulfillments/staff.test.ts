import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { untilTaken } from "../../../tests/harness/merchant.ts";
import type { Browser } from "../../../tests/harness/staffBrowser.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import { insertIntent } from "../staff/testing/objects.ts";

let staff: StaffServer;
let business: string;
const browsers = {} as Record<"disputes" | "developer", Browser>;
before(async () => {
  staff = await startStaffServer();
  const roles = ["disputes", "developer"] as const;
  const members: [string, (typeof roles)[number]][] = [];
  for (const role of roles) members.push([await staff.addUser(`${role}@shop.example`), role]);
  business = await staff.addBusiness("shop", Object.fromEntries(members));
  for (const role of roles) browsers[role] = await staff.signIn(`${role}@shop.example`);
});
after(() => staff?.[Symbol.asyncDispose]());

async function newPath(): Promise<string> {
  const { intent } = await insertIntent(staff.database, { businessId: business, environment: "test" });
  return `/businesses/${business}/test/payment-intents/${intent.id}/fulfillments`;
}

test("§13.20.3 a member who answers disputes records what was sent; others read it, and it is in the audit log", async () => {
  const path = await newPath();
  const facts = {
    carrier: "DHL",
    trackingNumber: "0034",
    link: "https://tracking.example/0034?lang=en",
    sentAt: "2024-03-01T09:00:00.000Z",
    deliveredAt: "2024-03-04T10:30:00.000Z",
  };
  const before = Date.now();
  const recorded = await browsers.disputes.post(path, facts);
  assert.equal(recorded.status, 201, recorded.text);
  const { id, recordedAt, object, intent, ...shown } = recorded.json;
  assert.deepEqual([object, shown, path.includes(intent)], ["fulfillment", { ...facts, delivery: null }, true]);
  assert.match(id, /^ff_test_[0-9a-z]{4}[0-9a-f]{32}$/);
  assert.ok(before <= Date.parse(recordedAt) && Date.parse(recordedAt) <= Date.now());
  assert.deepEqual((await browsers.developer.get(path)).json.data, [recorded.json]);
  assert.equal((await browsers.developer.post(path, facts)).status, 403);
  const [entry] = await staff.database.rows<{ action: string }>(sql`
    select action from audit_log where business_id = ${business} order by id desc limit 1`);
  assert.equal(entry?.action, "fulfillment.recorded");
});

test("§4.19.1 facts that cannot be are refused by name", async () => {
  const path = await newPath();
  const ahead = new Date(Date.now() + 2 * 86_400_000).toISOString();
  for (const [body, param] of [
    [{}, "carrier"],
    [{ carrier: null }, "carrier"],
    [{ carrier: "" }, "carrier"],
    [{ trackingNumber: "a\nb" }, "trackingNumber"],
    [{ trackingNumber: "https://www.dhl.com/track?id=0034" }, "trackingNumber"],
    [{ carrier: "dhl.com" }, "carrier"],
    [{ carrier: `D${"\u0489".repeat(20)}HL` }, "carrier"],
    [{ link: "http://tracking.example/" }, "link"],
    [{ link: "javascript:alert(1)" }, "link"],
    [{ link: "https://user:secret@tracking.example/" }, "link"],
    [{ link: "https://tracking.example/#a" }, "link"],
    [{ link: "https://tracking.example/#" }, "link"],
    [{ link: "https://localhost/" }, "link"],
    [{ sentAt: "yesterday" }, "sentAt"],
    [{ sentAt: ahead }, "sentAt"],
    [{ sentAt: "2024-03-04T09:00:00Z", deliveredAt: "2024-03-03T09:00:00Z" }, "deliveredAt"],
    [{ carrier: "DHL", metadata: {} }, "metadata"],
  ] as const) {
    const answer = await browsers.disputes.post(path, body);
    assert.deepEqual([answer.status, answer.json.error?.param], [400, param], answer.text);
  }
  assert.deepEqual((await browsers.disputes.get(path)).json.data, []);
});

test("§4.19.2 of 24 at once 20 are recorded, and none is changed or deleted", async () => {
  const path = await newPath();
  // A busy machine has no connection in time for some of them: they are asked again, as a browser does.
  const record = (index: number) => untilTaken(() => browsers.disputes.post(path, { trackingNumber: `${index}` }));
  const answers = await Promise.all(Array.from({ length: 24 }, (_, index) => record(index)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 20);
  for (const { json } of answers.filter(({ status }) => status !== 201))
    assert.equal(json.error.reason, "limit_reached");
  for (const change of [sql`update fulfillments set carrier = 'x'`, sql`delete from fulfillments`])
    await assert.rejects(staff.database.rows(change), /never changed/);
});
