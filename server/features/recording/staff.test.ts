import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import type { NewIntent } from "../intents/intent.ts";
import { recordPayment } from "../overview/testing.ts";
import { insertMember } from "../staff/members/queries.ts";
import { insertIntent, someAddress } from "../staff/testing/objects.ts";

let staff: StaffServer;
let user: string;
before(async () => {
  staff = await startStaffServer();
  user = await staff.addUser("reader@unmatched.example");
});
after(() => staff?.[Symbol.asyncDispose]());

let names = 0;
async function newTenant() {
  const businessId = await staff.addBusiness(`unmatched ${++names}`, { [user]: "read_only" });
  const tenant = { businessId, environment: "test" } as const;
  const browser = await staff.signIn("reader@unmatched.example");
  const save = async (recipient: string) =>
    staff.database.rows(sql`
      insert into saved_recipients (business_id, environment, address, label, slot, added_at)
      values (${businessId}, 'test', ${recipient}, 'Till', 1, now())`);
  return {
    businessId,
    save,
    add: async (terms: Partial<NewIntent> = {}) => (await insertIntent(staff.database, tenant, terms)).intent,
    read: async (environment = "test", query = "") =>
      (await browser.get(`/businesses/${businessId}/${environment}/unmatched-payments${query}`)).json,
  };
}
interface Shown {
  readonly id: string;
  readonly intent: string | null;
  readonly mismatch: readonly string[];
  readonly amount: string;
}
const shownOf = ({ data }: { data: readonly Shown[] }) =>
  data.map(({ id, intent, mismatch, amount }) => [id, intent, mismatch, amount]);

test("§13.10.15 payments that match no order are listed to whom they concern, with what differs", async () => {
  const [own, other] = [await newTenant(), await newTenant()];
  assert.deepEqual((await own.read()).data, []);
  const intent = await own.add({ protectionPeriod: "threeDays" });
  const underpaid = await recordPayment(staff.database, intent, { amount: "4000000" });
  const recipient = someAddress();
  const stray = await recordPayment(
    staff.database,
    { ...intent, paymentId: "78", protectionPeriod: "sevenDays" },
    { recipient },
  );
  assert.deepEqual(shownOf(await own.read()), [[underpaid, intent.id, ["amount"], "4000000"]]);
  await own.save(recipient);
  assert.deepEqual(shownOf(await own.read()), [
    [underpaid, intent.id, ["amount"], "4000000"],
    [stray, null, [], intent.amount],
  ]);
  assert.deepEqual((await own.read("test", "?state=ended")).data, []);
  const end = (status: string) =>
    staff.database.rows(sql`update unmatched_payments set status = ${status} where address = ${stray}`);
  await end("released");
  assert.deepEqual(shownOf(await own.read()), [[underpaid, intent.id, ["amount"], "4000000"]]);
  assert.deepEqual(shownOf(await own.read("test", "?state=ended")), [[stray, null, [], intent.amount]]);
  await end("protected");
  assert.deepEqual([(await other.read()).data, (await own.read("live")).data], [[], []]);
  // What has left the escrow needs nobody any more.
  await staff.database.rows(sql`
    update unmatched_payments set status = 'refunded', outcome = 'refunded_by_recipient', refunded_at = now(),
      refund_total = amount, amount_refunded = amount where address = ${underpaid}`);
  assert.deepEqual(shownOf(await own.read()), [[stray, null, [], intent.amount]]);
});

test("§13.10.15 strangers who pay a saved recipient again and again make a list of fifty, which says that there are more", async () => {
  const { add, save, read } = await newTenant();
  const recipient = someAddress();
  await save(recipient);
  const intent = await add();
  for (let count = 0; count < 52; count++)
    await recordPayment(staff.database, { ...intent, paymentId: String(1_000 + count) }, { recipient });
  const underpaid = await recordPayment(
    staff.database,
    { ...intent, protectionPeriod: "sevenDays" },
    { amount: "4000000" },
  );
  // In the name of an order, and to a wallet of their own: it costs them nothing.
  const toThemselves = await recordPayment(staff.database, await add(), { recipient: someAddress() });
  const { data, hasMore } = await read();
  assert.deepEqual([data.length, hasMore, data[0].id], [50, true, underpaid], "they hide no payment of an order");
  assert.ok(data.every(({ id }: Shown) => id !== toThemselves));
});

