import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "../../../tests/harness/staffBrowser.ts";
import type { ChainReader } from "../../chain/port.ts";
import { ChainUnavailableError } from "../../chain/port.ts";
import { deliveryId, newRequestId } from "../../domain/ids.ts";
import type { Environment } from "../../domain/terms.ts";
import { aLoggedRequest } from "../../features/requests/fixtures.ts";
import { insertRequests } from "../../features/requests/queries.ts";
import { insertIntent, insertPayment, someAddress, someSignature } from "../../features/staff/testing/objects.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";

let staff: StaffServer;
/** The accounts on chain, by address; null while the chain is down. */
let accounts: Map<string, { paymentId: string }> | null = new Map();
before(async () => {
  const fetchPayments = async (addresses: readonly string[]) => {
    if (accounts === null) throw new ChainUnavailableError("away");
    return { value: addresses.map((address) => accounts!.get(address) ?? null), slot: 1, node: 0 };
  };
  const fetchTransaction = async () => {
    if (accounts === null) throw new ChainUnavailableError("away");
    return { value: { kind: "not_found" }, slot: 1, node: 0 };
  };
  staff = await startStaffServer({ reader: { fetchPayments, fetchTransaction } as unknown as ChainReader });
});
after(() => staff?.[Symbol.asyncDispose]());

/** A business with one object of each kind in an environment, and a browser of a member who may only read. */
async function fill(name: string, environment: Environment = "test") {
  const owner = await staff.addUser(`owner@${name}.com`);
  const reader = await staff.addUser(`reader@${name}.com`);
  const business = await staff.addBusiness(name, { [owner]: "owner", [reader]: "read_only" });
  const manager = await staff.signIn(`owner@${name}.com`);
  const tenant = { businessId: business, environment };
  const { intent, eventId } = await insertIntent(staff.database, tenant, { merchantReference: `order of ${name}` });
  const endpoint = (
    await manager.post(`/businesses/${business}/${environment}/endpoints`, { url: "https://shop.com/" })
  ).json;
  const key = (await manager.post(`/businesses/${business}/${environment}/keys`, { name: "Key" })).json;
  const sent = await insertIntent(staff.database, tenant);
  const request = newRequestId(new Date());
  await insertRequests(staff.database, [aLoggedRequest({ ...tenant, id: request, keyId: key.id })]);
  const signature = someSignature();
  const found = {
    payment_intent: intent.id,
    payment: await insertPayment(staff.database, intent, signature),
    event: eventId,
    webhook_endpoint: endpoint.id,
    webhook_delivery: deliveryId(sent.eventId, endpoint.id),
    api_key: key.id,
    request,
  };
  const others = { paymentId: intent.paymentId, reference: intent.merchantReference };
  return {
    business,
    tenant,
    intent,
    found,
    others,
    signature,
    secrets: [key.secret, endpoint.secret],
    browser: await staff.signIn(`reader@${name}.com`),
  };
}

