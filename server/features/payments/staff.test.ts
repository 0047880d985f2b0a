import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "../../../tests/harness/staffBrowser.ts";
import type { Tenant } from "../../domain/callers.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { insertIntent, insertPayment, someAddress } from "../staff/testing/objects.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SOL = "So11111111111111111111111111111111111111112";

let staff: StaffServer;
let user: string;
let browser: Browser;
before(async () => {
  staff = await startStaffServer();
  user = await staff.addUser("reader@shop.com");
  browser = await staff.signIn("reader@shop.com");
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at) values
      ('test', ${USDC}, true, 6, 'any', '{}', now()), ('test', ${SOL}, true, 9, 'any', '{}', now())`);
});
after(() => staff?.[Symbol.asyncDispose]());

async function newTenant(name: string): Promise<Tenant> {
  return { businessId: await staff.addBusiness(name, { [user]: "read_only" }), environment: "test" };
}

/** A payment whose row is changed as said. Returns its address. */
async function addPayment(
  tenant: Tenant,
  terms: { amount?: string; asset?: string; merchantReference?: string } = {},
  changes: Sql = sql`finalized = true`,
): Promise<string> {
  const { intent } = await insertIntent(staff.database, tenant, { asset: USDC, ...terms });
  const address = await insertPayment(staff.database, intent);
  await staff.database.rows(sql`update payments set ${changes} where address = ${address}`);
  return address;
}

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly hasMore: boolean;
  readonly next: string | null;
  readonly at: string;
}
async function readPage({ businessId }: Tenant, query = "", environment = "test"): Promise<Page> {
  const answer = await browser.get(`/businesses/${businessId}/${environment}/payments?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}
const idsOf = async (tenant: Tenant, query = "") => (await readPage(tenant, query)).data.map(({ id }) => id);

/** All payments that the pages of a query show, and the number of pages. */
async function walk(tenant: Tenant, query: string): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let next: string | null = null;
  for (let pages = 1; pages < 100; pages++) {
    const page: Page = await readPage(tenant, `${query}${next === null ? "" : `&starting_after=${next}`}`);
    ids.push(...page.data.map(({ id }) => id));
    assert.equal(page.hasMore, page.next !== null);
    next = page.next;
    if (next === null) return { ids, pages };
  }
  throw new Error("The list does not end.");
}

const REFUNDED = sql`status = 'refunded', refunded_at = now(), amount_refunded = amount, refund_total = amount, outcome = 'resolved'`;