test("§13.10.15 strangers who pay themselves in the name of orders hide no payment of an order, on Home either", async () => {
  const { businessId, add, read } = await newTenant();
  const reader = await staff.signIn("reader@unmatched.example");
  const underpaid = await recordPayment(staff.database, await add(), { amount: "4000000" });
  // An intent has three such events, and the list reads a hundred.
  for (let made = 0; made < 102; made += 3) {
    const intent = await add();
    for (let count = 0; count < 3; count++) await recordPayment(staff.database, intent, { recipient: someAddress() });
  }
  assert.equal((await read()).data[0].id, underpaid);
  const { matters } = (await reader.get(`/businesses/${businessId}/test/overview`)).json;
  assert.deepEqual(
    matters.map(({ kind, id }: { kind: string; id: string }) => [kind, id]),
    [["unmatched", underpaid]],
  );
});

test("§13.10.15 a payment of an order is recorded and listed whatever numbers the order's metadata holds", async () => {
  const { businessId, add, read } = await newTenant();
  const reader = await staff.signIn("reader@unmatched.example");
  // PostgreSQL has no type for it.
  const underpaid = await recordPayment(staff.database, await add({ metadata: '{"n":1e999999}' }), {
    amount: "4000000",
  });
  assert.equal((await read()).data[0].id, underpaid);
  const { matters } = (await reader.get(`/businesses/${businessId}/test/overview`)).json;
  assert.deepEqual(
    matters.map(({ id }: { id: string }) => id),
    [underpaid],
  );
});

test("§13.10.16 a member notes the order of a payment that matches none: it changes nothing else, and hides nothing", async () => {
  const { businessId, add, read } = await newTenant();
  const other = await newTenant();
  const owner = await staff.addUser(`owner-${businessId}@unmatched.example`);
  await insertMember(staff.database, businessId, owner, "owner");
  const browser = await staff.signIn(`owner-${businessId}@unmatched.example`);
  const intent = await add({ protectionPeriod: "threeDays" });
  const address = await recordPayment(staff.database, intent, { amount: "4000000" });
  const path = (business: string, id = address) => `/businesses/${business}/test/unmatched-payments/${id}/note`;
  const facts = async () =>
    staff.database.rows(sql`
      select (select json_agg(i) from intents i where i.business_id = ${businessId}) as intents,
        (select json_agg(u) from unmatched_payments u where u.address = ${address}) as payments,
        (select count(*) from events where business_id = ${businessId}) as events`);
  const [before, listed] = [await facts(), (await read()).data[0]];
  const put = (body: unknown) => browser.send("PUT", path(businessId), body);
  assert.equal((await put({ note: "Belongs to order 1036" })).status, 200);
  const { note, notedBy, notedAt, at: _, ...rest } = (await read()).data[0];
  assert.deepEqual(
    [note, notedBy, notedAt !== null],
    ["Belongs to order 1036", `owner-${businessId}@unmatched.example`, true],
  );
  assert.deepEqual({ ...rest, note: null, notedBy: null, notedAt: null, at: listed.at }, listed);
  assert.deepEqual(await facts(), before);
  assert.deepEqual((await other.read()).data, []);
  const entries = (await browser.get(`/businesses/${businessId}/audit?action=payment.noted`)).json.data;
  assert.deepEqual([entries[0].target, entries[0].details], [address, { note: "Belongs to order 1036" }]);
  for (const wrong of ["", " ", "a".repeat(501), "two\nlines", 7])
    assert.equal((await put({ note: wrong })).json.error.param, "note", JSON.stringify(wrong));
  assert.equal((await browser.send("PUT", path(businessId, someAddress()), { note: "x" })).status, 404);
  assert.equal((await browser.send("PUT", path(other.businessId), { note: "x" })).status, 404);
  const reader = await staff.signIn("reader@unmatched.example");
  assert.equal((await reader.send("PUT", path(businessId), { note: "x" })).json.error.code, "forbidden");
  assert.equal((await put({ note: null })).status, 200);
  assert.deepEqual({ ...(await read()).data[0], at: listed.at }, listed);
});