/** The tables with a row that contains the text, in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await staff.database.rows<{ name: string }>(
    sql`select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition`,
  );
  assert.ok(tables.length > 20);
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const row = await staff.database.row(sql`
        select 1 from query_to_xml(format('select * from %I', ${name}::text), true, false, '') x
        where position(${text} in x::text) > 0`);
      return row === null ? [] : [name];
    }),
  );
  return found.flat();
}

const inspect = (browser: Browser, business: string, text: string, environment = "test") =>
  browser.post(`/businesses/${business}/${environment}/inspections`, { text });

test("§13.13 what is pasted is found in the own business and environment; anything else is answered as what nobody has", async () => {
  const own = await fill("own");
  const other = await fill("other");
  const unknown = await inspect(own.browser, own.business, `pi_test_${"f".repeat(36)}`);
  assert.deepEqual([unknown.status, unknown.json.error.code], [404, "not_found"]);
  for (const [kind, id] of Object.entries(own.found)) {
    const answer = await inspect(own.browser, own.business, ` "${id}" `);
    assert.deepEqual([answer.status, answer.json], [200, { object: "inspection", kind, id }], answer.text);
    const live = await inspect(own.browser, own.business, id, "live");
    assert.deepEqual([live.status, live.text], [404, unknown.text], `${kind} of the other environment`);
  }
  const onChain = someAddress();
  const theirsOnChain = someAddress();
  accounts!.set(onChain, { paymentId: own.intent.paymentId });
  accounts!.set(theirsOnChain, { paymentId: other.intent.paymentId });
  for (const text of [...Object.values(own.others), onChain]) {
    const answer = await inspect(own.browser, own.business, text);
    assert.deepEqual(answer.json, { object: "inspection", kind: "payment_intent", id: own.intent.id }, text);
  }
  const theirs = [...Object.values(other.found), ...Object.values(other.others), theirsOnChain];
  for (const text of [...theirs, "nothing", "%00", "", "x".repeat(2_000), someAddress()]) {
    const answer = await inspect(own.browser, own.business, text);
    assert.deepEqual([answer.status, answer.text], [404, unknown.text], text);
  }
  assert.equal((await inspect(own.browser, other.business, other.intent.id)).text, unknown.text, "another's inspector");
  for (const secret of own.secrets) {
    const answer = await inspect(own.browser, own.business, `Bearer ${secret}`);
    assert.deepEqual([answer.status, answer.json.error.code], [400, "invalid_request"]);
    assert.equal(answer.text.includes(secret), false);
    assert.deepEqual(await tablesWith(secret), [], "no table has it");
  }
});

test("§13.13.3 a transaction is explained to the business that it paid, and unknown to any other", async () => {
  const own = await fill("paid");
  const other = await fill("stranger");
  const explain = (browser: Browser, business: string, query = "") =>
    browser.get(`/businesses/${business}/test/transactions/${own.signature}${query}`);
  const explained = (await explain(own.browser, own.business)).json;
  assert.equal(explained.chain, "not_found");
  const [one] = explained.intents;
  assert.deepEqual([one.id, one.payments], [own.intent.id, [{ address: own.found.payment, isBound: true }]]);
  assert.deepEqual([one.verification.outcome, one.verification.rules[0].verdict], ["already_recorded", "fail"]);
  const strange = await explain(other.browser, other.business);
  const unknown = await other.browser.get(`/businesses/${other.business}/test/transactions/${someSignature()}`);
  assert.deepEqual([strange.status, strange.text], [404, unknown.text]);
  // With an own intent, it returns the chain's answer; with another's, nothing.
  const asked = (await explain(other.browser, other.business, `?intent=${other.intent.id}`)).json;
  assert.deepEqual([asked.intents[0].id, asked.intents[0].verification.reason], [other.intent.id, "not_found"]);
  assert.equal((await explain(other.browser, other.business, `?intent=${own.intent.id}`)).text, unknown.text);
});

test("§13.13.4 without the chain, what is known here is still shown; looks at the chain are counted", async () => {
  const own = await fill("away");
  accounts = null;
  try {
    const address = await inspect(own.browser, own.business, someAddress());
    assert.deepEqual([address.status, address.json.error.code], [503, "unavailable"]);
    const path = `/businesses/${own.business}/test/transactions`;
    const known = (await own.browser.get(`${path}/${own.signature}`)).json;
    assert.deepEqual(
      [known.chain, known.intents[0].id, known.intents[0].verification],
      ["unavailable", own.intent.id, null],
    );
    const unknown = (await own.browser.get(`${path}/${someSignature()}`)).json;
    assert.deepEqual([unknown.chain, unknown.intents], ["unavailable", []]);
    let last = address;
    for (let looks = 3; looks <= 30; looks++) last = await inspect(own.browser, own.business, someAddress());
    assert.equal(last.status, 429, last.text);
    assert.ok(Number(last.headers["retry-after"]) >= 1);
    assert.equal((await inspect(own.browser, own.business, own.intent.id)).status, 200, "what needs no look is found");
  } finally {
    accounts = new Map();
  }
});
