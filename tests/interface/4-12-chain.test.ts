import assert from "node:assert/strict";
import { before, test } from "node:test";
import { advance, control } from "../harness/chain.ts";
import { assertError, type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, standingService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await standingService();
  shop = await newMerchant(service);
});

const status = async (): Promise<Wire> => {
  const answer = await shop.get("/chain");
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const when = (what: string, isSo: (chain: Wire) => boolean): Promise<Wire> =>
  eventually(what, async () => {
    const chain = await status();
    return isSo(chain) && chain;
  });

test("§4.12 the chain's status says how far it was seen and processed, and how many nodes answer", async () => {
  const chain = await when(
    "a pass is through",
    ({ slot, watermarkSlot, behindSeconds }) => slot !== null && watermarkSlot !== null && behindSeconds < 60,
  );
  assert.deepEqual(Object.keys(chain), [
    "object",
    "environment",
    "slot",
    "finalizedSlot",
    "watermark",
    "watermarkSlot",
    "behindSeconds",
    "nodes",
    "heldBy",
  ]);
  assert.deepEqual([chain.object, chain.environment, chain.nodes], ["chain", "test", { healthy: 1, total: 1 }]);
  assert.ok(chain.slot >= chain.finalizedSlot && chain.finalizedSlot >= chain.watermarkSlot);
  assert.match(chain.watermark, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Number.isInteger(chain.behindSeconds) && chain.behindSeconds >= 0 && chain.behindSeconds < 60);
  // The watermark is the database's and the slot the last poll's: each goes on by itself.
  const later = await when(
    "both go on",
    ({ slot, watermarkSlot }) => slot > chain.slot && watermarkSlot > chain.watermarkSlot,
  );
  assert.ok(later.finalizedSlot >= chain.finalizedSlot && later.watermark >= chain.watermark);
  assert.ok(later.slot >= later.finalizedSlot && later.finalizedSlot >= later.watermarkSlot);
  assertError(await shop.get("/chain/"), 404, "not_found");
});

test("§4.12 it is 200 while the chain is away, from what was seen, and the nodes are healthy again after it", async () => {
  const before = await status();
  await control(service, "/faults", { mode: "server_error" });
  try {
    const away = await when("the node is missed", ({ nodes }) => nodes.healthy === 0);
    assert.equal(away.nodes.total, 1);
    assert.ok(away.slot >= before.slot && away.watermarkSlot >= before.watermarkSlot, "what was seen stays");
  } finally {
    await control(service, "/faults", { mode: "none" });
  }
  await when("the node is back", ({ nodes, slot }) => nodes.healthy === 1 && slot > before.slot);
});

test("§4.12 what is behind is counted by the environment's clock, and is caught up", async () => {
  await control(service, "/sweep", { paused: true });
  // A pass that had begun before the pause may still read the chain after the first hour: then a second is needed.
  await eventually("an hour is behind", async () => {
    await advance(service, 3_600);
    return (await status()).behindSeconds >= 3_600;
  });
  assert.deepEqual((await status()).heldBy, { reason: "paused", signature: null, seconds: null });
  await control(service, "/sweep", { paused: false });
  await when("it is caught up", ({ behindSeconds }) => behindSeconds < 60);
});
