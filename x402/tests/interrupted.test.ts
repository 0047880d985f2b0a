import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { latestBlockhash } from "@holdfast/devnet/buyer.ts";
import { sendWire } from "@holdfast/devnet/client.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { createPaymentInstruction } from "@holdfast/escrow-client";
import { newPayer, rpc } from "../../tests/harness/chain.ts";
import { awaitPaid } from "../../tests/harness/expectEvents.ts";
import { exchange } from "../../tests/harness/http.ts";
import { type Merchant, merchantOf, newMerchant } from "../../tests/harness/merchant.ts";
import { LASTING, localChain, type Service, startService } from "../../tests/harness/service.ts";
import { readOffer } from "../policy.ts";
import { askAgain, newAgent, policyOf } from "./agent.ts";
import { sell } from "./sell.ts";

let service: Service;
let shop: Merchant;
before(async () => {
  service = await startService({ env: { ...localChain(LASTING), HOLDFAST_FAILPOINT: "agent.after_submit:1" } });
  shop = await newMerchant(service);
});
after(() => service?.remove());

test("§12.20 a kill after the payment was sent: the same request again gets its receipt, and no second payment", async () => {
  const [wallet, intent] = [await newPayer(service), await shop.create()];
  const agent = newAgent(service, wallet);
  const ended = once(service.process, "exit");
  await assert.rejects(agent.pay(intent));
  assert.deepEqual(await ended, [null, "SIGKILL"]);
  service = await service.restart({ HOLDFAST_FAILPOINT: "" });
  shop = merchantOf(service, shop.business, shop.keyId, shop.key);
  const here = {
    ...intent,
    x402Url: (await shop.intent(intent.id)).x402Url ?? `${service.checkoutUrl}/pay/i/${intent.id}/x402`,
  };
  const repeat = () => askAgain(here, agent.sent[0]);
  const first = await repeat();
  assert.equal(first.status, 200, first.text);
  const { payment } = await awaitPaid(shop, intent.id);
  assert.equal(first.json.transaction, payment.signature);
  assert.equal((await repeat()).text, first.text);
  assert.equal((await shop.get(`/payments?intent=${intent.id}`)).json.data.length, 1);
});

test("§12.20 a wallet that takes longer than a blockhash lives signs again, and pays once", async () => {
  const [wallet, intent] = [await newPayer(service), await shop.create()];
  let signings = 0;
  const slow = {
    ...wallet.signer,
    signTransactions: async (transactions: Parameters<typeof wallet.signer.signTransactions>[0]) => {
      signings += 1;
      const signed = await wallet.signer.signTransactions(transactions);
      if (signings === 1) await rpc(service, "devnet_tick", { slots: 170 });
      return signed;
    },
  };
  const agent = newAgent(service, { signer: slow });
  const answer = await agent.pay(intent);
  assert.equal(answer.status, 200, await answer.text());
  assert.deepEqual([signings, agent.sent.length], [2, 2]);
  assert.equal((await shop.get(`/payments?intent=${intent.id}`)).json.data.length, 1);
});

test("§4.23 a payment on other terms buys nothing, though the intent was made for one on the offered terms", async () => {
  const shelf = await sell(service, shop);
  try {
    const { headers } = await exchange("GET", shelf.weather);
    const [accepted] = JSON.parse(Buffer.from(String(headers["payment-required"]), "base64").toString()).accepts;
    const [wallet, terms] = [await newPayer(service), await readOffer(accepted, policyOf(service))];
    const sign = async (changed: object) => {
      const instruction = await createPaymentInstruction({ ...terms, sender: wallet.address, ...changed });
      const blockhash = await latestBlockhash(service.rpcUrl);
      return signTransaction({ instructions: [instruction], wallets: [wallet], blockhash });
    };
    const [offered, other] = [await sign({}), await sign({ termsHash: "11".repeat(32) })];
    const settle = ({ wire }: typeof offered) => {
      const payload = { transaction: Buffer.from(wire).toString("base64") };
      const paymentPayload = { x402Version: 2, accepted, payload };
      return shop.call("POST", "/x402/settle", { x402Version: 2, paymentPayload, paymentRequirements: accepted });
    };
    const methods = ["sendTransaction", "getSignatureStatuses"];
    await rpc(service, "devnet_faults", { mode: "server_error", node: "", methods });
    assert.equal((await settle(offered)).status, 503);
    await sendWire(`${service.rpcUrl}/other`, other.wire);
    await rpc(service, "devnet_faults", { mode: "none" });
    const [intent] = await shop.walk("/payment-intents", 10);
    assert.equal((await awaitPaid(shop, intent.id)).payment.signature, other.signature);
    const { success, errorReason } = (await settle(other)).json;
    assert.deepEqual([success, errorReason], [false, "mismatch: terms"]);
  } finally {
    shelf.stop();
  }
});