test("§13.10.8 payments are listed newest first, and each filter finds its own, alone and with others", async () => {
  const tenant = await newTenant("filters");
  const plain = await addPayment(tenant, { amount: "48000000", merchantReference: "order-10" });
  const disputed = await addPayment(
    tenant,
    { amount: "48500000", merchantReference: "order-1041" },
    sql`status = 'disputed', disputed_at = now(), late_reason = 'paid_after_expiry', over_limit = true`,
  );
  const refunded = await addPayment(
    tenant,
    { amount: "48000000000", asset: SOL, merchantReference: "Order-10" },
    sql`${REFUNDED}, disputed_at = now(), role = 'duplicate', created_at = '2026-01-05T00:00:00Z', protection_period = 'thirtyDays'`,
  );
  const unknown = await addPayment(tenant, { amount: "48", asset: someAddress(), merchantReference: "x%_" });
  await staff.database.rows(sql`update clocks set ahead = interval '10 days' where environment = 'test'`);
  const later = await readPage(tenant, "limit=1");
  await staff.database.rows(sql`update clocks set ahead = interval '0' where environment = 'test'`);
  const page = await readPage(tenant, "limit=1");
  const [shown] = page.data as unknown as Record<string, unknown>[];
  const aheadMs = Date.parse(later.at) - Date.parse(page.at);
  assert.equal(Math.round(aheadMs / 86_400_000), 10, "the list has the time by which its periods end");
  assert.deepEqual([shown!.object, shown!.id, shown!.settleable, shown!.resolveBy], ["payment", unknown, false, null]);
  const { sender } = (await staff.database.row<{ sender: string }>(
    sql`select sender from payments where address = ${disputed}`,
  ))!;
  for (const [query, expected] of [
    ["", [unknown, refunded, disputed, plain]],
    ["status=protected", [unknown, plain]],
    ["status=disputed", [disputed]],
    ["status=refunded", [refunded]],
    ["status=released", []],
    [`asset=${USDC}`, [disputed, plain]],
    [`asset=${SOL}&status=disputed`, []],
    ["amount_min=48&amount_max=48", [refunded, plain]],
    ["amount_min=48.00&amount_max=48", [refunded, plain]],
    [`amount_min=48&amount_max=48&asset=${SOL}`, [refunded]],
    ["amount_min=48&amount_max=48&status=protected", [plain]],
    ["amount_min=48.0000001&amount_max=48.0000001", []],
    ["amount_min=48.000001", [disputed]],
    ["amount_max=48.4", [refunded, plain]],
    ["amount_min=0", [refunded, disputed, plain]],
    ["protection_period=thirtyDays", [refunded]],
    ["reference_prefix=order-10", [disputed, plain]],
    ["reference_prefix=x%25_", [unknown]],
    ["reference_part=1041", [disputed]],
    ["reference_part=ORDER", [refunded, disputed, plain]],
    ["reference_part=r-1&status=protected", [plain]],
    ["reference_part=%25_", [unknown]],
    ["reference_prefix=x%25_%00", []],
    [`sender=${sender}`, [disputed]],
    [`sender=${someAddress()}`, []],
    ["late=true", [disputed]],
    ["late=false", [unknown, refunded, plain]],
    ["over_limit=true", [disputed]],
    ["over_limit=true&role=duplicate", []],
    ["over_limit=false", [unknown, refunded, plain]],
    ["role=duplicate", [refunded]],
    ["role=primary&late=true", [disputed]],
    ["disputed=true", [refunded, disputed]],
    ["disputed=false", [unknown, plain]],
    ["created_before=2026-01-06T00:00:00Z", [refunded]],
    ["created_before=2026-01-05T00:00:00Z", []],
    ["created_after=2026-01-05T00:00:00Z", [unknown, disputed, plain]],
    ["created_after=2026-01-04T00:00:00Z&status=protected", [unknown, plain]],
    [`starting_after=${refunded}`, [disputed, plain]],
    [`starting_after=${refunded}&status=protected`, [plain]],
  ] as const)
    assert.deepEqual(await idsOf(tenant, query), expected, query);
});

test("§13.10.8 a list in another order goes on where its page ended", async () => {
  const tenant = await newTenant("orders");
  const added: string[] = [];
  for (let n = 0; n < 5; n++)
    added.push(
      await addPayment(
        tenant,
        {},
        sql`merchant_reference = ${`walk-${n % 2}`},
          created_at = timestamptz '2026-03-01T00:00:00Z' - make_interval(days => ${n % 3}::integer)`,
      ),
    );
  const at = (...places: number[]) => places.map((place) => added[place]);
  assert.deepEqual((await walk(tenant, "reference_prefix=walk-&limit=2")).ids, at(3, 1, 4, 2, 0));
  assert.deepEqual((await walk(tenant, "created_after=2026-01-01T00:00:00Z&limit=2")).ids, at(3, 0, 4, 1, 2));
  assert.deepEqual((await walk(tenant, "created_before=2026-03-01T00:00:00Z&limit=1")).ids, at(4, 1, 2));
});

