import assert from "node:assert/strict";
import { test } from "node:test";
import { findHold } from "../../server/features/recording/queries.ts";
import { createBehindWatch } from "../../server/features/recording/sweep/behindWatch.ts";
import { sql } from "../../server/store/sql.ts";
import { SteppedService } from "./steppedService.ts";

for (const finalizedAfter of [1, 8])
  test(`§3.1.5 a stranger's noise in every pass keeps no expiry back, on a chain that is final after ${finalizedAfter} slots`, async () => {
    await using stepped = await SteppedService.open({ finalizedAfter });
    const unpaid = await stepped.create("unpaid", 60_000);
    await stepped.advance(90);
    for (let rounds = 0; rounds < 12; rounds++) {
      const paid = await stepped.create();
      await stepped.pay(paid);
      stepped.shout();
      stepped.tick();
      await stepped.feed();
      await stepped.sweep();
      await stepped.expire();
    }
    assert.deepEqual(await stepped.eventTypes(unpaid), ["payment_intent.created", "payment_intent.expired"]);
  });

test("§4.12 where no node lists the history, heldBy and the log say so, and since when", async () => {
  await using stepped = await SteppedService.open();
  assert.deepEqual(await findHold(stepped.database, "test"), { reason: "no_list", signature: null, seconds: null });
  stepped.tick(12);
  await stepped.catchUp();
  // The watermark moves with the pass after the one that found transactions.
  await stepped.catchUp();
  assert.equal(await findHold(stepped.database, "test"), null);

  await stepped.database.rows(sql`update chains set listed_at = now() - interval '75 seconds'`);
  await stepped.advance(120);
  const hold = (await findHold(stepped.database, "test"))!;
  assert.equal(hold.reason, "no_list");
  assert.ok(hold.seconds! >= 75);
  await createBehindWatch(stepped.database, "test", stepped.ctx.log)();
  assert.match(
    stepped.lines.at(-1)!,
    /is announced as expired\. No node has given a whole list of the history for \d+ seconds\.$/,
  );
});
