import assert from "node:assert/strict";
import { test } from "node:test";
import { actOnPayment } from "@holdfast/devnet/buyer.ts";
import { newConsensus } from "../../server/chain/consensus.ts";
import { sql } from "../../server/store/sql.ts";
import { newBuyer, pay } from "../harness/chain.ts";
import { awaitPaid, checkSequences } from "../harness/expectEvents.ts";
import { newMerchant } from "../harness/merchant.ts";
import { assertSound } from "./checker.ts";
import { awaitQuiet } from "./quiet.ts";
import { StandaloneService } from "./standaloneService.ts";
import { SteppedService } from "./steppedService.ts";

const CREATED = ["payment_intent.created"];
const BOUND = [...CREATED, "payment.protected", "payment_intent.paid"];
/** More slots than the rule asks for: 20 beyond the creating one, at `finalized`, which is 8 behind. */
const PAST_THE_RULE = 32;

const requestsOf = (stepped: SteppedService): number =>
  [...stepped.ctx.chain.reader.requestCounts.values()].reduce((sum, count) => sum + count, 0);

test("§4.5.10 under Alpenglow a payment and its steps are bound when they are final, and no loop reads them again", async () => {
  const consensus = newConsensus();
  await using stepped = await SteppedService.open({ nodes: ["one", "two"], consensus });
  consensus.kind = "alpenglow";
  const [kept, dropped] = [await stepped.create(), await stepped.create()];
  const made = await stepped.pay(kept);
  const lost = await stepped.pay(dropped, stepped.net.wallets["buyer-2"]);
  stepped.tick(2);
  await stepped.catchUp();
  assert.equal(await stepped.confirm(kept, made.signature), "signature_unverified");
  assert.deepEqual(await stepped.eventTypes(kept), CREATED);
  assert.ok(stepped.net.controls.drop(lost.signature));
  stepped.tick(8);
  await stepped.catchUp();
  assert.deepEqual(await stepped.eventTypes(kept), BOUND);
  assert.deepEqual(await stepped.eventTypes(dropped), CREATED, "what a fork drops was never told of");

  const { "buyer-1": buyer } = stepped.net.wallets;
  await actOnPayment(stepped.net, buyer, "dispute", made.payment as never, { until: "none" });
  stepped.tick(12);
  await stepped.catchUp();
  const { status, finalized } = (await stepped.payment(made.payment))!;
  assert.deepEqual([status, finalized], ["disputed", true]);
  const asked = requestsOf(stepped);
  assert.equal(await stepped.finalize(), false);
  assert.equal(requestsOf(stepped), asked);
  await stepped.assertSound();
});

test("§4.5.10 a chain that comes to run Alpenglow: what was bound before becomes final, or is reverted by the strict rule", async () => {
  const consensus = newConsensus();
  await using stepped = await SteppedService.open({ nodes: ["one", "two"], consensus });
  const [kept, dropped, open] = [await stepped.create(), await stepped.create(), await stepped.create()];
  const made = await stepped.pay(kept);
  const lost = await stepped.pay(dropped, stepped.net.wallets["buyer-2"]);
  stepped.tick(2);
  await stepped.catchUp();
  for (const intent of [kept, dropped]) assert.deepEqual(await stepped.eventTypes(intent), BOUND);
  const under = await stepped.pay(open);
  consensus.kind = "alpenglow";
  assert.ok(stepped.net.controls.drop(lost.signature));
  stepped.tick(2);
  await stepped.catchUp();
  assert.deepEqual(await stepped.eventTypes(open), CREATED);
  stepped.tick(PAST_THE_RULE);
  await stepped.catchUp();
  for (let reads = 0; reads < 3; reads++) await stepped.finalize();
  assert.equal((await stepped.payment(made.payment))!.finalized, true);
  assert.deepEqual(await stepped.eventTypes(dropped), [...BOUND, "payment.reverted"]);
  assert.deepEqual(await stepped.eventTypes(open), BOUND);
  assert.equal((await stepped.payment(under.payment))!.finalized, true);
  await stepped.assertSound();
});

test("§3.3.1 a payment that was final and vanished all the same is reverted by the strict rule, too", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const [kept, lost] = [await stepped.create(), await stepped.create()];
  const made = [await stepped.pay(kept), await stepped.pay(lost, stepped.net.wallets["buyer-2"])] as const;
  stepped.tick(2);
  await stepped.catchUp();
  // As after a restart of the cluster: what a node called final is gone.
  await stepped.database.rows(sql`update payments set finalized = true`);
  assert.ok(stepped.net.controls.drop(made[1].signature));
  stepped.tick(PAST_THE_RULE);
  await stepped.finalize();
  assert.deepEqual(await stepped.eventTypes(lost), BOUND);
  await stepped.recheck();
  for (let reads = 0; reads < 2; reads++) await stepped.finalize();
  assert.deepEqual(await stepped.eventTypes(lost), [...BOUND, "payment.reverted"]);
  assert.deepEqual(await stepped.eventTypes(kept), BOUND);
  assert.equal((await stepped.payment(made[0].payment))!.finalized, true);
  await stepped.assertSound();
});

test("§4.5.10 payments go on while a chain goes over to Alpenglow and slows down: none is lost or taken back", async () => {
  const nodes = ["one", "two"];
  const service = await StandaloneService.start({ nodes });
  try {
    const shop = await newMerchant(service);
    const changes: readonly (readonly [paid: number, method: string, params: object])[] = [
      [8, "pace", { consensus: "alpenglow" }],
      ...nodes.map((node) => [12, "faults", { mode: "confirmed_refused", node }] as const),
      [18, "pace", { slotMs: 200 }],
    ];
    const paid: string[] = [];
    const payOn = async () => {
      const buyer = await newBuyer(service);
      while (paid.length < 24) {
        const intent = await shop.create();
        await pay(service, intent, { buyer });
        const count = paid.push((await awaitPaid(shop, intent.id)).id);
        for (const [after, method, params] of changes) if (count === after) await service.chain.control(method, params);
      }
    };
    await Promise.all(Array.from({ length: 4 }, payOn));
    await awaitQuiet(service);
    for (const id of paid) assert.equal((await shop.intent(id)).status, "paid");
    assert.deepEqual(await shop.walk("/events?type=payment.reverted", 100), []);
    assert.match(service.errors(), /It has run Alpenglow since slot \d+/);
    await assertSound(service.database, service.evidence);
    await checkSequences(shop);
  } finally {
    await service.remove();
  }
});
