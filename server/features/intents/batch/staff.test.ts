import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "../../../../tests/harness/staffBrowser.ts";
import { type StaffServer, startStaffServer } from "../../../process/testing/staffServer.ts";
import { sql } from "../../../store/sql.ts";
import { insertIntent } from "../../staff/testing/objects.ts";
import { newWalletAddress } from "../../staff/testing/walletAddress.ts";
import { testContext } from "../../testing.ts";
import { createBatch } from "./actions.ts";
import { purgeBatches } from "./queries.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

let staff: StaffServer;
let user: string;
let browser: Browser;
before(async () => {
  staff = await startStaffServer({ countLook: () => undefined });
  user = await staff.addUser("kim@shop.com");
  browser = await staff.signIn("kim@shop.com");
  await staff.database.rows(sql`
    insert into known_assets (environment, address, is_mint, decimals, token_program, risky_extensions, read_at)
    values ('test', ${USDC}, true, 6, 'any', '{}', now())`);
});
after(() => staff?.[Symbol.asyncDispose]());

async function newShop(name: string) {
  const businessId = await staff.addBusiness(name, { [user]: "admin" });
  const defaults = { asset: USDC, protectionPeriod: "sevenDays", recipient: newWalletAddress() };
  return {
    businessId,
    send: async (csv: string, isTry = false) => {
      const answer = await browser.post(`/businesses/${businessId}/test/payment-batches`, {
        ...defaults,
        csv,
        try: isTry,
      });
      assert.equal(answer.status, 200, answer.text);
      return answer.json;
    },
    count: async () =>
      Number(
        (await staff.database.row<{ n: string }>(
          sql`select count(*) n from intents where business_id = ${businessId}`,
        ))!.n,
      ),
  };
}

const fileOf = (count: number) =>
  `amount,reference\n${Array.from({ length: count }, (_, n) => `${n + 1}.25,Order ${n}`).join("\n")}`;

test("§13.18.5 500 rows are tried, created once with a link each, and lead to the same intents when uploaded again", async () => {
  const shop = await newShop("many");
  const file = fileOf(500);
  const tried = await shop.send(file, true);
  assert.deepEqual([tried.errors, tried.payments.length, await shop.count()], [[], 500, 0]);
  const made = await shop.send(file);
  assert.deepEqual([made.repeated, made.payments.length, await shop.count()], [false, 500, 500]);
  assert.deepEqual(
    [made.payments[499].amount, made.payments[499].merchantReference, made.payments[499].checkoutUrl],
    ["500250000", "Order 499", `https://pay.shop.example/pay/i/${made.payments[499].intent}`],
  );
  const again = await shop.send(file.replaceAll("\n", "\r\n").replace("1.25", "1.250"));
  assert.deepEqual([again.repeated, again.payments, await shop.count()], [true, made.payments, 500]);
  const events = await staff.database.row<{ n: string }>(
    sql`select count(*) n from events where business_id = ${shop.businessId} and type = 'payment_intent.created'`,
  );
  assert.equal(Number(events!.n), 500);
});

test("§13.18.5 a token and a wallet are checked once for all rows, so a chain that is away is not waited for by each", async () => {
  const tenant = { businessId: await staff.addBusiness("once", { [user]: "admin" }), environment: "test" } as const;
  const [one, other] = [newWalletAddress(), newWalletAddress()];
  const checked: string[] = [];
  const ctx = testContext({
    database: staff.database,
    findAsset: async () => ({ decimals: 6, tokenProgram: "any", refusal: null }),
    findQuote: () => assert.fail("no row has a price"),
    checkTerms: async (_: unknown, { recipient }: { recipient: string }) => void checked.push(recipient),
  });
  const csv = `amount,reference,recipient\n1,a,\n2,b,${other}\n3,c,\n4,d,${other}`;
  const file = { asset: USDC, protectionPeriod: "sevenDays", recipient: one, csv, isTry: true } as const;
  const { intents } = await createBatch(ctx, { kind: "service" }, tenant, file);
  assert.deepEqual([intents.length, checked], [4, [one, other]]);
});

test("§13.18.5 uploads of one file at the same time create it once", async () => {
  const shop = await newShop("twice");
  const answers = await Promise.all(Array.from({ length: 6 }, () => shop.send(fileOf(20))));
  assert.equal(answers.filter(({ repeated }) => !repeated).length, 1);
  assert.equal(new Set(answers.map(({ payments }) => JSON.stringify(payments))).size, 1);
  assert.equal(await shop.count(), 20);
});

test("§13.18.5 a row that cannot be created is named by its line, and then none is", async () => {
  const shop = await newShop("refused");
  await insertIntent(
    staff.database,
    { businessId: shop.businessId, environment: "test" },
    { merchantReference: "Order 1" },
  );
  const answer = await shop.send(fileOf(3));
  assert.deepEqual(
    answer.errors.map(({ line }: { line: number }) => line),
    [3],
  );
  assert.match(answer.errors[0].message, /already uses this merchantReference/);
  assert.deepEqual([answer.payments, await shop.count()], [[], 1]);
  const places = await shop.send("amount,reference\n1,a\n1.1234567,b\n0.0000001,c");
  assert.deepEqual(
    places.errors.map(({ line }: { line: number }) => line),
    [3, 4],
  );
});

test("§13.18.5 seven days later the same rows are new payments", async () => {
  const shop = await newShop("later");
  const first = await shop.send(fileOf(2));
  await staff.database.rows(sql`
    update intents set created_at = created_at - interval '8 days', expires_at = date_trunc('second', now() - interval '1 day')
    where business_id = ${shop.businessId}`);
  await staff.database.rows(sql`
    update intent_batches set created_at = created_at - interval '8 days' where business_id = ${shop.businessId}`);
  const second = await shop.send(fileOf(2));
  assert.deepEqual([second.repeated, await shop.count()], [false, 4]);
  assert.notEqual(second.payments[0].intent, first.payments[0].intent);
});

test("§13.18.5 what a file led to is forgotten once it means nothing any more, and not before", async () => {
  const shop = await newShop("forgotten");
  await shop.send(fileOf(2));
  const age = (days: number) =>
    staff.database.rows(sql`
      update intent_batches set created_at = now() - make_interval(days => ${days}::integer) where business_id = ${shop.businessId}`);
  const left = () => staff.database.rows(sql`select hash from intent_batches where business_id = ${shop.businessId}`);
  await age(7);
  assert.equal(await purgeBatches(staff.database), false);
  assert.equal((await left()).length, 1);
  await age(9);
  await purgeBatches(staff.database);
  assert.deepEqual(await left(), []);
});

test("§13.18.5 413: a file beyond the limit, and every other body beyond its own", async () => {
  const businessId = await staff.addBusiness("large", { [user]: "admin" });
  const path = `/businesses/${businessId}/test`;
  assert.equal((await browser.post(`${path}/payment-batches`, { csv: "x".repeat(262_144) })).status, 413);
  assert.equal((await browser.post(`${path}/payment-intents`, { amount: "x".repeat(17_000) })).status, 413);
});
