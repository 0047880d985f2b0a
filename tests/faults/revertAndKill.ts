import assert from "node:assert/strict";
import { sql } from "../../server/store/sql.ts";
import { pay } from "../harness/chain.ts";
import { awaitPaid, awaitPayment, expectEvents } from "../harness/expectEvents.ts";
import { newMerchant } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import { assertSound } from "./checker.ts";
import { awaitQuiet } from "./quiet.ts";
import type { Figures } from "./scenarios.ts";
import { StandaloneService } from "./standaloneService.ts";

const BOUND = ["payment_intent.created", "payment.protected", "payment_intent.paid"];

/** The running service reverts a payment that a fork dropped, is killed in the middle of that, and binds it when it lands again. */
export async function runRevertAndKill(): Promise<Figures> {
  const service = await StandaloneService.start({ chain: { revertSlots: 20, revertApartMs: 300 } });
  try {
    const shop = await newMerchant(service);
    const intent = await shop.create();
    await service.end("SIGKILL");
    await service.begin({ HOLDFAST_FAILPOINT: "revert.before_commit" });
    await service.chain.control("freeze_finality", { on: true });
    const first = await pay(service, intent);
    const second = await pay(service, intent, { buyer: service.wallets["buyer-2"] });
    await awaitPaid(shop, intent.id);
    await awaitPayment(shop, second.payment);
    assert.notEqual(await service.chain.control("drop", { signature: first.signature }), null);
    await service.chain.control("freeze_finality", { on: false });

    const { signal } = await service.ended;
    assert.equal(signal, "SIGKILL", "it ends while the revert is not committed");
    const kept = await service.database.row(sql`select 1 from payments where address = ${first.payment}`);
    assert.notEqual(kept, null, "and nothing of the revert is kept");
    await service.end("SIGKILL");
    await service.begin();
    const startedAt = performance.now();
    await eventually(
      "the payment is reverted",
      async () => (await shop.get(`/payments/${first.payment}`)).status === 404,
    );
    const revertedMs = performance.now() - startedAt;
    assert.equal((await shop.intent(intent.id)).payment.id, second.payment, "the duplicate took its place");
    const again = await pay(service, intent);
    assert.equal(again.payment, first.payment);
    assert.equal((await awaitPayment(shop, first.payment)).role, "duplicate");
    const duplicate = ["payment.protected", "payment_intent.duplicate_payment"];
    await expectEvents(shop, intent.id, [
      ...BOUND,
      ...duplicate,
      "payment.reverted",
      "payment_intent.paid",
      ...duplicate,
    ]);
    await awaitQuiet(service);
    const report = await assertSound(service.database, service.evidence);
    return { figures: { "reverted after the restart, ms": Math.round(revertedMs) }, report };
  } finally {
    await service.remove();
  }
}
