import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { cellOf, cellOfBusiness, cellOfPaymentId } from "../../server/domain/ids.ts";
import { admin, adminRefusal } from "../harness/admin.ts";
import { pay } from "../harness/chain.ts";
import { awaitPaid, expectEvents } from "../harness/expectEvents.ts";
import { exchange } from "../harness/http.ts";
import { assertError, type Merchant, merchantOf, newMerchant, type Wire } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";
import { Cluster } from "./cluster.ts";

const LOGICAL = { wal_level: "logical" };

let two: Cluster;
let three: Cluster;
let service: Service;
/** A shop in each cell: 0 in the main database, 1 on the second server, 2 beside cell 0 in the same database. */
let shops: readonly [Merchant, Merchant, Merchant];
before(async () => {
  [two, three] = await Promise.all([Cluster.start(LOGICAL), Cluster.start(LOGICAL)]);
  const CELL_SERVERS = JSON.stringify({ two: two.url, three: three.url });
  // The command line reads the settings of the service.
  process.env.CELL_SERVERS = CELL_SERVERS;
  service = await startService({ env: { CELL_SERVERS } });
  assert.match(
    await adminRefusal(service, "cells", "add", "--server", "four"),
    /--server takes one of main, two, three/,
  );
  await admin(service, "cells", "add", "--server", "two");
  await admin(service, "cells", "add", "--server", "main");
  const { id: early } = await admin(service, "business", "add", "Early shop");
  assert.equal(cellOfBusiness(early), 0, "no business goes to a cell that no process serves");
  await service.end("SIGTERM");
  service = await service.restart();
  const shopIn = async (cell: number): Promise<Merchant> => {
    const { id: business } = await admin(service, "business", "add", `Shop ${cell}`, "--cell", String(cell));
    const { id, secret } = await admin(service, "key", "add", business, "--rate", "1000000");
    return merchantOf(service, business, id, secret);
  };
  shops = [await shopIn(0), await shopIn(1), await shopIn(2)];
});
after(async () => {
  delete process.env.CELL_SERVERS;
  await service?.remove();
  await Promise.all([two?.remove(), three?.remove()]);
});

const page = async (path: string) => exchange("GET", `${service.checkoutUrl}${path}`);

test("businesses go to the emptiest cell, and everything of one leads there", async () => {
  const { data } = await admin(service, "cells", "list");
  assert.deepEqual(
    data.map(({ number, server, businesses }: Wire) => [number, server, businesses]),
    [
      [0, "main", 3],
      [1, "two", 1],
      [2, "main", 1],
    ],
  );
  const fourth = await newMerchant(service);
  assert.equal(cellOfBusiness(fourth.business), 1);
  for (const [cell, shop] of shops.entries()) {
    const intent = await shop.create();
    assert.deepEqual([cellOfBusiness(shop.business), cellOf(intent.id)], [cell, cell]);
    if (cell > 0) assert.equal(cellOfPaymentId(intent.paymentId), cell);
    assertError(await shops[(cell + 1) % 3]!.get(`/payment-intents/${intent.id}`), 404, "not_found");
    assert.match((await page(`/pay/i/${intent.id}`)).text, new RegExp(`Shop ${cell}`));
    const { data: keys } = await admin(service, "key", "list", shop.business);
    assert.equal(keys.length, 1);
    assert.equal((await admin(service, "key", "roll", shop.keyId)).successorOf ?? shop.keyId, shop.keyId);
  }
});

test("a payment is recorded in its cell alone, with its events, its receipt's page and its payout", async () => {
  const paid = await Promise.all(
    shops.map(async (shop) => {
      const intent = await shop.create();
      await pay(service, intent);
      return { shop, intent, done: await awaitPaid(shop, intent.id) };
    }),
  );
  for (const { shop, intent, done } of paid) {
    await expectEvents(shop, intent.id, ["payment_intent.created", "payment.protected", "payment_intent.paid"]);
    const receipt = await page(`/pay/p/${done.payment.id}`);
    assert.equal(receipt.status, 200);
    assert.match(receipt.text, /5/);
  }
  const { data: unmatched } = await admin(service, "unmatched", "list");
  assert.deepEqual(unmatched, []);
});

test("while the server of a cell is away, the others answer as before; then it goes on by itself", async () => {
  const [first, second, third] = shops;
  const [before, own] = [await first.create(), await second.create()];
  await two.stop("fast");
  try {
    for (let at = 0; at < 20; at++) {
      assert.equal((await first.get(`/payment-intents/${before.id}`)).status, 200);
      await third.create();
      assert.equal(assertError(await second.get(`/payment-intents/${own.id}`), 503, "unavailable") !== null, true);
    }
    const refused = await second.call("POST", "/payment-intents", {});
    assert.equal(refused.headers["retry-after"], "1");
    assert.equal((await page(`/pay/i/${before.id}`)).status, 200);
    assert.equal((await page(`/pay/i/${own.id}`)).status, 503);
    // A payment of another cell is bound meanwhile.
    await pay(service, before);
    await awaitPaid(first, before.id);
    assert.equal((await exchange("GET", `${service.checkoutUrl}/readyz`)).status, 200);
    // A start without it serves the others too.
    await service.end("SIGTERM");
    service = await service.restart();
    shops = shops.map((shop) => merchantOf(service, shop.business, shop.keyId, shop.key)) as unknown as typeof shops;
    assert.equal((await shops[0].get(`/payment-intents/${before.id}`)).status, 200);
    assertError(await shops[1].get(`/payment-intents/${own.id}`), 503, "unavailable");
  } finally {
    await two.begin();
  }
  await eventually(
    "the cell answers again",
    async () => (await shops[1].get(`/payment-intents/${own.id}`)).status === 200,
  );
  await pay(service, own);
  await awaitPaid(shops[1], own.id);
});

test("a cell moves to another server while its shop creates and is paid: nothing acknowledged is lost", async () => {
  const [, shop] = shops;
  const stop = new AbortController();
  const made: Wire[] = [];
  const refusals: number[] = [];
  const creates = async () => {
    while (!stop.signal.aborted) {
      const answer = await shop.call("POST", "/payment-intents", {
        ...{ recipient: service.recipient, amount: "5000000", asset: service.asset, protectionPeriod: "sevenDays" },
        merchantReference: `moved-${made.length}-${Math.random()}`,
      });
      if (answer.status === 201) made.push(answer.json);
      else {
        assertError(answer, 503, "unavailable");
        refusals.push(Number(answer.headers["retry-after"]));
        await sleep(50);
      }
    }
  };
  const creating = Promise.all([creates(), creates()]);
  const before = await shop.create();
  await pay(service, before);
  const moved = await admin(service, "cells", "move", "1", "--to", "three");
  assert.deepEqual([moved.number, moved.server], [1, "three"]);
  const sofar = made.length;
  await eventually("creates go on at the new server", async () => made.length > sofar + 5);
  stop.abort();
  await creating;
  assert.ok(refusals.every((seconds) => seconds === 1));
  await two.stop("fast");
  await awaitPaid(shop, before.id);
  const ids = new Set((await shop.walk("/payment-intents", 100)).map(({ id }) => id));
  assert.deepEqual(
    made.filter(({ id }) => !ids.has(id)).map(({ id }) => id),
    [],
  );
  const next = await shop.create();
  await pay(service, next);
  await awaitPaid(shop, next.id);
});
