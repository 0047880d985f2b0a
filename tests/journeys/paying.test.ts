import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { signWith } from "@holdfast/devnet/signing.ts";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import { askCheckout, assertRefused, buildFor } from "../harness/buyer.ts";
import { newPayer } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { exchange } from "../harness/http.ts";
import { type Merchant, newMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const PYUSD = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo";
const SOL = "So11111111111111111111111111111111111111112";

let service: Service;
let shop: Merchant;
before(async () => {
  service = await startService();
  shop = await newMerchant(service);
});
after(() => service?.remove());

for (const [what, asset] of [
  ["SPL Token", null],
  ["Token-2022", PYUSD],
  ["wrapped SOL", SOL],
] as const)
  test(`§4.14.1 a buyer signs what was built in ${what}, the relay sends it, and the intent is paid`, async () => {
    const buyer = await newPayer(service, asset ?? service.asset);
    const intent = await shop.create(asset === null ? {} : { asset });
    const built = await buildFor(service, intent, buyer.address);
    assert.deepEqual(Object.keys(built), [
      "object",
      "transaction",
      "notAfter",
      "arbiter",
      "termsHash",
      "payment",
      "fee",
      "sponsored",
    ]);
    const { transaction, signature } = signWith(built.transaction, buyer);
    const answer = await askCheckout(service, intent, "submit", { transaction });
    assert.equal(answer.status, 202, answer.text);
    assert.deepEqual(answer.json, { signature });
    const { payment } = await awaitPaid(shop, intent.id);
    assert.deepEqual([payment.id, payment.signature, payment.sender], [built.payment, signature, buyer.address]);
    assert.deepEqual([payment.termsHash, payment.termsKnown], [built.termsHash, true]);
    assert.equal(payment.arbiter, built.arbiter);

    const terms = await exchange("GET", `${service.checkoutUrl}/pay/terms/${built.termsHash}`);
    assert.equal(terms.status, 200);
    assert.equal(createHash("sha256").update(terms.text).digest("hex"), built.termsHash);
    assert.deepEqual([terms.json.intent, terms.json.business.name], [intent.id, "Test shop"]);
    assertRefused(await askCheckout(service, intent, "build", { account: newWallet().address }), 409, "paid");
  });
