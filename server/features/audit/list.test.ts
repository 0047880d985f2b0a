import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";

let staff: StaffServer;
before(async () => {
  staff = await startStaffServer();
});
after(() => staff?.[Symbol.asyncDispose]());

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly target: string;
  readonly recordedAt: string;
}

test("§13.6.3 entries are listed by action, actor, object and time, all combined, page by page, and never those of others", async () => {
  const [ada, bob] = [await staff.addUser("ada@shop.example"), await staff.addUser("bob@shop.example")];
  const business = await staff.addBusiness("shop", { [ada]: "owner", [bob]: "admin" });
  const other = await staff.addBusiness("other", { [ada]: "owner" });
  const [asAda, asBob] = [await staff.signIn("ada@shop.example"), await staff.signIn("bob@shop.example")];
  const key = (await asAda.post(`/businesses/${business}/test/keys`, { name: "One" })).json.id;
  await asBob.post(`/businesses/${business}/test/keys/${key}/revoke`);
  await asBob.post(`/businesses/${business}/live/keys`, { name: "Two" });
  await asAda.send("PATCH", `/businesses/${business}/profile`, { name: "Shop" });
  await asAda.post(`/businesses/${other}/test/keys`, { name: "Theirs" });
  const list = async (query: Record<string, string> = {}): Promise<Entry[]> => {
    const { status, json } = await asBob.get(`/businesses/${business}/audit?${new URLSearchParams(query)}`);
    assert.equal(status, 200, JSON.stringify(json));
    return json.data;
  };
  const all = await list();
  const actions = (entries: readonly Entry[]) => entries.map(({ action }) => action);
  assert.deepEqual(actions(all), ["business.changed", "key.issued", "key.revoked", "key.issued"]);

  assert.deepEqual(actions(await list({ action: "key.issued" })), ["key.issued", "key.issued"]);
  assert.deepEqual(actions(await list({ actor: bob })), ["key.issued", "key.revoked"]);
  assert.deepEqual(actions(await list({ actor: "BOB@shop.example" })), ["key.issued", "key.revoked"]);
  assert.deepEqual(actions(await list({ target: key })), ["key.revoked", "key.issued"]);
  assert.deepEqual(actions(await list({ actor: "ada@shop.example", target: key })), ["key.issued"]);
  const at = all[2]!.recordedAt;
  assert.deepEqual(await list({ recorded_after: at }), all.slice(0, 2));
  assert.deepEqual(await list({ recorded_before: at }), all.slice(3));
  assert.deepEqual(await list({ recorded_after: at, action: "key.issued" }), all.slice(1, 2));
  for (const nothing of [{ actor: "cli" }, { actor: "\0" }, { target: "none" }, { action: "domain.lost" }])
    assert.deepEqual(await list(nothing), [], JSON.stringify(nothing));
  const theirs = await staff.database.row<{ target: string }>(
    sql`select target from audit_log where business_id = ${other} and action = 'key.issued'`,
  );
  assert.deepEqual(await list({ target: theirs!.target }), []);

  const pages: Entry[] = [];
  for (let more = true; more && pages.length < 10; ) {
    const query = new URLSearchParams({ actor: ada, limit: "1" });
    const last = pages.at(-1);
    if (last !== undefined) query.set("starting_after", last.id);
    const { json } = await asBob.get(`/businesses/${business}/audit?${query}`);
    pages.push(...json.data);
    more = json.hasMore;
  }
  assert.deepEqual(actions(pages), ["business.changed", "key.issued"]);
  for (const [name, value] of [
    ["action", "key"],
    ["recorded_after", "yesterday"],
    ["limit", "0"],
    ["who", "ada"],
  ] as const) {
    const { status, json } = await asBob.get(`/businesses/${business}/audit?${new URLSearchParams({ [name]: value })}`);
    assert.deepEqual([status, json.error.param], [400, name]);
  }
});
