import assert from "node:assert/strict";
import type { FaultRule } from "@holdfast/devnet/faults.ts";
import { pay } from "../harness/chain.ts";
import { awaitPaid, expectEvents } from "../harness/expectEvents.ts";
import { assertError, type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { assertSound } from "./checker.ts";
import { awaitQuiet } from "./quiet.ts";
import type { Figures } from "./scenarios.ts";
import { StandaloneService } from "./standaloneService.ts";

/** Faults of every node at once: no payment can be confirmed, and nothing else stops. */
export const OUTAGES = {
  "never answers": { mode: "time_out" },
  "too many requests": { mode: "rate_limited" },
  "far behind": { mode: "stale_slot", slots: 1_000 },
  "half an answer": { mode: "malformed" },
  "too slow": { mode: "slow", ms: 8_000 },
  "a web page": { mode: "not_json" },
  "nothing at all": { mode: "empty" },
  "no upstream": { mode: "server_error" },
  "connection reset": { mode: "reset" },
  "says it is unwell": { mode: "rpc_error" },
  "an answer without result": { mode: "null_result" },
} as const satisfies Record<string, FaultRule>;
export type Outage = keyof typeof OUTAGES;

const STORY = ["payment_intent.created", "payment.protected", "payment_intent.paid"];
/** The chain must have come this far before a node can be made to lag far behind. */
const OLD_ENOUGH_SLOTS = 1_100;

/** Each outage of all nodes, then of the preferred one alone, while merchants and buyers go on. */
export async function runOutages({ outages }: { readonly outages: readonly Outage[] }): Promise<Figures> {
  const service = await StandaloneService.start();
  try {
    await service.chain.control("tick", { slots: OLD_ENOUGH_SLOTS });
    const shop = await newMerchant(service);
    await shop.create();
    const waits = { confirm: 0, others: 0, alone: 0, "paid after": 0 };
    for (const name of outages) {
      const hurt = async (...nodes: string[]) => {
        await service.chain.control("faults", { mode: "none" });
        for (const node of nodes) await service.chain.control("faults", { ...OUTAGES[name], node });
      };
      await hurt("one");
      const alone = await shop.create();
      const { signature } = await pay(service, alone);
      const startedAt = performance.now();
      const answer = await shop.confirm(alone.id, signature);
      waits.alone = Math.max(waits.alone, performance.now() - startedAt);
      assert.equal(answer.status, 200, `${name} of one node: ${answer.text}`);
      const intents = [await shop.create(), await shop.create()];
      await hurt("one", "two");
      const made = await Promise.all(
        intents.map((intent) => pay(service, intent, { buyer: service.wallets["buyer-1"] })),
      );
      const confirming = intents.map((intent, index) => refuse(shop, intent, made[index]!.signature));
      waits.others = Math.max(waits.others, await goOn(shop));
      waits.confirm = Math.max(waits.confirm, ...(await Promise.all(confirming)));
      await hurt();
      const healedAt = performance.now();
      for (const intent of intents) await awaitPaid(shop, intent.id);
      waits["paid after"] = Math.max(waits["paid after"], performance.now() - healedAt);
      for (const intent of [...intents, alone]) await expectEvents(shop, intent.id, STORY);
    }
    await awaitQuiet(service);
    const report = await assertSound(service.database, service.evidence);
    const shown = Object.entries(waits).map(([what, ms]) => [`${what}, ms at most`, Math.round(ms)]);
    return { figures: { outages: outages.length, payments: outages.length * 3, ...Object.fromEntries(shown) }, report };
  } finally {
    await service.remove();
  }
}

/** Confirms while no node is usable; returns the time of the refusal, in ms. */
async function refuse(shop: Merchant, intent: Wire, signature: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await shop.confirm(intent.id, signature);
  assertError(answer, 503, "chain_unavailable");
  assert.ok(Number(answer.headers["retry-after"]) > 0);
  return performance.now() - startedAt;
}

/** Sends requests that need no chain; returns their time, in ms. */
async function goOn(shop: Merchant): Promise<number> {
  const startedAt = performance.now();
  const intent = await shop.create();
  assert.equal((await shop.intent(intent.id)).status, "requires_payment");
  assert.equal((await shop.cancel(intent.id)).status, 200);
  assert.equal((await shop.get("/payments?limit=1")).status, 200);
  assert.equal((await shop.get("/events?limit=1")).status, 200);
  return performance.now() - startedAt;
}
