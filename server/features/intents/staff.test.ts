import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "../../../tests/harness/staffBrowser.ts";
import type { Tenant } from "../../domain/callers.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import { insertIntent, someAddress } from "../staff/testing/objects.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

let staff: StaffServer;
let user: string;
let browser: Browser;
before(async () => {
  staff = await startStaffServer();
  user = await staff.addUser("reader@shop.com");
  browser = await staff.signIn("reader@shop.com");
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    values ('test', ${USDC}, true, 6, 'any', '{}', now())`);
});
after(() => staff?.[Symbol.asyncDispose]());

const newTenant = async (name: string): Promise<Tenant> => ({
  businessId: await staff.addBusiness(name, { [user]: "read_only" }),
  environment: "test",
});

async function readPage({ businessId }: Tenant, query = "", environment = "test") {
  const answer = await browser.get(`/businesses/${businessId}/${environment}/payment-intents?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json as { data: { id: string; status: string }[]; hasMore: boolean; next: string | null };
}
const idsOf = async (tenant: Tenant, query = "") => (await readPage(tenant, query)).data.map(({ id }) => id);

test("§13.10.8 intents are listed newest first by the merchant's filters and further ones, alone and together", async () => {
  const tenant = await newTenant("filters");
  const add = async (...given: [Parameters<typeof insertIntent>[2]]) =>
    (await insertIntent(staff.database, tenant, ...given)).intent.id;
  const open = await add({ asset: USDC, amount: "48000000", merchantReference: "order-10" });
  const month = await add({
    asset: USDC,
    amount: "48500000",
    protectionPeriod: "thirtyDays",
    merchantReference: "order-1041",
  });
  const late = await add({ merchantReference: "Order-10" });
  await staff.database.rows(sql`
    update intents set created_at = created_at - interval '2 hours', expires_at = date_trunc('second', now() - interval '1 hour')
    where id = ${late}`);
  for (const [query, expected] of [
    ["", [late, month, open]],
    ["status=requires_payment", [month, open]],
    ["status=expired", [late]],
    ["status=paid", []],
    ["merchant_reference=order-10", [open]],
    ["reference_prefix=order-10", [month, open]],
    ["reference_prefix=order-10&status=expired", []],
    ["reference_part=DER-10", [late, month, open]],
    ["reference_part=041", [month]],
    [`asset=${USDC}`, [month, open]],
    [`asset=${someAddress()}`, []],
    ["amount_min=48&amount_max=48", [open]],
    ["amount_min=48.1", [month]],
    ["protection_period=thirtyDays", [month]],
    [`starting_after=${late}`, [month, open]],
    [`starting_after=${month}&amount_min=48`, [open]],
    ["created_before=2020-01-01T00:00:00Z", []],
  ] as const)
    assert.deepEqual(await idsOf(tenant, query), expected, query);
  assert.equal((await readPage(tenant, "status=expired")).data[0]!.status, "expired");
});

test("§13.10.9 a page reads a limited number of intents, and the walk shows every match once", async () => {
  const tenant = await newTenant("scans");
  const oldest = (await insertIntent(staff.database, tenant, { merchantReference: "rare-1" })).intent.id;
  for (let n = 0; n < 110; n++) await insertIntent(staff.database, tenant);
  const newest = (await insertIntent(staff.database, tenant, { merchantReference: "rare-2" })).intent.id;
  const page = await readPage(tenant, "reference_prefix=rare-");
  assert.deepEqual([page.data.map(({ id }) => id), page.hasMore], [[newest], true]);
  const last = await readPage(tenant, `reference_prefix=rare-&starting_after=${page.next}`);
  assert.deepEqual([last.data.map(({ id }) => id), last.hasMore, last.next], [[oldest], false, null]);
  const full = await readPage(tenant, "limit=50");
  assert.deepEqual([full.data.length, full.next], [50, full.data[49]!.id]);
});

test("§13.10.8 another business and the other environment see no intents, and what has no form is refused", async () => {
  const [tenant, other] = [await newTenant("own"), await newTenant("other")];
  const { intent } = await insertIntent(staff.database, tenant);
  const theirs = (await insertIntent(staff.database, other)).intent.id;
  assert.deepEqual(await idsOf(tenant), [intent.id]);
  assert.deepEqual((await readPage(tenant, "", "live")).data, []);
  const path = `/businesses/${tenant.businessId}/test/payment-intents`;
  for (const cursor of [theirs, "pi_test_x", "%00"])
    assert.equal((await browser.get(`${path}?starting_after=${cursor}`)).status, 404, cursor);
  for (const wrong of ["asset=USDC", "amount_max=a", "status=open", "ending_before=x"]) {
    const answer = await browser.get(`${path}?${wrong}`);
    assert.deepEqual([answer.status, answer.json.error.param], [400, wrong.split("=")[0]], wrong);
  }
});
