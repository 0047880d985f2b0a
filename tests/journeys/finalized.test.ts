import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pay, rpc } from "../harness/chain.ts";
import { awaitPaid, expectEvents } from "../harness/expectEvents.ts";
import { assertError, type Merchant, newMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

let service: Service;
let shop: Merchant;
before(async () => {
  service = await startService({ env: { BIND_COMMITMENT: "finalized" } });
  shop = await newMerchant(service);
});
after(() => service?.remove());

const stats = () => rpc<{ requests: Record<string, number> }>(service, "devnet_stats");

test("§4.5.10 with BIND_COMMITMENT=finalized neither confirm nor the sweep binds before finality", async () => {
  const [intent, swept] = [await shop.create(), await shop.create()];
  await rpc(service, "devnet_freeze_finality", { on: true });
  // Under Alpenglow a block that is not final is not confirmed either.
  const options = { until: "processed" } as const;
  const { signature } = await pay(service, intent, { options });
  const { payment } = await pay(service, swept, { options });
  const error = assertError(await shop.confirm(intent.id, signature), 409, "signature_unverified");
  assert.deepEqual([error.reason, error.retryable], ["not_confirmed", true]);

  const asked = (await stats()).requests.getSignaturesForAddress!;
  await eventually("the sweep has looked twice", async () => {
    const { requests } = await stats();
    return requests.getSignaturesForAddress! >= asked + 3;
  });
  for (const { id } of [intent, swept]) assert.equal((await shop.intent(id)).status, "requires_payment");

  await rpc(service, "devnet_freeze_finality", { on: false });
  for (const { id } of [intent, swept]) await awaitPaid(shop, id);
  assert.equal((await shop.intent(swept.id)).payment.id, payment);
  assert.equal((await shop.confirm(intent.id, signature)).json.outcome, "already_recorded");
  await expectEvents(shop, swept.id, ["payment_intent.created", "payment.protected", "payment_intent.paid"]);
});
