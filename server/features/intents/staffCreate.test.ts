import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "../../../tests/harness/staffBrowser.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import { insertIntent, someAddress } from "../staff/testing/objects.ts";
import { newWalletAddress } from "../staff/testing/walletAddress.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const WEEK_MS = 7 * 86_400_000;

let staff: StaffServer;
let users: Record<"owner" | "developer" | "read_only", { readonly id: string; readonly browser: Browser }>;
before(async () => {
  staff = await startStaffServer({ countLook: () => undefined });
  const add = async (name: string) => {
    const id = await staff.addUser(`${name}@shop.com`);
    return { id, browser: await staff.signIn(`${name}@shop.com`) };
  };
  users = { owner: await add("owner"), developer: await add("developer"), read_only: await add("reader") };
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    values ('test', ${USDC}, true, 6, 'any', '{}', now())`);
});
after(() => staff?.[Symbol.asyncDispose]());

async function newShop(name: string) {
  const roles = {
    [users.owner.id]: "owner",
    [users.developer.id]: "developer",
    [users.read_only.id]: "read_only",
  } as const;
  const businessId = await staff.addBusiness(name, roles);
  const recipient = newWalletAddress();
  const path = `/businesses/${businessId}/test/payment-intents`;
  const terms = {
    amount: "48.50",
    asset: USDC,
    merchantReference: "Order 1043",
    protectionPeriod: "sevenDays",
    recipient,
  };
  return { businessId, recipient, path, terms };
}

test("§13.18 201: a member creates an intent that lives seven days, with its event and an entry of the audit log", async () => {
  const { businessId, path, terms, recipient } = await newShop("creates");
  await staff.database.rows(sql`update businesses set intent_lifetime_minutes = 15 where id = ${businessId}`);
  const before = Date.now();
  const answer = await users.developer.browser.post(path, { ...terms, description: "Two bags" });
  assert.equal(answer.status, 201, answer.text);
  const { intent, json } = answer.json;
  assert.deepEqual(JSON.parse(json), intent);
  assert.deepEqual(
    [intent.amount, intent.asset, intent.recipient, intent.merchantReference, intent.description, intent.status],
    ["48500000", USDC, recipient, "Order 1043", "Two bags", "requires_payment"],
  );
  assert.match(intent.checkoutUrl, /^https:\/\/pay\.shop\.example\/pay\/i\/pi_test_/);
  const lives = Date.parse(intent.expiresAt) - Date.parse(intent.createdAt);
  assert.ok(
    lives >= WEEK_MS && lives < WEEK_MS + 1_000 && Date.parse(intent.createdAt) >= before - 5_000,
    String(lives),
  );
  const events = await staff.database.rows<{ type: string }>(
    sql`select type from events where business_id = ${businessId} and intent_id = ${intent.id}`,
  );
  assert.deepEqual(events, [{ type: "payment_intent.created" }]);
  const [entry] = (await users.owner.browser.get(`/businesses/${businessId}/audit`)).json.data;
  assert.deepEqual(
    [entry.action, entry.target, entry.environment, entry.actor.name, entry.details],
    [
      "intent.created",
      intent.id,
      "test",
      "developer@shop.com",
      { merchantReference: "Order 1043", amount: "48500000", asset: USDC },
    ],
  );
});

test("§13.18 403: a member who only reads creates nothing", async () => {
  const { businessId, path, terms } = await newShop("reads");
  const answer = await users.read_only.browser.post(path, terms);
  assert.deepEqual([answer.status, answer.json.error.code], [403, "forbidden"]);
  const rows = await staff.database.rows(sql`select id from intents where business_id = ${businessId}`);
  assert.deepEqual(rows, []);
});

test("§13.18 400: what a create refuses is refused, by the name of its field", async () => {
  const { path, terms } = await newShop("refuses");
  for (const [field, value] of [
    ["amount", "0"],
    ["amount", "1.0000001"],
    ["amount", "-1"],
    ["amount", "18446744073709.551616"],
    ["amount", 5],
    ["asset", "USDC"],
    ["merchantReference", " x"],
    ["merchantReference", ""],
    ["protectionPeriod", "aWeek"],
    ["recipient", "me"],
    ["recipient", "11111111111111111111111111111111"],
    ["description", "\u200b"],
    ["metadata", {}],
    ["returnUrl", "https://shop.example"],
  ] as const) {
    const answer = await users.owner.browser.post(path, { ...terms, [field]: value });
    assert.deepEqual([answer.status, answer.json.error?.param], [400, field], `${field}: ${answer.text}`);
  }
});

test("§13.18 409: an open intent holds its reference, and an expired one does not", async () => {
  const { businessId, path, terms } = await newShop("holds");
  const first = (await users.owner.browser.post(path, terms)).json.intent;
  const again = await users.owner.browser.post(path, terms);
  assert.deepEqual([again.status, again.json.error.code, again.json.error.intent], [409, "reference_in_use", first.id]);
  await staff.database.rows(sql`
    update intents set created_at = created_at - interval '8 days', expires_at = date_trunc('second', now() - interval '1 minute')
    where business_id = ${businessId}`);
  assert.equal((await users.owner.browser.post(path, terms)).status, 201);
});

test("§13.18 400: where creates name saved recipients alone, a member does too", async () => {
  const { businessId, path, terms } = await newShop("saved");
  await staff.database.rows(sql`
    insert into saved_recipients_only (business_id, environment, since) values (${businessId}, 'test', now() - interval '2 days')`);
  const answer = await users.owner.browser.post(path, terms);
  assert.deepEqual([answer.status, answer.json.error.param], [400, "recipient"]);
});

test("§13.18 of several intents all are created or none", async () => {
  const { createAll } = await import("./actions.ts");
  const { businessId, recipient } = await newShop("together");
  const tenant = { businessId, environment: "test" } as const;
  await insertIntent(staff.database, tenant, { merchantReference: "taken" });
  const asked = ["one", "taken", "two"].map((merchantReference) => ({
    ...{ recipient, amount: "1", asset: someAddress(), protectionPeriod: "oneDay" as const },
    ...{
      merchantReference,
      metadata: "{}",
      description: null,
      returnUrl: null,
      locale: null,
      price: null,
      quote: null,
      sealedEmail: null,
    },
  }));
  const made = await createAll(staff.ctx, tenant, asked, async () => undefined);
  assert.deepEqual("refused" in made && made.refused.map(({ ordinal, error }) => [ordinal, error.code]), [
    [1, "reference_in_use"],
  ]);
  const rows = await staff.database.rows<{ reference: string }>(
    sql`select merchant_reference as reference from intents where business_id = ${businessId}`,
  );
  assert.deepEqual(rows, [{ reference: "taken" }]);
});

test("§13.18.3 the tokens to choose from are the well-known ones that the chain has shown", async () => {
  const { businessId } = await newShop("tokens");
  const answer = await users.read_only.browser.get(`/businesses/${businessId}/test/payable-assets`);
  assert.deepEqual(answer.json.data, [{ object: "asset", id: USDC, symbol: "USDC", decimals: 6 }]);
});
