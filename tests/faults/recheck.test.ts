import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Chain } from "../../server/chain/chain.ts";
import { recheckPayments } from "../../server/features/recording/finality/recheck.ts";
import { testContext } from "../../server/features/testing.ts";
import { draftChainSettings } from "../../server/process/chainSettings.ts";
import { openChain } from "../../server/process/openChain.ts";
import { sql } from "../../server/store/sql.ts";
import { act, advance, newBuyer, pauseSweep, pay } from "../harness/chain.ts";
import { awaitPaid, expectEvents } from "../harness/expectEvents.ts";
import { type Merchant, newMerchant } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import { type OpenService, startOpenService } from "./serviceDatabase.ts";

// The recheck runs alone, step by step: the sweep rests, so the recheck made every change.
let service: OpenService;
let shop: Merchant;
let chain: Chain;
before(async () => {
  service = await startOpenService();
  shop = await newMerchant(service);
  const { rpcUrl, programId, operator } = service;
  const settings = draftChainSettings({ rpcUrls: [rpcUrl], programId, operator, checkoutUnitPriceMax: 0 });
  chain = await openChain(settings, () => undefined);
});
after(() => service?.remove());

const DAY_MS = 86_400_000;
const recheck = (olderThanMs = -DAY_MS) => {
  const { database, checkoutUrl } = service;
  const ctx = testContext({ database, checkoutUrl, chain });
  return recheckPayments(ctx, olderThanMs, new AbortController().signal);
};

test("§3.2.3 the recheck moves checkedAt, and finds steps that the sweep missed", async () => {
  const [quiet, argued] = [await shop.create(), await shop.create()];
  for (const intent of [quiet, argued]) await pay(service, intent);
  const { payment } = await awaitPaid(shop, argued.id);
  const { payment: still } = await awaitPaid(shop, quiet.id);
  // The read that makes them final moves checkedAt too.
  await eventually("both are final", () =>
    service.database.row(
      sql`select from payments where address = any(${[payment.id, still.id]}::text[]) and finalized having count(*) = 2`,
    ),
  );
  await pauseSweep(service, true);
  await act(service, service.wallets["buyer-1"], "dispute", payment.id);
  await advance(service, 10);
  assert.equal((await shop.payment(payment.id)).status, "protected");

  await recheck();
  const disputed = await shop.payment(payment.id);
  assert.equal(disputed.status, "disputed");
  // A payment embedded in an intent has no next actions.
  const { nextActions: _, ...looked } = await shop.payment(still.id);
  assert.ok(looked.checkedAt > still.checkedAt);
  assert.deepEqual({ ...looked, checkedAt: null }, { ...still, checkedAt: null }, "nothing else moved");
  await expectEvents(shop, quiet.id, ["payment_intent.created", "payment.protected", "payment_intent.paid"]);
  await expectEvents(shop, argued.id, [
    "payment_intent.created",
    "payment.protected",
    "payment_intent.paid",
    "payment.disputed",
  ]);

  await recheck(DAY_MS);
  assert.equal((await shop.payment(still.id)).checkedAt, looked.checkedAt, "what was looked at lately can wait");
  await pauseSweep(service, false);
});

test("payments that match no intent are rechecked too, and end like any other", async () => {
  const intent = await shop.create();
  const buyer = await newBuyer(service);
  const { payment } = await pay(service, intent, { amount: "1", buyer });
  const kept = () =>
    service.database.row<{ status: string; checked_at: Date; settled_at: Date | null }>(
      sql`select status, checked_at, settled_at from unmatched_payments where address = ${payment}`,
    );
  const first = await eventually("it is kept", kept);
  await pauseSweep(service, true);
  await recheck();
  const second = (await kept())!;
  assert.ok(second.status === "protected" && second.checked_at > first.checked_at);
  await act(service, buyer, "release", payment);
  assert.equal((await kept())?.status, "protected");
  await recheck();
  const ended = (await kept())!;
  assert.ok(ended.status === "released" && ended.settled_at !== null);
  await recheck();
  assert.deepEqual(await kept(), ended, "what is over is not looked at any more");
  await pauseSweep(service, false);
});
