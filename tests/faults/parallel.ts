import assert from "node:assert/strict";
import { pauseSweep, pay } from "../harness/chain.ts";
import { expectEvents } from "../harness/expectEvents.ts";
import type { Answer } from "../harness/http.ts";
import { type Merchant, newMerchant } from "../harness/merchant.ts";
import { assertSound } from "./checker.ts";
import { awaitQuiet } from "./quiet.ts";
import type { Figures } from "./scenarios.ts";
import { startOpenService } from "./serviceDatabase.ts";

const CONFIRMS = 50;
const TRIES_MAX = 10;
const STORY = ["payment_intent.created", "payment.protected", "payment_intent.paid"];

/** A busy machine may be out of connections for longer than a request waits for one; the answer then says to retry. */
async function confirmUntilAnswered(shop: Merchant, intentId: string, signature: string): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await shop.confirm(intentId, signature);
    if (answer.json?.error?.code !== "unavailable" || tries === TRIES_MAX) return answer;
  }
}

/** Fifty confirms of one payment at once, by turns with the sweep running and resting. */
export async function runParallelConfirms({ rounds }: { readonly rounds: number }): Promise<Figures> {
  const service = await startOpenService();
  try {
    const shop = await newMerchant(service);
    let [boundByConfirm, boundBySweep] = [0, 0];
    for (let round = 0; round < rounds; round++) {
      const rests = round % 2 === 0;
      await pauseSweep(service, rests);
      const intent = await shop.create();
      // The test does not wait for the commitment: some confirms, and the sweep, see it before the others do.
      const { signature } = await pay(service, intent);
      const answers = await Promise.all(
        Array.from({ length: CONFIRMS }, () => confirmUntilAnswered(shop, intent.id, signature)),
      );
      for (const answer of answers) assert.equal(answer.status, 200, answer.text);
      const bound = answers.filter((answer) => answer.json.outcome === "bound").length;
      const repeats = answers.filter((answer) => answer.json.outcome === "already_recorded").length;
      assert.ok(bound === 1 || (bound === 0 && !rests), `${bound} confirms of ${CONFIRMS} answered bound`);
      assert.equal(bound + repeats, CONFIRMS);
      boundByConfirm += bound;
      boundBySweep += 1 - bound;
      await expectEvents(shop, intent.id, STORY);
    }
    await pauseSweep(service, false);
    await awaitQuiet(service);
    const report = await assertSound(service.database, service);
    return { figures: { rounds, confirms: rounds * CONFIRMS, boundByConfirm, boundBySweep }, report };
  } finally {
    await service.remove();
  }
}
