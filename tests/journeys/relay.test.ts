import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import { askCheckout, buildFor } from "../harness/buyer.ts";
import { control, newPayer } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { type Merchant, merchantOf, newMerchant } from "../harness/merchant.ts";
import { LASTING, localChain, type Service, startService } from "../harness/service.ts";

let service: Service;
let shop: Merchant;
before(async () => {
  service = await startService({ env: { ...localChain(LASTING), HOLDFAST_FAILPOINT: "relay.after_send:1" } });
  shop = await newMerchant(service);
});
after(() => service?.remove());

/** Ledger and database are as they were; the chain's faults are over. */
async function restart(): Promise<void> {
  service = await service.restart({ HOLDFAST_FAILPOINT: "" });
  shop = merchantOf(service, shop.business, shop.keyId, shop.key);
}

async function signPayment() {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  return { intent, ...signWith((await buildFor(service, intent, buyer.address)).transaction, buyer) };
}

test("§4.14.4 a worker that ends right after a send, before it noted it, makes the payment once", async () => {
  const { intent, transaction, signature } = await signPayment();
  // The node refuses the request's own send, so the relay has to send.
  await control(service, "/faults", { mode: "rpc_error", methods: ["sendTransaction"], count: 1 });
  const ended = once(service.process, "exit");
  // The end may come before the answer.
  await askCheckout(service, intent, "submit", { transaction }).catch(() => null);
  assert.deepEqual(await ended, [null, "SIGKILL"]);
  await restart();
  assert.equal((await awaitPaid(shop, intent.id)).payment.signature, signature);
  assert.equal((await shop.get(`/payments?intent=${intent.id}`)).json.data.length, 1);
});

test("§4.14.4 a worker that is killed between two sends goes on after its restart", async () => {
  const { intent, transaction, signature } = await signPayment();
  await control(service, "/faults", { mode: "rpc_error", methods: ["sendTransaction"] });
  assert.equal((await askCheckout(service, intent, "submit", { transaction })).status, 202);
  await service.end("SIGKILL");
  await restart();
  assert.equal((await awaitPaid(shop, intent.id)).payment.signature, signature);
});
