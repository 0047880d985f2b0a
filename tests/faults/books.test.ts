import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { callRpc } from "@holdfast/devnet/client.ts";
import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { admin, adminRefusal } from "../harness/admin.ts";
import { act, newBuyer, pay } from "../harness/chain.ts";
import { awaitPaid, awaitPayment } from "../harness/expectEvents.ts";
import { inForm } from "../harness/form.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import { runBooks } from "./books.ts";
import { openServiceDatabase } from "./serviceDatabase.ts";

let service: RunningService;
let database: Database;
let shop: Merchant;
before(async () => {
  service = await standingService();
  database = await openServiceDatabase(service);
  shop = await newMerchant(service);
});
after(() => database?.close());

async function buy(amount: string): Promise<string> {
  const intent = await shop.create({ amount });
  await pay(service, intent);
  return (await awaitPaid(shop, intent.id)).payment.id;
}

const check = async (): Promise<Wire> => (await admin(service, "books", "check", shop.business)).data[0];

test("§13.19 after random lives with forks the books tie to the chain, and planted differences are found", async () => {
  const { figures } = await runBooks({ seed: 3, payments: inForm({ short: 20, long: 40 }) });
  assert.equal(figures.planted, 3);
  assert.notEqual(figures.reverted, "0", "forks took payments that were recorded");
});

test("§13.19 the books tie to the records and vaults on chain, with a dispute, a partial refund, a duplicate and dust", async () => {
  const { wallets, rpcUrl, asset } = service;
  const [open, refunded, disputed, released] = [
    await buy("5000000"),
    await buy("4000000"),
    await buy("3000000"),
    await buy("2000000"),
  ];
  await act(service, wallets.recipient, "refund", refunded, { total: 1_000_000n });
  await act(service, wallets["buyer-1"], "dispute", disputed);
  await act(service, wallets["buyer-1"], "release", released);
  await awaitPayment(shop, released, "released");
  await awaitPayment(shop, disputed, "disputed");
  await eventually("the refund is recorded", async () => (await shop.payment(refunded)).amountRefunded === "1000000");
  const twice = await shop.create({ amount: "1000000" });
  await pay(service, twice);
  await awaitPaid(shop, twice.id);
  await pay(service, twice, { buyer: await newBuyer(service) });
  await eventually(
    "the duplicate is recorded",
    async () => (await shop.get("/payments?role=duplicate")).json.data.length === 1,
  );
  const other = await shop.create({ amount: "9000000" });
  await pay(service, other, { amount: "8000000" });
  await callRpc(rpcUrl, "devnet_faucet", [{ address: open, asset, amount: "7" }]);
  const found = await eventually("the dust is seen", async () => {
    const one = await check();
    return one.findings.length > 0 ? one : null;
  });
  const [{ slotMin, slotMax, ...sums }] = found.assets;
  // 5 + 3 + 3 + 1 + 1: a mismatched payment is in no books.
  assert.deepEqual(sums, { asset, payments: 5, held: "13000000", vaults: "13000007", gifts: "7", giftPayments: 1 });
  assert.ok(slotMin > 0 && slotMin <= slotMax);
  assert.deepEqual(
    found.findings.map(({ kind, payment, amount }: Wire) => [kind, payment, amount]),
    [["gift", open, "7"]],
  );
  assert.equal(found.differences, 0);

  const move = (by: number) =>
    database.rows(sql`
      update payment_days set released = released + ${by}::integer where business_id = ${shop.business} and day = 'infinity'`);
  await move(1);
  // It ends with 1.
  await adminRefusal(service, "books", "check", shop.business);
  const rows = await database.rows<{ kind: string; payment: string }>(sql`
    select kind, payment, detail from books_findings where business_id = ${shop.business} and kind <> 'gift'`);
  assert.deepEqual(rows, [{ kind: "sums_differ", payment: "", detail: "released: 2000001, by payments 2000000" }]);
  await move(-1);
  const { data } = await admin(service, "books", "check");
  assert.equal(data.find((one: Wire) => one.business === shop.business).differences, 0);
});