test("§13.10.9 a page reads a limited number of rows, and the walk shows every match once", async () => {
  const tenant = await newTenant("scans");
  const { businessId } = tenant;
  const first = await addPayment(tenant, { amount: "7000000" });
  const second = await addPayment(tenant, { amount: "8000000000", asset: SOL });
  // 250 further rows of each, in turns.
  const columns = await staff.database.rows<{ name: string }>(sql`
    select column_name as name from information_schema.columns
    where table_name = 'payments' and is_generated = 'NEVER' and column_name not in ('address', 'intent_id', 'recorded_sequence')`);
  const names = { strings: [columns.map(({ name }) => name).join(", ")], values: [] };
  const addresses = Array.from({ length: 500 }, someAddress);
  await staff.database.rows(sql`
    insert into payments (address, intent_id, recorded_sequence, ${names})
    select a.address, p.intent_id || a.n, 100 + a.n, ${names}
    from unnest(${addresses}::text[]) with ordinality a (address, n)
      join payments p on p.business_id = ${businessId}
        and p.address = case when a.n % 2 = 0 then ${first} else ${second} end`);

  const rare = await walk(tenant, "protection_period=oneHour");
  assert.deepEqual([rare.ids, rare.pages], [[], 5], "502 rows at 101 a page");
  const oldest = await walk(tenant, "status=protected&amount_min=7&amount_max=7.5");
  assert.equal(oldest.ids.length, 251);
  assert.equal(new Set(oldest.ids).size, 251);
  assert.equal(oldest.ids.at(-1), first);
  // An exact amount is another number of units in each token: two walks that are joined in their order.
  await staff.database.rows(
    sql`update payments set amount = 7000000000 where business_id = ${businessId} and asset = ${SOL}`,
  );
  const both = await walk(tenant, "amount_min=7&amount_max=7&limit=30");
  const all = await walk(tenant, "limit=100");
  assert.deepEqual(both.ids, all.ids);
  assert.equal(all.ids.length, 502);
});

test("§13.10.8 another business and the other environment see nothing, and what has no form is refused", async () => {
  const tenant = await newTenant("own");
  const stranger = await staff.addBusiness("stranger", {});
  const payment = await addPayment(tenant);
  const other = await newTenant("others");
  const theirs = await addPayment(other);
  assert.deepEqual((await readPage(tenant, "", "live")).data, []);
  assert.deepEqual(await idsOf(tenant), [payment]);
  const path = `/businesses/${tenant.businessId}/test/payments`;
  for (const cursor of [theirs, someAddress(), "x", "%00"]) {
    const answer = await browser.get(`${path}?starting_after=${cursor}`);
    assert.deepEqual([answer.status, answer.json.error.code], [404, "not_found"], cursor);
  }
  assert.equal((await browser.get(`/businesses/${stranger}/test/payments`)).status, 404);
  assert.equal((await browser.get(`/businesses/${stranger}/test/paid-assets`)).status, 404);
  for (const wrong of [
    "asset=USDC",
    "sender=me",
    "amount_min=-1",
    "amount_max=1e3",
    "amount_min=",
    "amount_min=123456789012345678901",
    "protection_period=week",
    "late=yes",
    "limit=101",
    "ending_before=x",
  ]) {
    const answer = await browser.get(`${path}?${wrong}`);
    assert.deepEqual([answer.status, answer.json.error.param], [400, wrong.split("=")[0]], wrong);
  }
});

test("§13.10.10 the tokens of a business are those of its payments that the chain has shown", async () => {
  const tenant = await newTenant("tokens");
  const read = async (environment = "test") =>
    (await browser.get(`/businesses/${tenant.businessId}/${environment}/paid-assets`)).json.data;
  assert.deepEqual(await read(), []);
  for (const asset of [USDC, SOL, USDC, someAddress()]) await addPayment(tenant, { asset });
  assert.deepEqual(
    (await read()).map((one: { symbol: string; decimals: number }) => [one.symbol, one.decimals]),
    [
      ["USDC", 6],
      ["SOL", 9],
    ],
  );
  assert.deepEqual(await read("live"), []);
});
